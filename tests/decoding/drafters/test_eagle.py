"""Claims about drafting with EAGLE heads: what they read. That they are lossless is in `tests/decoding/test_lossless.py`."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters import growing
from specviz.decoding.drafters.eagle import EagleDrafter, EagleTreeDrafter, PairsOfText
from specviz.decoding.protocols import Draft, Reading
from specviz.decoding.sampling import Draws, warp
from specviz.models import CachedModel
from specviz.models.heads.eagle import EagleReader
from specviz.models.heads.folder import BoundHead
from specviz.settings import Settings
from specviz.trace.records import Closing
from tests.helpers.heads import random_head
from tests.helpers.planting import Plant, caught
from tests.helpers.published import Arithmetic
from tests.helpers.rounds import Spy, rounds_of
from tests.helpers.tiny_models import tiny

pytestmark = pytest.mark.slow

WAYS: dict[str, tuple[type[EagleDrafter | EagleTreeDrafter], dict[str, Any], dict[str, Any]]] = {
    "chain": (EagleDrafter, {"drafter": "eagle"}, {}),
    "tree": (EagleTreeDrafter, {"drafter": "eagle-tree", "children": "top", "nodes": 5}, {}),
    "MTP": (EagleDrafter, {"drafter": "mtp"}, {}),
}
"""The drafter, its settings, and the options of its head."""


@torch.no_grad()
def plain_scores(head: BoundHead, states: Tensor, tokens: Sequence[int]) -> Tensor:
    """[V] scores of the token after `tokens`, the second token of the text and all after it: with the states [n, taps, width] of the text's first n
    tokens, and guesses instead of the states of all further ones. Every guess is made by a new pass over everything before it."""
    network: Any = head.network
    features, embedded = network.entering(states), head.frozen.embed(torch.tensor(tokens))
    net = Arithmetic(
        {"rms_norm_eps": 0.0, "head_dim": network.shape.head_width, "rope_theta": network.shape.rope_theta}, {}
    )

    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        at = torch.arange(len(q))
        return net.attention(net.turned(q, at), net.turned(k, at), v, at[:, None] >= at).view_as(q)

    while True:
        guesses = network(embedded[: len(features)], features, attend)
        if len(features) == len(tokens):
            return head.frozen.full(head.frozen.score(network.ready(guesses[-1:])))[0]
        features = torch.cat([features, guesses[-1:]])


class Recomputed(Spy):
    """Compares every score with plain passes of target and head over the whole text."""

    def __init__(self, inner: EagleDrafter | EagleTreeDrafter, target: CachedModel) -> None:
        super().__init__(inner)
        self.target = target

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = super().propose(committed, settings, draws, limit)
        if not draft.parents:
            return draft
        assert draft.logits is not None
        states = true_states(self.target, committed[:-1], self.taps)
        paths: list[list[int]] = []
        for token, parent, logits, q in zip(
            draft.tokens.tolist(), draft.parents, draft.logits, draft.probabilities, strict=True
        ):
            before = paths[parent] if parent >= 0 else []
            wanted = plain_scores(self.inner.head, states, [*committed[1:], *before])
            torch.testing.assert_close(logits, wanted, rtol=1e-5, atol=1e-5)
            if settings.children == "top" or settings.greedy:
                assert float(q[token]) == 1
            else:
                assert torch.equal(q, warp(logits, settings))
            paths.append([*before, token])
        return draft


def true_states(target: CachedModel, ids: Sequence[int], taps: tuple[int, ...]) -> Tensor:
    with torch.no_grad():
        found = target.model(torch.tensor([list(ids)]), output_hidden_states=True, use_cache=False).hidden_states
    return torch.stack([found[tap][0] for tap in taps], dim=1)


def check_states(kind: str = "LlamaForCausalLM") -> None:
    target = tiny(kind, 1, vocabulary=6, layers=3, width=8, dtype=torch.float64, end_ids=(5,))
    seen: set[str] = set()
    for seed in range(4):
        prompt = [[2], [3, 1], [0, 1, 4], [4, 4, 2, 0, 1, 3, 1]][seed % 4]
        for way, temperature in (("chain", 1.5), ("tree", 1.5), ("tree", 0.0), ("MTP", 1.5)):
            make, chosen, options = WAYS[way]
            settings = Settings(k=3, temperature=temperature, max_new_tokens=16, seed=seed, **chosen)
            kind, taps = ("mtp", (3,)) if way.startswith("MTP") else ("eagle3", (0, 1, 2, 3))
            inner = make(random_head(target, kind, seed=seed, noise=1.5, taps=taps, **options))
            rounds_of(target, inner, [1, 3], Settings(max_new_tokens=5, **chosen))  # something to be forgotten
            drafter = Recomputed(inner, target)
            rounds = [round_ for round_ in rounds_of(target, drafter, prompt, settings) if round_.drafted]
            assert (not drafter.proposed[0].parents) == (len(prompt) == 1), (
                "there is no state to draft from in the first round"
            )
            for round_ in rounds:
                if round_.closing is None:
                    seen.add("end of text")
                elif round_.closing.how is Closing.BONUS:
                    seen.add("all")
                else:
                    seen.add("some" if round_.accepted else "none")
    assert seen == {"end of text", "none", "some", "all"}


def test_it_reads_the_true_states_of_the_text() -> None:
    """After full, partial, no and end-of-text acceptance, after prompts of one token, two and many: every score is that of a plain pass
    over the target's true states of the text and the guesses of this draft alone."""
    check_states()


