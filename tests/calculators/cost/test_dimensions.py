"""Dimensions that cannot go together."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from calculators.cost.dimensions import Conflict, conflicts
from calculators.presets import MODELS

LLAMA = MODELS["llama-3-8b"].dimensions
MIXTRAL = MODELS["mixtral-8x7b"].dimensions
DEEPSEEK = MODELS["deepseek-v3"].dimensions


@pytest.mark.parametrize("slug", MODELS)
def test_no_preset_is_impossible(slug: str) -> None:
    assert list(conflicts(MODELS[slug].dimensions)) == []


@pytest.mark.parametrize(
    ("dims", "changes", "conflict"),
    [
        (LLAMA, {"kv_heads": 5}, Conflict("kv_heads", 5, "a divisor of heads (32)")),
        (LLAMA, {"kv_heads": 64}, Conflict("kv_heads", 64, "a divisor of heads (32)")),
        (LLAMA, {"window_layers": 33}, Conflict("window_layers", 33, "at most layers (32)")),
        (DEEPSEEK, {"dense_layers": 62}, Conflict("dense_layers", 62, "at most layers (61)")),
        (MIXTRAL, {"experts_per_token": 9}, Conflict("experts_per_token", 9, "at most experts (8)")),
        (MIXTRAL, {"expert_d_ff": 0}, Conflict("expert_d_ff", 0, "at least 1 where experts (8) is above 0")),
        (
            DEEPSEEK,
            {"v_head_dim": 0},
            Conflict("v_head_dim", 0, "at least 1 where kv_lora_rank (512) is above 0"),
        ),
    ],
)
def test_each_conflict_names_the_dimension_to_change(
    dims: Any, changes: dict[str, int], conflict: Conflict
) -> None:
    assert list(conflicts(replace(dims, **changes))) == [conflict]


def test_all_conflicts_are_told_at_once() -> None:
    fields = [
        conflict.field for conflict in conflicts(replace(LLAMA, kv_heads=3, experts=8, window_layers=40))
    ]
    assert fields == ["kv_heads", "window_layers", "experts_per_token", "expert_d_ff"]


def test_one_impossible_value_of_a_sweep_is_enough() -> None:
    assert list(conflicts(replace(LLAMA, heads=np.array([8.0, 16.0, 32.0])))) == []
    assert [c.field for c in conflicts(replace(LLAMA, heads=np.array([8.0, 12.0])))] == ["kv_heads"]
