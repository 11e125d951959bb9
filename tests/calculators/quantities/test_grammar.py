"""What is read, and as what, exactly."""

from fractions import Fraction

import pytest

from calculators.quantities import FAMILIES, QuantityError, base_unit, parse

DASHES = "-‐‑‒–—―−﹘﹣－⁃➖˗₋⁻"
SPACES = " \u00a0\u2000\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


NUMBERS: list[tuple[str, int | Fraction]] = [
    ("0", 0),
    ("-0", 0),
    ("5", 5),
    ("+5", 5),
    ("- 5", -5),
    ("  5  ", 5),
    ("\t5\n", 5),
    ("007", 7),
    ("00", 0),
    ("0.5", Fraction(1, 2)),
    (".5", Fraction(1, 2)),
    ("-.5", Fraction(-1, 2)),
    ("5.", 5),
    ("5.e3", 5000),
    (".5e1", 5),
    ("2.50", Fraction(5, 2)),
    ("0.1", Fraction(1, 10)),
    ("1234567", 1_234_567),
    ("1,024", 1024),
    ("1 024", 1024),
    ("1_024", 1024),
    ("1\u00a0024", 1024),
    ("1\u2009024", 1024),
    ("1\u202f024", 1024),
    ("1\u202f024 576", 1_024_576),
    ("12,345,678.5", Fraction(24_691_357, 2)),
    ("1 000 000", 10**6),
    ("100_000_000", 10**8),
    ("1,024e3", 1_024_000),
    ("1e9", 10**9),
    ("1E9", 10**9),
    ("1e+9", 10**9),
    ("1e09", 10**9),
    ("1e0000000000009", 10**9),
    ("1e-3", Fraction(1, 1000)),
    ("1e−3", Fraction(1, 1000)),
    ("3.14e11", 314_000_000_000),
    ("3x10^9", 3 * 10**9),
    ("3X10^9", 3 * 10**9),
    ("3×10^9", 3 * 10**9),
    ("3*10^9", 3 * 10**9),
    ("3·10^9", 3 * 10**9),
    ("3⋅10^9", 3 * 10**9),
    ("3 × 10^9", 3 * 10**9),
    ("3 × 10 ^ 9", 3 * 10**9),
    ("3x10**9", 3 * 10**9),
    ("3*10**9", 3 * 10**9),
    ("3×10⁹", 3 * 10**9),
    ("3 x 10⁻⁹", Fraction(3, 10**9)),
    ("3x10^-9", Fraction(3, 10**9)),
    ("3x10^–9", Fraction(3, 10**9)),
    ("3x10^+9", 3 * 10**9),
    ("2^30", 2**30),
    ("2**30", 2**30),
    ("2 ^ 30", 2**30),
    ("2³⁰", 2**30),
    ("2⁺³", 8),
    ("2⁻³", Fraction(1, 8)),
    ("2^-3", Fraction(1, 8)),
    ("2^−3", Fraction(1, 8)),
    ("2^+3", 8),
    ("10⁹", 10**9),
    ("1.5^2", Fraction(9, 4)),
    ("-2^2", -4),
    ("2^0", 1),
    ("2^1023", 2**1023),
    ("1/2", Fraction(1, 2)),
    ("1 / 2", Fraction(1, 2)),
    ("1/3", Fraction(1, 3)),
    ("-1/3", Fraction(-1, 3)),
    ("1/.5", 2),
    ("1,024/2", 512),
    ("1e12/3e9", Fraction(1000, 3)),
    ("2^30/2^20", 1024),
    ("0/5", 0),
    ("~5", 5),
    ("≈5", 5),
    ("≈ -5", -5),
    ("1e308", 10**308),
    ("1e-300", Fraction(1, 10**300)),
]


