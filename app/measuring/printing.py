"""A measurement in words and a table, for a terminal."""

from collections.abc import Iterator

from app.measuring.record import MeasuredMachine, Pass, Product
from calculators.quantities import format_both_bytes, format_quantity


def report(machine: MeasuredMachine) -> Iterator[str]:
    """What the machine reached, and what a transformer took on it beside the prediction."""
    caches, _ = format_both_bytes(machine.cache_bytes)
    threads = f"{machine.threads} {'thread' if machine.threads == 1 else 'threads'}"
    yield f"{machine.cpu}: {threads} of {machine.blas}, {caches} of last-level cache"
    yield ""
    arrays, _ = format_both_bytes(machine.array_bytes)
    yield f"Memory bandwidth over arrays of {arrays}, best run; bytes as a program names them, without the"
    yield "write-allocate, by which a line about to be overwritten is read first:"
    best = max(machine.streams, key=lambda stream: stream.bandwidth)
    for stream in machine.streams:
        kept = "  taken as the bandwidth" if stream is best else ""
        yield f"  {stream.name:<6} {format_quantity(stream.bandwidth, 'byte/s'):>10}{kept}"
    yield f"Product of two fp32 matrices of {machine.product.size} rows, best run:"
    yield f"  {_speed(machine.product)}"
    ridge = machine.peak_flops["fp32"] / machine.hbm_bandwidth
    yield f"Ridge point: {format_quantity(ridge, 'intensity')}; below it memory is the limit."
    if machine.passes:
        yield ""
        yield f"GPT-2 small in fp32, {format_quantity(machine.weight_bytes, 'bytes')} of weights:"
        yield from _table(machine.passes)
        yield "Predicted is the longer of bytes and work at the measured peaks, softmax and GELU left out."
        yield from _comparison(machine.passes)
    for remark in machine.remarks:
        yield f"Note: {remark}"


def _speed(product: Product) -> str:
    return format_quantity(product.speed, "flop/s")


def _table(passes: tuple[Pass, ...]) -> Iterator[str]:
    head = ("", "limit", "predicted", "measured", "reached", "bytes", "work", "FLOP/B")
    rows = [head, *(_row(run) for run in passes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for name, limit, *numbers in rows:
        cells = (f"{cell:>{width}}" for cell, width in zip(numbers, widths[2:], strict=True))
        yield "  ".join((f"  {name:<{widths[0]}}", f"{limit:<{widths[1]}}", *cells)).rstrip()


def _row(run: Pass) -> tuple[str, ...]:
    return (
        run.name,
        run.limit,
        format_quantity(run.predicted, "time"),
        format_quantity(run.seconds, "time"),
        format_quantity(run.predicted / run.seconds, "ratio", figures=2),
        format_quantity(run.bytes / run.seconds, "byte/s"),
        format_quantity(run.flops / run.seconds, "flop/s"),
        format_quantity(run.flops / run.bytes, "count"),
    )


def _comparison(passes: tuple[Pass, ...]) -> Iterator[str]:
    """What shows the limits without any peak: a batch's step beside a single one, and a token's time."""
    single = next((run for run in passes if run.limit == "memory" and run.batch == 1), None)
    several = next((run for run in passes if run.batch > 1), None)
    prompt = next((run for run in passes if run.tokens > run.batch), None)
    if single and several:
        longer = format_quantity(several.seconds / single.seconds, "count", figures=2)
        yield f"A step of {several.batch} sequences took {longer} times as long as a step of one, and made"
        yield f"{several.batch} tokens: the weights are read once for all of them."
    if single and prompt:
        quicker = format_quantity(single.seconds * prompt.tokens / prompt.seconds, "count", figures=2)
        yield f"Prefill went through tokens {quicker} times as fast as a step of one: a single read of the"
        yield "weights serves all of the prompt."
