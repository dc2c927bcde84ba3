"""The words of the page by language. A sentence is named by its English text; a language is a folder of `assets/words`, whose files are
tables from English texts to its own. Standard library only.

A folder is a language: no list names them. A sentence that depends on a number is named by its form for several and has an object by
plural category, such as `{"one": ..., "other": ...}`; the part after ¦ in a name tells meanings apart.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, Self

from specviz.folders import ASSETS

FOLDER = ASSETS / "words"
ENGLISH = "en"
# Languages by their own names; any other goes by its code.
_NAMES = {"ar": "العربية", "de": "Deutsch", "en": "English", "es": "Español", "fa": "فارسی", "fr": "Français", "he": "עברית",
          "hi": "हिन्दी", "it": "Italiano", "ja": "日本語", "ko": "한국어", "nl": "Nederlands", "pl": "Polski", "pt": "Português",
          "ru": "Русский", "tr": "Türkçe", "uk": "Українська", "zh": "中文"}  # fmt: skip
_WEIGHTED = re.compile(r"\s*([A-Za-z]{2,3})(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*")


class Decimal(NamedTuple):
    """A number in a sentence, with its digits after the point."""

    number: float
    digits: int

    def __str__(self) -> str:
        return f"{self.number:.{self.digits}f}"

    def __format__(self, form: str) -> str:
        return format(str(self), form)


class Sentence(str):
    """An English sentence that remembers its gaps, so that a page can say it in another language.

    Attributes:
        text: the sentence with gaps as `{name}`, by which the tables know it.
        values: what fills the gaps: a sentence is translated too, a number gets the language's comma, any other text stays as it is.
    """

    __slots__ = ("text", "values")

    text: str
    values: dict[str, str | int | Decimal]

    def __new__(cls, text: str, **values: str | int | Decimal) -> Self:
        sentence = super().__new__(cls, text.format(**values))
        sentence.text, sentence.values = text, values
        return sentence


def in_row(parts: Iterable[str], between: str = " ") -> Sentence:
    """Several texts as one; those that are empty are left out."""
    values = {f"part{index}": part for index, part in enumerate(filter(None, parts))}
    if len(values) == 1 and isinstance(only := values["part0"], Sentence):
        return only
    return Sentence(between.join(f"{{{name}}}" for name in values), **values)


def for_page(sentence: str) -> Any:
    """The JSON of a sentence for a page, see `PageText` in json_types.ts: a text alone, or one with the values of its gaps."""
    if not isinstance(sentence, Sentence) or not sentence.values:
        return str(sentence)
    return {"text": sentence.text, "values": {name: _value(value) for name, value in sentence.values.items()}}


def _value(value: str | int | Decimal) -> Any:
    if isinstance(value, Sentence):
        return for_page(value) if value.values else {"text": value.text, "values": {}}
    return value._asdict() if isinstance(value, Decimal) else value


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that the page speaks: English first, then every folder."""
    return (ENGLISH, *sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir() and any(folder.iterdir())))


@cache
def table(language: str) -> dict[str, Any]:
    """The texts of a language by the English ones; empty for English and for a language without a folder."""
    if language == ENGLISH or language not in languages():
        return {}
    files = sorted((FOLDER / language).glob("*.json"))
    return {text: own for file in files for text, own in json.loads(file.read_text(encoding="utf-8")).items()}


@cache
def table_text(language: str) -> str:
    """The table as JSON, for a file that a browser fetches."""
    return json.dumps(table(language), ensure_ascii=False, separators=(",", ":"))


def translate(english: str, language: str) -> str:
    """A sentence in a language; the English one where the language has none."""
    return str(table(language).get(english, english))


def spoken(language: str) -> dict[str, Any]:
    """The JSON of a language for a script, see `Spoken` in json_types.ts."""
    return {"language": language, "table": table(language)}


def language_choices(also: Iterable[str] = ()) -> list[dict[str, str]]:
    """The languages to choose from, each by its own name: those of the page, then others."""
    return [{"code": code, "name": name(code)} for code in dict.fromkeys((*languages(), *also))]


def name(code: str) -> str:
    """A language's own name; its code where that is not known."""
    return _NAMES.get(code.split("-", maxsplit=1)[0], code)


def preferred(accepted: str) -> str:
    """The language that a browser likes best of those that the page speaks; English where it names none of them.
    `accepted`: its header Accept-Language, such as `de-AT,de;q=0.9,en;q=0.5`."""
    matches = [match for match in map(_WEIGHTED.fullmatch, accepted[:400].split(",")) if match]
    weights = {match[1].lower(): float(match[2] or 1) for match in reversed(matches)}  # of equal ones the first counts
    usable = {code: weight for code, weight in reversed(weights.items()) if code in languages() and weight > 0}
    return max(usable, key=usable.__getitem__, default=ENGLISH)
