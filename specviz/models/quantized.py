"""A copy of a target with its weights in 8 bits, which drafts for it.

Each row of a weight matrix is rounded to 8-bit whole numbers with one factor, and so is each row of states when it meets the matrix ("dynamic
quantisation", as in Tiwari et al., "QuantSpec", arXiv 2502.10424, and Zhao et al., "QSpec", arXiv 2410.11305, for fewer bits). The package
torchao does it. The copy has its own cache, because its keys and values are not the target's.
"""

from copy import deepcopy
from warnings import catch_warnings, simplefilter

import torch
from torch import nn

from specviz.errors import PairError, brief
from specviz.models.cached_model import CachedModel
from specviz.models.networks.originals import discard, restore_originals
from specviz.models.quiet import quiet

PACKAGE = "torchao==0.18.0"


@quiet()
def quantized(target: CachedModel) -> CachedModel:
    """The target in 8 bits, run by transformers' own modules. Raises PairError if torchao is not installed, or it
    cannot quantise this model."""
    with catch_warnings():
        simplefilter("ignore")  # about extensions for other devices
        try:
            from torchao.quantization import (  # noqa: PLC0415  # it may not be installed
                Int8DynamicActivationInt8WeightConfig,
                quantize_,
            )
        except ImportError as error:
            raise PairError(
                f"The drafter 'quantized' needs the package torchao, which is not installed here ({error}): install it with "
                f"`pip install {PACKAGE}`, or choose another drafter."
            ) from error
        restore_originals(target.model)
        try:
            model = discard(deepcopy(target.model))
            quantize_(model, Int8DynamicActivationInt8WeightConfig(), filter_fn=_is_matrix)
        except (RuntimeError, ValueError, TypeError, NotImplementedError, AssertionError, AttributeError) as error:
            raise PairError(
                f"{type(target.model).__name__} cannot be quantised to 8 bits ({brief(error, 160)}): choose another drafter."
            ) from error
        finally:
            target.free_again()
    if not any(_in_bits(weight) for weight in model.parameters()):
        raise PairError(f"{type(target.model).__name__} has no linear layers to quantise: choose another drafter.")
    return CachedModel(model, target.vocabulary, target.end_ids, own_ids=target.own_ids, lean=False)


def _is_matrix(module: nn.Module, name: str) -> bool:
    return isinstance(module, nn.Linear)


def _in_bits(weight: torch.Tensor) -> bool:
    """True if this is a tensor of torchao's rather than a plain one."""
    return type(weight.data) is not torch.Tensor
