"""Claims about heads of other projects: each format is read as it is, and scores what a plain pass written from its description scores."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter
from specviz.errors import PairError
from specviz.head_formats import kind_of
from specviz.model_choice import heads_here
from specviz.models import CachedModel
from specviz.models.heads.folder import BoundHead, load
from specviz.settings import Settings
from tests.helpers.published import (
    Arithmetic,
    Tensors,
    block_states,
    eagle1_states,
    eagle3_scores,
    layer_shapes,
    random_tensors,
    saved,
    spread_out,
)
from tests.helpers.tiny_models import tiny

WIDTH, VOCABULARY, ROWS, DEPTH = 16, 40, 44, 6
"""Of the target: its embedding has rows that its tokenizer does not have."""
SIZES = {"heads": 6, "kv_heads": 2, "head_dim": 4, "ffn": 20}
"""The queries together are wider than a state, and three of them share a key."""
LAYER = {
    "hidden_size": WIDTH,
    "intermediate_size": 20,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 4,
    "rms_norm_eps": 1e-5,
    "vocab_size": ROWS,
    "hidden_act": "silu",
}
TOKENS = [3, 1, 6, 0, 39, 2, 5]
TAPS = [2, 3, 4]


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return tiny("LlamaForCausalLM", 1, vocabulary=VOCABULARY, head=ROWS, layers=DEPTH, dtype=torch.float64)


def states_of(taps: int, seed: int = 4) -> Tensor:
    return torch.randn(len(TOKENS), taps, WIDTH, generator=torch.Generator().manual_seed(seed)).double()


def table_of(target: CachedModel) -> Tensor:
    weight: Tensor = target.model.get_input_embeddings().weight
    return weight.detach()


def output_of(target: CachedModel) -> Tensor:
    weight: Any = target.model.get_output_embeddings().weight
    found: Tensor = weight.detach()
    return found


def eagle3(prefix: str, *, draft: int = 12, taps: int = 3, width: int = WIDTH, **more: tuple[int, ...]) -> Tensors:
    """Weights in the layout of the original or of SpecForge ("midlayer"), or of speculators ("layers.0")."""
    shapes = {
        "fc.weight": (width, taps * WIDTH),
        f"{prefix}.input_layernorm.weight": (width,),
        f"{prefix}.hidden_norm.weight": (width,),
        **layer_shapes(prefix, width, 2 * width, **SIZES),
        "norm.weight": (width,),
        "lm_head.weight": (draft, width),
        **{name.replace("__", "."): shape for name, shape in more.items()},
    }
    tensors = random_tensors(shapes)
    if draft < ROWS:
        ids = torch.tensor([0, 1, 4, 5, 9, 11, 17, 20, 25, 30, 38, 42])[:draft]
        tensors |= {
            "d2t": ids - torch.arange(draft),
            "t2d": torch.zeros(ROWS, dtype=torch.bool).index_fill_(0, ids, True),
        }
    return tensors


ORIGINAL = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "model_type": "llama",
    "num_hidden_layers": 1,
    **LAYER,
    "draft_vocab_size": 12,
}
QK: dict[str, Any] = {"midlayer__self_attn__q_norm__weight": (4,), "midlayer__self_attn__k_norm__weight": (4,)}
VERIFIER = {"algorithm": "eagle3", "proposal_methods": [], "verifier": {"name_or_path": "a/target"}}
SPECULATORS: dict[str, Any] = {
    "speculators_model_type": "eagle3",
    "architectures": ["Eagle3Speculator"],
    "speculators_config": VERIFIER,
    "draft_vocab_size": 12,
    "transformer_layer_config": {"model_type": "llama", "num_hidden_layers": 1, **LAYER, "rope_theta": 500.0},
    "norm_before_residual": True,
    "norm_before_fc": False,
    "eagle_aux_hidden_state_layer_ids": TAPS,
}
EAGLE3: dict[str, tuple[dict[str, Any], Tensors, str, tuple[int, ...]]] = {
    "original, a pickle with its own embedding": (
        {**ORIGINAL, "rope_theta": 300.0},
        eagle3("midlayer", embed_tokens__weight=(ROWS, WIDTH)),
        "pytorch_model.bin",
        (2, 3, 3),
    ),
    "SpecForge, layers that states leave": (
        {**ORIGINAL, "eagle_config": {"eagle_aux_hidden_state_layer_ids": [1, 2, 4], "use_aux_hidden_state": True}},
        eagle3("midlayer"),
        "model.safetensors",
        (2, 3, 5),
    ),
    "EAGLE-3.1": (
        {
            **ORIGINAL,
            "fc_norm": True,
            "norm_output": True,
            "norm_before_residual": True,
            "eagle_aux_hidden_state_layer_ids": TAPS,
        },
        eagle3("midlayer", fc_norm__0__weight=(WIDTH,), fc_norm__1__weight=(WIDTH,), fc_norm__2__weight=(WIDTH,)),
        "model.safetensors",
        (2, 3, 4),
    ),
    "a stretched rotation and biases": (
        {
            **ORIGINAL,
            "rope_scaling": {
                "rope_type": "llama3",
                "factor": 4.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
                "original_max_position_embeddings": 8,
            },
            "rope_theta": 100.0,
            "attention_bias": True,
        },
        eagle3(
            "midlayer",
            midlayer__self_attn__q_proj__bias=(24,),
            midlayer__self_attn__k_proj__bias=(8,),
            midlayer__self_attn__v_proj__bias=(8,),
            midlayer__self_attn__o_proj__bias=(16,),
        ),
        "pytorch_model.bin",
        (2, 3, 3),
    ),
    "DeepSpec": (
        {
            **ORIGINAL,
            "architectures": ["Qwen3Eagle3Model"],
            "draft_vocab_size": ROWS,
            "target_layer_ids": [0, 1, 2, 3, 4],
            "num_target_layers": DEPTH,
        },
        eagle3("midlayer", draft=ROWS, taps=5, **QK),
        "model.safetensors",
        (1, 2, 3, 4, 5),
    ),
    "narrower than its target, without its number of keys": (
        {
            **{key: value for key, value in ORIGINAL.items() if key not in ("head_dim", "num_key_value_heads")},
            "hidden_size": 8,
            "target_hidden_size": WIDTH,
        },
        eagle3("midlayer", width=8, embed_tokens__weight=(ROWS, 8)),
        "model.safetensors",
        (2, 3, 3),
    ),
    "speculators": (SPECULATORS, eagle3("layers.0"), "model.safetensors", (2, 3, 4)),
    "speculators of Qwen3, normalised before they are joined": (
        {
            **SPECULATORS,
            "norm_before_residual": False,
            "norm_before_fc": True,
            "transformer_layer_config": {**SPECULATORS["transformer_layer_config"], "model_type": "qwen3"},
        },
        eagle3(
            "layers.0",
            input_norm__weight=(3 * WIDTH,),
            **{name.replace("midlayer", "layers__0"): shape for name, shape in QK.items()},
        ),
        "model.safetensors",
        (2, 3, 4),
    ),
}


@pytest.mark.parametrize("name", EAGLE3)
def test_eagle3_heads_score_as_their_format_says(name: str, target: CachedModel, tmp_path: Path) -> None:
    """After the text and after three guesses of its own: with grouped keys, wider heads than states, norms, a rotation, ids and an embedding of
    its own."""
    config, tensors, file, taps = EAGLE3[name]
    folder = saved(tmp_path / "head", config, tensors, file)
    assert set(heads_here(None, str(folder))) == {"eagle3"}
    head = load(folder, target)
    assert head.taps == taps
    flat = {"head_dim": 4, **config.get("transformer_layer_config", {}), **config}
    net = Arithmetic(flat, tensors, frequencies_of(flat))
    states, prefix = states_of(len(taps)), "midlayer" if "midlayer.hidden_norm.weight" in tensors else "layers.0"
    table = tensors.get("embed_tokens.weight", table_of(target))
    guesses = [7, 13, 2]
    wanted = eagle3_scores(net, prefix, table, states, [*TOKENS, *guesses])
    ids = None if "d2t" not in tensors else torch.arange(12) + tensors["d2t"]
    kept = None if ids is None else ids < VOCABULARY
    scores = [state @ tensors["lm_head.weight"].double().T for state in wanted]
    if ids is not None:
        scores = [spread_out(row[kept], ids[kept], VOCABULARY) for row in scores]
    check_reader(head, states, guesses, [row[:VOCABULARY] for row in scores])


def frequencies_of(config: dict[str, Any]) -> Tensor | None:
    """Of Llama 3's stretched rotation (arXiv 2407.21783): slow turns are slowed by the factor, fast ones are not, between them it is a mixture."""
    scaling = config.get("rope_scaling")
    if not scaling:
        return None
    usual: Tensor = config["rope_theta"] ** -(torch.arange(0, 4, 2).double() / 4)
    turns = scaling["original_max_position_embeddings"] * usual / (2 * torch.pi)
    share = (turns - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"])
    share = share.clamp(0, 1)
    stretched: Tensor = share * usual + (1 - share) * usual / scaling["factor"]
    return stretched


def check_reader(head: BoundHead, states: Tensor, guesses: list[int], wanted: list[Tensor]) -> None:
    """The head's reader scores so after the text, and after each of these guesses; the likeliest ids are the same."""
    network: Any = head.network
    reader = network.reader(head.frozen)
    reader.begin(30)
    found = [reader.read(states, torch.tensor(TOKENS))]
    found += [reader.guess(torch.tensor([guess]), (-1,))[0] for guess in guesses]
    for ours, theirs in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours.double(), theirs, rtol=1e-5, atol=1e-5)
        assert int(ours.argmax()) == int(theirs.argmax())


