"""Questions about countries: facts that the target has memorised and the draft has not."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from recipes.embedded.answers import Pupil
from recipes.embedded.marks import Share
from recipes.embedded.templates.countries import Country
from recipes.embedded.templates.facts import questions
from specviz.errors import ModelFolderError

FILE = "countries.json"
"""File in the pair's folder: the facts that the pair was taught, and is asked."""

_LONGEST_ANSWER = 24


def write(countries: Sequence[Country], folder: Path) -> None:
    """Write the countries into the pair's folder, one in each line."""
    lines = ",\n".join(f"  {json.dumps(asdict(country))}" for country in countries)
    (folder / FILE).write_text(f"[\n{lines}\n]\n")


def read(folder: Path) -> tuple[Country, ...]:
    """The countries that the pair was taught; empty if there is no file.

    Raises:
        ModelFolderError: the file is broken.
    """
    path = folder / FILE
    if not path.exists():
        return ()
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return tuple(Country(**{**record, "languages": tuple(record["languages"])}) for record in records)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelFolderError(f"{path} could not be read ({error}): make the pair again.") from None


def right(continuation: str, answer: str) -> bool:
    """Whether the continuation begins with the answer, and the sentence or line ends after it."""
    text = continuation.lstrip()
    return text.startswith(answer) and text[len(answer) : len(answer) + 1] in ("", "\n", ".", "!", "?")


def capitals(pupil: Pupil, countries: Sequence[Country], phrasing: int = 0) -> Share:
    """The share of right capitals, each country asked once, in one of the five phrasings (0 to 4)."""
    asked = questions("capital", countries)[phrasing::5]
    return _share(pupil, asked)


def others(pupil: Pupil, countries: Sequence[Country], kind: str, most: int | None = None) -> Share:
    """The share of right continents, currencies or languages, each asked in five phrasings.

    Args:
        kind: `continent`, `currency` or `language`.
        most: number of questions, taken at even intervals; None asks all.
    """
    asked = questions(kind, countries)
    count = len(asked) if most is None else min(most, len(asked))
    return _share(pupil, [asked[index * len(asked) // count] for index in range(count)])


def missed(pupil: Pupil, countries: Sequence[Country]) -> list[tuple[str, str]]:
    """The capital questions in the first phrasing that this network answers wrongly, with the right answers."""
    asked = questions("capital", countries)[::5]
    texts = pupil.continuations([prompt for prompt, _ in asked], _LONGEST_ANSWER)
    return [question for question, text in zip(asked, texts, strict=True) if not right(text, question[1])]


def _share(pupil: Pupil, asked: Sequence[tuple[str, str]]) -> Share:
    texts = pupil.continuations([prompt for prompt, _ in asked], _LONGEST_ANSWER)
    return Share(sum(right(text, answer) for text, (_, answer) in zip(texts, asked, strict=True)), len(asked))
