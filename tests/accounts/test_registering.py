"""Making an account: what is checked, and that an address is one person's."""

import pytest
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.accounts import registering
from app.accounts.registering import Identity, RegistrationRefused
from tests.conftest import FakeClock

GOOD = "tulip-anvil-moss-77"
pytestmark = pytest.mark.usefixtures("quick_hashes")


def test_every_field_is_told_of_at_once() -> None:
    with pytest.raises(RegistrationRefused) as refused:
        registering.prepare("ada at example", " \n ", password="password")
    assert set(refused.value.errors) == {"email", "name", "password"}
    assert "“ada at example”" in refused.value.errors["email"]


NO_ADDRESSES = (
    *("", "ada", "@example.org", "ada@", "a@b@c", "ada @example.org", "ada@example.org\x00"),
    *("ada@\ud800.org", "a,b@c.d", "<a@b.c>", "a" * 251 + "@b.c"),
)


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_no_address(text: str) -> None:
    assert registering.read_email(text) is None


def test_an_address_is_the_same_in_capitals_and_in_wide_letters() -> None:
    assert registering.read_email(" Ada@EXAMPLE.org ") == "ada@example.org"
    assert registering.read_email("ａｄａ@example.org") == "ada@example.org"


def test_an_address_is_one_persons(session: Session, clock: FakeClock) -> None:
    account = registering.prepare("ada@example.org", "Ada", password=GOOD)
    user = registering.create(session, account, clock())
    assert (user.login, user.name, user.operator) == ("ada@example.org", "Ada", False)
    again = registering.prepare("ADA@example.org", "Another", password=GOOD)
    with pytest.raises(RegistrationRefused) as refused:
        registering.create(session, again, clock())
    assert set(refused.value.errors) == {"email"}


def test_an_identity_is_one_persons(session: Session, clock: FakeClock) -> None:
    identity = Identity("https://id.example", "1")
    for email in ("ada@example.org", "ben@example.org"):
        account = registering.prepare_without_password(email, "A name", identity)
        if email.startswith("ada"):
            registering.create(session, account, clock())
        else:
            with pytest.raises(IntegrityError):
                registering.create(session, account, clock())
    assert not registering.is_taken(session, "ben@example.org")
