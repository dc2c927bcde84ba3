"""How much memory a model needs on its device, computed before it is loaded from the headers of its weight files."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

import torch
from transformers import AutoConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from specviz.errors import PairError
from specviz.models.devices import memory_free, memory_of_all_gpus
from specviz.models.folder import StoredWeight, stored_weights
from specviz.models.kept_ids import kept_ids
from specviz.models.networks.families import FAMILIES
from specviz.models.networks.packing import BLOCK_BYTES, packed_bytes, packs
from specviz.models.number_format import dtype_name

_HEAD, _TABLE = "lm_head", "embed_tokens"  # parts of the names of the head's and the embedding's weights
# Passes of the check at load, and gaps between allocations. Measured 1.02 on models of 135 and 384 million
# parameters.
_WORK = 1.05


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes that a model's weights take, all copies counted.

    Attributes:
        peak: the most at any time while the model is loaded, packed and checked.
        after: when all of that is done.
    """

    peak: int
    after: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a model is to be loaded, and in which number format."""

    dtype: torch.dtype
    device: torch.device

    def check(self, parameters: int, source: str) -> None:
        """Check before a model is downloaded or dequantised that its weights alone fit; what else it needs is not known
        yet. Raises PairError if they do not fit."""
        needed = parameters * self.dtype.itemsize
        free = memory_free(self.device)
        if needed > free and self.device.type == "cuda":
            free = max(free, memory_of_all_gpus())
        if needed > free:
            raise PairError(
                f"The weights of {source} need {needed / 1e9:.1f} GB in {dtype_name(self.dtype)}, and {self.device} has {free / 1e9:.1f} GB "
                "free: choose a smaller model."
            )


def peak_of(models: Sequence[Footprint]) -> int:
    """Bytes needed to load these models one after the other, with `_WORK` for what is not weights."""
    return int(
        _WORK * max(sum(model.after for model in models[:index]) + model.peak for index, model in enumerate(models))
    )


def rough_peak(size: int, dtype: torch.dtype, device: torch.device) -> int:
    """Bytes needed to load models whose weights have this size, where nothing else is known of them yet."""
    return int(_WORK * size * (1 + 2 / dtype.itemsize if packs(dtype, device) else 1))


def footprint(folder: Path, source: str, dtype: torch.dtype, device: torch.device) -> Footprint:
    """The memory that a model needs in this format on this device.

    The own decoder stores matrices packed (`packing`), beside the model's own weights until the check at load has compared the two. Whether
    every matrix can be packed is known only from its numbers; where the file does not show it, the larger figure is taken. Not counted: the
    first check of trees or of an early exit reads the model's own weights again, until it is done. Raises ModelFolderError if a weight file
    is missing or broken, or the kept ids of a draft are.

    Args:
        source: the model's name in error messages.
    """
    head_ids = kept_ids(folder, source)
    weights = stored_weights(folder, source)
    size = sum(weight.count for weight in weights) * dtype.itemsize
    config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    if MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.get(config.model_type) not in FAMILIES:
        return Footprint(size, size)
    matrices = [weight for weight in weights if len(weight.shape) == 2]
    heads = [weight for weight in matrices if _is(weight, _HEAD)]
    tables = [weight for weight in matrices if _is(weight, _TABLE)]
    head_shapes = [(len(head_ids.ids) if head_ids else weight.shape[0], weight.shape[1]) for weight in heads or tables]
    own = size  # what the model's own modules hold, once a trimmed head has replaced the full one
    if head_ids is not None:
        copied = sum(prod(shape) for shape in head_shapes) * dtype.itemsize
        size += copied
        own = size - sum(weight.count for weight in heads) * dtype.itemsize
    if not packs(dtype, device):
        # Matrices with the same input are stacked, a group at a time: the widest group is gate and up projection.
        group = 2 * max((weight.count for weight in matrices if not _is(weight, _HEAD, _TABLE)), default=0)
        return Footprint(size + group * dtype.itemsize, own)
    rest = [weight for weight in matrices if not _is(weight, _HEAD, _TABLE)]
    packed = sum(packed_bytes(*shape) for shape in [*(weight.shape for weight in rest), *head_shapes])
    block = min(BLOCK_BYTES, 4 * max((weight.count for weight in matrices), default=0))
    small = sum(weight.count for weight in weights if len(weight.shape) != 2) * dtype.itemsize
    copies = packed + (2 * sum(table.count for table in tables) if dtype.itemsize > 2 else 0)
    after = packed + 2 * sum(table.count for table in tables) + small
    if any(weight.dtype == "F32" for weight in matrices):
        after = max(after, own)  # 16 bits may not represent these numbers
    return Footprint(size + copies + block, after)


def _is(weight: StoredWeight, *names: str) -> bool:
    return any(name in weight.name for name in names)
