"""A memory budget: one stacked bar against a device's memory, and the same as a table and a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from app.bank.params import display_name
from calculators import quantities
from calculators.presets import HARDWARE
from calculators.spec import Result
from calculators.spec.budgets import Spent, spent

WIDTH = 640  # of the drawing, in its own units
LETTER_FROM = 26  # narrower parts have no room for their letter
LABEL_APART = 92  # labels of two memories nearer than this would run into each other
MOST_NAMED = 3
LETTERS = "ABCDE"

Bytes = int | Fraction


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the bar. `pattern` tells it from the others without any colour."""

    x: float
    width: float
    pattern: int
    letter: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across the bar where a memory ends; `edge` is the one that the parts are held against."""

    x: float
    label: str
    edge: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A part as the table has it."""

    letter: str
    pattern: int
    label: str
    amount: str
    share: str


@dataclass(frozen=True, slots=True)
class BudgetView:
    """`over` is the width of the bar beyond the edge, 0 where everything fits."""

    segments: tuple[Segment, ...]
    marks: tuple[Mark, ...]
    edge: float
    over: float
    rows: tuple[Row, ...]
    total: Row
    rest: Row
    memory: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Memory:
    """What the parts are held against: a size, whose it is, and the `others`, smaller known ones."""

    size: Bytes
    whose: str
    others: tuple[int, ...] = ()


def view(result: Result) -> BudgetView | None:
    """The budget of a result, None where the calculator has none or nothing takes any memory."""
    found = spent(result)
    if found is None or not found.total:
        return None
    memory = _memory(result, found)
    total = found.total
    whole = max(total, memory.size)
    return BudgetView(
        segments=tuple(_segments(found, whole)),
        marks=_marks(memory, whole),
        edge=_units(memory.size, whole),
        over=_units(max(total - memory.size, 0), whole),
        rows=tuple(
            Row(LETTERS[index], index, label, _text(amount), _share(amount, memory))
            for index, (label, amount) in enumerate(found.parts)
        ),
        total=Row("", 0, "Together", _text(total), _share(total, memory)),
        rest=_rest(found, memory),
        memory=f"{_text(memory.size)} of {memory.whose}",
        sentence=_sentence(found, memory),
    )


def _memory(result: Result, found: Spent) -> _Memory:
    """The device's own memory, else the smallest of known ones that holds everything, else the largest."""
    if found.capacity is not None:
        return _Memory(found.capacity, _device(result))
    named: dict[int, list[str]] = {}
    for device in HARDWARE.values():
        named.setdefault(device.hbm_bytes, []).append(device.name)
    sizes, total = sorted(named), found.total
    size = next((size for size in sizes if size >= total), sizes[-1])
    return _Memory(size, _listed(named[size]), tuple(other for other in sizes if other < size))


def _device(result: Result) -> str:
    """Whose memory it is: one device or several, all of it or the share that may be used."""
    inputs = result.exact_inputs
    name = display_name(str(inputs["hardware"]))
    factors = result.calculator.budget.capacity if result.calculator.budget else ()
    if "devices" in factors and inputs["devices"] != 1:
        name = f"{inputs['devices']} × {name}"
    if "memory_fraction" in factors and inputs["memory_fraction"] != 1:
        share = inputs["memory_fraction"]
        assert isinstance(share, Fraction)
        name = f"{name}, {quantities.format_quantity(share, 'ratio')} of it"
    return name


def _listed(names: list[str]) -> str:
    shown, more = names[:MOST_NAMED], len(names) - MOST_NAMED
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _segments(found: Spent, whole: Bytes) -> Iterable[Segment]:
    start: Bytes = 0
    for index, (_, amount) in enumerate(found.parts):
        width = _units(amount, whole)
        yield Segment(_units(start, whole), width, index, LETTERS[index] if width >= LETTER_FROM else "")
        start += amount


def _marks(memory: _Memory, whole: Bytes) -> tuple[Mark, ...]:
    """The edge, and the smaller memories; from the edge down, those that have room are labelled."""
    marks = [Mark(_units(memory.size, whole), _text(memory.size), edge=True)]
    labelled = marks[0].x
    for size in reversed(memory.others):
        x = _units(size, whole)
        room = LABEL_APART / 2 <= x <= labelled - LABEL_APART
        marks.append(Mark(x, _text(size) if room else "", edge=False))
        labelled = x if room else labelled
    return tuple(marks)


def _rest(found: Spent, memory: _Memory) -> Row:
    left = memory.size - found.total
    size = left if left >= 0 else -left
    return Row("", 0, "Free" if left >= 0 else "Over", _text(size), _share(size, memory))


def _sentence(found: Spent, memory: _Memory) -> str:
    total, size = _text(found.total), _text(memory.size)
    left = memory.size - found.total
    if found.capacity is not None:
        if left < 0:
            return f"{total} against the {size} of {memory.whose}: {_text(-left)} over."
        return f"{total} of the {size} of {memory.whose}: {_text(left)} free."
    if left < 0:
        devices = ceil(Fraction(found.total) / Fraction(memory.size))
        return (
            f"{total} is {_text(-left)} over the {size} of {memory.whose}, the largest memory here: "
            f"it takes {devices:,} of them at least."
        )
    past = f"more than {_text(memory.others[-1])}, and " if memory.others else ""
    return f"{total} is {past}within the {size} of {memory.whose}: {_text(left)} free."


def _share(amount: Bytes, memory: _Memory) -> str:
    return quantities.format_quantity(Fraction(amount) / Fraction(memory.size), "ratio")


def _text(amount: Bytes) -> str:
    return quantities.format_quantity(amount, "bytes")


def _units(amount: Bytes, whole: Bytes) -> float:
    """How far along the drawing an amount reaches, the whole of which is as wide as the drawing."""
    return round(float(amount * WIDTH / whole), 2)
