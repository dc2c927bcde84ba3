"""Claims about the Medusa heads: which head drafts what, from which state. That they are lossless is in `tests/decoding/test_lossless.py`."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.best_first import best_first
from specviz.decoding.drafters.medusa import LastState, MedusaDrafter
from specviz.decoding.drafters.medusa_tree import MedusaTreeDrafter, shape
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import TableModel
from specviz.errors import PairError, ScoresError
from specviz.models.heads import medusa as network
from specviz.settings import Settings
from tests.helpers.heads import random_head
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import rounds_of, text_of
from tests.helpers.tiny_models import tiny

CHAIN, TREE = Settings(drafter="medusa"), Settings(drafter="medusa-tree", children="top", nodes=7)


def drafter_of(settings: Settings, head: Any) -> Drafter:
    return MedusaTreeDrafter(head) if settings.drafter == "medusa-tree" else MedusaDrafter(head)


# ---- which state, which head


class Noted:
    """A head that notes the states that it is given, and scores random tokens."""

    def __init__(self, vocabulary: int, heads: int = 3, **options: Any) -> None:
        self.spec = SimpleNamespace(kind="medusa", options={"heads": heads, **options})
        self.taps = (4,)
        self.frozen: Any = SimpleNamespace(
            vocabulary=vocabulary, device=torch.device("cpu"), dtype=torch.float64, tokens=None, full=lambda rows: rows
        )
        self.given: list[list[float]] = []
        self.rows: list[Tensor] = []

    def network(self, state: Tensor, frozen: object, count: int) -> Tensor:
        self.given.append(state.tolist())
        seed = torch.Generator().manual_seed(len(self.given))
        self.rows.append(torch.randn(count, self.frozen.vocabulary, generator=seed, dtype=torch.float64))
        return self.rows[-1]


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


def test_a_guess_is_its_own_heads() -> None:
    """Guess i is that of head i, which learned what stands `AHEAD + i` tokens after its state."""
    target, head = TableModel.random(9, 1), Noted(9)
    settings = replace(CHAIN, k=3, max_new_tokens=12)
    rounds = [round_ for round_ in rounds_of(target, MedusaDrafter(head), [0, 1], settings) if round_.drafted]
    for round_, rows, state in zip(rounds, head.rows, head.given, strict=True):
        assert [d.token for d in round_.drafted] == rows[: len(round_.drafted)].argmax(-1).tolist()
        assert round_.start + 2 == state[1] + network.AHEAD, "the index of the first guess"


IN_TREES = partial(check_states, replace(TREE, temperature=1.0))
"""In a tree the kept tokens are not the first rows."""
PLANTED = [
    Plant("one earlier", IN_TREES, LastState, "saw", "reading.kept[-1], 0", "reading.kept[-1] - 1, 0"),
    Plant("the last row", IN_TREES, LastState, "saw", "reading.kept[-1], 0", "-1, 0"),
    Plant("counted instead of followed", IN_TREES, LastState, "saw", "reading.kept[-1], 0", "len(reading.kept) - 1, 0"),
    Plant("the next head", test_a_guess_is_its_own_heads, LastState, "scores", "frozen, count)", "frozen, count).roll(-1, 0)"),
]  # fmt: skip
test_a_wrong_state_or_head_is_noticed = caught(PLANTED, "The checks above fail for each.")


# ---- some ids, shapes, policies, bad input


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


def test_accuracies_that_are_none_are_refused() -> None:
    """One sentence, before the run."""
    for found in ([[0.5]], "0.5", [[0.5], [2.0], [0.1]]):
        with pytest.raises(PairError, match=r"are not a list of shares for each of its 3 heads: get it again"):
            MedusaTreeDrafter(Noted(9, accuracies=found))


def test_scores_that_are_not_numbers_end_the_run() -> None:
    """A damaged head is named as the draft, and no token of it is written."""
    target = tiny("LlamaForCausalLM", 2, vocabulary=20)
    head = random_head(target, noise=float("nan"))
    for settings in (CHAIN, TREE):
        with pytest.raises(ScoresError, match="draft"):
            rounds_of(target, drafter_of(settings, head), [3, 8], replace(settings, max_new_tokens=9))
