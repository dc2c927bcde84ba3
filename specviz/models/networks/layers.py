"""Copies of a transformers model that lack some of its layers and share all of its weights."""

from collections import OrderedDict
from collections.abc import Sequence
from copy import copy
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError


def part_of(model: PreTrainedModel, layers: Sequence[int]) -> PreTrainedModel:
    """The model with only these of its layers, in their order.

    Raises:
        PairError: the layers are not kept in one list, so none can be left out.
    """
    part, base = _outer_and_inner(model)
    name, whole = _list_of_layers(base)
    base._modules[name] = nn.ModuleList(whole[index] for index in layers)
    return part


def upper_part_of(model: PreTrainedModel, depth: int) -> PreTrainedModel:
    """The layers from `depth` on, to be given the states of the layer below as `inputs_embeds`.

    Learnt embeddings of positions, which some models add to whatever they are given, add nothing here: the states hold them already.
    """
    part, base = _outer_and_inner(model)
    name, whole = _list_of_layers(base)
    base._modules[name] = nn.ModuleList(list(whole)[depth:])
    if "wpe" in base._modules:
        base._modules["wpe"] = _Nothing()
    return part


class LastStates:
    """Notes what the last layer of a part gives, before the final normalisation.

    The layer that it watches is a copy: the whole model, which has the same layer, is not slowed by the watching.
    """

    def __init__(self, part: PreTrainedModel) -> None:
        base = getattr(part, part.base_model_prefix)
        self.states = torch.empty(0)
        name, layers = _list_of_layers(base)
        watched = _twin(layers[-1])
        watched.__dict__["_forward_hooks"] = OrderedDict()
        watched.register_forward_hook(self._note)
        base._modules[name] = nn.ModuleList([*list(layers)[:-1], watched])

    def _note(self, layer: nn.Module, given: Any, result: Any) -> None:
        self.states = (result[0] if isinstance(result, tuple) else result)[0]


class _Nothing(nn.Module):
    """An embedding that adds nothing."""

    def forward(self, ids: Tensor) -> Tensor:
        return torch.zeros((), device=ids.device)


def _outer_and_inner(model: PreTrainedModel) -> tuple[PreTrainedModel, nn.Module]:
    """Shallow copies of the model and of the decoder in it, so that the originals keep their layers."""
    outer = _twin(model)
    inner = outer._modules.get(model.base_model_prefix)
    if inner is None:
        raise PairError(
            f"{type(model).__name__} is not built of a decoder and a head, so no layer of it can be left out."
        )
    outer._modules[model.base_model_prefix] = inner = _twin(inner)
    return outer, inner


def _twin(module: Any) -> Any:
    twin = copy(module)
    twin.__dict__["_modules"] = dict(module._modules)
    return twin


def _list_of_layers(base: nn.Module) -> tuple[str, nn.ModuleList]:
    """Its name in the decoder, and the list itself."""
    depth = base.config.get_text_config(decoder=True).num_hidden_layers  # type: ignore[union-attr, operator]
    for name, part in base._modules.items():
        if isinstance(part, nn.ModuleList) and 0 < len(part) <= depth:
            return name, part
    raise PairError(f"{type(base).__name__} keeps its layers in no list, so none of them can be left out.")
