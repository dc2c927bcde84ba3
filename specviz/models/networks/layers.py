"""A transformers model that runs some of its layers only. It shares all of its weights with the full model.

Every layer keeps its index, because models look up masks, rotary tables and per-layer inputs by index. A layer that must not
run is replaced by a copy of itself whose `forward` computes nothing: a stand-in. It has the attributes of the layer, returns what
the model's loop expects from this class of layer, and never touches the cache.
"""

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError, brief

# How many tokens the pass reads that finds the layers. States have one axis of this length; no other axis is likely
# to.
_PROBED = 7
_ADVICE = "so they cannot be run separately: use a drafter other than early exit."


@dataclass(frozen=True, slots=True)
class _Layer:
    """One layer, and what it returns: its states alone (`beside` is None), or a tuple of them and `beside` more values."""

    module: nn.Module
    beside: int | None


@dataclass(frozen=True, slots=True)
class LayerStack:
    """The layers of a model in the order in which it runs them.

    Attributes:
        name: where the list of layers is in the model, such as "model.layers".
        layers: without those at the end of the list that the model never runs.
        axis: the axis of the states that counts tokens.
        needed: the indices of layers whose keys and values later layers read.
    """

    name: str
    layers: tuple[_Layer, ...]
    axis: int
    needed: frozenset[int]

    @property
    def depth(self) -> int:
        return len(self.layers)


@torch.inference_mode()
def layer_stack(model: PreTrainedModel) -> LayerStack:
    """Find the layers by one short pass of the model, without a cache. Raises PairError if the model has no list of
    layers that it runs one after the other, or a layer needs more than the states of the layer before it."""
    name = type(model).__name__
    calls: list[_Call] = []
    lists = dict(_lists(model))
    modules = {id(module): module for modules in lists.values() for module in modules}.values()
    hooks = [module.register_forward_hook(partial(_note, calls), with_kwargs=True) for module in modules]
    try:
        ids = torch.arange(_PROBED, device=model.device)[None] % model.get_input_embeddings().num_embeddings
        model(input_ids=ids, use_cache=False)
    except torch.OutOfMemoryError:
        raise
    except Exception as error:
        raise PairError(f"The layers of {name} could not be found ({brief(error, 120)}), {_ADVICE}") from error
    finally:
        for hook in hooks:
            hook.remove()
    stacks = {where: _run_in_order(modules, calls) for where, modules in lists.items()}
    where = max(stacks, key=lambda list_name: len(stacks[list_name]), default="")
    stack = stacks.get(where, [])
    if not stack:
        raise PairError(f"{name} does not keep its layers in one list, {_ADVICE}")
    if any(_hands_over(before, after) for before, after in pairwise(stack)):
        raise PairError(f"The layers of {name} hand more than their states to the next layer, {_ADVICE}")
    states = _states_of(stack[0].result)
    axes = [axis for axis, size in enumerate(states.shape[:-1]) if size == _PROBED]
    if not axes or any(_states_of(call.result).shape != states.shape for call in stack):
        raise PairError(f"The layers of {name} pass on states of another shape than [batch, tokens, width], {_ADVICE}")
    layers = tuple(_Layer(call.module, _beside(call.result)) for call in stack)
    needed = (index for index, call in enumerate(stack) if _stores_keys(call.module))
    return LayerStack(where, layers, axes[0], frozenset(needed))


class Halves:
    """A model cut after its first `depth` layers. Both halves read the same token ids and use the cache that they are given.

    Attributes:
        lower: the first layers, then the final normalisation and the head.
        upper: the other layers, which continue from `states`.
        states: after layer `depth`, tokens first: [m, ...]. Set by a pass of `lower`, read by a pass of `upper`.
    """

    def __init__(self, model: PreTrainedModel, stack: LayerStack, depth: int) -> None:
        self._stack = stack
        self._saved = _SavedStates()
        last = depth - 1
        stand_ins = [_stand_in(layer, self._saved.give) for layer in stack.layers]
        modules = [layer.module for layer in stack.layers]
        recorder = _recorder(stack.layers[last], self._saved)
        self.lower = _with_layers(model, stack, [*modules[:last], recorder, *stand_ins[depth:]])
        self.upper = _with_layers(model, stack, [*stand_ins[:depth], *modules[depth:]])

    @property
    def states(self) -> Tensor:
        return self._saved.states.movedim(self._stack.axis, 0)

    @states.setter
    def states(self, states: Tensor) -> None:
        self._saved.states = states.movedim(0, self._stack.axis)


@dataclass(slots=True)
class _SavedStates:
    """States as a layer returned them, and the keys and values that layers share outside the cache, as Gemma 3n's do."""

    states: Tensor = field(default_factory=lambda: torch.empty(0))
    shared: dict[Any, Any] = field(default_factory=dict)

    def store(self, states: Tensor, keywords: dict[str, Any]) -> None:
        self.states = states
        self.shared = dict(keywords.get("shared_kv_states") or {})

    def give(self, _: Tensor, keywords: dict[str, Any]) -> Tensor:
        """The saved states. The layers that follow find the shared keys and values where a layer would have put them."""
        if keywords.get("shared_kv_states") is not None:
            keywords["shared_kv_states"].update(self.shared)
        return self.states


