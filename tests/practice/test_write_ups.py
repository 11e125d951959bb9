import json
from datetime import date
from itertools import count

import pytest
from sqlmodel import Session, select

from app.accounts.users import User, delete_everything
from app.database import writing
from app.exchange import archive
from app.models import UserRow, WriteUpQuestionRow, WriteUpRow, WriteUpTextRow
from app.practice import write_ups
from app.practice.kept_text import Stamp
from app.practice.notes import Note
from app.practice.records import QuestionKey
from app.practice.write_ups import MAX_QUESTIONS, MAX_TOTAL, NoSuchField, WriteUp
from app.practice.write_ups_editing import Act, LimitError, Outcome, Sent, dismiss, save_text, submit
from tests.conftest import FakeClock

KEY = "an-interview-key"
MFU = QuestionKey("", "mfu-and-hfu")
TITLES = {"mfu-and-hfu": "HFU and MFU of a training run"}
digests = map(str, count())


class Writer:
    """Somebody who writes interviews up: what the tests do over and over, in one word each."""

    def __init__(self, session: Session, user: User, clock: FakeClock) -> None:
        self.session = session
        self.user = user
        self.clock = clock

    def type(self, part: str, text: str, revision: int = 0, key: str = KEY) -> Note:
        return save_text(
            *(self.session, self.user, key, part, text),
            stamp=Stamp(revision),
            now=self.clock.advance(seconds=1),
        )

    def press(
        self, name: str, number: int = 0, *, digest: str | None = None, key: str = KEY, place: int = 0,
        question: QuestionKey | None = None, revisions: dict[str, int] | None = None, **texts: str,
    ) -> Outcome:  # fmt: skip
        """Sends the form; the fields of question 1 are `note_1` and so on."""
        parts = {"-".join(reversed(part.split("_"))): text for part, text in texts.items()}
        sent = Sent(
            parts, {part: Stamp(known) for part, known in (revisions or {}).items()}, digest or next(digests)
        )
        act = Act(name, number, place, question)
        return submit(self.session, self.user, key, sent, act, self.clock.advance(seconds=1))

    def get(self, key: str = KEY) -> WriteUp:
        found = write_ups.get(self.session, self.user, key)
        assert found is not None
        return found

    def numbers(self) -> list[int]:
        return [each.number for each in self.get().questions]


@pytest.fixture
def writer(session: Session, user: User, clock: FakeClock) -> Writer:
    return Writer(session, user, clock)


def test_it_begins_with_the_first_text_and_only_then(writer: Writer) -> None:
    assert writer.type("company", " ") == Note()
    assert write_ups.get(writer.session, writer.user, KEY) is None
    assert "company" in writer.press("done").errors
    assert writer.type("company", "Example Labs") == Note("Example Labs", Stamp(1))
    assert writer.press("done", role="engineer", date="2026-03-01").errors == {}
    found = writer.get()
    assert (found.title, found.day, found.questions) == ("Example Labs, engineer", date(2026, 3, 1), ())
    assert len(writer.session.exec(select(WriteUpRow)).all()) == 1


def test_the_same_form_again_changes_nothing_and_another_one_does(writer: Writer) -> None:
    for _ in range(2):
        writer.press("add", 1, digest="clicked twice", asked_1="Why is it slow?")
    assert writer.numbers() == [1]
    writer.type("1-elsewhere", "MFU is above HFU")
    writer.type("1-note", "blanked")
    for _ in range(2):
        writer.press("own", 1, digest="again", note_1="blanked", elsewhere_1="MFU is above HFU")
    assert writer.get().questions[0].texts["note"] == Note("blanked\n\nMFU is above HFU", Stamp(2))
    assert writer.get().questions[0].text("elsewhere") == ""


def test_what_is_typed_for_the_next_question_is_that_ones_from_the_start(writer: Writer) -> None:
    typed = writer.type("1-asked", "Why is it sl")
    assert writer.get().next.texts["asked"] == typed
    assert writer.get().questions == ()
    writer.press("add", 1, asked_1="Why is it slow?", revisions={"1-asked": typed.stamp.revision})
    late = writer.type("1-asked", "Why is it slow?", typed.stamp.revision)
    assert late == Note("Why is it slow?", Stamp(2)), "nothing is set aside"
    assert writer.get().next.number == 2


