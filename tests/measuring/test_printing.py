"""A measurement as a terminal shows it."""

from datetime import UTC, datetime

from app.measuring.printing import report
from app.measuring.record import MeasuredMachine, Pass, Product, Streamed

PASSES = (
    ("decode, batch 1", 1, 1, 0.002, 0.030, 0.040),
    ("decode, batch 8", 8, 8, 0.015, 0.050, 0.100),
    ("prefill, 960 tokens", 1, 960, 1.200, 0.028, 1.600),
)
MACHINE = MeasuredMachine(
    slug="measured-test",
    name="Test",
    measured_at=datetime(2026, 11, 30, tzinfo=UTC),
    cpu="Test 9000",
    blas="testblas 1",
    threads=1,
    cache_bytes=2**25,
    memory_bytes=16 * 10**9,
    peak_flops={"fp32": 150 * 10**9},
    hbm_bandwidth=20 * 10**9,
    array_bytes=2**27,
    streams=(
        Streamed(name="copy", bytes=10**9, seconds=0.1),
        Streamed(name="read", bytes=10**9, seconds=0.05),
    ),
    product=Product(size=3072, flops=15 * 10**9, seconds=0.1),
    weight_bytes=497_759_232,
    passes=tuple(
        Pass(
            name=name,
            batch=batch,
            tokens=tokens,
            flops=int(compute * 150e9),
            bytes=int(memory * 20e9),
            time_compute=compute,
            time_memory=memory,
            limit="compute" if compute > memory else "memory",
            seconds=seconds,
        )
        for name, batch, tokens, compute, memory, seconds in PASSES
    ),
    remarks=("Said before.",),
)


def test_each_pass_has_its_limit_and_both_times() -> None:
    lines = list(report(MACHINE))
    assert lines[0] == "Test 9000: 1 thread of testblas 1, 32 MiB of last-level cache"
    assert "  read      20 GB/s  taken as the bandwidth" in lines
    assert "  copy      10 GB/s" in lines
    assert "Ridge point: 7.5 FLOP/B; below it memory is the limit." in lines
    rows = [line.split("  ") for line in lines if line.startswith(("  decode", "  prefill"))]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert cells == [
        ["decode, batch 1", "memory", "30 ms", "40 ms", "75%", "15 GB/s", "7.5 GFLOP/s", "0.5"],
        ["decode, batch 8", "memory", "50 ms", "100 ms", "50%", "10 GB/s", "22.5 GFLOP/s", "2.25"],
        ["prefill, 960 tokens", "compute", "1.2 s", "1.6 s", "75%", "350 MB/s", "113 GFLOP/s", "321"],
    ]
    assert lines[-1] == "Note: Said before."


def test_what_was_seen_needs_no_peak() -> None:
    text = " ".join(report(MACHINE))
    assert "A step of 8 sequences took 2.5 times as long as a step of one" in text
    assert "Prefill went through tokens 24 times as fast as a step of one" in text


def test_without_passes_only_the_peaks_are_said() -> None:
    alone = MACHINE.model_copy(update={"passes": ()})
    assert not [line for line in report(alone) if "GPT-2" in line or "Prefill" in line]
