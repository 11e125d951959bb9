"""/team/{team}/packs: a team's own questions, added as an archive, in versions, served and taken out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import UploadFile

from app.bank.topics import TOPICS
from app.dependencies import ServerBankDep, SettingsDep
from app.membership import AsEditor, AsMember, Place
from app.packs import adding, store
from app.packs.adding import Added, Source
from app.packs.archives import read_archive
from app.packs.contents import MAX_FILES, MAX_PACKED, MAX_QUESTIONS, Finding, PackRefused
from app.packs.store import PackError, StoredPack
from app.pages.interviews import read_number
from app.pages.team_frame import team_page
from app.pages.visit import FormDep

PATH: Final = "/team/{team}/packs"
router = APIRouter(prefix=PATH)
LISTED: Final = 30  # versions


@dataclass(frozen=True, slots=True)
class Row:
    """A question of a pack; `overrides` where the built-in bank has one of its name."""

    slug: str
    title: str
    topic: str
    hidden: bool
    overrides: bool


@router.get("")
def show_all(place: AsMember, settings: SettingsDep) -> HTMLResponse:
    return _all(place, settings)


@router.post("")
def add(place: AsEditor, settings: SettingsDep, form: FormDep) -> Response:
    """An archive as a new pack, or as a new version of the pack of that name."""
    sent = form.get("archive")
    name = str(form.get("name") or "")[:80]
    if not isinstance(sent, UploadFile) or not sent.filename:
        return _all(place, settings, name=name, error="No file was chosen.", status=422)
    file = sent.filename[:200]
    try:
        contents = read_archive(sent.file.read(MAX_PACKED + 1))
        wanted = name.strip() or store.suggested_name(file)
        source = Source(file, place.user)
        added = adding.add(place.session, place.bank, place.team, wanted, contents, source, place.now)
    except PackError as refused:
        return _all(place, settings, name=name, error=f"{refused}.", status=422)
    except PackRefused as refused:
        return _all(place, settings, name=name, file=file, findings=refused.findings, status=422)
    return _to(place, store.checked_name(wanted), added)


@router.post("/folders")
def read_folders(place: AsEditor, settings: SettingsDep) -> Response:
    """Reads the folders again that the server's settings name for the team."""
    last = None
    for slug, folder in settings.packs:
        if slug != place.team.slug:
            continue
        try:
            added = adding.add_folder(place.session, place.bank, place.team, folder, place.user, place.now)
        except PackError as refused:
            return _all(place, settings, error=f"{refused}.", status=422)
        except PackRefused as refused:
            return _all(place, settings, file=folder.name, findings=refused.findings, status=422)
        last = _to(place, store.suggested_name(folder.name), added)
    return last or RedirectResponse(f"/team/{place.team.slug}/packs", status_code=303)


def read_pack(place: AsMember, pack: str) -> StoredPack:
    found = store.get(place.session, place.team, pack)
    if found is None:
        raise HTTPException(404, "The team has no such pack.")
    return found


PackDep = Annotated[StoredPack, Depends(read_pack)]


@router.get("/{pack}")
def show(place: AsMember, pack: PackDep, server_bank: ServerBankDep) -> HTMLResponse:
    hides = store.hidden(place.session, place.team)
    questions = [
        Row(
            slug=each.slug,
            title=each.title,
            topic=TOPICS[each.topic].name,
            hidden=(pack.key, each.slug) in hides,
            overrides=server_bank.get(each.slug) is not None,
        )
        for each in pack.served.questions
    ]
    asked = place.request.query_params
    return team_page(
        place,
        "team/pack.html",
        "/packs",
        pack=pack,
        questions=questions,
        versions=pack.versions[:LISTED],
        edits=place.may("editor"),
        news={"new": "Added.", "same": "Nothing has changed: these files were served already."}.get(
            asked.get("added", ""), ""
        ),
    )


@router.post("/{pack}/serve")
def serve(place: AsEditor, pack: PackDep, form: FormDep) -> Response:
    """Another of its versions from now on; one that was taken out comes back."""
    number = read_number(str(form.get("version") or ""))
    if not store.serve(place.session, place.team, pack.name, number):
        raise HTTPException(404, "The pack has no such version.")
    return RedirectResponse(f"/team/{place.team.slug}/packs/{pack.name}", status_code=303)


@router.post("/{pack}/remove")
def remove(place: AsEditor, pack: PackDep) -> Response:
    store.take_out(place.session, place.team, pack.name, place.now)
    return RedirectResponse(f"/team/{place.team.slug}/packs", status_code=303)


@router.get("/{pack}/versions/{version}.zip")
def download(place: AsEditor, pack: PackDep, version: str) -> Response:
    """The files as they are kept, to go on from."""
    found = pack.version(read_number(version))
    archive = store.archive_of(place.session, pack.key, found.digest) if found is not None else None
    if found is None or archive is None:
        raise HTTPException(404, "The pack has no such version.")
    file = f'attachment; filename="{pack.name}-{found.number}.zip"'
    headers = {"Content-Disposition": file, "Cache-Control": "no-store"}
    return Response(archive, media_type="application/zip", headers=headers)


def _to(place: Place, name: str, added: Added) -> Response:
    told = "new" if added.new else "same"
    return RedirectResponse(f"/team/{place.team.slug}/packs/{name}?added={told}", status_code=303)


def _all(
    place: Place,
    settings: SettingsDep,
    *,
    name: str = "",
    file: str = "",
    error: str = "",
    findings: Sequence[Finding] = (),
    status: int = 200,
) -> HTMLResponse:
    return team_page(
        place,
        "team/packs.html",
        "/packs",
        status=status,
        packs=store.of_team(place.session, place.team),
        hidden=len(store.hidden(place.session, place.team)),
        folders=[folder for slug, folder in settings.packs if slug == place.team.slug],
        edits=place.may("editor"),
        name=name,
        file=file,
        error=error,
        errors=[each for each in findings if each.severity == "error"],
        limits={"mib": MAX_PACKED // 2**20, "files": MAX_FILES, "questions": MAX_QUESTIONS},
    )
