"""Attention's arithmetic and its memory traffic."""

from calculators.conventions import gigabytes, multiply_adds
from calculators.cost.attention_work import attention_work
from calculators.cost.exact import divides
from calculators.cost.flash_attention import attention_traffic
from calculators.spec import (
    Calculator,
    Check,
    Output,
    Roof,
    Source,
    Term,
    Values,
    amount,
    by_name,
    convention,
    count,
    flag,
)
from calculators.spec.hardware_inputs import dtype_input, element_size
from calculators.spec.reading import shown

_DAO = Source(
    "Dao et al. 2022: FlashAttention, fast and memory-efficient exact attention with IO-awareness",
    "https://arxiv.org/abs/2205.14135",
    "Algorithms 0 and 1, theorem 2 and its proof in appendix C",
)


def _halved(v: Values) -> str:
    return " / 2" if v.causal else ""


ATTENTION_FLOPS = Calculator(
    slug="attention-flops",
    title="Attention FLOPs",
    topic="attention",
    summary="Arithmetic of attention's core, which grows with the square of the sequence, and of its four "
    "projections, which grow with the sequence; and the length at which the two are equal.",
    inputs=(
        count("batch", "Batch", "b", default="1", help="Sequences at once."),
        count("seq_len", "Sequence length", "n", default="4096", help="Tokens, each a query and a key."),
        count("heads", "Query heads", "h", default="32", help="Heads of the queries."),
        count(
            "kv_heads",
            "KV heads",
            "h_kv",
            follows="heads",
            derive=lambda v: v.heads,
            help="Heads of keys and values, a divisor of the query heads. As many as these unless given.",
        ),
        count("head_dim", "Head width", "d_h", default="128", help="Of one head's query, key and value."),
        count(
            "d_model",
            "Model width",
            "d",
            follows="heads and head_dim",
            derive=lambda v: v.heads * v.head_dim,
            help="What the projections start from and end in. heads · head_dim unless given.",
        ),
        count("layers", "Layers", "L", default="1", help="Layers counted together."),
        flag(
            "causal", "Causal", default="false", help="A token sees only those before it: half of the core."
        ),
    ),
    outputs=(
        Output(
            name="score_flops",
            label="Scores",
            symbol="F_QK",
            family="flop",
            formula=lambda v: f"2 * batch * heads * seq_len**2 * head_dim * layers{_halved(v)}",
            meaning="Queries times keys. Every query head has scores of its own, however few KV heads there "
            "are.",
        ),
        Output(
            name="value_flops",
            label="Values",
            symbol="F_PV",
            family="flop",
            formula=lambda v: f"2 * batch * heads * seq_len**2 * head_dim * layers{_halved(v)}",
            meaning="Softmaxed scores times values, as much again.",
        ),
        Output(
            name="attention_flops",
            label="Core",
            symbol="F_core",
            family="flop",
            formula="score_flops + value_flops",
            meaning="Both products together.",
            roofs=(Roof(("projection_flops",)),),
        ),
        Output(
            name="projection_flops",
            label="Projections",
            symbol="F_proj",
            family="flop",
            formula="2 * batch * seq_len * d_model * head_dim * (2*heads + 2*kv_heads) * layers",
            meaning="Queries and output over the query heads, keys and values over the KV heads.",
        ),
        Output(
            name="crossover_seq_len",
            label="Crossover",
            symbol="n_x",
            formula=lambda v: f"{'2 * ' if v.causal else ''}d_model * (heads + kv_heads) / heads",
            meaning="The length at which the core takes as much arithmetic as the projections.",
        ),
    ),
    headline="attention_flops",
    compute=lambda v: by_name(
        attention_work(
            batch=v.batch,
            seq_len=v.seq_len,
            heads=v.heads,
            kv_heads=v.kv_heads,
            head_dim=v.head_dim,
            d_model=v.d_model,
            layers=v.layers,
            causal=v.causal,
        )
    ),
    checks=(
        Check(
            field="kv_heads",
            names=("kv_heads", "heads"),
            holds=lambda v: divides(v.kv_heads, v.heads),
            allowed=lambda v: f"a divisor of heads ({shown(v.heads)})",
            whole=True,
        ),
    ),
    plot=("seq_len", "attention_flops"),
    sources=(
        Source("Vaswani et al. 2017: Attention is all you need", "https://arxiv.org/abs/1706.03762", "3.2"),
        Source(
            "Ainslie et al. 2023: GQA, training generalized multi-query transformer models",
            "https://arxiv.org/abs/2305.13245",
            "2.2",
        ),
        Source(
            "Dao 2023: FlashAttention-2, faster attention with better parallelism and work partitioning",
            "https://arxiv.org/abs/2307.08691",
            "4.1: 4 · n² · d_h · h, half of it when causal",
        ),
    ),
    leaves_out=(
        "Softmax, masks and scaling: little arithmetic, though on slower units.",
        "The backward pass, which takes twice the forward matmuls, and 2.5 times the core where a fused "
        "kernel computes the scores again.",
        "Sliding windows, latent projections, biases and rotary positions.",
        "The diagonal: a causal row sees (n + 1) / 2 tokens on average, half of n is the convention.",
    ),
    conventions=(
        multiply_adds("attention_flops", "projection_flops"),
        convention(
            "The forward pass alone; the backward pass takes twice as much.",
            "attention_flops",
            "projection_flops",
        ),
        convention(
            "Full attention unless causal is set; causal is exactly half, as kernels' throughput is "
            "reported.",
            "causal",
        ),
    ),
)


