"""Physical sense: what is said to run fits the memory it runs in, and no share of a peak is above 1.

That heads divide, or that a device has a peak for a dtype, is the calculators' own to refuse.
"""

from collections.abc import Iterator

from app.bank.lint.subject import Sample, Subject
from app.bank.problems import Fault
from app.bank.variants import Calculation

_SHARES_OF_A_PEAK = ("mfu", "hfu", "utilization")


def check(subject: Subject) -> Iterator[Fault]:
    """The first variant in which each output makes no sense."""
    told = {pair for expression in subject.conditions for pair in expression.attributes}
    reported: set[tuple[str, str]] = set()
    for sample in subject.drawn:
        for name, output, message, hint in _nonsense(sample):
            handled = output in ("fits", "weight_bytes") and (name, output) in told
            if not handled and (name, output) not in reported:
                reported.add((name, output))
                yield Fault(subject.line("calculators", name), f"with {sample.label} {message}", hint)


def _nonsense(sample: Sample) -> Iterator[tuple[str, str, str, str]]:
    """Calculator, output, what is wrong with it, and what to do."""
    for name, calculation in sample.variant.calculators.items():
        outputs = calculation.result.outputs
        if outputs.get("fits") is False:
            hint = f"require: [{name}.fits], or ::: if {name}.fits where both cases are told"
            yield name, "fits", f"the weights of `{name}` do not fit the device", hint
        elif _too_heavy(calculation):
            hint = f"require: [{name}.weight_bytes <= {name}.hbm_bytes * {name}.devices], or more devices"
            yield name, "weight_bytes", f"the weights of `{name}` do not fit the device", hint
        for output in _SHARES_OF_A_PEAK:
            share = outputs.get(output)
            if isinstance(share, int | float) and share > 1:
                hint = "lower the rate, or use a faster device"
                yield name, output, f"{name}.{output} is {share:.3g}, above the peak", hint


def _too_heavy(calculation: Calculation) -> bool:
    """Whether the weights that a calculator reads from memory are more than its devices hold."""
    outputs, values = calculation.result.outputs, calculation.result.resolved.values
    if "weight_bytes" not in outputs or "fits" in outputs or not values.has("hbm_bytes"):
        return False
    devices = values.devices if values.has("devices") else 1
    return bool(outputs["weight_bytes"] > values.hbm_bytes * devices)
