"""Models whose state cannot be cut, and trees that are read path by path: every score is that of the same tokens in a row."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.models.cached_model import CachedModel
from specviz.models.checks.paths import check_cache
from specviz.models.networks import states
from specviz.models.networks.replay import ReplayNetwork
from tests.helpers.architectures import VOCABULARY, build
from tests.helpers.planting import Plant, plant

pytestmark = pytest.mark.slow

WAYS = ("lfm2", "qwen3_next", "deepseek_v32")
"""One for each way to keep a state, of which the last has nothing but keys, and selects among them. Every drafter's text on all the others is in
`tests/architectures`."""
PROMPT = (7, 90, 23, 150, 42)
PENDING = (11, 201, 64, 33, 120, 9)
PARENTS = (-1, 0, 0, 1, 2, 1)
"""A tree of the pending tokens with three leaves."""
LATER = (77, 5)


def in_a_row(model: Any, text: Sequence[int]) -> Tensor:
    """[m, V] scores of the m tokens of `text` after the prompt, from one pass without a cache."""
    with torch.inference_mode():
        found: Tensor = model(torch.tensor([[*PROMPT, *text]]), use_cache=False).logits[0, len(PROMPT) :]
    return found


def built(name: str) -> Any:
    """The row's model. State-space layers compute in blocks of 8 tokens, where their default of 256 would mostly compute padding."""
    model = build(name)
    for module in model.modules():
        if isinstance(getattr(module, "chunk_size", None), int):
            module.chunk_size = 8
    return model


def started(model: CachedModel) -> CachedModel:
    """The model after the prompt."""
    model.begin(64)
    model.forward(torch.tensor(PROMPT), rows=1)
    model.keep(range(len(PROMPT)))
    return model


def same(found: Tensor, wanted: Tensor) -> bool:
    return torch.allclose(found, wanted, rtol=0, atol=3e-5 * float(wanted.abs().max()))


def path_to(node: int, parents: Sequence[int] = PARENTS) -> list[int]:
    return [*path_to(parents[node], parents), node] if node >= 0 else []


def check_chains(model: CachedModel, untouched: Any) -> None:
    """A chain rolled back to every length scores as it should, and so do the tokens that follow what was kept."""
    in_order = in_a_row(untouched, PENDING)
    for kept in (0, 1, 4, len(PENDING)):
        started(model)
        pending = model.forward(torch.tensor(PENDING)).logits
        model.keep(range(kept))
        after = model.forward(torch.tensor(LATER)).logits
        model.keep([0])
        last = model.forward(torch.tensor(PENDING[:1])).logits
        assert model.length == len(PROMPT) + kept + 2
        assert same(pending, in_order), f"the chain before keeping {kept}"
        wanted = in_a_row(untouched, [*PENDING[:kept], *LATER])
        assert same(after, wanted[-len(LATER) :]), f"two tokens after keeping {kept}"
        wanted = in_a_row(untouched, [*PENDING[:kept], LATER[0], PENDING[0]])
        assert same(last, wanted[-1:]), f"one token after keeping {kept} and 1"


def check_trees(model: CachedModel, untouched: Any) -> None:
    """A tree, read at once or level by level, scores as its paths do, and so do the tokens that follow the path that was kept."""
    levels = [[0], [1, 2], [3, 4, 5]]
    paths = {node: [PENDING[i] for i in path_to(node)] for node in range(len(PENDING))}
    in_order = {node: in_a_row(untouched, path)[-1] for node, path in paths.items()}
    for leaf in (-1, 2, 3, 4):
        started(model)
        if leaf % 2:
            rows = model.forward(torch.tensor(PENDING), PARENTS).logits
        else:
            read = [
                model.forward(torch.tensor([PENDING[i] for i in level]), [PARENTS[i] - level[0] for i in level]).logits
                for level in levels
            ]
            rows = torch.cat(read)
        path = path_to(leaf)
        model.keep(path)
        after = model.forward(torch.tensor(LATER)).logits
        assert model.length == len(PROMPT) + len(path) + 2
        for node in range(len(PENDING)):
            assert same(rows[node], in_order[node]), f"node {node}"
        wanted = in_a_row(untouched, [*(PENDING[i] for i in path), *LATER])
        assert same(after, wanted[-len(LATER) :]), f"after keeping the path to {leaf}"


def check_all(model: CachedModel, untouched: Any) -> None:
    check_chains(model, untouched)
    check_trees(model, untouched)


@pytest.mark.parametrize("name", WAYS)
def test_a_state_that_cannot_be_cut_is_replayed(name: str) -> None:
    """Chains and trees, rolled back to every length, score as the same tokens in a row do."""
    model, untouched = CachedModel(built(name), VOCABULARY), built(name)
    assert check_cache(model).passed
    check_all(model, untouched)


@pytest.mark.parametrize("name", ["llama", "mistral_sliding"])
def test_any_model_can_read_trees_path_by_path(name: str) -> None:
    """After `read_trees_by_path` our own decoder and transformers' modules score trees as before."""
    model = CachedModel(built(name), VOCABULARY)
    check_trees(model, built(name))
    model.read_trees_by_path("for this test")
    assert isinstance(model.network, ReplayNetwork)
    assert model.network.trees_by_path == "for this test"
    check_all(model, built(name))


def check_hybrid() -> None:
    check_all(CachedModel(built("lfm2"), VOCABULARY), built("lfm2"))


PLANTED = (
    Plant("the first of the tokens to read again is left out", check_hybrid, ReplayNetwork, "_follow", "[*range(begin, self._text), *path", "[*range(min(begin + 1, self._text), self._text), *path"),
    Plant("a state is saved under the length of the text one token before", check_hybrid, ReplayNetwork, "_save", "self._saved[length] =", "self._saved[max(0, length - 1)] ="),
    Plant("what is saved is the state itself", check_hybrid, states, "copied", "return value.clone()", "return value"),
)  # fmt: skip


@pytest.mark.parametrize("bug", PLANTED, ids=str)
def test_a_wrong_replay_is_caught(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token too few, a state of another length, or one that the next pass overwrites changes the scores; `test_known_bugs.py` has a state that
    is not restored."""
    plant(bug, monkeypatch)
    with pytest.raises(AssertionError, match=r"keeping|node"):
        bug.check()


def test_one_set_of_modules_serves_several_texts() -> None:
    """A model that keeps its state in its modules may be read by two networks in turn."""
    weights = built("recurrent_gemma")
    one, other = started(CachedModel(weights, VOCABULARY)), started(CachedModel(weights, VOCABULARY))
    for token in PENDING:
        one.forward(torch.tensor([token]))
        other.forward(torch.tensor([token + 1]))
    wanted = in_a_row(built("recurrent_gemma"), [*PENDING, *LATER])
    assert same(one.forward(torch.tensor(LATER)).logits, wanted[-len(LATER) :])
