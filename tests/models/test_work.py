"""What a pass reads and computes, against a count by hand."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks.kept_head import trim_head
from specviz.models.networks.packing import HalfMatrix, Matrix
from specviz.models.pair import Pair
from specviz.models.roofs import cache_bytes, product, stream, stream_bytes
from specviz.models.work import check_dense, operations, pass_bytes, weight_bytes
from tests.models.test_cached_model import VOCABULARY, network

WIDTH, INNER = 16, 32


def by_hand(model: CachedModel) -> int:
    """The weights of the layers' matrices, from the modules themselves."""
    layers: Any = model.model.model.layers
    return sum(weight.numel() for layer in layers for weight in layer.parameters() if weight.dim() == 2)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("lean", [False, True])
def test_the_head_is_read_once_and_the_embedding_not(tied: bool, lean: bool) -> None:
    """A pass reads all matrices and the head; the embedding's table only where it is the head. A draft with a trimmed head reads its rows."""
    weights = network("LlamaForCausalLM", tie_word_embeddings=tied)
    model = CachedModel(weights, VOCABULARY, lean=lean)
    rows, width = weights.lm_head.weight.shape
    numbers = by_hand(model) + rows * width
    size = 2 if type(getattr(model.network, "_head", None)) is HalfMatrix else 4
    assert weight_bytes(model) in (size * numbers, 4 * numbers)
    heads, layers = weights.config.num_attention_heads, weights.config.num_hidden_layers
    head = getattr(weights.config, "head_dim", None) or width // heads
    one = operations(model, 1, 10)
    assert one == 2 * numbers + 4 * heads * head * layers * 11
    assert operations(model, 3, 10) == 2 * 3 * numbers + 4 * heads * head * layers * (11 + 12 + 13)
    assert operations(model, 3, 10, guests=5) == 5 * operations(model, 3, 10)
    assert pass_bytes(model, 3, 10, guests=5) - weight_bytes(model) == 5 * 13 * model.bytes_per_token
    trim_head(weights, range(9))
    trimmed = CachedModel(weights, VOCABULARY, lean=lean)
    assert operations(trimmed, 1, 10) == one - 2 * (rows - 9) * width


def test_stored_bytes_of_a_matrix() -> None:
    """As many as its numbers have in the format in which they are stored."""
    weight = torch.ones(24, 8)
    assert Matrix(weight).nbytes == 4 * 24 * 8
    assert Matrix(weight.bfloat16()).nbytes == 2 * 24 * 8


def test_the_embedded_target_reads_what_it_stores(embedded: Pair) -> None:
    """Its weights are stored in 16 bits where that was quicker when they were measured, and else in 32: two or four bytes for each, and no more is
    counted than it has parameters."""
    count = sum(weight.numel() for weight in embedded.target.model.parameters() if weight.dim() == 2)
    assert 2 * count <= weight_bytes(embedded.target) <= 4 * count
    assert operations(embedded.target, 1, 0) == pytest.approx(2 * count, rel=0.01)


def test_a_mixture_of_experts_is_refused() -> None:
    """It reads only some of its weights, and which ones is not counted."""
    text = SimpleNamespace(num_local_experts=8)
    model = SimpleNamespace(model=SimpleNamespace(config=SimpleNamespace(get_text_config=lambda decoder: text)))
    with pytest.raises(PairError, match="mixture of experts"):
        check_dense(cast("CachedModel", model))


def test_the_machines_own_limits() -> None:
    """The buffer is larger than the last cache, or as large as it may be; what is multiplied is counted."""
    device = torch.device("cpu")
    known = cache_bytes(device)
    assert known is None or known >= 2**18
    assert 2**24 <= stream_bytes(device) <= 2**30
    assert stream(device, 4096)() == torch.tensor(1024.0)
    work, count = product(device, torch.float32)
    assert count == 2 * 1024**3
    assert cast("torch.Tensor", work()).shape == (1024, 1024)
