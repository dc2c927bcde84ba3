"""The short code by which the audience finds a room, and the digest of the presenter's secret, without which nobody steers it.

A code is one of 282 billion, and whoever tries wrong ones is made to wait (`Tries`), also for the right one: a hundred addresses with
`MOST_OF_ADDRESS` tries a minute each would find one of 40 rooms within twelve hours with a probability below 1 in 100. There is no limit of all
addresses together, since one of them could use it up.
"""

import hashlib
import hmac
import secrets
from collections.abc import Container
from dataclasses import dataclass, replace

from specviz.rooms.errors import RoomError

LETTERS = "ABCDEFGHJKMNPQRTUVWXY346789"
"""Without those that are read as another one: 0, 1, 2, 5, I, L, O, S, Z."""
LENGTH = 8
MOST_OF_ONE, MOST_OF_ADDRESS, WITHIN_S = 10, 200, 60.0
"""Wrong codes in so many seconds: of one visitor, and of one address, behind which a whole lecture hall can be."""
_REMEMBERED = 20_000


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
        raise RoomError(
            "The code was {code}: give the {count} letters and digits on the presenter's screen.",
            code=f"{text!r:.40}",
            count=LENGTH,
        )
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
    """Wrong codes of the last minute: when, by whom, and from where. Who has no identity is one visitor of the address."""

    wrong: tuple[tuple[float, str, str], ...] = ()

    def check(self, visitor: str, address: str, now: float) -> None:
        """Check that this visitor may try a code.

        Raises:
            RoomError: he has to wait.
        """
        here = [who for when, who, where in self.wrong if where == address and now - when < WITHIN_S]
        if here.count(visitor) >= MOST_OF_ONE or len(here) >= MOST_OF_ADDRESS:
            raise RoomError(
                "Too many wrong codes were tried: wait a minute, and read the code on the presenter's screen."
            )

    def missed(self, visitor: str, address: str, now: float) -> "Tries":
        """One wrong code more."""
        recent = tuple(each for each in self.wrong if now - each[0] < WITHIN_S)
        return replace(self, wrong=(*recent, (now, visitor, address))[-_REMEMBERED:])
