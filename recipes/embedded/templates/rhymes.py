"""Short rhymed poems in four-beat lines, put together from a bank of lines by theme and rhyme."""

from functools import cache
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, table


class Theme(NamedTuple):
    """What poems on one theme are made of: titles, and for each rhyme family some lines, of which any two make a couplet."""

    titles: tuple[str, ...]
    lines: dict[str, tuple[str, ...]]


_COUPLETS = (2, 2, 2, 3, 4, 4)


def rhyme(random: Random) -> str:
    """Write a poem of 4, 6 or 8 lines on one theme, rhymed AABB or ABAB; some have a title."""
    theme = random.choice(themes())
    count = random.choice(_COUPLETS)
    couplets = [_couplet(random, theme.lines[family]) for family in random.sample(tuple(theme.lines), count)]
    crossed = count != 3 and random.random() < 0.4
    stanzas = _stanzas(couplets, crossed)
    text = ("\n\n" if random.random() < 0.5 else "\n").join(stanzas)
    return f"{random.choice(theme.titles)}\n\n{text}" if random.random() < 0.4 else text


@cache
def themes() -> tuple[Theme, ...]:
    """Every theme of rhymes.toml, in the file's order."""
    return tuple(map(_theme, table("rhymes").table("themes").each_table().values()))


def _theme(theme: Table) -> Theme:
    return Theme(theme.texts("titles"), theme.table("lines").each_texts())


def _couplet(random: Random, lines: tuple[str, ...]) -> tuple[str, str]:
    first, second = random.sample(lines, 2)
    return first, second


def _stanzas(couplets: list[tuple[str, str]], crossed: bool) -> list[str]:
    if len(couplets) == 3:
        return [_punctuated([line for couplet in couplets for line in couplet])]
    quatrains = [(couplets[at], couplets[at + 1]) for at in range(0, len(couplets), 2)]
    return [_punctuated(_quatrain(first, second, crossed)) for first, second in quatrains]


def _quatrain(first: tuple[str, str], second: tuple[str, str], crossed: bool) -> list[str]:
    if crossed:
        return [first[0], second[0], first[1], second[1]]
    return [*first, *second]


def _punctuated(lines: list[str]) -> str:
    return "\n".join(line + (".", ",")[at % 2 == 0] for at, line in enumerate(lines))
