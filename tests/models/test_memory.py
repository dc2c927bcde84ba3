"""What a model needs in memory: no weight is stored twice once it is loaded, and the estimate before loading counts every copy."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, PreTrainedModel

from specviz.errors import ModelFolderError, PairError
from specviz.models import folder as weights
from specviz.models.cached_model import CachedModel
from specviz.models.memory import Footprint, footprint, peak_of
from specviz.models.networks import packing
from specviz.models.networks.lean import LeanDecoder
from tests.helpers.tiny_models import fresh_logits
from tests.models.test_cached_model import VOCABULARY, ids, network

CPU = torch.device("cpu")
TEXT = [1, 5, 9, 2, 7, 7, 3]
kernels = pytest.mark.skipif(not packing.half_is_fast(), reason="this processor has no such kernels")


def saved(folder: Path, kind: str = "LlamaForCausalLM", **options: Any) -> Callable[[], PreTrainedModel]:
    """A tiny checkpoint of bfloat16 numbers, and a function that loads it in float32."""
    model = network(kind, **options).bfloat16()
    model.save_pretrained(folder)
    return lambda: type(model).from_pretrained(folder, dtype=torch.float32).eval()


def stored_bytes(model: PreTrainedModel) -> int:
    """Bytes of memory that the model's weights take; memory that several weights share counts once."""
    storages = [weight.untyped_storage() for weight in model.parameters()]
    return sum({storage.data_ptr(): storage.nbytes() for storage in storages}.values())


@kernels
@pytest.mark.parametrize("tied", [True, False])
def test_originals_of_packed_matrices_are_freed_and_read_again_when_needed(tmp_path: Path, tied: bool) -> None:
    """Freed, the model's own modules hold less than a tenth of their memory and the decoder's scores stay the same. A call of the model
    itself reads the weights again, ties included; then they can be freed again."""
    read = saved(tmp_path, hidden_size=64, intermediate_size=128, tie_word_embeddings=tied)
    weights = read()
    before, wanted = stored_bytes(weights), fresh_logits(CachedModel(weights, VOCABULARY, lean=False), TEXT)
    shapes = sum(weight.numel() for weight in weights.parameters())
    model = CachedModel(weights, VOCABULARY)
    for _ in range(2):
        model.free_originals(read)
        assert stored_bytes(weights) < before / 10
        assert sum(weight.numel() for weight in weights.parameters()) == shapes
        assert weights.device == CPU
        model.begin(16)
        torch.testing.assert_close(
            model.forward(ids(*TEXT)).logits, wanted, rtol=0, atol=1e-5 * float(wanted.abs().max())
        )
        assert torch.equal(fresh_logits(CachedModel(weights, VOCABULARY, lean=False), TEXT), wanted)
        assert stored_bytes(weights) == before
        assert (weights.lm_head.weight is weights.model.embed_tokens.weight) is tied


@kernels
@pytest.mark.parametrize("tied", [True, False])
def test_a_freed_model_is_copied_saved_and_given_to_another_decoder(tmp_path: Path, tied: bool) -> None:
    """A deep copy reads its weights by itself; a decoder made from a freed model has the original's scores; a new checkpoint has the numbers of the
    old one."""
    read = saved(tmp_path / "old", tie_word_embeddings=tied)
    weights = read()
    wanted = fresh_logits(CachedModel(weights, VOCABULARY, lean=False), TEXT)
    CachedModel(weights, VOCABULARY).free_originals(read)
    twin = copy.deepcopy(weights)
    assert torch.equal(fresh_logits(CachedModel(twin, VOCABULARY, lean=False), TEXT), wanted)
    assert weights.lm_head.weight.isnan().all(), "the copy has restored itself only"
    again = CachedModel(weights, VOCABULARY)
    again.begin(16)
    torch.testing.assert_close(again.forward(ids(*TEXT)).logits, wanted, rtol=0, atol=1e-5 * float(wanted.abs().max()))
    again.free_originals(read)
    weights.save_pretrained(tmp_path / "new")
    loaded = type(weights).from_pretrained(tmp_path / "new")
    assert all(torch.equal(one, other) for one, other in zip(loaded.parameters(), read().parameters(), strict=True))