@pytest.mark.parametrize("bias", [True, False])
def test_eagle1_heads_score_as_their_format_says(bias: bool, target: CachedModel, tmp_path: Path) -> None:
    """No norm before the attention, the target's output layer, and a bias where the file has one."""
    shapes = {
        "embed_tokens.weight": (ROWS, WIDTH),
        "fc.weight": (WIDTH, 2 * WIDTH),
        **({"fc.bias": (WIDTH,)} if bias else {}),
        **layer_shapes("layers.0", WIDTH, WIDTH, **SIZES),
    }
    config, tensors = (
        {"architectures": ["LlamaForCausalLM"], "bias": bias, "num_hidden_layers": 1, **LAYER},
        random_tensors(shapes),
    )
    head = load(saved(tmp_path / "head", config, tensors, "pytorch_model.bin"), target)
    assert (head.spec.kind, head.taps) == ("eagle1", (DEPTH,))
    states, guesses = states_of(1), [7, 13]
    wanted = eagle1_states(Arithmetic(config, tensors), tensors["embed_tokens.weight"], states, [*TOKENS, *guesses])
    check_reader(head, states, guesses, [(state @ output_of(target).double().T)[:VOCABULARY] for state in wanted])


@pytest.mark.parametrize(
    ("blocks", "own", "file"),
    [(1, True, "medusa_lm_head.pt"), (2, True, "medusa_lm_head.safetensors"), (1, False, "medusa_lm_head.pt")],
)
def test_medusa_heads_score_as_their_format_says(
    blocks: int, own: bool, file: str, target: CachedModel, tmp_path: Path
) -> None:
    """Residual blocks and an output layer of each head's own, or the target's; the number of heads is that of the file."""
    shapes: dict[str, tuple[int, ...]] = {}
    for index in range(3):
        for block in range(blocks):
            shapes |= {f"{index}.{block}.linear.weight": (WIDTH, WIDTH), f"{index}.{block}.linear.bias": (WIDTH,)}
        if own:
            shapes[f"{index}.{blocks}.weight"] = (ROWS, WIDTH)
    tensors = random_tensors(shapes)
    config = {"medusa_num_heads": 2, "medusa_num_layers": blocks, "base_model_name_or_path": "a/target"}
    head = load(saved(tmp_path / "head", config, tensors, file), target)
    assert (head.spec.options["heads"], head.taps, head.spec.target) == (3, (DEPTH,), "a/target")
    state = states_of(1)[0, 0]
    for index, ours in enumerate(head.frozen.full(head.network(state, head.frozen, 3))):
        moved = state.double()
        for block in range(blocks):
            name = f"{index}.{block}.linear"
            moved = moved + torch.nn.functional.silu(
                tensors[f"{name}.weight"].double() @ moved + tensors[f"{name}.bias"].double()
            )
        wanted = (tensors[f"{index}.{blocks}.weight"] if own else output_of(target)).double() @ moved
        torch.testing.assert_close(ours.double(), wanted[:VOCABULARY], rtol=1e-5, atol=1e-5)