@pytest.mark.parametrize(("text", "value"), NUMBERS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_bare_number_is_read_exactly_in_every_family(family: str, text: str, value: int | Fraction) -> None:
    read = parse(text, family)
    assert read.value == value
    assert read.base_unit == read.read_unit == base_unit(family)
    assert isinstance(read.value, int) == (Fraction(value).denominator == 1)


@pytest.mark.parametrize("dash", DASHES)
def test_every_dash_is_a_minus(dash: str) -> None:
    assert parse(f"{dash}5", "count").value == -5
    assert parse(f"{dash}$5", "money").value == -5
    assert parse(f"{dash}5 GB", "bytes").reading == "-5 GB"


@pytest.mark.parametrize("dash", DASHES.replace("⁻", ""))
def test_every_dash_is_a_minus_in_an_exponent(dash: str) -> None:
    assert parse(f"1e{dash}3", "count").value == Fraction(1, 1000)
    assert parse(f"2^{dash}3", "count").value == Fraction(1, 8)


@pytest.mark.parametrize("space", SPACES)
def test_every_space_is_a_space(space: str) -> None:
    assert parse(f"{space}1{space}024{space}GB{space}", "bytes").value == 1024 * 10**9


# text, family, value in base units, canonical unit, echo
QUANTITIES: list[tuple[str, str, int | Fraction, str, str]] = [
    ("34.4 GB", "bytes", 34_400_000_000, "GB", "34.4 GB"),
    ("34.4GB", "bytes", 34_400_000_000, "GB", "34.4 GB"),
    ("34.40  GB", "bytes", 34_400_000_000, "GB", "34.4 GB"),
    ("~34.4 GB", "bytes", 34_400_000_000, "GB", "34.4 GB"),
    ("34.4 gb", "bytes", 34_400_000_000, "GB", "34.4 GB"),
    ("34.4 Gb", "bytes", 4_300_000_000, "Gb", "34.4 Gb"),
    ("34.4 Gbit", "bytes", 4_300_000_000, "Gb", "34.4 Gb"),
    ("2 GiB", "bytes", 2 * 2**30, "GiB", "2 GiB"),
    ("2 gib", "bytes", 2 * 2**30, "GiB", "2 GiB"),
    ("2 GIB", "bytes", 2 * 2**30, "GiB", "2 GiB"),
    ("2 Gib", "bytes", 2**28, "Gib", "2 Gib"),
    ("1,024 KiB", "bytes", 2**20, "KiB", "1,024 KiB"),
    ("1024 kib", "bytes", 2**20, "KiB", "1,024 KiB"),
    ("5 kB", "bytes", 5000, "kB", "5 kB"),
    ("5 KB", "bytes", 5000, "kB", "5 kB"),
    ("8 kb", "bytes", 1000, "kb", "8 kb"),
    ("8 Kb", "bytes", 1000, "kb", "8 kb"),
    ("134 MB", "bytes", 134 * 10**6, "MB", "134 MB"),
    ("134 mb", "bytes", 134 * 10**6, "MB", "134 MB"),
    ("8 Mb", "bytes", 10**6, "Mb", "8 Mb"),
    ("1 TB", "bytes", 10**12, "TB", "1 TB"),
    ("1 PB", "bytes", 10**15, "PB", "1 PB"),
    ("1 MiB", "bytes", 2**20, "MiB", "1 MiB"),
    ("1 TiB", "bytes", 2**40, "TiB", "1 TiB"),
    ("1 PiB", "bytes", 2**50, "PiB", "1 PiB"),
    ("16 bits", "bytes", 2, "bit", "16 bit"),
    ("1 bit", "bytes", Fraction(1, 8), "bit", "1 bit"),
    ("16 bytes", "bytes", 16, "B", "16 B"),
    ("2^31 B", "bytes", 2**31, "B", "2,147,483,648 B"),
    ("2³¹B", "bytes", 2**31, "B", "2,147,483,648 B"),
    ("1/2 GiB", "bytes", 2**29, "GiB", "0.5 GiB"),
    ("1/3 GB", "bytes", Fraction(10**9, 3), "GB", "1/3 GB"),
    ("3 TFLOP", "flop", 3 * 10**12, "TFLOP", "3 TFLOP"),
    ("3 TFLOPs", "flop", 3 * 10**12, "TFLOP", "3 TFLOP"),
    ("3 flops", "flop", 3, "FLOP", "3 FLOP"),
    ("5 kFLOP", "flop", 5000, "kFLOP", "5 kFLOP"),
    ("1 PFLOP", "flop", 10**15, "PFLOP", "1 PFLOP"),
    ("3.14e23 FLOP", "flop", 314 * 10**21, "FLOP", "3.14×10²³ FLOP"),
    ("312 TFLOP/s", "flop/s", 312 * 10**12, "TFLOP/s", "312 TFLOP/s"),
    ("312 TFLOPs/s", "flop/s", 312 * 10**12, "TFLOP/s", "312 TFLOP/s"),
    ("312 TFLOPS", "flop/s", 312 * 10**12, "TFLOP/s", "312 TFLOP/s"),
    ("312 tflops", "flop/s", 312 * 10**12, "TFLOP/s", "312 TFLOP/s"),
    ("312 TFLOP / s", "flop/s", 312 * 10**12, "TFLOP/s", "312 TFLOP/s"),
    ("450 GB/s", "byte/s", 450 * 10**9, "GB/s", "450 GB/s"),
    ("450GB/s", "byte/s", 450 * 10**9, "GB/s", "450 GB/s"),
    ("450 gb/s", "byte/s", 450 * 10**9, "GB/s", "450 GB/s"),
    ("1 GiB/s", "byte/s", 2**30, "GiB/s", "1 GiB/s"),
    ("400 Gb/s", "byte/s", 50 * 10**9, "Gb/s", "400 Gb/s"),
    ("400Gbps", "byte/s", 50 * 10**9, "Gb/s", "400 Gb/s"),
    ("400 Gbit/s", "byte/s", 50 * 10**9, "Gb/s", "400 Gb/s"),
    ("8 kb/s", "byte/s", 1000, "kb/s", "8 kb/s"),
    ("8 bps", "byte/s", 1, "bit/s", "8 bit/s"),
    ("5 ns", "time", Fraction(5, 10**9), "ns", "5 ns"),
    ("5us", "time", Fraction(5, 10**6), "µs", "5 µs"),
    ("5 \u00b5s", "time", Fraction(5, 10**6), "µs", "5 µs"),
    ("5 \u03bcs", "time", Fraction(5, 10**6), "µs", "5 µs"),
    ("5 ms", "time", Fraction(5, 1000), "ms", "5 ms"),
    ("5 MS", "time", Fraction(5, 1000), "ms", "5 ms"),
    ("5 s", "time", 5, "s", "5 s"),
    ("5 sec", "time", 5, "s", "5 s"),
    ("5 min", "time", 300, "min", "5 min"),
    ("5 h", "time", 18_000, "h", "5 h"),
    ("5 hr", "time", 18_000, "h", "5 h"),
    ("1 hour", "time", 3600, "h", "1 h"),
    ("50000 hours", "time", 180_000_000, "h", "50,000 h"),
    ("2 d", "time", 172_800, "d", "2 d"),
    ("1 day", "time", 86_400, "d", "1 d"),
    ("2 days", "time", 172_800, "d", "2 d"),
    ("3e-6", "time", Fraction(3, 10**6), "s", "0.000003 s"),
    ("41.5%", "ratio", Fraction(83, 200), "%", "41.5%"),
    ("41.5 %", "ratio", Fraction(83, 200), "%", "41.5%"),
    ("0.415", "ratio", Fraction(83, 200), "1", "0.415"),
    ("1/3", "ratio", Fraction(1, 3), "1", "1/3"),
    ("1/3%", "ratio", Fraction(1, 300), "%", "1/3%"),
    ("8k", "count", 8000, "k", "8k"),
    ("8K", "count", 8000, "k", "8k"),
    ("8 k", "count", 8000, "k", "8k"),
    ("1.5M", "count", 1_500_000, "M", "1.5M"),
    ("7B", "count", 7 * 10**9, "B", "7B"),
    ("7b", "count", 7 * 10**9, "B", "7B"),
    ("2T", "count", 2 * 10**12, "T", "2T"),
    ("4Ki", "count", 4096, "Ki", "4Ki"),
    ("4ki", "count", 4096, "Ki", "4Ki"),
    ("2Mi", "count", 2**21, "Mi", "2Mi"),
    ("1Gi", "count", 2**30, "Gi", "1Gi"),
    ("1Ti", "count", 2**40, "Ti", "1Ti"),
    ("1e3k", "count", 10**6, "k", "1,000k"),
    ("2^10k", "count", 1_024_000, "k", "1,024k"),
    ("7B params", "count", 7 * 10**9, "B", "7B"),
    ("7 B params", "count", 7 * 10**9, "B", "7B"),
    ("7 params", "count", 7, "1", "7"),
    ("7 parameters", "count", 7, "1", "7"),
    ("1 token", "count", 1, "1", "1"),
    ("8k tokens", "count", 8000, "k", "8k"),
    ("8k Tokens", "count", 8000, "k", "8k"),
    ("2^20", "count", 2**20, "1", "1,048,576"),
    ("156 FLOP/B", "intensity", 156, "FLOP/B", "156 FLOP/B"),
    ("156 FLOPs/byte", "intensity", 156, "FLOP/B", "156 FLOP/B"),
    ("$5", "money", 5, "USD", "5 USD"),
    ("$ 5", "money", 5, "USD", "5 USD"),
    ("-$5", "money", -5, "USD", "-5 USD"),
    ("$-5", "money", -5, "USD", "-5 USD"),
    ("≈$1,200.50", "money", Fraction(2401, 2), "USD", "1,200.5 USD"),
    ("5 USD", "money", 5, "USD", "5 USD"),
    ("5 usd", "money", 5, "USD", "5 USD"),
    ("5 dollars", "money", 5, "USD", "5 USD"),
    ("$2.5M", "money", 2_500_000, "M USD", "2.5M USD"),
    ("2.5M USD", "money", 2_500_000, "M USD", "2.5M USD"),
    ("3.6 MJ", "energy", 3_600_000, "MJ", "3.6 MJ"),
    ("5 mJ", "energy", Fraction(1, 200), "mJ", "5 mJ"),
    ("2 kWh", "energy", 7_200_000, "kWh", "2 kWh"),
    ("700 W", "power", 700, "W", "700 W"),
    ("1.2 kW", "power", 1200, "kW", "1.2 kW"),
    ("4096 tokens", "tokens", 4096, "token", "4,096 tokens"),
    ("1", "tokens", 1, "token", "1 token"),
    ("2M", "tokens", 2 * 10**6, "M tokens", "2M tokens"),
    ("2500 token/s", "tokens/s", 2500, "token/s", "2,500 token/s"),
    ("238.3k tok/s", "tokens/s", 238_300, "k token/s", "238.3k token/s"),
    ("1.5 kg", "mass", Fraction(3, 2), "kg", "1.5 kg"),
    ("2 t", "mass", 2000, "t", "2 t"),
    ("5/s", "rate", 5, "1/s", "5/s"),
    ("5 1/s", "rate", 5, "1/s", "5/s"),
    ("5 000/s", "rate", 5000, "1/s", "5,000/s"),
    ("1/2/s", "rate", Fraction(1, 2), "1/s", "0.5/s"),
    ("2.5 USD/h", "price/h", Fraction(5, 2), "USD/h", "2.5 USD/h"),
    ("$2.5/h", "price/h", Fraction(5, 2), "USD/h", "2.5 USD/h"),
    ("$2.5 / hr", "price/h", Fraction(5, 2), "USD/h", "2.5 USD/h"),
    ("0.4 kg/kWh", "carbon", Fraction(2, 5), "kg/kWh", "0.4 kg/kWh"),
    ("400 g/kWh", "carbon", Fraction(2, 5), "g/kWh", "400 g/kWh"),
    ("2^1000", "count", 2**1000, "1", "≈1.07150860719×10³⁰¹"),
]


@pytest.mark.parametrize(("text", "family", "value", "unit", "echo"), QUANTITIES)
def test_a_quantity_is_read(text: str, family: str, value: int | Fraction, unit: str, echo: str) -> None:
    read = parse(text, family)
    assert read.value == value
    assert (read.base_unit, read.read_unit, read.reading) == (base_unit(family), unit, echo)


def test_a_bare_number_takes_the_unit_asked_for() -> None:
    assert parse("2", "bytes", unit="GiB").reading == "2 GiB"
    assert parse("2", "bytes", unit="GiB").value == 2**31
    assert parse("2 GB", "bytes", unit="GiB").value == 2 * 10**9
    assert parse("41.5", "ratio", unit="%").value == Fraction(83, 200)
    assert parse("7 params", "count", unit="B").value == 7


@pytest.mark.parametrize(
    ("family", "unit"), [("bytes", "GB/s"), ("bytes", ""), ("count", "m"), ("nonsense", None), ("", None)]
)
def test_an_unknown_family_or_unit_is_refused(family: str, unit: str | None) -> None:
    with pytest.raises(QuantityError, match="use "):
        parse("5", family, unit=unit)


def test_64_characters_are_read_and_65_are_not() -> None:
    assert parse("0" * 63 + "7", "count").value == 7
    with pytest.raises(QuantityError, match="64 characters are read and this has 65"):
        parse("0" * 64 + "7", "count")
