"""What is measured stays within a quarter of the free memory and beyond the caches."""

import pytest

from app.measuring import planning
from app.measuring.machine import Machine
from app.measuring.planning import TooLittleMemory, plan
from calculators.presets import MODELS

GPT2 = MODELS["gpt2-small"].dimensions
GIB, MIB = 2**30, 2**20


def machine(free: int, cache: int = 32 * MIB) -> Machine:
    return Machine("Test", "testblas 1", 4, cache, 2 * free, free)


def test_gpt2_small_is_498_mb_in_fp32() -> None:
    assert planning.weight_bytes(GPT2) == 124_439_808 * 4 == 497_759_232


def test_with_memory_enough_everything_is_measured() -> None:
    planned = plan(machine(16 * GIB))
    assert [each.name for each in planned.passes] == [
        "decode, batch 1",
        "decode, batch 8",
        "prefill, 960 tokens",
    ]
    assert planned.array_bytes == 4 * 32 * MIB
    assert planned.matrix == 3072
    assert planned.steps == 3 + 1 + 1 + 3
    assert planned.remarks == ()


def test_quick_has_fewer_runs_and_smaller_matrices_but_streams_as_far() -> None:
    full, quick = plan(machine(16 * GIB)), plan(machine(16 * GIB), quick=True)
    assert quick.effort.runs < full.effort.runs
    assert quick.effort.budget < full.effort.budget
    assert quick.matrix < full.matrix
    assert (quick.array_bytes, quick.passes) == (full.array_bytes, full.passes)


@pytest.mark.parametrize("free", [200 * MIB, 1 * GIB, 2 * GIB, 3 * GIB, 5 * GIB, 200 * GIB])
@pytest.mark.parametrize("cache", [256 * 1024, 32 * MIB, 768 * MIB])
def test_no_part_takes_more_than_a_quarter_of_what_is_free(free: int, cache: int) -> None:
    planned = plan(machine(free, cache))
    assert 3 * planned.array_bytes <= free / 4
    assert 3 * 4 * planned.matrix**2 <= free / 4
    for each in planned.passes:
        cached = each.batch * each.context * 2 * 12 * 768 * 4
        assert 497_759_232 + cached < planning.pass_bytes(GPT2, each) <= free / 4


def test_what_does_not_fit_is_named_with_what_it_needs() -> None:
    planned = plan(machine(3 * GIB), remarks=["Said before."])
    assert [each.kind for each in planned.passes] == ["decode", "prefill"]
    assert planned.remarks == (
        "Said before.",
        "Left out: decode, batch 8, which needs 1.07 GB; a quarter of what is free is 805 MB.",
    )
    alone = plan(machine(1 * GIB))
    assert (alone.passes, alone.steps) == ((), 4)


def test_arrays_that_the_caches_may_hold_are_remarked_on() -> None:
    planned = plan(machine(2 * GIB, cache=256 * MIB))
    assert (
        "The arrays are too small beside 256 MiB of caches: the bandwidth may be theirs." in planned.remarks
    )


def test_where_hardly_any_memory_is_free_nothing_is_measured() -> None:
    with pytest.raises(TooLittleMemory, match=r"takes 201 MB of free memory at least, and there are 105 MB"):
        plan(machine(100 * MIB))
