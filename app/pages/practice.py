"""/practice: today's plan, what new questions are drawn from, and on to the next question."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.dependencies import BankDep, CurrentUser, Now, SessionDep
from app.pages import practice_view as view
from app.pages.choosing import choice_groups, read_choice
from app.pages.course import Course, question_address, read_course
from app.pages.course_line import build_queue, last_rating, queue_line
from app.pages.visit import FormDep
from app.practice import drills, marks, preferences, ratings, sittings
from app.practice.chains import next_in_chain
from app.practice.fresh import computes, fresh_seed
from app.practice.question_state import key_of
from app.practice.standing import standings
from app.practice.study_day import study_day
from app.rendering import render

router = APIRouter(prefix="/practice")
QUEUE = Course(practice=True)


@router.get("")
def practice(
    request: Request, session: SessionDep, user: CurrentUser, bank: BankDep, now: Now
) -> HTMLResponse:
    waiting = build_queue(session, user, bank, now)
    today = study_day(now, user.zone)
    known = standings(session, user, [key_of(each) for each in bank.questions.values()], now)
    return render(
        request,
        "practice/practice.html",
        nav="practice",
        line=queue_line(waiting),
        undo=last_rating(session, user, bank, now),
        heading=view.heading(waiting, bank),
        remark=view.remark(waiting, known.values(), today),
        start=view.start_label(waiting),
        more=waiting.goal_reached and not waiting.items and waiting.due + waiting.new > 0,
        goal=user.daily_goal,
        plan=view.plan(waiting, bank, today),
        beyond=max(len(waiting.items) - view.SHOWN, 0),
        skipped=[question for key in waiting.skipped if (question := bank.at(key))],
        groups=choice_groups(bank, preferences.new_choice(session, user), known),
        drill=drills.unfinished(session, user),
        first_visit=all(standing.new for standing in known.values()),
    )


@router.get("/next")
def next_question(
    session: SessionDep, user: CurrentUser, bank: BankDep, now: Now, after: str = ""
) -> Response:
    """On to the next question; the one that was just left (`after`) only where no other waits."""
    items = build_queue(session, user, bank, now).items
    others = [item for item in items if item.question.slug != after]
    for item in (*others, *items):
        question = bank.at(item.question)
        if question is not None:
            seed = fresh_seed(session, user, question) if item.seed is None else item.seed
            if not computes(question, seed):
                continue
            preferences.remember_served(session, user, item.question, seed)
            return RedirectResponse(
                question_address(question.slug, question.meta.version, seed, QUEUE), status_code=303
            )
    return RedirectResponse("/practice", status_code=303)


@router.get("/follow-up")
def follow_up(request: Request, session: SessionDep, user: CurrentUser, bank: BankDep) -> Response:
    """The interviewer's next question of a chain; at the chain's end, on with the course."""
    course = read_course(request.query_params)
    suspended = {key.slug for key, each in marks.all_of(session, user).items() if each.suspended}
    question = next_in_chain(bank, course.chain, suspended)
    if question is None:
        return RedirectResponse(course.next_after(""), status_code=303)
    seed = fresh_seed(session, user, question)
    return RedirectResponse(
        question_address(question.slug, question.meta.version, seed, course), status_code=303
    )


@router.post("/choice")
def choose(session: SessionDep, user: CurrentUser, form: FormDep) -> Response:
    preferences.choose_new(session, user, read_choice(form))
    return RedirectResponse("/practice", status_code=303)


@router.post("/more")
def more(session: SessionDep, user: CurrentUser, bank: BankDep, now: Now) -> Response:
    """Another round of the daily goal, today."""
    preferences.go_on(session, user, build_queue(session, user, bank, now).done_today, now)
    return RedirectResponse("/practice/next", status_code=303)


@router.post("/bring-back")
def bring_back(session: SessionDep, user: CurrentUser, bank: BankDep, now: Now) -> Response:
    """Everything that was skipped today, back into the plan."""
    marks.bring_back(session, user, build_queue(session, user, bank, now).skipped)
    return RedirectResponse("/practice", status_code=303)


@router.post("/undo")
def undo(request: Request, session: SessionDep, user: CurrentUser, form: FormDep, now: Now) -> Response:
    """Takes a rating back, and leads to its question as it was before."""
    given = str(form.get("rating") or "")
    number = int(given) if given.isascii() and given.isdigit() and len(given) <= 9 else 0
    rated = ratings.find(session, user, number)
    sitting = sittings.by_id(session, user, rated.sitting_id) if rated else None
    if rated is None or sitting is None:
        return RedirectResponse("/practice", status_code=303)
    ratings.undo(session, user, rated.id, now)
    course = read_course(request.query_params)
    if course.practice:
        preferences.remember_served(session, user, rated.question, sitting.seed)
    return RedirectResponse(
        f"{question_address(rated.question.slug, sitting.version, sitting.seed, course)}#rating",
        status_code=303,
    )
