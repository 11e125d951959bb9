"""`ridgeway preview FILE`: one question in the browser, renewed when its file is saved.

An app of its own, on loopback, with no database: nothing that an author tries here is anybody's practice.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import Response
from starlette.datastructures import FormData

from app import errors
from app.api import quantities
from app.authoring import preview_view, reasoning_view
from app.authoring.desk import Desk, Sight
from app.bank.params import read_seed
from app.bank.problems import BrokenQuestionError
from app.bank.reseeding import next_seed
from app.bank.variants import Variant, make_variant
from app.head import HeadAsGet
from app.pages.answer_fields import answer_fields, sent_texts
from app.pages.htmx import wants_fragment
from app.practice.drafts import Draft
from app.practice.kept_text import UNTYPED
from app.practice.question_state import QuestionState
from app.rendering import render
from app.security import CrossSiteGuard, HostGuard, SecurityHeaders, SizeLimits
from app.static import StaticFiles

HOST = "127.0.0.1"
_HOSTS = frozenset({HOST, "localhost"})

router = APIRouter()


def create_preview(path: Path) -> FastAPI:
    app = FastAPI(title="Ridgeway preview", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk = Desk(path)
    errors.install(app)
    app.include_router(router)
    app.include_router(quantities.router)
    app.mount("/static", StaticFiles())
    app.add_middleware(SizeLimits, larger_bodies={})
    app.add_middleware(CrossSiteGuard)
    app.add_middleware(HostGuard, allows_host=lambda host: host.partition(":")[0] in _HOSTS)
    app.add_middleware(errors.LastResort)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(HeadAsGet)
    return app


async def _form(request: Request) -> FormData:
    return await request.form()


FormDep = Annotated[FormData, Depends(_form)]


@router.get("/")
def show(request: Request, seed: str = "0") -> Response:
    return _page(request, seed, None)


@router.post("/look")
def look(request: Request, form: FormDep) -> Response:
    """Asked again and again by the page: nothing, as long as nothing has changed."""
    if _desk(request).look().stamp == form.get("stamp"):
        return Response(status_code=204)
    return _page(request, str(form.get("seed", "")), form)


@router.post("/judge")
def judge(request: Request, form: FormDep) -> Response:
    return _page(request, str(form.get("seed", "")), form)


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def _page(request: Request, seed_text: str, form: FormData | None) -> Response:
    desk = _desk(request)
    sight = desk.look()
    seed = read_seed(seed_text)
    context: dict[str, Any] = {
        "path": desk.path.name,
        "stamp": sight.stamp,
        "seed": seed if isinstance(seed, int) else 0,
        "current": sight.current,
        "problems": sight.problems,
        "question": None,
        "broken": "",
        "judged": (),
    }
    try:
        context |= _question(sight, context["seed"], form)
    except BrokenQuestionError as error:
        context["broken"] = f"With seed {context['seed']} this question cannot be computed: {error}"
        context["another"] = context["seed"] + 1
    template = "authoring/_desk.html" if wants_fragment(request) else "authoring/preview.html"
    return render(request, template, **context)


def _question(sight: Sight, seed: int, form: FormData | None) -> dict[str, Any]:
    if sight.question is None:
        return {}
    variant = make_variant(sight.question, seed)
    texts = sent_texts(variant, form) if form is not None else {}
    return {
        "question": sight.question,
        "another": next_seed(sight.question, seed),
        "shown": preview_view.shown(variant),
        "values": preview_view.values(variant),
        "answer_fields": _fields(variant, texts),
        "judged": reasoning_view.judged(variant, texts),
    }


def _fields(variant: Variant, texts: Mapping[str, str]) -> tuple[Any, ...]:
    """The fields of the practice page, with what was typed in them."""
    now = datetime.now(UTC)
    typed = {part: Draft(part, text, UNTYPED, now) for part, text in texts.items()}
    fields = answer_fields(variant, QuestionState(None, (), typed), {})
    return tuple(field for field in fields if field.main)
