"""What stories and tales share: choices and slots in a sentence, pronouns, paragraphs and titles."""

import re
from random import Random

PRONOUNS = {
    "she": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
    "he": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "it": {"he": "it", "him": "it", "his": "its", "himself": "itself"},
}
"""Pronoun of a hero -> what the slots he, him, his and himself become."""

SLOT = re.compile(r"\{(\w+)\}")

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_VOWEL = re.compile(r"\b([Aa]) (?=[aeio]|u(?!n[is])|honest|hour)")
_SMALL = {"a", "an", "and", "the", "of", "to", "in", "on", "for", "is", "that"}


def chosen(random: Random, text: str) -> str:
    """The text with one of each [red|blue] chosen, inner choices first."""
    while "[" in text:
        text = _CHOICE.sub(lambda found: random.choice(found[1].split("|")), text)
    return text


def with_articles(text: str) -> str:
    """The text with `an` for `a` before vowels."""
    return _VOWEL.sub(r"\1n ", text)


def paragraphs(random: Random, parts: list[str]) -> list[list[str]]:
    """The parts in paragraphs of one to four: the longer a paragraph is, the more likely it ends."""
    found: list[list[str]] = [[]]
    for part in parts:
        if found[-1] and random.random() < 0.3 * len(found[-1]):
            found.append([])
        found[-1].append(part)
    return found


def title(text: str) -> str:
    """The text with capital letters as in a title."""
    words = text.split(" ")
    return " ".join(word if at and word in _SMALL else word[0].upper() + word[1:] for at, word in enumerate(words))
