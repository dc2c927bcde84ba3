"""The short code by which the audience finds a room, and the digest of the presenter's secret, without which nobody steers it.

A code is one of 282 billion. The server makes whoever tries wrong ones wait (`app.server.visitors`).
"""

import hashlib
import hmac
import secrets
from collections.abc import Container

from app.classroom.errors import RoomError

LETTERS = "ABCDEFGHJKMNPQRTUVWXY346789"  # without those that are read as another one: 0, 1, 2, 5, I, L, O, S, Z
LENGTH = 8


def new_code(taken: Container[str] = ()) -> str:
    """A code that no open room has."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if code not in taken:
            return code


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


def digest(secret: str) -> str:
    """The digest of a secret, which the server keeps instead of it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def matches(secret: str, digest_: str) -> bool:
    """Check a secret against its digest."""
    return hmac.compare_digest(digest(secret), digest_)


def voter(visitor: str, key: str) -> str:
    """How a room knows a visitor again: it cannot be traced back to the browser, and differs from room to room."""
    return hmac.new(key.encode(), visitor.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:20]
