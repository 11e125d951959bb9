"""What stands beside an answer's field: true of how the number is read, and no hint at the right one."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

from app.pages.answer_fields import _unit_help
from calculators import quantities


def help_text(family: str, unit: str) -> str:
    answer: Any = SimpleNamespace(family=family, unit=unit)
    return _unit_help(answer)


@pytest.mark.parametrize("family", quantities.FAMILIES)
@pytest.mark.parametrize("unit", ["", "1", "%", "GiB"])
def test_it_shows_no_number_of_its_own(family: str, unit: str) -> None:
    assert not re.search(r"\d", help_text(family, unit))


def test_a_bare_ratio_is_read_as_the_help_says() -> None:
    assert "fraction of one would be read as a percentage" in help_text("ratio", "%")
    assert quantities.parse("0.415", "ratio", unit="%").value == quantities.parse("0.415%", "ratio").value
    assert "a plain number, or a percentage with its %" in help_text("ratio", "")
    assert quantities.parse("0.415", "ratio").value == quantities.parse("41.5%", "ratio").value


def test_counts_are_read_as_the_help_says() -> None:
    assert help_text("count", "1") == "A number: commas, powers (^) and k, M or B are read."
    for text in ("8,192", "2^13", "8.192k"):
        assert quantities.parse(text, "count").value == 8192
