"""The beginnings of texts that the examination uses as prompts. Documents that begin like this are kept out of the training text."""

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random

from recipes.embedded.mixture import GENERATED, HeldOut, Library
from recipes.embedded.templates.counting import counting_examination
from recipes.embedded.templates.countries import Country
from recipes.embedded.templates.facts import questions
from recipes.embedded.templates.sums import sums_examination

EXAMINED_KINDS = ("letters", "e-mails", "JSON", "code", "generated orders")
"""The generated classes whose openings are examined."""

EXAMINED = 100
"""Number of openings of each class."""

_WORDS = {"letters": 4, "e-mails": 4}
_ONE_IN = 8


STORIES = (
    "Once there was a baker who could not sleep, and every night",
    "Nobody in the village had ever seen the inside of the old mill, but",
    "Tomas found a small brass key under the stairs.",
    "The youngest of the three sisters wanted a boat of her own.",
    "On the first day of winter the geese did not",
    "There was once a donkey who believed that",
    "Grandfather kept a box of old letters, and one evening",
    "A little cloud came down to the garden and asked",
    "Far away behind the blue hills lived a shoemaker with",
    "Lena was the only child on the island, so",
    "When the circus came to town, the smallest elephant",
    "Every morning the ferryman said good day to the heron.",
    "Two friends, a mole and a swallow, wanted to",
    "It was so hot that even the stones",
    "The king had lost his laughter. He sent for",
    'Under the bridge lived a frog who sang. "Listen," he said,',
    "One summer night the stars came so close that",
    "Ibrahim had a kite that was taller than he was.",
    "The old woman at the market sold apples, plums and",
    "At the edge of the forest stood a house with",
)
"""Beginnings of twenty stories that are in no corpus: written for the examination."""

VERSE = (
    "ROMEO:\nThe torches die, and yet",
    "KING:\nGood cousins, let no man",
    "O gentle night, that bringest to the shore\n",
    "Sing, goddess, of the ships that",
    "The winter wind is in the tree,\n",
    "FIRST SERVANT:\nMy lady bids you come, for",
    "When I was young I knew a stream\n",
    "Then spoke the captain to his weary men:\n",
    "Shall we, my love, forget the",
    "QUEEN:\nWhy stand you there so pale?",
)
"""Beginnings of verse, also written for the examination."""


def generated(kind: str, count: int = EXAMINED) -> list[str]:
    """The first `count` openings of a generated class: all different, always the same."""
    return list(documents(kind, count))


def documents(kind: str, count: int) -> dict[str, str]:
    """Openings of a generated class, each with a complete document that begins so; always the same ones.

    Only one in eight of the possible openings is ever examined, so that enough documents remain to learn the class from.
    """
    return dict(_documents(kind, count))


@cache
def _documents(kind: str, count: int) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    random = Random(f"examination {kind}")  # noqa: S311  # text, not secrets
    while len(found) < count:
        text = GENERATED[kind](random)
        opening = _opening(kind, text)
        if zlib.crc32(opening.encode()) % _ONE_IN == 0:
            found.setdefault(opening, text)
    return tuple(found.items())


def cut_anywhere(kind: str, count: int) -> list[str]:
    """Documents of a generated class whose openings are held out, each cut anywhere in its first two thirds, also inside words."""
    random = Random(f"cuts {kind}")  # noqa: S311  # text, not secrets
    return [
        text[: random.randrange(len(opening), max(len(opening) + 1, 2 * len(text) // 3))]
        for opening, text in documents(kind, count).items()
    ]


def by_category(countries: Sequence[Country], count: int) -> dict[str, list[str]]:
    """Category -> prompts for the acceptance rate, at most `count` each; facts only if there are countries."""
    random = Random("examination")  # noqa: S311  # text, not secrets
    asked = [prompt for prompt, _ in questions("capital", countries)[::5]]
    found = {
        "letters": [prompt for pair in zip(generated("letters"), generated("e-mails"), strict=True) for prompt in pair],
        "JSON": generated("JSON"),
        "code": generated("code"),
        "facts": asked[:: max(1, len(asked) // count)],
        "counting": [counting_examination(random)[0] for _ in range(count)],
        "orders": generated("generated orders"),
        "word problems": [sums_examination(random)[0] for _ in range(count)],
        "story": list(STORIES),
        "verse": list(VERSE),
    }
    return {category: prompts[:count] for category, prompts in found.items() if prompts}


def held_out(ready_made: Iterable[str], library: Library) -> HeldOut:
    """What training text may not contain: the ready-made prompts anywhere, the examined openings at the beginning of a document."""
    openings = [prompt for kind in EXAMINED_KINDS for prompt in generated(kind)]
    return HeldOut(anywhere=ready_made, openings=[*openings, *STORIES, *VERSE, *_dialogues(library)])


def _dialogues(library: Library) -> list[str]:
    """The customer's first line and the assistant's name, from held-out dialogues."""
    texts = [text for text in library.held_out("orders") if text.startswith("Customer:") and "\nAssistant:" in text]
    return list(dict.fromkeys(_opening("generated orders", text) for text in texts))[:EXAMINED]


def _opening(kind: str, text: str) -> str:
    if kind == "code":
        return text[: text.index(":\n", text.index("def ")) + 2]
    if kind == "JSON":
        offsets = [match.end() for match in re.finditer(r"[,\n{]", text)]
        return text[: min(offsets, key=lambda offset: abs(offset - max(24, len(text) // 5)))]
    if kind == "generated orders":
        return text.split("\nAssistant:", 1)[0] + "\nAssistant:"
    if kind in _WORDS:
        greeting = re.search(r",\n\n", text)
        start = greeting.end() if greeting else 0
        return text[:start] + _first_words(text[start:], _WORDS[kind])
    return text.split("\n", 1)[0] + "\n"


def _first_words(text: str, words: int) -> str:
    found = re.match(rf"(?:\s*\S+){{1,{words}}}", text)
    return found[0] if found else text
