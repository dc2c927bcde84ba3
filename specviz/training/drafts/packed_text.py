"""What a target wrote, packed into one small file: the token ids, without the probabilities beside them.

Enough for heads, which let the target read its text again. Writing takes longer than learning, so a packed text is worth keeping.
Prompts that were given to the target are other people's text: the file holds only which ones of their file they are.
"""

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from specviz.errors import PromptError, TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.prompt_file import PromptFile
from specviz.training.drafts.store import OwnText, certain

SCHEMA, GIVEN_SCHEMA = "specviz.own-text/1", "specviz.own-text/2"
"""The second is of texts some of whose prompts are in another file. After the line of JSON: tokens of each text, those of its prompt, in the
second schema the index of the given prompt plus one (0: the prompt is here), and the ids that are here."""
_MOST_BYTES = 1 << 28
"""A file that becomes larger than this when it is unpacked is refused."""
_LONGEST_HEAD = 1 << 16
_FORMATS = {2: torch.uint16, 4: torch.int32}


def packed(own: OwnText, target: str, weights: str, prompts: str = "") -> bytes:
    """The content of a file, without the given prompts.

    Args:
        target: the target's name, for people.
        weights: digest of its weights, see `specviz.models.heads.folder.digest_of`.
        prompts: digest of the file of the given prompts; needed where there are any.
    """
    lengths, written, given = own.lengths, own.top >= 0, own.given + 1
    here = written | (given == 0).repeat_interleave(lengths)
    ids, parts = own.ids[here], [lengths, lengths - own.answers]
    head = {
        "schema": SCHEMA,
        "target": target,
        "weights": weights,
        "texts": len(lengths),
        "ids": len(ids),
    }
    if given.any():
        if not prompts:
            raise ValueError("the file of the given prompts is not named")
        head |= {"schema": GIVEN_SCHEMA, "prompts": prompts}
        parts.append(given)
    parts.append(ids)
    head["bytes"] = width = 2 if max(int(each.max()) for each in parts) < 1 << 16 else 4
    body = b"".join(_bytes(each, width) for each in parts)
    return lzma.compress(json.dumps(head).encode() + b"\n" + body, preset=9 | lzma.PRESET_EXTREME)


def all_unpacked(paths: Sequence[Path], weights: str, text: TokenText, prompts: PromptFile | None = None) -> OwnText:
    """The texts of several files, see `unpacked`. The prompts belong to those of them that do not hold their own.

    Raises:
        TrainingError: see `unpacked`.
    """
    found = [unpacked(path, weights, text, prompts if len(paths) == 1 or _asks(path) else None) for path in paths]
    return OwnText.joined(found)


def _asks(path: Path) -> bool:
    """Whether a file says that it does not hold all of its prompts."""
    try:
        with lzma.open(path) as file:
            return "prompts" in json.loads(file.readline(_LONGEST_HEAD))
    except (OSError, lzma.LZMAError, ValueError, TypeError, RecursionError, EOFError):
        return False  # `unpacked` says what is wrong


