"""A week of practice, lived through in a real browser with a clock that is moved from evening to evening."""

import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from app.accounts.users import local_user
from app.bank.load import Bank
from app.main import create_app
from app.practice import ratings
from app.practice.question_state import key_of
from app.practice.schedule import Card
from app.settings import Settings
from tests.conftest import FakeClock

pytestmark = pytest.mark.browser

MONDAY = datetime(2026, 3, 23, 19, 30, tzinfo=UTC)  # in the night to Sunday the clocks go forward in Berlin
RATINGS = "133423"  # over and over


class Week:
    """The server, its clock, and a look at what it has stored."""

    def __init__(self, app_settings: Settings, bank: Bank, clock: FakeClock) -> None:
        self.clock = clock
        self.bank = bank
        self.app = create_app(app_settings, clock=clock, bank=bank)

    def cards(self) -> dict[str, Card]:
        with self.app.state.database.session() as session:
            user = local_user(session, self.clock())
            found = {
                slug: ratings.card_of(session, user, key_of(question))
                for slug, question in self.bank.questions.items()
            }
            return {slug: card for slug, card in found.items() if card is not None}

    def rebuilt(self) -> dict[str, Card]:
        with self.app.state.database.session() as session:
            ratings.rebuild_cards(session, local_user(session, self.clock()))
        return self.cards()


@pytest.fixture
def week(app_settings: Settings, bank: Bank) -> Week:
    return Week(app_settings, bank, FakeClock(MONDAY))


@pytest.fixture
def address(week: Week) -> Iterator[str]:
    running = uvicorn.Server(uvicorn.Config(week.app, port=0, log_config=None, lifespan="on"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    yield f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
    running.should_exit = True
    thread.join(10)


def slug_of(page: Page) -> str:
    [slug] = re.findall(r"/questions/([a-z0-9-]+)", page.url)
    return str(slug)


def test_a_week(chromium: Browser, week: Week, address: str) -> None:
    with chromium.new_context(base_url=address, timezone_id="Europe/Berlin") as context:
        page = context.new_page()
        page.goto("/account")
        page.get_by_label("Questions a day").fill("3")
        page.get_by_label("Time zone").fill("Europe/Berlin")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.")).to_be_visible()
        given = cycle(RATINGS)
        reviews = 0
        for day in (0, 1, 2, 3, 5, 6):  # Friday is a day off
            week.clock.now = MONDAY + timedelta(days=day)
            reviews += an_evening(page, week, given)
        assert sum(card.reviews for card in week.cards().values()) == reviews
        before = week.cards()
        assert week.rebuilt() == before
        page.goto("/progress")
        expect(page.get_by_text("Times are in Europe/Berlin.")).to_be_visible()


def an_evening(page: Page, week: Week, given: Iterator[str]) -> int:
    """Rates what is served until nothing is; how many questions that were."""
    today = week.clock.now.date()
    due = {slug for slug, card in week.cards().items() if card.due_day <= today}
    met: list[str] = []
    again: set[str] = set()
    while True:
        page.goto("/practice/next")
        if page.url.endswith("/practice"):
            break
        slug, before = slug_of(page), week.cards()
        assert (slug in met) == (slug in again), "only what was rated Again comes twice"
        rating = "3" if slug in again else next(given)
        again = again - {slug} if slug in met else again | ({slug} if rating == "1" else set())
        page.get_by_role("button", name="Reveal the answer").click()
        page.locator(f"#rate-{rating}").click()
        expect(page.locator("#rating .notice")).to_contain_text("Rated")
        card = week.cards()[slug]
        assert card.due_day > today
        assert card == before[slug] if slug in met else card.last_day == today
        met.append(slug)
        week.clock.advance(minutes=4)
    assert not again, "each Again came back"
    assert set(met) >= due if len(due) <= 3 else len(set(met)) == 3
    expect(page.locator("h1")).to_have_text(re.compile("for today$"))
    return len(set(met))
