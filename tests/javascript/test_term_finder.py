"""Where the terms of the glossary stand in a text, without a browser."""

import re
from html import unescape

import pytest

from specviz.lessons.glossary import glossary_of
from specviz.words import languages
from tests.helpers.lessons import lessons
from tests.helpers.node import Node

MODULES = ("lessons/term_finder",)
_FRESH = """(entries, texts) => { const finder = new TermFinder(entries), seen = new Set();
    return texts.map(text => finder.fresh(text, seen).map(({ at, length, entry }) => [text.slice(at, at + length), entry.term])); }"""


def _found(js: Node, *texts: str, language: str = "en") -> list[list[str]]:
    each = js.call(_FRESH, [entry.as_json() for entry in glossary_of(language)], texts)
    return [pair for found in each for pair in found]


def test_the_longest_term_counts_and_each_only_once(js: Node) -> None:
    """Longest first; the first occurrence over all texts of a page; a term inside a longer one is still to come."""
    assert _found(js, "The draft model has a draft. The draft model is fast.") == [
        ["draft model", "draft model"],
        ["draft", "draft"],
    ]
    assert _found(js, "an accepted prefix", "accepted", "the acceptance rate", "Accepted") == [
        ["accepted prefix", "accepted prefix"],
        ["accepted", "accept"],
        ["acceptance rate", "acceptance rate"],
    ]


def test_forms_are_known_and_parts_of_words_are_not(js: Node) -> None:
    """Plural, case, verb forms and a term over the end of a line; nothing inside another word; a letter only as it is written."""
    assert _found(js, "Tokens and passes, verifying") == [
        ["Tokens", "token"],
        ["passes", "pass"],
        ["verifying", "verify"],
    ]
    assert _found(js, "a speculative\n  decoding") == [["speculative\n  decoding", "speculative decoding"]]
    assert _found(js, "compasses, passage, tokenise, überdraft, draft2") == []
    assert _found(js, "This letter passes. A pass rounds differently in a round.") == [
        ["pass", "pass"],
        ["round", "round"],
    ]
    assert _found(js, "K, P and Q; K-means; kk") == []
    assert _found(js, "min(1, p/q), k · c + v and v(n), α") == [
        *([letter, letter] for letter in ("p", "q", "k", "c", "v")),
        ["v(n)", "v(n)"],
        ["α", "α"],
    ]


def test_another_language_and_none(js: Node) -> None:
    """German terms with umlauts and compounds; a language without a glossary shows none."""
    assert _found(js, "Das Bonus-Token, zwei Durchläufe und Zielmodells", language="de") == [
        ["Bonus-Token", "Bonus-Token"],
        ["Durchläufe", "Durchlauf"],
        ["Zielmodells", "Zielmodell"],
    ]
    assert _found(js, "draft model", language="fr") == []


def test_hostile_terms_are_no_pattern(js: Node) -> None:
    """A term is a text: what a pattern would interpret is found as it is written."""
    entry = {"term": "a.*(b)[c]|^$", "says": "x", "forms": ["a.*(b)[c]|^$"], "others": []}
    assert js.call(_FRESH, [entry], ["see a.*(b)[c]|^$ here, axxb"]) == [[["a.*(b)[c]|^$", entry["term"]]]]


@pytest.mark.slow
def test_every_built_in_lesson_has_terms_in_nearly_every_step(js: Node) -> None:
    """What a newcomer meets is explained where it stands: in each lesson that has a glossary, nearly every step has a term."""
    for lesson in (each for language in languages() for each in lessons(language)):
        texts = [" ".join(unescape(re.sub("<[^>]*>", "", step.html)).split()) for step in lesson.steps]
        without = [text for text in texts if not _found(js, text, language=lesson.language)]
        assert len(without) <= 1, (lesson.name, without)
