"""The address of a question in a state: read leniently from a link, written one way only.

`v` is the version of the question that a link was made with.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from app.bank.params import read_seed
from app.bank.problems import VariantError
from app.bank.question import Question
from app.bank.reseeding import next_seed
from app.bank.variants import Variant, make_variant
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
    """What to say of the version that a link names: it may be older than the question, or never have been."""
    if linked in ("", str(version)):
        return []
    if linked in map(str, range(1, version)):
        return [
            f"This link was made with version {linked} of this question, which is now at version {version}: "
            "its numbers, or what counts as right, may have changed since."
        ]
    return [f"This link says version {shown(linked)}; it is read as version {version}."]


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

    version = ("v", str(variant.question.meta.version))
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
