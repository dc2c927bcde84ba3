"""What is recorded of a round, fetched from the device in one synchronisation.

The loop has no debug flag: a `Recorder` is passed in and decides what is recorded. It decides nothing about the round itself.
"""

from collections.abc import Callable
from functools import partial
from itertools import accumulate

import torch
from torch import Tensor

from specviz.decoding.judge.judgement import Judgement
from specviz.decoding.judge.outcome import Outcome, settle
from specviz.decoding.protocols import Draft, Scores
from specviz.decoding.sampling import widen
from specviz.trace.records import (
    NO_TOP,
    ClosingToken,
    Drafted,
    Top,
    Verdict,
)


class Recorder:
    """Fetches a judged round.

    Args:
        candidates: how many of the most likely tokens to record for draft and target at every position; 0 records
            none. Both sides record the union of both lists and the drafted token itself, so that p and q can be shown
            side by side.
    """

    def __init__(self, candidates: int = 5) -> None:
        self._candidates = candidates

    def fetch(self, draft: Draft, scores: Scores, target: Tensor, judgement: Judgement) -> "HostRound":
        """The round's one synchronisation with the device: every recorded value in one transfer."""
        columns = {
            "tokens": draft.tokens,
            "accepted": judgement.accepted,
            "rejected": judgement.rejected,
            "draft_prob": judgement.draft_prob,
            "target_prob": judgement.target_prob,
            "draws": judgement.draws,
            "closing": judgement.closing,
            "closing_draw": judgement.closing_draw,
            "target_broken": _any_row_without_numbers(scores.logits),
            "draft_broken": None if draft.logits is None else _any_row_without_numbers(draft.logits),
            "confidence": draft.confidence,
            "bounds": judgement.bounds,
        }
        flat = {name: column.reshape(-1).double() for name, column in columns.items() if column is not None}
        values = torch.cat([*flat.values()])
        detail: Callable[[], list[Tensor]] = partial(self._detail, draft, scores, target, judgement)
        if target.device.type != "cpu":  # the candidates join the one transfer
            values, detail = _together(values, detail())
        ends = [*accumulate(map(len, flat.values()))]
        host = values.tolist()
        fields = {name: host[end - len(flat[name]) : end] for name, end in zip(flat, ends, strict=True)}
        return HostRound(fields, draft.parents, detail)

    @torch.inference_mode()
    def _detail(self, draft: Draft, scores: Scores, target: Tensor, judgement: Judgement) -> list[Tensor]:
        """The candidates as four [rows, n] tables: token, logit, probability at temperature 1, probability used by the rule.

        One row per drafted token as the target scores it, then one for the closing token, then one per drafted token as the draft
        scores it, if it does; both sides list the same tokens. Written with few operations: launching each costs more than its arithmetic.
        """
        top_n, count = min(self._candidates, target.shape[-1]), draft.tokens.shape[0]
        if not top_n:
            return []
        ours = widen(scores.logits)
        theirs = None if draft.logits is None or not count else widen(draft.logits)
        best = ours.topk(top_n, dim=-1).indices
        row = judgement.closing_row.reshape(1)
        closing, possible = judgement.closing.reshape(1, 1), judgement.closing_from.unsqueeze(0)
        top = best.index_select(0, row)
        sampled = judgement.closing_draw is not None  # otherwise only one token was possible
        tokens = torch.cat([top, closing, possible.topk(top_n, dim=-1).indices if sampled else top], dim=-1)
        rule_p, rows, candidates = [possible.gather(-1, tokens)], row, tokens[:0]
        if count:
            own = torch.arange(count, device=row.device) if draft.is_chain else row.new_tensor(draft.parents) + 1
            guesses = best[own] if theirs is None else theirs.topk(top_n, dim=-1).indices
            candidates = torch.cat([best[own], draft.tokens.unsqueeze(-1), guesses], dim=-1)
            tokens, rows = torch.cat([candidates, tokens]), torch.cat([own, row])
            judged = None if judgement.judged_by is None else judgement.judged_by.gather(-1, candidates)
            rule_p = [
                target[own.unsqueeze(-1), candidates] if judged is None else judged,
                *rule_p,
            ]
        at = rows.unsqueeze(-1)
        tables = [[tokens], [ours[at, tokens]], [ours.softmax(dim=-1)[at, tokens]], rule_p]
        if theirs is not None:
            likely = theirs.softmax(dim=-1).gather(-1, candidates)
            for table, more in zip(
                tables,
                (candidates, theirs.gather(-1, candidates), likely, draft.probabilities.gather(-1, candidates)),
                strict=True,
            ):
                table.append(more)
        joined = [torch.cat(table) for table in tables]
        return [*joined[:3], joined[3].clamp(max=1.0)]


