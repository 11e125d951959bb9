"""Pinned states of a calculator: kept in its address, acted on by its buttons, and compared on its page.

A pin is the query of a state inside the query: `pin=seq_len%3D8k%26as%3Dlong`. It holds the inputs that are
not at their defaults (a default never changes), and `as` the name that somebody gave it: no input has that
name, for it is a word of Python.
"""

from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from app.comparison import Comparison, compare
from app.errors import shorten
from app.pages import calculator_address
from app.pages.calculator_address import Address, Kept, Pairs
from calculators.spec import Calculator, InvalidInputs, LinkError, Resolved, Result

MAX_PINS = 4
MAX_PIN_LENGTH = 1000
MAX_NAME_LENGTH = 24
MAX_NAMES = 100  # of inputs in one pin
MAX_KEPT_LENGTH = 4000  # of all pins in an address, so that it stays far from the longest one answered
NAME = "as"
ADD = "add"
NOTHING_COMPARED = Comparison((), (), (), ())


@dataclass(frozen=True, slots=True)
class Pin:
    """One pinned state: its text in the address, the inputs and the name in it, or why it cannot be read."""

    text: str
    name: str = ""
    result: Result | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A state in the table. `index` is its place among those that could be computed, None for the others."""

    label: str
    name: str
    number: int
    path: str
    problem: str
    index: int | None
    present: bool = False


@dataclass(frozen=True, slots=True)
class CompareView:
    """The pins as the page shows them; without any there are no columns."""

    texts: tuple[str, ...]
    columns: tuple[Column, ...]
    comparison: Comparison
    room: bool


def read(calculator: Calculator, text: str) -> Pin:
    """A pin as it stands in an address. One that cannot be read is kept with the reason."""
    if len(text) > MAX_PIN_LENGTH:
        return Pin(text, problem=f"It is longer than {MAX_PIN_LENGTH:,} characters.")
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_NAMES)
    except ValueError:
        return Pin(text, problem=f"It has more than {MAX_NAMES} inputs.")
    name = _shortened(next((value for key, value in pairs if key == NAME), ""))
    try:
        raw = calculator.parse_query((key, value) for key, value in pairs if key != NAME)
        return Pin(text, name, calculator.evaluate(raw))
    except InvalidInputs as invalid:
        return Pin(text, name, problem=_why(invalid))


def _why(invalid: InvalidInputs) -> str:
    first, *others = invalid.errors
    return shorten(first.message, 200) + (f" And {len(others)} more." if others else "")


def pin_text(calculator: Calculator, resolved: Resolved, name: str = "") -> str:
    """The text that pins a state."""
    defaults = {key: text for key, (_, text) in calculator.defaults.items()}
    query = calculator.link_query(resolved)
    state = [(key, text) for key, text in query if key != "v" and text != defaults.get(key)]
    return urlencode([*state, *([(NAME, name)] if name else [])])


def _shortened(name: str) -> str:
    return " ".join(name.split())[:MAX_NAME_LENGTH].strip()


def _renamed(text: str, name: str) -> str:
    """The pin with another name. Its other parts stay as they are, readable or not."""
    parts = [part for part in text.split("&") if part and part.partition("=")[0] != NAME]
    return "&".join([*parts, *([urlencode({NAME: name})] if name else [])])


def acted(calculator: Calculator, address: Address, present: Result | None) -> tuple[Kept, list[str]]:
    """What the page keeps after a form's names and act, and what there is to say about it."""
    texts = list(address.kept.pins)
    notices: list[str] = []
    if len(address.names) == len(texts):
        names = (_shortened(name) for name in address.names)
        texts = [
            text if read(calculator, text).name == name else _renamed(text, name)
            for text, name in zip(texts, names, strict=True)
        ]
    if len(texts) > MAX_PINS:
        notices.append(f"This link pins {len(texts)} states; the first {MAX_PINS} are kept.")
        texts = texts[:MAX_PINS]
    verb, _, number = address.act.partition(".")
    if verb == ADD:
        notices += _add(calculator, texts, present)
    elif number.isdecimal() and 0 < int(number[:3]) <= len(texts):
        _move(texts, verb, int(number[:3]) - 1)
    return replace(address.kept, pins=tuple(texts)), notices


def _add(calculator: Calculator, texts: list[str], present: Result | None) -> list[str]:
    """Pin the present state, or say why not."""
    if present is None:
        return ["Nothing was pinned: an input cannot be used."]
    if len(texts) >= MAX_PINS:
        return [f"{MAX_PINS} states are pinned already: unpin one first."]
    try:
        text = pin_text(calculator, present.resolved)
    except LinkError as error:
        return [f"This state cannot be pinned. {error}"]
    if len(text) > MAX_PIN_LENGTH or len(urlencode(Kept((*texts, text)).query)) > MAX_KEPT_LENGTH:
        return ["This state cannot be pinned: the link would become too long."]
    texts.append(text)
    return []


def _move(texts: list[str], verb: str, index: int) -> None:
    """Take one pin out, or put it in another place."""
    if verb not in ("drop", "first", "left", "right"):
        return
    text = texts.pop(index)
    if verb == "first":
        texts.insert(0, text)
    elif verb == "left":
        texts.insert(max(index - 1, 0), text)
    elif verb == "right":
        texts.insert(index + 1, text)


def view(calculator: Calculator, kept: Kept, present: Result | None) -> CompareView:
    """The table: a column for each pin and one for the present state, which follows the inputs."""
    room = len(kept.pins) < MAX_PINS
    if not kept.pins:
        return CompareView((), (), NOTHING_COMPARED, room)
    pins = [read(calculator, text) for text in kept.pins]
    results: list[Result] = []
    columns = [
        Column(
            label=pin.name or f"Pin {number}",
            name=pin.name,
            number=number,
            path=_path(calculator, kept, pin.result),
            problem=pin.problem,
            index=_place(results, pin.result),
        )
        for number, pin in enumerate(pins, start=1)
    ]
    problem = "" if present else "An input cannot be used."
    columns.append(Column("Now", "", 0, "", problem, _place(results, present), present=True))
    comparison = compare(calculator, results) if results else NOTHING_COMPARED
    return CompareView(kept.pins, tuple(columns), comparison, room)


def _place(results: list[Result], result: Result | None) -> int | None:
    if result is None:
        return None
    results.append(result)
    return len(results) - 1


def _path(calculator: Calculator, kept: Kept, result: Result | None) -> str:
    """The address at which a pinned state is the present one; empty where no link can carry it."""
    if result is None:
        return ""
    try:
        state: Pairs = calculator.link_query(result.resolved)
    except LinkError:
        return ""
    return calculator_address.path(calculator.slug, state, kept)
