"""Claims about the Medusa heads: which head drafts what, from which state; and that no draft of theirs changes the target's distribution."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.best_first import best_first
from specviz.decoding.drafters.medusa import LastState, MedusaDrafter
from specviz.decoding.drafters.medusa_tree import MedusaTreeDrafter, shape
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import Drafter, Scores
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.errors import PairError, ScoresError
from specviz.models import CachedModel
from specviz.models.heads import medusa as network
from specviz.models.heads.folder import BoundHead
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.kinds import network_of
from specviz.settings import Settings
from tests.helpers.heads import random_head, spec_for
from tests.helpers.oracles import largest_error, oracle_texts, plain_text
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, speculated, text_of
from tests.helpers.tiny_models import fresh_logits, tiny

KINDS = ("LlamaForCausalLM", "Qwen3ForCausalLM", "GPT2LMHeadModel")
CHAIN, TREE = Settings(drafter="medusa"), Settings(drafter="medusa-tree", children="top", nodes=7)


def drafter_of(settings: Settings, head: Any) -> Drafter:
    return MedusaTreeDrafter(head) if settings.drafter == "medusa-tree" else MedusaDrafter(head)


# ---- which state, which head


class Noted:
    """A head that notes the states that it is given, and scores random tokens."""

    def __init__(self, vocabulary: int, heads: int = 3, **options: Any) -> None:
        self.spec = SimpleNamespace(kind="medusa", options={"heads": heads, **options})
        self.taps = (4,)
        self.nbytes = 0
        self.frozen: Any = SimpleNamespace(
            vocabulary=vocabulary, device=torch.device("cpu"), dtype=torch.float64, tokens=None, full=lambda rows: rows
        )
        self.given: list[list[float]] = []

    def network(self, state: Tensor, frozen: object, count: int) -> Tensor:
        self.given.append(state.tolist())
        seed = torch.Generator().manual_seed(len(self.given))
        return torch.randn(count, self.frozen.vocabulary, generator=seed, dtype=torch.float64)


def check_states(settings: Settings) -> None:
    """The table model's states are [id, position, tap]: in every round the heads read that of the last token but one of the text."""
    for seed in range(6):
        target, head = TableModel.random(3, seed, end_ids=(2,) if seed % 2 else ()), Noted(3)
        for prompt in ([1], [0, 1], [1, 0, 1, 1]):
            head.given.clear()
            rounds = rounds_of(
                target, drafter_of(settings, head), prompt, replace(settings, max_new_tokens=12, k=3, seed=seed)
            )
            text = [*prompt, *text_of(rounds)]
            lengths = [len(prompt) + r.start for r in rounds if r.drafted]
            assert head.given == [[text[length - 2], length - 2, 4] for length in lengths]
            assert all(bool(r.drafted) == (r.start + 1 < 12 and len(prompt) + r.start > 1) for r in rounds)


