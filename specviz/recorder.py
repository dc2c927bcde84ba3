"""What of a round is kept: everything a viewer may ask for, fetched from the device in one wait.

The loop has no debug flag: it is handed a `Recorder`, and the recorder decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from specviz.protocols import Draft, Scores
from specviz.records import FROM_COMMITTED, NO_TOP, Closing, ClosingToken, Drafted, Top, Verdict
from specviz.sampling import widen
from specviz.verify import Judgement


@dataclass(frozen=True, slots=True)
class Findings:
    """A judged round on the host, before the end of the text is looked for."""

    drafted: tuple[Drafted, ...]
    accepted: tuple[int, ...]
    closing: ClosingToken


class Recorder:
    """Fetches a judged round.

    Args:
        candidates: how many of the likeliest tokens to keep, of the draft and of the target, for every position;
            0 keeps none. Both sides keep the union of both lists and the drafted token itself, so that p and q can
            be put side by side.
    """

    def __init__(self, candidates: int = 5) -> None:
        self._candidates = candidates

    def fetch(self, draft: Draft, scores: Scores, target: Tensor, judgement: Judgement) -> "Fetched":
        """The round's one wait for the device: every kept value in one transfer."""
        count = draft.tokens.shape[0]
        columns = [
            draft.tokens,
            judgement.accepted,
            judgement.rejected,
            judgement.draft_prob,
            judgement.target_prob,
            judgement.draws if judgement.draws is not None else torch.zeros_like(judgement.draft_prob),
            judgement.closing.reshape(1),
            (
                judgement.closing_draw if judgement.closing_draw is not None else torch.zeros_like(judgement.closing)
            ).reshape(1),
        ]
        values = torch.cat([column.double() for column in columns])
        blocks: Callable[[], list[Tensor]] = partial(self._detail, draft, scores, target, judgement)
        if target.device.type != "cpu":  # the candidates go with the rest, in the one transfer
            values, blocks = _together(values, blocks())
        drew, closed_by_chance = judgement.draws is not None, judgement.closing_draw is not None
        return Fetched(values.tolist(), count, draft.parents, drew, closed_by_chance, blocks)

    @torch.inference_mode()
    def _detail(self, draft: Draft, scores: Scores, target: Tensor, judgement: Judgement) -> list[Tensor]:
        """[places, 4, n] of every kept candidate: of the target, of the draft where it has scores, and for the closing token."""
        if not self._candidates:
            return []
        few = min(self._candidates, target.shape[-1])
        ours = _Scored(scores.logits, few)
        return [*_positions(draft, ours, target, judgement, few), _closing(ours, judgement, few)]


FULL = Recorder()
LIGHT = Recorder(candidates=0)
"""Verdicts, p, q and u, but no alternatives."""


class _Scored:
    """Scores of some rows, with what is asked of all of them: probabilities at temperature 1 and the favourites."""

    def __init__(self, logits: Tensor, few: int) -> None:
        self.logits = widen(logits)
        self.probabilities = self.logits.softmax(dim=-1)
        self.best = self.logits.topk(few, dim=-1).indices

    def columns(self, rows: slice | Tensor, tokens: Tensor, rule: Tensor) -> Tensor:
        """[m, 4, n], likeliest first: token, logit, probability at temperature 1, probability the rule used."""
        picked, order = self.logits[rows].gather(-1, tokens).sort(dim=-1, descending=True, stable=True)
        tokens = tokens.gather(-1, order)
        columns = (tokens, picked, self.probabilities[rows].gather(-1, tokens), rule.gather(-1, tokens).clamp(max=1.0))
        return torch.stack([column.double() for column in columns], dim=-2)


def _positions(draft: Draft, ours: _Scored, target: Tensor, judgement: Judgement, few: int) -> list[Tensor]:
    """The target's candidates and, where it has scores, the draft's, for every drafted token; the same tokens in both."""
    count = draft.tokens.shape[0]
    if count == 0:
        return []
    rows = slice(0, count) if draft.is_chain else torch.tensor([p + 1 for p in draft.parents], device=target.device)
    chosen = [ours.best[rows], draft.tokens.unsqueeze(-1)]
    theirs = None if draft.logits is None else _Scored(draft.logits, few)
    if theirs is not None:
        chosen.append(theirs.best)
    tokens = torch.cat(chosen, dim=-1)
    rule = target[rows] if judgement.judged_by is None else judgement.judged_by
    blocks = [ours.columns(rows, tokens, rule)]
    if theirs is not None:
        blocks.append(theirs.columns(slice(0, count), tokens, draft.probabilities))
    return blocks


