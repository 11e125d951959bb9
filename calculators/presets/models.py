"""What is known of a published model: its dimensions, where they were read, and what they leave out."""

from datetime import date
from typing import NamedTuple

from calculators.cost.dimensions import Dimensions


class Source(NamedTuple):
    """Where a model's dimensions were read, and when."""

    text: str
    url: str
    read_on: date = date(2026, 11, 30)


class Model(NamedTuple):
    """A model's dimensions with their source."""

    slug: str
    name: str
    dimensions: Dimensions
    source: str
    url: str
    read_on: date
    notes: tuple[str, ...]
    published_total: int | None  # parameters in the publisher's checkpoint; None where none was published


def model(
    slug: str,
    name: str,
    source: Source,
    dimensions: Dimensions,
    *notes: str,
    published_total: int | None = None,
) -> Model:
    """A `Model` of these dimensions, with its notes as further arguments."""
    return Model(slug, name, dimensions, source.text, source.url, source.read_on, notes, published_total)


LITGPT = Source(
    "LitGPT's table of published config.json files (litgpt/config.py)",
    "https://github.com/Lightning-AI/litgpt/blob/26857050fe3ff627cd714fe92f5838f51a3d5efa/litgpt/config.py",
)


def llama(
    *, layers: int, d_model: int, heads: int, kv_heads: int, d_ff: int, vocab_size: int, max_positions: int
) -> Dimensions:
    """The shape that Llama set and others took: rotary positions, gated feed-forward layers, no biases."""
    return Dimensions(
        layers=layers,
        d_model=d_model,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=d_model // heads,
        d_ff=d_ff,
        vocab_size=vocab_size,
        max_positions=max_positions,
        gated=True,
    )
