"""Keeps what the target wrote on disk, in files that are complete or absent, and reads all of it back as flat arrays."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, takewhile
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
        given: [texts], index of each text's prompt in its file, see `PromptFile`; -1 where the prompt is from elsewhere.
    """

    ids: Tensor
    starts: Tensor
    top: Tensor
    top_ids: Tensor
    top_logs: Tensor
    given: Tensor

    @property
    def written(self) -> int:
        """How many tokens the target wrote."""
        return len(self.top_ids)

    @property
    def lengths(self) -> Tensor:
        """[texts], tokens of each text."""
        return torch.diff(self.starts, append=torch.tensor([len(self.ids)]))

    @property
    def answers(self) -> Tensor:
        """[texts], tokens of each text that the target wrote."""
        of = torch.arange(len(self.starts)).repeat_interleave(self.lengths)
        return torch.zeros_like(self.starts).index_add_(0, of, (self.top >= 0).long())

    @property
    def prompts_in_words(self) -> str:
        """Whose prompts these texts answer, where some were given; else ""."""
        given = int((self.given >= 0).sum())
        own = len(self.given) - given
        others = f", the other {own:,} to questions of its own" if own else ""
        return f"{given:,} of them answers to given prompts{others}" if given else ""

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
        return OwnText(
            self.ids[tokens],
            lengths.cumsum(0) - lengths,
            top,
            self.top_ids[rows],
            self.top_logs[rows],
            self.given[wanted],
        )

    def by_prompts(self) -> dict[str, "OwnText"]:
        """The answers to given prompts and those to the target's own questions, where there are both."""
        given = (self.given >= 0).tolist()
        if all(given) or not any(given):
            return {}
        return {"given prompts": self.only(given), "questions of its own": self.only([not each for each in given])}

    def cut(self, longest: int) -> "OwnText":
        """The texts without what comes after so many tokens; those of which then only the prompt is left are left out."""
        own = self.only((self.lengths - self.answers < longest).tolist())
        lengths = own.lengths.clamp(max=longest)
        inside = torch.arange(len(own.ids)) - own.starts.repeat_interleave(own.lengths) < longest
        written = own.top[inside] >= 0
        rows = own.top[inside][written]
        top = torch.where(written, written.cumsum(0) - 1, -1)
        return OwnText(
            own.ids[inside], lengths.cumsum(0) - lengths, top, own.top_ids[rows], own.top_logs[rows], own.given
        )

    def some(self, tokens: int, seed: int) -> "OwnText":
        """Texts drawn at random until the target wrote so many tokens of them; all where it wrote fewer."""
        answers = self.answers
        order = torch.randperm(len(answers), generator=torch.Generator().manual_seed(seed))
        enough = int((answers[order].cumsum(0) < tokens).sum()) + 1
        chosen = torch.zeros(len(answers), dtype=torch.bool)
        chosen[order[:enough]] = True
        return self.only(chosen.tolist())

    @classmethod
    def joined(cls, parts: "Sequence[OwnText]") -> "OwnText":
        """The texts of several, all with as many probabilities beside each token."""
        lengths = torch.cat([part.lengths for part in parts])
        written = torch.cat([part.top >= 0 for part in parts])
        return cls(
            torch.cat([part.ids for part in parts]),
            lengths.cumsum(0) - lengths,
            torch.where(written, written.cumsum(0) - 1, -1),
            torch.cat([part.top_ids for part in parts]),
            torch.cat([part.top_logs for part in parts]),
            torch.cat([part.given for part in parts]),
        )


def certain(ids: Tensor, lengths: Tensor, prompts: Tensor, given: Tensor) -> OwnText:
    """Texts of which only ids are known: what the target wrote counts as certain.

    Args:
        ids, given: see `OwnText`.
        lengths, prompts: [texts], tokens of each text, and those of its prompt.
    """
    starts = lengths.cumsum(0) - lengths
    top = _rows(lengths, prompts)
    chosen = ids[top >= 0].to(torch.int32)[:, None]
    return OwnText(ids.to(torch.int32), starts, top, chosen, torch.zeros(chosen.shape, dtype=torch.float16), given)


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """What is known of a stored batch without reading all of it.

    Attributes:
        tokens: that the target wrote.
        given: of each text, as in `OwnText`.
    """

    tokens: int
    given: tuple[int, ...]


class TextStore:
    """A folder of numbered batches of text.

    Args:
        fingerprint: identifies the target and the settings; batches with another fingerprint are refused.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._folder, self._fingerprint = folder, fingerprint

    def batch(self, number: int) -> StoredBatch | None:
        """What this batch holds; None if it is not there.

        Raises:
            CheckpointError: it is broken, or of another target.
        """
        path = self._path(number)
        if not path.is_file():
            return None
        try:
            with safe_open(path, framework="pt") as file:
                found = (file.metadata() or {}).get("fingerprint")
                tokens = int(file.get_slice("top_ids").get_shape()[0])
                texts = int(file.get_slice("lengths").get_shape()[0])
                given = file.get_tensor("given").tolist() if "given" in file.keys() else [-1] * texts  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise _broken(path, error) from None
        if found != self._fingerprint:
            raise CheckpointError(
                f"The text {str(path)!r} was written by another target or with other settings: remove it, or give another --work folder."
            )
        return StoredBatch(tokens, tuple(given))

    def tokens(self) -> int:
        """How many tokens the target has written so far.

        Raises:
            CheckpointError: a batch is broken, or of another target.
        """
        batches = takewhile(lambda batch: batch is not None, map(self.batch, count()))
        return sum(batch.tokens for batch in batches if batch)

    def add(self, number: int, texts: Sequence[Written]) -> StoredBatch:
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
            "given": torch.tensor([-1 if text.given is None else text.given for text in texts], dtype=torch.int32),
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
        return StoredBatch(len(tensors["top_ids"]), tuple(tensors["given"].tolist()))

    def read(self, batches: int) -> OwnText:
        """The texts of the first `batches` batches, at least one.

        Raises:
            CheckpointError: a batch is broken.
        """
        parts = [self._part(number) for number in range(batches)]
        lengths = torch.cat([part["lengths"] for part in parts]).long()
        prompts = torch.cat([part["prompts"] for part in parts]).long()
        ids = torch.cat([part["ids"] for part in parts])
        given = torch.cat([part.get("given", torch.full_like(part["lengths"], -1)) for part in parts]).long()
        top_ids = torch.cat([part["top_ids"] for part in parts])
        if not top_ids.shape[1]:
            return certain(ids, lengths, prompts, given)
        return OwnText(
            ids,
            lengths.cumsum(0) - lengths,
            _rows(lengths, prompts),
            top_ids,
            torch.cat([part["top_logs"] for part in parts]),
            given,
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


def _rows(lengths: Tensor, prompts: Tensor) -> Tensor:
    """[tokens], the number of each token among those that the target wrote; -1 in prompts."""
    starts = lengths.cumsum(0) - lengths
    by_target = torch.arange(int(lengths.sum())) >= (starts + prompts).repeat_interleave(lengths)
    return torch.where(by_target, by_target.cumsum(0) - 1, -1)


def _broken(path: Path, error: Exception) -> CheckpointError:
    reason = " ".join(str(error).split())[:160]
    return CheckpointError(f"The text {str(path)!r} is broken ({reason}): remove it to write it again.")
