"""A calculator's state as the query of a link, and back."""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from calculators.spec import resolving
from calculators.spec.errors import FieldError, InvalidInputs, LinkError
from calculators.spec.reading import is_blank, meant, shown
from calculators.spec.results import Resolved

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator

LINK_VERSION = "1"
MOST_NAMED = 4  # names that a page repeats, of a link that has many it does not know


def link_query(calculator: "Calculator", resolved: Resolved) -> list[tuple[str, str]]:
    """v=1, then every input that was given or has a default of its own. Followers stay at home."""
    for name, text in resolved.texts.items():
        if not text:
            raise LinkError(f"{name} takes more than the 64 characters that a link carries.")
    return [("v", LINK_VERSION), *resolved.texts.items()]


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
    if not is_blank(version) and version.strip() != LINK_VERSION:
        errors.append(_unknown_version(version))
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
    """What a page can use of a query, and one notice for each thing that it passed over."""
    raw: dict[str, str] = {}
    notices: list[str] = []
    unknown: list[str] = []
    for name, text in pairs:
        if name == "v":
            if not is_blank(text) and text.strip() != LINK_VERSION:
                notices.append(f"This link says version {shown(text)}; it is read as version {LINK_VERSION}.")
        elif name not in calculator.input_names:
            unknown.append(name)
        elif name in raw:
            notices.append(f"{name} was given more than once; the first value counts.")
        else:
            raw[name] = text
    return raw, [*dict.fromkeys(notices), *left_out(unknown, calculator.input_names)]


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


def _unknown_version(version: str) -> FieldError:
    message = f"v is “{shown(version)}”, but the only version of links is {LINK_VERSION}."
    return FieldError("v", shown(version), LINK_VERSION, message)
