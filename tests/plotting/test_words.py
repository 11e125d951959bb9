"""A plot in sentences."""

import pytest

import calculators
from app.plotting.choice import read_choice
from app.plotting.drawing import draw
from app.plotting.plot import lowered
from app.plotting.words import sentences


def said(slug: str, text: str = "", **inputs: object) -> str:
    calculator = calculators.get(slug)
    choice, _ = read_choice(calculator, text)
    return " ".join(sentences(draw(calculator.evaluate(inputs), choice)))


@pytest.mark.parametrize(
    ("slug", "text", "says"),
    [
        (
            "attention-scores",
            "",
            "Score matrix: growing from 2 MiB at sequence length 32 to 2 TiB at 32,768; "
            "always above kept by a fused kernel.",
        ),
        (
            "attention-flops",
            "",
            "Core: growing from 268 MFLOP at sequence length 128 to 281 TFLOP at 131,072; "
            "passing projections at 8,192.",
        ),
        (
            "request-latency",
            "",
            "Under way: growing from 0.324 at arrival rate 0.05/s to 647 at 100/s; "
            "passing places (64) at about 9.89/s.",
        ),
        (
            "ffn",
            "",
            "Time, network hidden: growing from 80.1 µs at tokens 1 to 278 µs at 1,024. "
            "Limit: memory up to 256, compute from 320.",
        ),
        (
            "collective",
            "",
            "Time for algorithm ring: growing from 148 µs at buffer 20 MB to 195 ms at 50 GB. "
            "At buffer 1 GB, algorithm ring: 3.96 ms, algorithm tree: 13.4 ms.",
        ),
        ("batching", "", "Speed-up: from 1 at slots 1 to 1 at 1,024, largest at 28 with 1.89."),
        (
            "serving-capacity",
            "seq_len:weight_bytes",
            "24.2 GiB at any sequence length from 64 to 65,536; always below",
        ),
        ("queue", "arrival_rate:mean_latency::::9:20", "no number at any arrival rate from 9/s to 20/s."),
        ("kv-cache", "heads:mha_ratio:::linear:1:512", "no number at"),
    ],
)
def test_a_plot_is_said(slug: str, text: str, says: str) -> None:
    assert says in said(slug, text)


def test_the_crossing_that_is_said_is_the_one_that_solving_finds() -> None:
    solved = calculators.get("request-latency").solve("arrival_rate", "concurrency", 64).solutions
    [root] = solved
    assert f"at about {root.value:.3g}/s" in said("request-latency")


@pytest.mark.parametrize(
    ("label", "inside"),
    [("Sequence length", "sequence length"), ("KV heads", "KV heads"), ("ZeRO stage", "ZeRO stage")],
)
def test_labels_inside_a_sentence(label: str, inside: str) -> None:
    assert lowered(label) == inside
