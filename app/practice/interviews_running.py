"""An interview under way: from its start over each question to its end.

Each act names the question that it is about, so that one which is sent twice, or from a window that was left
open, changes nothing the second time.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Final

from sqlmodel import Session, select

from app.accounts.users import User
from app.bank.load import Bank
from app.bank.question import Question
from app.bank.variants import make_variant
from app.database import writing
from app.models import InterviewItemRow, InterviewRow, SittingRow, UserRow
from app.practice import answering, attempts, drills, marks, sittings
from app.practice import interviews_results as results
from app.practice.attempts import Graded, Submission
from app.practice.chains import next_in_chain
from app.practice.fresh import computes, fresh_seed
from app.practice.interviews import MAX_QUESTIONS, MAX_TITLE, Interview, Item, load, row_of, running
from app.practice.interviews_sets import SetUp
from app.practice.question_state import key_of, snapshot
from app.practice.records import idempotency_key

DEEPEST: Final = 3  # follow-ups to one opening question


class InterviewRunning(RuntimeError):  # noqa: N818 (reads as what it is)
    """Another interview of the user's is not over yet."""

    def __init__(self, interview_id: int) -> None:
        super().__init__(f"interview {interview_id} is not over yet")
        self.interview_id = interview_id


def draw(
    session: Session, user: User, admitted: Iterable[Question], wanted: SetUp, chance: Random
) -> list[Question]:
    """The questions that open a subject; what follows up another one of them only where there are no more."""
    questions = list(admitted)
    deeper = {slug for each in questions for slug in each.meta.follow_ups} if wanted.follow_ups else set()
    chosen = drills.choose(
        session, user, [each for each in questions if each.slug not in deeper], wanted.questions, chance
    )
    rest = [each for each in questions if each.slug in deeper]
    return chosen + drills.choose(session, user, rest, wanted.questions - len(chosen), chance)


def start(
    session: Session,
    user: User,
    bank: Bank,
    plan: Sequence[Question],
    wanted: SetUp,
    *,
    title: str,
    key: str,
    now: datetime,
) -> int:
    """A new interview with its first question asked; its number. The same key starts it once.

    Raises `InterviewRunning` where another one is not over.
    """
    key = idempotency_key(key)
    with writing(session):
        # One start of a user at a time, where SQLite's single writer does not see to that already.
        session.exec(select(UserRow.id).where(UserRow.id == user.id).with_for_update())
        stored = session.exec(
            select(InterviewRow.id).where(
                InterviewRow.user_id == user.id, InterviewRow.idempotency_key == key
            )
        ).one_or_none()
        if stored is not None:
            return stored
        other = running(session, user)
        if other is not None:
            raise InterviewRunning(other.id)
        row = InterviewRow(
            user_id=user.id,
            idempotency_key=key,
            title=title[:MAX_TITLE],
            minutes=wanted.minutes,
            questions=min(wanted.questions, _reachable(bank, plan, follow_ups=wanted.follow_ups)),
            plan=[list(key_of(question)) for question in plan[:MAX_QUESTIONS]],
            follow_ups=wanted.follow_ups,
            reveal_each=wanted.reveal_each,
            moves_schedule=wanted.moves_schedule,
            started_at=now,
        )
        session.add(row)
        session.flush()
        assert row.id is not None
        _ask_next(session, user, bank, row, now)
        return row.id


def answer(
    session: Session,
    user: User,
    bank: Bank,
    interview_id: int,
    place: int,
    texts: Mapping[str, str],
    *,
    working: str = "",
    key: str,
    now: datetime,
    last: bool = False,
) -> dict[str, str]:
    """Stores the answer to the question at `place`; messages by part where it says nothing that can be read.

    Without a message the question's time has stopped, and the next one is asked, unless each is revealed or
    this is to be the `last` one.
    """
    with writing(session):
        row = row_of(session, user, interview_id)
        interview, item = _open_item(session, row, place)
        if row is None or interview is None or item is None or item.sitting is None:
            return {}
        variant = results.variant_of(bank, item)
        if variant is None:  # gone from the bank, so that it cannot be graded
            _leave(session, user, bank, row, interview, item, {}, now, last=last)
            return {}
        said = {part: text for part, text in texts.items() if text.strip()}
        if not said:
            return {next(iter(texts), ""): "Give an answer first, or pass."}
        graded, errors = answering.grade(variant, said, working, {})
        if errors:
            return errors
        moment = interview.moment(now)
        for part, verdict in graded.items():
            submission = Submission(key, part, said[part])
            attempts.submit_to(session, user, item.sitting, submission, verdict, moment)
        _leave(session, user, bank, row, interview, item, graded, now, last=last)
        return {}


