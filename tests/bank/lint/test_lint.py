"""The lint: each check fires on a question that is broken in one place, at its line, and on no sound one."""

from typing import TYPE_CHECKING

import pytest

from app.bank.lint import report

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack

Case = tuple[list[tuple[str, str]], str, str]  # what to change, what stands in the line, what the lint says


def test_the_sound_pack_has_no_problem(pack: "LintedPack") -> None:
    assert pack.says() == []


FLASH_ATTENTION = """\
  - {title: "FlashAttention", url: "https://arxiv.org/abs/2205.14135", section: "2.1"}
"""

BROKEN: dict[str, Case] = {
    "a condition that fails with some seed": (
        [("::: if per_head > 1e12", "::: if per_head / (heads - 12) > 1e12")],
        "::: if",
        "This divides by zero",
    ),
    "a word that a parameter never has": (
        [("::: if per_head > 1e12", '::: if dtype == "fp23"')],
        "::: if",
        'never "fp23"',
    ),
    "a word that a limit never has": (
        [("require: [scores.score_bytes < 1e15]", "require: ['read.bound != \"compue\"']")],
        "require:",
        'never "compue"',
    ),
    "an unused parameter": (
        [("  dtype: {value: fp32", "  layers_seen: {value: 3}\n  dtype: {value: fp32")],
        "layers_seen",
        "the parameter `layers_seen` is used nowhere",
    ),
    "an unused constant": (
        [("constants:\n", 'constants:\n  card: {value: 80 GB, source: "Datasheet"}\n')],
        "card:",
        "the constant `card` is used nowhere",
    ),
    "an unused calculator": (
        [("calculators:\n", "calculators:\n  spare: {use: matmul}\n")],
        "spare:",
        "the calculator `spare` is used nowhere",
    ),
    "an unused let": (
        [("let:\n", "let:\n  spare: heads * 2\n")],
        "spare:",
        "the name under let `spare` is used nowhere",
    ),
    "require that no draw satisfies": (
        [
            ("seq_len: {value: 1024,", "seq_len: {value: 1536,"),
            ("require: [scores.score_bytes < 1e15]", "require: [seq_len == 1536]"),
        ],
        "require:",
        "with seed 1: seed 1 draws no values that satisfy require",
    ),
    "require that leaves too few": (
        [
            (
                "require: [scores.score_bytes < 1e15]",
                "require: [batch == 32 and heads == 16 and seq_len == 1024]",
            ),
        ],
        "params:",
        "200 seeds give 2 different variants, of 16 combinations",
    ),
    "a name that is null for some seed": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + 1 / (batch - 16)",
            ),
        ],
        "per_head: ",
        "divides by zero",
    ),
    "an end of a range that does not compute": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + 0 / (batch - 4096)",
            )
        ],
        "per_head: ",
        "with batch at 4096: This divides by zero",
    ),
    "prose that fails for some seed": (
        [
            ("{{ gb(per_head) }} for", "{{ gb(per_head / (heads - heads)) }} for"),
            ("per_head > 1e12", "per_head > 1e6"),
        ],
        "That is {{ gb",
        "This divides by zero",
    ),
    "an answer that is never told": (
        [("take {{ answer }}, or", "take")],
        "answer:",
        "the Answer never prints {{ answer }}",
    ),
    "a literal number with a unit": (
        [("### In detail\n", "### In detail\nThe card holds 80 GB.\n")],
        "80 GB",
        "“80 GB” in the answer is typed, not computed",
    ),
    "money in the answer": (
        [("### In detail\n", "### In detail\nIt costs $2 an hour.\n")],
        "$2",
        "“$2” in the answer is typed, not computed",
    ),
    "a percentage in the answer": (
        [("### In detail\n", "### In detail\nAbout 41.5% of it.\n")],
        "41.5%",
        "“41.5%” in the answer is typed, not computed",
    ),
    "a formatter of another family": (
        [("{{ us(read.time_memory) }}", "{{ us(read.bytes) }}")],
        "{{ us(",
        "`read.bytes` is of the family bytes, where time belongs",
    ),
    "an answer of another family": (
        [("value: scores.score_bytes\n", "value: scores.score_elements\n")],
        "value: scores.score_elements",
        "`scores.score_elements` is a plain number, where bytes belongs",
    ),
    "a sum of different families": (
        [
            (
                "per_head: scores.score_bytes / heads",
                "per_head: scores.score_bytes / heads + read.time_memory * 0",
            )
        ],
        "per_head: ",
        "adds bytes and time",
    ),
    "too few key points": (
        [("- [2] {#fused} Says that a fused kernel keeps O(n) instead\n", "")],
        "- [3!]",
        "the rubric has 2 key points",
    ),
    "no must-have": ([("[3!]", "[3]")], "- [3]", "no key point is a must-have"),
    "a source without a section": (
        [(', section: "2.1"}', "}")],
        "FlashAttention",
        "the source “FlashAttention” does not say where",
    ),
    "no sources": (
        [("sources:\n", "related: []\n"), (FLASH_ATTENTION, "")],
        "---",
        "the question cites no source",
    ),
    "published, but nobody says where": (
        [("confidence: unconfirmed", "confidence: published")],
        "Example Labs",
        "that Example Labs asked this is published where?",
    ),
    "a follow-up that does not exist": (
        [("follow_ups: [second]", "follow_ups: [secnd]")],
        "follow_ups",
        "follow_ups names no question: secnd",
    ),
    "a follow-up to itself": (
        [("follow_ups: [second]", "follow_ups: [attention-matrix]")],
        "follow_ups",
        "follow_ups names this question itself",
    ),
    "a link to no calculator": (
        [("/calculators/roofline", "/calculators/rooflin")],
        "See [roofline]",
        "the link /calculators/rooflin leads nowhere",
    ),
    "a link to a state that its calculator refuses": (
        [("(/calculators/roofline)", "(/calculators/roofline?flops=-1&pin=a)")],
        "See [roofline]",
        "flops is",
    ),
    "a parameter that the prompt never names": (
        [("and {{ seq_len }} tokens in", "and some tokens in")],
        "seq_len: {value",
        "the parameter `seq_len` changes, and the Question never says what it is",
    ),
    "a prompt that gives the answer away": (
        [("how much memory is it?", "how much memory is it, if not {{ gb(2 * answer) }}?")],
        "how much memory is it, if",
        "gives it away",
    ),
    "a heading that skips a level": (
        [("### In detail", "#### In detail")],
        "#### In",
        "a heading of #### under one of ##",
    ),
    "a mistake that is right": (
        [("value: per_head, credit", "value: scores.score_bytes * 1.04, credit")],
        "id: one-head",
        "the mistake `one-head` (2.08 GiB) is graded right",
    ),
    "two mistakes that cannot be told apart": (
        [("value: scores.score_bytes / batch / 3", "value: per_head * 1.001")],
        "id: one-sequence",
        "the mistakes `one-head` and `one-sequence` cannot be told apart",
    ),
    "a tolerance that takes GB for GiB": (
        [("tolerance: 5%", "tolerance: 8%")],
        "tolerance: 8%",
        "“2 GB” is graded right, though 2 GiB is meant",
    ),
    "figures that three do not reach": (
        [("tolerance: 5%", "tolerance: {figures: 6}"), ("choices: [16, 32]", "choices: [7, 11, 32]")],
        "tolerance: {",
        "is not graded right",
    ),
    "an answer or rubric that changed": (
        [("[1] {#traffic}", "[2] {#traffic}")],
        "version: 1",
        "answer, params, mistakes or rubric changed since version 1 was recorded",
    ),
    "a version that nobody recorded": (
        [("version: 1", "version: 2")],
        "version: 2",
        "version 2 is not in versions.json yet",
    ),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_question(pack: "LintedPack", case: Case) -> None:
    edits, at, says = case
    text = pack.change(*edits)
    line = next(number for number, content in enumerate(text.splitlines(), 1) if at in content)
    found = [problem for problem in pack.problems() if says in problem.message]
    assert [(each.path.name, each.line) for each in found] == [("attention-matrix.md", line)], pack.says()
    assert all(each.hint for each in found), "an error says what to write instead"


