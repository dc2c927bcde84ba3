"""Who the tales are about, where each of them can live, and whom they meet."""

from functools import cache
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, table


class Hero(NamedTuple):
    """A kind of hero.

    Args:
        kind: the noun, as in "the baker".
        sort: p for a person, a for an animal, m for a thing that moves about, f for a thing that stays where it is.
        pronouns: the pronouns it may have: he, she, it.
        places: the groups of places where it can live.
        job: what it does all day, as in "was busy baking bread".
        went: how it moves.
    """

    kind: str
    sort: str
    pronouns: tuple[str, ...]
    places: tuple[str, ...]
    job: str
    went: str


_SORTS = {"persons": "p", "animals": "a", "moving": "m", "fixed": "f"}


@cache
def heroes() -> tuple[Hero, ...]:
    """Every hero of tale_heroes.toml, in the file's order: persons, animals, things that move, things that stay."""
    file = table("tale_heroes")
    return tuple(_hero(hero, sort) for key, sort in _SORTS.items() for hero in file.tables(key))


def _hero(hero: Table, sort: str) -> Hero:
    return Hero(
        hero.text("kind"),
        sort,
        hero.texts("pronouns"),
        hero.texts("places"),
        hero.text("job"),
        hero.text("went", "walked"),
    )


def names(kind: str) -> tuple[str, ...]:
    """Names of `girls`, `boys` or `pets`: those of the stories and more."""
    shared = {"girls": "girls", "boys": "boys", "pets": "pet_names"}
    return table("story_words").texts(shared[kind]) + table("tale_heroes").texts(kind)
