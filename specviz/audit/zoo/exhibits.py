"""The broken twins, by the names of their texts: each replaces one part of the loop through its public protocol, and leaves the others honest. Their audit is on
tiny table models, whose p and q are known exactly."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from specviz.audit.acceptance import first_verdicts
from specviz.audit.plain import plain_pass
from specviz.audit.subject import Budget, DecoderParts, Subject
from specviz.audit.zoo.guess_game import END
from specviz.audit.zoo.texts import Exhibit
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.judge.choice import judge
from specviz.decoding.judge.judgement import Judgement, leftover
from specviz.decoding.judge.tree import EXACT, Criterion, judge_tree
from specviz.decoding.protocols import Draft, Drafter, LanguageModel, Reading, Scores
from specviz.decoding.sampling import Drawn, Draws, token_at, warp
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from specviz.trace.records import Round

# From the honest drafter and the arguments of its `propose` to the draft that the loop gets.
Propose = Callable[[Drafter, Sequence[int], Settings, Draws, int], Draft]
# How many values the coin of `inclusive_coin` has. The one in the report had 2^24, so that its bug showed once in
# millions of tokens.
TOSSES = 64


class DrafterTwin(Drafter):
    """A drafter with another name and, if `propose` is given, other proposals."""

    def __init__(self, honest: Drafter, name: str, propose: Propose | None = None) -> None:
        self.honest, self.name, self.taps = honest, name, honest.taps
        self._propose = propose

    def saw(self, reading: Reading) -> None:
        self.honest.saw(reading)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.honest.begin(prompt, capacity)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        if self._propose is None:
            return self.honest.propose(committed, settings, draws, limit)
        return self._propose(self.honest, committed, settings, draws, limit)


def _twin(kind: type[TableModel], honest: LanguageModel, end_ids: Iterable[int]) -> TableModel:
    """A table model with the scores of the honest one."""
    assert isinstance(honest, TableModel), "the zoo has no others"
    return kind(honest.vocabulary, honest.scores, end_ids=end_ids)


# ---- the rule


def redrawn_from_p(parts: DecoderParts) -> DecoderParts:
    """After a rejection the next token comes from p itself, not from norm(max(0, p - q))."""
    return replace(parts, rule=partial(judge_tree, criterion=Criterion(EXACT.bound, lambda p, q: p)))


def inclusive_coin(parts: DecoderParts) -> DecoderParts:
    """`u <= p/q` where u can be 0: a token that the target never writes is accepted now and then."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        if draws.uniform(0) is None:
            return judge(draft, target, draws)
        bound = Criterion(lambda p, px, qx: px / qx + 1e-12, leftover)
        return judge_tree(draft, target, _CoarseDraws(draws), bound)

    return replace(parts, rule=rule)


class _CoarseDraws:
    """A random source whose uniform numbers have `TOSSES` values, 0 among them; tokens are drawn as before."""

    def __init__(self, honest: Draws) -> None:
        self._honest = honest

    def uniform(self, count: int) -> Tensor | None:
        numbers = self._honest.uniform(count)
        return None if numbers is None else (numbers * TOSSES).floor() / TOSSES

    def token(self, probabilities: Tensor) -> Drawn:
        return self._honest.token(probabilities)


def bonus_of_sibling(parts: DecoderParts) -> DecoderParts:
    """The bonus token comes from the residual of a sibling that was rejected before the last accepted token."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge(draft, target, draws)
        last = int(judged.closing_row) - 1
        if last < 0 or judged.draws is None or judged.judged_by is None or last in draft.parents:
            return judged
        rejected = (node for node, no in enumerate(judged.rejected.tolist()) if no)
        if all(draft.parents[node] != draft.parents[last] for node in rejected):
            return judged
        wrong, uniform = judged.judged_by[last], judged.closing_draw
        token = wrong.argmax() if uniform is None else token_at(wrong, uniform.reshape(1))
        return replace(judged, closing=token, closing_from=wrong)

    return replace(parts, rule=rule)


# ---- the drafter


def argmax_as_drawn(parts: DecoderParts) -> DecoderParts:
    """The draft takes its most likely token, and reports the q of drawing it."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, replace(settings, temperature=0.0), draws, limit)
        if settings.certain or draft.logits is None:
            return draft
        return replace(draft, probabilities=warp(draft.logits, settings))

    return replace(parts, drafter=DrafterTwin(parts.drafter, parts.drafter.name, propose))


def layers_off_by_one(parts: DecoderParts) -> DecoderParts:
    """A head reads other layers than it learned from: its guesses have nothing to do with the text, and are drawn from the q that it records.
    With four ids a guess without knowledge is often right, so this one prefers what the honest drafter finds unlikely."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        if draft.logits is None or not len(draft.tokens):
            return draft
        logits = -draft.logits
        q = warp(logits, settings)
        return replace(draft, tokens=torch.stack([draws.token(row).token for row in q]), probabilities=q, logits=logits)

    return replace(parts, drafter=DrafterTwin(parts.drafter, parts.drafter.name, propose))


# ---- the target


def rejected_kept(parts: DecoderParts) -> DecoderParts:
    """The entry of the first rejected token stays in the target's cache, and everything after it moves up by one."""
    return replace(parts, target=_twin(_RejectedInCache, parts.target, parts.target.end_ids))


