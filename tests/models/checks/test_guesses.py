"""Claims about a head's first guesses: a head that is read wrongly keeps the text and drafts nothing, and that is noticed before its first run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch.nn import functional

from specviz.audit.every_way import CheckOutcome, _first_use, _head_checks
from specviz.errors import PairError
from specviz.known_pairs import EMBEDDED
from specviz.model_choice import heads_here
from specviz.models import CachedModel, Pair
from specviz.models.checks import guesses
from specviz.models.checks.first_use import head_of
from specviz.models.checks.guesses import OwnChoices, check_first_guesses, check_guesses, rereadings
from specviz.models.heads.folder import load, read_spec
from specviz.runs import choose
from specviz.runs.acceptance import AcceptancePrior
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers import published as formats
from tests.helpers.tiny_models import tiny

pytestmark = pytest.mark.slow

WIDTH, VOCABULARY, DRAFTED, LENGTH, BEGIN = 32, 64, 48, 58, 10
TAPS = (2, 3, 4)
SIZES: dict[str, Any] = {"hidden_size": WIDTH, "intermediate_size": 64, "num_attention_heads": 4, "head_dim": 8}
CONFIG: dict[str, Any] = {
    **formats.ORIGINAL,
    **SIZES,
    "rope_theta": 1_000_000.0,
    "vocab_size": VOCABULARY,
    "draft_vocab_size": DRAFTED,
    "norm_before_residual": True,
    "eagle_aux_hidden_state_layer_ids": list(TAPS),
}


@pytest.fixture(autouse=True)
def _floor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped one: other tests draft with heads of random weights."""
    monkeypatch.setattr(guesses, "FLOOR", 0.3)


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return tiny("LlamaForCausalLM", 1, vocabulary=VOCABULARY, layers=6, width=WIDTH)


@pytest.fixture(scope="module")
def text(target: CachedModel) -> OwnChoices:
    """Random ids, and what the target would have written after each of them from the tenth on."""
    ids = torch.randint(VOCABULARY, (LENGTH,), generator=torch.Generator().manual_seed(2)).tolist()
    choices = OwnChoices.of(target, ids, range(7))
    positions = tuple(range(BEGIN, LENGTH))
    own = choices.scores.logits.argmax(-1).tolist()
    return replace(choices, positions=positions, next_tokens=tuple(own[index] for index in positions))


@pytest.fixture(scope="module")
def learned(target: CachedModel, text: OwnChoices) -> formats.Tensors:
    """A checkpoint of EAGLE-3 that knows the target's choices in this text by heart, so that every part of it matters."""
    chosen = sorted(set(text.next_tokens))
    ids = torch.tensor(
        sorted([*chosen, *[each for each in range(VOCABULARY) if each not in chosen][: DRAFTED - len(chosen)]])
    )
    shapes = {
        "fc.weight": (WIDTH, 3 * WIDTH),
        "midlayer.input_layernorm.weight": (WIDTH,),
        "midlayer.hidden_norm.weight": (WIDTH,),
        **formats.layer_shapes("midlayer", WIDTH, 2 * WIDTH, heads=4, kv_heads=2, head_dim=8, ffn=64),
        "norm.weight": (WIDTH,),
        "lm_head.weight": (DRAFTED, WIDTH),
    }
    net = formats.Arithmetic(CONFIG, formats.random_tensors(shapes))
    for each in net.tensors.values():
        each.requires_grad_()
    states = text.scores.states
    assert states is not None
    given = states[: LENGTH - 1, list(TAPS)].clone()
    embedded = target.model.get_input_embeddings().weight.detach().double()[torch.tensor(text.ids[1:])]
    wanted = torch.searchsorted(ids, torch.tensor(text.next_tokens))
    learns = torch.optim.Adam(net.tensors.values(), lr=0.02)
    for _ in range(80):
        _, final = formats.eagle3_layer(net, "midlayer", embedded, formats.eagle3_entering(net, given))
        loss = functional.cross_entropy(net.linear(final[BEGIN - 1 :], "lm_head"), wanted)
        learns.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        learns.step()
    found = {name: each.detach().float() for name, each in net.tensors.items()}
    mask = torch.zeros(VOCABULARY, dtype=torch.bool).index_fill_(0, ids, True)
    return {**found, "d2t": ids - torch.arange(DRAFTED), "t2d": mask}


