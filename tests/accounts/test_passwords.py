"""Passwords: what is refused, and that a hash fits its password alone."""

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from app.accounts import passwords
from app.accounts.passwords import WeakPassword

GOOD = "tulip-anvil-moss-77"


@pytest.mark.parametrize(
    "password",
    ["password", "Passw0rd!", "12345678", "qwertyuiop", "aaaaaaaaaaaaaaaa", "iloveyou2", "Ridgeway2026!"],
)
def test_one_that_everybody_has_is_refused(password: str) -> None:
    with pytest.raises(WeakPassword, match="easy to guess"):
        passwords.check(password)


@pytest.mark.parametrize(
    "password", ["ada.lovelace1", "LovelaceAda", "lovelaceexample9", "adalovelace@example"]
)
def test_so_is_one_made_of_what_is_known_of_the_person(password: str) -> None:
    with pytest.raises(WeakPassword):
        passwords.check(password, "ada.lovelace@example.org", "Ada Lovelace")


@pytest.mark.parametrize("length", [7, 1001])
def test_one_is_neither_short_nor_endless(length: int) -> None:
    text = (GOOD * 100)[:length]
    with pytest.raises(WeakPassword, match=f"has {length:,} characters"):
        passwords.check(text)


@pytest.mark.parametrize(
    "password", [GOOD, "correct horse battery staple", "Zinnober-Quark-lila", "四個奇怪的詞語放一起"]
)
def test_words_that_have_nothing_to_do_with_each_other_are_good(password: str) -> None:
    passwords.check(password, "ada@example.org", "Ada")


def test_it_is_argon2id_with_at_least_the_memory_that_is_recommended() -> None:
    kind, _, parameters = passwords.hash_password(GOOD).lstrip("$").split("$")[:3]
    assert kind == "argon2id"
    assert int(parameters.split(",")[0].removeprefix("m=")) >= 19 * 1024


@pytest.mark.usefixtures("quick_hashes")
class TestVerifying:
    def test_the_password_alone_fits(self) -> None:
        hashed = passwords.hash_password(GOOD)
        assert passwords.verify(GOOD, hashed) == (True, None)
        assert passwords.verify(f"{GOOD} ", hashed) == (False, None)

    def test_nothing_fits_nobody(self) -> None:
        assert passwords.verify("nobody's", None) == (False, None)

    def test_what_is_too_long_is_not_hashed_and_fits_nothing(self) -> None:
        assert passwords.verify("", passwords.hash_password("")) == (True, None)
        assert passwords.verify("x" * 1001, passwords.hash_password("")) == (False, None)

    def test_however_a_keyboard_writes_its_letters(self) -> None:
        hashed = passwords.hash_password("Lo\u0308schzug-Hafer-9")
        assert passwords.verify("L\u00f6schzug-Hafer-9", hashed)[0]

    def test_a_lone_surrogate_is_no_error(self) -> None:
        assert passwords.verify("\ud800 and more", passwords.hash_password(GOOD)) == (False, None)

    def test_an_older_hash_is_replaced_once_the_password_is_known(self) -> None:
        older = PasswordHash((Argon2Hasher(time_cost=2, memory_cost=16, parallelism=1),)).hash(GOOD)
        assert passwords.verify("wrong one", older) == (False, None)
        right, newer = passwords.verify(GOOD, older)
        assert right
        assert newer is not None
        assert passwords.verify(GOOD, newer) == (True, None)
