"""Every route of the server, asked by everybody who may come: each gets in, or the refusal that is due.

The routes are found in the app. One that stands in no table here fails the test: somebody has to decide.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx2 import Response

from app.bank.load import Bank
from app.packs import adding, store
from app.packs.adding import Source
from app.packs.archives import read_archive
from app.practice import assignments
from app.practice.assignments import Task
from app.practice.records import QuestionKey
from app.settings import SQLITE_NAME, Settings
from tests.accounts import worlds
from tests.accounts.worlds import (
    ACTORS,
    EDITOR,
    LONER,
    MEMBER,
    OPERATOR,
    OWNER,
    QUESTION,
    SECRET,
    STRANGER,
    VISITOR,
    World,
)
from tests.conftest import FakeClock
from tests.packs.files import OURS, archive, question

Route = tuple[str, str]

IN, SIGN_IN, FORBIDDEN, NOTHING = "in", "sign in", "403", "404"
SIGNED_IN: Final = (LONER, MEMBER, EDITOR, OWNER, STRANGER, OPERATOR)
OUTSIDE: Final = (LONER, STRANGER, OPERATOR)


def _rule(who: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {actor: answer for answer, actors in who.items() for actor in actors}


# What each actor meets, by kind of route. What belongs to nobody in the address is everybody's own.
EVERYBODY: Final = _rule({IN: ACTORS})
MACHINE: Final = _rule({FORBIDDEN: ACTORS})
PERSON: Final = _rule({SIGN_IN: (VISITOR,), IN: SIGNED_IN})
MEMBERS_OWN: Final = _rule(
    {SIGN_IN: (VISITOR,), IN: (MEMBER,), NOTHING: (LONER, EDITOR, OWNER, *OUTSIDE[1:])}
)
OF_TEAM: Final = _rule({SIGN_IN: (VISITOR,), IN: (MEMBER, EDITOR, OWNER), NOTHING: OUTSIDE})
BY_EDITORS: Final = _rule({SIGN_IN: (VISITOR,), FORBIDDEN: (MEMBER,), IN: (EDITOR, OWNER), NOTHING: OUTSIDE})
BY_OWNERS: Final = _rule({SIGN_IN: (VISITOR,), FORBIDDEN: (MEMBER, EDITOR), IN: (OWNER,), NOTHING: OUTSIDE})
OVER: Final = _rule({NOTHING: ACTORS})
BY_OPERATOR: Final = _rule({SIGN_IN: (VISITOR,), FORBIDDEN: SIGNED_IN[:-1], IN: (OPERATOR,)})

RULES: Final = {
    "everybody": EVERYBODY,
    "what is over or not set": OVER,
    "this machine": MACHINE,
    "person": PERSON,
    "member's own": MEMBERS_OWN,
    "team": OF_TEAM,
    "editors": BY_EDITORS,
    "owners": BY_OWNERS,
    "operator": BY_OPERATOR,
}

# The templates of each kind with their methods, one letter each: Get, pOst, pUt.
TABLE: Final = {
    "everybody": """
        G /openapi.json | G /healthz | G /readyz | G /join/{token} | GO /join/{token}/register
        GO /sign-in | O /sign-out | G /forgot
    """,
    "what is over or not set": """
        O /forgot | GO /first-owner/{token} | GO /reset/{token}
        G /sign-in/provider | G /sign-in/provider/back
    """,
    "this machine": "G /metrics",
    "person": """
        G /api/docs | G /api/v1/calculators | G /api/v1/calculators/{slug} | G /api/v1/quantities
        G /api/v1/calculators/{slug}/sweep | G /api/v1/calculators/{slug}/solve
        G /api/v1/calculators/{slug}/flips
        G /api/v1/me | G /api/v1/me/progress | G /api/v1/me/attempts | G /api/v1/me/due
        G / | G /questions | G /topics/{slug} | G /numbers
        GO /questions/{slug}/restart | GO /questions/{slug}/rating | GO /questions/{slug}/reveal
        GO /questions/{slug}/hint | GO /questions/{slug}/answer | O /questions/{slug}/ticks
        G /questions/{slug} | G /questions/{slug}/plot | U /questions/{slug}/draft
        GOU /questions/{slug}/note | GO /questions/{slug}/marks | GO /questions/{slug}/skip
        G /questions/{slug}/report
        G /calculators | G /calculators/{slug} | G /calculators/{slug}/solve | G /calculators/{slug}/flips
        G /calculators/{slug}/plot | G /calculators/{slug}/embed | G /calculators/{slug}/rest
        G /practice | G /practice/next | G /practice/follow-up | O /practice/choice | O /practice/more
        O /practice/bring-back | O /practice/undo | GO /practice/drill
        G /progress | GO /interviews
        G /account/access | O /account/access/name | O /account/access/password
        O /account/access/browsers/end-others | O /account/access/tokens
        G /account | O /account/settings | O /account/delete | O /account/import
        G /account/export/archive.json | G /account/export/attempts.csv | G /account/export/questions.apkg
        G /write-ups | G /write-ups/new | G /write-ups/find | GO /write-ups/{key}/edit
        U /write-ups/{key}/text | O /write-ups/{key}/delete
        O /interviews/sets/{number}/delete
        G /team | O /join/{token}
    """,
    "member's own": """
        O /account/access/browsers/{browser}/end | O /account/access/tokens/{program}/revoke
        G /practice/drill/{number} | G /practice/drill/{number}/next | O /practice/drill/{number}/end
        G /interviews/{number} | GO /interviews/{number}/points | GO /interviews/{number}/share
        GO /interviews/{number}/revoke | GO /interviews/{number}/abandon | GO /interviews/{number}/finish
        GO /interviews/{number}/notes | GO /interviews/{number}/next | GO /interviews/{number}/hint
        GO /interviews/{number}/pass | GO /interviews/{number}/answer | G /interviews/{number}/clock
        U /interviews/{number}/notes/{place}
        G /write-ups/{key} | G /write-ups/{key}/delete | GO /interviews/{number}/delete
    """,
    "team": """
        G /team/{team} | O /team/{team}/choose | O /team/{team}/leave | G /team/{team}/members
        G /team/{team}/packs | G /team/{team}/packs/{pack} | G /team/{team}/assignments
        G /team/{team}/assignments/{assignment} | O /team/{team}/assignments/{assignment}/start
        G /api/v1/team/{team} | G /api/v1/team/{team}/assignments
        G /api/v1/team/{team}/assignments/{assignment}
    """,
    "editors": """
        O /team/{team}/packs | O /team/{team}/packs/folders | O /team/{team}/packs/{pack}/serve
        O /team/{team}/packs/{pack}/remove | G /team/{team}/packs/{pack}/versions/{version}.zip
        G /team/{team}/questions | O /team/{team}/questions/hide | O /team/{team}/questions/show
        GO /team/{team}/assignments/new | O /team/{team}/assignments/{assignment}/close
        G /team/{team}/assignments/{assignment}/results.csv | G /team/{team}/members/{member}
        O /api/v1/team/{team}/assignments | O /api/v1/team/{team}/assignments/{assignment}/close
        G /api/v1/team/{team}/members/{member}
    """,
    "owners": """
        G /team/{team}/settings | O /team/{team}/rename | O /team/{team}/delete
        O /team/{team}/members/{member}/role | O /team/{team}/members/{member}/remove
        GO /team/{team}/invites | O /team/{team}/invites/{invite}/revoke
    """,
    "operator": """
        GO /teams | G /people | O /people/{person}/reset | O /people/{person}/disable
        O /people/{person}/enable
    """,
}
HIDDEN: Final = "mfu-and-hfu"
# What a form has to say, where it names something by a field and not by its address.
FORMS: Final = {
    "/team/{team}/packs/{pack}/serve": {"version": "1"},
    "/team/{team}/questions/hide": {"pack": "questions", "question": QUESTION},
    "/team/{team}/questions/show": {"pack": "questions", "question": HIDDEN},
}
METHODS: Final = {"G": "GET", "O": "POST", "U": "PUT", "D": "DELETE"}
# Asked in a test of its own: a link to a report, which is the only thing shown to whoever has it.
APART: Final = {("GET", "/interviews/shared/{token}")}


def decided() -> dict[Route, str]:
    """What kind each route is, by method and template."""
    found: dict[Route, str] = {}
    for kind, text in TABLE.items():
        for entry in re.split(r"[|\n]", text):
            if entry.strip():
                letters, template = entry.split()
                found |= {(METHODS[letter], template): kind for letter in letters}
    return found


def routes(app: FastAPI) -> list[Route]:
    return [
        (method, str(route.path))
        for route in iter_route_contexts(app.routes)
        for method in sorted(route.methods or ())
        if method != "HEAD"  # answered like GET, by one middleware for all
    ]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory, migrated_file: object, bank: Bank) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("walk")
    with (
        closing(sqlite3.connect(str(migrated_file))) as empty,
        closing(sqlite3.connect(folder / SQLITE_NAME)) as copy,
    ):
        empty.backup(copy)
    clock = FakeClock(worlds.NOON)
    with worlds.world(Settings(data_dir=folder), clock, bank) as made:
        _more(made)
        made.save()
        yield made


def _more(made: World) -> None:
    """A pack of the red team, a question that it hides, and what it set."""
    with made.database.session() as session:
        pack = read_archive(archive(question(f"Cache of {SECRET}")))
        source = Source("pack.zip", made.people[OWNER])
        added = adding.add(session, made.app.state.bank, made.red, "stack", pack, source, made.clock())
        store.hide(session, made.red, ("questions", HIDDEN), made.clock())
        task = Task(SECRET, (QuestionKey("questions", QUESTION),))
        number = assignments.create(session, made.red, made.people[OWNER], task, made.clock())
    made.values |= {"pack": "stack", "version": str(added.version), "assignment": str(number)}


def address(world: World, template: str, **instead: str) -> str:
    """The template with what the red team and its member have, or with other values for some names."""
    number = "drill" if "/drill/" in template else "interview"
    values = {
        **world.values,
        "number": world.values[number],
        "slug": _slug(template),
        "key": worlds.WRITE_UP,
        "place": "1",
        **instead,
    }
    return re.sub(r"\{(\w+)\}", lambda name: values[name[1]], template)


def _slug(template: str) -> str:
    return "ffn" if "/calculators/" in template else "kernels" if "/topics/" in template else QUESTION


def met(answer: Response) -> str:
    """Which of the answers of a rule it is."""
    if answer.status_code == 401 or answer.headers.get("location", "").startswith("/sign-in"):
        return SIGN_IN
    return {403: FORBIDDEN, 404: NOTHING}.get(answer.status_code, IN)


class Watch:
    """Tells whether anything was written to the database since it was last asked."""

    def __init__(self, world: World) -> None:
        self._connection = sqlite3.connect(world.folder / SQLITE_NAME)
        self._version = self._read()

    def _read(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def changed(self) -> bool:
        before, self._version = self._version, self._read()
        return before != self._version

    def close(self) -> None:
        self._connection.close()


def test_every_route_has_been_decided_on(walked: World) -> None:
    assert set(routes(walked.app)) - {("", "/static")} == set(decided()) | APART


@pytest.mark.parametrize("actor", ACTORS)
def test_everybody_gets_in_where_they_may_and_is_refused_elsewhere(walked: World, actor: str) -> None:
    wrong: list[str] = []
    with closing(Watch(walked)) as watch:
        for (method, template), kind in decided().items():
            expected = RULES[kind][actor]
            here, form = address(walked, template), FORMS.get(template)
            answer = walked.browser(actor).request(method, here, data=form)
            changed = watch.changed()
            said = f"{method} {template}: {answer.status_code}"
            if met(answer) != expected or answer.status_code >= 500:
                wrong.append(f"{said}, not {expected}")
            if changed and expected != IN:
                wrong.append(f"{said}, and it changed something")
            if actor in (VISITOR, *OUTSIDE) and template not in SHOWS_ITS_TEAM and SECRET in answer.text:
                wrong.append(f"{said} tells what is the red team's")
            if changed:
                walked.restore()
                watch.changed()
    assert wrong == []


SHOWS_ITS_TEAM: Final = {
    "/join/{token}",
    "/join/{token}/register",
    "/teams",
}  # to who has its link, and to the operator


def test_what_is_of_another_team_is_nothing_under_ones_own(walked: World) -> None:
    """The owner of the blue team may do everything there, but with nothing of the red one."""
    wrong: list[str] = []
    with closing(Watch(walked)) as watch:
        for method, template in decided():
            if not re.match(r"/(?:api/v1/)?teams?/\{team\}/.*\{", template):
                continue
            own = address(walked, template, team=walked.blue.slug)
            answer = walked.browser(STRANGER).request(method, own)
            if answer.status_code != 404 or watch.changed() or SECRET in answer.text:
                wrong.append(f"{method} {template}: {answer.status_code}")
    assert wrong == []


@pytest.mark.parametrize("actor", OUTSIDE)
def test_a_question_of_a_pack_is_nothing_to_anybody_else(walked: World, actor: str) -> None:
    wrong: list[str] = []
    with closing(Watch(walked)) as watch:
        for method, template in decided():
            if template.startswith("/questions/{slug}"):
                answer = walked.browser(actor).request(method, address(walked, template, slug=OURS))
                if answer.status_code not in NO_QUESTION or watch.changed() or SECRET in answer.text:
                    wrong.append(f"{method} {template}: {answer.status_code}")
    assert wrong == []


NO_QUESTION: Final = (404, 422)  # the second where nothing was sent that could be kept


def test_a_token_that_is_not_known_leads_nowhere(walked: World) -> None:
    for actor in ACTORS:
        for template in ("/join/{token}", "/interviews/shared/{token}"):
            for token in ("A" * 43, "x", "%2e%2e", walked.values["token"][:-1]):
                answer = walked.browser(actor).get(address(walked, template, token=token))
                assert answer.status_code == 404, (actor, template, token)
