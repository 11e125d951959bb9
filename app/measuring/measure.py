"""Measuring a machine, and predicting from its peaks what a transformer takes on it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from app.measuring import gpt2
from app.measuring.blas import Blas
from app.measuring.machine import Machine
from app.measuring.planning import ELEMENT, PassPlan, Plan, weight_bytes
from app.measuring.record import MeasuredMachine, Pass, Product, Streamed
from app.measuring.streams import streams
from app.measuring.timing import Clock, Threads, as_many_threads, best_of
from calculators.cost.dimensions import Dimensions
from calculators.cost.inference import (
    decode_flops_per_sequence,
    forward_pass,
    prefill_cache_bytes,
    prefill_flops_per_sequence,
)
from calculators.cost.kv_cache import kv_bytes_per_sequence
from calculators.cost.matmul import matmul_flops
from calculators.cost.mixture import parameters_read

Best: TypeAlias = Callable[[Callable[[], object]], float]

_FIGURES: Final = 4  # of a peak that is kept: its last ones are another at the next measurement


def measure(
    machine: Machine,
    blas: Blas,
    plan: Plan,
    *,
    slug: str,
    name: str,
    now: datetime,
    clock: Clock,
    begin: Callable[[str], object] = lambda _: None,
) -> MeasuredMachine:
    """Everything that the plan has, one thing after another; `begin` is told each before it begins."""
    with as_many_threads(blas) as threads:
        best = partial(best_of, runs=plan.effort.runs, budget=plan.effort.budget, clock=clock)
        streamed = _streamed(plan.array_bytes // ELEMENT, threads, best, begin)
        begin("matrix product")
        product = _product(plan.matrix, threads, best)
        peak = rounded(product.speed)
        bandwidth = rounded(max(stream.bandwidth for stream in streamed))
        passes: list[Pass] = []
        if plan.passes:
            begin("weights")
            weights = gpt2.draw(plan.dims)
            for planned in plan.passes:
                begin(planned.name)
                seconds = best(_run(weights, planned, threads))
                passes.append(Pass(seconds=seconds, **predict(plan.dims, planned, peak, bandwidth)))
    return MeasuredMachine(
        slug=slug,
        name=name,
        measured_at=now,
        cpu=machine.cpu,
        blas=machine.blas,
        threads=machine.threads,
        cache_bytes=machine.cache_bytes,
        memory_bytes=machine.memory_bytes,
        peak_flops={"fp32": peak},
        hbm_bandwidth=bandwidth,
        array_bytes=plan.array_bytes,
        streams=streamed,
        product=product,
        weight_bytes=weight_bytes(plan.dims) if passes else 0,
        passes=tuple(passes),
        remarks=plan.remarks,
    )


def predict(dims: Dimensions, planned: PassPlan, peak_flops: int, bandwidth: int) -> dict[str, Any]:
    """What the cost library says of a pass under these peaks, by the names of `Pass`."""
    batch, context = planned.batch, planned.context
    if planned.kind == "decode":
        tokens = batch
        flops = batch * decode_flops_per_sequence(dims=dims, context=context)
        cache = kv_bytes_per_sequence(dims=dims, seq_len=context, bytes_per_element=ELEMENT)
    else:
        tokens = batch * context
        flops = batch * prefill_flops_per_sequence(dims=dims, prompt=context)
        cache = prefill_cache_bytes(dims=dims, prompt=context, bytes_per_element=ELEMENT)
    moved = parameters_read(dims=dims, tokens=tokens) * ELEMENT + batch * cache
    run = forward_pass(
        flops=flops, bytes_moved=moved, devices=1, peak_flops=peak_flops, hbm_bandwidth=bandwidth
    )
    return {
        "name": planned.name,
        "batch": batch,
        "tokens": tokens,
        "flops": int(flops),
        "bytes": int(moved),
        "time_compute": float(run.time_compute),
        "time_memory": float(run.time_memory),
        "limit": run.bound,
    }


def rounded(figure: float) -> int:
    """A peak as it is kept, to four figures."""
    return int(float(f"{figure:.{_FIGURES}g}"))


def _streamed(
    elements: int, threads: Threads, best: Best, begin: Callable[[str], object]
) -> tuple[Streamed, ...]:
    """In a function of its own, so that the arrays are given back before there are weights."""
    done = []
    for stream in streams(elements, threads):
        begin(f"memory: {stream.name}")
        done.append(Streamed(name=stream.name, bytes=stream.bytes, seconds=best(stream.run)))
    return tuple(done)


def _product(size: int, threads: Threads, best: Best) -> Product:
    generator = np.random.default_rng(0)
    a, b = (generator.random((size, size), dtype=np.float32) for _ in range(2))
    out = np.empty_like(a)
    flops = matmul_flops(m=size, k=size, n=size)

    def multiply(rows: slice) -> None:
        np.matmul(a[rows], b, out=out[rows])

    return Product(size=size, flops=flops, seconds=best(partial(threads.each, multiply, size)))


def _run(weights: gpt2.Weights, planned: PassPlan, threads: Threads) -> Callable[[], object]:
    cache = gpt2.empty_cache(weights.dims, batch=planned.batch, context=planned.context)
    return partial(gpt2.decode if planned.kind == "decode" else gpt2.prefill, weights, cache, threads)
