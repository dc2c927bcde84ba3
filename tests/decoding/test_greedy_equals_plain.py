"""In float32 greedy speculative text is plain greedy text, and no cache ever loses step on the way."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import CacheReport, Drafter, Scores
from specviz.decoding.testing import ScriptedDrafter
from specviz.models import CachedModel, Pair
from specviz.settings import Settings
from specviz.trace.records import Closing, Round
from tests.conftest import TINY, fresh_logits, rounds_of, text_of, tiny

PROMPT = (5, 17, 3, 40, 21)
TOKENS = 24
LENGTHS = range(1, 9)


class Watched:
    """A cached model that compares the scores of every pass with a fresh pass without a cache.

    It keeps its own account of the ids that the cache should hold; `seen` is that account after each pass.
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
        held = (*self._kept, *self._pending)
        self.seen.append(held)
        assert self.length == len(held)
        fresh = fresh_logits(self.model, held)[-scores.logits.shape[0] :]
        torch.testing.assert_close(scores.logits, fresh, rtol=1e-4, atol=1e-4)
        return scores

    def keep(self, path: Sequence[int]) -> None:
        self.model.keep(path)
        self._kept, self._pending = (*self._kept, *(self._pending[place] for place in path)), ()
        assert self.length == len(self._kept)


def perturbed(model: CachedModel, noise: float) -> CachedModel:
    """The same model with every weight moved a little."""
    moved = deepcopy(model.model)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weight in moved.parameters():
            weight.add_(noise * weight.abs().mean() * torch.randn(weight.shape, generator=generator))
    return CachedModel(moved, model.vocabulary, model.end_ids)


@cache
def models(kind: str) -> tuple[CachedModel, CachedModel, CachedModel]:
    """A target, its twin with the same weights, and a draft that agrees with it now and then."""
    return tiny(kind, 1), tiny(kind, 1), perturbed(tiny(kind, 1), 0.1)


@cache
def plain_text(model: CachedModel, prompt: tuple[int, ...], tokens: int) -> tuple[int, ...]:
    """The greedy text by fresh passes alone, with no engine and no cache."""
    ids = list(prompt)
    for _ in range(tokens):
        ids.append(int(fresh_logits(model, ids)[-1].argmax()))
        if ids[-1] in model.end_ids:
            break
    return tuple(ids[len(prompt) :])


def checked_run(
    target: CachedModel, draft: CachedModel, prompt: tuple[int, ...], settings: Settings
) -> tuple[Round, ...]:
    """Speculate greedily with both models watched, and hold both caches to account after every round."""
    big, small = Watched(target), Watched(draft)
    rounds = rounds_of(big, ModelDrafter(small), prompt, settings)
    text = text_of(rounds)
    passes = iter(small.seen[1:])
    for round_ in rounds:
        committed = (*prompt, *text[: round_.start])
        for place in range(len(round_.drafted)):
            tokens = (drafted.token for drafted in round_.drafted[:place])
            assert next(passes) == (*committed, *tokens), "the draft's cache and what it reads are the text so far"
    assert next(passes, None) is None
    verified = [(*prompt, *text[: r.start], *(d.token for d in r.drafted)) for r in rounds]
    assert big.seen[1:] == verified, "the target's cache and what it reads are the text so far and the draft"
    assert target.length == len(prompt) + len(text) - (0 if rounds[-1].closing is None else 1)
    return rounds


def adversary(target: CachedModel, prompt: tuple[int, ...]) -> Drafter:
    """Proposes at every place the id after the one that the target wants."""
    wanted = plain_text(target, prompt, TOKENS)
    return ScriptedDrafter(
        target.vocabulary,
        lambda committed: [(token + 1) % target.vocabulary for token in wanted[len(committed) - len(prompt) :]][:8],
    )


@pytest.mark.parametrize("kind", TINY)
def test_plain_text_is_the_oracle_s(kind: str) -> None:
    """The loop without a draft writes what fresh passes without a cache write."""
    target = models(kind)[0]
    watched = Watched(target)
    rounds = rounds_of(watched, NoDrafter(target.vocabulary), PROMPT, Settings(max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert len(rounds) == TOKENS
    assert all(len(ids) == len(PROMPT) + place for place, ids in enumerate(watched.seen[1:]))


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_always_agrees(kind: str, k: int) -> None:
    """A draft with the target's weights is accepted whole in every round, and the text is the plain one."""
    target, twin, _ = models(kind)
    rounds = checked_run(target, twin, PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert all(len(r.accepted) == len(r.drafted) for r in rounds)
    assert len(rounds) == -(-TOKENS // (k + 1))


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_sometimes_agrees(kind: str, k: int) -> None:
    """A draft with moved weights is accepted now and then, and the text is the plain one."""
    target, _, other = models(kind)
    rounds = checked_run(target, other, PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert 0 < sum(len(r.accepted) for r in rounds) < sum(r.judged for r in rounds)


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_never_agrees(kind: str, k: int) -> None:
    """A draft that is always wrong costs rounds and changes nothing in the text."""
    target = models(kind)[0]
    rounds = rounds_of(Watched(target), adversary(target, PROMPT), PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert len(rounds) == TOKENS
    assert not any(r.accepted for r in rounds)
    assert all(r.closing is not None and r.closing.how is Closing.CORRECTED for r in rounds[:-1])


@pytest.mark.parametrize("kind", TINY)
def test_a_run_leaves_nothing_behind(kind: str) -> None:
    """A second run on the same models, longer than the first and on another prompt, is not touched by the first."""
    target, _, other = models(kind)
    checked_run(target, other, PROMPT, Settings(k=3, max_new_tokens=6))
    prompt = (9, 9, 30)
    rounds = checked_run(target, other, prompt, Settings(k=4, max_new_tokens=80))
    assert text_of(rounds) == plain_text(target, prompt, 80)


@pytest.mark.parametrize("k", LENGTHS)
def test_embedded_pair(embedded: Pair, k: int) -> None:
    """The pair that comes with the project writes greedily what its target alone writes."""
    prompt = tuple(embedded.text.encode("Once upon a time there was"))
    rounds = checked_run(embedded.target, embedded.draft, prompt, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(embedded.target, prompt, TOKENS)
    assert any(r.accepted for r in rounds)


@pytest.mark.parametrize("k", [1, 4, 8])
def test_embedded_target_with_a_perfect_and_a_useless_draft(embedded: Pair, k: int) -> None:
    """The embedded target writes the same with itself as a draft, and with a draft that is always wrong."""
    prompt, settings = tuple(embedded.text.encode("One, two, three,")), Settings(k=k, max_new_tokens=TOKENS)
    wanted = plain_text(embedded.target, prompt, TOKENS)
    twin = CachedModel(embedded.target.model, embedded.target.vocabulary, embedded.target.end_ids)
    rounds = checked_run(embedded.target, twin, prompt, settings)
    assert text_of(rounds) == wanted
    assert all(r.judged == len(r.accepted) for r in rounds)
    useless = rounds_of(embedded.target, adversary(embedded.target, prompt), prompt, settings)
    assert text_of(useless) == wanted
    assert not any(r.accepted for r in useless)
