"""The poems rhyme, keep to one theme, and are put together from a large enough bank."""

import re
from random import Random

from specviz.training.embedded.templates.rhymes import FAMILIES, LINES, rhyme

SEEDS = range(3000)
FAMILY_OF = {word: family for family, words in FAMILIES.items() for word in words}
THEMES_OF = {
    line: {theme for theme, bank in LINES.items() if line in sum(bank.values(), ())}
    for bank in LINES.values()
    for lines in bank.values()
    for line in lines
}


def poems() -> list[str]:
    return [rhyme(Random(seed)) for seed in SEEDS]  # noqa: S311


def verses(poem: str) -> list[str]:
    return [line[:-1] for line in poem.split("\n") if line.endswith((",", "."))]


def last_word(line: str) -> str:
    return line.rsplit(maxsplit=1)[-1].lower()


def is_aabb(families: list[str]) -> bool:
    return families[0::2] == families[1::2]


def is_abab(families: list[str]) -> bool:
    return len(families) % 4 == 0 and all(
        families[at : at + 2] == families[at + 2 : at + 4] for at in range(0, len(families), 4)
    )


def test_every_word_has_one_family() -> None:
    """No rhyme word stands in two families."""
    assert len(FAMILY_OF) == sum(len(words) for words in FAMILIES.values())


def test_the_bank_is_large() -> None:
    """At least 300 different lines in at least 40 families, all of which are used."""
    assert len(THEMES_OF) >= 300
    assert {family for bank in LINES.values() for family in bank} == set(FAMILIES)
    assert len(FAMILIES) >= 40


def test_every_line_ends_on_its_family() -> None:
    """A line's last word is one of the words of its family, and no two lines of a couplet bank end alike."""
    for bank in LINES.values():
        for family, lines in bank.items():
            ends = [last_word(line) for line in lines]
            assert set(ends) <= set(FAMILIES[family]), ends
            assert len(set(ends)) == len(ends) >= 3


def test_every_poem_rhymes() -> None:
    """Each poem has 4 to 8 lines that rhyme AABB or ABAB, and both schemes occur."""
    schemes = set()
    for poem in poems():
        families = [FAMILY_OF[last_word(line)] for line in verses(poem)]
        assert len(families) in (4, 6, 8)
        assert is_aabb(families) != is_abab(families), poem
        schemes.add((len(families), is_aabb(families)))
    assert schemes == {(4, True), (4, False), (6, True), (8, True), (8, False)}


def test_every_poem_keeps_to_one_theme() -> None:
    """All lines of a poem share a theme, and none comes twice."""
    for poem in poems():
        lines = verses(poem)
        assert set.intersection(*(THEMES_OF[line] for line in lines))
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
    assert 0.2 * len(SEEDS) < len(titled) < 0.6 * len(SEEDS)
    assert all(poem.split("\n")[1] == "" for poem in titled)


def test_the_same_seed_gives_the_same_poem() -> None:
    """Chance comes from the argument alone."""
    assert poems() == poems()
