"""Heads that other projects publish, read as they are: their config becomes a `Spec`, and their tensors the weights of our networks.

`specviz.head_formats` lists the formats and where each was read. Layer ids have two conventions. EAGLE and speculators name the layer that a
state *enters*, which is how `Spec.taps` counts; a list that begins with 1 names the layer that it *leaves* (sgl-project/sglang#25454), as DFlash,
DSpark and DeepSpec do. A wrong guess here keeps the text right and makes it slow, so every head is measured when it is first used
(`specviz.models.checks.guesses`).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from specviz.errors import brief
from specviz.folders import read_json
from specviz.head_formats import CONFIG, kind_of, refusal
from specviz.models.cached_model import CachedModel
from specviz.models.heads.published_folder import PublishedFolder, flattened
from specviz.models.heads.spec import Spec
from specviz.models.heads.tensor_files import Tensors
from specviz.models.memory import Placement

# Redundant tensors: the mask of the draft vocabulary, tables of rotations, parts of the target.
_UNUSED = re.compile(r"t2d|.*rotary_emb\.inv_freq|verifier_.*")


@dataclass(frozen=True, slots=True)
class PublishedHead:
    """A head as its folder has it.

    Attributes:
        weights: of the network of `spec`, by its own names.
        tokens: [K] the ids that it scores, in the order of `output`; None for the first ones.
        table: [V, width] its own embedding; None for the target's.
        output: [K, width] of its own output layer; None for the target's.
        mask: the id whose embedding its masks begin with; None for heads without masks.
    """

    spec: Spec
    weights: dict[str, Tensor]
    tokens: Tensor | None = None
    table: Tensor | None = None
    output: Tensor | None = None
    mask: int | None = None


def read(folder: Path, target: CachedModel, name: str) -> PublishedHead:
    """The published head in a folder, for this target. Raises PairError if it was made for another target, it asks for what is not
    computed here, its files are damaged, incomplete or contradict its config, or it does not fit into memory.

    Args:
        name: what people call the target.
    """
    try:
        config = read_json(folder / CONFIG)
    except (OSError, ValueError) as error:
        raise refusal(str(folder), f"its {CONFIG} could not be read ({brief(error, 120)})") from error
    if not isinstance(config, dict):
        raise refusal(str(folder), f"its {CONFIG} is not an object")
    try:
        source, kind = PublishedFolder(folder, flattened(config, folder), target), kind_of(config, str(folder))
        source.check(name)
        source.tensors = Tensors(folder, Placement(target.network.dtype, target.device))
        head = _READERS[kind](source, kind)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise refusal(str(folder), f"its {CONFIG} has a value of the wrong kind ({brief(error, 120)})") from error
    if unused := [tensor_name for tensor_name in source.tensors.unread if not _UNUSED.fullmatch(tensor_name)]:
        raise refusal(str(folder), f"it has the tensor {unused[0][:80]!r}, which no head of the kind {kind} reads here")
    return head


def _eagle3(source: PublishedFolder, kind: str) -> PublishedHead:
    config, tensors = source.config, source.tensors
    if (layers := source.number("num_hidden_layers", otherwise=1)) != 1:
        raise source.refuse(f"its num_hidden_layers is {layers}, and EAGLE heads of one layer are computed here")
    key = next(
        (
            name
            for name in ("eagle_aux_hidden_state_layer_ids", "aux_hidden_state_layer_ids", "target_layer_ids")
            if name in config
        ),
        "",
    )
    depth, ids = source.shape.depth, config.get(key)
    # Such a list names the layers whose results are read (SpecForge's default is 1, depth // 2 - 1, depth - 4), others those that they enter.
    leaves = key == "target_layer_ids" or (isinstance(ids, list) and ids[:1] == [1])
    taps = source.taps(ids if key else [2, depth // 2, depth - 3], key or "number of target layers", int(leaves))
    width, wide = source.number("hidden_size"), len(taps) * source.shape.width
    sizes, weights = source.layer("layers.0.", 2 * width)
    weights["join.weight"] = tensors.take("fc.weight")
    source.agree(weights["join.weight"], (width, wide), f"{key or 'three layers'}, hidden_size")
    for ours, theirs in (("token_norm", "input_layernorm"), ("feature_norm", "hidden_norm")):
        weights[f"{ours}.weight"] = tensors.take(f"layers.0.{theirs}.weight")
    weights["norm.weight"] = tensors.take("norm.weight")
    flags = {name: source.flag(name) for name in ("norm_before_residual", "norm_before_fc", "fc_norm", "norm_output")}
    if flags["norm_before_fc"]:
        weights["join_norm.weight"] = tensors.take("input_norm.weight")
    if flags["fc_norm"]:
        weights |= {f"tap_norms.{tap}.weight": tensors.take(f"fc_norm.{tap}.weight") for tap in range(len(taps))}
    table, output = source.table(), tensors.some("lm_head.weight")
    if width != source.shape.width and (table is None or output is None):
        raise source.refuse(
            f"its hidden_size is {width}, the target's {source.shape.width}, and it has no embedding or output layer of its own"
        )
    tokens, rows = source.vocabulary()
    output = source.rows_of(output, rows)
    return PublishedHead(source.spec(kind, taps, {"layer": sizes, **flags}), weights, tokens, table, output)


def _block(source: PublishedFolder, kind: str) -> PublishedHead:
    """DFlash and DSpark. speculators name the layer that a state enters, the others the one that it leaves."""
    config, tensors, shape = source.config, source.tensors, source.shape
    ours = "speculators_model_type" in config
    key = "aux_hidden_state_layer_ids" if ours else "target_layer_ids"
    taps = source.taps(config.get(key), key, 0 if ours else 1)
    if (width := source.number("hidden_size")) != shape.width:
        raise source.refuse(
            f"its hidden_size is {width}, and it reads the embedding of the target, which is {shape.width} wide"
        )
    anchored = source.flag("sample_from_anchor") if "sample_from_anchor" in config else kind == "dspark" and not ours
    causal = source.flag("is_causal" if "is_causal" in config else "causal")
    slots = source.number("block_size", otherwise=16 if kind == "dflash" else None) - (0 if anchored else 1)
    layers = source.number("num_hidden_layers")
    weights: dict[str, Tensor] = {}
    sizes: dict[str, Any] = {}
    for index in range(layers):
        sizes, layer = source.layer(f"layers.{index}.", width)
        layer["attention_norm.weight"] = tensors.take(f"layers.{index}.input_layernorm.weight")
        weights |= {f"layers.{index}.{name}": tensor for name, tensor in layer.items()}
    if sizes["bias"]:
        raise source.refuse("its attention_bias is true, and block heads without one are computed here")
    weights["fuse.weight"] = tensors.take("fc.weight")
    source.agree(weights["fuse.weight"], (width, len(taps) * width), f"{key}, hidden_size")
    weights["context_norm.weight"], weights["norm.weight"] = (
        tensors.take("hidden_norm.weight"),
        tensors.take("norm.weight"),
    )
    table, (tokens, rows) = source.table(), source.vocabulary()
    output = source.rows_of(tensors.some("lm_head.weight"), rows)
    mask, ids = config.get("mask_token_id"), source.number("vocab_size")
    if type(mask) is not int or not 0 <= mask < ids:
        raise source.refuse(f"its mask_token_id is {str(mask)[:40]}, not an id below {ids}")
    rank = source.number("markov_rank") if config.get("markov_rank") else 0
    confident = source.flag("enable_confidence_head")
    if rank:
        weights |= _markov(source, rank, tokens, rows)
    if confident:
        weights["sure.weight"], weights["sure.bias"] = (
            tensors.take(f"confidence_head.proj.{part}") for part in ("weight", "bias")
        )
    options = {
        "slots": slots,
        "layers": layers,
        "causal": causal,
        "sample_from_anchor": anchored,
        "markov_rank": rank,
        "confidence": confident,
        "confidence_with_markov": source.flag("confidence_head_with_markov") if rank else True,
        "layer": sizes,
    }
    if kind == "dflash" and causal:
        kind = "jetspec"
    return PublishedHead(source.spec(kind, taps, options), weights, tokens, table, output, mask)


def _markov(source: PublishedFolder, rank: int, tokens: Tensor | None, rows: Tensor | slice) -> dict[str, Tensor]:
    """The two thin tables of a Markov bias, for the ids of the target's tokenizer."""
    vocabulary, drafted = source.target.vocabulary, source.number("draft_vocab_size", "vocab_size")
    before, after = (source.tensors.take(f"markov_head.markov_w{number}.weight") for number in (1, 2))
    source.agree(before, (source.number("vocab_size"), rank), "vocab_size, markov_rank")
    source.agree(after, (drafted, rank), "draft_vocab_size, markov_rank")
    after = after[rows]
    if tokens is not None:
        after = after.new_zeros(vocabulary, rank).index_copy_(0, tokens, after)
    return {"markov_embed.weight": before[:vocabulary], "markov_lm_head.weight": after}


_READERS: dict[str, Callable[[PublishedFolder, str], PublishedHead]] = {
    "eagle3": _eagle3,
    "dflash": _block,
    "dspark": _block,
}
