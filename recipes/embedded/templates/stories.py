"""Simple stories for small children: a plot written step by step, each step in one of many wordings, with one cast."""

import re
from functools import cache
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, table
from recipes.embedded.templates.prose import paragraphs, title
from recipes.embedded.templates.story_cast import Cast

_SHORTEST, _LONGEST = 600, 1400
_RUN = 8  # so many words in a row may stand only once in a story
# A sentence ends before a capital or a quotation mark, but not after Mr. or Mrs.
_SENTENCE = re.compile(r'(?<!Mr\.)(?<!Mrs\.)(?:(?<=[.!?])|(?<=[.!?]"))\s+(?=["A-Z])')
_WORD = re.compile(r"[a-z'-]+")


class Beat(NamedTuple):
    """One step of a plot, in all its wordings."""

    variants: tuple[str, ...]
    optional: bool


class Plot(NamedTuple):
    """A plot: its titles, the words that belong to it alone, its moods (night, calm, away), and its beats in order."""

    titles: tuple[str, ...]
    special: dict[str, tuple[str, ...]]
    moods: tuple[str, ...]
    beats: tuple[Beat, ...]


def story(random: Random) -> str:
    """A story of 600 to 1400 characters in paragraphs, sometimes with a title. No sentence in it occurs twice."""
    while True:
        text = _tell(random, random.choice(plots()))
        if _SHORTEST <= len(text) <= _LONGEST and not repeats(text):
            return text


def repeats(text: str) -> bool:
    """Whether a sentence, or eight words in a row, occur twice in the text."""
    sentences = [sentence.lower() for sentence in _SENTENCE.split(text)]
    found = _WORD.findall(text.lower())
    runs = [tuple(found[at : at + _RUN]) for at in range(len(found) - _RUN + 1)]
    return len(set(sentences)) < len(sentences) or len(set(runs)) < len(runs)


def _tell(random: Random, plot: Plot) -> str:
    cast = Cast(random, plot.special)
    parts = [cast.fill(part) for part in _parts(random, plot)]
    found = [" ".join(paragraph) for paragraph in paragraphs(random, parts)]
    if random.random() < 0.4:
        found.insert(0, title(cast.fill(random.choice(plot.titles))))
    return "\n\n".join(found)


def _parts(random: Random, plot: Plot) -> list[str]:
    beats = [random.choice(beat.variants) for beat in plot.beats if not beat.optional or random.random() < 0.5]
    _embellish(random, plot, beats)
    frames = table("story_frames")
    opening = [random.choice(frames.lines("openings"))]
    if random.random() < 0.45:
        opening.append(random.choice(frames.lines("traits")))
    at_home_by_day = "night" not in plot.moods and "away" not in plot.moods
    endings = frames.lines("endings")
    if at_home_by_day:
        endings += frames.lines("evenings")
    return [*opening, *beats, random.choice(endings)]


def _embellish(random: Random, plot: Plot, beats: list[str]) -> None:
    # A worry belongs before the turn, which no plot takes in its first four steps.
    if "calm" not in plot.moods and random.random() < 0.3:
        beats.insert(random.randint(3, 4), random.choice(table("story_frames").lines("worries")))
    if "night" not in plot.moods and random.random() < 0.5:
        beats.insert(random.randint(1, 2), random.choice(table("story_frames").lines("scenes")))


@cache
def plots() -> tuple[Plot, ...]:
    """Every plot of the data files, in their order."""
    return tuple(
        _plot(plot) for file in ("story_plots", "story_plots_more") for plot in table(file).each_table().values()
    )


def _plot(plot: Table) -> Plot:
    beats = tuple(_beat(block) for block in plot.blocks("beats"))
    words = plot.optional_table("words").each_texts()
    return Plot(plot.texts("titles"), words, plot.texts("moods", ()), beats)


def _beat(block: tuple[str, ...]) -> Beat:
    first, *others = block
    return Beat((first.removeprefix("? "), *others), first.startswith("? "))