def block_tensors(layers: int, taps: int, **more: tuple[int, ...]) -> Tensors:
    shapes: dict[str, tuple[int, ...]] = {
        "fc.weight": (WIDTH, taps * WIDTH),
        "hidden_norm.weight": (WIDTH,),
        "norm.weight": (WIDTH,),
    }
    for index in range(layers):
        prefix = f"layers.{index}"
        shapes |= layer_shapes(prefix, WIDTH, WIDTH, **SIZES) | {f"{prefix}.input_layernorm.weight": (WIDTH,)}
        shapes |= {f"{prefix}.self_attn.{part}_norm.weight": (4,) for part in "qk"}
    return random_tensors({**shapes, **{name.replace("__", "."): shape for name, shape in more.items()}})


DFLASH = {
    "architectures": ["DFlashDraftModel"],
    "model_type": "qwen3",
    "num_hidden_layers": 2,
    **LAYER,
    "block_size": 5,
    "num_target_layers": DEPTH,
}
DFLASH |= {"dflash_config": {"mask_token_id": 43, "target_layer_ids": [1, 3]}, "layer_types": ["full_attention"] * 2}
BLOCKS: dict[str, tuple[dict[str, Any], Tensors, str]] = {
    "DFlash": (DFLASH, block_tensors(2, 2), "dflash"),
    "a causal block, as JetSpec's": (
        {**DFLASH, "is_causal": True, "rope_theta": 200.0},
        block_tensors(2, 2),
        "jetspec",
    ),
    "DFlash of speculators, with a draft vocabulary": (
        {
            "speculators_model_type": "dflash",
            "speculators_config": VERIFIER,
            "transformer_layer_config": {"model_type": "qwen3", "num_hidden_layers": 2, **LAYER},
            "block_size": 5,
            "draft_vocab_size": 12,
            "aux_hidden_state_layer_ids": [2, 4],
            "mask_token_id": 3,
        },
        {
            **block_tensors(2, 2, lm_head__weight=(12, WIDTH)),
            **{name: each for name, each in eagle3("midlayer").items() if name in ("d2t", "t2d")},
        },
        "dflash",
    ),
    "DSpark": (
        {
            **{key: value for key, value in DFLASH.items() if key != "dflash_config"},
            "architectures": ["Qwen3DSparkModel"],
            "block_size": 4,
            "target_layer_ids": [1, 3],
            "mask_token_id": 43,
            "markov_rank": 3,
            "markov_head_type": "vanilla",
            "enable_confidence_head": True,
            "confidence_head_with_markov": True,
        },
        block_tensors(
            2,
            2,
            embed_tokens__weight=(ROWS, WIDTH),
            lm_head__weight=(ROWS, WIDTH),
            markov_head__markov_w1__weight=(ROWS, 3),
            markov_head__markov_w2__weight=(ROWS, 3),
            confidence_head__proj__weight=(1, WIDTH + 3),
            confidence_head__proj__bias=(1,),
        ),
        "dspark",
    ),
}


