"""/team/{team}/questions: which questions the team does not see, one switch each."""

from dataclasses import dataclass

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.dependencies import ServerBankDep
from app.membership import AsEditor, Place
from app.packs import store
from app.packs.checking import is_team_key
from app.packs.store import PackError
from app.pages.team_frame import team_page
from app.pages.visit import FormDep

router = APIRouter(prefix="/team/{team}/questions")
MAX_KEY = 200


@dataclass(frozen=True, slots=True)
class Row:
    """A question of the built-in bank; `instead` is the pack whose question stands in for it."""

    pack: str
    slug: str
    title: str
    topic: str
    hidden: bool
    instead: str


@router.get("")
def show_all(place: AsEditor, server_bank: ServerBankDep) -> HTMLResponse:
    hides = store.hidden(place.session, place.team)
    instead = {
        question.slug: pack.name
        for pack in store.of_team(place.session, place.team)
        for question in (() if pack.removed else pack.served.questions)
        if (pack.key, question.slug) not in hides
    }
    rows = [
        Row(
            pack=question.pack,
            slug=slug,
            title=question.title,
            topic=TOPICS[question.meta.topics[0]].name,
            hidden=(question.pack, slug) in hides,
            instead=instead.get(slug, ""),
        )
        for slug, question in server_bank.questions.items()
    ]
    return team_page(
        place, "team/questions.html", "/packs", rows=rows, hidden=sum(row.hidden for row in rows)
    )


@router.post("/hide")
def hide(place: AsEditor, server_bank: ServerBankDep, form: FormDep) -> Response:
    key = _key(form)
    if not _has(place, server_bank, key):
        raise HTTPException(404, "The team has no such question.")
    try:
        store.hide(place.session, place.team, key, place.now)
    except PackError as refused:
        raise HTTPException(409, f"{refused}.") from refused
    return _back(place, key)


@router.post("/show")
def show(place: AsEditor, form: FormDep) -> Response:
    key = _key(form)
    if key not in store.hidden(place.session, place.team):
        raise HTTPException(404, "The team hides no such question.")
    store.show(place.session, place.team, key)
    return _back(place, key)


def _key(form: FormData) -> tuple[str, str]:
    return str(form.get("pack") or "")[:MAX_KEY], str(form.get("question") or "")[:MAX_KEY]


def _has(place: Place, server_bank: Bank, key: tuple[str, str]) -> bool:
    if not is_team_key(key[0]):
        return server_bank.at(key) is not None
    return any(
        (pack.key, question.slug) == key
        for pack in store.of_team(place.session, place.team)
        for question in pack.served.questions
    )


def _back(place: Place, key: tuple[str, str]) -> Response:
    """To the list that the switch stands in, and there to its question."""
    here = f"/team/{place.team.slug}"
    page = f"{here}/packs/{key[0].rpartition('/')[2]}" if is_team_key(key[0]) else f"{here}/questions"
    return RedirectResponse(f"{page}#{key[1]}", status_code=303)
