"""The bank as an Anki deck: a subdeck for each topic, a card for each question with its written values.

Math is MathML, which every current Anki shows by itself. A note's id follows from its pack and slug, so that
a deck that is imported again changes its notes and doubles none.
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

import genanki

from app.bank.question import Question
from app.bank.topics import TOPICS
from app.bank.variants import make_variant
from app.paths import STATIC
from app.practice.question_state import key_of
from app.rendering import environment

_MODEL_ID: Final = 1_764_547_201  # once given, never changed: Anki knows the note type by it
_FIELDS: Final = ("Slug", "Front", "Back", "About")
_FRONT: Final = '<div class="card-text">{{Front}}</div>'
_BACK: Final = (
    '{{FrontSide}}<hr id="answer"><div class="card-text">{{Back}}<p class="about">{{About}}</p></div>'
)
_STYLE: Final = """
.card { --ink: #1d2125; --quiet: #5d636b; --rule: #e3dfd6; --sheet: #ffffff; --changed: #fff1b8;
  --compute: #c2500a; --memory: #0a66a8; --network: #0a7d5c; color: var(--ink); background: #fbfaf6;
  font: 18px/1.6 "Source Serif 4", Georgia, serif; text-align: left; }
.card.nightMode { --ink: #e8e6e1; --quiet: #9aa0a8; --rule: #33373d; --sheet: #1c1f23; --changed: #4a4014;
  --compute: #f08a4b; --memory: #64b1ec; --network: #4fc3a1; background: #15171a; }
.card-text { max-width: 40rem; margin: 0 auto; }
.num, .result, code, pre { font-family: "JetBrains Mono", Menlo, monospace; font-size: 0.92em; }
.result { font-size: 1.4em; }
.about, .sources { color: var(--quiet); font-size: 0.85em; }
.limit-compute { color: var(--compute); } .limit-memory { color: var(--memory); }
.limit-network { color: var(--network); }
table { border-collapse: collapse; } td, th { padding: 0.2em 0.6em; border-bottom: 1px solid var(--rule); }
"""

Progress = Callable[[int, int], None]
"""Told how many questions are done, and of how many."""


def _unwatched(_done: int, _total: int) -> None:
    pass


def write_deck(questions: Iterable[Question], path: Path, site: str, progress: Progress = _unwatched) -> int:
    """Writes an .apkg file; how many notes it holds. `site` is where links to other questions lead.

    Raises `BrokenQuestionError`, `OSError`.
    """
    wanted = sorted(questions, key=lambda question: (question.pack, question.meta.topics[0], question.slug))
    model = _model()
    decks: dict[str, genanki.Deck] = {}
    for done, question in enumerate(wanted, start=1):
        topic = question.meta.topics[0]
        if topic not in decks:
            decks[topic] = genanki.Deck(_number(f"deck/{topic}"), f"Ridgeway::{TOPICS[topic].name}")
        decks[topic].add_note(_note(question, model, site))
        progress(done, len(wanted))
    genanki.Package(list(decks.values())).write_to_file(str(path))
    return len(wanted)


def _note(question: Question, model: genanki.Model, site: str) -> genanki.Note:
    variant = make_variant(question)
    front, back = (
        environment.get_template(f"exchange/anki_{side}.html")
        .render(question=question, variant=variant)
        .replace('href="/', f'href="{site}/')
        for side in ("front", "back")
    )
    about = f"{question.meta.level}, {question.meta.status}, version {question.meta.version}"
    key = key_of(question)
    identity = f"{key.pack}/{key.slug}"
    tags = [f"topic::{topic}" for topic in question.meta.topics]
    return genanki.Note(
        model=model,
        fields=[identity.removeprefix("/"), front, back, about],
        guid=sha256(f"ridgeway/{identity}".encode()).hexdigest()[:20],
        tags=["ridgeway", f"level::{question.meta.level}", *tags],
    )


def _model() -> genanki.Model:
    return genanki.Model(
        _MODEL_ID,
        "Ridgeway question",
        fields=[{"name": name} for name in _FIELDS],
        templates=[{"name": "Question", "qfmt": _FRONT, "afmt": _BACK}],
        css=_STYLE + (STATIC / "css" / "prose.css").read_text(encoding="utf-8"),
    )


def _number(name: str) -> int:
    """A deck's id, the same in every export."""
    return int.from_bytes(sha256(f"ridgeway/{name}".encode()).digest()[:4], "big") | 1 << 30
