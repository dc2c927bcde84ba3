"""The stream of documents that a network learns from: collected and generated text in fixed shares; the seed decides it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random

from recipes.embedded import corpus
from recipes.embedded.templates.counting import counting
from recipes.embedded.templates.countries import KINDS, Country, countries
from recipes.embedded.templates.facts import description, facts
from recipes.embedded.templates.functions import function
from recipes.embedded.templates.json_records import records
from recipes.embedded.templates.letters import email, letter
from recipes.embedded.templates.lists import listing
from recipes.embedded.templates.orders import order
from recipes.embedded.templates.rhymes import rhyme
from recipes.embedded.templates.stories import story
from recipes.embedded.templates.sums import sums
from recipes.embedded.templates.tales import tale
from specviz.errors import CorpusError, TrainingError

GENERATED: Mapping[str, Callable[[Random], str]] = {
    "letters": letter,
    "e-mails": email,
    "JSON": records,
    "code": function,
    "counting": counting,
    "lists": listing,
    "sums": sums,
    "rhymes": rhyme,
    "stories": story,
    "generated orders": order,
    "tales": tale,
}
"""Class of text -> function that writes one document from a random source."""

ABOUT_COUNTRIES: Mapping[str, Callable[[Random, Sequence[Country]], str]] = {
    "facts": facts,
    "descriptions": lambda random, known: description(random, random.choice(known)),
}
"""Class of text -> function that writes one document about the countries of the corpus."""

EVERY_HELD_OUT = 25
"""One collected document in this many is never trained on."""

_KEY = 12
_BOILERPLATE = re.compile(
    r"Gutenberg|Produced by|Transcriber|CONTENTS|\[Illustration|Distributed Proofreading|^ *_?Frontispiece",
    re.MULTILINE,
)
_ASCII = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "\t": " "})
_WRAPPED = {"picture books", "fables", "prose", "more prose"}
_BROKEN_LINE = re.compile(r"(?<![.!?:\"'\n])\n(?!\n)")


class Library:
    """The collected text, cleaned and split into training and held-out documents.

    Args:
        folder: of the corpus; None if only text from templates is needed.
        kinds: the classes of text that are needed.

    Raises:
        CorpusError: something is missing or broken; the error names it.
        TrainingError: nothing writes one of the classes.
    """

    def __init__(self, folder: Path | None, kinds: Iterable[str]) -> None:
        asked = set(kinds)
        unknown = asked - set(corpus.FILES) - set(GENERATED) - set(ABOUT_COUNTRIES)
        if unknown:
            raise TrainingError(
                f"The recipe asks for {', '.join(sorted(unknown))}, which nothing writes: correct its shares."
            )
        self._train: dict[str, list[str]] = {}
        self._kept: dict[str, list[str]] = {}
        self.countries: tuple[Country, ...] = ()
        if folder is None:
            lacking = sorted(asked - set(GENERATED))
            if lacking:
                raise CorpusError(
                    f"No corpus folder was given, but {', '.join(lacking)} are made from it: name it with --corpus."
                )
            return
        corpus.check(folder)
        for kind in sorted(asked & set(corpus.FILES)):
            texts = [text for text in (_clean(kind, raw) for raw in corpus.documents(folder, kind)) if text]
            self._kept[kind] = texts[::EVERY_HELD_OUT]
            self._train[kind] = [text for index, text in enumerate(texts) if index % EVERY_HELD_OUT]
        if asked & set(ABOUT_COUNTRIES):
            self.countries = countries(corpus.country_records(folder))
            for kind in KINDS:
                if not any(country.answer(kind) for country in self.countries):
                    raise CorpusError(
                        f"{folder / corpus.COUNTRIES} names no country with a {kind}: fetch the file again."
                    )

    def held_out(self, kind: str) -> list[str]:
        """The collected documents of one class that are never trained on; empty for generated classes."""
        return self._kept.get(kind, [])

    def stream(self, kind: str, seed: str) -> Iterator[str]:
        """Yield documents of one class endlessly: collected ones in a new order each round, generated ones always new."""
        random = Random(f"{seed} {kind}")  # noqa: S311  # text, not secrets
        if kind in GENERATED:
            while True:
                yield GENERATED[kind](random)
        elif kind in ABOUT_COUNTRIES:
            while True:
                yield ABOUT_COUNTRIES[kind](random, self.countries)
        texts = list(self._train.get(kind, ()))
        if not texts:
            raise CorpusError(f"{corpus.FILES[kind]} contains too few documents to train on: fetch the file again.")
        while True:
            random.shuffle(texts)
            yield from texts


class HeldOut:
    """Prompts that training text may not contain.

    Args:
        anywhere: prompts that may not occur anywhere in a document. Only few: each is searched for in all text.
        openings: prompts that a document may not begin with; any number.
    """

    def __init__(self, anywhere: Iterable[str] = (), openings: Iterable[str] = ()) -> None:
        self._anywhere = tuple(prompt.strip() for prompt in anywhere)
        self._openings: dict[str, list[str]] = {}
        for prompt in openings:
            self._openings.setdefault(prompt[:_KEY], []).append(prompt)
        self._short = tuple(prompt for prompt in self._openings if len(prompt) < _KEY)

    def touches(self, text: str) -> bool:
        """Whether the document contains or begins with a held-out prompt."""
        return (
            any(prompt in text for prompt in self._anywhere)
            or text.startswith(self._short)
            or text.startswith(tuple(self._openings.get(text[:_KEY], ())))
        )


def documents(
    library: Library, shares: Mapping[str, float], seed: str, held_out: HeldOut, most: float = inf
) -> Iterator[tuple[str, str]]:
    """Yield (class of text, document) endlessly; the class that is furthest below its share of the characters comes next.

    Documents with held-out prompts are dropped but counted, so a class of which many are dropped gets a little less than its share.

    Args:
        shares: class of text -> share of the characters; the shares need not sum to one.
        held_out: prompts that no document may contain.
        most: characters of a document that count at most, for readers that use only the beginning.
    """
    streams = {kind: library.stream(kind, seed) for kind, share in shares.items() if share > 0}
    written = dict.fromkeys(streams, 0.0)
    while True:
        kind = min(streams, key=lambda name: written[name] / shares[name])
        text = next(streams[kind])
        written[kind] += min(len(text), most)
        if not held_out.touches(text):
            yield kind, text


def _clean(kind: str, text: str) -> str:
    """The text with plain quotation marks, unwrapped paragraphs and without publishers' notes; may be empty."""
    text = text.translate(_ASCII)
    if kind in _WRAPPED:
        text = _BROKEN_LINE.sub(" ", text)
    paragraphs = [paragraph.strip("\n") for paragraph in re.split(r"\n\s*\n", text)]
    return "\n\n".join(part for part in paragraphs if part.strip() and not _BOILERPLATE.search(part)).strip()
