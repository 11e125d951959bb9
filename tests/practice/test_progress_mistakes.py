"""The mistakes made most, and what was said of them."""

from datetime import timedelta
from uuid import uuid4

from app.grading.unit_slips import unit_slips
from app.practice import attempts, progress_history
from app.practice.attempts import Graded, Submission
from app.practice.progress_mistakes import GENERIC, MadeMistake, made_most
from app.practice.study_day import study_day
from calculators.quantities import FAMILIES
from tests.practice.conftest import Practice


def slip(practice: Practice, mistake: str, *, slug: str = "matrix", seed: int = 0, text: str = "") -> None:
    graded = Graded("mistake", 0.5, mistake_id=mistake, verdict={"html": f"<em>{mistake}</em> of {slug}"})
    sent = Submission(uuid4().hex, "", text or uuid4().hex)
    variant = practice.variant(slug, seed)
    where = (practice.session, practice.user, practice.browser)
    attempts.submit(*where, variant, sent, graded, practice.clock())


def most(practice: Practice, limit: int = 8) -> list[MadeMistake]:
    lived = progress_history.load(practice.session, practice.user)
    return list(made_most(practice.session, practice.user, lived, limit))


def test_a_slip_of_a_unit_is_one_mistake_over_all_questions(practice: Practice) -> None:
    slip(practice, "gib-as-gb")
    slip(practice, "gib-as-gb", slug="cache")
    slip(practice, "gib-as-gb", seed=1)
    [made] = most(practice)
    assert (made.name, made.times) == ("GB for GiB", 3)
    assert [key.slug for key in made.questions] == ["matrix", "cache"], "the last time first"
    assert made.say == "<em>gib-as-gb</em> of matrix"


def test_what_an_author_named_is_counted_by_question(practice: Practice) -> None:
    slip(practice, "one-head")
    slip(practice, "one-head")
    slip(practice, "one-head", slug="cache")
    first, second = most(practice)
    assert (first.name, first.times, first.say) == ("One head", 2, "<em>one-head</em> of matrix")
    assert (second.times, second.say) == (1, "<em>one-head</em> of cache")


def test_the_most_frequent_come_first_then_the_last(practice: Practice) -> None:
    for mistake in ("a", "b", "b", "c"):
        slip(practice, mistake)
    assert [made.id for made in most(practice)] == ["b", "c", "a"]
    assert [made.id for made in most(practice, limit=1)] == ["b"]


def test_the_same_answer_again_is_no_further_mistake(practice: Practice) -> None:
    slip(practice, "gib-as-gb", text="2 GB")
    slip(practice, "gib-as-gb", text="2  GB")
    [made] = most(practice)
    assert made.times == 1


def test_only_the_period_counts(practice: Practice) -> None:
    slip(practice, "one-head")
    practice.clock.advance(days=10)
    slip(practice, "gib-as-gb", seed=1)
    since = study_day(practice.clock(), practice.user.zone) - timedelta(days=3)
    everything = progress_history.load(practice.session, practice.user)
    read = progress_history.load(practice.session, practice.user, since)
    for part in (everything.since(since), read):
        assert [made.id for made in made_most(practice.session, practice.user, part)] == ["gib-as-gb"]


def test_every_slip_that_the_grader_knows_has_a_name() -> None:
    known = {
        slip.id
        for family in ("bytes", "byte/s", "ratio")
        for unit in FAMILIES[family].units
        for slip in unit_slips(unit.symbol, family)
    }
    assert known == set(GENERIC)