def unpacked(path: Path, weights: str, text: TokenText, prompts: PromptFile | None = None) -> OwnText:
    """The texts of a file. What the target would have written instead is not known: what it wrote counts as certain.

    Args:
        weights: digest of the target that is to read it.
        text: the tokenizer of this target.
        prompts: the given prompts; needed where the file does not hold all of its prompts.

    Raises:
        TrainingError: there is no such file, it is damaged, another target wrote it, or it answers prompts of another file.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which cannot be read ({error.strerror}): check the path."
        ) from None
    try:
        found = _read(data)
        other, name = str(found.head["weights"]), str(found.head["target"])
        asked = str(found.head["prompts"]) if found.given.any() else ""
    except (lzma.LZMAError, ValueError, KeyError, TypeError, RecursionError, EOFError) as error:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which is no text that `specviz train text` saved ({error}): give another file."
        ) from None
    if other != weights:
        raise TrainingError(
            f"--own-text was {str(path)!r}, written by {name!r:.80} with other weights: let this target write its own."
        )
    if int(found.ids.max()) >= text.vocabulary or int(found.ids.min()) < 0:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which has ids that this target does not have: give another file."
        )
    if prompts is None and asked:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which does not hold all of its prompts: name their file, whose SHA-256 begins with "
            f"{asked:.16}, with --own-text-prompts."
        )
    if prompts is not None and prompts.digest != asked:
        needed = f"the file whose SHA-256 begins with {asked:.16}" if asked else "no file"
        raise TrainingError(
            f"--own-text-prompts was {str(prompts.path)!r}, whose SHA-256 begins with {prompts.digest}; {str(path)!r} needs {needed}."
        )
    ids = found.ids if prompts is None else _with_prompts(found, path, text, prompts)
    return certain(ids, found.lengths, found.prompts, found.given - 1)


@dataclass(frozen=True, slots=True)
class _Content:
    """What a file holds.

    Attributes:
        head: what it says of itself.
        lengths, prompts: [texts], ids of each text and of its prompt.
        given: [texts], index of the prompt in its file plus one; 0 where the prompt is here.
        ids: all that are here.
    """

    head: dict[str, Any]
    lengths: Tensor
    prompts: Tensor
    given: Tensor
    ids: Tensor

    @property
    def here(self) -> Tensor:
        """[texts], how many ids of each text are here."""
        return torch.where(self.given > 0, self.lengths - self.prompts, self.lengths)


def _read(data: bytes) -> _Content:
    """The content of a file.

    Raises:
        ValueError, KeyError, TypeError, RecursionError, EOFError, LZMAError: it is damaged.
    """
    unpacker = lzma.LZMADecompressor()
    first, _, body = unpacker.decompress(data, _MOST_BYTES).partition(b"\n")
    if not unpacker.eof:
        raise ValueError("it is too large or cut off")
    head: dict[str, Any] = json.loads(first)
    if head["schema"] not in (SCHEMA, GIVEN_SCHEMA):
        raise ValueError("it is of another kind")
    columns = 3 if head["schema"] == GIVEN_SCHEMA else 2
    texts, count, width = int(head["texts"]), int(head["ids"]), int(head["bytes"])
    if width not in _FORMATS or texts < 1 or count < 1 or len(body) != width * (columns * texts + count):
        raise ValueError("its parts do not fit together")
    numbers = torch.frombuffer(bytearray(body), dtype=_FORMATS[width]).long()
    of_texts, ids = numbers[: columns * texts].view(columns, texts), numbers[columns * texts :]
    given = of_texts[2] if columns == 3 else torch.zeros(texts, dtype=torch.long)
    found = _Content(head, of_texts[0], of_texts[1], given, ids)
    fit = (given >= 0) & (found.prompts >= 1) & (found.prompts <= found.lengths)
    if int(found.here.sum()) != count or not bool(fit.all()):
        raise ValueError("its texts do not fit together")
    return found


def _with_prompts(found: _Content, path: Path, text: TokenText, prompts: PromptFile) -> Tensor:
    """The ids of the texts with the given prompts before their answers.

    Raises:
        TrainingError: the tokenizer reads a prompt otherwise than when it was answered.
    """
    parts = []
    for here, length, index in zip(
        torch.split(found.ids, found.here.tolist()), found.prompts.tolist(), found.given.tolist(), strict=True
    ):
        if index:
            try:
                ids = text.encode(prompts.texts[index - 1])
            except (PromptError, IndexError):
                ids = []
            if len(ids) != length:
                raise TrainingError(
                    f"--own-text was {str(path)!r}, but this target reads prompt {index} of {str(prompts.path)!r} otherwise than when it "
                    "answered it: let it write new text."
                )
            parts.append(torch.tensor(ids))
        parts.append(here)
    return torch.cat(parts)


def _bytes(numbers: Tensor, width: int) -> bytes:
    found: bytes = numbers.to(_FORMATS[width]).contiguous().numpy().tobytes()
    return found
