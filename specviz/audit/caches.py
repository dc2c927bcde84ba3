"""Recorded probabilities, which caches, trees and fast passes gave, against fresh passes over the same text from its beginning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from specviz.audit.check import NotApplicableError, audit_check, caught, decode_run, passed
from specviz.audit.plain import PlainPass
from specviz.audit.records import Evidence, Finding, ScoreEvidence
from specviz.audit.subject import Budget, Subject
from specviz.decoding.sampling import warp
from specviz.settings import Settings
from specviz.trace.records import FROM_COMMITTED, Drafted, Round, Top

# Rounding in float32 moves a probability by less than 1e-4; in half precision the allowance is measured where this is
# exceeded.
ALLOWED = 1e-3
_NOISE_FACTOR = 4.0
# A token as close as this to the edge of top-k or top-p, in logits or probability, may be kept by one pass and
# dropped by another.
_EDGE = 1e-3


@dataclass(frozen=True, slots=True)
class RecordedNumber:
    """A number of the record, and the text after which a fresh pass must give it.

    Attributes:
        context: prompt and text, the drafted ancestors included.
        token: the id that it is the probability of.
        warped: as the rule used it; else at temperature 1.
        offset: the index of the chosen token among the new ones, for shared noise.
        round, node: indices; `node` is None for the closing token.
    """

    context: tuple[int, ...]
    token: int
    value: float
    warped: bool
    offset: int
    round: int
    node: int | None


NAME = "caches"


@audit_check(NAME)
def caches(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """The target's p."""
    yield from compare(NAME, subject, prompts, budget, subject.plain, draft=False)


def compare(
    check: str,
    subject: Subject,
    prompts: Sequence[tuple[int, ...]],
    budget: Budget,
    plain: PlainPass,
    *,
    draft: bool,
) -> Iterator[Evidence | Finding]:
    """Runs with the subject's own settings, all of whose recorded numbers of the target, or of the draft, are compared."""
    compared, largest, allowed = 0, 0.0, ALLOWED
    tokens = min(budget.tokens, subject.settings.max_new_tokens)
    for done in range(budget.texts):
        index = done % len(prompts)
        settings = replace(subject.settings, max_new_tokens=tokens, seed=budget.first_seed + done)
        rounds = decode_run(subject, prompts[index], settings, budget).rounds or ()
        for number in recorded_numbers(rounds, prompts[index], settings, draft=draft):
            compared += 1
            fresh = nearest(plain.rows(number.context, len(number.context) - 1), number, settings)
            apart = abs(fresh - number.value)
            if apart > allowed:
                allowed = max(allowed, ALLOWED + _NOISE_FACTOR * plain.noise(number.context))
            largest = max(largest, apart)
            if apart > allowed or apart != apart:
                yield ScoreEvidence(check, done + 1, budget.texts, compared, largest, allowed)
                yield caught(_sentence(number, index, fresh, "draft" if draft else "target"))
                return
        yield ScoreEvidence(check, done + 1, budget.texts, compared, largest, allowed)
    if not compared:
        raise NotApplicableError("Nothing that could be compared was recorded.")
    yield passed(
        f"{compared} recorded probabilities: at most {largest:.1g} from a fresh pass, and {allowed:.1g} is allowed."
    )


def recorded_numbers(
    rounds: Sequence[Round], prompt: tuple[int, ...], settings: Settings, *, draft: bool
) -> Iterator[RecordedNumber]:
    """Every number of these rounds that a fresh pass of the target, or of the draft, must give too."""
    text = prompt
    for index, round_ in enumerate(rounds):
        for node, drafted in enumerate(round_.drafted):
            context = (*text, *ancestors(round_.drafted, node))
            offset = len(context) - len(prompt)
            top = drafted.draft_top if draft else drafted.target_top
            yield from _top_numbers(top, context, offset, index, node)
            if _unchanged(round_.drafted, node, draft, settings):
                value = drafted.qp[0 if draft else 1]
                yield RecordedNumber(context, drafted.token, value, True, offset, index, node)
        path = tuple(round_.drafted[node].token for node in round_.accepted)
        if round_.closing is not None and not draft:
            context = (*text, *path)
            yield from _top_numbers(round_.closing.residual_top, context, len(context) - len(prompt), index, None)
        text = (*text, *round_.tokens)


def ancestors(drafted: Sequence[Drafted], node: int) -> tuple[int, ...]:
    """The drafted tokens that a node follows, in order."""
    path: list[int] = []
    at = drafted[node].parent
    while at != FROM_COMMITTED:
        path.append(drafted[at].token)
        at = drafted[at].parent
    return tuple(reversed(path))


def _top_numbers(
    top: Top, context: tuple[int, ...], offset: int, index: int, node: int | None
) -> Iterator[RecordedNumber]:
    for token, value in zip(top.tokens, top.probabilities, strict=True):
        yield RecordedNumber(context, token, value, False, offset, index, node)


def _unchanged(drafted: Sequence[Drafted], node: int, draft: bool, settings: Settings) -> bool:
    """True if the rule used the model's own probability: that of a later sibling is a residual, and a selected token has a q of 1."""
    parent = drafted[node].parent
    if any(sibling.parent == parent for sibling in drafted[:node]):
        return False
    return not draft or drafted[node].qp[0] < 1 or settings.certain


def nearest(row: Tensor, number: RecordedNumber, settings: Settings) -> float:
    """The fresh probability; of those that rounding at an edge of the warp may give, the one nearest to the recorded one."""
    if not number.warped:
        return float(row.softmax(dim=-1)[0, number.token])
    return min(
        (float(p[number.token]) for p in warps(row, settings, number.offset)), key=lambda p: abs(p - number.value)
    )


def warps(row: Tensor, settings: Settings, offset: int) -> list[Tensor]:
    """The distribution [V] after the warp of a row [1, V], and those on the other side of a near tie at an edge of the warp."""
    exact = warp(row, settings, [offset])[0]
    if settings.certain:
        return [exact, *_second_choice(row, settings, offset)]
    distributions = [exact]
    if 0 < settings.top_k < row.shape[-1] - 1:
        best = row[0].topk(settings.top_k + 1).values
        if float(best[-2] - best[-1]) < _EDGE:
            distributions += [
                warp(row, replace(settings, top_k=settings.top_k + step), [offset])[0]
                for step in (-1, 1)
                if settings.top_k + step > 0
            ]
    if settings.top_p < 1:
        for top_p in (settings.top_p - _EDGE, settings.top_p + _EDGE):
            at_edge = warp(row, replace(settings, top_p=min(1.0, max(1e-9, top_p))), [offset])[0]
            if not torch.equal(at_edge > 0, exact > 0):
                distributions.append(at_edge)
    return distributions


def _second_choice(row: Tensor, settings: Settings, offset: int) -> list[Tensor]:
    first = warp(row, settings, [offset])[0]
    without = row.clone()
    without[0, first.argmax()] = -torch.inf
    second = warp(without, settings, [offset])[0]
    close = abs(float(row[0, first.argmax()] - row[0, second.argmax()]))
    return [second] if settings.greedy and close < _EDGE else []


def _sentence(number: RecordedNumber, prompt: int, fresh: float, model: str) -> str:
    what = "the closing token's row" if number.node is None else f"drafted token {number.node + 1}"
    how = "as the rule used it" if number.warped else "at temperature 1"
    return (
        f"Prompt {prompt + 1}, round {number.round + 1}, {what}: the {model} gave the id {number.token} the probability "
        f"{number.value:.4g} ({how}), and a fresh pass over the same text gives {fresh:.4g}."
    )
