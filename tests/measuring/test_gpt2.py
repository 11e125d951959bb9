"""The passes compute a transformer, and do the work and read the bytes that the cost library says."""

from typing import Any, ClassVar

import numpy as np
import pytest

from app.measuring import gpt2
from app.measuring.measure import predict
from app.measuring.planning import PassPlan
from app.measuring.timing import Threads
from calculators.cost.dimensions import Dimensions
from calculators.cost.parameters import count_parameters

PROMPT = 2 * gpt2.BLOCK + 7  # two whole blocks of queries, and a part of one


class Counted(np.ndarray[Any, Any]):
    """An array that notes the work of every matrix product that it takes part in, in any thread."""

    work: ClassVar[list[int]] = []

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **rest: Any) -> Any:
        plain = [np.asarray(each) for each in inputs]
        if "out" in rest:
            rest["out"] = tuple(np.asarray(each) for each in rest["out"])
        made = getattr(ufunc, method)(*plain, **rest)
        if ufunc is np.matmul:  # every result is a sum over the shared dimension
            Counted.work.append(2 * np.asarray(made).size * plain[0].shape[-1])
        return made.view(Counted) if isinstance(made, np.ndarray) else made


@pytest.fixture
def work() -> list[int]:
    Counted.work.clear()
    return Counted.work


def run(weights: gpt2.Weights, threads: Threads, prompt: int) -> tuple[gpt2.Floats, gpt2.Floats]:
    cache = gpt2.empty_cache(weights.dims, batch=1, context=prompt)
    return gpt2.prefill(weights, cache, threads), cache


def test_a_decode_step_continues_what_prefill_began(tiny: Dimensions, threads: Threads) -> None:
    """The logits after n + 1 tokens are the same, whether all are prefilled or the last one is decoded."""
    weights = gpt2.draw(tiny)
    whole, _ = run(weights, threads, PROMPT + 1)
    _, before = run(weights, threads, PROMPT)
    cache = gpt2.empty_cache(tiny, batch=2, context=PROMPT + 1)
    cache[:, :, :, :, :PROMPT] = before
    step = gpt2.decode(weights, cache, threads)
    assert step.shape == (2, tiny.vocab_size)
    np.testing.assert_allclose(step, np.tile(whole, (2, 1)), rtol=2e-3, atol=1e-5)
    single = gpt2.decode(weights, np.ascontiguousarray(cache[:, :, :1]), threads)
    np.testing.assert_allclose(single, whole, rtol=2e-3, atol=1e-5)


def test_a_prompt_is_attended_to_causally(tiny: Dimensions, threads: Threads) -> None:
    """Against attention written out row by row in double precision."""
    generator = np.random.default_rng(1)
    queries, keys, values = generator.standard_normal((3, 3, PROMPT, 8)).astype(np.float32)
    seen = gpt2._causal_attention(queries, keys, values, threads).reshape(PROMPT, 3, 8)
    for token in (0, 1, gpt2.BLOCK - 1, gpt2.BLOCK, PROMPT - 1):
        for head in range(3):
            scores = keys[head, : token + 1].astype(float) @ queries[head, token].astype(float)
            shares = np.exp(scores - scores.max())
            expected = shares @ values[head, : token + 1] / shares.sum()
            np.testing.assert_allclose(seen[token, head], expected, rtol=1e-4, atol=1e-5)


def test_every_parameter_is_there_and_all_but_the_positions_are_read(tiny: Dimensions) -> None:
    weights = gpt2.draw(tiny)
    sizes = sum(array.size for array in weights.arrays())
    assert sizes == count_parameters(dims=tiny).total
    step = predict(tiny, PassPlan("step", "decode", 3, 40), 1, 1)
    cache = gpt2.empty_cache(tiny, batch=3, context=40)
    assert step["bytes"] == 4 * (sizes - weights.positions.size) + cache.nbytes


@pytest.mark.parametrize("batch", [1, 3])
def test_a_decode_step_does_the_work_that_is_predicted(
    tiny: Dimensions, threads: Threads, work: list[int], batch: int
) -> None:
    weights = as_counted(gpt2.draw(tiny))
    gpt2.decode(weights, gpt2.empty_cache(tiny, batch=batch, context=40).view(Counted), threads)
    assert sum(work) == predict(tiny, PassPlan("step", "decode", batch, 40), 1, 1)["flops"]


def test_prefill_does_the_work_that_is_predicted_and_half_a_block_more(
    tiny: Dimensions, threads: Threads, work: list[int]
) -> None:
    """Blocks on the diagonal are computed whole: each query sees up to a block more than causal."""
    prompt = 2 * gpt2.BLOCK
    weights = as_counted(gpt2.draw(tiny))
    gpt2.prefill(weights, gpt2.empty_cache(tiny, batch=1, context=prompt).view(Counted), threads)
    beyond = prompt * gpt2.BLOCK / 2 * 4 * tiny.heads * tiny.head_dim * tiny.layers
    assert sum(work) == predict(tiny, PassPlan("prompt", "prefill", 1, prompt), 1, 1)["flops"] + beyond


def as_counted(weights: gpt2.Weights) -> gpt2.Weights:
    def affine(each: gpt2.Affine) -> gpt2.Affine:
        return gpt2.Affine(each.weight.view(Counted), each.bias)

    blocks = tuple(gpt2.Block(*map(affine, block)) for block in weights.blocks)
    return weights._replace(tokens=weights.tokens.view(Counted), blocks=blocks)
