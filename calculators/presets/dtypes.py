"""How many bytes an element of each number format takes."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

# tf32 is a mode of the tensor cores over fp32 storage, so its elements take 4 bytes.
DTYPES: Mapping[str, int | Fraction] = MappingProxyType(
    {
        "fp32": 4,
        "tf32": 4,
        "bf16": 2,
        "fp16": 2,
        "fp8": 1,
        "int8": 1,
        "fp4": Fraction(1, 2),
        "int4": Fraction(1, 2),
    }
)
