"""The stories written from plots."""

import re
from collections import Counter
from random import Random

import pytest

from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.stories import plots, story
from recipes.embedded.templates.story_cast import Cast
from recipes.embedded.tests.helpers import documents

pytestmark = [pytest.mark.slow]

SENTENCE = re.compile(r'(?<!Mr\.)(?<!Mrs\.)(?:(?<=[.!?])|(?<=[.!?]"))\s+(?=["A-Z])')


def stories() -> tuple[str, ...]:
    return documents(story, 2000)


def sentences(text: str) -> list[str]:
    return [sentence for paragraph in text.split("\n\n") for sentence in SENTENCE.split(paragraph)]


def test_same_seed_same_story() -> None:
    """The same seed always gives the same story, and different seeds give different ones."""
    assert tuple(story(Random(seed)) for seed in range(50)) == stories()[:50]  # noqa: S311
    assert len(set(stories())) == len(stories())


def test_length_and_shape() -> None:
    """A story has 600 to 1400 plain characters in paragraphs none of which is empty or padded."""
    for text in stories():
        assert 600 <= len(text) <= 1400
        assert text.isascii()
        assert all(part and part == part.strip() and "\n" not in part for part in text.split("\n\n"))


def test_nothing_is_left_unfilled() -> None:
    """No mark of a gap, a choice or a word list is left, and no space is doubled."""
    assert not [text for text in stories() if re.search(r"[{}<>\[\]|_]|  | [,.!?]|\.\.", text)]


def test_quotation_marks_are_balanced() -> None:
    """Every paragraph closes the quotation marks it opens."""
    assert not [part for text in stories() for part in text.split("\n\n") if part.count('"') % 2]


def test_articles_fit() -> None:
    """`a` is used before consonants and `an` before vowels."""
    assert not [
        text
        for text in stories()
        if re.search(r"\b[Aa] (?:[aeio]|honest|hour)|\b[Aa]n (?!honest|hour)[^aeiou\W]", text)
    ]


def test_no_eight_words_twice_in_one_story() -> None:
    """No run of eight words, and no sentence, occurs twice inside one story."""
    for text in stories():
        words = re.findall(r"[a-z'-]+", text.lower())
        runs = Counter(tuple(words[at : at + 8]) for at in range(len(words) - 7))
        assert max(runs.values()) == 1
        assert max(Counter(sentences(text)).values()) == 1


def test_sentences_are_rarely_seen_again() -> None:
    """Of the different sentences of 300 stories, at least 95 in a hundred are seen only once or twice."""
    seen = Counter(sentence for text in stories()[:300] for sentence in sentences(text))
    assert sum(count <= 2 for count in seen.values()) >= 0.95 * len(seen)


def test_plots_are_rich() -> None:
    """There are at least 16 plots of at least eight beats, six wordings a beat; 40 openings and 25 endings."""
    assert len(plots()) >= 16
    for plot in plots():
        assert len(plot.beats) >= 8
        assert all(len(set(beat.variants)) >= 6 for beat in plot.beats)
    frames = table("story_frames")
    assert len(frames.lines("openings")) >= 40
    assert len(frames.lines("endings") + frames.lines("evenings")) >= 25


def test_every_wording_can_be_filled() -> None:
    """Every wording of every plot finds all its words, and closes its quotation marks."""
    for plot in plots():
        cast = Cast(Random(1), plot.special)  # noqa: S311
        for text in [*plot.titles, *(variant for beat in plot.beats for variant in beat.variants)]:
            assert re.fullmatch(r'[^{}<>\[\]|"]*("[^"]+"[^{}<>\[\]|"]*)*', cast.fill(text)), text


def test_hero_is_named_from_beginning_to_end() -> None:
    """The hero that the cast names occurs in the first and in the last third of each story."""
    openings = table("story_frames").lines("openings")
    for seed, plot in enumerate(plots() * 20):
        cast = Cast(Random(seed), plot.special)  # noqa: S311
        opening = cast.fill(openings[seed % len(openings)])
        assert cast.slots["hero"] in opening
    for text in stories():
        third = len(text) // 3
        names = set(re.findall(r"\b[A-Z][a-z]+\b", text[:third]))
        assert names & set(re.findall(r"\b[A-Z][a-z]+\b", text[-third:]))