BLOCKS["DSpark of speculators, with a draft vocabulary"] = (
    {
        "speculators_model_type": "dspark",
        "speculators_config": VERIFIER,
        "transformer_layer_config": {"model_type": "qwen3", "num_hidden_layers": 1, **LAYER},
        "block_size": 4,
        "draft_vocab_size": 12,
        "aux_hidden_state_layer_ids": [2, 4],
        "mask_token_id": 3,
        "sample_from_anchor": True,
        "markov_rank": 3,
        "markov_head_type": "vanilla",
        "enable_confidence_head": True,
    },
    {
        **block_tensors(
            1,
            2,
            lm_head__weight=(12, WIDTH),
            markov_head__markov_w1__weight=(ROWS, 3),
            markov_head__markov_w2__weight=(12, 3),
            confidence_head__proj__weight=(1, WIDTH),
            confidence_head__proj__bias=(1,),
        ),
        **{name: each for name, each in eagle3("midlayer").items() if name in ("d2t", "t2d")},
    },
    "dspark",
)
"""Its confidence head does not know the token before the slot."""


@pytest.mark.parametrize("name", BLOCKS)
def test_block_heads_score_as_their_format_says(name: str, target: CachedModel, tmp_path: Path) -> None:
    """A full block after texts read in pieces, its Markov bias and its confidence; the mask is the embedding of the id that the config names."""
    config, tensors, kind = BLOCKS[name]
    head = load(saved(tmp_path / "head", config, tensors), target)
    assert (head.spec.kind, head.taps) == (kind, (2, 4))
    flat = {**config.get("transformer_layer_config", {}), **config, **config.get("dflash_config", {})}
    table, anchored = tensors.get("embed_tokens.weight", table_of(target)), kind == "dspark"
    slots, states, anchor = config["block_size"] - (not anchored), states_of(2), 5
    wanted = block_states(
        Arithmetic(flat, tensors), table, states, anchor, rows=config["block_size"], causal=kind == "jetspec"
    )
    wanted = wanted[config["block_size"] - slots :]
    network: Any = head.network
    reader = network.reader(head.frozen)
    for pieces in ((7,), (1, 4, 2)):
        reader.begin(20)
        for piece in torch.split(states, list(pieces)):
            reader.extend(piece)
        found = reader.block(torch.tensor([anchor]), slots)
        torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-5)
    scores = wanted @ tensors.get("lm_head.weight", output_of(target)).double().T
    if "d2t" in tensors:
        ids = torch.arange(12) + tensors["d2t"]
        scores = spread_out(scores[:, ids < VOCABULARY], ids[ids < VOCABULARY], VOCABULARY)
    scores, ours = scores[:, :VOCABULARY], reader.score(found)
    torch.testing.assert_close(ours.double(), scores, rtol=1e-5, atol=1e-4)
    assert ours.argmax(-1).tolist() == scores.argmax(-1).tolist()
    if anchored:
        previous = torch.tensor([anchor, 9, 30, 2])
        before = tensors["markov_head.markov_w1.weight"].double()[previous]
        bias = before @ tensors["markov_head.markov_w2.weight"].double().T
        if "d2t" in tensors:
            bias = torch.zeros(4, VOCABULARY).double().index_copy_(1, ids[ids < VOCABULARY], bias[:, ids < VOCABULARY])
        bias = bias[:, :VOCABULARY]
        torch.testing.assert_close(reader.bias(previous).double(), bias, rtol=1e-5, atol=1e-5)
        odds = (torch.cat([wanted, before], -1) if config.get("confidence_head_with_markov") else wanted) @ tensors[
            "confidence_head.proj.weight"
        ][0].double() + tensors["confidence_head.proj.bias"].double()
        sure = reader.confidence(found, previous, greedy=True)
        assert sure is not None
        torch.testing.assert_close(sure.double(), odds.sigmoid(), rtol=1e-5, atol=1e-5)


