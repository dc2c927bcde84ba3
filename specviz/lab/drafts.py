"""The drafts of one target, and its trained heads, measured on the same prompts: α against c."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.errors import DeviceLostError, PairError
from specviz.known_pairs import FAMILY
from specviz.lab import frontier
from specviz.lab.cell import measure_one, pairs_for
from specviz.lab.contestants import Contestant, contestants
from specviz.lab.costs import Watched, watched_costs
from specviz.lab.rows import MeasuredRow, lines
from specviz.lab.study import DraftsAsked, DraftsFound, Level
from specviz.models import Pair


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


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is needed for every prompt: the costs of the target's passes, and the pair of each draft."""

    watched: Watched
    pairs: dict[str, Pair]


def prepared(pair: Pair, asked: DraftsAsked, say: Callable[[str], None]) -> Prepared:
    """Measure what passes cost, and load the drafts. Nothing else should run on the machine meanwhile.

    Raises:
        PairError: a draft cannot be loaded.
    """
    say("measuring what passes cost")
    watched = watched_costs(pair, "model")
    return Prepared(watched, pairs_for(pair, drafts_of(asked), lambda what, share: say(what)))


def compare(pair: Pair, asked: DraftsAsked, say: Callable[[str], None], machine: str = "") -> Iterator[DraftsFound]:
    """Measure them prompt by prompt, and yield what was found so far after each prompt. Nothing else should run on the machine meanwhile.

    Raises:
        PairError: a draft cannot be loaded.
    """
    return further(prepared(pair, asked, say), asked, None, say, machine)


def further(
    ready_for: Prepared, asked: DraftsAsked, before: DraftsFound | None, say: Callable[[str], None], machine: str = ""
) -> Iterator[DraftsFound]:
    """The same for the prompts after those of `before`."""
    chosen, watched = drafts_of(asked), ready_for.watched
    rows: list[MeasuredRow] = [*before.rows] if before else []
    left_out = before.left_out if before else ()
    first = before.prompts if before else 0
    for number, ready in enumerate(asked.prompts[first:], first + 1):
        for one in chosen:
            say(f"{number} of {len(asked.prompts)}, {ready.title}: {one.name}")
            try:
                pair = ready_for.pairs[one.name]
                made = measure_one(pair, one, ready, asked.repeats, template=asked.template, announce=say)
                rows.append(made.row)
            except DeviceLostError:
                raise
            except PairError as error:
                left_out = tuple(dict.fromkeys((*left_out, f"{one.name}: {error}")))
        placed = placed_of(rows, watched.costs)
        levels = tuple(Level(label, tuple(points)) for label, points in frontier.levels(placed, watched.costs))
        yield DraftsFound(placed, levels, number, left_out, watched.conditions, machine, tuple(rows))


def placed_of(rows: Sequence[MeasuredRow], costs: Costs) -> tuple[frontier.DraftCandidate, ...]:
    """The drafts with what the formula says of each; one that drafted nothing has no place."""
    return tuple(
        frontier.placed(line.drafter, line.alpha, line.c, costs, line.speedup.median if line.trusted else None)
        for line in lines(rows)
        if line.alpha is not None and line.c is not None
    )
