"""The beginnings of texts that the figures are taken on. What begins so is kept out of the training text."""

import re
import zlib
from collections.abc import Iterable
from random import Random

from specviz.training.mixture import GENERATED, HeldOut, Library

EXAMINED_KINDS = ("letters", "e-mails", "JSON", "code", "generated orders")
"""The generated classes whose openings are examined."""

EXAMINED = 100
"""How many openings of each class."""

_WORDS = {"letters": 4, "e-mails": 4}
_ONE_IN = 8


def generated(kind: str, count: int = EXAMINED) -> list[str]:
    """The first `count` openings of a generated class, all different: always the same ones.

    Only one in eight of what the class can begin with is ever examined, so that plenty is left to learn the class from.
    """
    found: dict[str, None] = {}
    random = Random(f"examination {kind}")  # noqa: S311  # text, not secrets
    while len(found) < count:
        opening = _opening(kind, GENERATED[kind](random))
        if zlib.crc32(opening.encode()) % _ONE_IN == 0:
            found[opening] = None
    return list(found)


def collected(library: Library, kind: str, count: int, words: int) -> list[str]:
    """The first words of held-out documents of a collected class; fewer than `count` when there are fewer."""
    return [_first_words(text, words) for text in library.held_out(kind) if len(text.split()) > 2 * words][:count]


def orders(library: Library, count: int) -> list[str]:
    """A customer's first line and the assistant's name, from held-out dialogues."""
    texts = [text for text in library.held_out("orders") if text.startswith("Customer:") and "\nAssistant:" in text]
    return list(dict.fromkeys(text.split("\nAssistant:", 1)[0] + "\nAssistant:" for text in texts))[:count]


def held_out(ready_made: Iterable[str], library: Library) -> HeldOut:
    """What the training text may not give away: the ready-made prompts anywhere, the examination's openings at a beginning."""
    openings = [prompt for kind in EXAMINED_KINDS for prompt in generated(kind)]
    return HeldOut(anywhere=ready_made, openings=[*openings, *orders(library, EXAMINED)])


def _opening(kind: str, text: str) -> str:
    if kind == "code":
        return text[: text.index(":\n", text.index("def ")) + 2]
    if kind == "JSON":
        places = [match.end() for match in re.finditer(r"[,\n{]", text)]
        return text[: min(places, key=lambda place: abs(place - max(24, len(text) // 5)))]
    if kind == "generated orders":
        return text.split("\nAssistant:", 1)[0] + "\nAssistant:"
    if kind in _WORDS:
        greeting = re.search(r",\n\n", text)
        start = greeting.end() if greeting else 0
        return text[:start] + _first_words(text[start:], _WORDS[kind])
    return text.split("\n", 1)[0] + "\n"


def _first_words(text: str, words: int) -> str:
    return " ".join(text.split(" ")[:words]) if "\n" not in text else re.match(rf"(?:\s*\S+){{1,{words}}}", text)[0]  # type: ignore[index]