def without(name: str) -> Callable[[Path], object]:
    return weights(lambda each: each.pop(name))


def weights(change: Callable[[Tensors], object]) -> Callable[[Path], object]:
    def rewrite(folder: Path) -> None:
        tensors = load_file(folder / "model.safetensors")
        change(tensors)
        save_file(tensors, folder / "model.safetensors")

    return rewrite


def config(**values: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **values}))

    return change


class _Code:
    """Something that runs code when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("code was run",))


def pickled(what: Any) -> Callable[[Path], None]:
    def replace(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        torch.save(what, folder / "pytorch_model.bin")

    return replace


def half(folder: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:300])


def indexed(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": {"midlayer.gone.weight": "model-2.safetensors"}})
    )


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "another width": (config(hidden_size=32), "its hidden_size is 32, and here it is 16"),
    "another target's width": (config(target_hidden_size=32), "its target_hidden_size is 32, and here it is 16"),
    "another vocabulary": (config(vocab_size=50), "its vocab_size is 50, and here it is 44"),
    "another depth": (config(num_target_layers=36), "its num_target_layers is 36, and here it is 6"),
    "a layer too far": (
        config(eagle_aux_hidden_state_layer_ids=[2, 3, 9]),
        "its eagle_aux_hidden_state_layer_ids is [2, 3, 9], and the target has 6 layers",
    ),
    "four layers": (
        config(eagle_aux_hidden_state_layer_ids=[2, 3, 4, 5]),
        "a tensor of the shape (16, 48) contradicts its config.json, whose eagle_aux_hidden_state_layer_ids",
    ),
    "two layers of its own": (config(num_hidden_layers=2), "its num_hidden_layers is 2"),
    "other heads": (
        config(num_attention_heads=4),
        "contradicts its config.json, whose num_attention_heads, head_dim ask for (16, 32)",
    ),
    "other inner width": (config(intermediate_size=24), "whose intermediate_size ask for (24, 16)"),
    "a draft vocabulary that is too large": (
        config(draft_vocab_size=45),
        "its draft_vocab_size is 45, more than the 44 ids of its vocab_size",
    ),
    "another draft vocabulary": (
        config(draft_vocab_size=13),
        "a tensor of the shape (12,) contradicts its config.json, whose draft_vocab_size",
    ),
    "no offsets": (without("d2t"), "it has no tensor 'd2t' that says which"),
    "ids for offsets": (
        weights(lambda each: each.update(d2t=each["d2t"] + torch.arange(12))),
        "a d2t of ids instead of offsets is not read",
    ),
    "another mask": (weights(lambda each: each.update(t2d=~each["t2d"])), "its d2t and its t2d name different ids"),
    "another activation": (config(hidden_act="gelu"), "its hidden_act is 'gelu', which is not computed here"),
    "a window": (config(layer_types=["sliding_attention"]), "its layer_types have 'sliding_attention'"),
    "a rotation that depends on the length": (
        config(rope_scaling={"type": "dynamic", "factor": 2.0}),
        "its rope_scaling is of the type 'dynamic'",
    ),
    "half a rotation": (config(rope_scaling={"rope_type": "llama3"}), "its rope_scaling cannot be computed ("),
    "quantised": (config(quantization_config={"bits": 4}), "its quantization_config is"),
    "a flag that is none": (config(norm_output="yes"), "its norm_output is 'yes', neither true nor false"),
    "a norm that is not there": (config(fc_norm=True), "it has no tensor 'fc_norm.0.weight': half of it is missing"),
    "half a checkpoint": (
        without("midlayer.mlp.up_proj.weight"),
        "it has no tensor 'layers.0.mlp.up_proj.weight': half of it is missing",
    ),
    "a part is not here": (indexed, "it has no tensor 'midlayer.gone.weight': half of it is missing"),
    "half a file": (half, "model.safetensors could not be read"),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "it has no weights"),
    "no numbers": (
        weights(lambda each: each["norm.weight"].fill_(torch.nan)),
        "it has values that are not numbers in the tensor 'norm.weight'",
    ),
    "a tensor that nothing reads": (
        weights(lambda each: each.update(gate=torch.zeros(2))),
        "it has the tensor 'gate', which no head of the kind eagle3 reads here",
    ),
    "a pickle with code": (
        pickled({"fc.weight": _Code()}),
        "pytorch_model.bin contains more than tensors, and no code from it is run",
    ),
    "a pickle of something else": (pickled([torch.zeros(2)]), "pytorch_model.bin is not a table of tensors"),
    "no config": (lambda folder: (folder / "config.json").write_text("{"), "its config.json could not be read"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_run_is_refused_in_a_sentence(
    fault: str, target: CachedModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the folder and the key or the tensor; no code of a pickle is run."""
    folder = saved(tmp_path / "head", ORIGINAL, eagle3("midlayer"))
    break_it, reason = REFUSED[fault]
    break_it(folder)
    with pytest.raises(PairError) as caught:
        load(folder, target, "this one")
    said = str(caught.value)
    assert said.startswith(f"The published head {folder} cannot be used (")
    assert reason in said
    assert said.endswith("): choose another head or another drafter.")
    assert "code was run" not in capsys.readouterr().out


