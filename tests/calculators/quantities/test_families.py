"""The families of the design, and every spelling of every unit in them."""

from fractions import Fraction

import pytest

from calculators.quantities import FAMILIES, Family, parse


def test_the_families_are_those_of_the_design() -> None:
    names = (
        "bytes, flop, flop/s, byte/s, time, ratio, count, intensity, money, energy, power, tokens, tokens/s"
    )
    assert list(FAMILIES) == [*names.split(", "), "mass", "rate", "price/h", "carbon"]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_spelling_of_every_unit_is_read_and_its_echo_again(family: Family) -> None:
    assert parse(family.example, family.name)
    for unit in family.units:
        for spelling in unit.spellings:
            if spelling.startswith("$"):
                read = parse(f"$2.5{spelling[1:]}", family.name)
            elif spelling == "1":
                read = parse("2.5", family.name)
            else:
                read = parse(f"2.5 {spelling}", family.name)
            assert read.value == unit.factor * Fraction(5, 2)
            assert read.read_unit == unit.symbol
            assert parse(read.reading, family.name) == read


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_no_change_of_case_turns_bytes_into_bits(family: Family) -> None:
    for unit in family.units:
        for spelling in unit.spellings:
            for changed in {spelling.lower(), spelling.upper(), spelling.swapcase()} - set(unit.spellings):
                found = family.find(changed)
                assert found is None or not found.bits or changed in found.spellings
