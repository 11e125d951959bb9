"""What /api/v1/me answers: whose progress it is, and what the page of progress says, as JSON.

Times are in seconds, moments in UTC, days are study days in the person's zone, shares go from 0 to 1.
"""

from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import BaseModel, Field

from app.accounts.teams import Membership
from app.accounts.users import User
from app.bank.load import Bank
from app.practice.progress import Attempt, Forecast
from app.practice.progress_calendar import TimeSpent
from app.practice.progress_mistakes import MadeMistake
from app.practice.progress_overview import Overview
from app.practice.progress_results import Calibration, HardQuestion, TopicResult
from app.practice.queue import Queue
from app.practice.records import QuestionKey
from app.practice.standing import Standing, TopicMastery


class TeamPlace(BaseModel):
    slug: str
    name: str
    role: Literal["owner", "editor", "member"]
    current: bool = Field(description="Whether it is the team whose questions are seen")


class Me(BaseModel):
    login: str = Field(description="The e-mail address; “local” where nobody signs in")
    name: str
    zone: str = Field(description="The time zone that study days follow")
    retention: float = Field(description="How likely a recall should be when a question comes back")
    daily_goal: int
    operator: bool
    teams: list[TeamPlace]


class QuestionName(BaseModel):
    pack: str = Field(description="Empty for the built-in questions")
    slug: str
    title: str = Field(description="The slug where the question has left the bank")


class Day(BaseModel):
    day: date
    questions: int
    spent: float = Field(description="In seconds")


class DueOnDay(BaseModel):
    day: date
    due: int


class Reviews(BaseModel):
    days: list[DueOnDay] = Field(description="Today first, with what is overdue")
    overdue: int
    later: int = Field(description="Reviews after the last of the days")


class Upcoming(BaseModel):
    question: QuestionName
    due_day: date | None
    rating: int | None = Field(description="The last one, from 1 (Again) to 4 (Easy)")
    recall: float | None = Field(description="How likely it is today")


class Mastery(BaseModel):
    topic: str
    questions: int
    seen: int
    remembered: float | None = Field(description="Null before the first rating")


class SpentWeek(BaseModel):
    first: date = Field(description="The first of seven days")
    spent: float = Field(description="In seconds")


class Spent(BaseModel):
    total: float = Field(description="In seconds")
    days: int = Field(description="Days on which there was something")
    weeks: list[SpentWeek]
    cut: bool = Field(description="Whether there was something before the first of these weeks")


class Topic(BaseModel):
    topic: str
    graded: int = Field(description="Attempts with an answer that was graded")
    right_at_once: int
    credit: float | None


class Rated(BaseModel):
    rating: int
    attempts: int
    credit: float | None


class RatingsAgainstNumbers(BaseModel):
    ratings: list[Rated]
    leaning: Literal["kind", "harsh"] | None


class Mistake(BaseModel):
    id: str
    name: str
    times: int
    questions: list[QuestionName]


class Hard(BaseModel):
    question: QuestionName
    lapses: int
    difficulty: float | None = Field(description="From 1 to 10")
    credit: float | None
    attempts: int


class Progress(BaseModel):
    today: date
    period: Literal["4w", "12w", "all"]
    calendar: list[Day]
    mastery: list[Mastery]
    reviews: Reviews
    upcoming: list[Upcoming]
    time: Spent
    topics: list[Topic]
    calibration: RatingsAgainstNumbers
    mistakes: list[Mistake]
    hardest: list[Hard]


class Given(BaseModel):
    part: str
    text: str
    outcome: str = Field(description="right, near, mistake, wrong, format, or written for one in words")
    credit: float | None
    mistake: str | None
    given_at: datetime


class AttemptMade(BaseModel):
    id: int
    question: QuestionName
    seed: str = Field(description="Of the numbers; a whole number, as text because it may pass 2^53")
    version: int
    study_day: date
    started_at: datetime
    ended_at: datetime | None
    revealed: bool
    hints_used: int
    answers: list[Given]
    rating: int | None = Field(description="From 1 (Again) to 4 (Easy)")


class Attempts(BaseModel):
    attempts: list[AttemptMade] = Field(description="The newest first")
    before: int | None = Field(description="Ask with this to read on; null on the last page")


class Planned(BaseModel):
    question: QuestionName
    state: Literal["due", "again", "new"]
    due_day: date | None


