"""Models with a mixture of experts."""

from dataclasses import replace

from calculators.cost.dimensions import Dimensions
from calculators.presets.models import LITGPT, Model, Source, llama, model

_DEEPSEEK = Source(
    "DeepSeek's reference implementation (inference/configs/config_671B.json)",
    "https://github.com/deepseek-ai/DeepSeek-V3/blob/9b4e9788e4a3a731f7567338ed15d3ec549ce03b/"
    "inference/configs/config_671B.json",
)
_GPT_OSS = Source(
    "OpenAI's reference implementation (gpt_oss/torch/model.py)",
    "https://github.com/openai/gpt-oss/blob/7b583341fe16729127f6d5b94a7b09ccae97e1a1/gpt_oss/torch/model.py",
)


MODELS: tuple[Model, ...] = (
    model(
        "mixtral-8x7b",
        "Mixtral 8x7B v0.1",
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
            experts=8,
            experts_per_token=2,
            expert_d_ff=14336,
        ),
        published_total=46_702_792_704,
    ),
    model(
        "deepseek-v3",
        "DeepSeek-V3",
        _DEEPSEEK,
        Dimensions(
            layers=61,
            d_model=7168,
            heads=128,
            kv_heads=128,
            head_dim=128,
            d_ff=18432,
            vocab_size=129280,
            max_positions=163840,
            gated=True,
            experts=256,
            experts_per_token=8,
            shared_experts=1,
            expert_d_ff=2048,
            dense_layers=3,
            router_bias=True,
            kv_lora_rank=512,
            q_lora_rank=1536,
            rope_head_dim=64,
            nope_head_dim=128,
            v_head_dim=128,
        ),
        "The main model without its multi-token head, which adds 11.5 B parameters of its own.",
        "The publisher prints 36.7 B active parameters; 37.6 B here, the whole embedding table included.",
        published_total=671_026_419_200,
    ),
    model(
        "gpt-oss-120b",
        "gpt-oss-120b",
        _GPT_OSS,
        Dimensions(
            layers=36,
            d_model=2880,
            heads=64,
            kv_heads=8,
            head_dim=64,
            d_ff=2880,
            vocab_size=201088,
            max_positions=131072,
            gated=True,
            bias=True,
            experts=128,
            experts_per_token=4,
            expert_d_ff=2880,
            router_bias=True,
            window=128,
            window_layers=18,
        ),
        "2,304 parameters short of the checkpoint: one attention sink a head in each layer is not counted.",
        "The publisher's 5.1 B active parameters leave out the embedding table.",
        "The experts are published in 4.25 bits a weight (MXFP4), the rest in bf16.",
        published_total=116_829_156_672,
    ),
)
