"""Heads for tests: of random weights, bound to any target, with or without a folder."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from specviz.model_choice import HEAD_FILE
from specviz.models import CachedModel
from specviz.models.heads.block import BlockHead, BlockLayer
from specviz.models.heads.folder import WEIGHTS, BoundHead, digest_of, network_of
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.spec import FORMAT, Shape, Spec

FLAGS: dict[str, dict[str, Any]] = {
    "dflash": {"causal": False, "sample_from_anchor": False},
    "jetspec": {"causal": True, "sample_from_anchor": False},
    "dspark": {"causal": False, "sample_from_anchor": True, "markov_rank": 4, "confidence": True},
}
"""The options of each kind of block head."""


def spec_for(
    target: CachedModel,
    kind: str = "medusa",
    *,
    taps: tuple[int, ...] = (),
    digest: str = "x",
    tokenizer: str = "",
    **options: Any,
) -> Spec:
    """The description of a head for this target; by default one that reads its final state."""
    if kind == "medusa":
        options.setdefault("heads", 4)
    if kind in FLAGS:
        options = {"slots": 4, "layers": 1, **FLAGS[kind], **options}
    shape = Shape.of(target.model.config, target.vocabulary)
    return Spec(kind, "a tiny target", digest, shape, taps or (target.network.depth,), options, tokenizer)


def random_head(
    target: CachedModel,
    kind: str = "medusa",
    *,
    seed: int = 0,
    noise: float = 0.3,
    tokens: torch.Tensor | None = None,
    **about: Any,
) -> BoundHead:
    """A head whose weights are normal random numbers."""
    spec = spec_for(target, kind, **about)
    network = network_of(spec)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            weight.copy_(noise * torch.randn(weight.shape, generator=generator))
        if isinstance(network, BlockHead):
            _echo(network)
    network = network.to(target.network.dtype).eval().requires_grad_(False)
    return BoundHead(spec, network, Frozen.of(target, tokens))


def _echo(network: BlockHead) -> None:
    """Let what the target would have written after all tokens so far, on average, be the head's guess for every slot."""
    width = len(network.mask)
    network.fuse.weight.add_(torch.eye(width).repeat(1, network.fuse.weight.shape[1] // width))
    for name, weight in network.named_parameters():
        if name.endswith("norm.weight"):
            weight.add_(1.0)
    for layer in network.layers:
        assert isinstance(layer, BlockLayer)
        inner = layer.out.weight.shape[1]
        layer.queries_keys_values.weight[2 * inner :].add_(torch.eye(inner, width))
        layer.out.weight.add_(torch.eye(width, inner))


def saved_head(folder: Path, target: CachedModel, *, tokens: torch.Tensor | None = None, **about: Any) -> Path:
    """A head in a folder, made for this very target."""
    head = random_head(target, digest=digest_of(target.model), tokens=tokens, **about)
    save(folder, head, tokens=tokens)
    return folder


def save(folder: Path, head: BoundHead, *, tokens: torch.Tensor | None = None) -> None:
    """Write a head in half precision, as the heads that come with the project are."""
    tensors = {name: weight.half().contiguous() for name, weight in head.network.state_dict().items()}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors if tokens is None else {**tensors, "tokens": tokens}, folder / WEIGHTS)
    described = {
        "format": FORMAT,
        **{name: getattr(head.spec, name) for name in ("kind", "target", "digest", "tokenizer")},
    }
    described |= {"shape": asdict(head.spec.shape), "taps": list(head.spec.taps), "options": dict(head.spec.options)}
    (folder / HEAD_FILE).write_text(json.dumps(described), encoding="utf-8")
