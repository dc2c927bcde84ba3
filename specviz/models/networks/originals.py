"""Weights of a model's own modules that our decoder has copied: freed, and read again from the checkpoint if a module needs them."""

import ctypes
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kept_head import KeptHead

# The attribute of a model that holds its `_FreedWeights`, so that a deep copy of the model has its own.
_ATTRIBUTE = "freed_originals"


def free_originals(model: PreTrainedModel, modules: Iterable[nn.Module], reload: Callable[[], PreTrainedModel]) -> None:
    """Free the `weight` of these modules until one of them is called or saved; then all weights are read again.

    Meanwhile each weight is one NaN, expanded to the same shape: device, format and number of parameters are unchanged, and code that
    reads the numbers without calling the module cannot take them for weights.

    Args:
        modules: linear layers and embeddings of the model; no other module has the same weights.
        reload: loads the same checkpoint again, in the same format.
    """
    restore_originals(model)
    names = {module: name for name, module in model.named_modules()}
    entries = [_Entry(names[module], module, module.weight[:1].clone()) for module in modules]  # type: ignore[index]
    freed = _FreedWeights(reload, entries, _head_ids_of(model))
    setattr(model, _ATTRIBUTE, freed)
    freed.free()
    _close_mapping(model)
    _return_memory()


def restore_originals(model: PreTrainedModel) -> None:
    """Read freed weights again now, if there are any. Raises PairError if the checkpoint is not there any more, or it
    has changed."""
    freed = getattr(model, _ATTRIBUTE, None)
    if isinstance(freed, _FreedWeights):
        freed.restore()


def free_again(model: PreTrainedModel) -> None:
    """Free weights that were freed before and have been restored since."""
    freed = getattr(model, _ATTRIBUTE, None)
    if isinstance(freed, _FreedWeights) and freed.free():
        _return_memory()


@dataclass(frozen=True, slots=True)
class _Entry:
    """A module whose weight is freed, with its name in the model and the first row of its weight."""

    name: str
    module: nn.Module
    first: Tensor


class _FreedWeights:
    """The freed weights of one model, and the hooks that restore them."""

    def __init__(self, reload: Callable[[], PreTrainedModel], entries: list[_Entry], head_ids: Any) -> None:
        self._reload, self._entries, self._head_ids = reload, entries, head_ids
        self._hooks: list[RemovableHandle] = []
        for entry in entries:  # these stay, because torch does not allow such a hook to remove itself
            entry.module.register_state_dict_pre_hook(self._restore_first)  # type: ignore[no-untyped-call]

    def free(self) -> bool:
        """Free the weights; whether they were there."""
        if self._hooks:
            return False
        placeholders: dict[Any, nn.Parameter] = {}  # tied weights stay tied
        with torch.inference_mode(False):
            for entry in self._entries:
                weight = entry.module.weight
                assert isinstance(weight, Tensor)
                if weight not in placeholders:
                    nan = weight.new_full((), torch.nan).expand(weight.shape)
                    placeholders[weight] = nn.Parameter(nan, requires_grad=False)
                entry.module.weight = placeholders[weight]
                self._hooks.append(entry.module.register_forward_pre_hook(self._restore_first))
        return True

    def restore(self) -> None:
        if not self._hooks:
            return
        with torch.inference_mode(False):
            fresh = self._reload()
            weights = self._same(fresh)
            if weights is None:
                raise PairError(
                    f"The checkpoint of {type(fresh).__name__} has changed since it was loaded: load the pair again."
                )
            for entry, weight in zip(self._entries, weights, strict=True):
                entry.module.weight = weight
        for hook in self._hooks:
            hook.remove()
        self._hooks = []

    def _same(self, fresh: PreTrainedModel) -> list[Any] | None:
        """The modules' weights in a model that was read again; None if it is not the same model, or its head keeps other ids."""
        try:
            weights: list[Any] = [fresh.get_submodule(entry.name).weight for entry in self._entries]
        except AttributeError:
            return None
        head_ids = _head_ids_of(fresh)
        if (head_ids is None) != (self._head_ids is None) or (
            head_ids is not None and not torch.equal(head_ids, self._head_ids)
        ):
            return None
        alike = (
            weight.shape == entry.module.weight.shape and torch.equal(weight[:1], entry.first)
            for weight, entry in zip(weights, self._entries, strict=True)
        )
        return weights if all(alike) else None

    def _restore_first(self, *_: Any) -> None:
        self.restore()


def _head_ids_of(model: PreTrainedModel) -> Any:
    head = model.get_output_embeddings()
    return head.kept if isinstance(head, KeptHead) else None


def _close_mapping(model: PreTrainedModel) -> None:
    """Copy the few weights that are still views of a checkpoint mapped into memory: one view keeps all of its file mapped."""
    with torch.inference_mode(False), torch.no_grad():
        for weight in model.parameters():
            storage = weight.untyped_storage()
            if storage.device.type == "cpu" and not storage.resizable():  # the memory is not torch's own
                weight.data = weight.clone()


def _return_memory() -> None:
    """Return freed memory to the system. The GNU C library keeps it otherwise, in gaps between what is still in use."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
