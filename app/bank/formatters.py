"""The formatters of prose: `{{ gib(scores.score_bytes) }}` prints "2 GiB".

A formatter fixes the unit or its family, so that prose cannot say GB over a number of GiB, and prints what
the number grammar reads back in that family. Values come in base units (B, FLOP, B/s, s, ...); what goes out
has three significant figures, and every digit before the point.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from types import MappingProxyType

from app.bank.exact_math import Number, UnusableError
from calculators.quantities import format_exact, format_quantity

MAX_PLAIN_DIGITS = 40  # a longer whole number is printed in scientific notation
_COUNT_PREFIXES = (("T", 10**12), ("B", 10**9), ("M", 10**6))
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Formatter:
    """One formatter: how it prints, and the family that its argument must be of (None: any number)."""

    name: str
    family: str | None
    unit: str | None
    doc: str
    print: Callable[[Number], str]

    def __call__(self, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise UnusableError(f"{self.name}() prints a number, not a condition or a text")
        return self.print(value)


# ---------------------------------------------------------------- plain numbers


def _scientific(value: Number) -> str:
    """Three figures and a power of ten, correctly rounded from the exact fraction."""
    if value == 0:
        return "0"
    # A value has at most about 1,230 digits on either side of the point.
    context = Context(prec=3, rounding=ROUND_HALF_UP, Emin=-9999, Emax=9999)
    number = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    exponent = number.adjusted()
    mantissa = number.scaleb(-exponent, context).normalize(context)
    return f"{mantissa:f}×10{str(exponent).translate(_SUPERSCRIPTS)}"


def _whole(value: Number) -> str:
    nearest = (2 * value.numerator + value.denominator) // (2 * value.denominator)
    return format_exact(nearest) if abs(nearest) < 10**MAX_PLAIN_DIGITS else _scientific(value)


def _count(value: Number) -> str:
    unit = next((prefix for prefix, worth in _COUNT_PREFIXES if not -worth < value < worth), "1")
    return format_quantity(value, "count", unit=unit)


def _times(value: Number) -> str:
    return format_quantity(value, "ratio", unit="1") + "×"


# ---------------------------------------------------------------- the registry


def _in_unit(name: str, family: str, unit: str, doc: str) -> Formatter:
    return Formatter(name, family, unit, doc, functools.partial(format_quantity, family=family, unit=unit))


def _in_family(name: str, family: str, doc: str) -> Formatter:
    return Formatter(name, family, None, doc, functools.partial(format_quantity, family=family))


def _figures(name: str, figures: int, doc: str) -> Formatter:
    return Formatter(
        name, None, None, doc, functools.partial(format_quantity, family="ratio", unit="1", figures=figures)
    )


def _plain(name: str, doc: str, print_: Callable[[Number], str], family: str | None = None) -> Formatter:
    return Formatter(name, family, None, doc, print_)


_ALL = (
    _in_family("bytes", "bytes", "bytes in the decimal unit that suits: 34.4 GB"),
    _in_unit("kb", "bytes", "kB", "kilobytes, 10^3 bytes"),
    _in_unit("mb", "bytes", "MB", "megabytes, 10^6 bytes"),
    _in_unit("gb", "bytes", "GB", "gigabytes, 10^9 bytes"),
    _in_unit("tb", "bytes", "TB", "terabytes, 10^12 bytes"),
    _in_unit("pb", "bytes", "PB", "petabytes, 10^15 bytes"),
    _in_unit("kib", "bytes", "KiB", "kibibytes, 2^10 bytes"),
    _in_unit("mib", "bytes", "MiB", "mebibytes, 2^20 bytes"),
    _in_unit("gib", "bytes", "GiB", "gibibytes, 2^30 bytes"),
    _in_unit("tib", "bytes", "TiB", "tebibytes, 2^40 bytes"),
    _in_family("flop", "flop", "FLOP in the unit that suits: 3.44 TFLOP"),
    _in_unit("mflop", "flop", "MFLOP", "10^6 FLOP"),
    _in_unit("gflop", "flop", "GFLOP", "10^9 FLOP"),
    _in_unit("tflop", "flop", "TFLOP", "10^12 FLOP"),
    _in_unit("pflop", "flop", "PFLOP", "10^15 FLOP"),
    _in_unit("gflops", "flop/s", "GFLOP/s", "10^9 FLOP a second"),
    _in_unit("tflops", "flop/s", "TFLOP/s", "10^12 FLOP a second"),
    _in_unit("pflops", "flop/s", "PFLOP/s", "10^15 FLOP a second"),
    _in_unit("mbps", "byte/s", "MB/s", "10^6 bytes a second"),
    _in_unit("gbps", "byte/s", "GB/s", "10^9 bytes (not bits) a second"),
    _in_unit("tbps", "byte/s", "TB/s", "10^12 bytes (not bits) a second"),
    _in_family("time", "time", "a time in the unit that suits: 5 µs"),
    _in_unit("ns", "time", "ns", "nanoseconds"),
    _in_unit("us", "time", "µs", "microseconds"),
    _in_unit("ms", "time", "ms", "milliseconds"),
    _in_unit("s", "time", "s", "seconds"),
    _in_unit("minutes", "time", "min", "minutes"),
    _in_unit("hours", "time", "h", "hours"),
    _in_unit("days", "time", "d", "days of 24 hours"),
    _in_unit("pct", "ratio", "%", "a share as a percentage: 0.415 is 41.5%"),
    _plain("count", "a count, shortened from a million on: 7.24B, 8,192", _count, "count"),
    _in_family("tokens", "tokens", "tokens: 1,024 tokens"),
    _in_family("tokens_per_second", "tokens/s", "tokens a second: 2,381 token/s"),
    _in_family("intensity", "intensity", "arithmetic intensity: 153 FLOP/B"),
    _in_family("usd", "money", "US dollars: 2.5 USD"),
    _in_family("usd_per_hour", "price/h", "US dollars an hour: 2.5 USD/h"),
    _in_family("energy", "energy", "energy in the unit that suits: 3.6 MJ"),
    _in_family("power", "power", "power in the unit that suits: 700 W"),
    _in_family("mass", "mass", "mass in the unit that suits: 1.5 kg"),
    _in_family("rate", "rate", "events a second: 2.5/s"),
    _plain("int", "a whole number with all its digits, grouped: 2,147,483,648; rounds", _whole),
    _figures("sig2", 2, "two significant figures: 8.4"),
    _figures("sig3", 3, "three significant figures: 8.42"),
    _figures("sig4", 4, "four significant figures: 8.415"),
    _plain("sci", "three figures and a power of ten: 3.14×10²³", _scientific),
    _plain("times", "a factor: 1.72×", _times),
)

FORMATTERS: Mapping[str, Formatter] = MappingProxyType({each.name: each for each in _ALL})