class _RejectedInCache(TableModel):
    """Its length does not count the entries that should not be there."""

    _extra = 0

    @property
    def length(self) -> int:
        return super().length - self._extra

    def begin(self, capacity: int) -> None:
        self._extra = 0
        super().begin(2 * capacity)

    def keep(self, path: Sequence[int]) -> None:
        end = path[-1] if path else -1
        left = [index for index, token in enumerate(self._pending) if token.parent == end]
        self._extra += len(left[:1])
        super().keep([*path, *left[:1]])


def branches_see_each_other(parts: DecoderParts) -> DecoderParts:
    """A tree is read as one chain: a token sees the branches beside its own."""
    return replace(parts, target=_twin(_UnmaskedModel, parts.target, parts.target.end_ids))


class _UnmaskedModel(TableModel):
    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        return super().forward(tokens, None, rows)

    def keep(self, path: Sequence[int]) -> None:
        if list(path) != list(range(len(path))):  # what was accepted is read again as a chain
            accepted = torch.tensor([self._pending[index].history[-1] for index in path])
            super().keep(())
            super().forward(accepted, None, 1)
        super().keep(range(len(path)))


# ---- the loop


def end_inside_missed(parts: DecoderParts) -> DecoderParts:
    """Only the last token of a round is compared with end-of-text: an accepted one inside the round does not end the text."""
    honest = parts.speculate

    def speculate(target: LanguageModel, *others: Any, **named: Any) -> Iterator[Round]:
        for round_ in honest(_twin(TableModel, target, ()), *others, **named):
            yield round_
            if round_.tokens[-1] in target.end_ids:
                return

    return replace(parts, speculate=speculate)


# From the honest parts of the loop to the same parts with one of them replaced; one bug of each kind.
BROKEN: dict[str, Callable[[DecoderParts], DecoderParts]] = {
    "redrawn-from-p": redrawn_from_p,
    "inclusive-coin": inclusive_coin,
    "bonus-of-sibling": bonus_of_sibling,
    "argmax-as-drawn": argmax_as_drawn,
    "layers-off-by-one": layers_off_by_one,
    "rejected-kept": rejected_kept,
    "branches-see-each-other": branches_see_each_other,
    "end-inside-missed": end_inside_missed,
}


# ---- their audit

VOCABULARY = END + 1
PROMPTS = ((0,), (1, 2, 0))
BUDGET = Budget(texts=4, tokens=12, samples=2000, sampled_tokens=3, simulations=1)
_EXAMINED = 40  # runs of the examination of an honest drafter
_LIKE_TARGET = 0.3  # the share of the target's scores in the draft's


def subject(exhibit: Exhibit, *, honest: bool = False) -> Subject:
    """The tiny pair with the exhibit's bug and the settings with which it shows; `honest` leaves the bug out."""
    choices: dict[str, Any] = {"k": 3, "temperature": 1.0, "max_new_tokens": BUDGET.tokens, **exhibit.settings}
    settings = Settings(**choices)
    target, draft = _table(0.0, (END,)), _table(1.0 - _LIKE_TARGET, ())
    parts = DecoderParts(target, TreeDrafter(draft) if settings.drafter == "tree" else ModelDrafter(draft))
    unbroken = Subject("honest", plain_pass(target), settings, parts, draft=None if exhibit.head else plain_pass(draft))
    if exhibit.head:
        unbroken = replace(unbroken, acceptance=_acceptance(unbroken))
    if honest:
        return unbroken
    changed = BROKEN[exhibit.name](parts)  # the card of a trace and the stage show the drafter's mark
    return replace(
        unbroken, name=exhibit.mark, parts=replace(changed, drafter=DrafterTwin(changed.drafter, exhibit.mark))
    )


def _acceptance(honest: Subject) -> float:
    """The examination of the drafter: the acceptance rate of the first drafted token without a bug."""
    hits: list[bool] = []
    for seed in range(_EXAMINED):
        *_, run = honest.decode(PROMPTS[seed % len(PROMPTS)], replace(honest.settings, seed=seed), light=True)
        hits += first_verdicts(run.rounds or ())
    return sum(hits) / len(hits)


def _table(share: float, end_ids: tuple[int, ...]) -> TableModel:
    """The target's scores, mixed with others; the next token depends on the last two."""
    generator = torch.Generator().manual_seed(3)
    shape = [VOCABULARY] * 3
    own = torch.randn(shape, generator=generator, dtype=torch.float64)
    others = torch.randn(shape, generator=generator, dtype=torch.float64)
    return TableModel.from_table(2.0 * ((1 - share) * own + share * others), end_ids=end_ids)
