"""Keeps what the target wrote on disk, in files that are complete or absent, and reads all of it back as flat arrays."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from specviz.errors import CheckpointError
from specviz.training.drafts.writer import Written


@dataclass(frozen=True, slots=True)
class OwnText:
    """Many texts, one after the other.

    Attributes:
        ids: [tokens], prompts and what the target wrote.
        starts: [texts], index in `ids` of each text's first token.
        top: [tokens], row of `top_ids` and `top_logs` that says what the target would have written at this index; -1 in prompts.
        top_ids, top_logs: [written tokens, TOP], see `Written`.
    """

    ids: Tensor
    starts: Tensor
    top: Tensor
    top_ids: Tensor
    top_logs: Tensor

    @property
    def written(self) -> int:
        """How many tokens the target wrote."""
        return len(self.top_ids)

    @property
    def lengths(self) -> Tensor:
        """[texts], tokens of each text."""
        return torch.diff(self.starts, append=torch.tensor([len(self.ids)]))

    def texts(self) -> Iterator[list[int]]:
        """Yield the ids of each text."""
        for start, length in zip(self.starts.tolist(), self.lengths.tolist(), strict=True):
            yield self.ids[start : start + length].tolist()

    def only(self, chosen: Sequence[bool]) -> "OwnText":
        """The texts for which `chosen` is true."""
        lengths, wanted = self.lengths, torch.tensor(chosen, dtype=torch.bool)
        tokens = wanted.repeat_interleave(lengths)
        lengths = lengths[wanted]
        by_target = self.top[tokens] >= 0
        rows = self.top[tokens][by_target]
        top = torch.where(by_target, by_target.cumsum(0) - 1, -1)
        return OwnText(self.ids[tokens], lengths.cumsum(0) - lengths, top, self.top_ids[rows], self.top_logs[rows])


class Store:
    """A folder of numbered batches of text.

    Args:
        fingerprint: identifies the target and the settings; batches with another fingerprint are refused.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._folder, self._fingerprint = folder, fingerprint

    def size(self, number: int) -> int | None:
        """How many tokens the target wrote in this batch; None if it is not there.

        Raises:
            CheckpointError: it is broken, or of another target.
        """
        path = self._path(number)
        if not path.is_file():
            return None
        try:
            with safe_open(path, framework="pt") as file:
                found = (file.metadata() or {}).get("fingerprint")
                count = int(file.get_slice("top_ids").get_shape()[0])
        except (SafetensorError, OSError) as error:
            raise _broken(path, error) from None
        if found != self._fingerprint:
            raise CheckpointError(
                f"The text {str(path)!r} was written by another target or with other settings: remove it, or give another --work folder."
            )
        return count

    def add(self, number: int, texts: Sequence[Written]) -> None:
        """Write a batch of at least one text, in one step.

        Raises:
            CheckpointError: the disk is full, or the folder cannot be written.
        """
        path = self._path(number)
        partial = path.with_suffix(".partial")
        lengths = [len(text.ids) for text in texts]
        tensors = {
            "ids": torch.tensor([token for text in texts for token in text.ids], dtype=torch.int32),
            "lengths": torch.tensor(lengths, dtype=torch.int32),
            "prompts": torch.tensor([text.start for text in texts], dtype=torch.int32),
            "top_ids": torch.cat([text.top_ids for text in texts]),
            "top_logs": torch.cat([text.top_logs for text in texts]),
        }
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_file(tensors, partial, {"fingerprint": self._fingerprint})
            partial.replace(path)
        except (OSError, SafetensorError) as error:
            with suppress(OSError):
                partial.unlink()
            raise CheckpointError(
                f"The text {str(path)!r} could not be written ({error}): make room, then give the same command again."
            ) from None

    def read(self, batches: int) -> OwnText:
        """The texts of the first `batches` batches, at least one.

        Raises:
            CheckpointError: a batch is broken.
        """
        parts = [self._part(number) for number in range(batches)]
        lengths = torch.cat([part["lengths"] for part in parts]).long()
        prompts = torch.cat([part["prompts"] for part in parts]).long()
        ids = torch.cat([part["ids"] for part in parts])
        starts = lengths.cumsum(0) - lengths
        offsets = torch.arange(len(ids)) - starts.repeat_interleave(lengths)
        by_target = offsets >= prompts.repeat_interleave(lengths)
        top = torch.where(by_target, by_target.cumsum(0) - 1, -1)
        return OwnText(
            ids,
            starts,
            top,
            torch.cat([part["top_ids"] for part in parts]),
            torch.cat([part["top_logs"] for part in parts]),
        )

    def _part(self, number: int) -> dict[str, Tensor]:
        path = self._path(number)
        try:
            found: dict[str, Tensor] = load_file(path)
            written = int((found["lengths"] - found["prompts"]).sum())
            if int(found["lengths"].sum()) != len(found["ids"]) or written != len(found["top_ids"]):
                raise _broken(path, ValueError("its parts do not fit together"))
        except (SafetensorError, OSError, KeyError) as error:
            raise _broken(path, error) from None
        return found

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:05}.safetensors"


def _broken(path: Path, error: Exception) -> CheckpointError:
    reason = " ".join(str(error).split())[:160]
    return CheckpointError(f"The text {str(path)!r} is broken ({reason}): remove it to write it again.")
