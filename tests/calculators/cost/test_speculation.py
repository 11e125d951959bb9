"""Speculative decoding against the distribution of accepted tokens, and the paper's table."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.speculation import best_draft_tokens, speculative_speedup, tokens_per_step

shares = st.one_of(st.sampled_from([Fraction(0), Fraction(1)]), st.fractions(0, 1, max_denominator=1000))
costs = st.one_of(st.just(Fraction(0)), st.fractions(0, 2, max_denominator=1000))


def expected_tokens(acceptance: Fraction, draft: int) -> Fraction:
    """Over every outcome: the draft ends at its first rejected token, which is replaced, or not at all."""
    expectation, reached, total = Fraction(0), Fraction(1), Fraction(0)
    for accepted in range(draft):
        chance = reached * (1 - acceptance)
        expectation += chance * (accepted + 1)
        total += chance
        reached *= acceptance
    assert total + reached == 1
    return expectation + reached * (draft + 1)


@given(acceptance=shares, draft=st.integers(0, 40))
def test_tokens_summed_over_every_outcome(acceptance: Fraction, draft: int) -> None:
    assert tokens_per_step(acceptance=acceptance, draft_tokens=draft) == expected_tokens(acceptance, draft)


@settings(max_examples=40)
@given(acceptance=shares, cost=costs)
def test_the_best_draft_is_found_by_trying_all(acceptance: Fraction, cost: Fraction) -> None:
    speedups = [expected_tokens(acceptance, draft) / (draft * cost + 1) for draft in range(33)]
    best = best_draft_tokens(acceptance=acceptance, cost_ratio=cost)
    assert best == speedups.index(max(speedups))
    found = speculative_speedup(acceptance=acceptance, draft_tokens=best, cost_ratio=cost)
    assert found == max(speedups)


@pytest.mark.parametrize(
    ("acceptance", "draft", "speed"),
    [
        ("0.6", 2, 1.96),
        ("0.7", 3, 2.53),
        ("0.8", 2, 2.44),
        ("0.8", 5, 3.69),
        ("0.9", 2, 2.71),
        ("0.9", 10, 6.86),
    ],
)
def test_the_papers_table(acceptance: str, draft: int, speed: float) -> None:
    """Table 1 of Leviathan et al. 2023, at c = 0: speeds rounded to two decimals, 6.8619 to 6.86."""
    found = speculative_speedup(acceptance=Fraction(acceptance), draft_tokens=draft, cost_ratio=0)
    assert round(float(found), 2) == speed


def test_ties_go_to_the_shorter_draft() -> None:
    third = Fraction(1, 3)
    assert (
        best_draft_tokens(acceptance=third, cost_ratio=third) == 0
    )  # g = 1 gains nothing, g = 0 costs nothing
    assert best_draft_tokens(acceptance=0, cost_ratio=0) == 0
    assert best_draft_tokens(acceptance=Fraction(1, 10**40), cost_ratio=0) == 32
    # From 1 to 2 at a = 1/2: 3/2 / (1 + c) is 7/4 / (1 + 2c) at c = 1/5.
    assert best_draft_tokens(acceptance=Fraction(1, 2), cost_ratio=Fraction(1, 5)) == 1


@given(acceptance=shares, more=st.fractions(0, 1), draft=st.integers(0, 10**9), cost=costs)
def test_monotony_and_limits(acceptance: Fraction, more: Fraction, draft: int, cost: Fraction) -> None:
    better = acceptance + (1 - acceptance) * more
    tokens = tokens_per_step(acceptance=acceptance, draft_tokens=draft)
    assert 1 <= tokens <= draft + 1
    assert tokens <= tokens_per_step(acceptance=better, draft_tokens=draft)
    assert acceptance == 1 or tokens * (1 - acceptance) <= 1
    longer = tokens_per_step(acceptance=acceptance, draft_tokens=draft + 1)
    assert tokens <= longer
    assert best_draft_tokens(acceptance=acceptance, cost_ratio=cost) == 0 or acceptance > cost


def test_sweeps_are_their_points_up_to_both_ends() -> None:
    acceptance = [Fraction(0), Fraction(1, 10), Fraction(4, 5), 1 - Fraction(1, 10**9), Fraction(1)]
    swept = np.array([float(each) for each in acceptance])
    for cost in (Fraction(0), Fraction(1, 20), Fraction(3, 2)):
        for draft in (0, 4, 10**6):
            found = speculative_speedup(acceptance=swept, draft_tokens=float(draft), cost_ratio=float(cost))
            points = [
                float(speculative_speedup(acceptance=each, draft_tokens=draft, cost_ratio=cost))
                for each in acceptance
            ]
            np.testing.assert_allclose(found, points, rtol=1e-6 if draft > 4 else 1e-12)
        best = best_draft_tokens(acceptance=swept, cost_ratio=float(cost))
        assert best.tolist() == [best_draft_tokens(acceptance=each, cost_ratio=cost) for each in acceptance]


def test_a_draft_of_any_length_is_answered() -> None:
    speculation = calculators.get("speculative-decoding")
    result = speculation.evaluate(draft_tokens=2**70)
    assert result.outputs["tokens_per_step"] == 5
    assert "This draft is slower than decoding without one." in result.notes
    assert speculation.evaluate(acceptance=1, draft_tokens=10**20).exact["tokens_per_step"] == 10**20 + 1
    assert "no draft" in speculation.evaluate(acceptance="5%").notes[0]
    assert speculation.evaluate().notes == ["The best draft, γ = 8, would make decoding 3.092 times as fast."]
    assert speculation.evaluate(draft_tokens=8).notes == []


def test_shares_and_costs_outside_are_refused() -> None:
    with pytest.raises(DomainError, match="acceptance is 2, but must be from 0 to 1"):
        tokens_per_step(acceptance=2, draft_tokens=1)
    with pytest.raises(DomainError, match="cost_ratio is -1"):
        best_draft_tokens(acceptance=1, cost_ratio=-1)
    with pytest.raises(DomainError, match="cost_ratio is -1"):
        speculative_speedup(acceptance=1, draft_tokens=1, cost_ratio=-1)
