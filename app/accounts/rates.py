"""How often something may be tried, in the database, so that all processes count together.

Each key has an allowance of `burst` tries, one of which comes back every `every`. One moment a key says it
all: when the whole allowance is there again (the generic cell rate algorithm).
"""

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from app.accounts.tokens import token_hash
from app.database import writing
from app.models import RateRow

_SITE: Final = 64  # bits of an IPv6 address that one customer has to themselves


class TooOften(Exception):  # noqa: N818 (reads as what it is)
    """The allowance is used up; `wait` is how long until the next try."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"too often; {wait} to wait")
        self.wait = wait

    @property
    def seconds(self) -> int:
        return max(1, -(-self.wait // timedelta(seconds=1)))


@dataclass(frozen=True, slots=True)
class Rate:
    """An allowance; `name` says of what."""

    name: str
    burst: int
    every: timedelta

    def key(self, whose: str) -> str:
        """Hashed: an address that somebody typed is nothing to keep."""
        return f"{self.name}:{token_hash(whose[:120])}"


def take(session: Session, now: datetime, *allowances: tuple[Rate, str]) -> None:
    """Uses one try of each, or of none where one is used up. Raises `TooOften`."""
    with writing(session):  # apart from what follows, whose order of locks it would disturb
        session.exec(delete(RateRow).where(col(RateRow.free_at) <= now))
    with writing(session):
        # In one order, so that two requests cannot wait for each other.
        pairs = sorted(allowances, key=lambda pair: pair[0].key(pair[1]))
        rows = [_locked(session, rate.key(whose), now) for rate, whose in pairs]
        used = [_used(row, rate, now) for (rate, _), row in zip(pairs, rows, strict=True)]
        waits = [
            amount - (rate.burst - 1) * rate.every for (rate, _), amount in zip(pairs, used, strict=True)
        ]
        if (longest := max(waits)) > timedelta():
            raise TooOften(longest)
        for (rate, _), row, amount in zip(pairs, rows, used, strict=True):
            row.free_at = now + amount + rate.every


def give_back(session: Session, rate: Rate, whose: str) -> None:
    """One try that was right after all."""
    with writing(session):
        row = session.exec(_wanted(rate.key(whose))).one_or_none()
        if row is not None:
            row.free_at -= rate.every


def clear(session: Session, rate: Rate, whose: str) -> None:
    """The whole allowance is there again."""
    with writing(session):
        session.exec(delete(RateRow).where(col(RateRow.key) == rate.key(whose)))


def client_key(host: str | None) -> str:
    """The network of one customer: an IPv4 address, or the first 64 bits of an IPv6 one."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return host or "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _SITE), strict=False))
    return str(address)


def _used(row: RateRow, rate: Rate, now: datetime) -> timedelta:
    """How long until all is there again; never more than the whole, whatever a clock said that was wrong."""
    return min(max(row.free_at - now, timedelta()), rate.burst * rate.every)


def _locked(session: Session, key: str, now: datetime) -> RateRow:
    """The key's row, which nobody else changes until the transaction ends."""
    row = session.exec(_wanted(key)).one_or_none()
    if row is None:
        try:
            with session.begin_nested():
                row = RateRow(key=key, free_at=now)
                session.add(row)
        except IntegrityError:  # another process was first
            row = session.exec(_wanted(key)).one()
    return row


def _wanted(key: str) -> SelectOfScalar[RateRow]:
    return select(RateRow).where(RateRow.key == key).with_for_update()
