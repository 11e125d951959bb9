"""Conventions that several calculators share. Each of them, read otherwise, changes a result by a factor."""

from calculators.spec import Convention, convention

DENSE = convention("Peaks are dense, without structured sparsity.", "hardware", "peak_flops")
ONE_DIRECTION = convention(
    "Link bandwidth is that of one device in one direction: NVLink's 900 GB/s is 450 each way.",
    "hardware",
    "link_bandwidth",
)


def gigabytes(*beside: str) -> Convention:
    """Which gigabyte is meant, beside these inputs and outputs."""
    return convention("GB is 10⁹ bytes, GiB is 2³⁰.", *beside)


def multiply_adds(*beside: str) -> Convention:
    """How FLOP are counted, beside these inputs and outputs."""
    return convention("One multiply-add is 2 FLOP.", *beside)
