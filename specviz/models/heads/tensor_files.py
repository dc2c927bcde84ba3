"""The tensors in the files of a published head: safetensors, or pickles of which nothing but tensors is read."""

import pickle
import re
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from specviz.errors import brief
from specviz.folders import read_json
from specviz.head_formats import refusal
from specviz.models.memory import Placement

# Where weights are, in the order in which they are looked for.
FILES = ("model*.safetensors", "pytorch_model*.bin")
_INDEX = "[!.]*.index.json"


def has_all_files(folder: Path) -> bool:
    """True if a downloaded head has weights, and every file that its index lists."""
    try:
        listed = [read_json(index)["weight_map"].values() for index in folder.glob(_INDEX)]
        complete = all((folder / name).is_file() for names in listed for name in names)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False
    return complete and any(any(folder.glob(pattern)) for pattern in (*FILES, "head.safetensors"))


class Tensors:
    """The tensors of a folder, each taken once. Raises PairError if there are none, some are missing, a file is damaged
    or contains code, or they do not fit into memory.

    Args:
        placement: where they will be; their size is checked before their numbers are read.
    """

    def __init__(self, folder: Path, placement: Placement) -> None:
        self._name = str(folder)
        self._tensors: dict[str, Tensor] = {}
        paths = next((paths for pattern in FILES if (paths := sorted(filter(Path.is_file, folder.glob(pattern))))), [])
        if not paths:
            raise refusal(self._name, f"it has no weights ({', '.join(FILES)})")
        for path in paths:
            self._tensors |= {_plain(name): tensor for name, tensor in _loaded(path, self._name).items()}
        self._check_complete(folder)
        placement.check(sum(tensor.numel() for tensor in self._tensors.values()), self._name)

    @property
    def unread(self) -> list[str]:
        """The names of the tensors that were not taken."""
        return list(self._tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def take(self, name: str) -> Tensor:
        """The tensor of this name, whose numbers are all finite. Raises PairError if it is missing, or has values that
        are not numbers."""
        tensor = self._tensors.pop(name, None)
        if tensor is None:
            raise refusal(self._name, f"it has no tensor {name!r}, which its config asks for")
        if tensor.is_floating_point() and not bool(tensor.isfinite().all()):
            raise refusal(self._name, f"it has values that are not numbers in the tensor {name!r}")
        return tensor

    def some(self, name: str) -> Tensor | None:
        """A tensor; None where there is none."""
        return self.take(name) if name in self else None

    def _check_complete(self, folder: Path) -> None:
        for index in sorted(folder.glob(_INDEX)):
            try:
                listed = read_json(index)["weight_map"]
                missing = next((name for name in listed if _plain(name) not in self._tensors), None)
            except (OSError, ValueError, LookupError, TypeError) as error:
                raise refusal(self._name, f"its {index.name} could not be read ({brief(error, 120)})") from error
            if missing is not None:
                raise refusal(self._name, f"it has no tensor {missing[:80]!r}: half of it is missing")


def _loaded(path: Path, name: str) -> dict[str, Tensor]:
    """The tensors of a file. Pickled code in it is not run."""
    try:
        tensors = (
            load_file(path)
            if path.suffix == ".safetensors"
            else torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        )
    except pickle.UnpicklingError as error:
        raise refusal(name, f"{path.name} contains more than tensors, and no code from it is run") from error
    except (
        OSError,
        SafetensorError,
        ValueError,
        RuntimeError,
        EOFError,
        LookupError,
        AttributeError,
        TypeError,
    ) as error:
        raise refusal(name, f"{path.name} could not be read ({brief(error, 120)})") from error
    if not isinstance(tensors, dict) or not all(isinstance(tensor, Tensor) for tensor in tensors.values()):
        raise refusal(name, f"{path.name} is not a table of tensors")
    return tensors


def _plain(name: str) -> str:
    """The name of a tensor as most formats write it."""
    return re.sub(r"^midlayer\.", "layers.0.", re.sub(r"^model\.", "", name))
