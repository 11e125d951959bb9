"""What the number in a field was read as, where that is not what stands in it."""

from fractions import Fraction

from app.calculating import value_text
from calculators import quantities
from calculators.spec import Input

MOST_DIGITS = 30  # of an exact reading; longer ones are given with a power of ten
_NO_MATTER = str.maketrans({",": None, "_": None, " ": None, "\u00a0": None, "μ": "µ", "u": "µ"})


def reading(declared: Input, text: str, value: int | Fraction) -> str:
    """ "8k read as 8,000", "1GiB read as 1,073,741,824 B"; nothing where that is what stands there."""
    digits = quantities.format_exact(value)
    unit = "" if declared.unit == "1" else f" {declared.unit}"
    if len(digits) > MOST_DIGITS:
        digits, unit = value_text(declared, value, figures=15), ""
    written = _bare(text)
    if written in (_bare(digits), _bare(digits + unit)):
        return ""
    handy = value_text(declared, value, figures=4)
    readings = [handy] if _says_as_much(declared, handy, value, {written, _bare(digits + unit)}) else []
    return f"{text.strip()} read as {', '.join([*readings, digits + unit])}"


def _says_as_much(declared: Input, handy: str, value: int | Fraction, said: set[str]) -> bool:
    """Whether a value in a handier unit is the exact one, and nobody has said it yet."""
    try:
        return _bare(handy) not in said and quantities.parse(handy, declared.family).value == value
    except quantities.QuantityError:
        return False


def _bare(text: str) -> str:
    return text.translate(_NO_MATTER).lower()
