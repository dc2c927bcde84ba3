"""The consequences of a judgement, on the host: verdicts, the accepted path, and the tokens that join the text."""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.trace.records import FROM_COMMITTED, Closing, Verdict


@dataclass(frozen=True, slots=True)
class Outcome:
    """A judged round.

    Attributes:
        accepted: indices of the drafted tokens on the accepted path, cut after the first end-of-text token.
        verdicts: one per drafted token.
        closing: how the target's own token ends the round; None where an accepted end-of-text token ended the text.
        tokens: the ids that join the text.
    """

    accepted: tuple[int, ...]
    verdicts: tuple[Verdict, ...]
    closing: Closing | None
    tokens: tuple[int, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of the target's pass that belong to the text: the last committed token's, then the accepted path's."""
        return (0, *(index + 1 for index in self.accepted))


def settle(
    tokens: Sequence[int],
    parents: Sequence[int],
    accepted: Sequence[bool],
    rejected: Sequence[bool],
    closing_token: int,
    end_ids: frozenset[int],
) -> Outcome:
    """The outcome for the drafted `tokens`, given the rule's two flags for each.

    The text ends after an accepted end-of-text token, exactly where plain decoding stops: tokens after it count as never judged.
    """
    path = [index for index, yes in enumerate(accepted) if yes]
    last = next((n for n, index in enumerate(path) if tokens[index] in end_ids), None)
    ended = last is not None
    if last is not None:
        path = path[: last + 1]
    nodes = {FROM_COMMITTED, *(path[:-1] if ended else path)}
    on_path = set(path)
    verdicts = tuple(
        Verdict.ACCEPTED
        if index in on_path
        else Verdict.REJECTED
        if rejected[index] and parents[index] in nodes
        else Verdict.DISCARDED
        for index in range(len(tokens))
    )
    ids = tuple(tokens[index] for index in path)
    if ended:
        return Outcome(tuple(path), verdicts, None, ids)
    end = path[-1] if path else FROM_COMMITTED
    corrected = any(no and parent == end for no, parent in zip(rejected, parents, strict=True))
    closing = Closing.CORRECTED if corrected else Closing.BONUS
    return Outcome(tuple(path), verdicts, closing, (*ids, closing_token))
