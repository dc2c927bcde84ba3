"""Claims about heads of other projects: each format is read as it is, and scores what a plain pass written from its description scores; what
cannot be used is refused in one sentence, which names the key or the tensor."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.errors import PairError
from specviz.head_formats import kind_of
from specviz.model_choice import heads_here
from specviz.models import CachedModel
from specviz.models.heads.folder import BoundHead, load
from tests.helpers import published as formats
from tests.helpers.refusals import Damage, cut, edited, refusal, reweighted

TOKENS = [3, 1, 6, 0, 39, 2, 5]


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return formats.target_of_heads()


def states_of(taps: int, seed: int = 4) -> Tensor:
    return torch.randn(len(TOKENS), taps, formats.WIDTH, generator=torch.Generator().manual_seed(seed)).double()


def table_of(target: CachedModel) -> Tensor:
    weight: Tensor = target.model.get_input_embeddings().weight
    return weight.detach()


def output_of(target: CachedModel) -> Tensor:
    weight: Any = target.model.get_output_embeddings().weight
    found: Tensor = weight.detach()
    return found


@pytest.mark.parametrize("name", formats.EAGLE3)
def test_eagle3_heads_score_as_their_format_says(name: str, target: CachedModel, tmp_path: Path) -> None:
    """After the text and after three guesses of its own: with grouped keys, wider heads than states, norms, a rotation, ids and an embedding of
    its own."""
    config, more, taps = formats.EAGLE3[name]
    tensors, file = formats.eagle3(config, more), "pytorch_model.bin" if "pickle" in name else "model.safetensors"
    folder = formats.saved(tmp_path / "head", config, tensors, file)
    assert set(heads_here(None, str(folder))) == {"eagle3"}
    head = load(folder, target)
    assert head.taps == taps
    flat = {"head_dim": 4, **config.get("transformer_layer_config", {}), **config}
    net = formats.Arithmetic(flat, tensors, frequencies_of(flat))
    states, prefix = states_of(len(taps)), formats.prefix_of(config)
    table = tensors.get("embed_tokens.weight", table_of(target))
    guesses = [7, 13, 2]
    wanted = formats.eagle3_scores(net, prefix, table, states, [*TOKENS, *guesses])
    ids = None if "d2t" not in tensors else torch.arange(12) + tensors["d2t"]
    kept = None if ids is None else ids < formats.VOCABULARY
    scores = [state @ tensors["lm_head.weight"].double().T for state in wanted]
    if ids is not None:
        scores = [formats.spread_out(row[kept], ids[kept], formats.VOCABULARY) for row in scores]
    check_reader(head, states, guesses, [row[: formats.VOCABULARY] for row in scores])


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


@pytest.mark.parametrize("name", formats.BLOCKS)
def test_block_heads_score_as_their_format_says(name: str, target: CachedModel, tmp_path: Path) -> None:
    """A full block after texts read in pieces, its Markov bias and its confidence; the mask is the embedding of the id that the config names."""
    config, tensors, kind = formats.BLOCKS[name]
    head = load(formats.saved(tmp_path / "head", config, tensors), target)
    assert (head.spec.kind, head.taps) == (kind, (2, 4))
    flat = {**config.get("transformer_layer_config", {}), **config, **config.get("dflash_config", {})}
    table, anchored = tensors.get("embed_tokens.weight", table_of(target)), kind == "dspark"
    slots, states, anchor = config["block_size"] - (not anchored), states_of(2), 5
    wanted = formats.block_states(
        formats.Arithmetic(flat, tensors), table, states, anchor, rows=config["block_size"], causal=kind == "jetspec"
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
        scores = formats.spread_out(
            scores[:, ids < formats.VOCABULARY], ids[ids < formats.VOCABULARY], formats.VOCABULARY
        )
    scores, ours = scores[:, : formats.VOCABULARY], reader.score(found)
    torch.testing.assert_close(ours.double(), scores, rtol=1e-5, atol=1e-4)
    assert ours.argmax(-1).tolist() == scores.argmax(-1).tolist()
    if anchored:
        previous = torch.tensor([anchor, 9, 30, 2])
        before = tensors["markov_head.markov_w1.weight"].double()[previous]
        bias = before @ tensors["markov_head.markov_w2.weight"].double().T
        bias = bias[:, : formats.VOCABULARY]
        torch.testing.assert_close(reader.bias(previous).double(), bias, rtol=1e-5, atol=1e-5)
        weight, shift = (tensors[f"confidence_head.proj.{part}"].double() for part in ("weight", "bias"))
        odds = torch.cat([wanted, before], -1) @ weight[0] + shift
        sure = reader.confidence(found, previous, greedy=True)
        assert sure is not None
        torch.testing.assert_close(sure.double(), odds.sigmoid(), rtol=1e-5, atol=1e-5)


# ---- what cannot be used, and how heads are found


class _Code:
    """Something that runs code when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("code was run",))


def pickled(what: Any) -> Damage:
    def replace(folder: Path) -> None:
        (folder / "model.safetensors").unlink()
        torch.save(what, folder / "pytorch_model.bin")

    return replace


def indexed(folder: Path) -> None:
    (folder / "model.safetensors.index.json").write_text(
        json.dumps({"weight_map": {"midlayer.gone.weight": "model-2.safetensors"}})
    )


