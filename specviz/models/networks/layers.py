"""Copies of a transformers model with some of its layers only, which share all of its weights."""

from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError


def with_layers(model: PreTrainedModel, layers: Sequence[int]) -> PreTrainedModel:
    """A copy of the model with only these layers, in this order.

    Raises:
        PairError: the model does not keep its layers in one list.
    """
    submodel, base = _outer_and_inner(model)
    name, all_layers = _list_of_layers(base)
    base._modules[name] = nn.ModuleList(all_layers[index] for index in layers)
    return submodel


def layers_from(model: PreTrainedModel, depth: int) -> PreTrainedModel:
    """A copy of the model with the layers from `depth` on; its `inputs_embeds` are the states of the layer before them.

    Some models add learnt position embeddings to any input. Here they add zero, because the states contain them already.

    Raises:
        PairError: the model does not keep its layers in one list.
    """
    submodel, base = _outer_and_inner(model)
    name, all_layers = _list_of_layers(base)
    base._modules[name] = nn.ModuleList(list(all_layers)[depth:])
    if "wpe" in base._modules:
        base._modules["wpe"] = _ZeroEmbedding()
    return submodel


class LastStates:
    """Stores the output of a submodel's last layer, before the final normalisation.

    The hook sits on a copy of the layer, so that it does not slow the full model, which has the same layer.

    Attributes:
        states: [m, width] of the last pass.
    """

    def __init__(self, submodel: PreTrainedModel) -> None:
        base = getattr(submodel, submodel.base_model_prefix)
        self.states = torch.empty(0)
        name, layers = _list_of_layers(base)
        hooked = _shallow_copy(layers[-1])
        hooked.__dict__["_forward_hooks"] = OrderedDict()
        hooked.register_forward_hook(self._store)
        base._modules[name] = nn.ModuleList([*list(layers)[:-1], hooked])

    def _store(self, layer: nn.Module, given: Any, result: Any) -> None:
        self.states = (result[0] if isinstance(result, tuple) else result)[0]


class _ZeroEmbedding(nn.Module):
    """An embedding that is zero for every id."""

    def forward(self, ids: Tensor) -> Tensor:
        return torch.zeros((), device=ids.device)


def _outer_and_inner(model: PreTrainedModel) -> tuple[PreTrainedModel, nn.Module]:
    """Shallow copies of the model and of its inner decoder, so that the originals keep their layers."""
    outer = _shallow_copy(model)
    inner = outer._modules.get(model.base_model_prefix)
    if inner is None:
        raise PairError(
            f"{type(model).__name__} does not consist of a decoder and a head, so its layers cannot be run separately: use a "
            "drafter without early exit or layer skip."
        )
    outer._modules[model.base_model_prefix] = inner = _shallow_copy(inner)
    return outer, inner


def _shallow_copy(module: Any) -> Any:
    """A copy with its own dictionary of submodules and the same weights."""
    copied = copy(module)
    copied.__dict__["_modules"] = dict(module._modules)
    return copied


def _list_of_layers(base: nn.Module) -> tuple[str, nn.ModuleList]:
    """The name of the list of layers in the decoder, and the list itself."""
    depth = base.config.get_text_config(decoder=True).num_hidden_layers  # type: ignore[union-attr, operator]
    for name, module in base._modules.items():
        if isinstance(module, nn.ModuleList) and 0 < len(module) <= depth:
            return name, module
    raise PairError(
        f"{type(base).__name__} does not keep its layers in one list, so they cannot be run separately: use a drafter without "
        "early exit or layer skip."
    )
