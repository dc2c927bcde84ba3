"""The poems rhyme, keep to one theme, and are put together from a large enough bank."""

import re
from functools import cache
from random import Random

import pytest

from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.rhymes import rhyme, themes
from recipes.embedded.tests.helpers import documents

pytestmark = [pytest.mark.slow]

COUNT = 3000


@cache
def families() -> dict[str, tuple[str, ...]]:
    """Rhyme family -> the words that rhyme."""
    return table("rhymes").table("families").each_texts()


@cache
def family_of() -> dict[str, str]:
    return {word: family for family, words in families().items() for word in words}


@cache
def themes_of() -> dict[str, set[int]]:
    """Line -> the themes that have it."""
    found: dict[str, set[int]] = {}
    for number, theme in enumerate(themes()):
        for lines in theme.lines.values():
            for line in lines:
                found.setdefault(line, set()).add(number)
    return found


def poems() -> tuple[str, ...]:
    return documents(rhyme, COUNT)


def verses(poem: str) -> list[str]:
    return [line[:-1] for line in poem.split("\n") if line.endswith((",", "."))]


def last_word(line: str) -> str:
    return line.rsplit(maxsplit=1)[-1].lower()


def is_aabb(ends: list[str]) -> bool:
    return ends[0::2] == ends[1::2]


def is_abab(ends: list[str]) -> bool:
    return len(ends) % 4 == 0 and all(ends[at : at + 2] == ends[at + 2 : at + 4] for at in range(0, len(ends), 4))


def test_every_word_has_one_family() -> None:
    """No rhyme word is in two families."""
    assert len(family_of()) == sum(len(words) for words in families().values())


def test_the_bank_is_large() -> None:
    """At least 300 different lines in at least 40 families, all of which are used."""
    assert len(themes_of()) >= 300
    assert {family for theme in themes() for family in theme.lines} == set(families())
    assert len(families()) >= 40


def test_every_line_ends_on_its_family() -> None:
    """A line's last word is one of the words of its family, and no two lines of a couplet bank end alike."""
    for theme in themes():
        for family, lines in theme.lines.items():
            ends = [last_word(line) for line in lines]
            assert set(ends) <= set(families()[family]), ends
            assert len(set(ends)) == len(ends) >= 3


def test_every_poem_rhymes() -> None:
    """Each poem has 4 to 8 lines that rhyme AABB or ABAB, and both schemes occur."""
    schemes = set()
    for poem in poems():
        ends = [family_of()[last_word(line)] for line in verses(poem)]
        assert len(ends) in (4, 6, 8)
        assert is_aabb(ends) != is_abab(ends), poem
        schemes.add((len(ends), is_aabb(ends)))
    assert schemes == {(4, True), (4, False), (6, True), (8, True), (8, False)}


def test_every_poem_keeps_to_one_theme() -> None:
    """All lines of a poem share a theme, and none comes twice."""
    for poem in poems():
        lines = verses(poem)
        assert set.intersection(*(themes_of()[line] for line in lines))
        assert len(set(lines)) == len(lines)


def test_poems_are_short_plain_and_varied() -> None:
    """All are clean ASCII of 40 to 900 characters that end in a full stop, and hardly two are the same."""
    texts = poems()
    for text in texts:
        assert text.isascii()
        assert text == text.strip()
        assert text.endswith(".")
        assert 40 <= len(text) <= 900
        assert not re.search(r"  |\n\n\n| \n|[.,]{2}", text), text
    assert len(set(texts)) > 0.97 * len(texts)


def test_some_poems_have_a_title() -> None:
    """A title is a line of its own above the poem, on some poems but not on all."""
    titled = [poem for poem in poems() if not poem.split("\n")[0].endswith(",")]
    assert 0.2 * COUNT < len(titled) < 0.6 * COUNT
    assert all(poem.split("\n")[1] == "" for poem in titled)


def test_the_same_seed_gives_the_same_poem() -> None:
    """All randomness comes from the argument."""
    assert poems()[:300] == tuple(rhyme(Random(seed)) for seed in range(300))  # noqa: S311
