"""The short code by which the audience finds a room, and the digest of the presenter's secret, without which nobody steers it.

A code is one of 387 million, and whoever tries wrong ones is made to wait (`Tries`): at `MOST_OF_ALL` tries a minute somebody would find one of
20 rooms within twelve hours with a probability below 1 in 100.
"""

import hashlib
import hmac
import secrets
from collections.abc import Container
from dataclasses import dataclass, replace

from specviz.rooms.errors import RoomError

LETTERS = "ABCDEFGHJKMNPQRTUVWXY346789"
"""Without those that are read as another one: 0, 1, 2, 5, I, L, O, S, Z."""
LENGTH = 6
MOST_OF_ONE, MOST_OF_ALL, WITHIN_S = 10, 200, 60.0
"""Wrong codes in so many seconds: of one visitor, and of all."""


def new_code(taken: Container[str] = ()) -> str:
    """A code that no open room has."""
    while True:
        code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        if code not in taken:
            return code


def read_code(text: str) -> str:
    """The code that somebody typed: small letters, spaces and hyphens are allowed.

    Raises:
        RoomError: it cannot be one.
    """
    code = "".join(each for each in text.upper() if not each.isspace() and each != "-")
    if len(code) != LENGTH or not set(code) <= set(LETTERS):
        raise RoomError(f"The code was {text!r:.40}: give the {LENGTH} letters and digits on the presenter's screen.")
    return code


def digest(secret: str) -> str:
    """What the server keeps of it."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def matches(secret: str, kept: str) -> bool:
    """Whether this is the secret of that digest."""
    return hmac.compare_digest(digest(secret), kept)


def voter(visitor: str, key: str) -> str:
    """How a room knows a visitor again: it cannot be traced back to the browser, and differs from room to room."""
    return hmac.new(key.encode(), visitor.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong codes of the last minute: when, and by whom."""

    wrong: tuple[tuple[float, str], ...] = ()

    def check(self, visitor: str, now: float) -> None:
        """Check that this visitor may try a code.

        Raises:
            RoomError: he has to wait.
        """
        recent = [who for when, who in self.wrong if now - when < WITHIN_S]
        if recent.count(visitor) >= MOST_OF_ONE or len(recent) >= MOST_OF_ALL:
            raise RoomError(
                "Too many wrong codes were tried: wait a minute, and read the code on the presenter's screen."
            )

    def missed(self, visitor: str, now: float) -> "Tries":
        """One wrong code more."""
        recent = tuple(each for each in self.wrong if now - each[0] < WITHIN_S)
        return replace(self, wrong=(*recent, (now, visitor))[-MOST_OF_ALL:])
