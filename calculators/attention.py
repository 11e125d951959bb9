"""Attention: the score matrix, and what a fused kernel keeps of it."""

from calculators.conventions import gigabytes
from calculators.cost.attention import flash_bytes, score_elements
from calculators.cost.exact import quotient
from calculators.presets import DTYPES
from calculators.spec import (
    Budget,
    Calculator,
    Output,
    Roof,
    Source,
    Term,
    Values,
    convention,
    count,
    part,
)
from calculators.spec.hardware_inputs import dtype_input, element_size


def _scores(v: Values) -> dict[str, object]:
    shape = {"batch": v.batch, "heads": v.heads, "seq_len": v.seq_len, "layers": v.layers}
    elements = score_elements(**shape, kv_len=v.kv_len)
    score_bytes = elements * v.bytes_per_element
    kept = flash_bytes(**shape)
    return {
        "score_elements": elements,
        "score_bytes": score_bytes,
        "flash_bytes": kept,
        "ratio": quotient(score_bytes, kept),
    }


ATTENTION_SCORES = Calculator(
    slug="attention-scores",
    title="Attention scores",
    topic="attention",
    summary="Memory of the full attention score matrix, and the little that a fused kernel such as "
    "FlashAttention keeps in its place.",
    inputs=(
        count("batch", "Batch", "b", default="32", help="Sequences at once."),
        count("heads", "Heads", "h", default="16", help="Query heads, each with a matrix of its own."),
        count("seq_len", "Sequence length", "n", default="1024", help="Tokens that ask: rows of the matrix."),
        count(
            "kv_len",
            "Key length",
            "m",
            follows="seq_len",
            derive=lambda v: v.seq_len,
            help="Tokens that are looked at: columns of the matrix. The same as the sequence unless given.",
        ),
        count("layers", "Layers", "L", default="1", help="Layers whose matrices are kept at the same time."),
        dtype_input("fp32", help="Of the scores, often wider than that of the model."),
    ),
    terms=(
        element_size(),
        Term(
            name="row_bytes",
            label="bytes of one fp32 log-sum-exp",
            family="bytes",
            symbol="e_row",
            derive=lambda _: DTYPES["fp32"],
        ),
    ),
    outputs=(
        Output(
            name="score_elements",
            label="Scores",
            symbol="N",
            formula="batch * heads * seq_len * kv_len * layers",
            meaning="One for each query, key and head of each sequence.",
        ),
        Output(
            name="score_bytes",
            label="Score matrix",
            symbol="B_scores",
            family="bytes",
            formula="score_elements * bytes_per_element",
            meaning="Memory of the whole matrix where it is stored.",
            roofs=(Roof(("flash_bytes",)),),
        ),
        Output(
            name="flash_bytes",
            label="Kept by a fused kernel",
            symbol="B_flash",
            family="bytes",
            formula="batch * heads * seq_len * layers * row_bytes",
            meaning="One fp32 log-sum-exp a row, from which the backward pass computes the scores again.",
            source="FlashAttention-2, 3.1; the first version keeps two numbers a row",
        ),
        Output(
            name="ratio",
            label="Memory saved",
            symbol="r",
            formula="score_bytes / flash_bytes",
            meaning="How many times less the fused kernel keeps.",
        ),
    ),
    headline="score_bytes",
    compute=_scores,
    budget=Budget((part("Score matrices", "score_bytes"),), total="score_bytes"),
    plot=("seq_len", "score_bytes"),
    sources=(
        Source(
            "Dao et al. 2022: FlashAttention, fast and memory-efficient exact attention with IO-awareness",
            "https://arxiv.org/abs/2205.14135",
            "2.2 and 3.1",
        ),
        Source(
            "Dao 2023: FlashAttention-2, faster attention with better parallelism and work partitioning",
            "https://arxiv.org/abs/2307.08691",
            "3.1",
        ),
    ),
    leaves_out=(
        "Copies: a plain implementation may hold scores, softmax and a dropout mask at the same time.",
        "Queries, keys, values and the output, which grow with the sequence and not with its square.",
        "A mixture of key lengths: every sequence of the batch has the same.",
    ),
    conventions=(
        convention("Query heads count, however few heads keys and values have.", "heads"),
        convention("The whole matrix is stored, causal or not: a mask halves nothing.", "score_bytes"),
        convention("The fused result is exact: the same softmax, computed block by block.", "flash_bytes"),
        gigabytes("score_bytes"),
    ),
)
