"""The header of a GGUF file, read without loading any weight: what is in the file, and whether all of it is there.

The layout (ggml's docs/gguf.md), little-endian: magic, version, number of tensors, number of keys; then the keys with their values; then
a table of tensors; then, aligned, their data.
"""

import mmap
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from specviz.errors import ModelFolderError
from specviz.known_pairs import CHAT_REPAIR, packaged_chat

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""The types of values with a fixed size, as `struct` names them."""
_STRING, _ARRAY = 8, 9
_MOST_DIMENSIONS = 4
_CUT_OFF = "it ends inside its header"
_END_KEYS = ("eos_token_id", "eot_token_id", "eom_token_id")
_ROPE_TENSORS = ("rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight")


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A row of the table of tensors.

    Attributes:
        kind: ggml's number of the format.
        offset: bytes from the start of the data.
    """

    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int

    @property
    def count(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says about itself.

    Attributes:
        values: the keys whose value is a number or a text; of an array the number of its entries.
        data: where the tensors' data begins, in bytes.
        size: bytes of the whole file.
    """

    values: dict[str, Any]
    tensors: tuple[StoredTensor, ...]
    data: int
    size: int

    @property
    def architecture(self) -> str:
        """The name that llama.cpp gives to the kind of model."""
        return str(self.values.get("general.architecture", ""))[:40]

    @property
    def parts(self) -> int:
        """In how many files the model is stored."""
        found = self.values.get("split.count", 1)
        return found if isinstance(found, int) else 1

    @property
    def word_split(self) -> str:
        """llama.cpp's name for how a byte-level tokenizer splits text before its merges; "" for other tokenizers."""
        found = self.values.get("tokenizer.ggml.pre")
        return found[:40] if self.values.get("tokenizer.ggml.model") == "gpt2" and isinstance(found, str) else ""

    @property
    def end_ids(self) -> list[int]:
        """The ids that end a text or a turn."""
        found = {self.values.get(f"tokenizer.ggml.{key}") for key in _END_KEYS}
        return sorted(value for value in found if isinstance(value, int))

    @property
    def parameters(self) -> int:
        """How many weights the file has."""
        return sum(tensor.count for tensor in self.tensors)

    @property
    def own_rotary(self) -> str:
        """The name of a tensor with rotary frequencies of its own, or ""."""
        return next((tensor.name for tensor in self.tensors if tensor.name in _ROPE_TENSORS), "")


def read_header(path: Path, source: str) -> Header:
    """The header of this file.

    Args:
        source: the file's name in error messages.

    Raises:
        ModelFolderError: it is no GGUF file, or its header is damaged.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(8)
            if begin[:4] != _MAGIC:
                raise ModelFolderError(
                    f"{source} is not a GGUF file (it does not begin with {_MAGIC.decode()}): give another file."
                )
            version = struct.unpack_from("<I", begin, 4)[0]
            if version not in _VERSIONS:
                raise ModelFolderError(
                    f"The GGUF file {source} has version {version} of the format, and versions 2 and 3 are read: "
                    "download a newer file of this model."
                )
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return _Reader(data).header()
    except (struct.error, IndexError) as error:
        raise damaged(source, _CUT_OFF) from error
    except (UnicodeDecodeError, OverflowError, _DamagedError) as error:
        raise damaged(source, error) from error
    except OSError as error:
        raise damaged(source, error) from error


def damaged(source: str, error: Exception | str) -> ModelFolderError:
    """The error for a GGUF file that cannot be read, with a short reason."""
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    again = f"bring it again with `{CHAT_REPAIR}`" if Path(source) == packaged_chat() else "download it again"
    return ModelFolderError(f"The GGUF file {source} could not be read ({reason}): {again}.")


class _DamagedError(Exception):
    """A value that no intact file has."""


class _Reader:
    """Walks through the header once; a read after the end of the file raises."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._at = data, 4

    def header(self) -> Header:
        _, tensors, keys = self._unpack("IQQ")
        values: dict[str, Any] = {}
        for _ in range(keys):
            name = self._text()
            values[name] = self._value(self._unpack("I")[0])
        table = tuple(self._tensor() for _ in range(tensors))
        alignment = values.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment <= 0:
            raise _DamagedError(f"its alignment is {alignment}")
        begin = -(-self._at // alignment) * alignment
        return Header(values, table, begin, len(self._data))

    def _tensor(self) -> StoredTensor:
        name, (dimensions,) = self._text(), self._unpack("I")
        if dimensions > _MOST_DIMENSIONS:
            raise _DamagedError(f"a tensor has {dimensions} dimensions")
        shape = tuple(reversed(self._unpack(f"{dimensions}Q")))
        kind, offset = self._unpack("IQ")
        return StoredTensor(name, shape, kind, offset)

    def _value(self, kind: int) -> Any:
        if kind in _FORMATS:
            return self._unpack(_FORMATS[kind])[0]
        if kind == _STRING:
            return self._text()
        if kind != _ARRAY:
            raise _DamagedError(f"a value has the type {kind}")
        entries, count = self._unpack("IQ")
        if entries in _FORMATS:
            self._skip(count * struct.calcsize(_FORMATS[entries]))
        elif entries == _STRING:
            for _ in range(count):
                self._skip(self._unpack("Q")[0])
        else:
            raise _DamagedError(f"an array has entries of type {entries}")
        return count

    def _unpack(self, what: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{what}", self._data, self._at)
        self._at += struct.calcsize(f"<{what}")
        return found

    def _text(self) -> str:
        begin = self._at + 8
        self._skip(self._unpack("Q")[0])
        return self._data[begin : self._at].decode("utf-8")

    def _skip(self, count: int) -> None:
        if count > len(self._data) - self._at:
            raise _DamagedError(_CUT_OFF)
        self._at += count
