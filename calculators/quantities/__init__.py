"""Quantities: the one strict grammar that text becomes a number by, the units it knows, and printing.

    parse("34.4 GB", "bytes").value             # 34400000000
    format_quantity(34400000000, "bytes")       # "34.4 GB"

Values are exact (int or Fraction) and in the family's base unit. What does not follow the grammar raises a
`QuantityError` whose text says what to type.
"""

from .families import FAMILIES
from .formatting import (
    base_unit,
    format_both_bytes,
    format_exact,
    format_quantity,
    to_number,
)
from .grammar import MAX_LENGTH, QuantityError, Reading, parse
from .units import Family, Unit

__all__ = [
    "FAMILIES",
    "MAX_LENGTH",
    "Family",
    "QuantityError",
    "Reading",
    "Unit",
    "base_unit",
    "format_both_bytes",
    "format_exact",
    "format_quantity",
    "parse",
    "to_number",
]
