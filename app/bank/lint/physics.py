"""Physical sense: what is said to run fits the memory it runs in, and no share of a peak is above 1.

That heads divide, or that a device has a peak for a dtype, is the calculators' own to refuse.
"""

from collections.abc import Iterator

from app.bank.lint.subject import Subject
from app.bank.problems import Fault

_SHARES_OF_A_PEAK = ("mfu", "hfu")


def check(subject: Subject) -> Iterator[Fault]:
    handled = {pair for expression in subject.conditions for pair in expression.attributes}
    reported: set[tuple[str, str]] = set()
    for sample in subject.drawn:
        for name, calculation in sample.variant.calculators.items():
            outputs = calculation.result.outputs
            line = subject.line("calculators", name)
            if outputs.get("fits") is False and (name, "fits") not in handled | reported:
                reported.add((name, "fits"))
                hint = f"require: [{name}.fits], or ::: if {name}.fits where both cases are told"
                yield Fault(line, f"with {sample.label} the weights of `{name}` do not fit the device", hint)
            for output in _SHARES_OF_A_PEAK:
                share = outputs.get(output)
                if isinstance(share, int | float) and share > 1 and (name, output) not in reported:
                    reported.add((name, output))
                    hint = "lower the rate, or use a faster device"
                    yield Fault(
                        line, f"with {sample.label} {name}.{output} is {share:.3g}, above the peak", hint
                    )