@pytest.mark.parametrize("settings", [CHAIN, TREE], ids=["chain", "tree"])
def test_the_heads_read_the_state_of_the_last_token_that_was_read(settings: Settings) -> None:
    """After full, partial and no acceptance, after an end of text, and after prompts of one token, where there is no state yet; one
    drafter serves several texts and remembers nothing of the one before."""
    check_states(replace(settings, temperature=1.0))
    head = Noted(3)
    drafter, target = drafter_of(settings, head), TableModel.random(3, 1)
    for prompt in ([0, 1, 0], [1]):
        rounds = rounds_of(target, drafter, prompt, replace(settings, max_new_tokens=4))
        assert bool(rounds[0].drafted) == (len(prompt) > 1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("reading.kept[-1], 0", "reading.kept[-1] - 1, 0"),
        ("reading.kept[-1], 0", "-1, 0"),
        ("reading.kept[-1], 0", "len(reading.kept) - 1, 0"),
    ],
    ids=["one earlier", "the last row", "counted instead of followed"],
)
def test_a_wrong_state_is_noticed(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above fails for each; in a tree the kept tokens are not the first rows."""
    plant(Plant("feature", lambda: None, LastState, "saw", old, new), monkeypatch)
    with pytest.raises(AssertionError):
        check_states(replace(TREE, temperature=1.0))


class Remembered(TableModel):
    """A target with the scores, or others, and the final states of a tiny real model, which makes one pass for every history."""

    def __init__(
        self, model: CachedModel, logits: Callable[[tuple[int, ...]], Any], end_ids: tuple[int, ...] = ()
    ) -> None:
        super().__init__(model.vocabulary, logits, end_ids=end_ids)
        self._model = model

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        before, found = len(self._pending), super().forward(tokens, parents, rows)
        if found.states is None:
            return found
        states = [final_states(self._model, read.history)[-1:] for read in self._pending[before:]]
        return Scores(found.logits, torch.stack(states))


@lru_cache(maxsize=4096)
def final_states(model: CachedModel, history: tuple[int, ...]) -> Tensor:
    """[m, width] what lm_head reads, in one pass of transformers' own modules."""
    with torch.no_grad():
        found: Tensor = model.model(torch.tensor([history]), use_cache=False, output_hidden_states=True).hidden_states[
            -1
        ][0]
    return found


PERIOD, HEADS = 5, 3


@lru_cache
def reader() -> CachedModel:
    return tiny("LlamaForCausalLM", 3, vocabulary=PERIOD)


def trained(ahead: int) -> BoundHead:
    """Heads that learned a text with a period from the states of a tiny model, labels `ahead` positions later than the state and on."""
    model = reader()
    head = random_head(model, noise=0.1, heads=HEADS, accuracies=[[0.9, 0.1]] * HEADS)
    head.network.requires_grad_(True)
    text = torch.arange(60) % PERIOD
    states = final_states(model, tuple(text.tolist()))
    labels = torch.stack([text[ahead + i : len(text) - ahead - HEADS + i + 1] for i in range(HEADS)], dim=1)
    frozen = Frozen.of_model(model.model, PERIOD)
    optimizer = torch.optim.Adam(head.network.parameters(), lr=0.05)
    for _ in range(150):
        logits = head.network(states[: len(labels)], frozen)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    head.network.requires_grad_(False)
    return head


def check_periodic(head: BoundHead) -> None:
    """After the prompt everything that is drafted is right."""
    target = Remembered(
        reader(), lambda history: [20.0 * (token == (history[-1] + 1) % PERIOD) for token in range(PERIOD)]
    )
    prompt, tokens = [0, 1, 2, 3, 4, 0, 1, 2], 40
    for settings in (CHAIN, replace(TREE, nodes=HEADS + 2)):
        rounds = rounds_of(
            target, drafter_of(settings, head), prompt, replace(settings, k=HEADS, max_new_tokens=tokens)
        )
        assert text_of(rounds) == tuple((3 + i) % PERIOD for i in range(tokens))
        wrong = [r.start for r in rounds if len(r.accepted) != min(HEADS, tokens - r.start - 1)]
        assert not wrong, f"{len(wrong)} of {len(rounds)} drafts were wrong"


@lru_cache
def right() -> BoundHead:
    return trained(network.AHEAD)


def test_on_a_periodic_text_every_guess_is_right() -> None:
    """Heads that learned labels `AHEAD` later, read as the drafter reads them, draft a text with a period without a mistake."""
    check_periodic(right())


@pytest.mark.parametrize("ahead", [network.AHEAD - 1, network.AHEAD + 1])
def test_a_shifted_label_is_noticed(ahead: int) -> None:
    """Heads that learned the token next to the right one never draft the right one."""
    with pytest.raises(AssertionError, match="were wrong"):
        check_periodic(trained(ahead))


@pytest.mark.parametrize(
    ("owner", "name", "old", "new"),
    [
        (LastState, "saw", "[reading.kept[-1], 0]", "[reading.kept[-1] - 1, 0]"),
        (LastState, "scores", "(self.state, frozen, count)", "(self.state, frozen, count).roll(-1, 0)"),
        (
            network.MedusaHead,
            "moved",
            "zip(each, self.turns[:wanted], strict=True)",
            "zip(each[1:] + each[:1], self.turns[:wanted], strict=True)",
        ),
    ],
    ids=["feature", "head", "blocks"],
)
def test_an_off_by_one_is_noticed(owner: Any, name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state of the token before, the next head in place of one, blocks in another order."""
    head = right()
    plant(Plant("off by one", lambda: None, owner, name, old, new), monkeypatch)
    with pytest.raises(AssertionError, match="were wrong"):
        check_periodic(head)


# ---- lossless


@lru_cache(maxsize=4096)
def scores_of(model: CachedModel, history: tuple[int, ...]) -> Tensor:
    return fresh_logits(model, history)[-1].double()


WARPS: tuple[dict[str, Any], ...] = (
    {"temperature": 1.0},
    {"temperature": 0.7, "top_k": 2},
    {"temperature": 1.5, "top_p": 0.8},
)


@pytest.mark.parametrize("settings", [CHAIN, replace(TREE, nodes=4)], ids=["chain", "tree"])
def test_every_branch_adds_up_to_the_targets_distribution(settings: Settings) -> None:
    """Over every sequence of draws of the shipped loop, with heads of random weights on tiny models in float64, to 1e-10."""
    for kind, warped, prompt, ends in zip(KINDS, WARPS, ((0, 1, 0), (1,), (2, 2)), ((), (), (0,)), strict=True):
        model = tiny(kind, 5, vocabulary=3, dtype=torch.float64)
        head, target = random_head(model, heads=2, noise=0.5), Remembered(model, partial(scores_of, model), ends)
        chosen = replace(settings, k=2, max_new_tokens=3, **warped)
        found = speculated(target, lambda head=head: drafter_of(settings, head), prompt, chosen)  # type: ignore[misc]
        wanted = oracle_texts(lambda h, model=model: scores_of(model, h).tolist(), prompt, chosen, frozenset(ends))  # type: ignore[misc]
        assert abs(sum(found.values()) - 1) < 1e-10
        assert largest_error(found, wanted) < 1e-10, (kind, warped)


def test_a_wrong_q_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum above is off where a token is drawn from one head and judged by the distribution of another."""
    from specviz.decoding.drafters import chain

    bug = Plant(
        "another q", lambda: None, chain, "draw_chain", "probabilities.append(q)", "probabilities.append(q.flip(0))"
    )
    plant(bug, monkeypatch)
    with pytest.raises(AssertionError):
        test_every_branch_adds_up_to_the_targets_distribution(CHAIN)


def test_the_text_is_that_of_plain_decoding() -> None:
    """Greedy and with shared noise, by chains and trees, on Qwen 3 with its real cache, from prompts of one and of several tokens; the table of
    `tests/runs/test_prepare_models.py` has Llama and GPT-2."""
    target = tiny("Qwen3ForCausalLM", 1, vocabulary=40)
    head = random_head(target, heads=4)
    for prompt in ((7,), (7, 1, 30, 7, 1)):
        for warped in ({}, {"temperature": 0.8, "shared_noise": True, "seed": 3}):
            written = {
                text_of(rounds_of(target, drafter, prompt, replace(settings, max_new_tokens=24, **warped)))  # type: ignore[arg-type]
                for settings in (CHAIN, TREE)
                for drafter in (NoDrafter(40), drafter_of(settings, head))
            }
            assert len(written) == 1
            assert warped or written == {plain_text(target, prompt, 24)}


def test_heads_that_score_some_ids_draft_only_these() -> None:
    """Every other id has q = 0, drawn or selected, and the text stays the plain one."""
    target, kept = tiny("LlamaForCausalLM", 2, vocabulary=40), torch.tensor([3, 8, 9, 20, 39])
    head = random_head(target, heads=3, tokens=kept)
    for settings in (CHAIN, replace(CHAIN, temperature=1.0), TREE):
        rounds = rounds_of(target, drafter_of(settings, head), [3, 8], replace(settings, max_new_tokens=30))
        drafted = [d for r in rounds for d in r.drafted]
        assert {d.token for d in drafted} <= set(kept.tolist())
        assert len({d.token for d in drafted}) > 1
        assert settings.temperature or text_of(rounds) == plain_text(target, (3, 8), 30)


# ---- shapes, policies, bad input


def test_trees_grow_where_heads_are_right() -> None:
    """The shape is the one of the largest sum of products of accuracies, by hand; siblings share a parent, and no rank is left out."""
    tree = best_first(((0.6, 0.3), (0.5, 0.1)), 4)
    assert (tree.parents, tree.depths, tree.ranks) == ((-1, -1, 0, 1), (0, 0, 1, 1), (0, 1, 0, 0))
    assert best_first(((0.9,), (0.9,), (0.9,)), 9).parents == (-1, 0, 1)
    assert best_first((), 3).parents == ()
    accuracies = [[0.5, 0.4, 0.45], [0.1, 0.05], [0.3]]
    drafter = MedusaTreeDrafter(Noted(9, accuracies=accuracies))
    assert drafter._accuracies == ((0.5, 0.4, 0.4), (0.1, 0.05), (0.3,))
    assert shape(drafter._accuracies, 3).depths == (0, 0, 0)


@pytest.mark.parametrize("found", [[[0.5]], [[0.5], [2.0], [0.1]], "0.5", [[0.5], [], [0.1]], [[0.5], [True], [0.1]]])
def test_accuracies_that_are_none_are_refused(found: Any) -> None:
    """One sentence, before the run."""
    with pytest.raises(PairError, match=r"are not a list of shares for each of its 3 heads: train it again"):
        MedusaTreeDrafter(Noted(9, accuracies=found))


def test_policies_shorten_a_draft() -> None:
    """By history after rejections; by confidence after a token of low probability, which is still judged."""
    target = TableModel.random(9, 0)
    history = rounds_of(
        target, MedusaDrafter(Noted(9)), [0, 1], replace(CHAIN, k=3, policy="history", max_new_tokens=20)
    )
    assert {len(r.drafted) for r in history[:-1]} > {1}
    unsure = replace(CHAIN, k=3, policy="confidence", threshold=0.99, max_new_tokens=8)
    assert all(len(r.drafted) == 1 for r in rounds_of(target, MedusaDrafter(Noted(9)), [0, 1], unsure)[:-1])


def test_scores_that_are_not_numbers_end_the_run() -> None:
    """A damaged head is named as the draft, and no token of it is written."""
    target = tiny("LlamaForCausalLM", 2, vocabulary=20)
    head = random_head(target, noise=float("nan"))
    for settings in (CHAIN, TREE):
        with pytest.raises(ScoresError, match="draft"):
            rounds_of(target, drafter_of(settings, head), [3, 8], replace(settings, max_new_tokens=9))


def test_another_drafter_may_come_between() -> None:
    """The same drafter after another one on the same target writes what it wrote before."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=40)
    drafter = MedusaDrafter(random_head(target))
    settings = replace(CHAIN, max_new_tokens=20)
    before = rounds_of(target, drafter, [7, 1, 30], settings)
    rounds_of(target, ScriptedDrafter(40, [[1, 2], [3]]), [5, 6], settings)
    again = rounds_of(target, drafter, [7, 1, 30], settings)
    assert [[d.token for d in r.drafted] for r in again] == [[d.token for d in r.drafted] for r in before]


def test_a_new_head_says_what_the_target_says() -> None:
    """Before training every head has the target's own scores."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=40)
    spec = spec_for(target, heads=2)
    states, frozen = final_states(target, (7, 1, 30)), Frozen.of_model(target.model, 40)
    scores = network_of(spec)(states, frozen)
    torch.testing.assert_close(scores, frozen.score(states).unsqueeze(1).expand(3, 2, 40))
    assert registry.describe("medusa").head == spec.kind
