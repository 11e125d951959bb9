"""What a batch reads of a mixture of experts, against the routing played out and tensors listed."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.mixture import experts_touched, parameters_read, shared_parameters
from calculators.cost.parameters import count_parameters
from calculators.presets import MODELS

MIXTRAL = MODELS["mixtral-8x7b"].dimensions


@pytest.mark.parametrize(
    ("experts", "chosen", "tokens"), [(4, 1, 3), (4, 2, 3), (5, 3, 2), (3, 3, 2), (6, 1, 1)]
)
def test_every_routing_of_a_few_tokens(experts: int, chosen: int, tokens: int) -> None:
    routings = list(product(combinations(range(experts), chosen), repeat=tokens))
    distinct = sum(len(set().union(*routing)) for routing in routings)
    touched = experts_touched(experts=experts, experts_per_token=chosen, tokens=tokens)
    assert touched == Fraction(distinct, len(routings))


def test_ends_and_a_dense_model() -> None:
    assert experts_touched(experts=8, experts_per_token=2, tokens=1) == 2
    assert experts_touched(experts=8, experts_per_token=2, tokens=0) == 0
    assert experts_touched(experts=0, experts_per_token=0, tokens=5) == 0
    assert experts_touched(experts=256, experts_per_token=8, tokens=2**70) == 256
    with pytest.raises(DomainError, match="experts_per_token is 9, but must be at most experts"):
        experts_touched(experts=8, experts_per_token=9, tokens=1)


@given(
    experts=st.integers(1, 512),
    share=st.fractions(0, 1),
    tokens=st.integers(0, 10**7),
    more=st.integers(0, 99),
)
def test_more_tokens_never_visit_fewer(experts: int, share: Fraction, tokens: int, more: int) -> None:
    chosen = max(1, int(share * experts))
    fewer = experts_touched(experts=experts, experts_per_token=chosen, tokens=tokens)
    assert (
        fewer <= experts_touched(experts=experts, experts_per_token=chosen, tokens=tokens + more) <= experts
    )
    assert fewer <= tokens * chosen


def test_a_sweep_is_its_points() -> None:
    tokens = [1, 2, 7, 300, 10**6]
    swept = experts_touched(experts=256.0, experts_per_token=8.0, tokens=np.array(tokens, float))
    points = [float(experts_touched(experts=256, experts_per_token=8, tokens=each)) for each in tokens]
    np.testing.assert_allclose(swept, points, rtol=1e-13)
    few = experts_touched(experts=np.array([0.0, 8.0]), experts_per_token=np.array([0.0, 8.0]), tokens=1.0)
    assert few.tolist() == [0.0, 8.0]


def test_tensors_of_mixtral_listed() -> None:
    attention = 4096 * 4096 * 2 + 4096 * 1024 * 2
    layer = attention + 4096 * 8 + 2 * 4096  # the router, two norms
    shared = 32 * layer + 4096 + 32000 * 4096  # the last norm, the head; the token table is looked up
    assert shared_parameters(dims=MIXTRAL) == shared
    assert parameters_read(dims=MIXTRAL, tokens=1) == shared + 32 * 2 * 3 * 4096 * 14336
    assert parameters_read(dims=MIXTRAL, tokens=2) == shared + 32 * Fraction(7, 2) * 3 * 4096 * 14336


@pytest.mark.parametrize("slug", MODELS)
def test_one_token_reads_what_is_active_and_all_tokens_everything_but_tables(slug: str) -> None:
    dims = MODELS[slug].dimensions
    counted = count_parameters(dims=dims)
    tables = counted.embedding - (dims.vocab_size * dims.d_model if dims.tied_embeddings else 0)
    assert parameters_read(dims=dims, tokens=1) == counted.active - tables
    assert parameters_read(dims=dims, tokens=10**9) == counted.total - tables
    untied = replace(dims, tied_embeddings=not dims.tied_embeddings)
    assert parameters_read(dims=untied, tokens=5) == parameters_read(dims=dims, tokens=5)
