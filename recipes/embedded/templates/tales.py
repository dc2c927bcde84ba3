"""Tales that begin in hundreds of ways: any hero, any first sentence, and a story that follows from it."""

import re
from collections.abc import Iterable
from functools import cache
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, table
from recipes.embedded.templates.prose import paragraphs, title
from recipes.embedded.templates.stories import repeats
from recipes.embedded.templates.tale_cast import TaleCast
from recipes.embedded.templates.tale_heroes import Hero, heroes

_SHORTEST, _LONGEST = 500, 1300
_TAG = re.compile(r"(?:([pamf]+)|=([a-z ,]+)): ")
_OTHERS = re.compile(r"\{(?:friend|m1|m2|f?elder)", re.IGNORECASE)
# How often a word may be used in one tale before it is annoying.
_MOST_OFTEN = {"very": 2, "little": 3, "old": 5, "last": 3, "soon": 2, "then": 6, "suddenly": 1}
_WORD = re.compile(r"[a-z'-]+")
_ROYAL = ("king", "queen", "prince", "princess")


class Line(NamedTuple):
    """A sentence or two with slots, and the heroes that it fits: by sort, or by name if there are names.

    Args:
        text: the template.
        sorts: letters of the sorts of heroes.
        kinds: the only heroes that it fits; empty for all of the sorts.
        leads_on: for an opening that says too little about the tale, so that a lead follows it.
    """

    text: str
    sorts: str
    kinds: tuple[str, ...]
    leads_on: bool = False

    def fits(self, hero: Hero) -> bool:
        """Whether the line can be about this hero. Only persons and animals have names."""
        nameless = hero.sort not in "pa" and "{name}" in self.text.lower()
        return not nameless and (hero.kind in self.kinds if self.kinds else hero.sort in self.sorts)


class Schema(NamedTuple):
    """One kind of tale.

    Args:
        titles: its titles.
        heroes: everybody that it can be about.
        own: rows of its own words; one row is used in a tale.
        words: more words, each drawn independently.
        openings: its own beginnings.
        leads: lines that connect it with any other beginning.
        beats: what happens, step by step.
        endings: how it ends.
    """

    titles: tuple[str, ...]
    heroes: tuple[Hero, ...]
    own: tuple[dict[str, str], ...]
    words: dict[str, tuple[str, ...]]
    openings: tuple[Line, ...]
    leads: tuple[Line, ...]
    beats: tuple[tuple[Line, ...], ...]
    endings: tuple[Line, ...]


class Told(NamedTuple):
    """A tale with what it was made from: its text, its hero, the hero's name (empty if there is none), and its opening."""

    text: str
    hero: Hero
    name: str
    opening: Line


def tale(random: Random) -> str:
    """A tale of 500 to 1300 characters in paragraphs, sometimes with a title. No sentence in it occurs twice."""
    return told(random).text


def told(random: Random) -> Told:
    """A tale with what it was made from. Writes tales until one has the right length and no clumsy repetition."""
    while True:
        found = _tell(random, random.choice(schemas()))
        if _SHORTEST <= len(found.text) <= _LONGEST and not _clumsy(found.text):
            return found


def _clumsy(text: str) -> bool:
    beginnings = [tuple(_WORD.findall(part.lower())[:3]) for part in text.split("\n\n")]
    words = _WORD.findall(text.lower())
    too_often = any(words.count(word) > most for word, most in _MOST_OFTEN.items())
    return too_often or len(set(beginnings)) < len(beginnings) or repeats(text)


def _tell(random: Random, schema: Schema) -> Told:
    general = random.random() < 0.3
    opening = random.choice(common("openings") if general else schema.openings)
    while not (fitting := _fitting(schema, opening)):
        opening = random.choice(common("openings") if general else schema.openings)
    hero = random.choice(random.choice(fitting))
    named = "{name}" in opening.text.lower()
    cast = TaleCast(random, hero, named, _own_words(random, schema, hero))
    parts = _parts(random, schema, hero, opening, general)
    filled = [_filled(random, cast, paragraph) for paragraph in paragraphs(random, parts)]
    if random.random() < 0.15:
        filled.insert(0, title(cast.title(random.choice(schema.titles))))
    return Told("\n\n".join(filled), hero, cast.slots["name"] if named else "", opening)


def _own_words(random: Random, schema: Schema, hero: Hero) -> dict[str, str]:
    own = {key: random.choice(choices) for key, choices in schema.words.items()}
    if schema.own:
        row = random.choice(schema.own)
        # No hero wishes to be, or wrongly believes in, what the hero already is.
        while hero.kind in row.values():
            row = random.choice(schema.own)
        own.update(row)
    return own


