"""Which of a preset's own figures the inputs replace: one that a page names is not always as published."""

from collections.abc import Iterator, Mapping

from app.calculating import value_text
from calculators.presets import HARDWARE, MODELS
from calculators.spec import InvalidInputs, Result

_PRESETS: Mapping[str, Mapping[str, object]] = {"hardware": HARDWARE, "model": MODELS}


def remarks(result: Result) -> Iterator[str]:
    """A sentence for each preset that is not taken as it stands.

    A figure typed for one device stays when another is chosen, maybe in a fold that is shut.
    """
    for chooser, presets in _PRESETS.items():
        preset = presets.get(str(result.exact_inputs.get(chooser)))
        differing = list(_differing(result, chooser)) if preset is not None else []
        if differing:
            yield f"{getattr(preset, 'name', chooser)} is not as published here: {', '.join(differing)}."


def _differing(result: Result, chooser: str) -> Iterator[str]:
    names = [
        declared.name
        for declared in result.calculator.inputs
        if declared.follows == f"the {chooser}"
        and declared.name in result.resolved.given
        and (declared.default is None or declared.default_with is not None)  # else never the preset's own
    ]
    together = _own(result, names)
    for name in names:
        declared = result.calculator.input_names[name]
        given = result.exact_inputs[name]
        own = (together or _own(result, [name])).get(name)
        if given is None or given == own:
            continue
        instead = (
            "which it has no figure for"
            if own is None
            else f"in place of {value_text(declared, own, figures=4)}"
        )
        yield f"{declared.label} {value_text(declared, given, figures=4)} {instead}"


def _own(result: Result, names: list[str]) -> Mapping[str, object]:
    """The inputs where these are not given; nothing where there is no result without them."""
    texts = {name: text for name, text in result.resolved.texts.items() if name not in names}
    try:
        return result.calculator.evaluate(texts).exact_inputs if names else {}
    except InvalidInputs:
        return {}
