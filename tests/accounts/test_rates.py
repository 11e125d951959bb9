"""Rates: an allowance that comes back bit by bit, counted in the database for all processes together."""

import threading
from datetime import timedelta

import pytest
from sqlmodel import Session, select

from app.accounts import rates
from app.accounts.rates import Rate, TooOften
from app.database import Database
from app.models import RateRow
from tests.conftest import FakeClock

RATE = Rate("test", burst=3, every=timedelta(minutes=1))


def use_up(session: Session, clock: FakeClock, whose: str = "ada") -> int:
    """How many tries there were until none was left."""
    for tries in range(20):
        try:
            rates.take(session, clock(), (RATE, whose))
        except TooOften:
            return tries
    raise AssertionError("there is no end to them")


def test_all_at_once_and_then_one_a_minute(session: Session, clock: FakeClock) -> None:
    assert use_up(session, clock) == 3
    clock.advance(seconds=59)
    with pytest.raises(TooOften) as often:
        rates.take(session, clock(), (RATE, "ada"))
    assert often.value.seconds == 1
    clock.advance(seconds=1)
    assert use_up(session, clock) == 1
    clock.advance(hours=1)
    assert use_up(session, clock) == 3


def test_each_has_their_own(session: Session, clock: FakeClock) -> None:
    assert use_up(session, clock, "ada") == 3
    assert use_up(session, clock, "ben") == 3


def test_where_one_is_used_up_none_is_taken(session: Session, clock: FakeClock) -> None:
    other = Rate("other", burst=1, every=timedelta(minutes=1))
    use_up(session, clock)
    with pytest.raises(TooOften):
        rates.take(session, clock(), (other, "ada"), (RATE, "ada"))
    rates.take(session, clock(), (other, "ada"))


def test_a_try_can_be_given_back(session: Session, clock: FakeClock) -> None:
    use_up(session, clock)
    rates.give_back(session, RATE, "ada")
    assert use_up(session, clock) == 1
    rates.clear(session, RATE, "ada")
    assert use_up(session, clock) == 3


def test_a_clock_that_was_wrong_shuts_nobody_out(session: Session, clock: FakeClock) -> None:
    now = clock()
    clock.advance(days=365)
    use_up(session, clock)
    clock.now = now
    with pytest.raises(TooOften) as often:
        rates.take(session, clock(), (RATE, "ada"))
    assert often.value.wait <= RATE.burst * RATE.every


def test_what_is_free_again_is_forgotten_and_names_nobody(session: Session, clock: FakeClock) -> None:
    use_up(session, clock)
    assert "ada" not in session.exec(select(RateRow)).one().key.removeprefix("test:")
    clock.advance(hours=1)
    rates.take(session, clock(), (RATE, "ben"))
    assert len(session.exec(select(RateRow)).all()) == 1


def test_two_processes_count_together(database: Database, clock: FakeClock) -> None:
    """Each with an engine of its own, all at once."""
    taken: list[bool] = []

    def process() -> None:
        own = Database(database.url)
        with own.session() as session:
            for _ in range(4):
                try:
                    rates.take(session, clock(), (RATE, "ada"))
                    taken.append(True)
                except TooOften:
                    taken.append(False)
        own.close()

    threads = [threading.Thread(target=process) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(taken), sum(taken)) == (12, 3)


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("testclient", "testclient"),
        (None, "unknown"),
    ],
)
def test_a_customer_is_one_client_whatever_addresses_they_have(host: str | None, key: str) -> None:
    assert rates.client_key(host) == key