PLANTED = (
    Plant("the first rows of a pass", check_states, Reading, "kept_states", "states[torch.tensor(indices, device=states.device)]", "states[: len(indices)]"),
    Plant("the last rows of a pass", check_states, Reading, "kept_states", "states[indices[0] : indices[-1] + 1]", "states[-len(indices) :]"),
    Plant("a token's own pair", check_states, PairsOfText, "read", "committed[first + 1 : self._pairs_read + 1]", "committed[first : self._pairs_read]"),
    Plant("the prompt again", check_states, PairsOfText, "saw", "self._pairs_read = len(states)", "self._pairs_read = len(states) - 1"),
    Plant("pairs of the text before", check_states, EagleReader, "begin", "self.length, self._parents = 0, []", "pass"),
    Plant("a tree's nodes follow the text", check_states, growing.LevelReader, "read", "self.slots[parents[n]] if parents[n] != ROOT else ", ""),
    Plant("a shorter text", check_states, EagleReader, "read", "self.length = at.stop", "self.length = at.stop - 1"),
    Plant("guesses stay in the cache", check_states, EagleReader, "read", "self.drop()", "self.length += len(self._parents)"),
    Plant("guesses stay among the parents", check_states, EagleReader, "drop", "self._parents, self._outputs = []", "self._outputs = self._outputs #"),
    Plant("a node follows the last state", check_states, EagleReader, "guess", "self._outputs[before]", "self._outputs[-1:].expand(len(parents), -1)"),
    Plant("a node follows its neighbour", check_states, EagleReader, "guess", "first + parent + 1", "first + parent"),
    Plant("nodes see their siblings", check_states, EagleReader, "guess", ", positions.attends)", ", None)"),
    Plant("nodes are at their slots' positions", check_states, EagleReader, "guess", "at if positions.ids is None else positions.ids", "at"),
    Plant("the last pair is one position late", check_states, EagleReader, "_pass", "slice(at.stop - 1, at.stop)", "slice(at.stop, at.stop + 1)"),
    Plant("keys are not turned", check_states, EagleReader, "_pass", "self._rotate(k, positions)", "k"),
)  # fmt: skip


test_every_index_matters = caught(PLANTED, "With one planted bug the head reads something else.")
