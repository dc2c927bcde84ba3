"""Questions on countries: what the target has learnt by heart and the draft has not."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from specviz.errors import ModelFolderError
from specviz.training.embedded.templates.countries import Country
from specviz.training.embedded.templates.facts import questions
from specviz.training.examination.answers import Pupil
from specviz.training.examination.marks import Share

FILE = "countries.json"
"""In the pair's folder: what the pair was taught, and is asked."""

_LONGEST_ANSWER = 24


def write(countries: Sequence[Country], folder: Path) -> None:
    """Keep the countries beside the pair, one a line."""
    lines = ",\n".join(f"  {json.dumps(asdict(country))}" for country in countries)
    (folder / FILE).write_text(f"[\n{lines}\n]\n")


def read(folder: Path) -> tuple[Country, ...]:
    """The countries the pair was taught; none when it was taught none."""
    path = folder / FILE
    if not path.exists():
        return ()
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return tuple(Country(**{**record, "languages": tuple(record["languages"])}) for record in records)
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelFolderError(f"{path} could not be read ({error}): make the pair again.") from None


def right(continuation: str, answer: str) -> bool:
    """Whether the continuation begins with the answer, and the sentence or line ends there."""
    text = continuation.lstrip()
    return text.startswith(answer) and text[len(answer) : len(answer) + 1] in ("", "\n", ".", "!", "?")


def capitals(pupil: Pupil, countries: Sequence[Country], phrasing: int = 0) -> Share:
    """ "The capital of X is", for every X, in one of the five phrasings."""
    asked = questions("capital", countries)[phrasing::5]
    return _share(pupil, asked)


def others(pupil: Pupil, countries: Sequence[Country], kind: str, most: int | None = None) -> Share:
    """Continents, currencies or languages in five phrasings; `most` questions of them, evenly taken."""
    asked = questions(kind, countries)
    count = len(asked) if most is None else min(most, len(asked))
    return _share(pupil, [asked[place * len(asked) // count] for place in range(count)])


def missed(pupil: Pupil, countries: Sequence[Country]) -> list[tuple[str, str]]:
    """The plain capital questions that this network gets wrong, with the right answers."""
    asked = questions("capital", countries)[::5]
    texts = pupil.continuations([prompt for prompt, _ in asked], _LONGEST_ANSWER)
    return [question for question, text in zip(asked, texts, strict=True) if not right(text, question[1])]


def _share(pupil: Pupil, asked: Sequence[tuple[str, str]]) -> Share:
    texts = pupil.continuations([prompt for prompt, _ in asked], _LONGEST_ANSWER)
    return Share(sum(right(text, answer) for text, (_, answer) in zip(texts, asked, strict=True)), len(asked))
