"""Heads in the format of vLLM's speculators, read by that library and by us: `make rare` installs it in a folder of its own and runs this."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.models.heads.folder import BoundHead, load
from tests.helpers import published as formats
from tests.helpers.published import Tensors, saved
from tests.models.heads.test_published import TOKENS, states_of, table_of

_NEEDED: Any = {"reason": "`make rare` installs it", "exc_type": ImportError}
Eagle3DraftModel = pytest.importorskip("speculators.models.eagle3", **_NEEDED).Eagle3DraftModel
DFlashDraftModel = pytest.importorskip("speculators.models.dflash", **_NEEDED).DFlashDraftModel
_KEPT = torch.tensor([0, 1, 4, 5, 9, 11, 17, 20, 25, 30, 38])
"""Ids of the heads' draft vocabulary that the target's tokenizer has, too."""


def peer(kind: Any, about: dict[str, Any], tensors: Tensors, table: Tensor) -> Any:
    """Their network with these weights, in float64."""
    described = {name: each for name, each in about.items() if name != "speculators_config"}
    config = kind.config_class(**described)
    config.transformer_layer_config._attn_implementation = "eager"
    network = kind(config).double().eval()
    lacking = network.load_state_dict(tensors, strict=False)
    assert not lacking.unexpected_keys
    assert {name.split(".")[0] for name in lacking.missing_keys} <= {
        "embed_tokens",
        "verifier_lm_head",
        "verifier_norm",
    }
    network.embed_tokens.weight.data = table.double()
    return network


def check(ours: Tensor, theirs: Tensor) -> None:
    """The same scores of the ids that both have, and the same first guess."""
    torch.testing.assert_close(ours.double()[..., _KEPT], theirs[..., : len(_KEPT)], rtol=1e-5, atol=1e-5)
    assert torch.equal(ours.argmax(-1), _KEPT[theirs[..., : len(_KEPT)].argmax(-1)])


@pytest.mark.parametrize("name", ["speculators", "speculators of Qwen3, normalised before they are joined"])
@torch.inference_mode()
def test_eagle3_scores_as_in_speculators(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every beginning of a text, the first guess is theirs, and its scores are equal to 1e-5."""
    about, more, taps = formats.EAGLE3[name]
    layer = {**about["transformer_layer_config"], "num_attention_heads": 4}  # transformers' Llama takes no wider ones
    about = {**about, "transformer_layer_config": layer}
    monkeypatch.setitem(formats.SIZES, "heads", 4)
    target = formats.target_of_heads()
    tensors = formats.eagle3(about, more)
    head = load(saved(tmp_path / "head", about, tensors), target)
    theirs, states = peer(Eagle3DraftModel, about, tensors, table_of(target)), states_of(len(taps))
    scores: list[Tensor] = []
    theirs.lm_head.register_forward_hook(lambda module, given, made: scores.append(made[0]))
    theirs(states.flatten(1)[None], torch.tensor([TOKENS]), torch.zeros(1, len(TOKENS), dtype=torch.long), ttt_steps=1)
    for count in range(1, len(TOKENS) + 1):
        check(_reader(head).read(states[:count], torch.tensor(TOKENS[:count])), scores[0][count - 1])


@torch.inference_mode()
def test_dflash_scores_as_in_speculators(tmp_path: Path) -> None:
    """Every slot of a block."""
    about, tensors, _ = formats.BLOCKS["DFlash of speculators, with a draft vocabulary"]
    target, states, anchor, rows = formats.target_of_heads(), states_of(2), 5, about["block_size"]
    head = load(saved(tmp_path / "head", about, tensors), target)
    theirs = peer(DFlashDraftModel, about, tensors, table_of(target))
    block = theirs.embed_tokens(torch.tensor([[anchor] + [about["mask_token_id"]] * (rows - 1)]))
    context = theirs.hidden_norm(theirs.fc(states.flatten(1)[None]))
    turns = theirs.rotary_emb(block, torch.arange(len(TOKENS) + rows)[None])
    for layer in theirs.layers:
        block = layer(hidden_states=block, target_hidden=context, position_embeddings=turns)
    reader = _reader(head)
    reader.extend(states)
    check(reader.score(reader.block(torch.tensor([anchor]), rows - 1)), theirs.lm_head(theirs.norm(block))[0, 1:])


def _reader(head: BoundHead) -> Any:
    network: Any = head.network
    reader = network.reader(head.frozen)
    reader.begin(30)
    return reader
