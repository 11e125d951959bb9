"""pipeline against schedules that are carried out slot by slot."""

from collections import deque
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calculators
from calculators.cost import DomainError
from calculators.cost.pipeline import pipeline
from calculators.spec import InvalidInputs

PIPELINE = calculators.get("pipeline")
Task = tuple[str, int, int]  # "F" or "B", micro-batch, chunk


def gpipe(_: int, p: int, m: int, v: int) -> list[Task]:
    return [("F", k, 0) for k in range(m)] + [("B", k, 0) for k in reversed(range(m))]


def one_forward_one_backward(stage: int, p: int, m: int, v: int) -> list[Task]:
    return alternating(
        min(p - stage - 1, m), [("F", k, 0) for k in range(m)], [("B", k, 0) for k in range(m)]
    )


def interleaved(stage: int, p: int, m: int, v: int) -> list[Task]:
    """Megatron-LM's order: p micro-batches through chunk 0, the same through chunk 1, and so on."""
    order = [(k // (p * v) * p + k % p, k % (p * v) // p) for k in range(m * v)]
    warm_up = min(2 * (p - stage - 1) + (v - 1) * p, m * v)
    return alternating(warm_up, [("F", k, c) for k, c in order], [("B", k, v - 1 - c) for k, c in order])


def alternating(warm_up: int, forward: list[Task], backward: list[Task]) -> list[Task]:
    tasks = forward[:warm_up]
    for index, task in enumerate(forward[warm_up:]):
        tasks += [task, backward[index]]
    return tasks + backward[len(forward) - warm_up :]


def before(stage: int, task: Task, p: int, v: int) -> tuple[int, Task] | None:
    """The stage and task that a task waits for."""
    kind, k, c = task
    if kind == "F":
        if stage:
            return stage - 1, task
        return (p - 1, ("F", k, c - 1)) if c else None
    if stage < p - 1:
        return stage + 1, task
    return (0, ("B", k, c + 1)) if c < v - 1 else (stage, ("F", k, c))


def carry_out(
    schedule: Any, p: int, m: int, v: int, forward: int, backward: int
) -> tuple[Fraction, Fraction]:
    """When everything is done, and the most micro-batches that stage 0 holds."""
    queues = [deque(schedule(stage, p, m, v)) for stage in range(p)]
    duration = {"F": Fraction(forward, v), "B": Fraction(backward, v)}
    free = [Fraction(0)] * p
    done: dict[tuple[int, Task], Fraction] = {}
    held = most = 0
    while any(queues):
        moved = False
        for stage, queue in enumerate(queues):
            while queue:
                wait = before(stage, queue[0], p, v)
                if wait is not None and wait not in done:
                    break
                task = queue.popleft()
                start = max(free[stage], done[wait] if wait is not None else Fraction(0))
                free[stage] = done[stage, task] = start + duration[task[0]]
                moved = True
                if stage == 0:
                    held += 1 if task[0] == "F" else -1
                    most = max(most, held)
        assert moved, "the schedule waits for itself"
    return max(free), Fraction(most, v)


@pytest.mark.parametrize(
    ("name", "schedule"), [("gpipe", gpipe), ("1f1b", one_forward_one_backward), ("interleaved", interleaved)]
)
@given(data=st.data())
def test_slot_by_slot(name: str, schedule: Any, data: st.DataObject) -> None:
    p = data.draw(st.integers(1, 6))
    v = data.draw(st.integers(1, 4)) if name == "interleaved" else 1
    m = data.draw(st.integers(1, 4)) * p if name == "interleaved" else data.draw(st.integers(1, 20))
    forward, backward = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    end, most = carry_out(schedule, p, m, v, forward, backward)
    ideal = m * (forward + backward)
    outputs = PIPELINE.evaluate(stages=p, micro_batches=m, interleave=v, schedule=name).exact
    assert outputs["bubble_ratio"] == (end - ideal) / ideal
    assert outputs["bubble_fraction"] == (end - ideal) / end
    assert outputs["speedup"] == p * ideal / end
    assert outputs["micro_batches_in_flight"] == most


def test_by_hand_and_as_megatron_prints_it() -> None:
    # Narayanan et al. 2021, 2.2: (p-1)/m, and (p-1)/(v m) interleaved: 7/32, and 7/64 with two chunks
    assert PIPELINE.evaluate().exact["bubble_ratio"] == Fraction(7, 32)
    two = PIPELINE.evaluate(interleave=2)
    assert two.exact["bubble_ratio"] == Fraction(7, 64)
    # What is in flight is decided by the word alone: min(m, p) under 1f1b, p + (p-1)/v where it interleaves.
    assert two.outputs["micro_batches_in_flight"] == 8
    assert any("interleaved schedule" in note for note in two.notes)
    both = PIPELINE.evaluate(interleave=2, schedule="interleaved")
    assert both.outputs["micro_batches_in_flight"] == 8 + 7 / 2
    assert both.exact["bubble_ratio"] == Fraction(7, 64)


def test_gpipe_hides_its_bubble_from_four_times_as_many_micro_batches() -> None:
    # Huang et al. 2019, 2.3: the bubble is negligible when M >= 4 K: under a fifth of the whole time.
    for stages in (2, 8, 64):
        run = PIPELINE.evaluate(schedule="gpipe", stages=stages, micro_batches=4 * stages).exact
        assert run["bubble_fraction"] < Fraction(1, 5)


def test_interleaved_memory_as_korthikanti_et_al_print_it() -> None:
    # 4.2.3: interleaving stores 1 + (p-1)/(pm) times as much, m being the chunks of a stage.
    plain = PIPELINE.evaluate(micro_batches=64).exact["micro_batches_in_flight"]
    three = PIPELINE.evaluate(micro_batches=64, schedule="interleaved", interleave=3).exact
    assert three["micro_batches_in_flight"] / Fraction(plain) == 1 + Fraction(7, 8 * 3)


def test_gpipe_does_not_interleave() -> None:
    with pytest.raises(InvalidInputs, match="interleave is 2, but must be 1 with the gpipe schedule"):
        PIPELINE.evaluate(schedule="gpipe", interleave=2)
    swept = PIPELINE.sweep("interleave", [1, 2], schedule="gpipe")["speedup"]
    assert [value > 0 for value in swept] == [True, False]
    with pytest.raises(DomainError, match="interleave is 2"):
        pipeline(stages=2, micro_batches=2, interleave=2, schedule="gpipe")
    other: Any = "zb-h1"
    with pytest.raises(DomainError, match="schedule is zb-h1, but must be one of gpipe, 1f1b, interleaved"):
        pipeline(stages=2, micro_batches=2, interleave=1, schedule=other)


@given(p=st.integers(1, 100), m=st.integers(1, 10**4), more=st.integers(1, 50), v=st.integers(1, 8))
def test_more_micro_batches_and_chunks_never_idle_more(p: int, m: int, more: int, v: int) -> None:
    base = PIPELINE.evaluate(stages=p, micro_batches=m).exact
    for other in ({"micro_batches": m * more}, {"micro_batches": m, "interleave": v}):
        assert PIPELINE.evaluate(other, stages=p).exact["bubble_ratio"] <= base["bubble_ratio"]
    assert 1 <= base["speedup"] <= min(p, m)


def test_limits_and_notes() -> None:
    assert PIPELINE.evaluate(stages=1).outputs["speedup"] == 1
    assert PIPELINE.evaluate(stages=1).outputs["bubble_ratio"] == 0
    assert (
        PIPELINE.evaluate(schedule="gpipe", micro_batches=2**70).outputs["micro_batches_in_flight"] == 2**70
    )
    assert any("multiples of the stages" in n for n in PIPELINE.evaluate(interleave=2, micro_batches=9).notes)
    assert any("take 1f1b" in note for note in PIPELINE.evaluate(schedule="interleaved").notes)
    assert any("fewer micro-batches" in note for note in PIPELINE.evaluate(micro_batches=3).notes)


@pytest.mark.parametrize("schedule", ["gpipe", "1f1b", "interleaved"])
@pytest.mark.parametrize("name", ["stages", "micro_batches", "interleave"])
def test_a_sweep_is_its_points(schedule: str, name: str) -> None:
    values = [1] if (schedule, name) == ("gpipe", "interleave") else [1, 2, 7, 64]
    columns = PIPELINE.sweep(name, values, schedule=schedule)
    for index, value in enumerate(values):
        single = PIPELINE.evaluate({"schedule": schedule, name: value}).outputs
        assert {output: column[index] for output, column in columns.items()} == pytest.approx(single)
