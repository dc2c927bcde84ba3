"""The words around a lesson, such as Next and Back, in the lesson's language; English where a language has none. A language is data."""

import json
from functools import cache

from specviz.lessons.places import BUILT_IN, ENGLISH


def words_of(language: str) -> dict[str, str]:
    """The words of `words.json` beside the built-in lessons."""
    known = _known()
    return known.get(language) or known.get(language.partition("-")[0]) or known[ENGLISH]


@cache
def _known() -> dict[str, dict[str, str]]:
    """The words of every language that has some, English ones where it lacks any."""
    known: dict[str, dict[str, str]] = json.loads((BUILT_IN / "words.json").read_text(encoding="utf-8"))
    return {language: known[ENGLISH] | words for language, words in known.items()}
