"""Runs in which every pass of both models is compared with a fresh pass without a cache."""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.protocols import CacheReport, LanguageModel, Scores
from specviz.models import CachedModel
from specviz.settings import Settings
from specviz.trace.records import Round
from tests.helpers.rounds import rounds_of, text_of
from tests.helpers.tiny_models import fresh_logits, perturbed, tiny

PROMPT = (5, 17, 3, 40, 21)


class Watched(LanguageModel):
    """A cached model that compares the scores of every pass with a fresh pass without a cache.

    It tracks which ids the cache should contain; `seen` is that list after each pass.
    """

    def __init__(self, model: CachedModel) -> None:
        self.model = model
        self.vocabulary, self.context = model.vocabulary, model.context
        self.device, self.end_ids = model.device, model.end_ids
        self.seen: list[tuple[int, ...]] = []
        self._kept: tuple[int, ...] = ()
        self._pending: tuple[int, ...] = ()

    @property
    def length(self) -> int:
        return self.model.length

    @property
    def report(self) -> CacheReport:
        return self.model.report

    def begin(self, capacity: int) -> None:
        self.model.begin(capacity)
        self.seen, self._kept, self._pending = [], (), ()

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        scores = self.model.forward(tokens, parents, rows)
        self._pending = (*self._pending, *tokens.tolist())
        cached = (*self._kept, *self._pending)
        self.seen.append(cached)
        assert self.length == len(cached)
        fresh = fresh_logits(self.model, cached)[-scores.logits.shape[0] :]
        torch.testing.assert_close(scores.logits, fresh, rtol=1e-4, atol=1e-4)
        return scores

    def keep(self, path: Sequence[int]) -> None:
        self.model.keep(path)
        self._kept, self._pending = (*self._kept, *(self._pending[index] for index in path)), ()
        assert self.length == len(self._kept)


@cache
def models(kind: str) -> tuple[CachedModel, CachedModel, CachedModel]:
    """A target, its twin with the same weights, and a draft that agrees with it sometimes."""
    return tiny(kind, 1), tiny(kind, 1), perturbed(tiny(kind, 1), 0.1)


def checked_run(
    target: CachedModel, draft: CachedModel, prompt: tuple[int, ...], settings: Settings
) -> tuple[Round, ...]:
    """Speculate greedily with both models watched, and check both caches after every round."""
    big, small = Watched(target), Watched(draft)
    rounds = rounds_of(big, ModelDrafter(small), prompt, settings)
    text = text_of(rounds)
    passes = iter(small.seen[1:])
    for round_ in rounds:
        committed = (*prompt, *text[: round_.start])
        for index in range(len(round_.drafted)):
            tokens = (drafted.token for drafted in round_.drafted[:index])
            assert next(passes) == (*committed, *tokens), "the draft's cache and what it reads are the text so far"
    assert next(passes, None) is None
    verified = [(*prompt, *text[: r.start], *(d.token for d in r.drafted)) for r in rounds]
    assert big.seen[1:] == verified, "the target's cache and what it reads are the text so far and the draft"
    assert target.length == len(prompt) + len(text) - (0 if rounds[-1].closing is None else 1)
    return rounds
