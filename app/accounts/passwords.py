"""Passwords: hashed by argon2id, refused where they are easy to guess.

A hash takes 64 MiB for a moment, so few are made at once, and a flood of sign-ins is turned away (`Busy`).
"""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

from app.accounts.gate import Gate

if TYPE_CHECKING:
    from pwdlib import PasswordHash

SHORTEST: Final = 8
LONGEST: Final = 1000
# Of five, from 0 (among the first thousand guesses) to 4: less than 3 falls to somebody who has the hash.
WEAKEST: Final = 3
_JUDGED: Final = 100  # characters; judging takes time with the square of the length
_ALIKE: Final = 4  # characters of one's own address or name that are worth nothing in a password
_gate: Final = Gate(at_once=2, waiting=10, patience=5)


class WeakPassword(ValueError):  # noqa: N818 (reads as what it is)
    """`str()` is a sentence that says what to change, without its full stop."""


def hash_password(password: str) -> str:
    """Raises `Busy`."""
    with _gate.through():
        return _hasher().hash(_prepared(password))


def verify(password: str, known: str | None) -> tuple[bool, str | None]:
    """Whether it is the password of the hash, and a newer hash where the parameters have changed since.

    Without a hash it takes as long and is never the password. Raises `Busy`.
    """
    fits = len(password) <= LONGEST
    with _gate.through():
        nobodys = _dummy()
        right, newer = _hasher().verify_and_update(_prepared(password) if fits else "", known or nobodys)
    return (True, newer) if right and fits and known is not None else (False, None)


def check(password: str, *own: str) -> None:
    """Raises `WeakPassword`; `own` is what others know of the person, such as their address and name."""
    length = len(password)
    if length < SHORTEST:
        raise WeakPassword(f"The password has {length} characters: allowed are {SHORTEST} to {LONGEST:,}")
    if length > LONGEST:
        raise WeakPassword(f"The password has {length:,} characters: allowed are {SHORTEST} to {LONGEST:,}")
    from zxcvbn_rs_py import zxcvbn  # not at the top: it is 4 MB

    judged = password[:_JUDGED]
    if int(zxcvbn(judged, [*own, *_words(own), "ridgeway"]).score) < WEAKEST:
        raise WeakPassword(
            "This password is easy to guess, by lists of passwords that were stolen elsewhere or by what is "
            "known of you. Take several words that have nothing to do with each other, or let a password "
            "manager make one"
        )
    rest = judged.casefold()
    for word in _words(own):
        rest = rest.replace(word, "")
    if len(rest) < SHORTEST and len(rest) < len(judged):
        raise WeakPassword("The password is made of your own address or name. Take words that nobody expects")


def _words(own: tuple[str, ...]) -> list[str]:
    """The parts of an address or a name, the longest first."""
    plain = "".join(char if char.isalnum() else " " for text in own for char in f"{text.casefold()} ")
    return sorted(
        {word for word in plain.split() if len(word) >= _ALIKE}, key=lambda word: (-len(word), word)
    )


def _prepared(password: str) -> str:
    """As one and the same text, however a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password.encode("utf-8", "replace").decode())


@cache
def _hasher() -> "PasswordHash":
    from pwdlib import PasswordHash

    return PasswordHash.recommended()


@cache
def _dummy() -> str:
    """A hash of nobody's, so that an account that is not there takes the time of one that is."""
    return _hasher().hash("nobody's")
