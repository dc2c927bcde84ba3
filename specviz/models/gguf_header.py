"""What is in a GGUF file, read by the package gguf without loading any weight, and whether all of it is there."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specviz.errors import ModelFolderError, brief
from specviz.known_pairs import CHAT_REPAIR, GGUF_PACKAGE, packaged_chat
from specviz.models.folder import StoredWeight

_MAGIC = b"GGUF"
_END_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")
_ROPE_TENSORS = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a GGUF file.

    Attributes:
        values: by key; of an array the number of its entries.
        tensors: with ggml's names of their formats, such as Q4_1.
    """

    values: dict[str, Any]
    tensors: tuple[StoredWeight, ...]

    @property
    def architecture(self) -> str:
        """The name that llama.cpp gives to the kind of model."""
        return str(self.values.get("general.architecture", ""))[:40]

    @property
    def word_split(self) -> str:
        """llama.cpp's name for how a byte-level tokenizer splits text before its merges; "" for other tokenizers."""
        split = self.values.get("tokenizer.ggml.pre")
        return split[:40] if self.values.get("tokenizer.ggml.model") == "gpt2" and isinstance(split, str) else ""

    @property
    def end_ids(self) -> list[int]:
        """The ids that end a text or a turn."""
        ids = {self.values.get(f"tokenizer.ggml.{key}") for key in _END_KEYS}
        return sorted(value for value in ids if isinstance(value, int))

    @property
    def parameters(self) -> int:
        """How many weights the file has."""
        return sum(tensor.count for tensor in self.tensors)

    @property
    def own_rotary(self) -> str:
        """The name of a tensor with rotary frequencies of its own, or ""."""
        return next((tensor.name for tensor in self.tensors if tensor.name in _ROPE_TENSORS), "")


def read_header(path: Path, source: str) -> Header:
    """The header of this file. Raises ModelFolderError if it is no GGUF file, it is damaged or cut off, its format is not
    known, or the package gguf is missing.

    Args:
        source: the file's name in error messages.
    """
    if not importlib.util.find_spec("gguf"):
        raise ModelFolderError(
            f"{source} is a GGUF file, and reading it needs the package gguf: install it with `pip install --no-deps {GGUF_PACKAGE}`."
        )
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise ModelFolderError(
                    f"{source} is not a GGUF file (it does not begin with {_MAGIC.decode()}): give another file."
                )
        return _read(path)
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        if "GGMLQuantizationType" in str(error):
            raise ModelFolderError(
                f"The GGUF file {source} has weights in a format that the package gguf does not know: choose another quantisation of "
                "this model, such as Q4_K_M or Q8_0."
            ) from error
        raise damaged(source, error) from error


def _read(path: Path) -> Header:
    import gguf  # noqa: PLC0415  # an extra: only a GGUF file needs it
    import numpy as np  # noqa: PLC0415  # what that package reads with

    kinds = gguf.GGUFValueType

    class Reader(gguf.GGUFReader):  # type: ignore[misc]  # without types
        """Fails at the end of the file, where the package's own reader goes on with nothing, as often as a damaged count says; and passes over the
        entries of arrays, of which a vocabulary has 100,000: only their number is needed here."""

        def _get(self, offset: int, dtype: Any, count: int = 1, override_order: Any = None) -> Any:
            entries = super()._get(offset, dtype, count, override_order)
            if len(entries) < count:
                raise ValueError(f"it ends at {len(self.data)} bytes, inside its header or its weights")
            return entries

        def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
            if raw_type != kinds.ARRAY:
                return super()._get_field_parts(orig_offs, raw_type)
            entries, counted = self._get(orig_offs, np.uint32)[0], self._get(orig_offs + 4, np.uint64)
            at, count = orig_offs + 12, int(counted[0])
            if entries != kinds.STRING:
                at += count * np.dtype(self.gguf_scalar_to_np[entries]).itemsize
            else:
                for _ in range(count):
                    at += 8 + int(self._get(at, np.uint64)[0])
            return at - orig_offs, [counted], [0], [kinds.ARRAY]

    reader = Reader(path)
    values = {
        name: int(field.parts[-1][0]) if field.types[0] == kinds.ARRAY else field.contents()
        for name, field in reader.fields.items()
    }
    tensors = (
        StoredWeight(tensor.name, tuple(reversed([int(n) for n in tensor.shape])), tensor.tensor_type.name)
        for tensor in reader.tensors
    )
    return Header(values, tuple(tensors))


def damaged(source: str, error: Exception | str) -> ModelFolderError:
    """The error for a GGUF file that cannot be read, with a short reason."""
    again = f"bring it again with `{CHAT_REPAIR}`" if Path(source) == packaged_chat() else "download it again"
    return ModelFolderError(f"The GGUF file {source} could not be read ({brief(error)}): {again}.")
