"""What is refused, and what the message says to type instead."""

import re
import time

import pytest

from calculators.quantities import FAMILIES, QuantityError, parse

# text, family, what the message says to type: other texts that are read, or the example
REFUSED: list[tuple[str, str, str]] = [
    ("", "bytes", "a number such as 34.4 GB"),
    (" \u00a0 ", "bytes", "a number such as 34.4 GB"),
    ("GB", "bytes", "a number such as 34.4 GB"),
    ("5 Gb", "byte/s", "5 Gb/s"),
    ("5 GB", "byte/s", "5 GB/s"),
    ("5 KiB", "byte/s", "5 KiB/s"),
    ("-", "count", "a number such as 1.5M"),
    (".", "count", "a number such as 1.5M"),
    ("~", "count", "a number such as 1.5M"),
    ("$", "money", "a number such as $2.50"),
    ("abc", "count", "a number such as 1.5M"),
    ("(5)", "count", "a number such as 1.5M"),
    ("--5", "count", "-5 or 5"),
    ("+-5", "count", "-5 or 5"),
    ("-$-5", "money", "-5 or 5"),
    ("5-", "count", "a number such as 3x10^9"),
    ("5-10 GB", "bytes", "a number such as 3x10^9"),
    ("2+3", "count", "a number such as 3x10^9"),
    ("3*4", "count", "a number such as 3x10^9"),
    ("3x10", "count", "a number such as 3x10^9"),
    ("3x10e9", "count", "3x10^9"),
    ("nan", "count", "a number such as 1.5M"),
    ("NaN GB", "bytes", "a number such as 34.4 GB"),
    ("inf", "count", "a number such as 1.5M"),
    ("-Infinity", "count", "a number such as 1.5M"),
    ("∞", "count", "a number such as 1.5M"),
    ("1e999", "count", "a number such as 1.5M"),
    ("1e-999", "count", "a number such as 1.5M"),
    ("1e309", "count", "a number such as 1.5M"),
    ("1e-301", "count", "a number such as 1.5M"),
    ("1e308 kB", "bytes", "a number such as 34.4 GB"),
    ("1e-300 bit", "bytes", "a number such as 34.4 GB"),
    ("1e99999999999999999999", "count", "a number such as 1.5M"),
    ("10^400", "count", "a number such as 1.5M"),
    ("10^-400", "count", "a number such as 1.5M"),
    ("10^9999999999", "count", "a number such as 1.5M"),
    ("1.0000001^99999999", "count", "a number such as 1.5M"),
    ("1^99999999999", "count", "a number such as 1.5M"),
    ("9⁹⁹⁹⁹⁹⁹⁹", "count", "a number such as 1.5M"),
    ("9**9**9", "count", "a number such as 2^30"),
    ("2^3^4", "count", "a number such as 2^30"),
    ("2³^4", "count", "a number such as 2^30"),
    ("10^", "count", "a number such as 2^30"),
    ("10**", "count", "a number such as 2^30"),
    ("2^^3", "count", "a number such as 2^30"),
    ("2^x", "count", "a number such as 2^30"),
    ("2^0.5", "count", "a number such as 2^30"),
    ("1e5.5", "count", "a number such as 2^30"),
    ("1e", "count", "a number such as 1e9"),
    ("1e+", "count", "a number such as 1e9"),
    ("1e+-5", "count", "a number such as 1e9"),
    ("1 e5", "count", "1e5"),
    ("1e 5", "count", "1e5"),
    ("1 e5 GB", "bytes", "1e5 GB"),
    ("1/0", "count", "a number such as 1.5M"),
    ("1/0.0", "count", "a number such as 1.5M"),
    ("0^-1", "count", "a number such as 1.5M"),
    ("5/", "count", "a number such as 1/2"),
    ("1/2/3", "count", "a number such as 1/2"),
    ("1/-2", "count", "a number such as 1/2"),
    ("1//2", "count", "a number such as 1.5M"),
    ("1,5", "count", "1.5"),
    ("2,5", "count", "2.5"),
    ("2,5 GB", "bytes", "2.5 GB"),
    ("-2,5", "count", "-2.5"),
    ("0,512", "count", "0.512"),
    ("007,123", "count", "007.123"),
    ("12,34", "count", "12.34"),
    ("1,0245", "count", "1.0245"),
    ("1.234,5", "count", "1234.5"),
    ("1 024,5", "count", "1024.5"),
    ("1/2,5", "count", "1/2.5"),
    ("$2,50", "money", "2.50"),
    (",5", "count", "0.5"),
    ("5,", "count", "5"),
    ("2.5.1", "count", "a number such as 1.5M"),
    ("1..5", "count", "a number such as 1.5M"),
    (".5.", "count", "a number such as 1.5M"),
    ("1.234.567", "count", "1234567"),
    ("1,00,000", "count", "100000"),
    ("1,02,4", "count", "1024"),
    ("1,024,5", "count", "10245"),
    ("1,024 576", "count", "1024576"),
    ("1_024,576", "count", "1024.576"),
    ("1  024", "count", "1024"),
    ("1__024", "count", "1024"),
    ("1_0", "count", "10"),
    ("1024_", "count", "1024"),
    ("1'024", "count", "1024"),
    ("0 024", "count", "0024"),
    ("5 5", "count", "a number such as 1.5M"),
    ("5 1/2", "count", "a number such as 1.5M"),
    ("0.123 456", "count", "0.123456"),
    ("٣", "count", "3"),
    ("５ GB", "bytes", "5 GB"),
    ("1०24", "count", "1024"),
    ("½", "count", "a number such as 1.5M"),
    ("1½", "count", "a number such as 1.5M"),
    ("五", "count", "a number such as 1.5M"),
    ("⁵", "count", "a number such as 1.5M"),
    ("〜5", "count", "a number such as 1.5M"),
    ("34.4\u200bGB", "bytes", "34.4GB"),
    ("\u202e5", "count", "5"),
    ("5\n6", "count", "56"),
    ("5 G", "bytes", "5 GB or 5 GiB"),
    ("5G", "bytes", "5 GB or 5 GiB"),
    ("5 g", "bytes", "5 GB or 5 GiB"),
    ("5 k", "bytes", "5 kB or 5 KiB"),
    ("5 Gi", "bytes", "5 GiB"),
    ("5 G", "byte/s", "5 GB/s or 5 GiB/s"),
    ("5 T", "flop", "5 TFLOP"),
    ("5 T", "flop/s", "5 TFLOP/s"),
    ("5m", "count", "5M"),
    ("5 m params", "count", "5M"),
    ("5m tokens", "tokens", "5M tokens"),
    ("$5m", "money", "5M USD"),
    ("5 G", "count", "5B or 5Gi"),
    ("5 m", "time", "5 ms or 5 min"),
    ("5 M", "time", "5 ms or 5 min"),
    ("1.7x", "ratio", "1.7"),
    ("1.7×", "ratio", "1.7"),
    ("8 Bits", "bytes", "8 bit"),
    ("8 GBIT", "bytes", "8 Gb or 8 GB"),
    ("400 gbps", "byte/s", "400 Gb/s or 400 GB/s"),
    ("400 GBPS", "byte/s", "400 Gb/s or 400 GB/s"),
    ("400 GBps", "byte/s", "400 GB/s or 400 Gb/s"),
    ("5 mj", "energy", "5 mJ or 5 MJ"),
    ("5 Mw", "power", "5 mW or 5 MW"),
    ("5 GB/s", "bytes", "a number such as 34.4 GB"),
    ("5 GB", "byte/s", "5 GB/s"),
    ("5 GB", "count", "a number such as 1.5M"),
    ("5 TFLOP", "flop/s", "5 TFLOP/s"),
    ("5%", "count", "a number such as 1.5M"),
    ("$5", "bytes", "a number such as 34.4 GB"),
    ("$5 USD", "money", "a number such as $2.50"),
    ("€5", "money", "a number such as $2.50"),
    ("5 gigabytes", "bytes", "a number such as 34.4 GB"),
    ("5 GB GB", "bytes", "a number such as 34.4 GB"),
    ("5 G B", "bytes", "a number such as 34.4 GB"),
    ("5 GB.", "bytes", "a number such as 34.4 GB"),
    ("5 EB", "bytes", "a number such as 34.4 GB"),
    ("0x10", "count", "a number such as 3x10^9"),
    ("True", "count", "a number such as 1.5M"),
    ("<b>5</b>", "count", "a number such as 1.5M"),
    ("5" * 65, "count", "a number such as 1.5M"),
    (" " * 64 + "5", "count", "a number such as 1.5M"),
]


