"""The cost library: what a piece of work costs, as pure functions of plain numbers in SI base units."""

from calculators.cost.errors import DomainError

__all__ = ["DomainError"]
