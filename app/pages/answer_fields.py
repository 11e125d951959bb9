"""The form that a question is answered in: its fields, and what a sent form says in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.datastructures import FormData

from app.bank.graded import Answer, Choice, Part
from app.bank.schema import Mode
from app.bank.variants import Variant
from app.pages.typed import sent_stamp
from app.practice.kept_text import UNTYPED, Stamp
from app.practice.question_state import QuestionState
from app.practice.records import MAX_TEXT

WORKING = "working"  # the part under which a note to a numeric answer is drafted
NO_HTML = Markup()
# No number of its own: an example would one day stand near the right answer.
READ_AS = {
    "bytes": "GB is not GiB, so name the unit",
    "ratio": "a plain number, or a percentage with its %",
    "count": "commas, powers (^) and k, M or B are read",
}


@dataclass(frozen=True, slots=True)
class Option:
    id: str
    text: Markup
    chosen: bool


@dataclass(frozen=True, slots=True)
class AnswerField:
    """One field. `part` names it among the answers and drafts, and is empty where there is only one."""

    form: str  # number, text or choice
    part: str
    name: str
    label: str
    prompt: Markup = NO_HTML
    help: str = ""
    text: str = ""
    stamp: Stamp = UNTYPED
    error: str = ""
    family: str = ""
    unit: str = ""
    rows: int = 3
    maxlength: int = MAX_TEXT
    main: bool = True
    input_type: str = "radio"
    options: tuple[Option, ...] = ()
    set_aside: str = ""

    @property
    def id(self) -> str:
        return self.name


def answer_fields(
    variant: Variant, state: QuestionState, errors: Mapping[str, str]
) -> tuple[AnswerField, ...]:
    """The fields in the order of the page, filled with what was typed last; errors by part."""
    match variant.question.meta.kind:
        case "numeric":
            assert variant.answer is not None
            number = _number("", "Your answer", variant.answer, state, errors)
            return number, _words(WORKING, "Your working, kept as a note", state, errors, rows=3, main=False)
        case "open":
            return (_words("", "Your answer", state, errors, rows=9, main=True),)
        case "choice":
            label = "Choose every right one" if variant.question.meta.mode == "several" else "Choose one"
            return (_choice("", label, variant.choices, variant.question.meta.mode, state, errors),)
        case _:
            return tuple(_part(part, state, errors) for part in variant.parts)


def sent_texts(variant: Variant, form: FormData) -> dict[str, str]:
    """What a form says, by part; a choice of several is the ids with a comma between them."""
    choices = {part.id: part.choices for part in variant.parts} | {"": variant.choices}
    texts: dict[str, str] = {}
    for part, name in _names(variant).items():
        sent = [str(value) for value in form.getlist(name)]
        if sent and choices.get(part):
            texts[part] = ",".join(each.id for each in choices[part] if each.id in sent)
        elif sent:
            texts[part] = _newlines(sent[-1])
    return texts


def sent_stamps(variant: Variant, form: FormData) -> dict[str, Stamp]:
    """How each text of a form was typed, where the form says so."""
    sent = {part: sent_stamp(form, name) for part, name in _names(variant).items()}
    return {part: stamp for part, stamp in sent.items() if stamp is not None}


def _names(variant: Variant) -> dict[str, str]:
    if variant.question.meta.kind == "multi":
        return {part.id: _name(part.id) for part in variant.parts}
    return {"": "answer", WORKING: WORKING}


def _name(part: str) -> str:
    return part if part == WORKING else f"answer-{part}" if part else "answer"


def _newlines(text: str) -> str:
    """Forms send a line's end as two characters; what the page shows has one."""
    return text.replace("\r\n", "\n")


def _number(
    part: str,
    label: str,
    answer: Answer,
    state: QuestionState,
    errors: Mapping[str, str],
    prompt: Markup = NO_HTML,
) -> AnswerField:
    return AnswerField(
        form="number",
        part=part,
        name=_name(part),
        label=label,
        prompt=prompt,
        help=_unit_help(answer),
        text=state.text(part),
        stamp=state.stamp(part),
        set_aside=state.set_aside(part),
        error=errors.get(part, ""),
        family=answer.family,
        unit=answer.unit,
        maxlength=200,
    )


def _unit_help(answer: Answer) -> str:
    if answer.unit == "%":
        return "A percentage, with or without its %: a fraction of one would be read as a percentage too."
    read_as = READ_AS.get(answer.family, "")
    if answer.unit in ("", "1"):
        return f"A number: {read_as}." if read_as else "A number."
    if answer.family == "tokens":
        return "A number of tokens."
    bare = f"In {answer.unit} where you write no unit"
    return f"{bare}; {read_as}." if read_as else f"{bare}."


def _words(
    part: str,
    label: str,
    state: QuestionState,
    errors: Mapping[str, str],
    *,
    rows: int,
    main: bool,
    prompt: Markup = NO_HTML,
) -> AnswerField:
    return AnswerField(
        form="text",
        part=part,
        name=_name(part),
        label=label,
        prompt=prompt,
        text=state.text(part),
        stamp=state.stamp(part),
        set_aside=state.set_aside(part),
        error=errors.get(part, ""),
        rows=rows,
        main=main,
    )


def _choice(
    part: str,
    label: str,
    choices: Sequence[Choice],
    mode: Mode,
    state: QuestionState,
    errors: Mapping[str, str],
    prompt: Markup = NO_HTML,
) -> AnswerField:
    chosen = frozenset(state.text(part).split(","))
    return AnswerField(
        form="choice",
        part=part,
        name=_name(part),
        label=label,
        prompt=prompt,
        error=errors.get(part, ""),
        input_type="checkbox" if mode == "several" else "radio",
        options=tuple(Option(each.id, each.text, each.id in chosen) for each in choices),
    )


def _part(part: Part, state: QuestionState, errors: Mapping[str, str]) -> AnswerField:
    label = f"Your answer to {part.id}"
    if part.answer is not None:
        return _number(part.id, label, part.answer, state, errors, part.prompt)
    if part.choices:
        several = ", every right one" if part.mode == "several" else ""
        return _choice(part.id, label + several, part.choices, part.mode, state, errors, part.prompt)
    return _words(part.id, label, state, errors, rows=5, main=True, prompt=part.prompt)
