"""The address of a question in a state: read leniently from a link, written one way only.

`v` is what a link was made with: the question's version, and the cost library's once that was corrected.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

import calculators
from app.bank.params import read_seed
from app.bank.problems import VariantError
from app.bank.question import Question
from app.bank.reseeding import next_seed
from app.bank.variants import Variant, made_with, make_variant
from app.pages import course as courses
from app.pages.course import Course
from calculators.spec import FieldError
from calculators.spec.linking import left_out
from calculators.spec.reading import shown

OWN = ("v", "seed", "reveal", *courses.NAMES)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a link asks for, as far as it can be had, and a notice for each thing that it cannot."""

    variant: Variant
    raw: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    course: Course = courses.ALONE
    reveal: bool = False


def read(question: Question, pairs: Iterable[tuple[str, str]]) -> Asked:
    """The variant that a query names. A refused parameter stays at the seed's value, with its message."""
    own: dict[str, str] = {}
    raw: dict[str, str] = {}
    notices: list[str] = []
    unknown: list[str] = []
    for name, text in pairs:
        if name in raw or name in own:
            notices.append(f"{shown(name)} was given more than once; the first value counts.")
        elif name in OWN:
            own[name] = text.strip()
        elif name in question.program.params:
            raw[name] = text
        else:
            unknown.append(name)
    notices += _about_version(own.get("v", ""), question.meta.version)
    notices += left_out(unknown, (*OWN, *question.program.params))
    seed = read_seed(own["seed"]) if own.get("seed") else 0
    if isinstance(seed, FieldError):
        notices.append(f"{seed.message} These are the numbers as written.")
        seed = 0
    variant, errors = _variant(question, seed, raw)
    return Asked(
        variant=variant,
        raw=raw,
        errors=errors,
        notices=tuple(dict.fromkeys(notices)),
        course=courses.read_course(own),
        reveal=own.get("reveal", "").lower() in courses.ON,
    )


def _about_version(linked: str, version: int) -> list[str]:
    """What to say of the versions that a link names: they may be older than today's, or never have been."""
    if linked in ("", made_with(version)):
        return []
    of_question, _, of_library = linked.partition(".")
    now, library = str(version), calculators.LIBRARY_VERSION
    if of_question not in _up_to(now) or (of_library or "1") not in _up_to(library):
        return [f"This link says version {shown(linked)}; it is read as version {made_with(version)}."]
    notices = []
    if of_question != now:
        notices.append(
            f"This link was made with version {of_question} of this question, which is now at version "
            f"{now}: its numbers, or what counts as right, may have changed since."
        )
    if (of_library or "1") != library:
        notices.append(
            f"The calculators have been corrected since this link was made (release {of_library or '1'} of "
            f"the cost library, now {library}): numbers that they compute here may have changed."
        )
    return notices


def _up_to(version: str) -> list[str]:
    return [str(number) for number in range(1, int(version) + 1)]


def _variant(question: Question, seed: int, raw: dict[str, str]) -> tuple[Variant, dict[str, str]]:
    try:
        return make_variant(question, seed, raw), {}
    except VariantError as error:
        messages: dict[str, str] = {}
        for refused in error.errors:
            messages.setdefault(refused.field, refused.message)
        return error.fallback or make_variant(question, seed), messages


@dataclass(frozen=True, slots=True)
class Links:
    """Every address that the page of one variant leads to."""

    page: str
    canonical: str
    absolute: str
    answer: str
    hint: str
    reveal: str
    rating: str
    ticks: str
    restart: str
    skip: str
    marks: str
    note: str
    report: str
    draft: str
    another: str
    written: str
    here: str
    hidden: tuple[tuple[str, str], ...]


def links(variant: Variant, *, course: Course = courses.ALONE, base_url: str = "") -> Links:
    """The links of a variant's page. Those that act carry the variant, so that no form has a field for it."""
    slug = variant.question.slug
    page = f"/questions/{slug}"
    query = variant.query if variant.seed or variant.edited else []
    mode = course.query
    canonical = _with(page, query)

    def act(name: str) -> str:
        return _with(f"{page}/{name}", [*query, *mode])

    version = ("v", made_with(variant.question.meta.version))
    seed = [version, ("seed", str(variant.seed))]
    another = next_seed(variant.question, variant.seed)
    return Links(
        page=page,
        canonical=canonical,
        absolute=base_url.rstrip("/") + canonical,
        answer=act("answer"),
        hint=act("hint"),
        reveal=act("reveal"),
        rating=act("rating"),
        ticks=act("ticks"),
        restart=_with(f"{page}/restart", [*(seed if variant.seed else []), *mode]),
        skip=act("skip"),
        marks=act("marks"),
        note=act("note"),
        report=_with(f"{page}/report", query),
        draft=f"{page}/draft",
        another=_with(page, [version, ("seed", str(another)), *mode]),
        written=_with(page, mode) if query else "",
        here=_with(page, [*query, *mode]),
        hidden=(*seed, *mode),
    )


def _with(path: str, query: list[tuple[str, str]]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
