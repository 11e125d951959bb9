"""/account/export and /account/import: everything that is a user's, as files and back."""

import json
import tempfile
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from starlette.datastructures import UploadFile

from app.dependencies import BankDep, CurrentUser, Now, SessionDep, SettingsDep
from app.exchange import archive, csv_file
from app.pages import account
from app.pages.visit import FormDep
from app.practice.question_state import key_of

router = APIRouter(prefix="/account")
IMPORT_PATH: Final = "/account/import"
_ANKI: Final = "application/apkg"


@router.get("/export/archive.json")
def export_archive(session: SessionDep, user: CurrentUser, now: Now) -> Response:
    document = json.dumps(archive.export(session, user, now), ensure_ascii=False)
    return Response(document, media_type="application/json", headers=_file(f"ridgeway-{now:%Y-%m-%d}.json"))


@router.get("/export/attempts.csv")
def export_csv(session: SessionDep, user: CurrentUser, bank: BankDep, now: Now) -> Response:
    titles = {key_of(question): question.title for question in bank.questions.values()}
    return StreamingResponse(
        csv_file.lines(session, user, titles),
        media_type="text/csv; charset=utf-8",
        headers=_file(f"ridgeway-attempts-{now:%Y-%m-%d}.csv"),
    )


@router.get("/export/questions.apkg")
def export_anki(bank: BankDep, settings: SettingsDep) -> Response:
    from app.exchange.anki import write_deck  # with SQLite files and templates of its own: for those who ask

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "questions.apkg"
        write_deck(bank.questions.values(), path, settings.public_url)
        return Response(path.read_bytes(), media_type=_ANKI, headers=_file("ridgeway-questions.apkg"))


@router.post("/import")
def import_archive(request: Request, session: SessionDep, user: CurrentUser, form: FormDep) -> Response:
    sent = form.get("archive")
    try:
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise archive.ArchiveError("no file was chosen")
        document = archive.read(sent.file.read(archive.MAX_BYTES + 1))
        archive.restore(session, user, document, replace=form.get("replace") == "1")
    except archive.ArchiveError as error:
        return account.page(request, user, errors={"archive": f"Not imported: {error}."}, status=422)
    return RedirectResponse("/account?imported=1", status_code=303)


def _file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
