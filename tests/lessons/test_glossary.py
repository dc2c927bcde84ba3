"""The glossary: one sentence for every term of the field that stands on the page or in a lesson."""

import json
import re

from specviz.folders import ASSETS
from specviz.lessons.places import BUILT_IN

_FILE = BUILT_IN / "glossary.json"
_PAGE = ASSETS.parent / "app"
_INFLECTED = r"(?:s|d|ed|ing)?"
_BOLD_ONLY = {
    *(
        "calculated",
        "every",
        "measured",
        "one",
        "repeats",
        "same text",
        "the text decides",
        "times",
        "too strong",
        "too weak",
    ),
    *("k · c + v", "min(1, p/q)", "min(p, q)", "p − min(p, q)"),
}
"""What a lesson prints in bold without introducing it."""


def _entries() -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = json.loads(_FILE.read_text(encoding="utf-8"), object_pairs_hook=list)
    return pairs


def test_the_terms_are_sorted_and_unique() -> None:
    """A term stands once, where the alphabet puts it."""
    terms = [term for term, _ in _entries()]
    assert terms == sorted(terms, key=str.casefold)
    assert len({term.casefold() for term in terms}) == len(terms)


def test_every_explanation_is_one_sentence() -> None:
    """It begins with a capital letter, ends with a full stop, has no other, and is short enough to hover over."""
    wrong = [
        term
        for term, sentence in _entries()
        if not re.fullmatch(r"[A-Z][^.!?\n]{10,170}\.", sentence) or sentence != " ".join(sentence.split())
    ]
    assert wrong == []


def test_every_term_occurs_on_the_page_or_in_a_lesson() -> None:
    """A term that nobody meets needs no explanation."""
    files = [*BUILT_IN.glob("*.md"), *_PAGE.rglob("*.js"), *_PAGE.rglob("*.py")]
    met = "\n".join(file.read_text(encoding="utf-8") for file in files if not file.name.endswith(".de.md"))
    lost = [term for term, _ in _entries() if not re.search(rf"(?i)(?<!\w){re.escape(term)}{_INFLECTED}(?!\w)", met)]
    assert lost == []


def test_what_the_lessons_introduce_is_explained() -> None:
    """Every term that a built-in lesson prints in bold is in the glossary."""
    terms = [term.casefold() for term, _ in _entries()]
    unknown = set()
    for file in BUILT_IN.glob("??-*.md"):
        if file.name.count(".") > 1:
            continue  # a translation
        for bold in re.findall(r"\*\*([^*]+)\*\*", file.read_text(encoding="utf-8")):
            words = " ".join(bold.casefold().split())
            if words not in _BOLD_ONLY and not any(_met(term, words) for term in terms):
                unknown.add((file.name, words))
    assert unknown == set()


def _met(term: str, text: str) -> bool:
    """Whether a term stands in a text, in the singular or the plural; a letter only where it stands alone."""
    if len(term) == 1:
        return term == text
    return re.search(rf"(?<!\w){re.escape(term)}{_INFLECTED}(?!\w)", text) is not None
