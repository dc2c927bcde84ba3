"""Acceptance over a text: what was found at each position, and what follows for kinds of text. Standard library only."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specviz.errors import InputError

_Z = 1.96
"""Of a 95% interval."""
MOST_SHOWN = 12
MOST_BYTES = 2_000_000


@dataclass(frozen=True, slots=True)
class StripToken:
    """One token of a text.

    Attributes:
        text: of the token; untrusted.
        alpha: the probability that a token that the draft proposes here is accepted: the sum of min(p, q); 0 or 1 at temperature 0.
    """

    text: str
    alpha: float


@dataclass(frozen=True, slots=True)
class Rejected:
    """A token that the draft proposes and the target rejects.

    Attributes:
        times: how often that is expected over the text: the sum of max(0, q - p) over its positions.
    """

    text: str
    times: float


@dataclass(frozen=True, slots=True)
class KindOfText:
    """One kind of text, or one text of a person.

    Attributes:
        alpha: the mean over the positions.
        low, high: its 95% interval (Wilson's). Neighbouring positions are not independent, so it is rather too narrow.
        strip: the positions, in order.
        rejected: the tokens that are most often rejected.
        own: whether it is the text of a person, not one that the target wrote.
    """

    name: str
    alpha: float
    low: float
    high: float
    strip: tuple[StripToken, ...]
    rejected: tuple[Rejected, ...]
    own: bool


def interval(alpha: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share that was found in so many cases; 0 to 1 without any."""
    if count == 0:
        return 0.0, 1.0
    squared = _Z * _Z / count
    middle = (alpha + squared / 2) / (1 + squared)
    half = _Z / (1 + squared) * math.sqrt(max(0.0, alpha * (1 - alpha) / count + squared / (4 * count)))
    return max(0.0, middle - half), min(1.0, middle + half)


def kind_of(name: str, strip: Sequence[StripToken], rejected: Counter[str], *, own: bool) -> KindOfText:
    """The figures of a kind of text from its positions.

    Raises:
        ValueError: there is no position.
    """
    if not strip:
        raise ValueError("a text without a position has no acceptance")
    alpha = sum(position.alpha for position in strip) / len(strip)
    low, high = interval(min(1.0, alpha), len(strip))
    most = tuple(Rejected(text, times) for text, times in rejected.most_common(MOST_SHOWN) if times > 0)
    return KindOfText(name, alpha, low, high, tuple(strip), most, own)


def text_in(data: bytes, name: str) -> str:
    """A person's text from the bytes of a file.

    Raises:
        InputError: it is no text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"The file {name!r:.80} is not text in UTF-8: save it as plain text.") from None
    if "\0" in text or not text.strip():
        raise InputError(f"The file {name!r:.80} is empty or not plain text: save it as plain text.")
    return text


def read_text(path: Path) -> str:
    """A person's text from a file.

    Raises:
        InputError: it cannot be read, is too large, or is no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"The file {str(path)!r} could not be read ({error.strerror}): check the path.") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"The file {str(path)!r} has more than {MOST_BYTES / 1e6:.0f} MB: give a shorter text.")
    return text_in(data, str(path))
