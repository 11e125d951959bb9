"""Models with one dense feed-forward layer in every block."""

from dataclasses import replace

from calculators.cost.dimensions import Dimensions
from calculators.presets.models import LITGPT, Model, Source, llama, model

_NANOGPT = Source(
    "nanoGPT's table of the GPT-2 checkpoints (model.py)",
    "https://github.com/karpathy/nanoGPT/blob/3adf61e154c3fe3fca428ad6bc3818b27a3b8291/model.py",
)
_GPT_3 = Source("Brown et al. 2020, table 2.1", "https://arxiv.org/abs/2005.14165")
_GEMMA = Source(
    "Google's reference implementation (gemma/config.py)",
    "https://github.com/google/gemma_pytorch/blob/014acb7ac4563a5f77c76d7ff98f31b568c16508/gemma/config.py",
)
_GEMMA_3 = Source(
    "the converter that wrote the published checkpoint (transformers, convert_gemma3_weights_orbax_to_hf.py)",
    "https://github.com/huggingface/transformers/blob/58827fc9025aaffb9f9939678e77d1ab031af782/"
    "src/transformers/models/gemma3/convert_gemma3_weights_orbax_to_hf.py",
)
_PALM = Source("Chowdhery et al. 2022, section 2 and table 1", "https://arxiv.org/abs/2204.02311")


def _gpt2(*, layers: int, heads: int, d_model: int) -> Dimensions:
    return _gpt(layers=layers, heads=heads, d_model=d_model, max_positions=1024)


def _gpt(*, layers: int, heads: int, d_model: int, max_positions: int) -> Dimensions:
    """GPT-2 and GPT-3: multi-head attention, biases everywhere, learned positions, a tied head."""
    return Dimensions(
        layers=layers,
        d_model=d_model,
        heads=heads,
        kv_heads=heads,
        head_dim=d_model // heads,
        d_ff=4 * d_model,
        vocab_size=50257,
        max_positions=max_positions,
        tied_embeddings=True,
        bias=True,
        learned_positions=True,
        norm_type="layer",
    )


