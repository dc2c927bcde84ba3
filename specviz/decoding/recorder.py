"""What of a round is kept: everything a viewer may ask for, fetched from the device in one wait.

The loop has no debug flag: it is handed a `Recorder`, and the recorder decides.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor

from specviz.decoding.judge import Judgement
from specviz.decoding.protocols import Draft, Scores
from specviz.decoding.sampling import widen
from specviz.trace.records import FROM_COMMITTED, NO_TOP, Closing, ClosingToken, Drafted, Top, Verdict


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
        detail: Callable[[], list[Tensor]] = partial(self._detail, draft, scores, target, judgement)
        if target.device.type != "cpu":  # the candidates go with the rest, in the one transfer
            values, detail = _together(values, detail())
        drew, closed_by_chance = judgement.draws is not None, judgement.closing_draw is not None
        return Fetched(values.tolist(), count, draft.parents, drew, closed_by_chance, detail)

    @torch.inference_mode()
    def _detail(self, draft: Draft, scores: Scores, target: Tensor, judgement: Judgement) -> list[Tensor]:
        """The candidates as four [places, n] tables: token, logit, probability at temperature 1, probability the rule used.

        A place for every drafted token as the target scores it, then one for the closing token, then one for each drafted token as the
        draft scores it, where it does; both sides list the same tokens. Few steps: each costs more than the numbers in it.
        """
        few, count = min(self._candidates, target.shape[-1]), draft.tokens.shape[0]
        if not few:
            return []
        ours = widen(scores.logits)
        theirs = None if draft.logits is None or not count else widen(draft.logits)
        best = ours.topk(few, dim=-1).indices
        row = judgement.closing_row.reshape(1)
        closing, possible = judgement.closing.reshape(1, 1), judgement.closing_from.unsqueeze(0)
        favourites = best.index_select(0, row)
        drawn = judgement.closing_draw is not None  # else only one token was possible
        tokens = torch.cat([favourites, closing, possible.topk(few, dim=-1).indices if drawn else favourites], dim=-1)
        used, rows, chosen = [possible.gather(-1, tokens)], row, tokens[:0]
        if count:
            own = torch.arange(count, device=row.device) if draft.is_chain else row.new_tensor(draft.parents) + 1
            others = best[own] if theirs is None else theirs.topk(few, dim=-1).indices
            chosen = torch.cat([best[own], draft.tokens.unsqueeze(-1), others], dim=-1)
            tokens, rows = torch.cat([chosen, tokens]), torch.cat([own, row])
            judged = None if judgement.judged_by is None else judgement.judged_by.gather(-1, chosen)
            used = [target[own.unsqueeze(-1), chosen] if judged is None else judged, *used]
        places = rows.unsqueeze(-1)
        tables = [[tokens], [ours[places, tokens]], [ours.softmax(dim=-1)[places, tokens]], used]
        if theirs is not None:
            likely = theirs.softmax(dim=-1).gather(-1, chosen)
            for table, more in zip(
                tables, (chosen, theirs.gather(-1, chosen), likely, draft.probabilities.gather(-1, chosen)), strict=True
            ):
                table.append(more)
        whole = [torch.cat(table) for table in tables]
        return [*whole[:3], whole[3].clamp(max=1.0)]


FULL = Recorder()
LIGHT = Recorder(candidates=0)
"""Verdicts, p, q and u, but no alternatives."""


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
        detail: Callable[[], list[Tensor]],
    ) -> None:
        self._values, self._count, self._parents, self._detail = values, count, parents, detail
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
        tables = [table.tolist() for table in self._detail()]
        if not tables:
            return [], [], NO_TOP
        tops = [_top(*columns) for columns in zip(*tables, strict=True)]
        return tops[: self._count], tops[self._count + 1 :], tops[self._count]


def _top(tokens: list[int], logits: list[float], probabilities: list[float], used: list[float]) -> Top:
    """One Top, likeliest first and without repeats."""
    each = {token: (logit, p, q, token) for token, logit, p, q in zip(tokens, logits, probabilities, used, strict=True)}
    found = sorted(each.values(), reverse=True)
    logits_, probabilities_, used_, tokens_ = zip(*found, strict=True)
    return Top(tokens_, logits_, probabilities_, used_)


def _together(values: Tensor, tables: list[Tensor]) -> tuple[Tensor, Callable[[], list[Tensor]]]:
    """All on the host after one transfer."""
    sizes = [values.numel(), *(table.numel() for table in tables)]
    joined = torch.cat([values, *(table.flatten().double() for table in tables)]).cpu()
    first, *others = torch.split_with_sizes(joined, sizes)
    host = [flat.view(table.shape).to(table.dtype) for flat, table in zip(others, tables, strict=True)]
    return first, lambda: host