class Due(BaseModel):
    plan: list[Planned] = Field(description="What is left of today's plan, in order")
    due: int = Field(description="How many are due, beyond the plan too")
    new: int = Field(description="How many have not been met, beyond the plan too")
    done_today: int
    goal: int


def me(user: User, teams: tuple[Membership, ...]) -> Me:
    return Me(
        login=user.login,
        name=user.name,
        zone=user.zone,
        retention=user.retention,
        daily_goal=user.daily_goal,
        operator=user.operator,
        teams=[
            TeamPlace(slug=each.team.slug, name=each.team.name, role=each.role, current=place == 0)
            for place, each in enumerate(teams)
        ],
    )


def progress(bank: Bank, seen: Overview) -> Progress:
    return Progress(
        today=seen.today,
        period=seen.period.value,
        calendar=[
            Day(day=day.day, questions=day.questions, spent=_seconds(day.spent)) for day in seen.calendar.days
        ],
        mastery=[_mastery(each) for each in seen.mastery],
        reviews=_reviews(seen.forecast),
        upcoming=[_upcoming(bank, *pair) for pair in seen.upcoming],
        time=_spent(seen.time),
        topics=[_topic(each) for each in seen.topics],
        calibration=_calibration(seen.calibration),
        mistakes=[_mistake(bank, each) for each in seen.mistakes],
        hardest=[_hard(bank, each) for each in seen.hardest],
    )


def attempt(bank: Bank, made: Attempt) -> AttemptMade:
    sitting = made.sitting
    return AttemptMade(
        id=sitting.id,
        question=_name(bank, sitting.question),
        seed=str(sitting.seed),
        version=sitting.version,
        study_day=sitting.study_day,
        started_at=sitting.started_at,
        ended_at=sitting.ended_at,
        revealed=sitting.revealed,
        hints_used=sitting.hints_used,
        answers=[
            Given(
                part=each.part,
                text=each.text,
                outcome=each.graded.outcome,
                credit=each.graded.credit,
                mistake=each.graded.mistake_id,
                given_at=each.given_at,
            )
            for each in made.answers
        ],
        rating=made.rating,
    )


def due(bank: Bank, queue: Queue) -> Due:
    return Due(
        plan=[
            Planned(question=_name(bank, item.question), state=item.state.value, due_day=item.due_day)
            for item in queue.items
        ],
        due=queue.due,
        new=queue.new,
        done_today=queue.done_today,
        goal=queue.goal,
    )


def _name(bank: Bank, key: QuestionKey) -> QuestionName:
    question = bank.at(key)
    return QuestionName(pack=key.pack, slug=key.slug, title=question.meta.title if question else key.slug)


def _seconds(spent: timedelta) -> float:
    return spent.total_seconds()


def _mastery(each: TopicMastery) -> Mastery:
    return Mastery(topic=each.topic, questions=each.questions, seen=each.seen, remembered=each.remembered)


def _reviews(each: Forecast) -> Reviews:
    return Reviews(
        days=[DueOnDay(day=day.day, due=day.due) for day in each.days], overdue=each.overdue, later=each.later
    )


def _upcoming(bank: Bank, key: QuestionKey, standing: Standing) -> Upcoming:
    return Upcoming(
        question=_name(bank, key), due_day=standing.due_day, rating=standing.rating, recall=standing.recall
    )


def _spent(each: TimeSpent) -> Spent:
    return Spent(
        total=_seconds(each.total),
        days=each.days,
        weeks=[SpentWeek(first=week.first, spent=_seconds(week.spent)) for week in each.weeks],
        cut=each.cut,
    )


def _topic(each: TopicResult) -> Topic:
    return Topic(topic=each.topic, graded=each.graded, right_at_once=each.right_at_once, credit=each.credit)


def _calibration(each: Calibration) -> RatingsAgainstNumbers:
    return RatingsAgainstNumbers(
        ratings=[
            Rated(rating=rated.rating, attempts=rated.sittings, credit=rated.credit) for rated in each.ratings
        ],
        leaning=each.leaning,
    )


def _mistake(bank: Bank, each: MadeMistake) -> Mistake:
    return Mistake(
        id=each.id, name=each.name, times=each.times, questions=[_name(bank, key) for key in each.questions]
    )


def _hard(bank: Bank, each: HardQuestion) -> Hard:
    return Hard(
        question=_name(bank, each.question),
        lapses=each.lapses,
        difficulty=each.difficulty,
        credit=each.credit,
        attempts=each.sittings,
    )
