"""Models whose state cannot be cut, and trees that are read path by path: every score is that of the same tokens in a row."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
import transformers
from torch import Tensor
from transformers.cache_utils import DynamicCache

from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.errors import CacheError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.paths import check_cache
from specviz.models.networks import states
from specviz.models.networks.recurrent import RecurrentNetwork
from specviz.models.networks.replay import ReplayNetwork
from specviz.models.networks.states import Saved
from specviz.settings import Settings
from tests.helpers.architectures import BASE, VOCABULARY, build
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of

pytestmark = pytest.mark.slow

CHUNKED = (
    *("lfm2", "mamba2", "falcon_h1", "qwen3_next", "qwen3_5"),
    *("bamba", "granitemoehybrid", "minimax", "rwkv", "olmo_hybrid"),
)
"""Recurrent and hybrid models that continue their state in a pass over several tokens."""
STEPWISE = ("mamba", "falcon_mamba", "jamba", "recurrent_gemma", "zamba2", "nemotron_h")
"""Those that ignore it there, or whose passes over single tokens compute something else."""
RARE = (
    "qwen3_5",
    "bamba",
    "granitemoehybrid",
    "olmo_hybrid",
    "falcon_mamba",
    "nemotron_h",
    "falcon_h1",
    "jamba",
    "zamba2",
)
"""Those whose state is kept as another row's is."""
BY_SINGLE_TOKENS = ("zamba2", "nemotron_h", "qwen3_5")
"""Models to compare with single tokens. In the first two, time steps have a lower limit in passes over several tokens only; the third
rounds a pass over the full text coarsely."""
SELECTING = ("deepseek_v32",)
"""Attention that selects its keys: nothing but keys to roll back, and no trees in one pass."""
PROMPT = (7, 90, 23, 150, 42)
PENDING = (11, 201, 64, 33, 120, 9)
PARENTS = (-1, 0, 0, 1, 2, 1)
"""A tree of the pending tokens with three leaves."""
LATER = (77, 5)
CPU = torch.device("cpu")
BOUNDARY = 24


def in_a_row(model: Any, name: str, text: Sequence[int]) -> Tensor:
    """[m, V] scores of the m tokens of `text` after the prompt: from one pass without a cache where single tokens compute the same."""
    with torch.inference_mode():
        if name not in BY_SINGLE_TOKENS:
            full: Tensor = model(torch.tensor([[*PROMPT, *text]]), use_cache=False).logits[0, len(PROMPT) :]
            return full
        cache = DynamicCache(config=model.config)
        model(torch.tensor([PROMPT]), use_cache=True, past_key_values=cache)
        rows = []
        for place, token in enumerate(text, len(PROMPT)):
            ids = {"input_ids": torch.tensor([[token]]), "position_ids": torch.tensor([[place]])}
            rows.append(model(**ids, use_cache=True, past_key_values=cache).logits[0, -1])
        return torch.stack(rows)


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


def check_chains(model: CachedModel, untouched: Any, name: str) -> None:
    """A chain rolled back to every length scores as it should, and so do the tokens that follow what was kept."""
    in_order = in_a_row(untouched, name, PENDING)
    for kept in range(len(PENDING) + 1):
        started(model)
        pending = model.forward(torch.tensor(PENDING)).logits
        model.keep(range(kept))
        after = model.forward(torch.tensor(LATER)).logits
        model.keep([0])
        last = model.forward(torch.tensor(PENDING[:1])).logits
        assert model.length == len(PROMPT) + kept + 2
        assert same(pending, in_order), f"the chain before keeping {kept}"
        wanted = in_a_row(untouched, name, [*PENDING[:kept], *LATER])
        assert same(after, wanted[-len(LATER) :]), f"two tokens after keeping {kept}"
        wanted = in_a_row(untouched, name, [*PENDING[:kept], LATER[0], PENDING[0]])
        assert same(last, wanted[-1:]), f"one token after keeping {kept} and 1"


