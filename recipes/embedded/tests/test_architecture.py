"""The networks: their own forward against transformers', their first weights, and their folders."""

import resource
from copy import deepcopy
from pathlib import Path

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from recipes.embedded import architecture, llama_folder, tokenizer
from recipes.embedded.recipe import Shape
from recipes.embedded.tests.helpers import roughened
from recipes.embedded.tokenizer import END_ID
from specviz.errors import TrainingError
from specviz.models import load_pair
from specviz.training import llama

SHAPES = [
    Shape(layers=1, width=16, heads=1, feed_forward=24),
    Shape(layers=3, width=16, heads=2, feed_forward=40),
    Shape(layers=4, width=24, heads=3, feed_forward=32),
]
IDS = torch.randint(0, 50, (3, 9), generator=torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def words() -> Tokenizer:
    """A tokenizer with the 256 bytes, the end mark and a few merges."""
    return tokenizer.learn(["the cat sat on the mat with the other cat 12 times"] * 20, 270)


def test_the_seed_decides_the_first_weights() -> None:
    """The same seed builds the same network, whatever was drawn before; another seed builds another one."""
    shape = SHAPES[1]
    first = architecture.build(shape, 50, 32, 7).state_dict()
    torch.rand(5)
    again = architecture.build(shape, 50, 32, 7).state_dict()
    other = architecture.build(shape, 50, 32, 8).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["model.embed_tokens.weight"], other["model.embed_tokens.weight"])


def test_the_matrices_that_write_into_the_stream_start_smaller_the_deeper() -> None:
    """What writes into the stream has scale 0.02 over the root of twice the depth, every other matrix 0.02; the head is the embedding."""
    shape = Shape(layers=8, width=64, heads=1, feed_forward=128)
    model = architecture.build(shape, 300, 32, 1)
    for name, weight in model.named_parameters():
        if weight.ndim == 2:
            wanted = 0.02 / 4 if name.endswith(("o_proj.weight", "down_proj.weight")) else 0.02
            assert float(weight.detach().std()) == pytest.approx(wanted, rel=0.1), name
            assert weight.dtype == torch.float32
    assert model.lm_head.weight is model.model.embed_tokens.weight


@pytest.mark.parametrize(("layers", "kept"), [(7, [0, 1, 2, 3, 4, 5, 6]), (4, [0, 2, 4, 6]), (2, [0, 6])])
def test_a_pruned_network_is_the_larger_one_without_some_layers(layers: int, kept: list[int]) -> None:
    """It scores as transformers' forward pass through the kept layers, its configuration says how many, and it can be generated from."""
    whole = roughened(Shape(layers=7, width=16, heads=2, feed_forward=24))
    small = architecture.pruned(whole, layers)
    fewer = deepcopy(whole)
    fewer.model.layers = torch.nn.ModuleList([whole.model.layers[number] for number in kept])
    with torch.no_grad():
        wanted = fewer(IDS, use_cache=False).logits
        torch.testing.assert_close(small(IDS).logits, wanted, rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(small.lm_head(llama.hidden(small, IDS)[0]), wanted, rtol=1e-5, atol=1e-5)
    assert small.config.num_hidden_layers == layers
    assert small.config._attn_implementation == "sdpa"
    assert small.lm_head.weight is small.model.embed_tokens.weight


def test_a_pruned_network_learns_on_its_own() -> None:
    """Its weights can be trained though the larger one's are frozen, and changing them leaves the larger one as it was."""
    whole = roughened(SHAPES[1]).requires_grad_(False)
    before = {name: weight.clone() for name, weight in whole.state_dict().items()}
    small = architecture.pruned(whole, 2)
    assert all(weight.requires_grad for weight in small.parameters())
    with torch.no_grad():
        for weight in small.parameters():
            weight.add_(1)
    assert all(torch.equal(weight, before[name]) for name, weight in whole.state_dict().items())


def test_a_folder_keeps_the_network_rounded_to_bfloat16(tmp_path: Path, words: Tokenizer) -> None:
    """Loaded again, every weight is the saved one rounded to bfloat16; saving leaves the network itself as it was."""
    model = roughened(SHAPES[1], words.get_vocab_size())
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    architecture.save(model, words, tmp_path / "a" / "network")
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())
    loaded = llama_folder.load(tmp_path / "a" / "network")
    assert loaded.state_dict().keys() == before.keys()
    for name, weight in loaded.state_dict().items():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, before[name].to(torch.bfloat16).float()), name
    assert any(not torch.equal(weight, before[name]) for name, weight in loaded.state_dict().items())


