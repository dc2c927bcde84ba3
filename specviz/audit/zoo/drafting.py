"""Broken drafters: the q that they report, the tokens that they hand over, or what their own model has read."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo.twins import DrafterTwin, ModelTwin, Propose
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.protocols import Draft, Drafter, LanguageModel, Scores
from specviz.decoding.sampling import Drawn, Draws, warp
from specviz.errors import PairError
from specviz.settings import Settings

DROPPED_BELOW = 0.3
"""`looks_back` drops a token to which the draft gave less than this."""
SEPARATOR = 0
"""The id that `separator_again` puts in front of every piece; it stands for the id that begins a text."""


def _proposing(parts: DecoderParts, propose: Propose) -> DecoderParts:
    return replace(parts, drafter=DrafterTwin(parts.drafter, parts.drafter.name, propose))


def argmax_as_drawn(parts: DecoderParts) -> DecoderParts:
    """The draft takes its most likely token, and reports the q of drawing it."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, replace(settings, temperature=0.0), draws, limit)
        if settings.certain or draft.logits is None:
            return draft
        return replace(draft, probabilities=warp(draft.logits, settings))

    return _proposing(parts, propose)


def q_before_filters(parts: DecoderParts) -> DecoderParts:
    """Tokens are drawn after top-k and top-p, and q is reported from before them."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        if settings.certain or draft.logits is None:
            return draft
        return replace(draft, probabilities=warp(draft.logits, replace(settings, top_k=0, top_p=1.0)))

    return _proposing(parts, propose)


def q_rounded(parts: DecoderParts) -> DecoderParts:
    """Tokens are drawn from probabilities in a small number format, and q is reported in full precision."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        return honest.propose(committed, settings, draws if settings.certain else _Rounding(draws), limit)

    return _proposing(parts, propose)


class _Rounding:
    """A random source that rounds the probabilities of a token to powers of four."""

    def __init__(self, honest: Draws) -> None:
        self._honest = honest

    def uniform(self, count: int) -> Tensor | None:
        return self._honest.uniform(count)

    def token(self, probabilities: Tensor) -> Drawn:
        return self._honest.token(torch.exp2(2 * (probabilities.log2() / 2).round()))


def q_in_other_numbering(parts: DecoderParts) -> DecoderParts:
    """The tokens are in the target's numbering, their probabilities still in the draft's own."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        return replace(draft, probabilities=draft.probabilities.roll(1, dims=-1))

    return _proposing(parts, propose)


def offsets_misread(parts: DecoderParts) -> DecoderParts:
    """The table from the draft's ids to the target's is misread: every token is handed over as another one, with its q."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        vocabulary = draft.probabilities.shape[-1]
        return replace(
            draft,
            tokens=(draft.tokens + 1) % vocabulary,
            probabilities=draft.probabilities.roll(1, dims=-1),
            logits=None if draft.logits is None else draft.logits.roll(1, dims=-1),
        )

    return _proposing(parts, propose)


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

    return _proposing(parts, propose)


def one_id_too_many(parts: DecoderParts) -> DecoderParts:
    """The draft proposes the id that equals the number of ids."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        tokens = draft.tokens.clone()
        tokens[-1:] = draft.probabilities.shape[-1]
        return replace(draft, tokens=tokens)

    return _proposing(parts, propose)


def looks_back(parts: DecoderParts) -> DecoderParts:
    """A drawn token is dropped for its own low probability, so the decision to check it has seen it."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        if not draft.is_chain:
            return draft
        own = draft.probabilities.gather(-1, draft.tokens.unsqueeze(-1))[:, 0]
        kept = int((own >= DROPPED_BELOW).long().cumprod(dim=0).sum())
        return Draft(
            draft.tokens[:kept],
            draft.parents[:kept],
            draft.probabilities[:kept],
            None if draft.logits is None else draft.logits[:kept],
            draft.source if kept else None,
        )

    return _proposing(parts, propose)


def stale_siblings(parts: DecoderParts) -> DecoderParts:
    """Siblings are drawn without the earlier ones, and q is reported with them."""

    def propose(honest: Drafter, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = honest.propose(committed, settings, draws, limit)
        if settings.certain or draft.is_chain or settings.children != "distinct" or draft.logits is None:
            return draft
        return replace(draft, probabilities=warp(draft.logits, settings))

    return _proposing(parts, propose)


def separator_again(parts: DecoderParts) -> DecoderParts:
    """The draft reads every new piece of the text with the id in front that begins a text."""
    return replace(parts, drafter=_SeparatorAgain(parts.drafter, parts.drafter.name))


class _SeparatorAgain(DrafterTwin):
    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._read, self._seen, self._capacity = list(prompt), len(prompt), 2 * capacity
        self.honest.begin(prompt, self._capacity)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        if len(committed) > self._seen:
            self._read += [SEPARATOR, *committed[self._seen :]]
            self._seen = len(committed)
            self.honest.begin(self._read, self._capacity)
        return self.honest.propose(self._read, settings, draws, limit)


def cut_too_far(parts: DecoderParts) -> DecoderParts:
    """After a rejection the draft model's cache is cut two entries too far, and the gap stays."""
    return replace(parts, drafter=ModelDrafter(_CutTooFar(_model(parts))))


class _CutTooFar(ModelTwin):
    def keep(self, path: Sequence[int]) -> None:
        rejected = len(path) < len(self.parents)
        super().keep(path[: max(0, len(path) - 2)] if rejected else path)


def last_never_read(parts: DecoderParts) -> DecoderParts:
    """After a fully accepted draft the draft model goes on with the bonus token, and never reads its own last token."""
    return replace(parts, drafter=ModelDrafter(_LastNeverRead(_model(parts))))


class _LastNeverRead(ModelTwin):
    def __init__(self, honest: LanguageModel) -> None:
        super().__init__(honest)
        self._skipped = 0

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        if self.length and not self.parents and len(tokens) == 2:
            tokens, self._skipped = tokens[1:], 1
        return super().forward(tokens, parents, rows)

    def keep(self, path: Sequence[int]) -> None:
        super().keep(range(max(0, len(path) - self._skipped)))
        self._skipped = 0


def _model(parts: DecoderParts) -> LanguageModel:
    """The draft model.

    Raises:
        PairError: the drafter has none, so this exhibit cannot be shown with it.
    """
    if not isinstance(parts.drafter, ModelDrafter):
        raise PairError("This exhibit breaks the cache of a draft model: choose the drafter model.")
    return parts.drafter.model
