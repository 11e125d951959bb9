"""Solving: the inverse of evaluating, in every shape that a solution can have."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import Calculator, InvalidInputs, Root, Solution, SolveError

KV_CACHE = calculators.get("kv-cache")
LAUNCH = calculators.get("launch-overhead")
MFU = calculators.get("mfu")
PARAMS = calculators.get("transformer-params")
ROOFLINE = calculators.get("roofline")
SCORES = calculators.get("attention-scores")
SERVING = calculators.get("serving-capacity")


def only(solution: Solution) -> Root:
    (root,) = solution.solutions
    return root


def whole(root: Root, name: str, output: str) -> list[tuple[Any, Any]]:
    return [(result.inputs[name], result.outputs[output]) for result in root.whole]


def test_a_whole_solution_is_exact() -> None:
    solution = SCORES.solve("seq_len", "score_bytes", "128 GiB")
    root = only(solution)
    assert root.value == 8192
    assert type(root.value) is int
    assert whole(root, "seq_len", "score_bytes") == [(8192, 128 * 2**30)]
    assert (root.through, root.result, solution.notes) == (None, None, ())
    assert solution.target == 128 * 2**30


def test_a_solution_between_whole_numbers_has_both_beside_it() -> None:
    root = only(SCORES.solve("seq_len", "score_bytes", "2 GB"))
    assert root.value == pytest.approx((2e9 / 2048) ** 0.5, rel=1e-12)
    (below, less), (above, more) = whole(root, "seq_len", "score_bytes")
    assert (below, above) == (988, 989)
    assert less < 2e9 < more


def test_an_amount_comes_back_round_with_its_result() -> None:
    root = only(LAUNCH.solve("launch_time", "time_launch", "7 ms"))
    assert root.value == 7e-6
    assert root.whole == ()
    assert root.result is not None
    assert root.result.exact["time_launch"] == Fraction(7, 1000)


def test_the_target_is_text_in_the_outputs_family_or_a_number() -> None:
    for target in ("50%", "0.5", 0.5, Fraction(1, 2)):
        root = only(MFU.solve("tokens_per_second", "mfu", target))
        assert root.value == pytest.approx(257904.2, rel=1e-6)


def test_figures_and_dimensions_can_be_solved_for() -> None:
    assert only(ROOFLINE.solve("peak_flops", "time_compute", "1 ms")).value == 10**15
    assert (
        only(ROOFLINE.solve("hbm_bandwidth", "ridge_point", 100, hardware="custom", peak_flops=1e14)).value
        == 1e12
    )
    root = only(PARAMS.solve("layers", "total", "70553706496", model="llama-3-70b"))
    assert root.value == 80


def test_whole_numbers_that_a_check_refuses_are_passed_over() -> None:
    root = only(PARAMS.solve("heads", "attention", 2 * 10**9, model="llama-3-8b"))
    assert [result.inputs["heads"] for result in root.whole] == [48, 56]
    widths = only(
        PARAMS.solve("d_model", "total", "1B", model="custom", layers=12, heads=16, vocab_size=32000)
    )
    assert [result.inputs["d_model"] for result in widths.whole] == [2416, 2432]


def test_a_stretch_is_given_from_end_to_end() -> None:
    root = only(SERVING.solve("seq_len", "sequences", 10))
    assert (root.value, root.through) == (5990, 6587)
    assert whole(root, "seq_len", "sequences") == [(5990, 10), (6587, 10)]
    assert SERVING.evaluate(seq_len=5989).outputs["sequences"] == 11
    assert SERVING.evaluate(seq_len=6588).outputs["sequences"] == 9


def test_a_stretch_between_whole_numbers_says_so() -> None:
    solution = SERVING.solve("devices", "sequences", 33)
    root = only(solution)
    assert root.through is not None
    assert 1 < root.value < root.through < 2
    assert whole(root, "devices", "sequences") == [(1, 32), (2, 79)]
    assert solution.notes == ("No whole devices gives exactly 33: see those beside it.",)


def test_a_stretch_of_an_amount() -> None:
    root = only(SERVING.solve("hbm_bytes", "sequences", 33))
    assert root.value == pytest.approx(26031728640 + 33 * 1677721600)
    assert root.through == pytest.approx(26031728640 + 34 * 1677721600)
    assert root.result is not None
    assert root.result.outputs["sequences"] == 33


def test_nought_is_a_target_like_another() -> None:
    root = only(SERVING.solve("memory_fraction", "free_bytes", "0 B"))
    assert root.value == 0.325396608
    assert root.result is not None
    assert root.result.outputs["fits"] is True


def test_a_step_past_the_target_says_the_two_sides() -> None:
    solution = SERVING.solve("hbm_bytes", "sequences", 32.5)
    assert solution.solutions == ()
    assert solution.notes == ("At hbm_bytes = 81.3965 GB, sequences jumps from 32 to 33, past 32.5.",)


def test_an_input_that_plays_no_part() -> None:
    never = SCORES.solve("batch", "ratio", 1000)
    assert never.solutions == ()
    assert never.notes == ("ratio does not depend on batch: it is 1,024 at any value, never 1,000.",)
    always = SCORES.solve("batch", "ratio", 1024)
    assert always.solutions == ()
    assert always.notes == ("ratio does not depend on batch: it is 1,024 at any value, which is the target.",)


@pytest.mark.parametrize(
    ("elements", "launch_time"), [(1, 1536), (2, 2560), (1000, 3 * 10**6), (10**6, 10**9)]
)
def test_a_solution_among_values_that_floats_cannot_tell_apart(elements: int, launch_time: int) -> None:
    fusion = calculators.get("fusion")
    target = fusion.evaluate(elements=elements, launch_time=launch_time).exact["time_fused"]
    root = only(fusion.solve("elements", "time_fused", target, launch_time=launch_time))
    assert (root.value, root.through) == (elements, None)


@pytest.mark.parametrize(
    ("slug", "name", "output", "target", "says"),
    [
        (
            "attention-scores",
            "batch",
            "score_bytes",
            "1 B",
            "score_bytes is at least 67.1089 MB, at batch = 1",
        ),
        ("decode", "batch", "tokens_per_second", 5000, "at most 3,797.93 token/s, however large batch is"),
        ("roofline", "flops", "time", "1 ms", "time is at least 4.90436 ms, however small flops is"),
        ("decode", "hbm_bandwidth", "time", "44us", "at least 44.0738 µs, however large hbm_bandwidth is"),
        ("amdahl", "parallel_fraction", "overall_speedup", 99, "at most 8, at parallel_fraction = 100%"),
        # grows without limit: only the search has an end
        ("kv-cache", "seq_len", "total_bytes", 1e300, ", at seq_len = 1×10¹⁸, as large as is looked for"),
        ("quantization", "params", "weight_bytes", 0, ", at params = 1×10⁻³⁰, as small as is looked for"),
    ],
)
def test_what_cannot_be_reached_says_how_near_it_comes(
    slug: str, name: str, output: str, target: object, says: str
) -> None:
    solution = calculators.get(slug).solve(name, output, target)
    assert solution.solutions == ()
    [note] = solution.notes
    assert note.startswith(f"No {name} gives {solution.target_text}: {output} is ")
    assert says in note


def test_the_words_can_call_the_input_and_the_output_otherwise() -> None:
    solution = SCORES.solve("batch", "score_bytes", "1 GiB", heads=3)
    assert solution.target_text == "1 GiB"
    assert solution.notes == ("No whole batch gives exactly 1 GiB: see those beside it.",)
    assert SCORES.solve("batch", "ratio", 7).told("the batch", "the ratio") == (
        "the ratio does not depend on the batch: it is 1,024 at any value, never 7.",
    )


def test_what_is_said_of_several_solutions_is_said_once() -> None:
    solution = calculators.get("speculative-decoding").solve("draft_tokens", "speedup", 2)
    assert len(solution.solutions) == 2
    assert len(solution.notes) == 1


def test_two_solutions_are_both_given() -> None:
    # The graph's lead falls while launches set the pace, to below 1 here, and returns to 1 with long kernels.
    solution = LAUNCH.solve("kernel_time", "speedup", 0.9)
    assert [root.value for root in solution.solutions] == pytest.approx([4.091e-3 / 899, 9.04e-6])


def test_what_an_output_only_nears_is_no_solution() -> None:
    solution = LAUNCH.solve("kernel_time", "speedup", 1)  # and never again, however long the kernels
    assert [root.value for root in solution.solutions] == pytest.approx([3.99e-3 / 999])
    limit = calculators.get("ffn").solve("devices", "communication_bytes", 2 * 4096 * 2)
    assert limit.solutions == ()


def test_a_count_that_0_switches_off_has_nothing_between_0_and_1() -> None:
    solution = KV_CACHE.solve("window", "bytes_per_sequence", "60 kB", model="mistral-7b")
    assert solution.solutions == ()
    (note,) = solution.notes
    assert note.startswith("No window gives 60 kB: bytes_per_sequence is at least 131.072 kB, at window = 1")
    off = KV_CACHE.solve("window", "bytes_per_sequence", "1 GiB", model="mistral-7b", seq_len=8192)
    assert [(root.value, root.through) for root in off.solutions] == [(0, None), (8192, 10**18)]


@pytest.mark.parametrize(
    ("name", "output", "target", "field", "words"),
    [
        ("dtype", "time", 1, "name", "dtype cannot be solved for; these can: flops, bytes"),
        ("flop", "time", 1, "name", "flop cannot be solved for"),
        ("flops", "bound", 1, "output", "bound is no number to reach; these are: intensity"),
        ("flops", "speed", 1, "output", "speed is no number to reach"),
        ("flops", "time", "fast", "target", "The target is “fast”, but must be a number in s."),
        ("flops", "time", float("nan"), "target", "The target is nan, but must be a number in s."),
        ("flops", "time", "5 GB", "target", "The target is “5 GB”"),
        ("flops", "time", "9" * 65, "target", "at most 64 characters"),
        ("flops", "time", None, "target", "The target is None"),
        ("flops", "time", Fraction(10**400, 3), "target", "It is beyond 1.8e308."),
    ],
)
def test_questions_without_meaning(name: str, output: str, target: object, field: str, words: str) -> None:
    with pytest.raises(SolveError) as caught:
        ROOFLINE.solve(name, output, target)
    assert caught.value.field == field
    assert words in str(caught.value)


def test_bad_inputs_beside_the_question_are_refused_as_ever() -> None:
    with pytest.raises(InvalidInputs, match="heads is 0"):
        SCORES.solve("seq_len", "score_bytes", "1GB", heads=0)


QUESTIONS = [
    (SCORES, "seq_len", "score_bytes"),
    (SCORES, "kv_len", "ratio"),
    (ROOFLINE, "hbm_bandwidth", "ridge_point"),
    (ROOFLINE, "bytes", "intensity"),
    (KV_CACHE, "seq_len", "total_bytes"),
    (KV_CACHE, "layers", "bytes_per_token"),
    (MFU, "tokens_per_second", "hfu"),
    (MFU, "devices", "tokens_per_second_at_peak"),
    (LAUNCH, "kernels", "time_eager"),
    (calculators.get("fusion"), "elements", "time_fused"),
    (calculators.get("matmul"), "m", "flops"),
    (calculators.get("ffn"), "d_ff", "weight_bytes"),
    (PARAMS, "vocab_size", "embedding"),
]


@pytest.mark.parametrize(
    ("calculator", "name", "output"), QUESTIONS, ids=lambda part: getattr(part, "slug", part)
)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_solving_undoes_evaluating(
    draw: Any, calculator: Calculator, name: str, output: str, data: st.DataObject
) -> None:
    declared = calculator.input_names[name]
    inputs = {key: value for key, value in data.draw(draw(calculator)).items() if key != name}
    numbers: st.SearchStrategy[Any] = st.integers(1, 10**9)
    if declared.kind == "amount":
        numbers = st.fractions(Fraction(1, 1000), 10**15)
    value = data.draw(numbers)
    try:
        result = calculator.evaluate({**inputs, name: value})
    except InvalidInputs:  # heads and layers that these dimensions cannot go with
        assume(False)
    target = result.exact[output]
    assume(target > 0)
    solution = calculator.solve(name, output, target, inputs)
    at_the_target = [
        root
        for root in solution.solutions
        if root.value == pytest.approx(float(value), rel=1e-9)
        or (root.through is not None and root.value <= float(value) <= root.through)
    ]
    assert at_the_target or "does not depend" in "".join(solution.notes)
