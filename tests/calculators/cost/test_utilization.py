"""MFU and HFU against published runs and against the matmuls of a training step, listed one by one."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.cost import DomainError
from calculators.cost.attention import AttentionMask
from calculators.cost.utilization import (
    Recompute,
    Utilization,
    hardware_flops_per_token,
    model_flops_per_token,
    utilization,
)

V100, A100, TPU_V4 = 125 * 10**12, 312 * 10**12, 275 * 10**12


@dataclass(frozen=True)
class Run:
    """A published training run."""

    params: int
    layers: int
    heads: int
    head_dim: int
    tokens_per_second: int
    devices: int
    peak_flops: int

    def shape(self) -> dict[str, Any]:
        return {
            "params": self.params,
            "layers": self.layers,
            "heads": self.heads,
            "head_dim": self.head_dim,
            "seq_len": 2048,
        }

    def utilization(self, attention: AttentionMask, recompute: Recompute = "none") -> Utilization:
        return utilization(
            model_flops=model_flops_per_token(**self.shape(), attention=attention),
            hardware_flops=hardware_flops_per_token(**self.shape(), attention=attention, recompute=recompute),
            tokens_per_second=self.tokens_per_second,
            devices=self.devices,
            peak_flops=self.peak_flops,
        )


PALM = Run(540 * 10**9, 118, 48, 256, 238_300, 6144, TPU_V4)
MT_NLG = Run(530 * 10**9, 105, 128, 160, 65_430, 2240, A100)


@pytest.mark.parametrize(
    ("run", "attention", "printed"),
    [
        # Chowdhery et al. 2022, appendix B: each with and without the attention term.
        (PALM, "none", 0.457),
        (PALM, "full", 0.462),
        (MT_NLG, "none", 0.297),
        (MT_NLG, "full", 0.302),
    ],
)
def test_published_utilization(run: Run, attention: AttentionMask, printed: float) -> None:
    assert float(run.utilization(attention).mfu) == pytest.approx(printed, abs=0.001)


def test_palms_hardware_utilization_lies_between_none_and_all_of_the_forward_pass_done_again() -> None:
    # The paper prints 57.8 %, as if three quarters of the forward pass were done again: neither word's case.
    none, full = PALM.utilization("full", "none").hfu, PALM.utilization("full", "full").hfu
    assert none < Fraction("0.578") < full
    done_again = (Fraction("0.578") - none) / (full - none)
    assert float(done_again) == pytest.approx(0.75, abs=0.01)


class Step:
    """One token of a training step, every matmul carried out in a ledger."""

    def __init__(self, layers: int, heads: int, head_dim: int, d_ff: int, seq_len: int) -> None:
        d_model = heads * head_dim
        weights = [(d_model, d_model)] * 4 + [(d_model, d_ff), (d_ff, d_model)]
        self.params = layers * sum(into * out for into, out in weights)
        self.linear = [2 * into * out for into, out in weights] * layers
        self.core = [2 * head_dim * seq_len, 2 * seq_len * head_dim] * heads * layers
        self.shape = {"layers": layers, "heads": heads, "head_dim": head_dim, "seq_len": seq_len}

    def flops(self, recompute: Recompute, share: Fraction) -> Fraction:
        ledger = Fraction(0)
        for matmul in self.linear:
            ledger += matmul  # forward
            ledger += matmul  # gradient of the input
            ledger += matmul  # gradient of the weight
            ledger += matmul if recompute == "full" else 0
        for matmul in self.core:
            ledger += 3 * matmul * share  # forward, and the gradient of each operand
            ledger += matmul * share if recompute in ("selective", "full") else 0
        return ledger


steps = st.builds(Step, *[st.integers(1, 8)] * 3, d_ff=st.integers(1, 64), seq_len=st.integers(1, 5000))
masks = st.sampled_from([("none", Fraction(0)), ("full", Fraction(1)), ("causal", Fraction(1, 2))])


@given(step=steps, mask=masks, recompute=st.sampled_from(["none", "selective", "full"]))
def test_every_matmul_of_a_step(
    step: Step, mask: tuple[AttentionMask, Fraction], recompute: Recompute
) -> None:
    attention, share = mask
    arguments: dict[str, Any] = {"params": step.params, "attention": attention, **step.shape}
    model = model_flops_per_token(**arguments)
    hardware = hardware_flops_per_token(**arguments, recompute=recompute)
    assert model == step.flops("none", share)
    assert hardware == step.flops(recompute, share)
    assert hardware >= model


def test_selective_recomputation_is_a_third_of_what_equation_8_adds() -> None:
    # Korthikanti et al. 2022: model FLOP 72BLsh^2(1 + s/6h + v/12hL), hardware FLOP with s/3h; GPT-3 shape.
    layers, heads, head_dim, seq_len = 96, 96, 128, 2048
    hidden = heads * head_dim
    added_in_print = 72 * layers * hidden**2 * (Fraction(seq_len, 3 * hidden) - Fraction(seq_len, 6 * hidden))
    shape: dict[str, Any] = {
        "params": 175 * 10**9,
        "layers": layers,
        "heads": heads,
        "head_dim": head_dim,
        "seq_len": seq_len,
        "attention": "full",
    }
    added = hardware_flops_per_token(**shape, recompute="selective") - model_flops_per_token(**shape)
    assert added_in_print == 3 * added


@pytest.mark.parametrize(
    ("layers", "hidden", "mfu", "hfu"),
    [
        (48, 6144, 0.415, 0.437),
        (96, 12288, 0.514, 0.528),
        (105, 20480, 0.560, 0.570),
        (128, 25600, 0.563, 0.570),
    ],
)
def test_the_papers_pairs_of_mfu_and_hfu_follow_from_its_factor_of_three(
    layers: int, hidden: int, mfu: float, hfu: float
) -> None:
    """Table 5 of Korthikanti et al. 2022: four models with 2,048 tokens and a vocabulary of 51,200."""
    params = 12 * layers * hidden**2 + 51200 * hidden
    shape: dict[str, Any] = {
        "params": params,
        "layers": layers,
        "heads": hidden // 128,
        "head_dim": 128,
        "seq_len": 2048,
        "attention": "full",
    }
    model = model_flops_per_token(**shape)
    selective = hardware_flops_per_token(**shape, recompute="selective")
    in_print = model + 3 * (selective - model)
    assert float(in_print / model) == pytest.approx(hfu / mfu, abs=0.003)
    assert 1 < selective / model < in_print / model


@given(
    tokens=st.integers(0, 10**7),
    devices=st.integers(1, 10**5),
    model=st.integers(1, 10**14),
    again=st.integers(0, 10**14),
)
def test_what_is_achieved_and_what_the_peak_would_give(
    tokens: int, devices: int, model: int, again: int
) -> None:
    result = utilization(
        model_flops=model,
        hardware_flops=model + again,
        tokens_per_second=tokens,
        devices=devices,
        peak_flops=A100,
    )
    assert result.hfu >= result.mfu
    assert result.achieved_flops_per_device * devices == tokens * model
    assert result.mfu * result.tokens_per_second_at_peak == tokens
    assert result.mfu == result.achieved_flops_per_device / A100


def test_above_the_peak_is_not_cut() -> None:
    result = utilization(
        model_flops=2 * V100, hardware_flops=2 * V100, tokens_per_second=1, devices=1, peak_flops=V100
    )
    assert result.mfu == 2


def test_unknown_words_and_empty_machines_are_refused() -> None:
    recompute: Recompute = "some"  # type: ignore[assignment]  # what an unchecked caller may pass
    with pytest.raises(DomainError, match="recompute is some, but must be one of none, selective, full"):
        PALM.utilization("full", recompute)
    with pytest.raises(DomainError, match="devices is 0"):
        utilization(model_flops=1, hardware_flops=1, tokens_per_second=1, devices=0, peak_flops=1)
