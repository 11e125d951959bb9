"""Weights in few bits."""

from calculators.conventions import gigabytes
from calculators.cost.quantization import quantized_weights
from calculators.spec import (
    Budget,
    Calculator,
    Output,
    Source,
    amount,
    by_name,
    convention,
    count,
    part,
)
from calculators.spec.hardware_inputs import hardware_inputs

QUANTIZATION = Calculator(
    slug="quantization",
    title="Weight quantization",
    topic="quantization-and-speculation",
    summary="Size of weights stored in few bits with a scale and a zero point for each group, and how fast a "
    "single sequence can be decoded from them at most.",
    inputs=(
        amount("params", "Parameters", "N", default="7e9", help="Of the whole model."),
        amount("bits", "Bits", "q", default="4", help="Of one stored weight; fractions for mixed widths."),
        count("group_size", "Group", "g", default="128", help="Weights that share a scale and a zero point."),
        count(
            "scale_bits", "Bits of a scale", "q_s", least=0, default="16", help="Of each group; 0 for none."
        ),
        count(
            "zero_bits",
            "Bits of a zero point",
            "q_z",
            least=0,
            default="4",
            help="Of each group; 0 where the range is symmetric.",
        ),
        *hardware_inputs("a100-80gb-sxm", peak_dtype=None),
    ),
    outputs=(
        Output(
            name="bits_per_weight",
            label="Bits per weight",
            symbol="q_w",
            formula="bits + (scale_bits + zero_bits) / group_size",
            meaning="What a weight takes with its share of the group's scale and zero point.",
        ),
        Output(
            name="weight_bytes",
            label="Weights",
            symbol="B_w",
            family="bytes",
            formula="params * bits_per_weight / 8",
            meaning="All parameters at this width, embeddings and norms too.",
        ),
        Output(
            name="compression",
            label="Compression",
            symbol="r",
            formula="16 / bits_per_weight",
            meaning="How many times smaller than at 16 bits.",
        ),
        Output(
            name="decode_tokens_per_second",
            label="Decode at most",
            symbol="R_max",
            family="tokens/s",
            formula="hbm_bandwidth / weight_bytes",
            meaning="One sequence on one device: every token reads all weights once, and no step is faster.",
        ),
    ),
    headline="weight_bytes",
    compute=lambda v: by_name(
        quantized_weights(
            params=v.params,
            bits=v.bits,
            group_size=v.group_size,
            scale_bits=v.scale_bits,
            zero_bits=v.zero_bits,
            hbm_bandwidth=v.hbm_bandwidth,
        )
    ),
    needs=("hbm_bandwidth",),
    budget=Budget((part("Weights", "weight_bytes"),), capacity=("hbm_bytes",)),
    plot=("group_size", "bits_per_weight"),
    sources=(
        Source(
            "Frantar et al. 2022: GPTQ, accurate post-training quantization for generative pre-trained "
            "transformers",
            "https://arxiv.org/abs/2210.17323",
            "4, additional tricks: grouping",
        ),
        Source(
            "Lin et al. 2023: AWQ, activation-aware weight quantization for LLM compression and acceleration",
            "https://arxiv.org/abs/2306.00978",
            "4 and 5",
        ),
    ),
    leaves_out=(
        "Embeddings, head and norms that real checkpoints keep at 16 bits: at 7B some tenths of a GB.",
        "The KV cache, and activations.",
        "Unpacking, which costs arithmetic: kernels reach the bandwidth at small batches only.",
        "What the model loses in quality.",
        "Of a mixture, experts that a token does not visit and so are not read.",
    ),
    conventions=(
        convention("Compression is against 16 bits (bf16 or fp16).", "compression"),
        convention(
            "The scale and the zero point of a group are counted whole: 4 bits in groups of 128 are 4.15625.",
            "bits_per_weight",
        ),
        convention(
            "Scales with a scale of their own are one larger group: NF4 with double quantization has 8 bits "
            "for 64 weights and 32 bits for 256 of these, together 2,080 for 16,384.",
            "group_size",
        ),
        gigabytes("weight_bytes"),
    ),
)