def check_trees(model: CachedModel, untouched: Any, name: str) -> None:
    """A tree, read at once or level by level, scores as its paths do, and so do the tokens that follow the path that was kept."""
    levels = [[0], [1, 2], [3, 4, 5]]
    paths = {node: [PENDING[i] for i in path_to(node)] for node in range(len(PENDING))}
    in_order = {node: in_a_row(untouched, name, path)[-1] for node, path in paths.items()}
    for leaf in (-1, 1, 2, 3, 4, 5):
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
        wanted = in_a_row(untouched, name, [*(PENDING[i] for i in path), *LATER])
        assert same(after, wanted[-len(LATER) :]), f"after keeping the path to {leaf}"


def check_all(model: CachedModel, untouched: Any, name: str) -> None:
    check_chains(model, untouched, name)
    check_trees(model, untouched, name)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.rare if name in RARE else ()) for name in (*CHUNKED, *STEPWISE, *SELECTING)],
)
def test_a_state_that_cannot_be_cut_is_replayed(name: str) -> None:
    """Chains and trees, rolled back to every length, score as the same tokens in a row do."""
    model, untouched = CachedModel(built(name), VOCABULARY), built(name)
    assert check_cache(model).passed
    check_all(model, untouched, name)


@pytest.mark.parametrize("name", ["llama", "mistral_sliding"])
def test_any_model_can_read_trees_path_by_path(name: str) -> None:
    """After `read_trees_by_path` our own decoder and transformers' modules score trees as before."""
    model = CachedModel(built(name), VOCABULARY)
    check_trees(model, built(name), name)
    model.read_trees_by_path("for this test")
    assert isinstance(model.network, ReplayNetwork)
    assert model.network.trees_by_path == "for this test"
    check_all(model, built(name), name)


def check_hybrid() -> None:
    check_all(CachedModel(built("lfm2"), VOCABULARY), built("lfm2"), "lfm2")


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


@pytest.mark.parametrize("name", ["lfm2", "mamba", "bloom"])
def test_states_come_with_the_scores(name: str) -> None:
    """A drafter that reads the target's states gets those of every token, in chains and in trees."""
    model, untouched = CachedModel(built(name), VOCABULARY), built(name)
    model.tap([1, model.network.depth])
    for parents, text in ((None, PENDING), (PARENTS, [PENDING[i] for i in path_to(4)])):
        found = started(model).forward(torch.tensor(PENDING), parents).states
        with torch.inference_mode():
            given = torch.tensor([[*PROMPT, *text]])
            every = untouched(given, use_cache=False, output_hidden_states=True).hidden_states
            wanted = torch.stack([every[1][0, len(PROMPT) :], every[-1][0, len(PROMPT) :]], dim=1)
        assert found is not None
        assert same(found if parents is None else found[path_to(4)], wanted)


def test_one_set_of_modules_serves_several_texts() -> None:
    """A model that keeps its state in its modules may be read by two networks in turn."""
    weights = built("recurrent_gemma")
    one, other = started(CachedModel(weights, VOCABULARY)), started(CachedModel(weights, VOCABULARY))
    for token in PENDING:
        one.forward(torch.tensor([token]))
        other.forward(torch.tensor([token + 1]))
    wanted = in_a_row(built("recurrent_gemma"), "recurrent_gemma", [*PENDING, *LATER])
    assert same(one.forward(torch.tensor(LATER)).logits, wanted[-len(LATER) :])


