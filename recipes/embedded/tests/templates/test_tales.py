"""The tales that begin in hundreds of ways."""

import re
from collections import Counter
from functools import cache

import pytest

from recipes.embedded.openings import STORIES
from recipes.embedded.templates.tale_cast import TaleCast
from recipes.embedded.templates.tales import Told, common, schemas, tale, told
from recipes.embedded.tests.helpers import seeded

pytestmark = [pytest.mark.slow]

SENTENCE = re.compile(r'(?:(?<=[.!?])|(?<=[.!?]"))\s+(?=["A-Z])')


@cache
def all_told() -> tuple[Told, ...]:
    return tuple(told(seeded(seed)) for seed in range(3000))


@cache
def tales() -> tuple[str, ...]:
    return tuple(each.text for each in all_told())


def words(text: str) -> list[str]:
    return re.findall(r"[a-z'-]+", text.lower())


def test_same_seed_same_tale() -> None:
    """The same seed always gives the same tale, and different seeds give different ones."""
    assert tuple(tale(seeded(seed)) for seed in range(50)) == tales()[:50]
    assert len(set(tales())) == len(tales())


def test_length_and_shape() -> None:
    """A tale has 500 to 1300 plain characters in paragraphs none of which is empty or padded."""
    for text in tales():
        assert 500 <= len(text) <= 1300
        assert text.isascii()
        assert all(part and part == part.strip() and "\n" not in part for part in text.split("\n\n"))


def test_nothing_is_left_unfilled() -> None:
    """No mark of a gap, a choice or a row is left, and no space or stop is doubled."""
    assert not [text for text in tales() if re.search(r"[{}<>\[\]|_;+=]|  | [,.!?]|\.\.|[!?]\.", text)]


def test_quotation_marks_are_balanced() -> None:
    """Every paragraph closes the quotation marks it opens."""
    assert not [part for text in tales() for part in text.split("\n\n") if part.count('"') % 2]


def test_articles_fit() -> None:
    """`a` is used before consonants and `an` before vowels."""
    wrong = re.compile(r"\b[Aa] (?:[aeio]|honest|hour)|\b[Aa]n (?!honest|hour)[^aeiouAEIOU\W]")
    assert not [text for text in tales() if wrong.search(text)]


def test_nothing_is_said_twice() -> None:
    """No run of eight words, and no sentence, occurs twice inside one tale."""
    for text in tales():
        found = words(text)
        assert max(Counter(tuple(found[at : at + 8]) for at in range(len(found) - 7)).values()) == 1
        assert max(Counter(SENTENCE.split(text.replace("\n\n", " "))).values()) == 1


def test_paragraphs_begin_differently() -> None:
    """In at least nine of ten tales no two paragraphs begin with the same three words."""
    begins = [[tuple(words(part)[:3]) for part in text.split("\n\n")] for text in tales()]
    assert sum(len(set(each)) < len(each) for each in begins) <= 0.1 * len(tales())


def test_tales_begin_in_many_ways() -> None:
    """Over 3,000 tales at least 200 openings are used, and no opening in more than two of a hundred tales."""
    seen = Counter(each.opening.text for each in all_told())
    assert len(seen) >= 200
    assert max(seen.values()) <= 0.02 * len(all_told())


def test_the_hero_stays() -> None:
    """Whoever the tale begins with is spoken of by name or kind in its second half, in at least nine of ten tales."""
    stays = [
        re.search(rf"\b(?:{each.hero.kind}|{each.name or each.hero.kind})\b", each.text[len(each.text) // 2 :])
        for each in all_told()
    ]
    assert sum(map(bool, stays)) >= 0.9 * len(all_told())


def test_heroes_are_of_every_kind() -> None:
    """Persons, animals, things that move and things that stand each have at least one tale in twenty; 120 kinds occur."""
    sorts = Counter(each.hero.sort for each in all_told())
    assert min(sorts[sort] for sort in "pamf") >= 0.05 * len(all_told())
    assert len({each.hero.kind for each in all_told()}) >= 120


def test_there_is_enough_to_tell() -> None:
    """At least 24 kinds of tale with six beats between beginning and end, five wordings a beat; 220 openings in all."""
    assert len(schemas()) >= 24
    for schema in schemas():
        assert len(schema.beats) >= 6
        assert all(len(set(step)) >= 5 for step in (*schema.beats, schema.leads, schema.endings))
    assert (
        len({line.text for lines in (common("openings"), *(schema.openings for schema in schemas())) for line in lines})
        >= 220
    )


def test_every_wording_can_be_filled() -> None:
    """Every wording of every tale finds its words, for every row of them, and closes its quotation marks."""
    nothing: dict[str, str] = {}
    for schema in schemas():
        for row in schema.own or (nothing,):
            own = {key: choices[0] for key, choices in schema.words.items()} | row
            cast = TaleCast(seeded(1), schema.heroes[0], True, own)
            steps = (schema.openings, schema.leads, *schema.beats, schema.endings)
            for text in [*schema.titles, *(line.text for step in steps for line in step)]:
                assert re.fullmatch(r'[^{}<>\[\]|"]*("[^"]+"[^{}<>\[\]|"]*)*', cast.fill(text)), text


def test_examined_stories_are_not_begun() -> None:
    """No tale begins with the same five words as a story of the examination."""
    barred = {tuple(words(story)[:5]) for story in STORIES}
    assert not [text for text in tales() if tuple(words(text)[:5]) in barred]
