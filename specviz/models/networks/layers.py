"""A transformers model that runs some of its layers only.

Every layer keeps its place, because models look up masks, rotary tables and per-layer inputs by index. The `forward` of a layer that must
not run is replaced for the pass: it returns what the model's loop expects from this class of layer, and computes nothing.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
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
        layers: without those at the end of the list that the model never runs.
        axis: the axis of the states that counts tokens.
        needed: the indices of layers whose keys and values later layers read.
    """

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
    lists = [*_lists(model)]
    modules = {id(module): module for modules in lists for module in modules}.values()
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
    stacks = [_run_in_order(modules, calls) for modules in lists]
    stack = max(stacks, key=len, default=[])
    if not stack:
        raise PairError(f"{name} does not keep its layers in one list, {_ADVICE}")
    if any(_hands_over(before, after) for before, after in pairwise(stack)):
        raise PairError(f"The layers of {name} hand more than their states to the next layer, {_ADVICE}")
    states = _states_of(stack[0].result)
    axes = [axis for axis, size in enumerate(states.shape[:-1]) if size == _PROBED]
    if not axes or any(_states_of(call.result).shape != states.shape for call in stack):
        raise PairError(f"The layers of {name} pass on states of another shape than [batch, tokens, width], {_ADVICE}")
    layers = tuple(
        _Layer(call.module, len(call.result) - 1 if isinstance(call.result, tuple | list) else None) for call in stack
    )
    needed = (index for index, call in enumerate(stack) if _stores_keys(call.module))
    return LayerStack(layers, axes[0], frozenset(needed))


class Halves:
    """A model cut after its first `depth` layers: within `lower` and `upper` a pass of the model runs one half, and the layers of the other
    compute nothing. Both halves read the same token ids and use the cache that they are given.

    Attributes:
        states: after layer `depth`, tokens first: [m, ...]. Set by a pass of the lower half, read by a pass of the upper one.
    """

    def __init__(self, stack: LayerStack, depth: int) -> None:
        self._axis = stack.axis
        self._first, self._rest = stack.layers[:depth], stack.layers[depth:]
        self._states = torch.empty(0)
        # The keys and values that layers share outside the cache, as Gemma 3n's do.
        self._shared: dict[Any, Any] = {}

    @contextmanager
    def lower(self) -> Iterator[None]:
        """The first layers run, then the final normalisation and the head."""
        hook = self._first[-1].module.register_forward_hook(self._store, with_kwargs=True)
        try:
            with _standing_in(self._rest, self._give):
                yield
        finally:
            hook.remove()

    @contextmanager
    def upper(self) -> Iterator[None]:
        """The other layers run, and continue from `states`."""
        with _standing_in(self._first, self._give):
            yield

    @property
    def states(self) -> Tensor:
        return self._states.movedim(self._axis, 0)

    @states.setter
    def states(self, states: Tensor) -> None:
        self._states = states.movedim(0, self._axis)

    def _store(self, _: nn.Module, __: tuple[Any, ...], keywords: dict[str, Any], result: Any) -> None:
        self._states, self._shared = _states_of(result), dict(keywords.get("shared_kv_states") or {})

    def _give(self, keywords: dict[str, Any]) -> Tensor:
        """The stored states. The layers that follow find the shared keys and values where a layer would have put them."""
        if keywords.get("shared_kv_states") is not None:
            keywords["shared_kv_states"].update(self._shared)
        return self._states


@contextmanager
def _standing_in(layers: Sequence[_Layer], give: Callable[[dict[str, Any]], Tensor]) -> Iterator[None]:
    """Within it these layers return what `give` makes of their keyword arguments, and never touch the cache."""
    before = [vars(layer.module).get("forward") for layer in layers]
    for layer in layers:
        vars(layer.module)["forward"] = partial(_forward, layer, give)
    try:
        yield
    finally:
        for layer, forward in zip(layers, before, strict=True):
            del vars(layer.module)["forward"]
            if forward is not None:  # accelerate's
                vars(layer.module)["forward"] = forward


def _forward(layer: _Layer, give: Callable[[dict[str, Any]], Tensor], *positional: Any, **keywords: Any) -> Any:
    """What a layer returns that computes nothing. A recurrent state that it gets as `state` and returns comes back as it was."""
    states = give(keywords)
    if layer.beside is None:
        return states
    beside: list[Any] = [None] * layer.beside
    if beside:
        names = list(inspect.signature(type(layer.module).forward).parameters)[1:]
        beside[0] = (dict(zip(names, positional, strict=False)) | keywords).get("state")
    return (states, *beside)


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


def _lists(model: PreTrainedModel) -> Iterator[list[nn.Module]]:
    """The outermost lists of modules, which may be the layers."""
    outer: list[str] = []
    for name, module in model.named_modules():
        if (
            isinstance(module, nn.ModuleList)
            and len(module)
            and not any(name.startswith(f"{prefix}.") for prefix in outer)
        ):
            outer.append(name)
            yield list(module)


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


def _hands_over(before: _Call, after: _Call) -> bool:
    """True if the next layer gets anything else that this one returned."""
    beside = before.result[1:] if isinstance(before.result, tuple | list) else ()
    return any(value is received for value in beside if value is not None for received in after.inputs)


def _stores_keys(layer: nn.Module) -> bool:
    """True if the layer passes its keys and values on to later layers, which have none of their own."""
    return any(getattr(module, "store_full_length_kv", False) for module in layer.modules())
