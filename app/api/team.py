"""/api/v1/team/{team}: who is in it, what it sets its people to do, and what it sees of each."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path
from fastapi.responses import Response

from app.accounts import teams
from app.accounts.teams import Member
from app.api import team_schema as schema
from app.api.team_schema import (
    AssignmentIn,
    AssignmentMade,
    AssignmentOut,
    Assignments,
    MemberSeen,
    TeamOut,
)
from app.errors import PROBLEM_RESPONSES, FieldProblem, error_response
from app.membership import REFUSALS, AsEditor, AsMember, Place
from app.pages.home import questions_by_topic
from app.practice import assignments
from app.practice.assignments import Assignment, AssignmentRefused

router = APIRouter(prefix="/api/v1/team/{team}", tags=["team"], responses=PROBLEM_RESPONSES)
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("", summary="A team of yours, and who is in it")
def show(place: AsMember) -> TeamOut:
    members = teams.members(place.session, place.team)
    owner = place.may("owner")
    return TeamOut(
        slug=place.team.slug,
        name=place.team.name,
        role=place.membership.role,
        members=[schema.member_out(member, with_email=owner) for member in members],
    )


@router.get("/members/{member}", summary="What the team sees of a member: oneself, or for owners and editors")
def show_member(place: AsMember, member: Number) -> MemberSeen:
    if member != place.user.id and not place.may("editor"):
        raise HTTPException(403, REFUSALS["editor"])
    found = teams.member(place.session, place.team, member)
    if found is None:
        raise HTTPException(404, "Nobody of this number is in the team.")
    topics = questions_by_topic(place.bank)
    return MemberSeen(
        member=schema.member_out(found, with_email=place.may("owner")),
        assignments=_listed(place, member),
        topics=[
            schema.topic_out(each) for each in assignments.by_topic(place.session, member, topics, place.now)
        ],
    )


@router.get("/assignments", summary="What the team has set: all of it, or for members what is theirs to do")
def list_assignments(place: AsMember) -> Assignments:
    return Assignments(assignments=_listed(place, None if place.may("editor") else place.user.id))


@router.post(
    "/assignments",
    summary="Set an assignment, as an owner or editor",
    status_code=201,
    response_model=AssignmentMade,
)
def create(place: AsEditor, sent: AssignmentIn) -> AssignmentMade | Response:
    errors: dict[str, str] = {}
    task = schema.task(sent, place.bank, teams.members(place.session, place.team), errors)
    try:
        if errors:
            raise AssignmentRefused(errors)
        number = assignments.create(place.session, place.team, place.user, task, place.now)
    except AssignmentRefused as refused:
        problems = [FieldProblem(field=name, message=text) for name, text in refused.errors.items()]
        return error_response(place.request, 422, errors=problems)
    return AssignmentMade(id=number)


@router.get("/assignments/{assignment}", summary="One of them, with who has done what")
def show_assignment(place: AsMember, assignment: Number) -> AssignmentOut:
    found = assignments.get(place.session, place.team, assignment)
    only = None if place.may("editor") else place.user.id
    if found is None or (only is not None and not found.concerns(only)):
        raise HTTPException(404, "The team has set no such assignment.")
    return _with_results(place, found, teams.members(place.session, place.team), only)


@router.post("/assignments/{assignment}/close", summary="Close one, as an owner or editor", status_code=204)
def close(place: AsEditor, assignment: Number) -> None:
    if assignments.get(place.session, place.team, assignment) is None:
        raise HTTPException(404, "The team has set no such assignment.")
    assignments.close(place.session, place.team, assignment, place.now)


def _listed(place: Place, only: int | None) -> list[AssignmentOut]:
    every = assignments.of_team(place.session, place.team)
    members = teams.members(place.session, place.team)
    return [
        _with_results(place, each, members, only) for each in every if only is None or each.concerns(only)
    ]


def _with_results(
    place: Place, assignment: Assignment, members: Sequence[Member], only: int | None
) -> AssignmentOut:
    """With the results of all whom it concerns, or of one."""
    concerned = [member.user_id for member in members if assignment.concerns(member.user_id)]
    wanted = concerned if only is None else [only]
    found = assignments.results(place.session, assignment, wanted)
    return schema.assignment_out(place.bank, assignment, found)
