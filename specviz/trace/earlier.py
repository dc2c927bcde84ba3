"""Earlier texts, from which a drafter may copy: the limits of their use and of their recording. Standard library only."""

from collections.abc import Iterable
from dataclasses import replace

from specviz.trace.records import Trace

MOST_TEXTS = 16  # of a run; the newest stay
MOST_TOKENS = 2000  # of these texts together
Texts = tuple[tuple[int, ...], ...]  # token ids, oldest first


def newest(texts: Iterable[Iterable[int]]) -> Texts:
    """The newest of these texts, oldest first, within the limits; of the oldest that still has room, its end."""
    within: list[tuple[int, ...]] = []
    spare = MOST_TOKENS
    for text in reversed([tuple(ids) for ids in texts]):
        if not spare or len(within) == MOST_TEXTS:
            break
        if text:
            within.append(text[-spare:])
            spare -= len(within[-1])
    return tuple(reversed(within))


def only_copied(trace: Trace) -> Trace:
    """The run without the earlier texts of which it copied nothing: for a recording that others may open.

    The rounds get the new numbers of the texts. A dropped text may have counted in a search all the same: in a new run with the rest, a
    drafter may propose something else.
    """
    copied = sorted({round_.source_text for round_ in trace.rounds if round_.source_text is not None})
    numbers = {old: new for new, old in enumerate(copied)}
    rounds = tuple(
        round_ if round_.source_text is None else replace(round_, source_text=numbers[round_.source_text])
        for round_ in trace.rounds
    )
    return trace.with_rounds(rounds, tuple(trace.earlier[old] for old in copied))
