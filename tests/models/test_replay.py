"""Models whose state cannot be cut, and trees that are read path by path: every score is that of the same tokens in a row."""

from typing import Any

import pytest

from specviz.models.cached_model import CachedModel
from specviz.models.checks.paths import check_cache, check_early_exit
from specviz.models.networks import states
from specviz.models.networks.replay import ReplayNetwork
from tests.helpers.architectures import VOCABULARY, WINDOW, build
from tests.helpers.planting import Plant, caught
from tests.models.networks.test_masks import check_chains, check_trees

pytestmark = pytest.mark.slow

WAYS = ("lfm2", "qwen3_next", "deepseek_v32")
"""One for each way to keep a state, of which the last has nothing but keys, and selects among them. Every drafter's text on all the others is in
`tests/architectures`."""


def built(name: str) -> Any:
    """The row's model. State-space layers compute in blocks of 8 tokens, where their default of 256 would mostly compute padding."""
    model = build(name)
    for module in model.modules():
        if isinstance(getattr(module, "chunk_size", None), int):
            module.chunk_size = 8
    return model


def check_all(model: CachedModel) -> None:
    """Chains and trees, rolled back to every length, score as the same tokens in a row do."""
    check_chains(model)
    check_trees(model, [WINDOW - 4])


@pytest.mark.parametrize("name", WAYS)
def test_a_state_that_cannot_be_cut_is_replayed(name: str) -> None:
    """In every way to keep a state; the check at load passes."""
    model = CachedModel(built(name), VOCABULARY)
    assert check_cache(model).passed
    check_all(model)


@pytest.mark.parametrize("name", ["llama", "mistral_sliding"])
def test_any_model_can_read_trees_path_by_path(name: str) -> None:
    """After `read_trees_by_path` our own decoder scores trees as before, and still goes on from its first layers."""
    model = CachedModel(built(name), VOCABULARY)
    model.read_trees_by_path("for this test")
    assert isinstance(model.network, ReplayNetwork)
    assert model.network.trees_by_path == "for this test"
    check_all(model)
    assert check_early_exit(model, 2).passed


def check_hybrid() -> None:
    check_all(CachedModel(built("lfm2"), VOCABULARY))


PLANTED = (
    Plant("the first of the tokens to read again is left out", check_hybrid, ReplayNetwork, "_follow", "[*range(begin, self._text), *path", "[*range(min(begin + 1, self._text), self._text), *path"),
    Plant("a state is saved under the length of the text one token before", check_hybrid, ReplayNetwork, "_save", "self._saved[length] =", "self._saved[max(0, length - 1)] ="),
    Plant("what is saved is the state itself", check_hybrid, states, "copied", "return value.clone()", "return value"),
)  # fmt: skip


test_a_wrong_replay_is_caught = caught(
    PLANTED, "A token too few, a state of another length, or one that the next pass overwrites changes the scores."
)