def _stand_in(layer: _Layer, compute: Callable[[Tensor, dict[str, Any]], Tensor]) -> nn.Module:
    """A copy of the layer that returns what `compute` makes of its input states and its keyword arguments.

    A recurrent state that a layer gets as `state` and returns comes back as it was.
    """
    names = list(inspect.signature(type(layer.module).forward).parameters)[1:]

    def forward(*positional: Any, **keywords: Any) -> Any:
        arguments = dict(zip(names, positional, strict=False)) | keywords
        states = compute(arguments[names[0]], keywords)
        if layer.beside is None:
            return states
        beside: list[Any] = [None] * layer.beside
        if beside:
            beside[0] = arguments.get("state")
        return (states, *beside)

    return _with_forward(layer.module, forward)


def _recorder(layer: _Layer, saved: _SavedStates) -> nn.Module:
    """A copy of the layer that runs the layer and saves what it returns."""

    def forward(*positional: Any, **keywords: Any) -> Any:
        result = layer.module(*positional, **keywords)
        saved.store(_states_of(result), keywords)
        return result

    return _with_forward(layer.module, forward)


def _with_forward(module: nn.Module, forward: Callable[..., Any]) -> nn.Module:
    """A copy of the module with all its attributes, which computes `forward` and has no hooks."""
    copied: nn.Module = _shallow_copy(module)
    for name in [name for name in copied.__dict__ if name.startswith("_") and name.endswith("_hooks")]:
        copied.__dict__[name] = OrderedDict()
    copied.__dict__.pop("_hf_hook", None)
    copied.__dict__["forward"] = forward
    return copied


def _with_layers(model: PreTrainedModel, stack: LayerStack, layers: Sequence[nn.Module]) -> PreTrainedModel:
    """A copy of the model with these modules as its layers; the original keeps its own."""
    *path, leaf = stack.name.split(".")
    outer: PreTrainedModel = _shallow_copy(model)
    inner: Any = outer
    for name in path:
        inner._modules[name] = inner = _shallow_copy(inner._modules[name])
    inner._modules[leaf] = nn.ModuleList([*layers, *inner._modules[leaf][len(layers) :]])
    return outer


def _shallow_copy(module: Any) -> Any:
    """A copy with its own dictionary of submodules and the same weights. Its `forward` is its own, also where accelerate has
    replaced it by one that is bound to the original."""
    copied = copy(module)
    attributes = copied.__dict__
    attributes["_modules"] = dict(module._modules)
    bound = attributes.get("forward")
    if isinstance(bound, partial) and bound.args == (module,) and "_old_forward" in attributes:
        attributes["_old_forward"] = MethodType(type(module).forward, copied)
        attributes["forward"] = partial(bound.func, copied)
    return copied


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of a module: what it was given, by position and by name, and what it returned."""

    module: nn.Module
    inputs: tuple[Any, ...]
    result: Any


def _note(
    calls: list[_Call], module: nn.Module, positional: tuple[Any, ...], keywords: dict[str, Any], result: Any
) -> None:
    calls.append(_Call(module, (*positional, *keywords.values()), result))


def _lists(model: PreTrainedModel) -> Iterator[tuple[str, list[nn.Module]]]:
    """The outermost lists of modules, which may be the layers: by name."""
    outer: list[str] = []
    for name, module in model.named_modules():
        if (
            isinstance(module, nn.ModuleList)
            and len(module)
            and not any(name.startswith(f"{prefix}.") for prefix in outer)
        ):
            outer.append(name)
            yield name, list(module)


def _run_in_order(modules: Sequence[nn.Module], calls: Sequence[_Call]) -> list[_Call]:
    """The calls of these modules, if they ran once each from the first on; else none. Modules at the end need not have run."""
    own = {id(module) for module in modules}
    ran = [call for call in calls if id(call.module) in own]
    in_order = len(ran) <= len(modules) and all(
        call.module is module for call, module in zip(ran, modules, strict=False)
    )
    return ran if in_order and all(isinstance(_states_of(call.result), Tensor) for call in ran) else []


def _states_of(result: Any) -> Any:
    return result[0] if isinstance(result, tuple | list) and result else result


def _beside(result: Any) -> int | None:
    return len(result) - 1 if isinstance(result, tuple | list) else None


def _hands_over(before: _Call, after: _Call) -> bool:
    """True if the next layer gets anything else that this one returned."""
    beside = before.result[1:] if isinstance(before.result, tuple | list) else ()
    return any(value is received for value in beside if value is not None for received in after.inputs)


def _stores_keys(layer: nn.Module) -> bool:
    """True if the layer passes its keys and values on to later layers, which have none of their own."""
    return any(getattr(module, "store_full_length_kv", False) for module in layer.modules())
