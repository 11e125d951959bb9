"""/team/{team}/members: who is in the team, as what; owners change that."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.accounts import teams
from app.accounts.teams import ROLES, LastOwner, Member
from app.bank.topics import TOPICS
from app.membership import REFUSALS, AsMember, AsOwner, Place
from app.pages.home import questions_by_topic
from app.pages.interviews import read_number
from app.pages.interviews_view import percent
from app.pages.team_assignments import rows
from app.pages.team_frame import team_page
from app.pages.visit import FormDep
from app.practice.assignments import by_topic

router = APIRouter(prefix="/team/{team}/members")
NOBODY = "Nobody of this number is in the team."


@router.get("")
def members(place: AsMember) -> HTMLResponse:
    return _page(place)


@router.get("/{member}")
def seen(place: AsMember, member: str) -> HTMLResponse:
    """What the team sees of somebody: the same page for them and for who may look."""
    number = read_number(member)
    if number != place.user.id and not place.may("editor"):
        raise HTTPException(403, REFUSALS["editor"])
    found = teams.member(place.session, place.team, number)
    if found is None:
        raise HTTPException(404, NOBODY)
    return team_page(
        place,
        "team/member.html",
        "/members",
        member=found,
        own=number == place.user.id,
        rows=rows(place, number),
        topics=[
            (TOPICS[each.topic].name, each.seen, each.questions, percent(each.remembered))
            for each in by_topic(place.session, number, questions_by_topic(place.bank), place.now)
        ],
    )


def read_member(place: AsOwner, member: str) -> Member:
    found = teams.member(place.session, place.team, read_number(member))
    if found is None:
        raise HTTPException(404, NOBODY)
    return found


MemberDep = Annotated[Member, Depends(read_member)]


@router.post("/{member}/role")
def change_role(place: AsOwner, member: MemberDep, form: FormDep) -> Response:
    role = teams.role_named(str(form.get("role") or ""))
    if role is None:
        raise HTTPException(422, f"A role is {', '.join(ROLES[:-1])} or {ROLES[-1]}.")
    try:
        teams.change_role(place.session, place.team, member.user_id, role)
    except LastOwner as refused:
        return _page(place, error=f"{refused}.", status=409)
    return _back(place)


@router.post("/{member}/remove")
def remove(place: AsOwner, member: MemberDep) -> Response:
    try:
        teams.remove(place.session, place.team, member.user_id)
    except LastOwner as refused:
        return _page(place, error=f"{refused}.", status=409)
    return _back(place)


def _back(place: Place) -> Response:
    """To the list, or to what is left where owners changed themselves."""
    return RedirectResponse(f"/team/{place.team.slug}/members", status_code=303)


def _page(place: Place, *, error: str = "", status: int = 200) -> HTMLResponse:
    return team_page(
        place,
        "team/members.html",
        "/members",
        status=status,
        members=teams.members(place.session, place.team),
        me=place.user.id,
        looks=place.may("editor"),
        manages=place.may("owner"),
        roles=ROLES,
        error=error,
    )
