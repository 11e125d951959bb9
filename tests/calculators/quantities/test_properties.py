"""What holds for every text and every value."""

import math
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from calculators.quantities import FAMILIES, Family, QuantityError, Unit, format_quantity, parse, to_number

families = st.sampled_from(list(FAMILIES))
alphabet = st.sampled_from(" \u00a0.,_-+−~≈$%/^*×x·eE0123456789²⁹⁻kKMGTBibsm٣½∞\x00\u200b")
texts = st.one_of(
    st.text(max_size=70),
    st.text(alphabet, max_size=66),
    st.builds(
        str.__add__, st.sampled_from(["1", "2.5", "9**9", "1e30", "$5", "1/3"]), st.text(alphabet, max_size=9)
    ),
)


@given(text=texts, family=families, unit=st.none() | st.sampled_from(["GiB", "%", "k", "ms", "nonsense"]))
@example(text="$5", family="bytes", unit=None)
@example(text="5" + "\ud800", family="bytes", unit=None)
def test_any_text_is_read_within_bounds_or_refused_in_a_sentence(
    text: str, family: str, unit: str | None
) -> None:
    try:
        read = parse(text, family, unit=unit)
    except QuantityError as error:
        message, suggestions = str(error), error.suggestions
    else:
        value = Fraction(read.value)
        assert value == 0 or Fraction(1, 10**300) <= abs(value) <= 10**308
        assert math.isfinite(to_number(read.value))
        again = parse(read.reading, family)
        assert (again.base_unit, again.read_unit) == (read.base_unit, read.read_unit)
        assert again == read or read.reading.startswith("≈")
        assert abs(again.value - value) <= abs(value) / 10**10
        return
    assert message.endswith(".")
    assert message.isprintable()
    for suggestion in suggestions:
        assert parse(suggestion, family, unit=unit)


@st.composite
def written_numbers(draw: st.DrawFn) -> tuple[str, Fraction]:
    """A number as a person might write it, and its value worked out beside the grammar."""
    whole = draw(st.integers(0, 10**12))
    part = draw(st.text("0123456789", max_size=6))
    separator = draw(st.sampled_from(["", ",", " ", "_", "\u202f"]))
    mantissa = f"{whole:,}".replace(",", separator)
    if part or draw(st.booleans()):
        mantissa += "." + part
    value = Fraction(whole) + (Fraction(int(part), 10 ** len(part)) if part else 0)
    exponent = draw(st.none() | st.integers(-30, 30))
    if exponent is not None:
        superscripts = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        forms = [
            f"e{exponent}",
            f"E{exponent:+}",
            f"x10^{exponent}",
            f" × 10**{exponent}",
            f"·10{superscripts}",
        ]
        mantissa += draw(st.sampled_from(forms))
        value *= Fraction(10) ** exponent
    sign, factor = draw(st.sampled_from([("", 1), ("+", 1), ("-", -1), ("−", -1), ("≈ ", 1), ("~–", -1)]))
    return sign + mantissa, value * factor


@st.composite
def units_of_families(draw: st.DrawFn) -> tuple[Family, Unit, str]:
    family = FAMILIES[draw(families)]
    unit = draw(st.sampled_from(family.units))
    spelling = draw(
        st.sampled_from([s for s in unit.spellings if not s.startswith("$") and s != "1"] or [""])
    )
    return (
        family,
        unit,
        draw(st.sampled_from([" ", ""])) + spelling if not spelling[:1].isdigit() else " " + spelling,
    )


@given(number=written_numbers(), unit=units_of_families())
def test_what_is_written_is_what_is_read_exactly(
    number: tuple[str, Fraction], unit: tuple[Family, Unit, str]
) -> None:
    text, value = number
    family, read_unit, written = unit
    read = parse(text + written, family.name)
    assert read.value == value * read_unit.factor
    assert read.read_unit == read_unit.symbol


@given(
    value=st.one_of(
        st.integers(-(10**20), 10**20),
        st.floats(1e-25, 1e25),
        st.fractions(-1000, 1000, max_denominator=1000),
    ),
    family=families,
    figures=st.integers(1, 8),
)
def test_what_is_printed_is_read_back_within_its_figures(
    value: int | float | Fraction, family: str, figures: int
) -> None:
    printed = format_quantity(value, family, figures=figures)
    read = parse(printed, family)
    exact = Fraction(value)
    assert abs(read.value - exact) <= abs(exact) * Fraction(1, 2 * 10 ** (figures - 1)) * Fraction(1001, 1000)
    if "×" not in printed:
        assert format_quantity(read.value, family, figures=figures) == printed


@given(value=st.integers(0, 10**30) | st.fractions(0, 10**6, max_denominator=10**4))
def test_rounding_never_leaves_a_thousand_of_a_smaller_unit(value: int | Fraction) -> None:
    for family in ("bytes", "flop", "time"):
        printed = format_quantity(value, family)
        scale = FAMILIES[family].scale
        unit = FAMILIES[family].by_spelling[parse(printed, family).read_unit]
        larger = [each for each in scale if each.factor > unit.factor]
        if larger and "×" not in printed:
            assert parse(printed, family).value < larger[0].factor
