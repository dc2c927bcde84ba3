"""Measured speedups by category: plain and speculative runs in turn, after a warm-up, one at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from recipes.embedded.acceptance import TOKENS
from specviz.models.pair import Pair
from specviz.runs.race import race
from specviz.settings import Settings

USUAL_K = (5,)


@dataclass(frozen=True, slots=True)
class Speed:
    """The speedup of a category.

    Attributes:
        speedup: median over the prompts of the median over pairs of runs, at the best k.
        k: the draft length with the best speedup.
        by_prompt: speedup of each prompt at this k.
        trusted: whether no prompt was raced while other programs had the cores.
    """

    speedup: float
    k: int
    by_prompt: tuple[float, ...]
    trusted: bool = True


def speedups(
    pair: Pair, prompts: Mapping[str, Sequence[str]], creative: Mapping[str, Sequence[int]], repeats: int
) -> dict[str, Speed]:
    """Race every prompt with k = 5; a category in `creative` with each k given for it, of which the best is kept.

    Args:
        prompts: category -> prompts.
        creative: category -> draft lengths to try.
        repeats: pairs of runs for each prompt.
    """
    return {
        category: max(
            (_at(pair, texts, k, repeats) for k in creative.get(category, USUAL_K)),
            key=lambda speed: speed.speedup,
        )
        for category, texts in prompts.items()
    }


def _at(pair: Pair, texts: Sequence[str], k: int, repeats: int) -> Speed:
    settings = Settings(k=k, max_new_tokens=TOKENS)
    races = [race(pair, text, settings, repeats) for text in texts]
    found = tuple(one.speedup for one in races)
    return Speed(median(found), k, found, all(one.trusted for one in races))