def test_an_answer_that_never_changes_is_a_warning(pack: "LintedPack") -> None:
    pack.change(("  value: scores.score_bytes\n", "  value: 34e9 + 0 * scores.score_bytes\n"))
    assert any("warning: the answer is the same for every variant" in line for line in pack.says())


def test_choices_that_read_the_same(pack: "LintedPack") -> None:
    pack.change(('"{{ int(seq_len) }} tokens"', '"One token"'), slug="second")
    assert any("two choices read the same: One token" in line for line in pack.says())


def test_no_right_choice_for_some_seed(pack: "LintedPack") -> None:
    pack.change(("choices: [2048, 4096, 8192]", "choices: [1, 4096, 8192]"), slug="second")
    assert any("second.md" in line and "one right choice" in line for line in pack.says())


def test_follow_ups_that_lead_back(pack: "LintedPack") -> None:
    pack.change(("level: junior", "level: junior\nfollow_ups: [attention-matrix]"), slug="second")
    [problem] = pack.problems()
    assert "the follow-ups lead back to this question: " in problem.message
    assert problem.hint == "take one of them out"


def test_weights_that_are_read_but_do_not_fit(pack: "LintedPack") -> None:
    given = "model: llama-2-70b, batch: 1, context: 8, dtype: bf16, hardware: h100-sxm, devices: 1"
    step = f"  step: {{use: decode, set: {{{given}}}}}\n"
    pack.change(
        ("calculators:\n", "calculators:\n" + step),
        ("### In detail\n", "### In detail\nA step takes {{ ms(step.time) }}.\n"),
    )
    assert any("the weights of `step` do not fit the device" in line for line in pack.says())
    pack.change(("devices: 1}", "devices: 2}"))
    assert not any("do not fit" in line for line in pack.says())


