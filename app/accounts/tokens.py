"""Random tokens, of which the database holds only the SHA-256: who reads it can use none."""

import hashlib
import secrets
from typing import Final

_MAX: Final = 128


def new_token() -> str:
    """32 random bytes, which nobody guesses."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token; of one that is too long to be ours, what matches none."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest() if len(token) <= _MAX else ""
