"""A transformer of GPT-2's shape in numpy: one decode step, and the prefill of a prompt.

Its weights are random and all tokens are the same one, since only the time is of interest. Every weight is
stored as (in, out), the token table as (d_model, vocabulary), so that x @ weight streams it.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.measuring.timing import Threads
from calculators.cost.dimensions import Dimensions

Floats: TypeAlias = NDArray[np.float32]

BLOCK: Final = 96  # queries that attend at a time, so that a causal mask saves nearly half of the work
_SPREAD: Final = np.float32(0.08)
_EPSILON: Final = np.float32(1e-5)
_GELU_CUBE, _GELU_SCALE = np.float32(0.044715), np.float32(0.7978845608)  # GPT-2's form, by tanh
_GELU_ROWS: Final = 16  # at a time, which a core's own cache holds


class Affine(NamedTuple):
    """x * gain + shift for a norm, x @ weight + bias for a matrix."""

    weight: Floats
    bias: Floats


class Block(NamedTuple):
    attention_norm: Affine
    qkv: Affine
    output: Affine
    feed_forward_norm: Affine
    up: Affine
    down: Affine


class Weights(NamedTuple):
    dims: Dimensions
    tokens: Floats  # (d_model, vocabulary), which is the head too
    positions: Floats
    blocks: tuple[Block, ...]
    last_norm: Affine

    def arrays(self) -> Iterator[Floats]:
        """Every parameter's array."""
        yield self.tokens
        yield self.positions
        for block in self.blocks:
            for affine in block:
                yield from affine
        yield from self.last_norm


def draw(dims: Dimensions, seed: int = 0) -> Weights:
    """Random weights of this shape."""
    generator = np.random.default_rng(seed)

    def drawn(*shape: int) -> Floats:
        array = np.empty(shape, np.float32)
        generator.random(out=array, dtype=np.float32)
        array -= np.float32(0.5)
        array *= _SPREAD
        return array

    def matrix(width: int, out: int) -> Affine:
        return Affine(drawn(width, out), drawn(out))

    def norm() -> Affine:
        return Affine(np.ones(d, np.float32), np.zeros(d, np.float32))

    d, inner = dims.d_model, dims.heads * dims.head_dim
    return Weights(
        dims,
        drawn(d, dims.vocab_size),
        drawn(dims.max_positions, d),
        tuple(
            Block(
                norm(),
                matrix(d, 3 * inner),
                matrix(inner, d),
                norm(),
                matrix(d, dims.d_ff),
                matrix(dims.d_ff, d),
            )
            for _ in range(dims.layers)
        ),
        norm(),
    )


def empty_cache(dims: Dimensions, *, batch: int, context: int) -> Floats:
    """Keys and values of every layer: (layers, 2, batch, heads, context, head_dim)."""
    return np.ones((dims.layers, 2, batch, dims.heads, context, dims.head_dim), np.float32)


def decode(weights: Weights, cache: Floats, threads: Threads) -> Floats:
    """The logits of one more token for every sequence, whose keys and values are the last of the cache."""
    dims = weights.dims
    batch, context = cache.shape[2], cache.shape[4]
    x = np.tile(weights.tokens[:, 0] + weights.positions[context - 1], (batch, 1))
    for layer, block in enumerate(weights.blocks):
        qkv = _times(_normal(x, block.attention_norm), block.qkv, threads)
        query, key, value = qkv.reshape(batch, 3, dims.heads, dims.head_dim).transpose(1, 0, 2, 3)
        keys, values = cache[layer]
        keys[:, :, -1], values[:, :, -1] = key, value
        seen = _attention(query * _scale(dims), keys, values, threads)
        x = x + _times(seen.reshape(batch, -1), block.output, threads)
        hidden = _gelu(_times(_normal(x, block.feed_forward_norm), block.up, threads))
        x += _times(hidden, block.down, threads)
    return _head(x, weights, threads)


