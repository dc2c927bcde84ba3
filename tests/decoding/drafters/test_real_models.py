"""Drafters that are no network of their own, or the target's copy, on tiny models of two architectures: the text is the plain one."""

from collections.abc import Callable
from copy import deepcopy
from functools import partial

import pytest

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.quantized import QuantizedDrafter
from specviz.decoding.drafters.recycling import RecyclingDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.protocols import Drafter
from specviz.errors import PairError
from specviz.models import CachedModel
from specviz.models import quantized as eight_bits
from specviz.models.networks.ordinary import OrdinaryNetwork
from specviz.settings import Settings
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, text_of
from tests.helpers.tiny_models import perturbed, tiny

KINDS = ("Qwen3ForCausalLM", "GPT2LMHeadModel")
IDS, TOKENS = 12, 40
"""With few ids, texts repeat themselves now and then."""
GREEDY = Settings(k=4, nodes=8, max_new_tokens=TOKENS)
NOISY = Settings(k=4, nodes=8, max_new_tokens=TOKENS, temperature=0.7, shared_noise=True, seed=3)


def recycling(target: CachedModel) -> Drafter:
    return RecyclingDrafter(IDS)


def suffix(target: CachedModel) -> Drafter:
    return SuffixDrafter(IDS)


def quantized(target: CachedModel) -> Drafter:
    return QuantizedDrafter(eight_bits.quantized(target))


def quantized_other(target: CachedModel) -> Drafter:
    """A copy of moved weights, which is wrong more often than rounding alone."""
    return QuantizedDrafter(eight_bits.quantized(perturbed(target, 0.1)))


MADE: dict[str, Callable[[CachedModel], Drafter]] = {
    "recycling": recycling,
    "suffix": suffix,
    "quantized": quantized,
    "quantized, moved": quantized_other,
}


def check(name: str, kind: str) -> None:
    """Two prompts on one drafter. What is wanted is computed before the drafter is made. Some tokens are right, and some are wrong, except perhaps of the
    exact copy."""
    target = CachedModel(deepcopy(tiny(kind, 1, vocabulary=IDS).model), IDS)  # a bug could change its weights
    prompts = ((3, 7, 1, 3, 7), (5,))
    wanted = {
        (prompt, settings): text_of(rounds_of(target, NoDrafter(IDS), prompt, settings))
        for prompt in prompts
        for settings in (GREEDY, NOISY)
    }
    drafter, accepted, wrong = MADE[name](target), 0, 0
    for (prompt, settings), text in wanted.items():
        rounds = rounds_of(target, drafter, prompt, settings)
        assert text_of(rounds) == text, settings
        assert not settings.greedy or text == plain_text(target, prompt, TOKENS)
        accepted += sum(len(r.accepted) for r in rounds)
        wrong += sum(r.judged - len(r.accepted) for r in rounds)
    assert accepted > 10
    assert wrong > 0 or name == "quantized"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MADE)
def test_the_text_is_the_plain_one(name: str, kind: str) -> None:
    """Greedy and with shared noise, through accepted and rejected tokens, with the caches of real architectures."""
    check(name, kind)


WRONG = (
    Plant("the accepted path is not moved together", partial(check, "recycling", "Qwen3ForCausalLM"), OrdinaryNetwork, "keep", "self.move(begin, slots)", "pass"),
    Plant("what was rejected stays in the cache", partial(check, "suffix", "GPT2LMHeadModel"), CachedModel, "keep", "kept = self._committed + len(indices)", "kept = self.length"),
    Plant("the target itself is rounded", partial(check, "quantized", "Qwen3ForCausalLM"), eight_bits, "quantized", "discard(deepcopy(target.model))", "discard(target.model)"),
)  # fmt: skip


@pytest.mark.parametrize("bug", WRONG, ids=str)
def test_another_text_is_noticed(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that does not follow the text, or other weights, write another text or stop the run."""
    plant(bug, monkeypatch)
    with pytest.raises((AssertionError, PairError, RuntimeError)):
        bug.check()