def test_two_windows_that_add_at_once_add_two(writer: Writer) -> None:
    writer.press("add", 1, asked_1="from the desk")
    writer.press("add", 1, asked_1="from the phone")
    assert [each.text("asked") for each in writer.get().questions] == ["from the desk", "from the phone"]
    assert "3-asked" in writer.press("add", 3, asked_3="  ").errors


def test_of_two_windows_neither_text_is_lost(writer: Writer) -> None:
    writer.press("add", 1, question=MFU)
    writer.type("1-note", "from the desk")
    assert writer.type("1-note", "from the phone") == Note("from the phone", Stamp(2), "from the desk")
    assert writer.press("stay", note_1="from a third", revisions={"1-note": 0}).errors == {}
    assert writer.get().questions[0].texts["note"] == Note("from a third", Stamp(3), "from the phone")
    dismiss(writer.session, writer.user, KEY, "1-note")
    assert writer.get().questions[0].texts["note"] == Note("from a third", Stamp(3))


def test_a_text_for_a_question_that_is_gone_comes_back(writer: Writer) -> None:
    writer.press("add", 1, question=MFU)
    assert writer.press("remove", 1).asks is False
    assert writer.press("stay", note_1="typed meanwhile").strays == ("typed meanwhile",)
    with pytest.raises(NoSuchField):
        writer.type("1-note", "typed meanwhile")
    with pytest.raises(NoSuchField):
        writer.type("color", "red")


def test_questions_are_moved_to_a_place_and_removed_after_a_question(writer: Writer) -> None:
    for number in (1, 2, 3):
        writer.press("add", number, question=MFU)
    for _ in range(2):
        writer.press("move", 3, place=2)
    assert writer.numbers() == [1, 3, 2]
    writer.press("move", 1, place=99)
    assert writer.numbers() == [3, 2, 1]
    writer.type("2-note", "mine")
    assert writer.press("remove", 2) == Outcome(number=2, asks=True)
    assert writer.numbers() == [3, 2, 1]
    writer.press("remove-all", 2)
    writer.press("move", 7, place=1)
    assert writer.numbers() == [3, 1]
    assert writer.get().next.number == 4, "a number is given once"
    assert not writer.session.exec(select(WriteUpTextRow).where(WriteUpTextRow.part == "2-note")).all()


def test_a_text_from_elsewhere_is_verified_as_it_stands(writer: Writer) -> None:
    writer.press("add", 1, question=MFU)
    writer.press("verify", 1)
    assert writer.get().questions[0].verified is False, "there is nothing to verify"
    writer.press("verify", 1, elsewhere_1="HFU is never below MFU", source_1="a model")
    assert writer.get().questions[0].verified is True
    writer.type("1-source", "the paper", 1)
    assert writer.get().questions[0].verified is True
    writer.type("1-elsewhere", "HFU is never below MFU, ever", 1)
    assert writer.get().questions[0].verified is False
    writer.press("own", 1)
    asked = writer.get().questions[0]
    assert asked.text("note") == "HFU is never below MFU, ever\n(From: the paper)"
    assert (asked.text("elsewhere"), asked.text("source")) == ("", "")


