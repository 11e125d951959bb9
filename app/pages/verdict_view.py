"""The verdict on an answer as the page shows it, and what the learner wrote beside the model answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.bank.graded import Choice
from app.bank.params import Param, display
from app.bank.variants import Variant
from app.practice import answering
from app.practice.attempts import Answer, tries
from app.practice.question_state import QuestionState
from calculators.spec import FieldError

HEADLINES = {
    "right": "✓ Right.",
    "near": "≈ Near.",
    "mistake": "✗ Not right.",
    "wrong": "✗ Not right.",
    "partly": "≈ Partly right.",
    "written": "Saved.",
}


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """The last answer, or the last one to a part, with its verdict."""

    part: str
    outcome: str
    headline: str
    wrote: str
    reading: str
    message: Markup
    taken: tuple[answering.TakenChoice, ...]
    earlier: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on the whole, and on each part. `belongs_to` says which numbers it judged."""

    outcome: str
    answers: tuple[JudgedAnswer, ...]
    belongs_to: str

    @property
    def headline(self) -> str:
        return self.answers[0].headline if len(self.answers) == 1 else HEADLINES.get(self.outcome, "")

    @property
    def announced(self) -> str:
        """What a screen reader says when it appears."""
        if len(self.answers) == 1:
            return f"{self.headline} {self.answers[0].message.striptags()}"
        parts = (f"{each.part}: {each.headline} {each.message.striptags()}" for each in self.answers)
        return " ".join((self.headline, *parts))


@dataclass(frozen=True, slots=True)
class ReviewedChoice:
    text: Markup
    right: bool
    note: str
    say: Markup


@dataclass(frozen=True, slots=True)
class ChoiceReview:
    """All choices of the question, or of a part, marked."""

    part: str
    choices: tuple[ReviewedChoice, ...]


def verdict(variant: Variant, state: QuestionState) -> Verdict | None:
    """The verdict on what was answered last: of each part, where there are parts."""
    last = last_answers(variant, state.answers)
    if not last or state.sitting is None:
        return None
    return Verdict(
        outcome=_outcome(last),
        answers=tuple(_judged(answer, state) for answer in last),
        belongs_to=belongs_to(variant, state.sitting.params),
    )


def _outcome(last: Sequence[Answer]) -> str:
    if len(last) == 1:
        return last[0].graded.outcome
    credit = [answer.graded.credit for answer in last if answer.graded.credit is not None]
    if not credit:
        return "written"
    return "right" if min(credit) == 1 else "partly" if max(credit) else "wrong"


def _judged(answer: Answer, state: QuestionState) -> JudgedAnswer:
    graded = answer.graded
    own = answering.own_parts(answer)
    headline = HEADLINES.get(graded.outcome, "")
    if own and graded.outcome == "right":
        headline = f"✓ Right from your own {'part' if len(own) == 1 else 'parts'} {' and '.join(own)}."
    return JudgedAnswer(
        part=answer.part,
        outcome=graded.outcome,
        headline=headline,
        wrote=answer.text if graded.reading is not None else "",
        reading=graded.reading or "",
        message=answering.message(answer),
        taken=answering.taken_choices(answer),
        earlier=_earlier(answer, tries(state.answers, answer.part)),
    )


def last_answers(variant: Variant, answers: Iterable[Answer]) -> list[Answer]:
    """The last answer to each part, in the order of the question."""
    latest = {answer.part: answer for answer in answers}
    order = [part.id for part in variant.parts]
    return sorted(
        latest.values(), key=lambda answer: order.index(answer.part) if answer.part in order else -1
    )


@dataclass(frozen=True, slots=True)
class OwnText:
    label: str
    text: str


def own_texts(variant: Variant, state: QuestionState) -> tuple[OwnText, ...]:
    """What the learner wrote in words, to be compared with the model answer."""
    parts = {answer.part: answer for answer in state.answers}
    shown = []
    for part, answer in parts.items():
        if answer.graded.outcome == answering.WRITTEN:
            shown.append(OwnText(f"Your answer to {part}" if part else "Your answer", answer.text))
        elif note := answering.working(answer):
            shown.append(OwnText("Your working", note))
    if not parts and variant.question.meta.kind == "open" and (draft := state.text("")).strip():
        shown.append(OwnText("Your answer, not submitted", draft))
    return tuple(shown)


def _earlier(answer: Answer, count: int) -> str:
    if answer.repeat_of is not None:
        return "You had written this before; it counts once."
    return f"This was your answer number {count}." if count > 1 else ""


def belongs_to(variant: Variant, answered: Mapping[str, str]) -> str:
    """Which numbers a verdict judged: those of the sitting, whatever the panel shows by now."""
    free = [chosen.param for chosen in variant.params.values() if not chosen.param.fixed]
    told = [_told(param, answered[param.name]) for param in free if param.name in answered]
    if not told:
        return ""
    return (
        f"The verdict is on the numbers that you answered: {', '.join(told)}. It stays when you change them."
    )


def _told(param: Param, text: str) -> str:
    setting = param.read(text)
    shown = text if isinstance(setting, FieldError) else display(setting.value, param.input.family)
    return f"{param.input.label[:1].lower()}{param.input.label[1:]} {shown}" if param.input.numeric else shown


def choice_reviews(variant: Variant, state: QuestionState) -> tuple[ChoiceReview, ...]:
    """The choices of the question or of its parts, with what was taken and what was right then."""
    owners = [("", variant.choices), *((part.id, part.choices) for part in variant.parts)]
    return tuple(
        ChoiceReview(part, _reviewed(choices, _right_then(state, part), state.text(part).split(",")))
        for part, choices in owners
        if choices
    )


def _right_then(state: QuestionState, part: str) -> Collection[str] | None:
    """The right choices that the sitting began with, which an edit of the question does not change."""
    right = state.sitting.right if state.sitting else {}
    kept = right.get("parts", {}).get(part, {}) if part else right
    return kept.get("choices")


def _reviewed(
    choices: Iterable[Choice], right_then: Collection[str] | None, chosen: Collection[str]
) -> tuple[ReviewedChoice, ...]:
    reviewed = []
    for choice in choices:
        right = choice.right if right_then is None else choice.id in right_then
        note = _choice_note(right=right, chosen=choice.id in chosen)
        reviewed.append(ReviewedChoice(choice.text, right, note, choice.say))
    return tuple(reviewed)


def _choice_note(*, right: bool, chosen: bool) -> str:
    if right:
        return "Right, and your choice." if chosen else "Right."
    return "Your choice, not right." if chosen else "Not right."