def test_a_folder_is_replaced_whole_or_not_at_all(tmp_path: Path, words: Tokenizer) -> None:
    """Where a network finds no room on the disk the one before is whole; with room it takes the place of all that was there."""
    size = words.get_vocab_size()
    old, new = roughened(SHAPES[1], size, seed=1), roughened(SHAPES[1], size, seed=2)
    architecture.save(old, words, tmp_path / "network")
    before = {path.name: path.read_bytes() for path in (tmp_path / "network").iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, hard))
    try:
        with pytest.raises((OSError, SafetensorError, TrainingError)):
            architecture.save(new, words, tmp_path / "network")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path.name: path.read_bytes() for path in (tmp_path / "network").iterdir()} == before
    (tmp_path / "network" / "model-00001-of-00002.safetensors").write_bytes(b"of another time")
    architecture.save(new, words, tmp_path / "network")
    assert {path.name for path in (tmp_path / "network").iterdir()} == before.keys()
    assert (tmp_path / "network" / "model.safetensors").read_bytes() != before["model.safetensors"]
    assert [path.name for path in tmp_path.iterdir()] == ["network"]


def test_a_folder_says_what_it_holds(tmp_path: Path, words: Tokenizer) -> None:
    """On disk all is bfloat16 and nothing is there twice; the exit layer, the end mark and the positions are noted."""
    for exit_layer in (None, 2):
        model = roughened(SHAPES[1], words.get_vocab_size())
        folder = tmp_path / str(exit_layer)
        architecture.save(model, words, folder, exit_layer)
        stored: dict[str, Tensor] = load_file(folder / "model.safetensors")
        assert {weight.dtype for weight in stored.values()} == {torch.bfloat16}
        assert sum(weight.numel() for weight in stored.values()) == sum(w.numel() for w in model.parameters())
        loaded = llama_folder.load(folder)
        assert loaded.config.early_exit_layer == exit_layer
        assert loaded.config.max_position_embeddings == model.config.max_position_embeddings
        assert loaded.config.eos_token_id == loaded.generation_config.eos_token_id == END_ID
        assert not loaded.training


def test_saved_networks_are_a_pair(tmp_path: Path, words: Tokenizer) -> None:
    """Two saved folders load as a pair, the end mark ends their texts, and they score as the networks that were saved."""
    size = words.get_vocab_size()
    models = {"target": roughened(SHAPES[1], size, seed=1), "draft": roughened(SHAPES[0], size, seed=2)}
    for name, model in models.items():
        architecture.save(model, words, tmp_path / name)
    pair = load_pair(target=str(tmp_path / "target"), draft=str(tmp_path / "draft"), device="cpu", dtype="float32")
    assert pair.target.end_ids == {END_ID}
    assert pair.text.vocabulary == size
    assert pair.text.encode("the cat 12") == words.encode("the cat 12").ids
    ids = IDS[0]
    for name, model in pair.models:
        rounded = deepcopy(models[name])
        rounded.load_state_dict({key: w.to(torch.bfloat16) for key, w in rounded.state_dict().items()})
        model.begin(len(ids))
        with torch.inference_mode():
            wanted = rounded(ids[None]).logits[0]
        torch.testing.assert_close(model.forward(ids).logits, wanted, rtol=1e-4, atol=1e-4)