def _closing(ours: _Scored, judgement: Judgement, few: int) -> Tensor:
    """What the closing token could be, and the target's favourites."""
    row = judgement.closing_row.reshape(1)
    chosen = [ours.best.index_select(0, row), judgement.closing.reshape(1, 1)]
    possible = judgement.closing_from.unsqueeze(0)
    if judgement.closing_draw is not None:  # else only one token was possible
        chosen.append(possible.topk(few, dim=-1).indices)
    return ours.columns(row, torch.cat(chosen, dim=-1), possible)


class Fetched:
    """Values on the host; `findings` turns them into records when the round's clock has stopped: looking at candidates is no part of
    decoding. On the CPU they are looked up only then, before another pass writes over the scores; elsewhere they have come along."""

    def __init__(
        self,
        values: list[float],
        count: int,
        parents: tuple[int, ...],
        drew: bool,
        closed_by_chance: bool,
        blocks: Callable[[], list[Tensor]],
    ) -> None:
        self._values, self._count, self._parents, self._blocks = values, count, parents, blocks
        self._drew, self._closed_by_chance = drew, closed_by_chance
        self.tokens = tuple(int(t) for t in values[:count])
        self.accepted = tuple(i for i, lit in enumerate(values[count : 2 * count]) if lit)
        self.closing_token = int(values[6 * count])

    def findings(self, accepted: tuple[int, ...], ended: bool) -> Findings:
        """The records, with the accepted path cut to `accepted` where the text `ended` inside it."""
        n, values = self._count, self._values
        rejected, draft_prob, target_prob, draws = (values[c * n : (c + 1) * n] for c in (2, 3, 4, 5))
        target_tops, draft_tops, closing_top = self._tops()
        lit = set(accepted)
        left = {FROM_COMMITTED, *(accepted[:-1] if ended else accepted)}
        drafted = []
        for i, token in enumerate(self.tokens):
            verdict = Verdict.DISCARDED
            if i in lit:
                verdict = Verdict.ACCEPTED
            elif rejected[i] and self._parents[i] in left:
                verdict = Verdict.REJECTED
            judged = verdict is not Verdict.DISCARDED
            drafted.append(
                Drafted(
                    token=token,
                    parent=self._parents[i],
                    draft_prob=min(1.0, draft_prob[i]),
                    target_prob=min(1.0, target_prob[i]),
                    draw=draws[i] if self._drew and judged else None,
                    verdict=verdict,
                    draft_top=draft_tops[i] if draft_tops else NO_TOP,
                    target_top=target_tops[i] if target_tops else NO_TOP,
                )
            )
        end = accepted[-1] if accepted else FROM_COMMITTED
        refused = any(no and parent == end for no, parent in zip(rejected, self._parents, strict=True))
        how = Closing.CORRECTED if refused else Closing.BONUS
        draw = values[6 * n + 1] if self._closed_by_chance else None
        return Findings(tuple(drafted), accepted, ClosingToken(self.closing_token, how, draw, closing_top))

    def _tops(self) -> tuple[list[Top], list[Top], Top]:
        """The target's and the draft's tops for each position, and the closing one."""
        tops = [[_top(rows) for rows in block.tolist()] for block in self._blocks()]
        if not tops:
            return [], [], NO_TOP
        *positions, closing = tops
        return positions[0] if positions else [], positions[1] if len(positions) > 1 else [], closing[0]


def _top(columns: list[list[float]]) -> Top:
    """One Top from its four columns, without repeats."""
    places = {int(token): place for place, token in enumerate(columns[0])}
    tokens = tuple(places)
    if len(tokens) == len(columns[0]):
        _, logits, probabilities, rule = columns
    else:
        logits, probabilities, rule = ([column[place] for place in places.values()] for column in columns[1:])
    return Top(tokens, tuple(logits), tuple(probabilities), tuple(rule))


def _together(values: Tensor, blocks: list[Tensor]) -> tuple[Tensor, Callable[[], list[Tensor]]]:
    """Both on the host after one transfer."""
    sizes = [values.numel(), *(block.numel() for block in blocks)]
    joined = torch.cat([values, *(block.flatten() for block in blocks)]).cpu()
    first, *others = torch.split_with_sizes(joined, sizes)
    host = [flat.view(block.shape) for flat, block in zip(others, blocks, strict=True)]
    return first, lambda: host
