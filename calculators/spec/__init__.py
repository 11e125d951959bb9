"""What a calculator is: one declaration from which forms, links, the API, plots and derivations come."""

from calculators.spec.budgets import Budget, part
from calculators.spec.calculator import Calculator, Change
from calculators.spec.declare import (
    MAX_VALUE_LENGTH,
    Check,
    Convention,
    Input,
    Output,
    Roof,
    Source,
    Term,
    amount,
    by_name,
    choice,
    convention,
    count,
    flag,
)
from calculators.spec.errors import FieldError, InvalidInputs, LinkError, SolveError
from calculators.spec.results import Resolved, Result, Root, Solution, Step, Symbol
from calculators.spec.values import Values

__all__ = [
    "MAX_VALUE_LENGTH",
    "Budget",
    "Calculator",
    "Change",
    "Check",
    "Convention",
    "FieldError",
    "Input",
    "InvalidInputs",
    "LinkError",
    "Output",
    "Resolved",
    "Result",
    "Roof",
    "Root",
    "Solution",
    "SolveError",
    "Source",
    "Step",
    "Symbol",
    "Term",
    "Values",
    "amount",
    "by_name",
    "choice",
    "convention",
    "count",
    "flag",
    "part",
]
