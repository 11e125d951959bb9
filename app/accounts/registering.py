"""Making an account. `prepare` checks and hashes, which takes time; `create` writes, inside a transaction.

An account's `login` is its e-mail address in small letters.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from app.accounts import passwords
from app.accounts.passwords import WeakPassword
from app.accounts.users import DEFAULT_DAILY_GOAL, DEFAULT_RETENTION, User, from_row
from app.database import clean_text, writing
from app.models import IdentityRow, UserRow

MAX_EMAIL: Final = 254
MAX_NAME: Final = 80
_NOT_IN_AN_ADDRESS: Final = frozenset('<>()[],;:\\"')
EMAIL_TAKEN: Final = "There is an account with this e-mail address already. Sign in with it instead."


class RegistrationRefused(ValueError):  # noqa: N818 (reads as what it is)
    """`errors` says by field, in a whole sentence, what to change."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as an OpenID provider names them."""

    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class NewAccount:
    """What was checked and can be written."""

    email: str
    name: str
    password_hash: str | None
    identity: Identity | None = None


def prepare(email: str, name: str, *, password: str) -> NewAccount:
    """An account with a password. Raises `RegistrationRefused` and `Busy`."""
    errors: dict[str, str] = {}
    address, shown = _checked(email, name, errors)
    try:
        passwords.check(password, address, shown)
    except WeakPassword as weak:
        errors["password"] = f"{weak}."
    if errors:
        raise RegistrationRefused(errors)
    return NewAccount(address, shown, passwords.hash_password(password))


def prepare_without_password(email: str, name: str, identity: Identity | None = None) -> NewAccount:
    """For who signs in by a provider, or sets a password later. Raises `RegistrationRefused`."""
    errors: dict[str, str] = {}
    address, shown = _checked(email, name[:MAX_NAME], errors)
    if errors:
        raise RegistrationRefused(errors)
    return NewAccount(address, shown, None, identity)


def create(session: Session, account: NewAccount, now: datetime, *, operator: bool = False) -> User:
    """The account in the database; joins a transaction that is open. Raises `RegistrationRefused`."""
    with writing(session):
        try:
            with session.begin_nested():
                row = UserRow(
                    login=account.email,
                    name=account.name,
                    password_hash=account.password_hash,
                    retention=DEFAULT_RETENTION,
                    daily_goal=DEFAULT_DAILY_GOAL,
                    created_at=now,
                    operator=operator,
                )
                session.add(row)
        except IntegrityError:
            raise RegistrationRefused({"email": EMAIL_TAKEN}) from None
        user = from_row(row)
        if account.identity is not None:
            link(session, user, account.identity, now)
    return user


def link(session: Session, user: User, identity: Identity, now: datetime) -> None:
    """From now on the provider's word for this identity signs the user in."""
    with writing(session):
        session.add(
            IdentityRow(user_id=user.id, issuer=identity.issuer, subject=identity.subject, created_at=now)
        )
        session.flush()


def is_taken(session: Session, email: str) -> bool:
    return session.exec(select(UserRow.id).where(UserRow.login == email)).first() is not None


def read_email(text: str) -> str | None:
    """The address as it is kept, None if it is none."""
    address = unicodedata.normalize("NFKC", text.strip()).casefold()
    local, at, host = address.rpartition("@")
    usable = (
        at
        and local
        and host
        and "@" not in local
        and len(address) <= MAX_EMAIL
        and address.isprintable()
        and not any(char.isspace() or char in _NOT_IN_AN_ADDRESS for char in address)
    )
    return address if usable else None


def read_name(text: str) -> str:
    """The name on one line."""
    return " ".join(clean_text(text).split())


def name_error(name: str) -> str:
    """What is wrong with a name, empty where nothing is."""
    if len(name) > MAX_NAME:
        return f"The name has {len(name):,} characters: allowed are at most {MAX_NAME}."
    if not name:
        return "Say what to call you."
    return "" if name.isprintable() else "The name holds characters that cannot be printed."


def _checked(email: str, name: str, errors: dict[str, str]) -> tuple[str, str]:
    address, shown = read_email(email), read_name(name)
    if address is None:
        errors["email"] = (
            f"The e-mail address is “{email.strip()[:80]}”: allowed is one such as ada@example.org, of at "
            f"most {MAX_EMAIL} characters."
        )
    if error := name_error(shown):
        errors["name"] = error
    return address or "", shown