@kernels
def test_a_checkpoint_that_has_changed_is_not_mixed_with_the_loaded_one(tmp_path: Path) -> None:
    """Where another checkpoint has replaced the first, reading the originals again raises an error."""
    read = saved(tmp_path)
    weights = read()
    CachedModel(weights, VOCABULARY).free_originals(read)
    other = network("LlamaForCausalLM").bfloat16()
    with torch.no_grad():
        other.model.layers[1].mlp.up_proj.weight.mul_(2)
    other.save_pretrained(tmp_path)
    with pytest.raises(PairError, match="has changed since it was loaded: load the pair again"):
        weights(torch.tensor([TEXT]))


def test_stacked_matrices_lie_in_memory_once(tmp_path: Path) -> None:
    """Matrices that are not packed are stacked, and the model's own modules use slices of the stack. A second decoder uses the same stack,
    and the model is saved as before."""
    weights = network("Qwen2ForCausalLM")
    before, wanted = stored_bytes(weights), fresh_logits(CachedModel(weights, VOCABULARY, lean=False), TEXT)
    first, second = LeanDecoder(weights), LeanDecoder(weights)
    assert stored_bytes(weights) == before
    for one, other in zip(first._layers, second._layers, strict=True):
        assert one.gate_and_up._weight.data_ptr() == other.gate_and_up._weight.data_ptr()
    assert torch.equal(fresh_logits(CachedModel(weights, VOCABULARY, lean=False), TEXT), wanted)
    weights.save_pretrained(tmp_path)
    again = type(weights).from_pretrained(tmp_path).eval()
    assert torch.equal(fresh_logits(CachedModel(again, VOCABULARY, lean=False), TEXT), wanted)


def test_a_table_is_narrowed_only_without_loss() -> None:
    """Numbers of 16 bits are stored in 16 bits, all others as they are."""
    table = torch.randn(10, 4, generator=torch.Generator().manual_seed(0))
    assert packing.narrow(table) is table
    for dtype in (torch.bfloat16, torch.float16):
        rounded = table.to(dtype).float()
        narrowed = packing.narrow(rounded)
        assert narrowed.dtype == dtype
        assert torch.equal(narrowed.float(), rounded)


def test_models_are_counted_one_after_the_other() -> None:
    """While the second model is loaded, the first has already freed what it does not need any more."""
    large, small = Footprint(600, 200), Footprint(300, 100)
    for models, peak in (([large], 600), ([large, small], 600), ([small, large], 700)):
        assert peak_of(models) == int(1.05 * peak)


def test_the_estimate_counts_packed_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the weights alone where transformers' modules run or nothing is packed, and the packed copies too where they exist."""
    saved(tmp_path / "own", hidden_size=512, intermediate_size=1024)
    saved(tmp_path / "stock", "GPT2LMHeadModel")
    for folder, kind in ((tmp_path / "own", torch.float16), (tmp_path / "stock", torch.float32)):
        found = footprint(folder, "it", kind, CPU)
        assert (
            found.after
            == sum(p.numel() for p in AutoModelForCausalLM.from_pretrained(folder).parameters()) * kind.itemsize
        )
    for native in (True, False):
        monkeypatch.setattr(packing, "_multiplies_bfloat16", lambda native=native: native)
        wide, narrow = (footprint(tmp_path / "own", "it", kind, CPU) for kind in (torch.float32, torch.bfloat16))
        size = footprint(tmp_path / "own", "it", torch.float16, CPU).after
        if packing.half_is_fast():
            assert 3 * size < wide.peak < 4 * size
            assert size <= wide.after < 1.2 * size
            assert (narrow.peak > 2 * size) is not native


def test_weights_too_large_to_be_mapped_are_counted_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that the machine cannot even map into memory is refused for its size, so its header is read without mapping it."""
    saved(tmp_path)
    known = weights.stored_weights(tmp_path, "it")

    def too_large(*_: Any, **__: Any) -> None:
        raise RuntimeError("unable to mmap 138515425504 bytes")

    monkeypatch.setattr(weights, "safe_open", too_large)
    assert sorted(weights.stored_weights(tmp_path, "it"), key=str) == sorted(known, key=str)
    (tmp_path / "model.safetensors").write_bytes((9).to_bytes(8, "little") + b"{nothing}")
    with pytest.raises(ModelFolderError, match=r"The model\.safetensors in it could not be read"):
        weights.stored_weights(tmp_path, "it")
