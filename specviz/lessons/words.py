"""The words around a lesson, such as Next and Back, in the lesson's language; English where a language has none. A language is data."""

import json
from functools import cache

from specviz.lessons.places import BUILT_IN, ENGLISH


@cache
def words_of(language: str) -> dict[str, str]:
    """The words of `words.json` beside the built-in lessons."""
    known: dict[str, dict[str, str]] = json.loads((BUILT_IN / "words.json").read_text(encoding="utf-8"))
    return known[ENGLISH] | known.get(language, known.get(language.partition("-")[0], {}))
