"""/team/{team}/assignments: what the team sets its people to do, who has done what; and one page a person."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import FormData

from app.accounts import teams
from app.accounts.teams import Member, Membership
from app.accounts.users import User
from app.membership import AsEditor, AsMember, Place
from app.pages import team_assignments_view as view
from app.pages.interviews import read_number
from app.pages.team_frame import team_page
from app.pages.visit import FormDep
from app.practice import assignments, drills, interviews_running
from app.practice.assignments import Assignment, AssignmentRefused
from app.practice.interviews_running import InterviewRunning
from app.practice.interviews_sets import SetUp
from app.practice.study_day import study_day

router = APIRouter(prefix="/team/{team}/assignments")


@router.get("")
def show_all(place: AsMember) -> HTMLResponse:
    """Somebody's own; owners and editors see those of all."""
    everybody = place.may("editor")
    return team_page(
        place,
        "team/assignments.html",
        "/assignments",
        rows=rows(place, None if everybody else place.user.id),
        edits=everybody,
    )


def rows(place: Place, only: int | None) -> list[view.Row]:
    """Of all people, or of one: those that are open, and those closed that were theirs."""
    today = study_day(place.now, place.user.zone)
    members = teams.members(place.session, place.team)
    listed = []
    for each in assignments.of_team(place.session, place.team):
        people = [member.user_id for member in members if each.concerns(member.user_id)]
        wanted = people if only is None else [only] if only in people else []
        if wanted:
            listed.append(view.row(each, assignments.results(place.session, each, wanted), today))
    return listed


def undone(request: Request, user: User, membership: Membership, now: datetime) -> list[view.Row]:
    """What is left for somebody to do in their team."""
    place = Place(request, request.state.session, user, membership, now)
    return [row for row in rows(place, place.user.id) if not (row.closed or row.finished)]


@router.get("/new")
def new(place: AsEditor) -> HTMLResponse:
    return _form(place, FormData(), {})


@router.post("/new")
def create(place: AsEditor, form: FormDep) -> Response:
    errors: dict[str, str] = {}
    members = teams.members(place.session, place.team)
    task = view.read_task(form, place.bank, members, errors)
    try:
        assignments.checked(task)
    except AssignmentRefused as refused:
        errors = {**refused.errors, **errors}
    if not errors:
        try:
            number = assignments.create(place.session, place.team, place.user, task, place.now)
        except AssignmentRefused as refused:
            errors = dict(refused.errors)
        else:
            return RedirectResponse(f"/team/{place.team.slug}/assignments/{number}", status_code=303)
    return _form(place, form, errors, status=422)


def read_assignment(place: AsMember, assignment: str) -> Assignment:
    """One of the team's; a member's only where it is theirs to do."""
    found = assignments.get(place.session, place.team, read_number(assignment))
    if found is None or not (place.may("editor") or found.concerns(place.user.id)):
        raise HTTPException(404, "The team has set no such assignment.")
    return found


AssignmentDep = Annotated[Assignment, Depends(read_assignment)]


@router.get("/{assignment}")
def show(place: AsMember, assignment: AssignmentDep) -> HTMLResponse:
    concerned = _concerned(place, assignment)
    found = assignments.results(place.session, assignment, [member.user_id for member in concerned])
    own = found.get(place.user.id)
    return team_page(
        place,
        "team/assignment.html",
        "/assignments",
        assignment=assignment,
        task=assignment.task,
        what=view.what(assignment.task),
        due=view.due(assignment.task.due, study_day(place.now, place.user.zone)),
        questions=[(key.slug, *view.title_of(place.bank, key)) for key in assignment.task.questions],
        own=own,
        far=view.far,
        people=[(member, found[member.user_id]) for member in concerned] if place.may("editor") else (),
        edits=place.may("editor"),
    )


@router.post("/{assignment}/start")
def start(place: AsMember, assignment: AssignmentDep) -> Response:
    """Its drill or its interview, begun or gone on with."""
    if assignment.closed or not assignment.concerns(place.user.id):
        raise HTTPException(409, "This assignment is closed, or is not for you to do.")
    bank = place.bank
    asked = [found for key in assignment.task.questions if (found := bank.at(key)) is not None]
    if not asked:
        raise HTTPException(409, "None of its questions is there any more.")
    teams.choose(place.session, place.user, place.team, place.now)  # whose questions they are
    where, title = (place.session, place.user), assignment.task.title
    if assignment.task.minutes is None:
        key = assignment.interview_key
        number = drills.start(*where, asked, title=title, moves_schedule=True, key=key, now=place.now)
        return RedirectResponse(f"/practice/drill/{number}/next", status_code=303)
    wanted = SetUp(
        minutes=assignment.task.minutes,
        questions=len(asked),
        slugs=tuple(each.slug for each in asked),
        follow_ups=False,
    )
    key = assignments.interview_key(place.session, assignment, place.user)
    try:
        number = interviews_running.start(*where, bank, asked, wanted, title=title, key=key, now=place.now)
    except InterviewRunning as running:
        number = running.interview_id
    return RedirectResponse(f"/interviews/{number}", status_code=303)


@router.post("/{assignment}/close")
def close(place: AsEditor, assignment: AssignmentDep) -> Response:
    assignments.close(place.session, place.team, assignment.id, place.now)
    return RedirectResponse(f"/team/{place.team.slug}/assignments", status_code=303)


@router.get("/{assignment}/results.csv")
def export(place: AsEditor, assignment: AssignmentDep) -> Response:
    concerned = _concerned(place, assignment)
    found = assignments.results(place.session, assignment, [member.user_id for member in concerned])
    file = f'attachment; filename="assignment-{assignment.id}.csv"'
    headers = {"Content-Disposition": file, "Cache-Control": "no-store"}
    return Response(view.as_csv(assignment, concerned, found), media_type="text/csv", headers=headers)


def _concerned(place: Place, assignment: Assignment) -> Sequence[Member]:
    members = teams.members(place.session, place.team)
    return [member for member in members if assignment.concerns(member.user_id)]


def _form(place: Place, given: FormData, errors: Mapping[str, str], *, status: int = 200) -> HTMLResponse:
    def text(name: str, usual: str = "") -> str:
        return str(given.get(name, usual))[:4_000]

    ticked: dict[str, Any] = {
        name: frozenset(str(each) for each in given.getlist(name)[: view.MAX_SENT])
        for name in ("question", "person")
    }
    return team_page(
        place,
        "team/assignment_new.html",
        "/assignments",
        status=status,
        shown={
            "title": text("title"),
            "note": text("note"),
            "due": text("due"),
            "minutes": text("minutes", view.USUAL_MINUTES),
        },
        interview=given.get("kind") == "interview",
        some=given.get("for") == "some",
        groups=view.choices(place.bank, ticked["question"]),
        members=teams.members(place.session, place.team),
        chosen=ticked["person"],
        errors=errors,
        most=assignments.MAX_ASKED,
    )