def test_plain_decoding_hardly_saves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decoding without a draft saves a state once in many tokens, so that it is not slowed down."""
    saves: list[int] = []
    real = RecurrentNetwork.save

    def counted(self: RecurrentNetwork) -> Saved:
        saves.append(1)
        return real(self)

    monkeypatch.setattr(RecurrentNetwork, "save", counted)
    model = CachedModel(built("lfm2"), VOCABULARY)
    rounds_of(model, NoDrafter(VOCABULARY, CPU), PROMPT, Settings(max_new_tokens=40))
    assert len(saves) <= 2
    rounds_of(model, NgramDrafter(VOCABULARY, CPU), (5, 6, 5, 6, 5, 6), Settings(max_new_tokens=8))
    assert len(saves) > 3


def test_the_prompt_is_not_read_again() -> None:
    """However many drafts are rejected, no more than a few tokens are read again for each."""
    model = started(CachedModel(built("lfm2"), VOCABULARY))
    assert isinstance(model.network, ReplayNetwork)
    for _ in range(6):
        model.forward(torch.tensor(PENDING))
        model.keep(range(2))
    assert 0 < model.network.replayed <= 6 * 8


def test_xlstm_is_replayed_and_an_impossible_one_refused() -> None:
    """An xLSTM whose state has the shape that its own cache expects works; one that fails by itself is refused in one sentence."""
    options = {**BASE, "hidden_size": 128, "num_blocks": 2, "num_hidden_layers": 2, "num_heads": 2}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        weights: Any = transformers.xLSTMForCausalLM(transformers.xLSTMConfig(**options)).eval()
    check_chains(CachedModel(weights, VOCABULARY), weights, "xlstm")
    small = transformers.xLSTMConfig(**{**options, "hidden_size": 32, "embedding_dim": 32})
    impossible: Any = transformers.xLSTMForCausalLM(small).eval()
    with pytest.raises(
        CacheError, match=r"xLSTMForCausalLM cannot read a short text with its own cache .*: choose another model\.$"
    ):
        CachedModel(impossible, VOCABULARY)


def longrope(kind: str) -> Any:
    """A model whose rotary frequencies change after `BOUNDARY` tokens."""
    rotary = {"rope_type": "longrope", "rope_theta": 1e4, "short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
    rotary |= {"factor": 4.0, "original_max_position_embeddings": BOUNDARY}
    build_model = getattr(transformers, kind)
    options = {**BASE, "num_key_value_heads": 2, "sliding_window": None, "original_max_position_embeddings": BOUNDARY}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return build_model(build_model.config_class(**options, rope_parameters=rotary)).eval()


def test_longrope_goes_back_across_the_original_length() -> None:
    """Tokens after the boundary can be dropped, and those before it then score as if they had never been read."""
    weights = longrope("Phi3ForCausalLM")
    model = CachedModel(weights, VOCABULARY)
    prompt = [(37 * i) % VOCABULARY for i in range(1, BOUNDARY - 2)]
    model.begin(64)
    model.forward(torch.tensor(prompt), rows=1)
    model.keep(range(len(prompt)))
    for kept in (0, 1, 5, 1):
        model.forward(torch.tensor(PENDING))
        model.keep(range(kept))
        prompt += PENDING[:kept]
        found = model.forward(torch.tensor(LATER[:1])).logits
        with torch.inference_mode():
            wanted = weights(torch.tensor([[*prompt, LATER[0]]]), use_cache=False).logits[0, -1:]
        assert same(found, wanted), kept
        model.keep([])


def test_a_short_longrope_text_costs_nothing_more() -> None:
    """Where the capacity stays below the boundary, trees are read in one pass and nothing is remembered."""
    weights = longrope("Phi3ForCausalLM")
    weights.config.rope_parameters["original_max_position_embeddings"] = 64
    model = started(CachedModel(weights, VOCABULARY))
    assert isinstance(model.network, ReplayNetwork)
    model.forward(torch.tensor(PENDING), PARENTS)
    assert model.network._ids.numel() == 0
    model.keep([0, 2])
    wanted = in_a_row(weights, "phi3", [PENDING[0], PENDING[2], *LATER])
    assert same(model.forward(torch.tensor(LATER)).logits, wanted[-len(LATER) :])