def _parts(random: Random, schema: Schema, hero: Hero, opening: Line, general: bool) -> list[str]:
    parts = [opening.text]
    if random.random() < 0.45 and not _OTHERS.search(opening.text):
        parts += _trait(random, hero, opening.text)
    steps = [schema.leads, *schema.beats] if general or opening.leads_on else [*schema.beats]
    beats = [random.choice([line for line in step if line.fits(hero)]).text for step in steps]
    if random.random() < 0.35:
        beats.insert(random.randint(2, len(beats) - 2), _one(random, common("interludes"), hero))
    parts += beats
    parts.append(_one(random, schema.endings, hero))
    if random.random() < 0.35:
        parts.append(_one(random, common("closings"), hero))
    return [
        part.replace("{name}", "{hero}").replace("{Name}", "{Hero}") if at else part for at, part in enumerate(parts)
    ]


def _trait(random: Random, hero: Hero, opening: str) -> list[str]:
    told_already = {gap for gap in ("{place}", "{job}", "{nature}", "{season}") if gap in opening.lower()}
    fitting = [
        line.text for line in common("traits") if line.fits(hero) and not any(gap in line.text for gap in told_already)
    ]
    return [random.choice(fitting)] if fitting else []


def _one(random: Random, lines: tuple[Line, ...], hero: Hero) -> str:
    return random.choice([line for line in lines if line.fits(hero)]).text


def _filled(random: Random, cast: TaleCast, parts: list[str]) -> str:
    found: list[str] = []
    before = ""
    for part in parts:
        # If nobody else was mentioned, a pronoun is enough for the hero.
        plain = before and "{he" in before.lower() and not _OTHERS.search(before)
        if plain and part.startswith("{Hero} ") and random.random() < 0.45:
            part = "{He}" + part.removeprefix("{Hero}")  # noqa: PLW2901
        found.append(cast.fill(part))
        before = part
    return " ".join(found)


@cache
def _among(
    everybody: tuple[Hero, ...], sorts: str, kinds: tuple[str, ...], named: bool
) -> tuple[tuple[Hero, ...], ...]:
    line = Line("{name}" if named else "", sorts, kinds)
    fitting = [hero for hero in everybody if line.fits(hero)]
    by_sort = [tuple(hero for hero in fitting if hero.sort == sort) for sort in "pamf"]
    return tuple(group for group in by_sort if group)


def _fitting(schema: Schema, opening: Line) -> tuple[tuple[Hero, ...], ...]:
    """The heroes that this beginning fits, in one group for each sort."""
    return _among(schema.heroes, opening.sorts, opening.kinds, "{name}" in opening.text.lower())


def _line(text: str) -> Line:
    leads_on = text.startswith("+ ")
    text = text.removeprefix("+ ")
    tag = _TAG.match(text)
    if not tag:
        return Line(text, "pamf", (), leads_on)
    return Line(text[tag.end() :], tag[1] or "", tuple(tag[2].split(",")) if tag[2] else (), leads_on)


def _lines(texts: Iterable[str]) -> tuple[Line, ...]:
    return tuple(map(_line, texts))


@cache
def common(part: str) -> tuple[Line, ...]:
    """Lines that fit any tale: `openings`, `traits`, `interludes` or `closings` of tale_frames.toml."""
    return _lines(table("tale_frames").lines(part))


@cache
def schemas() -> tuple[Schema, ...]:
    """Every tale of the data files, in their order."""
    files = ("tale_wishes", "tale_troubles", "tale_meetings")
    return tuple(_schema(tale) for file in files for tale in table(file).each_table().values())


def _schema(tale: Table) -> Schema:
    return Schema(
        titles=tale.texts("titles"),
        heroes=_heroes(tale),
        own=tuple(row.each_text() for row in tale.tables("together")) if "together" in tale else (),
        words=tale.optional_table("words").each_texts(),
        openings=_lines(tale.lines("openings")),
        leads=_lines(tale.lines("leads")),
        beats=tuple(map(_lines, tale.blocks("beats"))),
        endings=_lines(tale.lines("endings")),
    )


def _heroes(tale: Table) -> tuple[Hero, ...]:
    sorts, only, but = tale.text("sorts"), tale.texts("heroes", ()), tale.texts("but", ())
    if not tale.flag("royal", False):
        but += _ROYAL
    found = tuple(
        hero for hero in heroes() if (hero.kind in only if only else hero.sort in sorts and hero.kind not in but)
    )
    if not found:
        raise tale.wrong("heroes", f"no hero is left for sorts {sorts!r}")
    return found
