"""A copy of a target with its weights in 8 bits, which drafts for it.

Each row of a weight matrix is rounded to 8-bit whole numbers with one factor, and so is each row of states when it meets the matrix ("dynamic
quantisation", as in Tiwari et al., "QuantSpec", arXiv 2502.10424, and Zhao et al., "QSpec", arXiv 2410.11305, for fewer bits). The copy has its
own cache, because its keys and values are not the target's. Only a draft may be in 8 bits: rounding states makes a target's scores depend on the
last digits of its attention.
"""

from collections.abc import Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError, brief
from specviz.models.cached_model import CachedModel
from specviz.models.devices import memory_free
from specviz.models.networks.families import is_lean
from specviz.models.networks.kept_head import parameter_count
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.originals import discard, restore_originals
from specviz.models.networks.packing import EightBitMatrix, half_is_fast
from specviz.models.quiet import quiet


@quiet()
def quantized(target: CachedModel) -> CachedModel:
    """The target in 8 bits; it shares what is no matrix with the target where our own decoder runs it. Raises PairError if this machine lacks
    the kernels or the memory, or the model's layers are no plain matrices."""
    if not is_able(target):
        raise PairError(
            "The drafter 'quantized' multiplies in 8 bits with FBGEMM, which torch has on x86 processors with AVX2, and this target runs on "
            f"{target.device if target.device.type != 'cpu' else 'a processor without it'}: choose another drafter."
        )
    model = target.model
    needed, free = (1 + model.dtype.itemsize) * parameter_count(model), memory_free(target.device)
    if needed > free:
        raise PairError(
            f"To make a copy of {type(model).__name__} in 8 bits takes {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free: choose "
            "another drafter."
        )
    try:
        restore_originals(model)
        network = LeanDecoder(model, _eight_bits) if is_lean(model) else None
        if network is None:
            model = _exchanged(discard(deepcopy(model)))
    except (RuntimeError, ValueError, TypeError, NotImplementedError, AttributeError) as error:
        raise PairError(
            f"{type(model).__name__} cannot be quantised to 8 bits ({brief(error, 160)}): choose another drafter."
        ) from error
    finally:
        target.free_again()
    return CachedModel(model, target.vocabulary, target.end_ids, own_ids=target.own_ids, lean=False, network=network)


def is_able(target: CachedModel) -> bool:
    """True if this machine has the kernels for a copy of this target."""
    return target.device.type == "cpu" and half_is_fast()


def _eight_bits(linears: Sequence[nn.Linear]) -> EightBitMatrix:
    biases: list[Tensor] = [linear.bias for linear in linears if linear.bias is not None]
    return EightBitMatrix([linear.weight for linear in linears], torch.cat(biases) if biases else None)


def _exchanged(model: PreTrainedModel) -> PreTrainedModel:
    """This model with its linear layers in 8 bits."""
    for module in [*model.modules()]:
        for name, linear in [*module.named_children()]:
            if type(linear) is nn.Linear:
                setattr(module, name, _EightBitLayer(linear))
    if not any(isinstance(module, _EightBitLayer) for module in model.modules()):
        raise PairError(f"{type(model).__name__} has no linear layers to quantise: choose another drafter.")
    return model


class _EightBitLayer(nn.Module):
    """A linear layer in 8 bits."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self._matrix = _eight_bits([linear])

    def forward(self, states: Tensor) -> Tensor:
        """[..., n] of [..., m] states."""
        return self._matrix(states.flatten(0, -2)).view(*states.shape[:-1], self.out_features)
