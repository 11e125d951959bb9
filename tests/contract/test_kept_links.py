"""Links that somebody may have kept open on the same inputs and give the same results, for ever."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from ruamel.yaml import YAML

import calculators
from calculators.spec import Calculator

KEPT: Mapping[str, list[dict[str, Any]]] = YAML(typ="safe").load(
    (Path(__file__).parent / "kept_links.yaml").read_text()
)
LINKS = [(slug, entry) for slug, entries in KEPT.items() for entry in entries]


def expected(calculator: Calculator, entry: Mapping[str, Any]) -> dict[str, Any]:
    """What a link gives now: what it gave, and over it the corrections, each of a version that says so."""
    corrections: Mapping[int, Mapping[str, Any]] = entry.get("corrected", {})
    assert set(corrections) <= {change.version for change in calculator.changes}
    results = dict(entry["gives"])
    for version in sorted(corrections):
        results |= corrections[version]
    return results


@pytest.mark.parametrize(("slug", "entry"), LINKS, ids=lambda part: part if isinstance(part, str) else "")
def test_a_kept_link_gives_what_it_gave(slug: str, entry: dict[str, Any]) -> None:
    calculator = calculators.get(slug)
    pairs = parse_qsl(entry["link"], keep_blank_values=True, strict_parsing=bool(entry["link"]))
    result = calculator.evaluate(calculator.parse_query(pairs))
    found = {name: result.outputs[name] for name in entry["gives"]}
    for name, value in expected(calculator, entry).items():
        if isinstance(value, float):
            assert found[name] == pytest.approx(value, rel=1e-12, abs=0), name
        else:
            assert found[name] == value, name
            assert type(found[name]) is type(value), name


def test_every_calculator_has_links_that_are_kept() -> None:
    assert list(KEPT) == [calculator.slug for calculator in calculators.all()]
    for slug, entries in KEPT.items():
        assert entries[0]["link"] == "", f"{slug}: its defaults"
        assert all(entry["link"].startswith("v=") for entry in entries[1:])
        assert len({entry["link"] for entry in entries}) == len(entries) >= 3
        for entry in entries:
            assert set(entry["gives"]) <= set(calculators.get(slug).output_names)
