"""The arithmetic of training: work per token, and how long a whole run takes."""

from typing import NamedTuple

from calculators.cost.attention import AttentionMask, attention_flops_per_token
from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require, require_positive
from calculators.cost.exact import Real, quotient
from calculators.cost.parameters import active_matmul_parameters
from calculators.cost.utilization import RECOMPUTES, Recompute

SECONDS_PER_HOUR = 3600
JOULES_PER_KWH = 3_600_000


class TokenFlops(NamedTuple):
    """Work on one token of a training sequence, in FLOP."""

    forward_per_token: Real
    backward_per_token: Real
    model_flops_per_token: Real
    hardware_flops_per_token: Real


class TrainingRun(NamedTuple):
    """What a training run takes; energy and CO2 are None where the devices' power is not known."""

    model_flops: Real  # FLOP
    time: Real  # s
    device_hours: Real  # h
    cost: Real  # USD
    energy: Real  # J
    co2: Real  # kg


def token_flops(
    *, dims: Dimensions, seq_len: Real, attention: AttentionMask, recompute: Recompute
) -> TokenFlops:
    """Work of one training step on one token of a sequence of seq_len [FLOP], matmul by matmul.

    forward = 2 * active matmul parameters + 2 * heads * (key width + value width) * tokens seen, summed over
    layers; the second term is halved when causal and nothing for none.
    backward = 2 * forward: the gradient of the input and that of the weights or of the other operand.
    hardware = forward + backward + what recomputation does again: full the whole forward pass, selective the
    attention core's two forward matmuls, none nothing.

    Leaves out softmax, norms, activation functions, biases and the optimizer's step.
    Raises DomainError for an unknown attention or recompute.
    Source: Chowdhery et al. 2022 (PaLM), appendix B; Korthikanti et al. 2022, section 5 and appendix A.
    """
    require(recompute in RECOMPUTES, "recompute", recompute, "one of none, selective, full")
    core = attention_flops_per_token(dims=dims, seq_len=seq_len, attention=attention)
    forward = 2 * active_matmul_parameters(dims=dims) + core
    model = 3 * forward
    again = {"none": 0 * core, "selective": core, "full": forward}[recompute]
    return TokenFlops(
        forward_per_token=forward,
        backward_per_token=2 * forward,
        model_flops_per_token=model,
        hardware_flops_per_token=model + again,
    )


def training_run(
    *,
    params: Real,
    tokens: Real,
    devices: Real,
    peak_flops: Real,
    mfu: Real,
    price_per_device_hour: Real,
    device_watts: Real | None,
    pue: Real,
    kg_co2_per_kwh: Real,
) -> TrainingRun:
    """Time, money and energy of 6 * params * tokens [FLOP] at a share mfu of the devices' peak.

    time = model_flops / (devices * peak_flops * mfu) [s]; device_hours = devices * time / 3600
    cost = device_hours * price_per_device_hour [USD]
    energy = device_hours * 3600 * device_watts * pue [J], every device drawing its full power throughout
    co2 = energy / 3.6e6 * kg_co2_per_kwh [kg]

    params are those that one token uses. Leaves out the attention core, which mfu may or may not count,
    restarts and evaluation, hosts and network beyond what pue covers, and the making of the hardware.
    Raises DomainError where params, tokens, devices, peak_flops or mfu is not above 0.
    Source: Kaplan et al. 2020, section 2.1 (6 FLOP a parameter and token); Patterson et al. 2021, section 2.
    """
    require_positive(params=params, tokens=tokens, devices=devices, peak_flops=peak_flops, mfu=mfu)
    model_flops = 6 * params * tokens
    device_seconds = quotient(model_flops, peak_flops * mfu)
    device_hours = quotient(device_seconds, SECONDS_PER_HOUR)
    energy = None if device_watts is None else device_seconds * device_watts * pue
    return TrainingRun(
        model_flops=model_flops,
        time=quotient(device_seconds, devices),
        device_hours=device_hours,
        cost=device_hours * price_per_device_hour,
        energy=energy,
        co2=None if energy is None else quotient(energy, JOULES_PER_KWH) * kg_co2_per_kwh,
    )