def pass_over(session: Session, user: User, bank: Bank, interview_id: int, place: int, now: datetime) -> None:
    """Goes on without an answer."""
    with writing(session):
        row = row_of(session, user, interview_id)
        interview, item = _open_item(session, row, place)
        if row is not None and interview is not None and item is not None:
            _leave(session, user, bank, row, interview, item, {}, now)


def take_hint(
    session: Session, user: User, bank: Bank, interview_id: int, place: int, number: int, now: datetime
) -> None:
    """Shows the hints up to `number`; asking twice for the same one shows no further one."""
    with writing(session):
        row = row_of(session, user, interview_id)
        _, item = _open_item(session, row, place)
        question = bank.at(item.question) if item is not None else None
        if item is None or item.sitting is None or question is None:
            return
        sitting = session.get_one(SittingRow, item.sitting.id)
        sitting.hints_used = max(sitting.hints_used, min(number, len(question.sections.hints)))


def go_on(
    session: Session,
    user: User,
    bank: Bank,
    interview_id: int,
    place: int,
    points: Collection[str] | None,
    now: datetime,
) -> None:
    """From a question whose answer was revealed, its key points ticked, to the next one."""
    with writing(session):
        row = row_of(session, user, interview_id)
        current = load(session, row).current if row is not None else None
        if row is None or current is None or current.place != place or not current.done:
            return
        if points is not None:
            _mark(session, bank, current, points)
        _ask_next(session, user, bank, row, now)


def mark(
    session: Session,
    user: User,
    bank: Bank,
    interview_id: int,
    place: int,
    points: Collection[str],
    now: datetime,
) -> None:
    """Keeps which key points the answer had, once the model answer may be seen."""
    with writing(session):
        row = row_of(session, user, interview_id)
        interview = load(session, row) if row is not None else None
        item = interview.item(place) if interview is not None else None
        if interview is None or item is None or not (interview.over or (interview.reveal_each and item.done)):
            return
        marked = _mark(session, bank, item, points)
        if interview.over and interview.moves_schedule and not interview.abandoned:
            results.rate(session, user, interview, marked, bank, interview.moment(now))


def end(
    session: Session, user: User, bank: Bank, interview_id: int, now: datetime, *, abandoned: bool = False
) -> None:
    """Finishes it, early or not; an abandoned one counts for nothing."""
    with writing(session):
        row = row_of(session, user, interview_id)
        if row is not None and row.ended_at is None:
            _end(session, user, bank, row, now, abandoned=abandoned)


def _open_item(
    session: Session, row: InterviewRow | None, place: int
) -> tuple[Interview | None, Item | None]:
    """The question at `place`, if it is the one that waits for an answer."""
    interview = load(session, row) if row is not None else None
    item = interview.current if interview is not None else None
    if item is None or item.place != place or item.done:
        return interview, None
    return interview, item


def _leave(
    session: Session,
    user: User,
    bank: Bank,
    row: InterviewRow,
    interview: Interview,
    item: Item,
    graded: Mapping[str, Graded],
    now: datetime,
    *,
    last: bool = False,
) -> None:
    """Stops the question's time. Without a verdict on it, it was passed over."""
    moment = interview.moment(now)
    stored = session.get_one(InterviewItemRow, item.id)
    stored.left_at = moment
    stored.passed = not graded
    stored.credit = 0.0
    variant = results.variant_of(bank, item)
    if graded and variant is not None:
        by_part = {part: each.credit for part, each in graded.items()}
        stored.credit = results.credit_of(variant, by_part, None)
    session.flush()
    if not interview.reveal_each and not last:
        _ask_next(session, user, bank, row, now)
    elif item.sitting is not None:
        session.get_one(SittingRow, item.sitting.id).revealed_at = moment


