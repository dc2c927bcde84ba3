"""On real models in float32: with every drafter and policy, the text is the plain one and every cache matches it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
import torch

from specviz.decoding.drafters import registry
from specviz.decoding.loop import speculate
from specviz.decoding.recorder import LIGHT
from specviz.decoding.testing import ByteTokenizer
from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.models.heads.folder import BoundHead
from specviz.models.networks.lean import LeanDecoder
from specviz.runs.build import build_drafter
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.records import Round
from tests.helpers.heads import random_head
from tests.helpers.lossless import EXPENSIVE
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import text_of
from tests.helpers.tiny_models import perturbed, tiny

pytestmark = pytest.mark.slow

KINDS = ("LlamaForCausalLM", "Qwen3ForCausalLM", "GPT2LMHeadModel")
FEW_IDS = "few ids"
"""A target of twelve ids, whose texts repeat themselves now and then, for drafters that copy: another kind of row."""
COPYING = ("ngram", "suffix", "suffix-model", "suffix-eagle", "quantized")
"""These draft on it; their drafts may be only right or only wrong in the few rounds of the other rows."""
READING = ("model", "tree", "early-exit")
"""These and heads read what another architecture has elsewhere; GPT-2, which our own decoder does not run, has no early exit."""
HEADED = ("medusa", "eagle-tree", "mtp", "dspark-tree")
"""One for each way to draft with a head."""
OTHERS = ("Qwen2ForCausalLM", "MistralForCausalLM", "Starcoder2ForCausalLM", "GPTNeoXForCausalLM")
"""Architectures with a draft model alone, at temperature 0; every text crosses the windows of Mistral and Starcoder 2."""
SOME_IDS = torch.tensor([index for index in range(257) if index % 5])
"""What the heads of GPT-2 score."""
TOKENS, MANY_TOKENS = 16, 32
PROMPT, PROMPT_OF_FEW = tuple(b"abcabc"), (3, 7, 1, 3, 7)
SAMPLING: dict[str, dict[str, Any]] = {
    "greedy": {},
    "shared noise": {"temperature": 1.0, "shared_noise": True, "seed": 7},
    "drawn": {"temperature": 1.0, "seed": 7},
}


def tame(model: CachedModel) -> CachedModel:
    """The same model with all layers but the first damped, so that the first one alone is sometimes right."""
    tamed = deepcopy(model.model)
    with torch.no_grad():
        for name, weight in tamed.named_parameters():
            layer = re.search(r"\.(?:layers|h)\.(\d+)\.", name)
            if layer and int(layer[1]) > 0 and re.search(r"(?:o_proj|down_proj|c_proj)\.", name):
                weight.mul_(0.2)
    return CachedModel(tamed, model.vocabulary, model.end_ids)


def heads_for(target: CachedModel) -> dict[str, BoundHead]:
    """A head of every kind whose guesses are now and then right: that the next tokens are what the target itself would write next."""
    kinds = {described.head for described in registry.descriptions().values() if described.head}
    tokens = SOME_IDS if target.model.config.model_type == "gpt2" else None
    return {kind: random_head(target, kind, noise=0.02, tokens=tokens) for kind in kinds}


def tiny_pair(kind: str) -> Pair:
    """Three layers of this architecture, and a draft with perturbed weights."""
    if kind == FEW_IDS:
        target = CachedModel(deepcopy(tiny("Qwen3ForCausalLM", 1, vocabulary=12).model), 12)
    else:
        target = tame(tiny(kind, 1, vocabulary=257, layers=3))
    one = ModelCard(kind, kind, 1, 3, 16)
    card = PairCard(one, one, DrafterCard("model", "draft model"), "cpu", "float32")
    text: Any = ByteTokenizer()
    return Pair(kind, target, perturbed(target, 0.1), text, card, heads=heads_for(target))


@cache
def shared_pair(kind: str) -> Pair:
    return tiny_pair(kind)


def prompt_of(kind: str) -> tuple[int, ...]:
    return PROMPT_OF_FEW if kind == FEW_IDS else PROMPT


def wanted_text(model: CachedModel, prompt: tuple[int, ...], settings: Settings) -> tuple[int, ...]:
    """What the target alone writes."""
    return plain_text(model, prompt, settings.max_new_tokens, settings.temperature, settings.seed)


@cache
def twin_of(model: CachedModel) -> CachedModel:
    """The same weights with a cache of its own."""
    return CachedModel(model.model, model.vocabulary, model.end_ids)


def check_cache(model: CachedModel, ids: Sequence[int]) -> None:
    """The keys and values of a model are those of one fresh pass over these ids."""
    fresh = twin_of(model)
    fresh.begin(len(ids))
    fresh.forward(torch.tensor(list(ids)))
    cached, wanted = model.network.buffers(), fresh.network.buffers()
    assert len(cached) == len(wanted) > 0
    for ours, other in zip(cached, wanted, strict=True):
        torch.testing.assert_close(ours[..., : len(ids), :], other[..., : len(ids), :], rtol=1e-4, atol=1e-4)


def checked_rounds(pair: Pair, prompt: tuple[int, ...], settings: Settings) -> tuple[Round, ...]:
    """Decode, and check both caches after every round."""
    drafter = build_drafter(pair, settings.drafter, EXPENSIVE)
    drafts = {"model": pair.draft, "suffix-model": pair.draft, "tree": pair.draft}
    draft, text, rounds = drafts.get(settings.drafter), list(prompt), []
    for round_ in speculate(pair.target, drafter, prompt, settings, recorder=LIGHT):
        begun = len(text)
        text += round_.tokens
        rounds.append(round_)
        kept = text if round_.closing is None else text[:-1]
        assert pair.target.length == pair.target.report.kept == len(kept)
        check_cache(pair.target, kept)
        if draft is not None:
            known = draft.report.kept
            assert known < begun, "drafted tokens are not text yet"
            if "suffix" not in settings.drafter:  # where it copies, the draft model reads nothing
                assert settings.policy == "cost" or known >= begun - 2, "the draft dropped text that it had read"
            check_cache(draft, text[:known])
    return tuple(rounds)


ROWS = [
    *((FEW_IDS, name) for name in COPYING),
    *((kind, "model") for kind in OTHERS),
    *(
        (kind, drafter.name)
        for kind in KINDS
        for drafter in registry.descriptions().values()
        if drafter.name != "quantized"  # a copy of the target, whose architecture makes no difference
        and (kind, drafter.name) != (KINDS[2], "early-exit")
        and (kind == KINDS[0] or drafter.name in READING or (kind == KINDS[2] and drafter.name in HEADED))
    ),
]


def ways_of(kind: str, drafter: str) -> Iterator[Settings]:
    """The settings of a row: each policy on one architecture, since none knows its model."""
    described = registry.describe(drafter)
    policies = described.policies if kind == KINDS[0] and not described.head else ("fixed",)
    for policy in policies:
        for sampling, chosen in SAMPLING.items():
            if (sampling == "drawn" and policy != "fixed") or (kind in OTHERS and sampling != "greedy"):
                continue
            tokens = MANY_TOKENS if kind == FEW_IDS else TOKENS
            usual = Settings(k=4, nodes=9, max_new_tokens=tokens, drafter=drafter, policy=policy, **chosen)
            yield registry.fitted(usual)


@pytest.mark.parametrize(("kind", "drafter"), ROWS)
def test_text_and_caches(kind: str, drafter: str) -> None:
    """The table of losslessness: chains and trees, on every architecture, with every drafter. After every round both caches are a fresh pass
    over the text; greedy and with shared noise it is the plain text. Some rounds accept tokens, and some reject one although there was room."""
    pair = shared_pair(kind)
    prompt, met = prompt_of(kind), Counter[str]()
    for settings in ways_of(kind, drafter):
        wanted = wanted_text(pair.target, prompt, settings) if settings.certain else ()
        rounds = checked_rounds(pair, prompt, settings)
        if settings.certain:
            assert text_of(rounds) == wanted, settings
        if registry.describe(drafter).head and kind == KINDS[2]:
            assert {d.token for r in rounds if r.source is None for d in r.drafted} <= {*SOME_IDS.tolist()}
        met["accepted"] += sum(bool(round_.accepted) for round_ in rounds)
        met["rejected"] += sum(len(round_.accepted) < 4 <= len(round_.drafted) for round_ in rounds)
    again = plain_text.__wrapped__(pair.target, prompt, settings.max_new_tokens)
    before = plain_text(pair.target, prompt, settings.max_new_tokens)
    assert again == before, "the target's weights were changed for the drafter"
    if drafter not in COPYING:
        assert min(met["accepted"], met["rejected"]) > 0, met
    elif kind == FEW_IDS:
        assert met["accepted"] > 2, met


def test_caches_of_other_trees() -> None:
    """With random draws, trees with other children keep both caches correct too."""
    for children in ("distinct", "top"):
        settings = Settings(k=4, nodes=9, max_new_tokens=TOKENS, drafter="tree", children=children, **SAMPLING["drawn"])
        checked_rounds(shared_pair(KINDS[2]), PROMPT, settings)


# ---- bugs, planted


def check(drafter: str, kind: str = "LlamaForCausalLM") -> Callable[[], None]:
    def caches_and_text() -> None:
        pair = tiny_pair(kind)
        prompt, settings = prompt_of(kind), next(ways_of(kind, drafter))
        wanted = wanted_text(pair.target, prompt, settings)
        assert text_of(checked_rounds(pair, prompt, settings)) == wanted
        assert plain_text.__wrapped__(pair.target, prompt, settings.max_new_tokens) == wanted

    return caches_and_text


PLANTED = [
    Plant("early exit: the last drafted token is written over the first", check("early-exit"), CachedModel, "_read", "rest = Positions(positions.begin + ahead.count,", "rest = Positions(positions.begin,"),
    Plant("early exit: the upper layers continue from states in the wrong order", check("early-exit"), CachedModel, "_read", "torch.cat(states)", "torch.cat(states[::-1])"),
    Plant("early exit: the look-ahead states outlive the tokens that were rejected", check("early-exit"), CachedModel, "_read", "ahead, self._ahead = self._ahead, None", "ahead = self._ahead = self._ahead and _Ahead(self._ahead.depth, self._ahead.states[:1] * len(self._ahead.states))"),
    Plant("tree: the accepted path is not moved together", check("tree"), LeanDecoder, "keep", "buffer.index_select(1, indices)", "buffer[:, begin : begin + len(slots)]"),
    Plant("tree: the accepted path is moved in the wrong order", check("tree"), CachedModel, "keep", "for i in indices]", "for i in indices[::-1]]"),
    Plant("suffix: what was rejected stays in the cache", check("suffix", FEW_IDS), CachedModel, "keep", "length = self._committed + len(indices)", "length = self.length"),
]  # fmt: skip


test_planted_bug_is_detected = caught(
    PLANTED,
    "The check that the table makes without a bug fails with it.",
    errors=(AssertionError, PairError, RuntimeError),
)
