"""Compute-optimal training: how large a model, how many tokens, and the loss that a fit predicts."""

from fractions import Fraction
from typing import NamedTuple

from calculators.cost.errors import require_positive
from calculators.cost.exact import Real, is_array, quotient
from calculators.cost.irrational import real_power, square_root


class LossFit(NamedTuple):
    """loss = irreducible + a / params ** alpha + b / tokens ** beta, in nats a token."""

    irreducible: Fraction
    a: Fraction
    b: Fraction
    alpha: Fraction
    beta: Fraction


# Hoffmann et al. 2022, equation 10 (approach 3); Besiroglu et al. 2024, the same data fitted again.
FITS = {
    "hoffmann": LossFit(
        Fraction("1.69"), Fraction("406.4"), Fraction("410.7"), Fraction("0.34"), Fraction("0.28")
    ),
    "besiroglu": LossFit(
        Fraction("1.8172"), Fraction("482.01"), Fraction("2085.43"), Fraction("0.3478"), Fraction("0.3658")
    ),
}


class Allocation(NamedTuple):
    """How a compute budget is split."""

    params: Real
    tokens: Real


def compute_optimal(*, compute: Real, tokens_per_param: Real) -> Allocation:
    """Split compute [FLOP] = 6 * params * tokens at a fixed ratio tokens = tokens_per_param * params.

    params = sqrt(compute / (6 * tokens_per_param)). In scalars a root without end is kept to 20 figures.

    Leaves out the attention core, and that params are those without the embedding in some fits.
    Raises DomainError where an argument is not above 0.
    Source: Hoffmann et al. 2022, section 3 and table 3, where 20 tokens a parameter come out.
    """
    require_positive(compute=compute, tokens_per_param=tokens_per_param)
    params = square_root(quotient(compute, 6 * tokens_per_param))
    return Allocation(params=params, tokens=tokens_per_param * params)


def fitted_loss(*, params: Real, tokens: Real, fit: LossFit) -> Real:
    """irreducible + a / params**alpha + b / tokens**beta [nats a token].

    Leaves out everything but size and data: another tokenizer, data set or architecture has another fit.
    Raises DomainError where params or tokens is not above 0.
    Source: Hoffmann et al. 2022, equation 2.
    """
    require_positive(params=params, tokens=tokens)
    constants: tuple[Real, ...] = (fit.irreducible, fit.a, fit.b, fit.alpha, fit.beta)
    if is_array(params) or is_array(tokens):
        constants = tuple(map(float, constants))
    irreducible, a, b, alpha, beta = constants
    return irreducible + a * real_power(params, -alpha) + b * real_power(tokens, -beta)
