"""A calculator's state as the query of a link, and back.

`v` is the version of the calculator that a link was made with. An older link keeps its inputs and gets
today's results, and `news` says what was corrected in between.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from calculators.spec import resolving
from calculators.spec.errors import FieldError, InvalidInputs, LinkError
from calculators.spec.reading import as_text, meant, shown
from calculators.spec.results import Resolved

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator

MOST_NAMED = 4  # names that a page repeats, of a link that has many it does not know


def link_query(calculator: "Calculator", resolved: Resolved) -> list[tuple[str, str]]:
    """The version, then every input that was given or has a default of its own. Followers stay at home."""
    texts = _portable(calculator, resolved)
    for name, text in texts.items():
        if not text:
            raise LinkError(f"{name} takes more than the 64 characters that a link carries.")
    return [("v", str(calculator.version)), *texts.items()]


def _portable(calculator: "Calculator", resolved: Resolved) -> Mapping[str, str]:
    """The texts of the inputs, in order, as they mean the same everywhere."""
    texts = resolved.texts
    for declared in calculator.inputs:
        known = declared.elsewhere(resolved.values, resolved.needed) if declared.elsewhere else {}
        if known:
            written = {name: each if isinstance(each, str) else as_text(each) for name, each in known.items()}
            texts = {**written, **texts, declared.name: written[declared.name]}
    return {name: texts[name] for name in calculator.input_names if name in texts}


def linked_version(calculator: "Calculator", text: str) -> int | None:
    """The version that the v of a link names, today's where it is blank; None for one that never was."""
    named = text.strip()
    if not named:
        return calculator.version
    return next((number for number in range(1, calculator.version + 1) if str(number) == named), None)


def news(calculator: "Calculator", pairs: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each thing corrected since a link was made, after one that says so; else nothing."""
    made = linked_version(calculator, next((text for name, text in pairs if name == "v"), ""))
    if made is None or made == calculator.version:
        return []
    changes = [change for change in calculator.changes if change.version > made]
    return [
        f"This link was made with version {made} of this calculator. Its inputs are kept, and the results "
        f"are those of version {calculator.version}.",
        *(f"Corrected in version {change.version}: {change.what}" for change in changes),
    ]


def parse_query(
    calculator: "Calculator", pairs: Iterable[tuple[str, str]], beside: str | None = None
) -> dict[str, str]:
    """The inputs, or InvalidInputs that also has what is wrong with the values of the rest.

    `beside` is an input that is swept or solved for, so that nothing is expected of it.
    """
    raw: dict[str, str] = {}
    errors: list[FieldError] = []
    repeated: set[str] = set()
    for name, text in pairs:
        if name in raw:
            repeated.add(name)
        raw.setdefault(name, text)
    errors += [_repeated(name) for name in raw if name in repeated]
    version = raw.pop("v", "")
    if linked_version(calculator, version) is None:
        errors.append(_unknown_version(calculator, version))
    if errors or calculator.unknown_names(raw):
        try:
            resolving.resolve(calculator, raw, swept=beside)
        except InvalidInputs as invalid:
            refused = {error.field for error in errors}
            errors += (error for error in invalid.errors if error.field not in refused)
        raise InvalidInputs(errors)
    return raw


def lenient_query(
    calculator: "Calculator", pairs: Iterable[tuple[str, str]]
) -> tuple[dict[str, str], list[str]]:
    """What a page can use of a query, and one notice for each thing that it passed over or that is news."""
    pairs = list(pairs)
    raw: dict[str, str] = {}
    notices: list[str] = []
    unknown: list[str] = []
    for name, text in pairs:
        if name == "v":
            if linked_version(calculator, text) is None:
                version = calculator.version
                notices.append(f"This link says version {shown(text)}; it is read as version {version}.")
        elif name not in calculator.input_names:
            unknown.append(name)
        elif name in raw:
            notices.append(f"{name} was given more than once; the first value counts.")
        else:
            raw[name] = text
    told = [*news(calculator, pairs), *dict.fromkeys(notices)]
    return raw, [*told, *left_out(unknown, calculator.input_names)]


def left_out(names: Iterable[str], known: Collection[str]) -> list[str]:
    """A sentence for each of the first names that nothing is called by, and one for all the others."""
    unknown = list(dict.fromkeys(shown(name) for name in names))
    notices = [
        f"“{name}” is no input here and was left out. {meant(name, known)}".strip()
        for name in unknown[:MOST_NAMED]
    ]
    if others := len(unknown) - len(notices):
        notices.append(f"Left out as well: {others} more {'name' if others == 1 else 'names'} of that link.")
    return notices


def _repeated(name: str) -> FieldError:
    return FieldError(shown(name), "", "one value", f"{shown(name)} is given more than once.")


def _unknown_version(calculator: "Calculator", version: str) -> FieldError:
    latest = calculator.version
    allowed = "1" if latest == 1 else f"a version of {calculator.slug}, from 1 to {latest}"
    message = f"v is “{shown(version)}”, but must be {allowed}."
    return FieldError("v", shown(version), allowed, message)
