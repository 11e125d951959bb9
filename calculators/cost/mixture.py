"""A mixture of experts: how many of them a batch of tokens visits, and what is read for it."""

import numpy as np

from calculators.cost.dimensions import Dimensions
from calculators.cost.errors import require
from calculators.cost.exact import Real, is_array, quotient
from calculators.cost.parameters import count_parameters, feed_forward_parameters, mixture_layers
from calculators.cost.powers import power


def experts_touched(*, experts: Real, experts_per_token: Real, tokens: Real) -> Real:
    """experts * (1 - (1 - experts_per_token/experts)**tokens): the distinct experts of one layer that are
    expected to be visited by at least one of the tokens; 0 where there are no experts.

    Each token draws experts_per_token different experts evenly, and independently of the other tokens.
    Leaves out that routers have favourites, which makes the true number smaller.
    Raises DomainError where experts_per_token exceeds experts.
    """
    require(experts_per_token <= experts, "experts_per_token", experts_per_token, "at most experts")
    if is_array(experts) or is_array(experts_per_token) or is_array(tokens):
        with np.errstate(divide="ignore", invalid="ignore"):
            visited = -np.expm1(tokens * np.log1p(-np.divide(experts_per_token, experts)))
        return np.where(np.equal(experts, 0), 0.0, experts * visited)
    if not experts:
        return 0
    return experts * (1 - power(1 - quotient(experts_per_token, experts), tokens))


def shared_parameters(*, dims: Dimensions) -> Real:
    """Parameters that every forward pass reads whole, however few its tokens.

    All but the token and position tables, of which only single rows are read, and the routed experts. The
    head is among them, and so is the token table where it serves as the head.
    """
    counted = count_parameters(dims=dims)
    read = counted.attention + counted.ffn + counted.norms + dims.vocab_size * dims.d_model
    return read - dims.experts * expert_parameters(dims=dims)


def expert_parameters(*, dims: Dimensions) -> Real:
    """Parameters of one routed expert, summed over the layers that have experts; 0 in a dense model."""
    return mixture_layers(dims=dims) * feed_forward_parameters(dims=dims, width=dims.expert_d_ff)


def parameters_read(*, dims: Dimensions, tokens: Real) -> Real:
    """shared_parameters + experts_touched * expert_parameters: what a forward pass of `tokens` reads."""
    touched = experts_touched(experts=dims.experts, experts_per_token=dims.experts_per_token, tokens=tokens)
    return shared_parameters(dims=dims) + touched * expert_parameters(dims=dims)
