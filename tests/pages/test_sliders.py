"""The stops of a slider."""

from fractions import Fraction

from app.bank.params import Param, declare
from app.bank.schema import ParamSpec
from app.pages.sliders import MAX_STOPS, stops
from calculators import quantities


def param(name: str, **spec: object) -> Param:
    made = declare(name, ParamSpec.model_validate(spec), None)
    assert isinstance(made, Param)
    return made


def test_counts_move_along_powers_of_two_and_the_halves_between() -> None:
    batch = param("batch", value=20, choices=(8, 20), min=1, max=48)
    assert stops(batch) == ("1", "2", "3", "4", "6", "8", "12", "16", "20", "24", "32", "48")


def test_a_count_may_begin_at_nothing() -> None:
    assert stops(param("experts", value=0, min=0, max=6)) == ("0", "1", "2", "3", "4", "6")


def test_amounts_move_along_decades_and_read_back_in_their_family() -> None:
    bandwidth = param("bandwidth", value="3 TB/s", family="byte/s", min="400 GB/s", max="8 TB/s")
    texts = stops(bandwidth)
    values = [Fraction(quantities.parse(text, "byte/s").value) for text in texts]
    assert values == sorted(set(values))
    assert values[0] == 400 * 10**9
    assert values[-1] == 8 * 10**12
    assert 1500 * 10**9 in values


def test_there_is_no_slider_without_a_range() -> None:
    assert stops(param("heads", value=16)) == ()
    assert stops(param("dtype", value="fp32", choices=("fp32", "bf16"))) == ()


def test_however_wide_the_range_the_stops_are_few() -> None:
    assert 0 < len(stops(param("tokens", value=1, min=1, max=2**50))) <= MAX_STOPS
    assert len(stops(param("tokens", value=1, min=1, max=10**60))) <= MAX_STOPS
