"""Claims about heads of other projects: each format is read as it is, and scores what a plain pass written from its description scores."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.model_choice import heads_here
from specviz.models import CachedModel
from specviz.models.heads.folder import BoundHead, load
from tests.helpers.published import (
    Arithmetic,
    block_states,
    eagle3_scores,
    random_tensors,
    saved,
    spread_out,
)
from tests.helpers.published_formats import (
    BLOCKS,
    DEPTH,
    EAGLE3,
    ROWS,
    VOCABULARY,
    WIDTH,
    target_of_heads,
)

TOKENS = [3, 1, 6, 0, 39, 2, 5]


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return target_of_heads()


def states_of(taps: int, seed: int = 4) -> Tensor:
    return torch.randn(len(TOKENS), taps, WIDTH, generator=torch.Generator().manual_seed(seed)).double()


def table_of(target: CachedModel) -> Tensor:
    weight: Tensor = target.model.get_input_embeddings().weight
    return weight.detach()


def output_of(target: CachedModel) -> Tensor:
    weight: Any = target.model.get_output_embeddings().weight
    found: Tensor = weight.detach()
    return found


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
