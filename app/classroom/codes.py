"""The short code by which the audience finds a room, and what is signed with the key of a room.

A code is one of 282 billion. The server makes whoever tries wrong ones wait (`app.server.visitors`).
"""

import hashlib
import hmac
import secrets

from app.classroom.texts import RoomError

LETTERS = "ABCDEFGHJKMNPQRTUVWXY346789"  # without those that are read as another one: 0, 1, 2, 5, I, L, O, S, Z
LENGTH = 8


def new_code() -> str:
    """A code that nobody guesses."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def read_code(text: str) -> str:
    """The code that somebody typed: small letters, spaces and hyphens are allowed. Raises RoomError if it cannot be
    one."""
    code = "".join(character for character in text.upper() if not character.isspace() and character != "-")
    if len(code) != LENGTH or not set(code) <= set(LETTERS):
        raise RoomError(
            "The code was {code}: give the {count} letters and digits on the presenter's screen.",
            code=f"{text!r:.40}",
            count=LENGTH,
        )
    return code


def signed(text: str, key: str) -> str:
    """The signature of a text with a key, without which nobody makes it."""
    return hmac.new(key.encode(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def voter(visitor: str, key: str) -> str:
    """How a room knows a visitor again: it cannot be traced back to the browser, and differs from room to room."""
    return signed(visitor, key)[:20]
