"""The drafts of one target, and its trained heads, measured on the same prompts: α against c."""

from collections.abc import Callable, Iterator, Sequence

from specviz.compare.contestants import Contestant, contestants
from specviz.compare.measure import measure, pairs_for
from specviz.compare.results import LeftOut, Measured, lines
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.lab import frontier
from specviz.lab.costs import watched_costs
from specviz.lab.study import DraftsAsked, DraftsFound, Level
from specviz.models import Pair
from specviz.offers import FAMILY


def drafts_of(asked: DraftsAsked) -> tuple[Contestant, ...]:
    """What is compared: the pair's own draft, the other drafts of its target, and the trained heads that draft a chain."""
    described = registry.descriptions()
    names = [other for other in FAMILY if asked.pair in FAMILY and other != asked.pair]
    names += [
        each
        for each in registry.able(draft=True, heads=asked.heads)
        if described[each].head and described[each].shape == "chain"
    ]
    return contestants(["model", *names], asked.pair, asked.settings, asked.heads)


def compare(pair: Pair, asked: DraftsAsked, say: Callable[[str], None], machine: str = "") -> Iterator[DraftsFound]:
    """Measure them prompt by prompt, and yield what was found so far after each prompt. Nothing else should run on the machine meanwhile.

    Raises:
        PairError: a draft cannot be loaded.
    """
    chosen = drafts_of(asked)
    say("measuring what passes cost")
    watched = watched_costs(pair, "model")
    pairs = pairs_for(pair, chosen, lambda what, share: say(what))
    rows: list[Measured | LeftOut] = []
    for number, ready in enumerate(asked.prompts, 1):
        rows += measure(
            pairs,
            chosen,
            [ready],
            asked.repeats,
            lambda what, number=number: say(f"{number} of {len(asked.prompts)}: {what}"),  # type: ignore[misc]
            template=asked.template,
            strict=False,
        )
        placed = placed_of([row for row in rows if isinstance(row, Measured)], watched.costs)
        levels = tuple(Level(label, tuple(points)) for label, points in frontier.levels(placed, watched.costs))
        left_out = tuple(dict.fromkeys(f"{row.drafter}: {row.why}" for row in rows if isinstance(row, LeftOut)))
        yield DraftsFound(placed, levels, number, left_out, watched.conditions, machine)


def placed_of(rows: Sequence[Measured], costs: Costs) -> tuple[frontier.Draft, ...]:
    """The drafts with what the formula says of each; one that drafted nothing has no place."""
    return tuple(
        frontier.placed(line.drafter, line.alpha, line.c, costs, line.speedup.median if line.trusted else None)
        for line in lines(rows)
        if line.alpha is not None and line.c is not None
    )