def _mark(session: Session, bank: Bank, item: Item, points: Collection[str]) -> Item:
    variant = results.variant_of(bank, item)
    if variant is None:
        return item
    ticked = [point.id for point in answering.key_points(variant) if point.id in points]
    stored = session.get_one(InterviewItemRow, item.id)
    stored.points = ticked
    if item.answered and results.judged_by_points(variant):
        stored.credit = results.credit_of(variant, results.first_credits(item), ticked)
    session.flush()
    return replace(item, points=tuple(ticked), credit=stored.credit)


def _ask_next(session: Session, user: User, bank: Bank, row: InterviewRow, now: datetime) -> None:
    """The follow-up of the question that was just answered, else the next of the plan; or the end."""
    interview = load(session, row)
    asked = {item.question.slug for item in interview.items}
    if len(interview.items) < interview.questions:
        last = interview.items[-1] if interview.items else None
        if interview.follow_ups and last and last.answered and _depth(interview, last) < DEEPEST:
            suspended = {key.slug for key, each in marks.all_of(session, user).items() if each.suspended}
            following = next_in_chain(bank, [last.question.slug], asked | suspended)
            if following is not None and _ask(session, user, interview, following, last.place, now):
                return
        for key in interview.plan:
            question = bank.at(key)
            if question is None or key.slug in asked:
                continue
            if _ask(session, user, interview, question, None, now):
                return
    _end(session, user, bank, row, now)


def _depth(interview: Interview, item: Item) -> int:
    """How many follow-ups lead to it."""
    places = {each.place: each for each in interview.items}
    depth = 0
    while item.follows in places and depth < MAX_QUESTIONS:
        item = places[item.follows]
        depth += 1
    return depth


def _ask(
    session: Session, user: User, interview: Interview, question: Question, follows: int | None, now: datetime
) -> bool:
    """Asks the question with numbers not met before; False where it does not compute."""
    seed = fresh_seed(session, user, question)
    if not computes(question, seed):
        return False
    moment = interview.moment(now)
    sitting = sittings.open_apart(session, user, snapshot(make_variant(question, seed)), moment)
    key = key_of(question)
    session.add(
        InterviewItemRow(
            interview_id=interview.id,
            place=len(interview.items) + 1,
            pack=key.pack,
            slug=key.slug,
            seed=seed,
            topic=question.topics[0].slug,
            follows=follows,
            sitting_id=sitting.id,
            asked_at=moment,
        )
    )
    session.flush()
    return True


def _end(
    session: Session, user: User, bank: Bank, row: InterviewRow, now: datetime, *, abandoned: bool = False
) -> None:
    interview = load(session, row)
    moment = interview.moment(now)
    current = interview.current
    if current is not None and not current.done:
        session.get_one(InterviewItemRow, current.id).left_at = moment
    row.ended_at = moment
    row.abandoned = abandoned
    for item in interview.items:
        if item.sitting is not None:
            sitting = session.get_one(SittingRow, item.sitting.id)
            sitting.revealed_at = sitting.revealed_at or moment  # the report shows the model answers
            sitting.ended_at = moment
    session.flush()
    if interview.moves_schedule and not abandoned:
        for item in interview.items:
            results.rate(session, user, interview, item, bank, moment)


def _reachable(bank: Bank, plan: Sequence[Question], *, follow_ups: bool) -> int:
    """How many questions the plan can come to at most."""
    found = {question.slug for question in plan}
    waiting = list(plan) if follow_ups else []
    while waiting:
        for slug in waiting.pop().meta.follow_ups:
            following = bank.get(slug)
            if following is not None and slug not in found:
                found.add(slug)
                waiting.append(following)
    return max(len(found), 1)
