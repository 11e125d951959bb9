"""The inputs that calculators share: number formats, and a device with the figures that can be overridden."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, overload

from calculators.presets import DTYPES, HARDWARE
from calculators.spec.declare import Input, Term, amount, choice
from calculators.spec.errors import FieldError, Unavailable
from calculators.spec.values import Values

CUSTOM = "custom"
_FIGURES = ("peak_flops", "hbm_bandwidth", "hbm_bytes", "link_bandwidth")


def dtype_input(default: str = "bf16", *, name: str = "dtype", follows: str = "", **rest: Any) -> Input:
    """A number format. One that `follows` another has no default of its own: kv_dtype, compute_dtype."""
    rest = {"label": "Number format", "help": "The format of each element, which sets its bytes.", **rest}
    if follows:
        return choice(name, choices=DTYPES, follows=follows, derive=lambda v: getattr(v, follows), **rest)
    return choice(name, choices=DTYPES, default=default, **rest)


def element_size(dtype: str = "dtype") -> Term:
    """The bytes of one element: bytes_per_element for dtype, kv_bytes_per_element for kv_dtype."""
    name = dtype.removesuffix("dtype") + "bytes_per_element"
    label = f"bytes of one {dtype} element"
    return Term(
        name=name, label=label, family="bytes", symbol="e" if dtype == "dtype" else f"e_{dtype[:-6]}",
        derive=lambda v: DTYPES[getattr(v, dtype)],
    )  # fmt: skip


def hardware_inputs(default: str, *, peak_dtype: str | None = "dtype") -> tuple[Input, ...]:
    """A device, and its figures: looked up in the preset where they are needed and not given.

    `peak_dtype` names the input that picks the peak, None in a calculator without one.
    """
    return (
        choice(
            "hardware",
            "Hardware",
            _Names(),
            default=default,
            group="hardware",
            help="A device with its datasheet figures, or custom with figures of your own.",
            elsewhere=_elsewhere,
        ),
        _figure(
            "peak_flops", "Peak compute", "P", "flop/s", "312 TFLOP/s",
            "Dense peak of one device in the format that it computes in.",
            lambda v: _peak(v, peak_dtype), lambda v: [getattr(v, peak_dtype)] if peak_dtype else [],
        ),
        _figure(
            "hbm_bandwidth", "Memory bandwidth", "BW", "byte/s", "2 TB/s",
            "What one device reads or writes per second.", lambda v: HARDWARE[v.hardware].hbm_bandwidth,
        ),
        _figure(
            "hbm_bytes", "Memory", "M", "bytes", "80 GB",
            "Memory of one device as its vendor prints it.", lambda v: HARDWARE[v.hardware].hbm_bytes,
        ),
        _figure(
            "link_bandwidth", "Link bandwidth", "BW_link", "byte/s", "450 GB/s",
            "What one device sends per second in one direction; the scale-up link unless given.",
            lambda v: HARDWARE[v.hardware].link_bandwidth,
        ),
    )  # fmt: skip


def _elsewhere(v: Values, needed: Collection[str]) -> dict[str, int | str]:
    """A machine that was measured here is custom hardware with its figures to everybody else."""
    if v.hardware == CUSTOM or not HARDWARE[v.hardware].measured:
        return {}
    return {"hardware": CUSTOM} | {name: getattr(v, name) for name in _FIGURES if name in needed}


class _Names(Sequence[str]):
    """What may be given as hardware: every device that there is at the time, and custom."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return (*HARDWARE, CUSTOM)[index]

    def __len__(self) -> int:
        return len(HARDWARE) + 1

    def __contains__(self, name: object) -> bool:
        return name in HARDWARE or name == CUSTOM


def _figure(
    name: str,
    label: str,
    symbol: str,
    family: str,
    example: str,
    help_text: str,
    look_up: Callable[[Values], int | None],
    also_named: Callable[[Values], Iterable[str]] = lambda _: (),
) -> Input:
    def derive(v: Values) -> int:
        figure = None if v.hardware == CUSTOM else look_up(v)
        if figure is None:
            which = "custom hardware" if v.hardware == CUSTOM else HARDWARE[v.hardware].name
            message = f"{name} is needed: {which} has none of its own. Give it, such as {example}."
            raise Unavailable(name, FieldError(name, "", "a number above 0", message))
        return figure

    def note(v: Values) -> str:
        device = HARDWARE[v.hardware]
        if not device.unconfirmed or device.unconfirmed.isdisjoint((name, *also_named(v))):
            return ""
        return f"No primary source confirms the {label.lower()} of {device.name}; take it as approximate."

    rest: dict[str, Any] = {
        "family": family,
        "group": "hardware",
        "follows": "the hardware",
        "help": help_text,
    }
    return amount(name, label, symbol, derive=derive, note=note, **rest)


def _peak(v: Values, dtype_name: str | None) -> int:
    device = HARDWARE[v.hardware]
    if dtype_name is None:
        message = "peak_flops is needed: nothing here says which of the device's peaks to take."
        raise Unavailable("peak_flops", FieldError("peak_flops", "", "a number above 0", message))
    dtype = getattr(v, dtype_name)
    if dtype not in device.peak_flops:
        known = ", ".join(device.peak_flops)
        message = (
            f"{dtype_name} is {dtype}, for which {v.hardware} has no peak: it has one for {known}. "
            "Choose one of these, or give peak_flops."
        )
        raise Unavailable(dtype_name, FieldError(dtype_name, dtype, f"one of {known}", message))
    return device.peak_flops[dtype]
