"""The number format of a model: the one that was asked for, or the one that `auto` finds best for this very model on this machine.

On the CPU, weights that are stored in more digits than bfloat16 has, as those of a dequantised GGUF file, stay in float32: in bfloat16 the
numbers would not be the model's own, and its text could change. For other weights bfloat16 loses nothing, and it is chosen where it was
measured to be clearly faster; else float32, in which texts can be compared exactly. Where only bfloat16 fits into memory, it is that.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from time import perf_counter

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from specviz.errors import DeviceError
from specviz.models.cached_model import CachedModel
from specviz.models.devices import memory_free
from specviz.models.folder import stored_weights
from specviz.models.machine_notes import note, noted

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16, "float64": torch.float64}
DTYPES = ("auto", *_DTYPES)
# Formats that have more digits than bfloat16: their names in weight files, and ours.
_WIDER = {"F16": "float16", "F32": "float32", "F64": "float64"}
# How many times as fast bfloat16 must be to be chosen. Such short measurements differ by less than this.
_CLEAR = 1.1
_TIME_LIMIT_S = 0.4
_WORDS = 1024
_GAIN = "bfloat16 gain"


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """A number format, and why it was chosen.

    Attributes:
        dtype: of the weights.
        why: one sentence; "" where the format was asked for.
    """

    dtype: torch.dtype
    why: str = ""


def pick_dtype(requested: str, device: torch.device) -> torch.dtype:
    """The format of this name where no model is known yet; `auto` is then the narrowest that `pick_format` may choose.
    Raises DeviceError if the format is unknown."""
    if requested not in DTYPES:
        raise DeviceError(f"The dtype was {requested!r}: give one of {', '.join(DTYPES)}.")
    if requested != "auto":
        return _DTYPES[requested]
    return _on_gpu(device).dtype if device.type == "cuda" else torch.bfloat16


def pick_format(
    requested: str, device: torch.device, folder: Path, source: str, needed: Callable[[torch.dtype], int]
) -> NumberFormat:
    """The format for a pair whose target is in this folder. The draft gets the same: its format changes no text.

    Of the weight files only the headers are read, which name the format of every weight. Raises DeviceError if the
    format is unknown; ModelFolderError if a weight file is missing or broken.

    Args:
        source: the target's name in error messages.
        needed: bytes of memory that loading the pair takes in a format.
    """
    if requested != "auto":
        return NumberFormat(pick_dtype(requested, device))
    if device.type == "cuda":
        return _on_gpu(device)
    stored = {weight.dtype for weight in stored_weights(folder, source) if len(weight.shape) > 1}
    return format_on_cpu(stored, needed, memory_free(device))


def format_on_cpu(stored: Collection[str], needed: Callable[[torch.dtype], int], free: int) -> NumberFormat:
    """The format of a model on the CPU.

    Args:
        stored: the formats of its matrices, as weight files name them.
        needed: bytes of memory that loading takes in a format.
        free: bytes of memory that are free.
    """
    wider = [name for short, name in _WIDER.items() if short in stored]
    gain = None if wider else bfloat16_gain()
    if gain is not None and gain >= _CLEAR:
        return NumberFormat(
            torch.bfloat16,
            f"The weights are no wider than bfloat16, and passes in bfloat16 were measured to be {gain:.1f} times as fast as in float32 here.",
        )
    if needed(torch.float32) > free >= needed(torch.bfloat16):
        return NumberFormat(
            torch.bfloat16,
            f"In float32 the models would need up to {needed(torch.float32) / 1e9:.1f} GB while they are loaded, and {free / 1e9:.1f} GB are free.",
        )
    return NumberFormat(
        torch.float32,
        f"The weights are stored in {wider[-1]}, and bfloat16 does not hold them exactly: the text could change."
        if wider
        else "Passes in bfloat16 were not measured to be clearly faster here, and in float32 texts can be compared exactly.",
    )


def dtype_name(dtype: torch.dtype) -> str:
    """`torch.float32` as "float32"."""
    return str(dtype).removeprefix("torch.")


def bfloat16_gain() -> float:
    """How many times as fast our decoder is in bfloat16 as in float32 on the CPU: measured at the first call on a machine, then noted."""
    gain = noted(_GAIN, lambda value: value if isinstance(value, float) and isfinite(value) and value > 0 else None)
    if gain is not None:
        return gain
    gain = _pass_seconds(torch.float32) / _pass_seconds(torch.bfloat16)
    note(_GAIN, gain)
    return gain


def _on_gpu(device: torch.device) -> NumberFormat:
    """GPUs before compute capability 8 only imitate bfloat16, slowly; those before 7 have no fast half precision at all."""
    generation = 8 if torch.version.hip else torch.cuda.get_device_properties(device).major
    if generation >= 8:
        return NumberFormat(torch.bfloat16, "This GPU has instructions for bfloat16.")
    if generation == 7:
        return NumberFormat(torch.float16, "This GPU has instructions for float16 and none for bfloat16.")
    return NumberFormat(torch.float32, "This GPU has no fast format of 16 bits.")


def _pass_seconds(dtype: torch.dtype, width: int = 512, layers: int = 6, repeats: int = 15) -> float:
    """The fewest seconds of two passes of our decoder, over one token and over six, with the random weights of a small Llama."""
    config = LlamaConfig(
        vocab_size=_WORDS,
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 64),
    )
    with torch.random.fork_rng(devices=()):
        # Most checkpoints were saved in bfloat16, so the weights are rounded to it first.
        model = CachedModel(LlamaForCausalLM(config).eval().bfloat16().to(dtype), _WORDS)
    model.begin(7 * repeats)
    times: list[float] = []
    while len(times) < repeats and sum(times) < _TIME_LIMIT_S:  # a format this slow does not need a more exact time
        began = perf_counter()
        for tokens in (1, 6):
            model.forward(torch.arange(tokens))
        times.append(perf_counter() - began)
    return min(times)
