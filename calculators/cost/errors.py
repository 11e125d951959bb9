"""What a cost function raises when its arguments have no cost."""

import numpy as np

from calculators.cost.exact import Real, Truth


class DomainError(ValueError):
    """An argument outside what its formula is defined for: its name, what was given and what is allowed."""

    def __init__(self, argument: str, given: Real, allowed: str) -> None:
        super().__init__(f"{argument} is {given}, but must be {allowed}")
        self.argument = argument
        self.given = given
        self.allowed = allowed


def require(holds: Truth, argument: str, given: Real, allowed: str) -> None:
    """Raise DomainError unless the condition holds, in an array everywhere."""
    if holds is not True and not np.all(holds):
        raise DomainError(argument, given, allowed)


def require_positive(**arguments: Real) -> None:
    """Raise DomainError for the first argument that is not above 0."""
    for name, value in arguments.items():
        require(value > 0, name, value, "above 0")
