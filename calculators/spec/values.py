"""The names that a cost function reads, looked up only when they are read."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from calculators.spec.errors import Unavailable


class Values:
    """Inputs and looked-up terms by name: those given, and the others as their `derive` supplies them.

    A device's peak or a model's dimension is looked up at the first read and never for an output that does
    not need it. In a sweep every number is a float, a preset's figures included.
    """

    _derive: Mapping[str, Callable[["Values"], Any]] = MappingProxyType({})  # what copying finds at first

    def __init__(
        self,
        known: Mapping[str, Any],
        derive: Mapping[str, Callable[["Values"], Any]],
        *,
        sweeping: bool = False,
        relaxed: bool = False,
    ) -> None:
        self.__dict__.update(known)
        self._derive = derive
        self.sweeping = sweeping  # numbers are floats and arrays
        self.relaxed = relaxed  # whole-number rules are left aside, for a real solution

    def __getattr__(self, name: str) -> Any:
        derive = self._derive.get(name)
        if derive is None:
            # copy and pickle ask for names of their own
            raise AttributeError(name) if name.startswith("_") else Unavailable(name)
        value = self._converted(derive(self))
        self.__dict__[name] = value
        return value

    def _converted(self, value: Any) -> Any:
        if self.sweeping and isinstance(value, int | Fraction) and not isinstance(value, bool):
            return to_float(value)
        return value

    def supply(self, values: Mapping[str, Any]) -> None:
        """Look up several at once: those of these that are not known already and may be derived."""
        if self.sweeping or not values.keys() <= self._derive.keys():
            values = {name: self._converted(value) for name, value in values.items() if name in self._derive}
        self.__dict__ = {**values, **self.__dict__}

    def look_up(self, names: Iterable[str]) -> dict[str, Any]:
        """Each of these by name, None where nothing supplies it."""
        found: dict[str, Any] = {}
        for name in names:
            try:
                found[name] = getattr(self, name)
            except Unavailable:
                found[name] = None
        return found

    def has(self, *names: str) -> bool:
        """Whether all of these can be read."""
        try:
            for name in names:
                getattr(self, name)
        except Unavailable:
            return False
        return True


def to_float(number: int | Fraction) -> float:
    """The nearest float, infinite beyond their range."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
