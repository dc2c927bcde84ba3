"""The recorded runs of a lesson as dots of the speedup formula: every letter measured in the recording."""

from statistics import median
from typing import Any

from specviz.lessons.lesson import Recorded
from specviz.trace.metrics import speedup, summarise


def dot(recorded: Recorded) -> dict[str, Any] | None:
    """One run's letters and the speedup measured in it; None where it has no plain run beside it, or drafted or judged nothing."""
    run, plain = recorded.run, recorded.plain
    rate = summarise(run).acceptance_rate
    drafting = [each for each in run.rounds if each.drafted]
    if plain is None or not plain.rounds or rate is None or not drafting:
        return None
    one_pass = median(each.verify_s for each in plain.rounds)
    drafted = sum(len(each.drafted) for each in drafting)
    if one_pass <= 0:
        return None
    return {
        "name": recorded.name,
        "alpha": rate,
        "c": sum(each.draft_s for each in drafting) / drafted / one_pass,
        "v": median(each.verify_s for each in drafting) / one_pass,
        "k": run.settings.k,
        "speedup": speedup(plain, run),
    }