@pytest.mark.parametrize(("text", "family", "advice"), REFUSED)
def test_a_text_is_refused_with_what_to_type(text: str, family: str, advice: str) -> None:
    with pytest.raises(QuantityError) as raised:
        parse(text, family)
    message = str(raised.value)
    assert message.endswith(f": type {advice}.")
    assert re.match(r"[A-Z“]", message)
    assert message.isprintable()
    assert raised.value.text == text
    assert raised.value.suggestions == (
        () if advice.startswith("a number such") else tuple(advice.split(" or "))
    )


@pytest.mark.parametrize("advice", sorted({advice for _, _, advice in REFUSED if "such as" in advice}))
def test_the_examples_of_the_messages_are_read(advice: str) -> None:
    text = advice.removeprefix("a number such as ")
    assert any(_is_read(text, family) for family in FAMILIES)


def _is_read(text: str, family: str) -> bool:
    try:
        parse(text, family)
    except QuantityError:
        return False
    return True


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "9^" + "9" * 60,
        "1." + "0" * 50 + "1^99",
        "1e" + "9" * 60,
        "1 " * 32,
        "1,000" * 12,
        "$" * 64,
        "1/" * 32,
    ],
)
def test_no_text_takes_long(text: str) -> None:
    started = time.perf_counter()
    for family in FAMILIES:
        _is_read(text, family)
    assert time.perf_counter() - started < 0.5