def prefill(weights: Weights, cache: Floats, threads: Threads) -> Floats:
    """The logits after a prompt that fills the cache of one sequence, which is written."""
    dims, prompt = weights.dims, cache.shape[4]
    x = weights.tokens[:, 0] + weights.positions[:prompt]
    for layer, block in enumerate(weights.blocks):
        qkv = _times(_normal(x, block.attention_norm), block.qkv, threads)
        query, key, value = qkv.reshape(prompt, 3, dims.heads, dims.head_dim).transpose(1, 2, 0, 3)
        keys, values = cache[layer, :, 0]
        keys[:], values[:] = key, value
        seen = _causal_attention(query * _scale(dims), keys, values, threads)
        x += _times(seen, block.output, threads)
        hidden = _times(_normal(x, block.feed_forward_norm), block.up, threads)
        threads.each(partial(_gelu_rows, hidden), prompt)
        x += _times(hidden, block.down, threads)
    return _head(x[-1:], weights, threads)


def _attention(queries: Floats, keys: Floats, values: Floats, threads: Threads) -> Floats:
    """What the last token of each sequence sees; queries are (batch, heads, width)."""
    batch, heads, context, width = keys.shape
    rows = batch * heads
    query = queries.reshape(rows, width, 1)
    key, value = (each.reshape(rows, context, width) for each in (keys, values))
    seen = np.empty((rows, 1, width), np.float32)

    def attend(share: slice) -> None:
        scores = (key[share] @ query[share]).transpose(0, 2, 1)
        np.matmul(_softmax(scores), value[share], out=seen[share])

    threads.each(attend, rows)
    return seen.reshape(batch, heads, width)


def _causal_attention(queries: Floats, keys: Floats, values: Floats, threads: Threads) -> Floats:
    """What every query sees of itself and what came before, from (heads, tokens, width) to a row a token."""
    heads, tokens, width = queries.shape
    later = np.triu(np.full((BLOCK, BLOCK), -np.inf, np.float32), 1)
    seen = np.empty((tokens, heads, width), np.float32)

    def attend(share: slice) -> None:
        for start in range(0, tokens, BLOCK):
            end = min(start + BLOCK, tokens)
            scores = queries[share, start:end] @ keys[share, :end].transpose(0, 2, 1)
            scores[:, :, start:end] += later[: end - start, : end - start]
            np.matmul(_softmax(scores), values[share, :end], out=seen[start:end, share].transpose(1, 0, 2))

    threads.each(attend, heads)
    return seen.reshape(tokens, -1)


def _head(x: Floats, weights: Weights, threads: Threads) -> Floats:
    return _product(_normal(x, weights.last_norm), weights.tokens, threads)


def _times(x: Floats, by: Affine, threads: Threads) -> Floats:
    y = _product(x, by.weight, threads)
    y += by.bias
    return y


def _product(x: Floats, weight: Floats, threads: Threads) -> Floats:
    """x @ weight, each thread with its own columns, so that together they read the weights once.

    A single row is a vector: its product streams the weights, where a matrix's copies them block by block.
    """
    y = np.empty((len(x), weight.shape[1]), np.float32)
    rows, out = (x[0], y[0]) if len(x) == 1 else (x, y)

    def multiply(columns: slice) -> None:
        np.matmul(rows, weight[:, columns], out=out[..., columns])

    threads.each(multiply, weight.shape[1])
    return y


def _scale(dims: Dimensions) -> np.float32:
    return np.float32(dims.head_dim**-0.5)


def _normal(x: Floats, by: Affine) -> Floats:
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt(np.square(x).mean(-1, keepdims=True) + _EPSILON)
    x *= by.weight
    x += by.bias
    return x


def _softmax(scores: Floats) -> Floats:
    """In place, over the last axis."""
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return scores


def _gelu(x: Floats) -> Floats:
    y = x * x
    y *= _GELU_CUBE
    y += 1
    y *= x
    y *= _GELU_SCALE
    np.tanh(y, out=y)
    y += 1
    y *= x
    y *= np.float32(0.5)
    return y


def _gelu_rows(x: Floats, share: slice) -> None:
    """In place on a share of the rows, a few at a time."""
    for start in range(share.start, share.stop, _GELU_ROWS):
        rows = x[start : min(start + _GELU_ROWS, share.stop)]
        rows[:] = _gelu(rows)
