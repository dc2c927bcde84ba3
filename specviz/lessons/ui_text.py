"""The words around a lesson, such as Next and Back, in the lesson's language; English where a language has none."""

import json
from functools import cache

from specviz.lessons.places import BUILT_IN
from specviz.words import ENGLISH, languages, said


def words_of(language: str) -> dict[str, str]:
    """The words of `words.json` beside the built-in lessons, as the tables of `specviz.words` say them."""
    return _said(next((each for each in (language, language.partition("-")[0]) if each in languages()), ENGLISH))


@cache
def _said(language: str) -> dict[str, str]:
    known: dict[str, str] = json.loads((BUILT_IN / "words.json").read_text(encoding="utf-8"))
    return {name: said(english, language) for name, english in known.items()}
