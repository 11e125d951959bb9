"""The families of units by their public names, and every spelling that is read in each."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType

from .units import Family, Refusal, Unit, family, unit

_EXPONENTS = {"p": -12, "n": -9, "µ": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_UP = ("", "k", "M", "G", "T", "P")
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_COUNTS = {
    "k": 10**3,
    "M": 10**6,
    "B": 10**9,
    "T": 10**12,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
}
_WRITTEN = {"µ": ("µ", "μ", "u"), "k": ("k", "K")}  # micro in both code points; K as in KB

_HOURS = ("h", "hr", "hour")


def _worth(prefix: str) -> Fraction:
    return Fraction(_BINARY[prefix]) if prefix in _BINARY else Fraction(10) ** _EXPONENTS[prefix]


def _spelled(prefix: str, stems: Iterable[str]) -> list[str]:
    return [sign + stem for stem in stems for sign in _WRITTEN.get(prefix, (prefix,))]


def _metric(prefixes: Iterable[str], *stems: str) -> list[Unit]:
    """The units of one stem, in all its spellings, under each prefix."""
    return [unit(_worth(prefix), *_spelled(prefix, stems)) for prefix in prefixes]


def _bytes() -> list[Unit]:
    """Bytes and bits. GB is not GiB, Gb is not GB, and kb is a kilobit."""
    units = [unit(1, "B", "byte", "bytes"), *_metric((*_UP[1:], *_BINARY), "B")]
    units.append(unit(Fraction(1, 8), "bit", "bits", "b", bits=True))
    for prefix in (*_UP[1:], *_BINARY):
        units.append(unit(_worth(prefix) / 8, *_spelled(prefix, ("b", "bit", "bits")), bits=True))
    return units


def _watt_hours() -> list[Unit]:
    return [unit(3600 * _worth(prefix), *_spelled(prefix, ["Wh"])) for prefix in _UP]


def _per_second(size: Unit) -> Unit:
    spellings = [f"{spelling}/s" for spelling in size.spellings]
    spellings += [f"{spelling}ps" for spelling in size.spellings if size.bits and spelling.endswith("b")]
    return unit(size.factor, *spellings, bits=size.bits)


def _counted(base: Unit, words: Iterable[str], shown: str = "", ahead: str = "") -> list[Unit]:
    """The base unit and its multiples: "8k", "8k tokens", "8ktok/s"; `shown` is printed after the prefix.

    A sign that stands ahead of the number is read with what follows it: "$2.5M" is 2.5 of "$M".
    """
    tails = [shown, "", *(gap + word for word in words for gap in (" ", ""))]
    units = [base]
    for prefix, factor in _COUNTS.items():
        symbol, *others = _spelled(prefix, tails)
        others += [ahead + sign for sign in _spelled(prefix, [""])]
        units.append(unit(factor, symbol, *others, after=symbol))
    return units


def _milli(words: Iterable[str], shown: str = "", ahead: str = "") -> dict[str, Refusal]:
    """What counts refuse: m, which is milli to others, and G, whose billions are B."""
    milli = Refusal("m being milli to others", (f"M{shown}",))
    giga = Refusal("billions being B", (f"B{shown}", f"Gi{shown}"))
    with_words = ["m", f"{ahead}m", *("m" + gap + word for word in words for gap in (" ", ""))]
    return dict.fromkeys(with_words, milli) | dict.fromkeys(("G", "g"), giga)


_BYTES = _bytes()
_WORDS = ("tokens", "token", "params", "param", "parameters", "parameter")
_TOKENS = ("token", "tokens", "tok")
_TOKEN_RATES = ("token/s", "tokens/s", "tok/s")
_MONEY = ("USD", "dollars", "dollar", "$")

_ALL: tuple[Family, ...] = (
    family("bytes", "memory", "34.4 GB", _BYTES, ["B", "kB", "MB", "GB", "TB", "PB"]),
    family("flop", "work", "312 TFLOP", _metric(_UP, "FLOP", "FLOPs"), [f"{p}FLOP" for p in _UP]),
    family(
        "flop/s",
        "compute speed",
        "312 TFLOP/s",
        _metric(_UP, "FLOP/s", "FLOPs/s", "FLOPS"),
        [f"{p}FLOP/s" for p in _UP],
    ),
    family(
        "byte/s",
        "bandwidth",
        "450 GB/s",
        map(_per_second, _BYTES),
        [f"{p}B/s" for p in _UP],
        # Without this "GBps" would miss every unit but Gbps, and its eightfold.
        {
            f"{p}Bps": Refusal("bits and bytes being told apart by b and B", (f"{p}B/s", f"{p}b/s"))
            for p in _UP[1:]
        },
    ),
    family(
        "time",
        "time",
        "5 ms",
        [
            unit(1, "s", "sec", "second", "seconds"),
            *_metric(["m", "µ", "n"], "s"),
            unit(60, "min", "minute", "minutes"),
            unit(3600, "h", "hr", "hour", "hours"),
            unit(86400, "d", "day", "days"),
        ],
        ["ns", "µs", "ms", "s", "min", "h", "d"],
    ),
    family(
        "ratio",
        "a ratio",
        "12.5%",
        [unit(1, "1", after=""), unit(Fraction(1, 100), "%", after="%")],
        ["1"],
        {sign: Refusal("% being the only unit of a ratio", ("1",)) for sign in "xX×"},
    ),
    family(
        "count", "a count", "1.5M", _counted(unit(1, "1", *_WORDS, after=""), _WORDS), ["1"], _milli(_WORDS)
    ),
    family(
        "intensity",
        "arithmetic intensity",
        "156 FLOP/B",
        [unit(1, "FLOP/B", "FLOPs/B", "FLOP/byte", "FLOPs/byte")],
        ["FLOP/B"],
    ),
    family(
        "money",
        "money",
        "$2.50",
        _counted(unit(1, *_MONEY), _MONEY, " USD", ahead="$"),
        ["USD"],
        _milli(_MONEY, " USD", ahead="$"),
    ),
    family(
        "energy",
        "energy",
        "3.6 MJ",
        [*_metric(["", "p", "n", "µ", "m", *_UP[1:]], "J"), *_watt_hours()],
        [f"{p}J" for p in ("p", "n", "µ", "m", *_UP)],
    ),
    family(
        "power",
        "power",
        "700 W",
        _metric(["", "µ", "m", "k", "M", "G"], "W"),
        [f"{p}W" for p in ("µ", "m", "", "k", "M", "G")],
    ),
    family(
        "tokens",
        "a number of tokens",
        "2M tokens",
        _counted(unit(1, *_TOKENS, after=" tokens", after_one=" token"), _TOKENS, " tokens"),
        ["token"],
        _milli(_TOKENS, " tokens"),
    ),
    family(
        "tokens/s",
        "a token rate",
        "2500 token/s",
        _counted(unit(1, *_TOKEN_RATES), _TOKEN_RATES, " token/s"),
        ["token/s"],
        _milli(_TOKEN_RATES, " token/s"),
    ),
    family(
        "mass",
        "mass",
        "1.5 kg",
        [unit(1, "kg"), unit(Fraction(1, 1000), "g"), unit(1000, "t"), unit(10**6, "kt")],
        ["g", "kg", "t", "kt"],
    ),
    family(
        "rate",
        "a rate",
        "3.5/s",
        _counted(unit(1, "1/s", "/s", after="/s"), ["1/s"], "/s"),
        ["1/s"],
        _milli(["1/s"], "/s"),
    ),
    family(
        "price/h",
        "an hourly price",
        "2.5 USD/h",
        [unit(1, *(f"{money}/{hour}" for money in _MONEY for hour in _HOURS), *_MONEY)],
        ["USD/h"],
    ),
    family(
        "carbon",
        "carbon intensity",
        "0.4 kg/kWh",
        [unit(1, "kg/kWh"), unit(Fraction(1, 1000), "g/kWh")],
        ["kg/kWh"],
    ),
)

FAMILIES: Mapping[str, Family] = MappingProxyType({each.name: each for each in _ALL})
