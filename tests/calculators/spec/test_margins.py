"""How far each limit is from binding."""

from fractions import Fraction

import calculators
from calculators.spec.margins import margins


def test_a_time_is_measured_against_the_longest() -> None:
    result = calculators.get("ffn").evaluate(tokens=4096, devices=8)
    found = {margin.limit: margin for margin in margins(result)}
    assert [word for word, margin in found.items() if margin.binds] == ["compute"]
    times = result.exact
    for word, margin in found.items():
        assert margin.value == times[f"time_{word}"]
        assert margin.share == Fraction(times[f"time_{word}"]) / Fraction(times["time_compute"])
        assert margin.factor is not None
        assert margin.share * margin.factor == 1


def test_a_rate_is_measured_by_the_part_of_it_that_is_used() -> None:
    result = calculators.get("data-loading").evaluate(workers=4)
    found = {margin.limit: margin for margin in margins(result)}
    assert found["workers"].binds
    assert found["device"].share == Fraction(1600, 3000)
    assert found["storage"].factor == Fraction(2 * 10**9, 110_000) / 1600
    assert result.margins == {limit: float(margin.share) for limit, margin in found.items()}


def test_a_limit_that_takes_no_time_has_no_factor() -> None:
    found = {margin.limit: margin for margin in margins(calculators.get("ffn").evaluate(devices=1))}
    assert found["network"].share == 0
    assert found["network"].factor is None
    assert margins(calculators.get("kv-cache").evaluate()) == ()