def _any_row_without_numbers(logits: Tensor) -> Tensor:
    """[1] bool, whether the largest score of a row is not a finite number; a NaN anywhere in the row makes it NaN."""
    return ~logits.amax(dim=-1).isfinite().all().reshape(1)


FULL = Recorder()
LIGHT = Recorder(candidates=0)  # verdicts, p, q and u, but no alternatives


class HostRound:
    """A judged round on the host. `records` turns it into records after the round's clock has stopped, since looking up candidates is not
    part of decoding. On the CPU they are looked up only then, before another pass overwrites the scores; on other devices they came with
    the same transfer.

    Attributes:
        tokens: the drafted ids.
        accepted, rejected: the rule's flags for each.
        closing_token: the id of the target's own token.
        target_broken, draft_broken: whether these scores are not numbers, so that nothing else of the round means anything.
    """

    def __init__(
        self, values: dict[str, list[float]], parents: tuple[int, ...], detail: Callable[[], list[Tensor]]
    ) -> None:
        self._values, self._detail = values, detail
        self.parents = parents
        self.tokens = tuple(map(int, values["tokens"]))
        self.accepted = tuple(map(bool, values["accepted"]))
        self.rejected = tuple(map(bool, values["rejected"]))
        self.closing_token = int(values["closing"][0])
        self.target_broken = bool(values["target_broken"][0])
        self.draft_broken = any(values.get("draft_broken", ()))

    def outcome(self, end_ids: frozenset[int]) -> Outcome:
        """The consequences for the text: see `specviz.decoding.judge.outcome`."""
        return settle(self.tokens, self.parents, self.accepted, self.rejected, self.closing_token, end_ids)

    def records(self, outcome: Outcome) -> tuple[tuple[Drafted, ...], ClosingToken | None]:
        """The drafted tokens and the closing one, with what was recorded of each."""
        values = self._values
        draft_prob, target_prob = values["draft_prob"], values["target_prob"]
        draws, confidence, bounds = values.get("draws"), values.get("confidence"), values.get("bounds")
        target_tops, draft_tops, closing_top = self._tops()
        drafted = tuple(
            Drafted(
                token=token,
                parent=self.parents[i],
                draft_prob=min(1.0, draft_prob[i]),
                target_prob=min(1.0, target_prob[i]),
                draw=draws[i] if draws is not None and (bounds or verdict is not Verdict.DISCARDED) else None,
                verdict=verdict,
                draft_top=draft_tops[i] if draft_tops else NO_TOP,
                target_top=target_tops[i] if target_tops else NO_TOP,
                confidence=None if confidence is None else min(1.0, confidence[i]),
                bound=None if bounds is None else min(1.0, bounds[i]),
            )
            for i, (token, verdict) in enumerate(zip(self.tokens, outcome.verdicts, strict=True))
        )
        if outcome.closing is None:
            return drafted, None
        draw = values["closing_draw"][0] if "closing_draw" in values else None
        return drafted, ClosingToken(self.closing_token, outcome.closing, draw, closing_top)

    def _tops(self) -> tuple[list[Top], list[Top], Top]:
        """The target's and the draft's top tokens for each position, and those of the closing token."""
        tables = [table.tolist() for table in self._detail()]
        if not tables:
            return [], [], NO_TOP
        tops = [_top(*columns) for columns in zip(*tables, strict=True)]
        count = len(self.tokens)
        return tops[:count], tops[count + 1 :], tops[count]


def _top(tokens: list[int], logits: list[float], probabilities: list[float], rule_p: list[float]) -> Top:
    """One Top, most likely first and without repeats."""
    entries = {
        token: (logit, p, q, token) for token, logit, p, q in zip(tokens, logits, probabilities, rule_p, strict=True)
    }
    ranked = sorted(entries.values(), reverse=True)
    logits_, probabilities_, used_, tokens_ = zip(*ranked, strict=True)
    return Top(tokens_, logits_, probabilities_, used_)


def _together(values: Tensor, tables: list[Tensor]) -> tuple[Tensor, Callable[[], list[Tensor]]]:
    sizes = [values.numel(), *(table.numel() for table in tables)]
    joined = torch.cat([values, *(table.flatten().double() for table in tables)]).cpu()
    first, *rest = torch.split_with_sizes(joined, sizes)
    host = [flat.view(table.shape).to(table.dtype) for flat, table in zip(rest, tables, strict=True)]
    return first, lambda: host
