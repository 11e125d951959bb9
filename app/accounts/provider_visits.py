"""Browsers on the way to the provider. Each comes back once, as the same browser, and soon.

The state is for the provider to carry; a cookie shows that it is the browser that went.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlmodel import Session, col, select

from app.accounts import rates
from app.accounts.rates import Rate
from app.accounts.tokens import new_token, token_hash
from app.database import writing
from app.models import ProviderVisitRow

LASTS: Final = timedelta(minutes=10)
PER_CLIENT: Final = Rate("provider client", 60, timedelta(seconds=10))


class VisitOver(Exception):  # noqa: N818 (reads as what it is)
    """No browser is on the way with this state, or it is another browser."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a browser takes along, and what waits for it here."""

    state: str
    browser: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Visit:
    nonce: str
    verifier: str
    next: str


def begin(session: Session, go_on: str, client: str, now: datetime) -> Setting:
    """Raises `TooOften`."""
    rates.take(session, now, (PER_CLIENT, client))
    made = Setting(new_token(), new_token(), new_token(), new_token())
    with writing(session):
        session.exec(delete(ProviderVisitRow).where(col(ProviderVisitRow.expires_at) <= now))
        session.add(
            ProviderVisitRow(
                state_hash=token_hash(made.state),
                browser_hash=token_hash(made.browser),
                nonce=made.nonce,
                verifier=made.verifier,
                next=go_on,
                created_at=now,
                expires_at=now + LASTS,
            )
        )
    return made


def end(session: Session, state: str, browser: str, now: datetime) -> Visit:
    """What waited for the browser; a second time there is nothing. Raises `VisitOver`."""
    with writing(session):
        row = session.exec(
            select(ProviderVisitRow)
            .where(
                ProviderVisitRow.state_hash == token_hash(state),
                ProviderVisitRow.browser_hash == token_hash(browser),
                col(ProviderVisitRow.expires_at) > now,
            )
            .with_for_update()
        ).one_or_none()
        if row is None:
            raise VisitOver
        visit = Visit(row.nonce, row.verifier, row.next)
        session.delete(row)
    return visit