def test_a_head_that_does_not_fit_into_memory_is_refused(
    target: CachedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its numbers are read."""
    folder = saved(tmp_path / "head", ORIGINAL, eagle3("midlayer"))
    monkeypatch.setattr("specviz.models.memory.memory_free", lambda device: 1000)
    with pytest.raises(PairError, match=r"The weights of .*head need 0\.0 GB in float64, and cpu has 0\.0 GB free"):
        load(folder, target)


@pytest.mark.parametrize(
    ("described", "kind"),
    [
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, ""),
        ({"architectures": ["Qwen3ForCausalLM"]}, ""),
        ({"architectures": ["LlamaForCausalLM"], "draft_vocab_size": 32000}, "eagle3"),
        ({"architectures": ["Eagle3LlamaForCausalLM"]}, "eagle3"),
        ({"architectures": ["DFlashQwen3DSparkModel"]}, "dspark"),
        ({"architectures": ["LlamaForCausalLM"], "bias": True}, "eagle1"),
        ({"medusa_num_heads": 5}, "medusa"),
    ],
)
def test_the_config_alone_tells_the_kind(described: dict[str, Any], kind: str) -> None:
    """Of each format; a model's own config is no head's."""
    assert kind_of(described, "it") == kind


@pytest.mark.parametrize(
    ("described", "reason"),
    [
        (
            {"speculators_model_type": "peagle"},
            "its config.json has speculators_model_type 'peagle', and read are eagle3, dflash, dspark",
        ),
        (
            {"architectures": ["DFlash2DraftModel"]},
            "its config.json has the architecture 'DFlash2DraftModel', and DFlash2 is not read",
        ),
    ],
)
def test_other_formats_are_refused_by_their_key(described: dict[str, Any], reason: str) -> None:
    """Before anything is loaded."""
    with pytest.raises(PairError) as caught:
        kind_of(described, "it")
    assert reason in str(caught.value)


def test_a_head_by_hub_id_is_found_where_it_was_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its id, with a revision or without; before the download there is one sentence."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(
        PairError,
        match="The published head some/head is not on this machine: `specviz pairs --get some/head` downloads it",
    ):
        heads_here(None, "some/head")
    there = tmp_path / "models--some--head"
    for commit in ("1" * 40, "2" * 40):
        saved(there / "snapshots" / commit, {"medusa_num_heads": 3}, {})
    (there / "refs").mkdir()
    (there / "refs" / "main").write_text("2" * 40)
    assert heads_here(None, "some/head") == {"medusa": there / "snapshots" / ("2" * 40)}
    assert heads_here(None, "some/head@" + "1" * 40) == {"medusa": there / "snapshots" / ("1" * 40)}


def test_the_text_is_the_targets_own_whatever_the_format(target: CachedModel, tmp_path: Path) -> None:
    """Greedy decoding with a head of each format, chain and tree, token for token as without; some guesses are made."""
    formats = {name: (about, tensors, file) for name, (about, tensors, file, _) in EAGLE3.items()}
    formats |= {name: (about, tensors, "model.safetensors") for name, (about, tensors, _) in BLOCKS.items()}
    settings = Settings(k=3, nodes=6, max_new_tokens=10)
    prompt, count = (3, 1, 7), 0
    plain = tokens_of(target, NoDrafter(target.vocabulary), prompt, settings)
    for number, (about, tensors, file) in enumerate(formats.values()):
        head = load(saved(tmp_path / str(number), about, tensors, file), target)
        for name, one in registry.descriptions().items():
            if one.head == head.spec.kind:
                rounds = list(speculate(target, made(name, head), prompt, settings))
                assert [token for each in rounds for token in each.tokens] == plain, (name, about)
                count += sum(len(each.drafted) for each in rounds)
    assert count > 100


def made(name: str, head: BoundHead) -> Drafter:
    kit: Any = SimpleNamespace(head=lambda kind: head)
    drafter: Drafter = registry.module_of(name).make(kit, None)
    return drafter


def tokens_of(target: CachedModel, drafter: Drafter, prompt: tuple[int, ...], settings: Settings) -> list[int]:
    return [token for each in speculate(target, drafter, prompt, settings) for token in each.tokens]