def check_of(folder: Path, learned: formats.Tensors, target: CachedModel, text: OwnChoices, **config: Any) -> Any:
    head = load(formats.saved(folder, {**CONFIG, **config}, learned), target)
    return check_guesses(text, head, rereadings(head))


def test_a_head_that_is_read_as_it_learned_passes(
    learned: formats.Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """It knows this text by heart."""
    found = check_of(tmp_path, learned, target, text)
    assert found.passed
    assert int(found.measured.split()[0]) >= 46, found


WRONG: dict[str, dict[str, Any]] = {
    "its layers are off by one: it expects the states that enter layers 2, 3, 4, not 3, 4, 5": {
        "eagle_aux_hidden_state_layer_ids": [3, 4, 5]
    },
    "its layers are off by one: it expects the states that enter layers 2, 3, 4, not 1, 2, 3": {
        "eagle_aux_hidden_state_layer_ids": None,
        "target_layer_ids": [0, 1, 2],
    },
    "its norm_before_residual should be true": {"norm_before_residual": False},
    "its rope_theta should be 1e+06, not 10000": {"rope_theta": 10_000.0},
}


@pytest.mark.parametrize("cause", WRONG)
def test_a_head_that_is_read_wrongly_is_set_aside(
    cause: str, learned: formats.Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """With the likely cause where reading it otherwise would help."""
    found = check_of(tmp_path, learned, target, text, **WRONG[cause])
    assert not found.passed, found
    assert found.note.startswith("The trained head eagle3 guesses only ")
    assert cause in found.note
    assert "set aside: it would keep the text and slow it down" in found.note


def test_ids_read_wrongly_are_set_aside(
    learned: formats.Tensors, target: CachedModel, text: OwnChoices, tmp_path: Path
) -> None:
    """Offsets that lead to the right ids in another order: no guess is right, and no other reading helps."""
    ids = torch.arange(DRAFTED) + learned["d2t"]
    found = check_of(tmp_path, {**learned, "d2t": ids.flip(0) - torch.arange(DRAFTED)}, target, text)
    assert not found.passed
    assert "(it may be of another target, or barely trained)" in found.note


def fresh(pair: Pair, **heads: Path) -> Pair:
    """The same models with other heads, of which none was loaded or measured."""
    return replace(pair, head_folders=heads, heads={})


def test_the_shipped_heads_are_far_above_the_floor(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would be above a floor twice as high, too."""
    monkeypatch.setattr(guesses, "FLOOR", 2 * guesses.FLOOR)
    pair = fresh(embedded, **heads_here(EMBEDDED))
    for kind in pair.head_folders:
        measured = check_first_guesses(head_of(pair, kind), pair.target, pair.text).measured
        assert int(measured.split()[-4]) >= guesses.FEWEST, measured


def test_a_layer_of_multi_token_prediction_is_measured_too(embedded: Pair) -> None:
    """The shipped one passes; with its last norm read wrongly it is set aside, and where there are too few positions nothing is decided."""
    pair = fresh(embedded, mtp=heads_here(EMBEDDED)["mtp"])
    head = head_of(pair, "mtp")
    text = OwnChoices.of(pair.target, pair.text.encode(guesses._TEXT, template=False), head.taps)
    assert check_guesses(text, head, {}).passed
    network: Any = head.network
    network.norm.weight.data.neg_()
    assert not check_guesses(text, head, {}).passed
    few = check_guesses(replace(text, positions=text.positions[:3], next_tokens=text.next_tokens[:3]), head, {})
    assert few.passed
    assert few.measured == "not measured: the target writes the text's own token at 3 positions only"


def published_twin(folder: Path, **config: Any) -> Path:
    """The shipped EAGLE-3 head of the embedded target, in the layout of the original."""
    shipped = heads_here(EMBEDDED)["eagle3"]
    ours, spec = load_file(shipped / "head.safetensors"), read_spec(shipped)
    shape, q = spec.shape, ours["queries_keys_values.weight"].chunk(3)
    gate, up = ours["gate_up.weight"].chunk(2)
    tensors = {
        "fc.weight": ours["join.weight"],
        "midlayer.input_layernorm.weight": ours["token_norm.weight"],
        "midlayer.hidden_norm.weight": ours["feature_norm.weight"],
        **{f"midlayer.self_attn.{part}_proj.weight": each for part, each in zip("qkv", q, strict=True)},
        "midlayer.self_attn.o_proj.weight": ours["out.weight"],
        "midlayer.post_attention_layernorm.weight": ours["ffn_norm.weight"],
        "midlayer.mlp.gate_proj.weight": gate,
        "midlayer.mlp.up_proj.weight": up,
        "midlayer.mlp.down_proj.weight": ours["down.weight"],
        "norm.weight": ours["norm.weight"],
    }
    about = {
        "architectures": ["LlamaForCausalLMEagle3"],
        "hidden_size": shape.width,
        "intermediate_size": shape.ffn,
        "num_attention_heads": shape.width // shape.head_width,
        "rms_norm_eps": shape.norm_eps,
        "rope_theta": shape.rope_theta,
        "vocab_size": 4096,
        "draft_vocab_size": 4096,
    }
    return formats.saved(folder, {**about, **config}, tensors, "pytorch_model.bin")


def test_a_trained_head_in_a_published_format_drafts_as_before(embedded: Pair, tmp_path: Path) -> None:
    """The shipped EAGLE-3 head, written as the original writes it: the same rounds, token for token."""
    asked = Settings(drafter="eagle", k=4, max_new_tokens=16)
    rounds = []
    for where in (heads_here(EMBEDDED)["eagle3"], published_twin(tmp_path)):
        trace = Run(fresh(embedded, eagle3=where), "Once upon a time there was", asked).finish()
        rounds.append([[(one.token, one.verdict) for one in round_.drafted] for round_ in trace.rounds])
    assert rounds[0] == rounds[1]
    assert sum(verdict.value == "accepted" for round_ in rounds[0] for _, verdict in round_) >= 6


def test_what_is_set_aside_is_refused_shown_and_not_chosen(
    embedded: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the residual normalised, as RedHat's heads have it and this one not: the run is refused with the cause, and the audit has the
    sentence. Where specviz would have chosen it, it takes another drafter, and the card of the run has the sentence."""
    pair = fresh(embedded, eagle3=published_twin(tmp_path, norm_before_residual=True))
    found = list(_first_use(_head_checks, pair, "eagle3"))[-1]
    assert found.name == "first guesses of the head eagle3"
    assert found.outcome is CheckOutcome.SET_ASIDE
    assert "(its norm_before_residual should be false; so read it guesses " in found.note
    with pytest.raises(PairError) as caught:
        Run(pair, "Once upon a time there was", Settings(drafter="eagle", max_new_tokens=4))
    assert str(caught.value) == found.note
    promising, other = AcceptancePrior((0.99,), (0.99,), 0.001), AcceptancePrior((0.7,), (0.7,), 0.1)
    monkeypatch.setattr(choose, "shipped_priors", lambda: {pair.name: {"eagle": (promising,), "model": (other,)}})
    run = Run(pair, "Once upon a time there was", Settings(drafter="auto", k=0, max_new_tokens=4))
    assert run.drafter.name == "suffix-model"
    assert found.note in run.card.notes