REFUSED: dict[str, Damage] = {
    "its hidden_size is 32, and here it is 16": edited(hidden_size=32),
    "its config.json has a value of the wrong kind": edited(rms_norm_eps="x"),
    "its norm_output is 'yes', neither true nor false": edited(norm_output="yes"),
    "its num_target_layers is 36, and here it is 6": edited(num_target_layers=36),
    "its eagle_aux_hidden_state_layer_ids is [2, 3, 9], and the target has 6 layers": edited(
        eagle_aux_hidden_state_layer_ids=[2, 3, 9]
    ),
    "its num_hidden_layers is 2": edited(num_hidden_layers=2),
    "contradicts its config.json, whose num_attention_heads, head_dim ask for (16, 32)": edited(num_attention_heads=4),
    "a tensor of the shape (12,) contradicts its config.json, whose draft_vocab_size": edited(draft_vocab_size=13),
    "a d2t of ids instead of offsets is not read": reweighted(
        lambda each: each.update(d2t=each["d2t"] + torch.arange(12))
    ),
    "its d2t and its t2d name different ids": reweighted(lambda each: each.update(t2d=~each["t2d"])),
    "its hidden_act is 'gelu', which is not computed here": edited(hidden_act="gelu"),
    "its layer_types have 'sliding_attention'": edited(layer_types=["sliding_attention"]),
    "its rope_scaling cannot be computed (": edited(rope_scaling={"rope_type": "llama3"}),
    "its quantization_config is": edited(quantization_config={"bits": 4}),
    "it has no tensor 'layers.0.mlp.up_proj.weight', which its config asks for": reweighted(
        lambda each: each.pop("midlayer.mlp.up_proj.weight")
    ),
    "it has no tensor 'midlayer.gone.weight': half of it is missing": indexed,
    "model.safetensors could not be read": cut("model.safetensors", 300),
    "it has no weights": lambda folder: (folder / "model.safetensors").unlink(),
    "it has values that are not numbers in the tensor 'norm.weight'": reweighted(
        lambda each: each["norm.weight"].fill_(torch.nan)
    ),
    "it has the tensor 'gate', which no head of the kind eagle3 reads here": reweighted(
        lambda each: each.update(gate=torch.zeros(2))
    ),
    "pytorch_model.bin contains more than tensors, and no code from it is run": pickled({"fc.weight": _Code()}),
    "pytorch_model.bin is not a table of tensors": pickled([torch.zeros(2)]),
    "its config.json could not be read": lambda folder: (folder / "config.json").write_text("{"),
}
"""What the sentence says, and how the folder is damaged."""


@pytest.mark.parametrize("reason", REFUSED)
def test_what_cannot_be_run_is_refused_in_a_sentence(
    reason: str, target: CachedModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names the folder and the key or the tensor; no code of a pickle is run."""
    folder = formats.saved(tmp_path / "head", formats.ORIGINAL, formats.eagle3(formats.ORIGINAL))
    REFUSED[reason](folder)
    said = refusal(PairError, load, folder, target, "this one")
    assert said.startswith(f"The published head {folder} cannot be used (")
    assert reason in said
    assert said.endswith("): choose another head or another drafter.")
    assert "code was run" not in capsys.readouterr().out


def test_a_head_that_does_not_fit_into_memory_is_refused(
    target: CachedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its numbers are read."""
    folder = formats.saved(tmp_path / "head", formats.ORIGINAL, formats.eagle3(formats.ORIGINAL))
    monkeypatch.setattr("specviz.models.memory.memory_free", lambda device: 1000)
    with pytest.raises(PairError, match=r"The weights of .*head need 0\.0 GB in float64, and cpu has 0\.0 GB free"):
        load(folder, target)


def test_the_config_alone_tells_the_kind() -> None:
    """Of each format; a model's own config is no head's."""
    for described, kind in (
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, ""),
        ({"architectures": ["LlamaForCausalLM"], "draft_vocab_size": 32000}, "eagle3"),
        ({"architectures": ["DFlashQwen3DSparkModel"]}, "dspark"),
    ):
        assert kind_of(described, "it") == kind


def test_other_formats_are_refused_by_their_key() -> None:
    """Before anything is loaded, in one sentence."""
    for described, reason in (
        ({"architectures": ["LlamaForCausalLM"], "bias": True}, "it is an EAGLE-1 or EAGLE-2 head, and of the EAGLE heads only EAGLE-3 is read"),
        ({"medusa_num_heads": 5}, "of the formats of Medusa heads only that of this project is read"),
        ({"speculators_model_type": "peagle"}, "its config.json has speculators_model_type 'peagle', and read are eagle3, dflash, dspark"),
        ({"architectures": ["DFlash2DraftModel"]}, "its config.json has the architecture 'DFlash2DraftModel', and DFlash2 is not read"),
    ):  # fmt: skip
        sentence = f"The published head it cannot be used ({reason}): choose another head or another drafter."
        assert refusal(PairError, kind_of, described, "it") == sentence


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
        formats.saved(there / "snapshots" / commit, {"draft_vocab_size": 3}, {})
    (there / "refs").mkdir()
    (there / "refs" / "main").write_text("2" * 40)
    assert heads_here(None, "some/head") == {"eagle3": there / "snapshots" / ("2" * 40)}
    assert heads_here(None, "some/head@" + "1" * 40) == {"eagle3": there / "snapshots" / ("1" * 40)}
