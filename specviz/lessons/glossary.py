"""The glossary: one sentence for each term of the field, and the forms in which a term stands in a sentence. A language is data.

`glossary.json` beside the built-in lessons is the English one, `glossary.de.json` the German one. A value is the sentence, or the
sentence (`says`) with further `forms`, and with `others`: phrases in which the word means something else. English terms have their
plural besides.
"""

import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from specviz.lessons.files import BUILT_IN
from specviz.words import ENGLISH

_FILE = re.compile(r"glossary(?:\.([a-z]{2,3}))?\.json")


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
    files = _files()
    file = files.get(language) or files.get(language.partition("-")[0])
    return () if file is None else _read(file, english=file == files[ENGLISH])


@cache
def _files() -> dict[str, Path]:
    matches = ((_FILE.fullmatch(file.name), file) for file in BUILT_IN.iterdir())
    return {match[1] or ENGLISH: file for match, file in matches if match is not None}


@cache
def _read(file: Path, *, english: bool) -> tuple[Entry, ...]:
    values: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return tuple(_entry(term, value, english=english) for term, value in values.items())


def _entry(term: str, value: Any, *, english: bool) -> Entry:
    fields = {"says": value} if isinstance(value, str) else value
    forms = fields.get("forms", [])
    plural = _plural(term) if english and not forms else []
    return Entry(term, fields["says"], tuple(dict.fromkeys([term, *forms, *plural])), tuple(fields.get("others", [])))


def _plural(term: str) -> list[str]:
    """The English plural by rule; none for a letter of a formula, or what does not end in letters."""
    if len(term) == 1 or not re.search(r"[a-z]{2}$", term):
        return []
    if re.search(r"[^aeiou]y$", term):
        return [f"{term[:-1]}ies"]
    return [f"{term}es" if re.search(r"(?:s|x|z|ch|sh)$", term) else f"{term}s"]
