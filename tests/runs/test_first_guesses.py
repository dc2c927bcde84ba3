"""Claims about a head's first guesses: a head that is read wrongly keeps the text and drafts nothing, and that is noticed before its first run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional

from specviz.models import CachedModel
from specviz.models.heads.folder import load
from specviz.runs.first_guesses import OwnChoices, examined, rereadings
from tests.helpers.published import (
    Arithmetic,
    Tensors,
    eagle3_entering,
    eagle3_layer,
    layer_shapes,
    random_tensors,
    saved,
)
from tests.helpers.tiny_models import tiny

WIDTH, VOCABULARY, DRAFTED, LENGTH, BEGIN = 32, 64, 48, 58, 10
TAPS = (2, 3, 4)
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "hidden_size": WIDTH,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "num_hidden_layers": 1,
    "rms_norm_eps": 1e-5,
    "rope_theta": 1_000_000.0,
    "vocab_size": VOCABULARY,
    "draft_vocab_size": DRAFTED,
    "norm_before_residual": True,
    "eagle_aux_hidden_state_layer_ids": list(TAPS),
}


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return tiny("LlamaForCausalLM", 1, vocabulary=VOCABULARY, layers=6, width=WIDTH)


@pytest.fixture(scope="module")
def text(target: CachedModel) -> OwnChoices:
    """Random ids, and what the target would have written after each of them from the tenth on."""
    ids = torch.randint(VOCABULARY, (LENGTH,), generator=torch.Generator().manual_seed(2)).tolist()
    found = OwnChoices.of(target, ids, range(7))
    places = tuple(range(BEGIN, LENGTH))
    own = found.read.logits.argmax(-1).tolist()
    return replace(found, places=places, chosen=tuple(own[index] for index in places))


@pytest.fixture(scope="module")
def learned(target: CachedModel, text: OwnChoices) -> Tensors:
    """A checkpoint of EAGLE-3 that knows the target's choices in this text by heart, so that every part of it matters."""
    chosen = sorted(set(text.chosen))
    ids = torch.tensor(
        sorted([*chosen, *[each for each in range(VOCABULARY) if each not in chosen][: DRAFTED - len(chosen)]])
    )
    shapes = {
        "fc.weight": (WIDTH, 3 * WIDTH),
        "midlayer.input_layernorm.weight": (WIDTH,),
        "midlayer.hidden_norm.weight": (WIDTH,),
        **layer_shapes("midlayer", WIDTH, 2 * WIDTH, heads=4, kv_heads=2, head_dim=8, ffn=64),
        "norm.weight": (WIDTH,),
        "lm_head.weight": (DRAFTED, WIDTH),
    }
    net = Arithmetic(CONFIG, random_tensors(shapes))
    for each in net.tensors.values():
        each.requires_grad_()
    states = text.read.states
    assert states is not None
    given = states[: LENGTH - 1, list(TAPS)].clone()
    embedded = target.model.get_input_embeddings().weight.detach().double()[torch.tensor(text.ids[1:])]
    wanted = torch.searchsorted(ids, torch.tensor(text.chosen))
    learns = torch.optim.Adam(net.tensors.values(), lr=0.02)
    for _ in range(80):
        _, final = eagle3_layer(net, "midlayer", embedded, eagle3_entering(net, given))
        loss = functional.cross_entropy(net.linear(final[BEGIN - 1 :], "lm_head"), wanted)
        learns.zero_grad()
        loss.backward()
        learns.step()
    found = {name: each.detach().float() for name, each in net.tensors.items()}
    mask = torch.zeros(VOCABULARY, dtype=torch.bool).index_fill_(0, ids, True)
    return {**found, "d2t": ids - torch.arange(DRAFTED), "t2d": mask}


def check_of(folder: Path, learned: Tensors, target: CachedModel, text: OwnChoices, **config: Any) -> Any:
    head = load(saved(folder, {**CONFIG, **config}, learned), target)
    return examined(text, head, rereadings(head))


def test_a_head_that_is_read_as_it_learned_passes(
    learned: Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """It knows this text by heart."""
    found = check_of(tmp_path, learned, target, text)
    assert found.passed
    assert int(found.measured.split()[0]) >= 46, found


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "layers that states leave": (
        {"eagle_aux_hidden_state_layer_ids": [3, 4, 5]},
        "its layers are off by one: it expects the states that enter layers 2, 3, 4, not 3, 4, 5",
    ),
    "layers one too early": (
        {"eagle_aux_hidden_state_layer_ids": None, "target_layer_ids": [0, 1, 2]},
        "its layers are off by one: it expects the states that enter layers 2, 3, 4, not 1, 2, 3",
    ),
    "the residual before the norm": ({"norm_before_residual": False}, "its norm_before_residual should be true"),
    "the target's rotation": ({"rope_theta": 10_000.0}, "its rope_theta should be 1e+06, not 10000"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_head_that_is_read_wrongly_is_set_aside(
    fault: str, learned: Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """With the likely cause where reading it otherwise would help."""
    config, cause = WRONG[fault]
    found = check_of(tmp_path, learned, target, text, **config)
    assert not found.passed, found
    assert found.note.startswith("The trained head eagle3 guesses only ")
    assert cause in found.note
    assert "set aside: it would keep the text and slow it down" in found.note


def test_ids_read_wrongly_are_set_aside(
    learned: Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """Offsets that lead to the right ids in another order: no guess is right, and no other reading helps."""
    ids = torch.arange(DRAFTED) + learned["d2t"]
    found = check_of(tmp_path, {**learned, "d2t": ids.flip(0) - torch.arange(DRAFTED)}, target, text)
    assert not found.passed
    assert "(it may be of another target, or barely trained)" in found.note
