"""The catalogue against calculators.yaml, the public contract: names, defaults and units."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import calculators
from calculators import quantities
from calculators.presets import DTYPES, HARDWARE, MODELS
from calculators.spec import Calculator, Output
from calculators.spec.model_inputs import DIMENSIONS

TEXT = (Path(__file__).parent / "calculators.yaml").read_text()
CONTRACT: Mapping[str, Mapping[str, Any]] = YAML(typ="safe").load(TEXT)
CATALOGUE = {calculator.slug: calculator for calculator in calculators.all()}
FIGURES = {"peak_flops", "hbm_bandwidth", "hbm_bytes", "link_bandwidth"}

every_calculator = pytest.mark.parametrize("calculator", CATALOGUE.values(), ids=CATALOGUE.keys())


def promised_outputs(slug: str) -> dict[str, str]:
    """Each output's name with its unit, empty where it is a word or a yes or no."""
    promised: dict[str, str] = {}
    for names, meaning in CONTRACT[slug]["outputs"].items():
        text = meaning if isinstance(meaning, str) else f"[{meaning[0]}]"  # "latency: [s]" is a list in YAML
        elsewhere = re.fullmatch(r"as (\S+)", text)
        unit = re.search(r"\[([^\[\]]+)\]$", text)
        for name in names.split(", "):
            if elsewhere:
                promised[name] = promised_outputs(elsewhere[1])[name]
            else:
                promised[name] = unit[1] if unit and unit[1] != "true or false" else ""
    return promised


def promised_inputs(calculator: Calculator) -> set[str]:
    names = set(CONTRACT[calculator.slug]["inputs"])
    if "hardware" in names:
        names |= FIGURES
    if "model" in names:
        names |= set(DIMENSIONS)
    return names


def test_every_calculator_of_the_contract_is_there_and_no_other() -> None:
    assert CATALOGUE.keys() == CONTRACT.keys()


@every_calculator
def test_inputs_are_those_promised(calculator: Calculator) -> None:
    assert set(calculator.input_names) == promised_inputs(calculator)


@every_calculator
def test_outputs_and_units_are_those_promised(calculator: Calculator) -> None:
    promised = promised_outputs(calculator.slug)
    assert {output.name: output.unit for output in calculator.outputs} == promised
    assert list(calculator.output_names) == list(promised)


@every_calculator
def test_defaults_are_those_promised(calculator: Calculator) -> None:
    inputs = calculator.evaluate().exact_inputs
    for name, promised in CONTRACT[calculator.slug]["inputs"].items():
        follows = re.fullmatch(r"same as (\w+)", promised) if isinstance(promised, str) else None
        if follows:
            assert inputs[name] == inputs[follows[1]]
            assert calculator.input_names[name].default is None
            continue
        if promised == "from the hardware":
            assert inputs[name] == HARDWARE[str(inputs["hardware"])].watts
            assert calculator.input_names[name].default is None
            continue
        if promised == "heads*head_dim":
            assert inputs[name] == 32 * 128
            assert calculator.input_names[name].default is None
            continue
        expected = Fraction(str(promised)) if type(promised) in (int, float) else promised
        if isinstance(promised, str) and calculator.input_names[name].numeric:
            expected = quantities.parse(promised, calculator.input_names[name].family).value
        assert inputs[name] == expected, name
        assert calculator.input_names[name].default is not None


@every_calculator
def test_a_followed_input_moves_its_follower_until_it_is_given(calculator: Calculator) -> None:
    for name, promised in CONTRACT[calculator.slug]["inputs"].items():
        follows = re.fullmatch(r"same as (\w+)", str(promised))
        if follows:
            source = calculator.input_names[follows[1]]
            twice = 2 * int(source.default or 0) if source.numeric else 0  # a multiple, where one divides
            other = twice or next(word for word in ("int8", "bf16") if word in source.choices)
            assert calculator.evaluate({source.name: other}).inputs[name] == other
            kept = source.default
            assert calculator.evaluate({source.name: other, name: kept}).inputs[name] != other


def test_a_word_is_promised_no_unit() -> None:
    word = Output(name="bound", label="", formula="", meaning="", family=None)
    assert word.unit == ""


def test_number_formats_and_their_sizes() -> None:
    line = re.search(r"dtype: ((?:\w+ )+)\(bytes per element ([\d. ]+)\)", TEXT)
    assert line
    sizes = [Fraction(size) for size in line[2].split()]
    assert dict(zip(line[1].split(), sizes, strict=True)) == DTYPES


COUNTS = re.findall(r"([a-z][\w.-]+) (\d{8,})(?: \((\d+))?", TEXT.replace("\n# ", " "))


@pytest.mark.parametrize(("model", "total", "active"), COUNTS)
def test_models_count_what_is_promised(model: str, total: str, active: str) -> None:
    outputs = calculators.get("transformer-params").evaluate(model=model).outputs
    assert outputs["total"] == int(total)
    assert outputs["active"] == int(active or total)


def test_the_counts_were_found_in_the_file() -> None:
    assert len(COUNTS) == 13
    named = re.search(r"; and (gpt-3-175b.*?) as\s+#\s+their configurations", TEXT, re.DOTALL)
    assert named
    others = re.sub(r"\s*#?\s+", " ", named[1]).split(", ")
    assert {name for name, _, _ in COUNTS} | set(others) <= MODELS.keys()


@every_calculator
def test_hardware_and_models_offer_custom(calculator: Calculator) -> None:
    for name, presets in (("hardware", HARDWARE), ("model", MODELS)):
        declared = calculator.input_names.get(name)
        if declared:
            assert tuple(declared.choices) == (*presets, "custom")