FLASH_ATTENTION_IO = Calculator(
    slug="flash-attention-io",
    title="FlashAttention memory traffic",
    topic="attention",
    summary="What one forward pass of attention reads and writes when it stores the score matrix, and when "
    "it works block by block in on-chip memory.",
    inputs=(
        count("batch", "Batch", "b", default="1", help="Sequences at once."),
        count(
            "heads", "Heads", "h", default="1", help="Heads, each with queries, keys and values of its own."
        ),
        count("seq_len", "Sequence length", "n", default="1024", help="Tokens, each a query and a key."),
        count("head_dim", "Head width", "d", default="64", help="Of one head's query, key and value."),
        amount(
            "sram_bytes",
            "On-chip memory",
            "M_sram",
            family="bytes",
            default="102400",
            help="Of one multiprocessor, for the blocks of one thread block: 100 KiB of an A100's 192.",
        ),
        dtype_input("fp16", help="Of queries, keys, values, scores and output."),
    ),
    terms=(
        element_size(),
        Term(
            name="block_columns",
            label="keys in one block",
            symbol="c",
            formula="max(1, ceil(sram_bytes / (4 * head_dim * bytes_per_element)))",
        ),
        Term(
            name="blocks",
            label="blocks of keys, for each of which all queries pass",
            symbol="T_c",
            formula="ceil(seq_len / block_columns)",
        ),
    ),
    outputs=(
        Output(
            name="standard_bytes",
            label="Traffic with the score matrix",
            symbol="B_std",
            family="bytes",
            formula="batch * heads * (4 * seq_len * head_dim + 4 * seq_len**2) * bytes_per_element",
            meaning="Q, K in and S out; S in and P out; P, V in and O out: four times the matrix, and four "
            "vectors a token.",
            source="algorithm 0",
            roofs=(Roof(("flash_bytes",)),),
        ),
        Output(
            name="flash_bytes",
            label="Traffic block by block",
            symbol="B_flash",
            family="bytes",
            formula="batch * heads * (2 + 3 * blocks) * seq_len * head_dim * bytes_per_element",
            meaning="K and V in once; for each block of them Q in, and O in and out.",
            source="algorithm 1",
        ),
        Output(
            name="ratio",
            label="Traffic saved",
            symbol="r",
            formula="standard_bytes / flash_bytes",
            meaning="How many times less passes; below 1 where heads are wide and the on-chip memory small.",
        ),
    ),
    headline="flash_bytes",
    compute=lambda v: by_name(
        attention_traffic(
            batch=v.batch,
            heads=v.heads,
            seq_len=v.seq_len,
            head_dim=v.head_dim,
            sram_bytes=v.sram_bytes,
            bytes_per_element=v.bytes_per_element,
        )
    ),
    plot=("seq_len", "standard_bytes"),
    sources=(_DAO,),
    leaves_out=(
        "Row maxima and sums: two numbers a row and block.",
        "Masks, dropout, and the backward pass.",
        "The second version, which swaps the loops: O is written once, K and V pass again for each block of "
        "rows.",
        "A cache between memory and cores, which may hold a short sequence's scores or blocks.",
    ),
    conventions=(
        convention(
            "On-chip memory is counted in elements of the number format, as the paper's M; a quarter of it "
            "holds one block each of Q, K, V and O.",
            "sram_bytes",
        ),
        convention("A block of more keys than there are is all of them.", "seq_len"),
        convention("O of the first block is counted as read too, as the algorithm has it.", "flash_bytes"),
        gigabytes("standard_bytes", "sram_bytes"),
    ),
)