def test_limits_are_told_and_nothing_is_cut(writer: Writer) -> None:
    with pytest.raises(LimitError, match=r"101 characters; at most 100"):
        writer.type("company", "x" * 101)
    assert write_ups.get(writer.session, writer.user, KEY) is None
    writer.press("add", 1, question=MFU)
    refused = writer.press("own", 1, note_1="n" * 15_000, elsewhere_1="e" * 15_000)
    assert "at most 20,000" in refused.errors["1-note"]
    assert len(writer.get().questions[0].text("elsewhere")) == 15_000
    errors = writer.press("add", 2, company="x" * 101, question=MFU, about="kept")
    assert set(errors.errors) == {"company"}
    assert writer.get().text("about") == "kept"
    assert writer.numbers() == [1], "the button did nothing"
    assert "2026-03-31" in writer.press("done", date="2026-02-30").errors["date"]
    assert (writer.get().text("date"), writer.get().day) == ("2026-02-30", None)
    for number in range(2, MAX_QUESTIONS + 1):
        writer.press("add", number, question=MFU)
    assert f"at most {MAX_QUESTIONS}" in writer.press("add", 51, question=MFU).errors["51-asked"]
    for number in range(2, 10):
        writer.type(f"{number}-note", "n" * 20_000)
    with pytest.raises(LimitError, match=f"{MAX_TOTAL:,} are kept in all"):
        writer.type("10-note", "n" * 20_000)


@pytest.mark.parametrize("text", ["1 March 2026", "20260301", "2026-13-01", "1492-10-12", "２０２６-03-01"])
def test_what_is_no_day_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="is no day"):
        write_ups.read_day(text)


def test_write_ups_are_found_by_words_by_linked_titles_and_by_company(writer: Writer) -> None:
    writer.press("add", 1, question=MFU, company="Example Labs", date="2026-01-05", note_1="")
    writer.press("add", 1, asked_1="100% of peak?", company="EXAMPLE labs", key="another-key-0000")
    writer.type("about", "no company, FLOPs counted twice", key="another-key-0001")

    def found(text: str = "", company: str = "") -> list[str]:
        shown = write_ups.find(writer.session, writer.user, text, company, titles=TITLES).shown
        return [each.key[-4:] for each in shown]

    assert found() == ["0001", "0000", "-key"], "the newest interview first, a day not given being today"
    assert found("training mfu") == ["-key"]
    assert found("100% peak") == ["0000"]
    assert found("1%k") == []
    assert found("flops") == ["0001"]
    assert found(company="example labs") == ["0000", "-key"]
    assert found("peak", "Example Labs") == ["0000"]
    every = write_ups.find(writer.session, writer.user, titles={})
    assert every.total == 3
    assert [how_many for _, how_many in every.companies] == [2]


def test_notes_stand_with_the_question_they_are_linked_to(writer: Writer) -> None:
    writer.press("add", 1, question=MFU, company="Example Labs")
    writer.press("add", 2, question=QuestionKey("pack", "mfu-and-hfu"))
    writer.press("add", 3, question=MFU)
    writer.press("stay", note_1="Blanked on the acronym", note_2="of a pack", elsewhere_3="not a note")
    [note] = write_ups.notes_on(writer.session, writer.user, MFU)
    assert (note.number, note.title, note.text) == (1, "Example Labs", "Blanked on the acronym")
    writer.press("unlink", 1)
    assert write_ups.notes_on(writer.session, writer.user, MFU) == ()
    writer.press("link", 1, question=MFU)
    assert len(write_ups.notes_on(writer.session, writer.user, MFU)) == 1


def test_they_are_their_owners_alone_and_go_with_them(writer: Writer) -> None:
    writer.press("add", 1, question=MFU, company="Example Labs")
    writer.press("verify", 1, note_1="mine\0", elsewhere_1="theirs")
    with writing(writer.session):
        row = UserRow(login="another", retention=0.9, daily_goal=10, created_at=writer.clock())
        writer.session.add(row)
    other = Writer(writer.session, User(row.id or 0, "another", "UTC", True, 0.9, 10), writer.clock)
    assert write_ups.get(other.session, other.user, KEY) is None
    other.press("done", company="of its own")
    write_ups.delete(other.session, other.user, KEY)

    document = json.loads(json.dumps(archive.export(writer.session, writer.user, writer.clock())))
    before = writer.get()
    archive.restore(other.session, other.user, document)
    assert other.get() == before
    write_ups.delete(other.session, other.user, KEY)
    assert write_ups.find(other.session, other.user, titles={}).total == 0
    delete_everything(writer.session, writer.user)
    for table in (WriteUpRow, WriteUpQuestionRow, WriteUpTextRow):
        assert writer.session.exec(select(table)).all() == []
