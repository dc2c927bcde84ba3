"""Earlier texts, from which a drafter may copy: how much of them is used, and what of them is recorded. Standard library only."""

from collections.abc import Iterable
from dataclasses import replace

from specviz.trace.records import Trace, ids_in

MOST_TEXTS = 16
MOST_TOKENS = 2000
"""How many earlier texts a run gets at most, and how many tokens they have together. The newest stay."""

Texts = tuple[tuple[int, ...], ...]
"""Token ids of texts, oldest first."""


def newest(texts: Iterable[Iterable[int]]) -> Texts:
    """The newest of these texts, oldest first, within the limits; of the oldest that still has room, its end."""
    kept: list[tuple[int, ...]] = []
    spare = MOST_TOKENS
    for text in reversed([tuple(each) for each in texts]):
        if not spare or len(kept) == MOST_TEXTS:
            break
        if text:
            kept.append(text[-spare:])
            spare -= len(kept[-1])
    return tuple(reversed(kept))


def only_copied(trace: Trace) -> Trace:
    """The same run without the earlier texts of which it copied nothing: for a recording that others may open.

    What was copied counts from the number of its text, which changes. A text that is dropped may still have counted: run again with what is
    left, a drafter may propose something else.
    """
    copied = sorted({round_.source_text for round_ in trace.rounds if round_.source_text is not None})
    numbers = {old: new for new, old in enumerate(copied)}
    rounds = tuple(
        round_ if round_.source_text is None else replace(round_, source_text=numbers[round_.source_text])
        for round_ in trace.rounds
    )
    earlier = tuple(trace.earlier[old] for old in copied)
    ids = ids_in(trace.prompt_ids, rounds, earlier)
    return replace(trace, rounds=rounds, earlier=earlier, tokens={i: trace.tokens[i] for i in sorted(ids)})