MODELS: tuple[Model, ...] = (
    model(
        "gpt2-small",
        "GPT-2 small",
        _NANOGPT,
        _gpt2(layers=12, heads=12, d_model=768),
        published_total=124_439_808,
    ),
    model(
        "gpt2-medium",
        "GPT-2 medium",
        _NANOGPT,
        _gpt2(layers=24, heads=16, d_model=1024),
        published_total=354_823_168,
    ),
    model(
        "gpt2-large",
        "GPT-2 large",
        _NANOGPT,
        _gpt2(layers=36, heads=20, d_model=1280),
        published_total=774_030_080,
    ),
    model(
        "gpt2-xl",
        "GPT-2 XL",
        _NANOGPT,
        _gpt2(layers=48, heads=25, d_model=1600),
        published_total=1_557_611_200,
    ),
    model(
        "gpt-3-175b",
        "GPT-3 175B",
        _GPT_3,
        _gpt(layers=96, heads=96, d_model=12288, max_positions=2048),
        "The paper prints 175.0 B for what its dimensions count as 174.6 B, 0.2 % less.",
        "Every second layer attends in a band whose width the paper does not print; here all layers see all.",
    ),
    model(
        "llama-2-7b",
        "Llama 2 7B",
        LITGPT,
        llama(
            layers=32, d_model=4096, heads=32, kv_heads=32, d_ff=11008, vocab_size=32000, max_positions=4096
        ),
        published_total=6_738_415_616,
    ),
    model(
        "llama-2-13b",
        "Llama 2 13B",
        LITGPT,
        llama(
            layers=40, d_model=5120, heads=40, kv_heads=40, d_ff=13824, vocab_size=32000, max_positions=4096
        ),
        published_total=13_015_864_320,
    ),
    model(
        "llama-2-70b",
        "Llama 2 70B",
        LITGPT,
        llama(
            layers=80, d_model=8192, heads=64, kv_heads=8, d_ff=28672, vocab_size=32000, max_positions=4096
        ),
        published_total=68_976_648_192,
    ),
    model(
        "llama-3-8b",
        "Llama 3 8B",
        LITGPT,
        llama(
            layers=32, d_model=4096, heads=32, kv_heads=8, d_ff=14336, vocab_size=128256, max_positions=8192
        ),
        published_total=8_030_261_248,
    ),
    model(
        "llama-3-70b",
        "Llama 3 70B",
        LITGPT,
        llama(
            layers=80, d_model=8192, heads=64, kv_heads=8, d_ff=28672, vocab_size=128256, max_positions=8192
        ),
        published_total=70_553_706_496,
    ),
    model(
        "llama-3.1-405b",
        "Llama 3.1 405B",
        LITGPT,
        llama(
            layers=126,
            d_model=16384,
            heads=128,
            kv_heads=8,
            d_ff=53248,
            vocab_size=128256,
            max_positions=131072,
        ),
        published_total=405_853_388_800,
    ),
    model(
        "mistral-7b",
        "Mistral 7B v0.1",
        LITGPT,
        replace(
            llama(
                layers=32,
                d_model=4096,
                heads=32,
                kv_heads=8,
                d_ff=14336,
                vocab_size=32000,
                max_positions=32768,
            ),
            window=4096,
            window_layers=32,
        ),
        "Version 0.1; versions 0.2 and later have no window, and 0.3 a vocabulary of 32,768.",
        published_total=7_241_732_096,
    ),
    model(
        "qwen2.5-7b",
        "Qwen2.5 7B",
        LITGPT,
        replace(
            llama(
                layers=28,
                d_model=3584,
                heads=28,
                kv_heads=4,
                d_ff=18944,
                vocab_size=152064,
                max_positions=131072,
            ),
            qkv_bias=True,
        ),
        published_total=7_615_616_512,
    ),
    model(
        "qwen2.5-72b",
        "Qwen2.5 72B",
        LITGPT,
        replace(
            llama(
                layers=80,
                d_model=8192,
                heads=64,
                kv_heads=8,
                d_ff=29568,
                vocab_size=152064,
                max_positions=131072,
            ),
            qkv_bias=True,
        ),
        published_total=72_706_203_648,
    ),
    model(
        "qwen3-4b",
        "Qwen3 4B",
        LITGPT,
        Dimensions(
            layers=36,
            d_model=2560,
            heads=32,
            kv_heads=8,
            head_dim=128,
            d_ff=9728,
            vocab_size=151936,
            max_positions=40960,
            gated=True,
            tied_embeddings=True,
            qk_norm=True,
        ),
        published_total=4_022_468_096,
    ),
    model(
        "gemma-2-27b",
        "Gemma 2 27B",
        _GEMMA,
        Dimensions(
            layers=46,
            d_model=4608,
            heads=32,
            kv_heads=16,
            head_dim=128,
            d_ff=36864,
            vocab_size=256000,
            max_positions=8192,
            gated=True,
            tied_embeddings=True,
            norms_per_layer=4,
            window=4096,
            window_layers=23,
        ),
        published_total=27_227_128_320,
    ),
    model(
        "gemma-3-27b",
        "Gemma 3 27B",
        _GEMMA_3,
        Dimensions(
            layers=62,
            d_model=5376,
            heads=32,
            kv_heads=16,
            head_dim=128,
            d_ff=21504,
            vocab_size=262208,
            max_positions=131072,
            gated=True,
            tied_embeddings=True,
            norms_per_layer=4,
            qk_norm=True,
            window=1024,
            window_layers=52,
        ),
        "The text model alone: the checkpoint's 27,432,406,640 parameters hold 423,060,336 more for images.",
        "The vocabulary is 262,144 tokens; the checkpoint adds 64 rows for images.",
        published_total=27_009_346_304,
    ),
    model(
        "palm-540b",
        "PaLM 540B",
        _PALM,
        Dimensions(
            layers=118,
            d_model=18432,
            heads=48,
            kv_heads=1,
            head_dim=256,
            d_ff=73728,
            vocab_size=256000,
            max_positions=2048,
            gated=True,
            tied_embeddings=True,
            norm_type="layer",
            norms_per_layer=1,
        ),
        "The paper prints 540.35 B, which these dimensions count as 540.36 B.",
        "The attention and the feed-forward layer of a block run side by side on one norm.",
    ),
)
