"""Claims about the drafter with a model of its own: limits, distributions, and a cache in step with the text."""

import pytest
import torch

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.sampling import CertainDraws, SeededDraws, warp
from specviz.decoding.testing import TableModel
from specviz.settings import Settings

WARM = Settings(k=4, temperature=0.7, top_p=0.9)


def begun(prompt: tuple[int, ...] = (3, 1)) -> tuple[TableModel, ModelDrafter]:
    model = TableModel.random(5, 1)
    drafter = ModelDrafter(model)
    drafter.begin(prompt, 64)
    return model, drafter


@pytest.mark.parametrize("limit", [0, 1, 2, 7])
def test_limit_is_kept(limit: int) -> None:
    """A chain of exactly `limit` tokens is proposed, whatever the settings' k; none if the limit is 0."""
    _, drafter = begun()
    draft = drafter.propose([3, 1], WARM, SeededDraws(0), limit)
    assert draft.tokens.shape == (limit,)
    assert draft.tokens.dtype == torch.long
    assert draft.probabilities.shape == (limit, 5)
    assert draft.is_chain
    assert draft.parents == tuple(range(-1, limit - 1))


def test_q_is_what_the_token_was_drawn_from() -> None:
    """Each row of q is the warped distribution after the tokens before it, and its logits are the model's own."""
    model, drafter = begun()
    draft = drafter.propose([3, 1], WARM, SeededDraws(0), 4)
    assert draft.logits is not None
    for index in range(4):
        logits = model.scores((3, 1, *draft.tokens[:index].tolist()))
        assert torch.equal(draft.logits[index], logits)
        assert torch.equal(draft.probabilities[index], warp(logits, WARM))
        assert draft.probabilities[index, draft.tokens[index]] > 0


def test_a_prompt_of_one_token_needs_no_reading_ahead() -> None:
    """The last token of a prompt is read with the first draft, so a prompt of one token is read only there."""
    model, drafter = begun((2,))
    assert model.passes == []
    drafter.propose([2], WARM, CertainDraws(), 2)
    assert model.passes[0] == (2,)


@pytest.mark.parametrize(
    ("accepted", "reads"), [(0, (9,)), (1, (9,)), (2, (9,)), (3, (None, 9))], ids=["none", "one", "two", "all"]
)
def test_only_what_is_new_is_read_again(accepted: int, reads: tuple[int | None, ...]) -> None:
    """After a draft of three the next one reads the closing token, and the last drafted token too if all were accepted."""
    model = TableModel(10, lambda history: [float(-abs(t - len(history))) for t in range(10)])
    drafter = ModelDrafter(model)
    drafter.begin((0, 0), 64)
    tokens = drafter.propose([0, 0], Settings(), CertainDraws(), 3).tokens.tolist()
    before = len(model.passes)
    committed = [0, 0, *tokens[:accepted], 9]
    drafter.propose(committed, Settings(), CertainDraws(), 2)
    assert model.passes[before] == tuple(tokens[-1] if token is None else token for token in reads)
    assert model.kept == tuple(committed[: len(committed) - len(reads)])
    assert model.length == len(committed) + 1, "the text, and the first of the two new tokens"


def test_a_round_without_room_keeps_the_cache_in_step() -> None:
    """A round in which nothing may be drafted loses nothing: the next draft continues with the text."""
    model, drafter = begun()
    first = drafter.propose([3, 1], Settings(), CertainDraws(), 3).tokens.tolist()
    text = [3, 1, first[0], 4]
    assert drafter.propose(text, Settings(), CertainDraws(), 0).tokens.shape == (0,)
    draft = drafter.propose([*text, 2], Settings(), CertainDraws(), 2)
    assert draft.logits is not None
    assert torch.equal(draft.logits[0], model.scores((*text, 2)))