def test_weights_that_do_not_fit(pack: "LintedPack") -> None:
    spare = "  plan: {use: serving-capacity, set: {model: llama-2-70b, dtype: bf16, hardware: h100-sxm}}\n"
    pack.change(
        ("calculators:\n", "calculators:\n" + spare),
        ("### In detail\n", "### In detail\nIt leaves {{ gb(plan.free_bytes) }}.\n"),
    )
    assert any("the weights of `plan` do not fit the device" in line for line in pack.says())
    pack.change(
        (
            "It leaves {{ gb(plan.free_bytes) }}.",
            "::: if plan.fits\nIt leaves {{ gb(plan.free_bytes) }}.\n:::",
        ),
    )
    assert not any("do not fit" in line for line in pack.says())


def test_a_share_above_the_peak(pack: "LintedPack") -> None:
    pack.change(
        (
            "calculators:\n",
            "calculators:\n  run: {use: mfu, set: {tokens_per_second: 1e9, heads: 48, dtype: bf16}}\n",
        ),
        ("### In detail\n", "### In detail\nMFU is {{ pct(run.mfu) }}.\n"),
    )
    assert any("run.mfu is" in line and "above the peak" in line for line in pack.says())


def test_choices_that_read_the_same_though_their_numbers_are_computed(pack: "LintedPack") -> None:
    pack.change(('text: "One token"', 'text: "{{ int(seq_len) }} tokens"'), slug="second")
    assert any("two choices read the same: 4,096 tokens" in line for line in pack.says())


def test_a_question_does_not_follow_itself(pack: "LintedPack") -> None:
    pack.change(("follow_ups: [second]", "follow_ups: [attention-matrix]"))
    (problem,) = pack.problems()
    assert problem.message == "follow_ups names this question itself: attention-matrix"
    assert problem.hint == "take it out"


def test_a_body_that_is_too_long_is_not_said_to_lack_its_sections(pack: "LintedPack") -> None:
    pack.change(("### In detail\n", "### In detail\n" + "word " * 8000))
    assert [problem.message for problem in pack.problems()] == ["the text is longer than 32,768 characters"]


