"""Packs of a team, from the archive to the page: who sees them, their versions, what is hidden."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from app.accounts import teams
from app.bank.load import Bank
from app.main import create_app
from app.packs import adding, store
from app.settings import Settings
from tests.accounts.worlds import EDITOR, LONER, MEMBER, OPERATOR, OWNER, QUESTION, STRANGER, World, world
from tests.conftest import FakeClock
from tests.packs.files import OURS, archive, question

PACKS = "/team/red/packs"


@pytest.fixture
def made(app_settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[World]:
    with world(app_settings, clock, bank) as made:
        yield made


def upload(made: World, actor: str, data: bytes, name: str = "our-stack", team: str = "red") -> Response:
    files = {"archive": ("our-stack.zip", data, "application/zip")}
    return made.browser(actor).post(f"/team/{team}/packs", data={"name": name}, files=files)


def page(made: World, actor: str, address: str) -> str:
    return made.browser(actor).get(address).text


class TestWhoSees:
    def test_the_team_everywhere_and_nobody_else_anywhere(self, made: World) -> None:
        title = "Cache of our zebra model"
        for actor, status in ((MEMBER, 403), (STRANGER, 404), (LONER, 404), (OPERATOR, 404), (EDITOR, 303)):
            assert upload(made, actor, archive(question(title))).status_code == status, actor
        search, topics = f"/questions?q={quote('zebra')}", "/questions?topic=kv-cache-and-decoding"
        for address in (search, f"/questions/{OURS}", topics, PACKS + "/our-stack"):
            assert title in page(made, MEMBER, address), address
        for actor in (STRANGER, LONER, OPERATOR):
            browser = made.browser(actor)
            assert title not in page(made, actor, search)
            assert title not in page(made, actor, topics)
            for address in (f"/questions/{OURS}", f"{PACKS}/our-stack", f"{PACKS}/our-stack/versions/1.zip"):
                assert browser.get(address).status_code == 404, address
            for act in ("answer", "reveal", "marks", "note"):
                assert browser.post(f"/questions/{OURS}/{act}").status_code == 404, act
            draft = {"seed": 0, "part": "", "text": "x", "revision": 0}
            for kept in ("draft", "note"):
                assert browser.put(f"/questions/{OURS}/{kept}", json=draft).status_code == 404, kept
            drill = browser.post("/practice/drill", data={"question": OURS})
            assert drill.status_code == 422
            assert browser.post("/interviews", data={"sent": "1", "question": OURS}).status_code == 422
            assert OURS.encode() not in browser.get("/account/export/questions.apkg").content
        assert made.browser(MEMBER).post("/practice/drill", data={"question": OURS}).status_code == 303

    def test_counts_follow_the_team_that_one_is_in(self, made: World) -> None:
        before = count(page(made, MEMBER, "/questions"))
        upload(made, EDITOR, archive(question()))
        assert count(page(made, MEMBER, "/questions")) == before + 1
        with made.database.session() as session:
            blue = teams.create(session, made.people[MEMBER], "Own", made.clock.advance(minutes=1))
        assert count(page(made, MEMBER, "/questions")) == before
        made.clock.advance(minutes=1)
        made.browser(MEMBER).post("/team/red/choose")
        assert count(page(made, MEMBER, "/questions")) == before + 1
        assert blue.bank == ""

    def test_two_teams_may_have_packs_and_questions_of_one_name(self, made: World) -> None:
        upload(made, EDITOR, archive(question("Red cache of ours")))
        upload(made, STRANGER, archive(question("Blue cache of ours")), team="blue")
        assert "Red cache" in page(made, MEMBER, f"/questions/{OURS}")
        assert "Blue cache" in page(made, STRANGER, f"/questions/{OURS}")

    def test_two_processes_show_the_same(self, made: World, app_settings: Settings, bank: Bank) -> None:
        with world_again(made, app_settings, bank) as other:
            before = page(other, MEMBER, f"/questions/{OURS}")
            assert "There is no question" in before
            upload(made, EDITOR, archive(question("Seen by both")))
            assert "Seen by both" in page(other, MEMBER, f"/questions/{OURS}")
            upload(other, EDITOR, archive(question("Seen by both again")))
            assert "Seen by both again" in page(made, MEMBER, f"/questions/{OURS}")


@contextlib.contextmanager
def world_again(made: World, settings: Settings, bank: Bank) -> Iterator[World]:
    """A second process on the same database, with a folder of its own for what it unpacks."""
    moved = {
        "mode": "team",
        "data_dir": settings.data_dir / "second",
        "database_url": settings.effective_database_url,
    }
    app = create_app(settings.model_copy(update=moved), clock=made.clock, bank=bank)
    browsers = {
        actor: TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) for actor in made.browsers
    }
    with browsers[OWNER]:
        yield World(app, settings.data_dir, made.clock, made.people, browsers, made.tokens, made.values)


def count(listing: str) -> int:
    found = re.search(r"(\d+) questions", listing)
    assert found
    return int(found[1])


class TestRefused:
    def test_with_errors_it_is_refused_whole_and_says_where(self, made: World) -> None:
        wrong = question().replace(b"{{ answer }}. One", b"{{ nothing }}. One")
        answer = upload(made, EDITOR, archive(question(), other=wrong))
        assert answer.status_code == 422
        assert re.search(r"kv-cache-and-decoding/other\.md:\d+</span>", answer.text)
        assert "nothing" in answer.text
        assert made.browser(MEMBER).get(f"/questions/{OURS}").status_code == 404

    def test_what_cannot_be_an_archive_or_a_name_says_so(self, made: World) -> None:
        assert "no archive of a kind" in upload(made, EDITOR, b"hello").text
        assert "small letters" in upload(made, EDITOR, archive(question()), name="Our Stack!").text
        nothing = made.browser(EDITOR).post(PACKS, data={"name": "x"})
        assert (nothing.status_code, "No file was chosen" in nothing.text) == (422, True)

    def test_verdicts_never_change_under_a_version(self, made: World) -> None:
        upload(made, EDITOR, archive(question()))
        refused = upload(made, EDITOR, archive(question(answer="bytes_per_token")))
        assert "changed since version 1 was recorded" in refused.text
        raised = question(version=2, answer="bytes_per_token")
        assert upload(made, EDITOR, archive(raised)).status_code == 303

    def test_a_slug_of_another_pack_of_the_team(self, made: World) -> None:
        upload(made, EDITOR, archive(question()))
        answer = upload(made, EDITOR, archive(question("Again")), name="second")
        assert "is taken by the pack our-stack" in answer.text


class TestVersions:
    def test_whoever_is_in_the_middle_goes_on_with_what_they_began(self, made: World) -> None:
        upload(made, EDITOR, archive(question("First wording")))
        begun = f"/questions/{OURS}"
        made.browser(MEMBER).post(f"{begun}/hint", data={"number": "1"})
        changes: tuple[Callable[[], Response], ...] = (
            lambda: upload(made, EDITOR, archive(question("Second wording", version=2))),
            lambda: upload(made, EDITOR, archive(question("Without it"), "another")),
            lambda: made.browser(EDITOR).post(f"{PACKS}/our-stack/remove"),
        )
        for change in changes:
            assert change().status_code == 303
            assert "First wording" in page(made, MEMBER, begun)
            assert "What does one token leave" in page(made, MEMBER, begun)
        assert made.browser(OWNER).get(begun).status_code == 404
        answered = made.browser(MEMBER).post(f"{begun}/answer", data={"answer": "1 GiB"})
        assert answered.status_code == 303
        assert "First wording" in page(made, MEMBER, begun)
        made.browser(MEMBER).post(f"{begun}/restart")
        assert made.browser(MEMBER).get(begun).status_code == 404

    def test_an_older_one_can_be_served_again(self, made: World) -> None:
        upload(made, EDITOR, archive(question("First wording")))
        upload(made, EDITOR, archive(question("Second wording", version=2)))
        assert "Second wording" in page(made, MEMBER, f"/questions/{OURS}")
        made.browser(EDITOR).post(f"{PACKS}/our-stack/serve", data={"version": "1"})
        assert "First wording" in page(made, MEMBER, f"/questions/{OURS}")
        kept = made.browser(EDITOR).get(f"{PACKS}/our-stack/versions/2.zip").content
        assert upload(made, EDITOR, kept).status_code == 303
        assert "Second wording" in page(made, MEMBER, f"/questions/{OURS}")
        with made.database.session() as session:
            pack = store.get(session, made.red, "our-stack")
        assert pack is not None
        assert [version.number for version in pack.versions] == [2, 1]

    def test_a_folder_that_is_mounted_is_read_at_the_start_and_when_asked(
        self, made: World, tmp_path: Path, bank: Bank
    ) -> None:
        folder = tmp_path / "Mounted Stack" / "kv-cache-and-decoding"
        folder.mkdir(parents=True)
        (folder / f"{OURS}.md").write_bytes(question("From a folder"))
        with made.database.session() as session:
            for _ in range(2):
                adding.add_mounted(
                    session, bank, [("red", folder.parent), ("nobody", tmp_path)], made.clock()
                )
            pack = store.get(session, made.red, "mounted-stack")
        assert pack is not None
        assert len(pack.versions) == 1
        assert "From a folder" in page(made, MEMBER, f"/questions/{OURS}")
        (folder / f"{OURS}.md").write_bytes(b"broken")
        with made.database.session() as session:
            adding.add_mounted(session, bank, [("red", folder.parent)], made.clock())
        assert "From a folder" in page(made, MEMBER, f"/questions/{OURS}")


class TestOverAndUnder:
    def test_one_of_the_banks_slug_stands_in_for_it_until_it_is_hidden(self, made: World) -> None:
        builtin = page(made, MEMBER, f"/questions/{QUESTION}")
        upload(made, EDITOR, archive(question("Ours instead"), QUESTION))
        assert "Ours instead" in page(made, MEMBER, f"/questions/{QUESTION}")
        assert "Ours instead" not in page(made, STRANGER, f"/questions/{QUESTION}")
        switch(made, "hide", "red/our-stack", QUESTION)
        assert heading(page(made, MEMBER, f"/questions/{QUESTION}")) == heading(builtin)
        switch(made, "hide", "questions", QUESTION)
        assert made.browser(OWNER).get(f"/questions/{QUESTION}").status_code == 404
        assert made.browser(STRANGER).get(f"/questions/{QUESTION}").status_code == 200
        switch(made, "show", "questions", QUESTION)
        assert made.browser(OWNER).get(f"/questions/{QUESTION}").status_code == 200

    def test_nobody_switches_what_is_not_there_or_anothers(self, made: World) -> None:
        upload(made, STRANGER, archive(question()), team="blue")
        for pack, slug in (("questions", "nope"), ("blue/our-stack", OURS), ("", ""), ("red/x", OURS)):
            form = {"pack": pack, "question": slug}
            for act in ("hide", "show"):
                answer = made.browser(EDITOR).post(f"/team/red/questions/{act}", data=form)
                assert answer.status_code == 404, (pack, act)


def switch(made: World, act: str, pack: str, slug: str) -> None:
    form = {"pack": pack, "question": slug}
    assert made.browser(EDITOR).post(f"/team/red/questions/{act}", data=form).status_code == 303


def heading(text: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", text)
    assert found
    return found[1]


def test_what_was_unpacked_can_be_thrown_away(made: World, app_settings: Settings, bank: Bank) -> None:
    upload(made, EDITOR, archive(question("Kept in the database")))
    assert "Kept in" in page(made, MEMBER, f"/questions/{OURS}")
    shutil.rmtree(app_settings.data_dir / "packs")
    with world_again(made, app_settings, bank) as other:
        assert "Kept in" in page(other, MEMBER, f"/questions/{OURS}")
