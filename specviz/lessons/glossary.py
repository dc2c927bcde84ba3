"""The glossary: one sentence for each term of the field, and the forms in which a term stands in a sentence. A language is data.

`glossary.json` beside the built-in lessons is the English one, `glossary.de.json` the German one. A value is the sentence, or the
sentence (`says`) with further `forms`, and with `others`: phrases in which the word means something else. English terms have their
plural besides.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from specviz.lessons.files import BUILT_IN, language_of
from specviz.words import ENGLISH


@dataclass(frozen=True, slots=True)
class Entry:
    """A term, its sentence, every form of it with the term itself first, and phrases in which a form means something else."""

    term: str
    says: str
    forms: tuple[str, ...]
    others: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)


def glossary_of(language: str) -> tuple[Entry, ...]:
    """The entries in the order of their file; none where the language has no glossary."""
    glossaries = _glossaries()
    return glossaries.get(language) or glossaries.get(language.partition("-")[0], ())


@cache
def _glossaries() -> dict[str, tuple[Entry, ...]]:
    return {language_of(file): tuple(_entries(file)) for file in BUILT_IN.glob("glossary*.json")}


def _entries(file: Path) -> Iterator[Entry]:
    for term, value in json.loads(file.read_text(encoding="utf-8")).items():
        fields: dict[str, Any] = {"says": value} if isinstance(value, str) else value
        forms = fields.get("forms") or (_plural(term) if language_of(file) == ENGLISH else [])
        yield Entry(term, fields["says"], tuple(dict.fromkeys([term, *forms])), tuple(fields.get("others", [])))


def _plural(term: str) -> list[str]:
    """The English plural by rule; none for a letter of a formula, or what does not end in letters."""
    if len(term) == 1 or not re.search(r"[a-z]{2}$", term):
        return []
    if re.search(r"[^aeiou]y$", term):
        return [f"{term[:-1]}ies"]
    return [f"{term}es" if re.search(r"(?:s|x|z|ch|sh)$", term) else f"{term}s"]