def test_a_prompt_that_only_changes_the_numbers(pack: "LintedPack") -> None:
    text = pack.file("attention-matrix").read_text("utf-8")
    assert "For batch {{ batch }}, " in text
    pack.write("of-64", text.replace("For batch {{ batch }}, ", "For a batch of 64, "))
    says = [line for line in pack.says() if "is like that of" in line]
    assert says == ["of-64.md:1: error: the prompt is like that of `attention-matrix`: they share 57%"]
    pack.change(("how much memory is it?", "which of them grows fastest, and why?"), slug="of-64")
    assert not any("is like that of" in line for line in pack.says())
    pack.change(("which of them grows fastest, and why?", "how much memory is it?"), slug="of-64")
    pack.change(("status: reviewed", "status: draft"), slug="of-64")
    assert not any("is like that of" in line for line in pack.says())


def test_an_opening_page_that_does_not_compute(pack: "LintedPack") -> None:
    opening = "---\nnumbers: [{name: One, value: '1', how: 'It is.'}]\n---\n"
    (pack.path / "attention" / "_topic.md").write_text(opening, "utf-8")
    assert pack.says() == ["_topic.md:2: error: `numbers.0`: a number has a calculator or a source"]


def test_right_choices_at_one_place(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8")
    for number in range(3):
        pack.write(f"other-{number}", text)
    says = pack.says(pack.problems(record=True))
    assert sum("the right choice is number 2 in 4 of 4 questions" in line for line in says) == 4
    first = '  - {id: many, text: "{{ int(seq_len) }} tokens", right: \'many.bound == "compute"\'}\n'
    for number in range(2):
        pack.change((first, ""), ("choices:\n", "choices:\n" + first), slug=f"other-{number}")
    assert not any("the right choice is number" in line for line in pack.says())


UNREADABLE: dict[str, Case] = {
    "an unknown key": ([("minutes: 4", "minuts: 4")], "minuts", "did you mean minutes?"),
    "an unknown calculator": ([("use: roofline", "use: rooflin")], "  read:", "rooflin"),
    "an unknown input": ([("set: {bytes:", "set: {byts:")], "set: {byts", "did you mean bytes?"),
    "an unknown name": (
        [("per_head: scores.score_bytes", "per_head: scorez.score_bytes")],
        "per_head:",
        "did you",
    ),
    "an unknown output": (
        [("us(read.time_memory)", "us(read.time_memry)")],
        "Reading it",
        "did you mean time_memory?",
    ),
    "an expression that does not parse": (
        [("heads\nrequire", "heads +\nrequire")],
        "per_head:",
        "cannot be read",
    ),
    "a source without https": ([("https://arxiv.org", "http://arxiv.org")], "FlashAttention", "https://"),
    "a company without a source": ([("source: interview write-up, ", "")], "Example Labs", "source"),
    "a picture without a text version": (
        [("### In detail", "![](a.svg)\n\n### In detail")],
        "![](",
        "text version",
    ),
    "a unit in another case": ([("unit: GiB", "unit: gib")], "unit:", "did you mean GiB?"),
    "no answer section": ([("## Answer\n", "")], "## Question", "`## Answer` is missing"),
}


@pytest.mark.parametrize("case", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_the_loader_refuses_is_reported(pack: "LintedPack", case: Case) -> None:
    edits, at, says = case
    text = pack.change(*edits)
    line = next(number for number, content in enumerate(text.splitlines(), 1) if at in content)
    found = [report(problem) for problem in pack.problems() if problem.line in (line, line - 1)]
    assert any(says in each for each in found), pack.says()


def test_a_slug_is_given_once(pack: "LintedPack") -> None:
    text = pack.file("second").read_text("utf-8").replace("topics: [attention]", "topics: [kernels]")
    pack.write("second", text, topic="kernels")
    assert any("the slug `second` is taken" in line for line in pack.says())


PARTS = """\
parts:
  - id: first
    prompt: "How large are the scores?"
    answer: {value: scores.score_bytes, family: bytes, unit: GiB, tolerance: 5%}
    mistakes:
      - {id: one-head, value: scores.score_bytes / heads, say: "That is one head."}
  - id: second
    prompt: "Explain it."
    key_points:
      - {id: shape, weight: 3, must: true, text: "The shape"}
      - {id: fused, weight: 2, text: "Fused kernels"}
      - {id: traffic, weight: 1, text: "Traffic"}
"""


CHOOSING = """\
  - id: third
    prompt: "More than a gigabyte?"
    uses: [first]
    choices:
      - {id: less, text: "Less", right: answer.first < 1e9}
      - {id: more, text: "More", right: answer.first >= 1e9}
"""


def test_choices_of_parts_are_checked_too(pack: "LintedPack") -> None:
    text = pack.file("attention-matrix").read_text("utf-8")
    before, _, after = text.partition("answer:\n")
    text = (
        before.replace("kind: numeric", "kind: multi") + PARTS + CHOOSING + after[after.index("follow_ups") :]
    )
    text = text.replace("{{ answer }}", "{{ answer.first }}").replace("status: reviewed", "status: draft")
    for number in range(4):
        pack.write(f"in-parts-{number}", text)
    says = pack.says()
    assert [line.partition(":")[0] for line in says] == [
        *(f"in-parts-{number}.md" for number in range(4)),
        "second.md",
    ]
    assert "the right choice is number 2 in 5 of 5 questions" in says[0]
    pack.change(
        ('text: "Less"', 'text: "More"'),
        ("right: answer.first < 1e9", "right: batch < 0"),
        ("right: answer.first >= 1e9", "right: batch > 0"),
        slug="in-parts-0",
    )
    says = [line.partition(": error: ")[2] for line in pack.says() if line.startswith("in-parts-0")]
    assert says == [
        "part `third` uses `first`, and nothing in it reads answer.first",
        "the right choice is number 2 in 5 of 5 questions",
        "with the written values two choices read the same: More",
    ]


def test_parts_are_checked_too(pack: "LintedPack") -> None:
    text = pack.file("attention-matrix").read_text("utf-8")
    before, _, after = text.partition("answer:\n")
    text = before.replace("kind: numeric", "kind: multi") + PARTS + after[after.index("follow_ups") :]
    text = text.replace("{{ answer }}", "{{ answer.first }}").replace("status: reviewed", "status: draft")
    pack.write("in-parts", text)
    assert pack.says() == []
    pack.change(
        ("must: true, ", ""),
        ("value: scores.score_bytes / heads, say", "value: scores.score_bytes, say"),
        ("take {{ answer.first }}, or", "take"),
        slug="in-parts",
    )
    says = [line.partition(": error: ")[2] for line in pack.says()]
    assert says == [
        "the Answer never prints {{ answer.first }}",
        "with the written values the mistake `one-head` (2 GiB) is graded right",
        "no key point is a must-have",
    ]


ALLOWED = """\
Llama 2 13B on an H100-80GB in fp32, 8k tokens, 2 heads, step 3, GPT-2, `80 GB`, $80 \\cdot n$,
section 4.3 runs, 100% of it, 16-bit, 3D parallelism, {{ gb(per_head) }} and 2^10.

"""
REFUSED = [
    "80GB",
    "1.5 TB/s",
    "4 FLOP",
    "5 µs",
    "3 min",
    "400 W",
    "80 percent",
    "$2.50",
    "41.5 %",
    "2 token/s",
]
REFUSED += ["80 gigabytes", "5 microseconds", "1 kilobyte", "400 watts"]
REFUSED += ["1,024 bytes", "1e9 FLOP", "312 TFLOP/s", "153 FLOP/B", "2 USD", "8 hours", "0.4 kg"]


def test_which_numbers_of_an_answer_are_figures(pack: "LintedPack") -> None:
    pack.change(("### In detail\n", "### In detail\n" + ALLOWED))
    assert pack.says() == []
    pack.change((ALLOWED, "".join(f"It is {figure} here.\n\n" for figure in REFUSED)))
    assert [line.partition("“")[2].partition("”")[0] for line in pack.says()] == REFUSED
