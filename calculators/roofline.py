"""Where the time goes: the roofline, alone and under a matrix product."""

from calculators.conventions import DENSE, gigabytes, multiply_adds
from calculators.cost.matmul import matmul_bytes, matmul_flops
from calculators.cost.roofline import roofline
from calculators.spec import (
    Calculator,
    Output,
    Roof,
    Source,
    Values,
    amount,
    by_name,
    convention,
    count,
)
from calculators.spec.hardware_inputs import dtype_input, element_size, hardware_inputs

LIMITS = {"compute": "time_compute", "memory": "time_memory"}

_WILLIAMS = Source(
    "Williams, Waterman, Patterson 2009: Roofline, an insightful visual performance model",
    "https://doi.org/10.1145/1498765.1498785",
    "The roofline model",
)

_UNDER_THE_ROOF = (
    Output(
        name="intensity",
        label="Arithmetic intensity",
        symbol="I",
        family="intensity",
        formula="flops / bytes",
        meaning="Work done for each byte that crosses the memory bus.",
        roofs=(Roof(("ridge_point",)),),
    ),
    Output(
        name="ridge_point",
        label="Ridge point",
        symbol="I_ridge",
        family="intensity",
        formula="peak_flops / hbm_bandwidth",
        meaning="The intensity from which the device can reach its peak: below it memory binds.",
    ),
    Output(
        name="attainable_flops",
        label="Attainable compute",
        symbol="P_max",
        family="flop/s",
        formula="min(peak_flops, intensity * hbm_bandwidth)",
        meaning="The speed that the roof allows at this intensity.",
        source="Williams et al. 2009",
        roofs=(
            Roof(("peak_flops",), limit="compute"),
            Roof(("intensity", "hbm_bandwidth"), "Memory bandwidth", "memory"),
        ),
    ),
    Output(
        name="time_compute",
        label="Time of compute",
        symbol="t_compute",
        family="time",
        formula="flops / peak_flops",
        meaning="How long the arithmetic takes at the peak.",
    ),
    Output(
        name="time_memory",
        label="Time of memory",
        symbol="t_memory",
        family="time",
        formula="bytes / hbm_bandwidth",
        meaning="How long the bytes take at full bandwidth.",
    ),
    Output(
        name="time",
        label="Time",
        symbol="t",
        family="time",
        formula="max(time_compute, time_memory)",
        meaning="The larger of the two: arithmetic and traffic overlap fully.",
    ),
    Output(
        name="bound",
        label="Limit that binds",
        family=None,
        formula="longest(compute=time_compute, memory=time_memory)",
        meaning="The limit with the longer time; compute where both are equal.",
    ),
)

_LEAVES_OUT = (
    "Caches: every byte counted is taken to come from, or go to, the device's memory.",
    "Launch and latency, which rule when the work takes only a few microseconds.",
    "What keeps a kernel from its peak. Large matrix products were measured at about 80 % of it on an H100 "
    "and 87 % on an A100.",
)
_CONVENTIONS = (
    multiply_adds("flops"),
    DENSE,
    gigabytes("bytes"),
    convention("A tie counts as compute.", "bound"),
)

ROOFLINE = Calculator(
    slug="roofline",
    title="Roofline",
    topic="where-the-time-goes",
    summary="Whether arithmetic or memory traffic sets the time of a piece of work, and how far from the "
    "other limit it is.",
    inputs=(
        amount("flops", "Work", "F", family="flop", default="1e12", help="Floating-point operations."),
        amount("bytes", "Memory traffic", "B", family="bytes", default="1e10", help="Read and written."),
        dtype_input(help="Picks the device's peak. The bytes above are counted already."),
        *hardware_inputs("a100-80gb-sxm"),
    ),
    outputs=_UNDER_THE_ROOF,
    headline="time",
    compute=lambda v: by_name(
        roofline(flops=v.flops, bytes_moved=v.bytes, peak_flops=v.peak_flops, hbm_bandwidth=v.hbm_bandwidth)
    ),
    needs=("peak_flops", "hbm_bandwidth"),
    limits=LIMITS,
    plot=("intensity", "attainable_flops"),
    traces={"intensity": "flops"},
    sources=(_WILLIAMS,),
    leaves_out=_LEAVES_OUT,
    conventions=_CONVENTIONS,
)


def _matmul(v: Values) -> dict[str, object]:
    shape = {"m": v.m, "k": v.k, "n": v.n, "batch": v.batch}
    flops = matmul_flops(**shape)
    moved = matmul_bytes(**shape, bytes_per_element=v.bytes_per_element)
    roof = roofline(flops=flops, bytes_moved=moved, peak_flops=v.peak_flops, hbm_bandwidth=v.hbm_bandwidth)
    return {"flops": flops, "bytes": moved, **by_name(roof)}


MATMUL = Calculator(
    slug="matmul",
    title="Matrix product",
    topic="where-the-time-goes",
    summary="Work, traffic and time of (m, k) times (k, n), alone or in a batch, and whether the device's "
    "arithmetic or its memory is the limit.",
    inputs=(
        count("m", "Rows of the first operand", "m", default="4096", help="Often the tokens in flight."),
        count("k", "Shared dimension", "k", default="4096", help="Summed over: columns of the first one."),
        count("n", "Columns of the second operand", "n", default="4096", help="Often the output features."),
        count("batch", "Batch", "b", default="1", help="Independent products of this shape."),
        dtype_input(help="Of both operands and the result. It sets the bytes, and picks the device's peak."),
        *hardware_inputs("a100-80gb-sxm"),
    ),
    terms=(element_size(),),
    outputs=(
        Output(
            name="flops",
            label="Work",
            symbol="F",
            family="flop",
            formula="2 * batch * m * k * n",
            meaning="k multiply-adds for each of the m · n results.",
        ),
        Output(
            name="bytes",
            label="Memory traffic",
            symbol="B",
            family="bytes",
            formula="batch * (m*k + k*n + m*n) * bytes_per_element",
            meaning="Both operands read once and the result written once.",
        ),
        *_UNDER_THE_ROOF,
    ),
    headline="time",
    compute=_matmul,
    needs=("peak_flops", "hbm_bandwidth"),
    limits=LIMITS,
    plot=("m", "attainable_flops"),
    sources=(
        _WILLIAMS,
        Source(
            "NVIDIA: Matrix Multiplication Background User's Guide",
            ""
            "https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html",
            "Math and memory bounds",
        ),
    ),
    leaves_out=(
        "What tiling reads again where an operand does not fit the on-chip memory.",
        "Tiles that the shape does not fill, and a last wave of tiles that leaves units idle.",
        "An operand shared over the batch is still counted once for each entry.",
        *_LEAVES_OUT[1:],
    ),
    conventions=_CONVENTIONS,
)
