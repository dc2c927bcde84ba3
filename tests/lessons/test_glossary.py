"""The glossary: one sentence for every term of the field that stands on the page or in a lesson."""

import json
import re
from collections import Counter

import pytest

from specviz.lessons.files import BUILT_IN
from specviz.lessons.glossary import glossary_of

_FILES = {"en": BUILT_IN / "glossary.json"} | {
    file.name.split(".")[1]: file for file in BUILT_IN.glob("glossary.*.json")
}
_INFLECTED = r"(?:s|d|ed|ing)?"
# Bold words of a lesson that are no terms.
_BOLD_ONLY = {
    *("before", "calculated", "formula", "measured", "one", "repeats", "same text", "the text decides", "times"),
    *("too strong", "too weak", "k · c + v", "min(1, p/q)", "min(p, q)", "p − min(p, q)"),
}


@pytest.mark.parametrize("language", _FILES)
def test_the_terms_are_sorted_and_unique(language: str) -> None:
    """A term stands once, where the alphabet puts it, and no form belongs to two terms. Its explanation is one sentence: it begins with a capital
    letter, ends with a full stop, has no other, and is short enough to hover over."""
    entries, text = glossary_of(language), _FILES[language].read_text(encoding="utf-8")
    named = json.loads(text, object_pairs_hook=lambda pairs: [key for key, _ in pairs])
    assert named == [entry.term for entry in entries] == sorted(named, key=str.casefold)
    forms = Counter(form if len(form) == 1 else form.casefold() for entry in entries for form in entry.forms)
    assert [form for form, count in forms.items() if count > 1] == []
    sentence = re.compile(r"[A-Z](?:[^.!?\n]|al\.,|\.\d){10,185}\.")
    assert [entry.term for entry in entries if not sentence.fullmatch(entry.says)] == []
    assert [entry.term for entry in entries if entry.says != " ".join(entry.says.split())] == []


def test_what_the_lessons_introduce_is_explained() -> None:
    """Every term that a built-in lesson prints in bold is in the glossary."""
    terms = [entry.term.casefold() for entry in glossary_of("en")]
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


def test_a_language_has_its_own_glossary_or_none() -> None:
    """A region has its language's; one without a glossary has none, whatever the address calls it."""
    assert glossary_of("de-AT") == glossary_of("de") != glossary_of("en")
    for other in ("fr", "", "../en", "glossary", "e" * 1000):
        assert glossary_of(other) == ()
