"""The cache: its scores equal those of a fresh pass, nothing is copied, and it is never longer than the text."""

from typing import Any

import pytest
import torch

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from tests.helpers.tiny_models import TINY, built, fresh_logits

VOCABULARY = 50
FAMILIES: dict[str, dict[str, Any]] = {
    **TINY,
    "Gemma2ForCausalLM": {"num_key_value_heads": 2, "head_dim": 8, "sliding_window": 5, "query_pre_attn_scalar": 8},
}
"""Grouped heads, windows shorter than the texts here, one architecture that alternates both, and two older ones."""


def network(kind: str, **options: Any) -> Any:
    sizes = {
        "vocab_size": VOCABULARY,
        "intermediate_size": 48,
        "max_position_embeddings": 512,
        "initializer_range": 0.4,
    }
    return built(kind, 1, **{"heads": 4, "width": 32, **sizes, **FAMILIES.get(kind, {}), **options})


def cached(kind: str = "LlamaForCausalLM", **options: Any) -> CachedModel:
    return CachedModel(network(kind), VOCABULARY, **options)


def ids(*tokens: int) -> torch.Tensor:
    return torch.tensor(tokens, dtype=torch.long)


def buffers(model: CachedModel) -> list[int]:
    """The memory addresses of the keys and values of every layer."""
    found = [buffer.data_ptr() for buffer in model.network.buffers()]
    assert found
    return found


def test_rolling_back_copies_nothing() -> None:
    """Over many rounds the buffers keep their addresses, and `keep` does not change their contents: only a length changes."""
    for kind in ("LlamaForCausalLM", "Gemma2ForCausalLM", "GPT2LMHeadModel"):
        model = cached(kind)
        model.begin(100)
        model.forward(ids(1, 2, 3))
        model.keep(range(3))
        addresses = buffers(model)
        for round_ in range(10):
            model.forward(ids(4, 5, 6, 7))
            before = [buffer.clone() for buffer in model.network.buffers()]
            model.keep(range(round_ % 5))
            assert all(torch.equal(a, b) for a, b in zip(before, model.network.buffers(), strict=True))
            assert buffers(model) == addresses


def test_a_larger_capacity_gets_larger_buffers() -> None:
    """A larger capacity gives larger buffers and right scores; a smaller or similar one keeps the buffers."""
    model = cached()
    model.begin(10)
    model.forward(ids(1, 2, 3))
    small = buffers(model)
    model.begin(60)
    model.forward(ids(1, 2, 3))
    assert buffers(model) == small
    model.begin(200)
    text = [i % VOCABULARY for i in range(190)]
    scores = model.forward(ids(*text)).logits
    torch.testing.assert_close(scores, fresh_logits(model, text), rtol=1e-4, atol=1e-3)
    assert buffers(model) != small
    large = buffers(model)
    model.begin(10)
    model.forward(ids(9))
    assert buffers(model) == large


def test_more_than_the_capacity_is_refused() -> None:
    """Reading more tokens than the capacity raises an error, and the cached text stays right."""
    model = cached()
    model.begin(10)
    model.forward(ids(*range(40)))
    model.keep(range(40))
    with pytest.raises(PairError, match="room for 64 tokens and 70 were read"):
        model.forward(ids(*range(30)))
    torch.testing.assert_close(
        model.forward(ids(3)).logits, fresh_logits(model, [*range(40), 3])[-1:], rtol=1e-4, atol=1e-3
    )


def test_only_a_line_of_pending_tokens_can_be_kept() -> None:
    """Keeping tokens that are not pending, out of order or with a gap raises an error and changes nothing."""
    model = cached()
    model.begin(20)
    model.forward(ids(1, 2))
    model.keep(range(2))
    model.forward(ids(3, 4, 5))
    for path in ([1], [0, 2], [0, 1, 2, 3], [1, 0]):
        with pytest.raises(PairError, match="a chain of the 3 pending"):
            model.keep(path)
    assert model.length == 5


def test_looking_ahead_and_a_pass_that_does_not_follow_are_refused() -> None:
    """After looking ahead, a tree, fewer tokens, another depth or pending tokens raise an error."""
    model = cached()
    model.begin(20)
    for parents in ((-1, -1), None):
        model.look_ahead(ids(1, 2, 3), 1)
        with pytest.raises(PairError, match="were read ahead"):
            model.forward(ids(1, 2), parents=parents)
        model.keep([])
    model.look_ahead(ids(1), 1)
    with pytest.raises(PairError, match="cannot be read ahead"):
        model.look_ahead(ids(2), 2)
    model.keep([])
    model.forward(ids(1))
    with pytest.raises(PairError, match="1 are pending"):
        model.look_ahead(ids(2), 2)
