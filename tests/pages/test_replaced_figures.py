"""A preset's figure that an input replaces is named beside the result."""

import html

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (
            "roofline?hardware=h100-sxm&peak_flops=1PFLOP/s&hbm_bandwidth=3TB/s",
            "NVIDIA H100 SXM is not as published here: Peak compute 1 PFLOP/s in place of 989.4 TFLOP/s, "
            "Memory bandwidth 3 TB/s in place of 3.35 TB/s.",
        ),
        (
            "roofline?hardware=a100-80gb-sxm&dtype=fp8&peak_flops=1PFLOP/s&hbm_bandwidth=3TB/s",
            "Peak compute 1 PFLOP/s which it has no figure for, Memory bandwidth 3 TB/s in place of 2.039 TB",
        ),
        (
            "kv-cache?model=qwen3-4b&kv_heads=32&head_dim=80",
            "KV heads 32 in place of 8, Head width 80 in place of 128.",
        ),
        (
            "kv-cache/embed?model=llama-3-70b&layers=32",
            "Llama 3 70B is not as published here: Layers 32 in place of 80.",
        ),
        (
            "mfu?model=llama-3-8b&params=7B",
            "Llama 3 8B is not as published here: Parameters 7,000,000,000 in place of 8,030,261,248.",
        ),
    ],
)
def test_what_is_not_the_presets_own_is_said(client: TestClient, state: str, says: str) -> None:
    assert says in html.unescape(client.get(f"/calculators/{state}").text)


@pytest.mark.parametrize(
    "state",
    [
        "roofline?hardware=h100-sxm",
        "roofline?hardware=custom&peak_flops=1PFLOP/s&hbm_bandwidth=3TB/s",
        "kv-cache?model=llama-3-70b&kv_heads=8",  # its own
        "data-parallel?hardware=h100-sxm&link_bandwidth=100GB/s",  # the network's
        "mfu?layers=96",  # a custom model
    ],
)
def test_nothing_is_said_of_a_preset_as_published(client: TestClient, state: str) -> None:
    page = client.get(f"/calculators/{state}")
    assert page.status_code == 200
    assert "not as published" not in page.text
