"""A server with two teams, everybody who may come to it, and things of theirs to be kept from the others."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlmodel import Session

from app.accounts import api_tokens, browser_sessions, invites, teams
from app.accounts.invites import Terms
from app.accounts.teams import Role, Team
from app.accounts.tokens import new_token
from app.accounts.users import DEFAULT_DAILY_GOAL, DEFAULT_RETENTION, User, from_row
from app.bank.load import Bank
from app.database import Database, writing
from app.main import create_app
from app.models import UserRow
from app.practice import write_ups_editing
from app.practice.kept_text import Stamp
from app.settings import SQLITE_NAME, Settings
from tests.conftest import FakeClock

NOON: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
VISITOR: Final = "visitor"
LONER, MEMBER, EDITOR, OWNER, STRANGER, OPERATOR = (
    *("loner", "member", "editor", "owner", "owner of another team", "operator"),
)
ACTORS: Final = (VISITOR, LONER, MEMBER, EDITOR, OWNER, STRANGER, OPERATOR)
SECRET: Final = "Zinnober"  # in every text of the red team and of its people
QUESTION: Final = "attention-matrix-memory"
WRITE_UP: Final = "writeupkey000001"


def person(session: Session, login: str, clock: FakeClock, *, operator: bool = False) -> User:
    with writing(session):
        row = UserRow(
            login=f"{login}@example.org".replace(" ", "."),
            name=login,
            retention=DEFAULT_RETENTION,
            daily_goal=DEFAULT_DAILY_GOAL,
            created_at=clock(),
            operator=operator,
        )
        session.add(row)
        session.flush()
    return from_row(row)


@dataclass
class World:
    """`red` is the team with secrets, `blue` the other one. Each actor has a browser of their own."""

    app: FastAPI
    folder: Path
    clock: FakeClock
    people: dict[str, User] = field(default_factory=dict)
    browsers: dict[str, TestClient] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    red: Team = field(init=False)
    blue: Team = field(init=False)

    @property
    def database(self) -> Database:
        database: Database = self.app.state.database
        return database

    def save(self) -> None:
        """Remember the database as it is, for `restore`."""
        self._copy(SQLITE_NAME, "saved")

    def restore(self) -> None:
        self._copy("saved", SQLITE_NAME)

    def _copy(self, source: str, target: str) -> None:
        with (
            contextlib.closing(sqlite3.connect(self.folder / source)) as read,
            contextlib.closing(sqlite3.connect(self.folder / target)) as written,
        ):
            read.backup(written)

    def browser(self, actor: str) -> TestClient:
        """The actor's browser, signed in as at the start."""
        client = self.browsers[actor]
        client.cookies.clear()
        if actor in self.tokens:
            client.cookies.set(browser_sessions.COOKIE, self.tokens[actor])
        return client


@contextlib.contextmanager
def world(settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[World]:
    app = create_app(settings.model_copy(update={"mode": "team"}), clock=clock, bank=bank)
    with contextlib.ExitStack() as stack:
        made = World(app, settings.data_dir, clock)
        for actor in ACTORS:
            client = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
            made.browsers[actor] = stack.enter_context(client) if actor == VISITOR else client
        with made.database.session() as session:
            _populate(made, session)
        _practise(made)
        yield made


def _populate(made: World, session: Session) -> None:
    now = made.clock()
    for actor in ACTORS[1:]:
        user = person(session, actor, made.clock, operator=actor == OPERATOR)
        made.people[actor] = user
        made.tokens[actor], _ = browser_sessions.open_session(session, user, now)
    made.red = teams.create(session, made.people[OWNER], "Red", now)
    teams.rename(session, made.red, f"Red {SECRET}")
    made.blue = teams.create(session, made.people[STRANGER], "Blue", now)
    roles: dict[str, Role] = {MEMBER: "member", EDITOR: "editor"}
    with writing(session):
        for actor, role in roles.items():
            teams.add_or_raise(session, made.red.id, made.people[actor], role, now)
    invite = new_token()
    terms = Terms("member", days=7, max_uses=50, label=SECRET)
    invites.make(session, made.red, made.people[OWNER], terms, invite, now)
    program = api_tokens.PREFIX + new_token()
    api_tokens.make(session, made.people[MEMBER], program, SECRET, ("read",), 30, now)
    _, browser = browser_sessions.open_session(session, made.people[MEMBER], now, agent=SECRET)
    made.values |= {
        "person": str(made.people[MEMBER].id),
        "browser": str(browser.id),
        "program": str(api_tokens.of_user(session, made.people[MEMBER])[0].id),
        "team": made.red.slug,
        "member": str(made.people[EDITOR].id),
        "invite": str(invites.of_team(session, made.red)[0].id),
        "token": invite,
    }


def _practise(made: World) -> None:
    """What the red team's member has of their own, by the numbers in its addresses."""
    member = made.browser(MEMBER)
    drill = member.post("/practice/drill", data={"question": QUESTION, "title": SECRET})
    interview = member.post("/interviews", data={"sent": "1", "question": QUESTION, "name": SECRET})
    with made.database.session() as session:
        write_ups_editing.save_text(
            *(session, made.people[MEMBER], WRITE_UP, "company", SECRET),
            stamp=Stamp(),
            now=made.clock(),
            typed_at=None,
        )
    made.values |= {
        "drill": drill.headers["location"].split("/")[3].split("?")[0],
        "interview": interview.headers["location"].rpartition("/")[2],
    }
