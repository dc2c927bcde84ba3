"""A copy of a target with its weights in 8 bits, which drafts for it.

Each row of a weight matrix is rounded to 8-bit whole numbers with one factor, and so is each row of states when it meets the matrix ("dynamic
quantisation", as in Tiwari et al., "QuantSpec", arXiv 2502.10424, and Zhao et al., "QSpec", arXiv 2410.11305, for fewer bits). The copy has its
own cache, because its keys and values are not the target's. Only a draft may be in 8 bits: rounding states makes a target's scores depend on the
last digits of its attention.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from specviz.errors import PairError, brief
from specviz.models.cached_model import CachedModel
from specviz.models.devices import memory_free
from specviz.models.networks.families import is_lean
from specviz.models.networks.kept_head import parameter_count
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.originals import restore_originals
from specviz.models.networks.packing import EightBitMatrix, half_is_fast
from specviz.models.quiet import quiet


@quiet()
def quantized(target: CachedModel) -> CachedModel:
    """The target in 8 bits; it shares with the target what is no matrix. Raises PairError if our own decoder does not run this model, or this
    machine lacks the kernels or the memory."""
    if not is_lean(target.model):
        raise PairError(
            "A copy in 8 bits needs our own decoder, and this target runs on transformers' own modules: choose another drafter."
        )
    if target.device.type != "cpu" or not half_is_fast():
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
        network = LeanDecoder(model, _eight_bits)
    except (RuntimeError, ValueError, TypeError, NotImplementedError, AttributeError) as error:
        raise PairError(
            f"{type(model).__name__} cannot be quantised to 8 bits ({brief(error, 160)}): choose another drafter."
        ) from error
    finally:
        target.free_again()
    return CachedModel(model, target.vocabulary, target.end_ids, own_ids=target.own_ids, lean=False, network=network)


def is_able(target: CachedModel) -> bool:
    """True if there can be a copy of this target, and this machine has the kernels for it."""
    return target.device.type == "cpu" and half_is_fast() and is_lean(target.model)


def _eight_bits(linears: Sequence[nn.Linear]) -> EightBitMatrix:
    biases: list[Tensor] = [linear.bias for linear in linears if linear.bias is not None]
    return EightBitMatrix([linear.weight for linear in linears], torch.cat(biases) if biases else None)
