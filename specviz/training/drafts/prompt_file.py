"""Prompts of a file, for a target to answer: one JSON object a line, with the key "prompt"."""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from specviz.errors import PromptError, TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.unseen import Unseen

LONGEST_PROMPT = 256
"""Tokens of a prompt in its chat template; longer ones are left out."""
_SHELF = 2048
"""So many prompts are sorted by length: prompts of similar length share a batch, which saves padding."""
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class GivenPrompt:
    """A prompt of a file.

    Attributes:
        index: which one of the file's prompts it is, from 0.
        ids: its tokens, in the chat template.
    """

    index: int
    ids: list[int]


@dataclass(frozen=True, slots=True)
class PromptFile:
    """The prompts of a file.

    Attributes:
        path: where it is.
        texts: all of them, in the file's order.
        digest: the first 16 hex digits of the SHA-256 of the file's bytes.
    """

    path: Path
    texts: tuple[str, ...]
    digest: str

    def usable(self, seed: int, text: TokenText, unseen: Unseen) -> tuple[GivenPrompt, ...]:
        """Those that a target may answer, in an order that depends on file and seed: shuffled, then each shelf by length.

        Raises:
            TrainingError: there are none.
        """
        order = list(range(len(self.texts)))
        Random(f"{seed} prompts").shuffle(order)  # noqa: S311  # an order, not a secret
        found = []
        for start in range(0, len(order), _SHELF):
            for index in sorted(order[start : start + _SHELF], key=lambda index: len(self.texts[index])):
                if unseen.contains(self.texts[index]):
                    continue
                try:
                    ids = text.encode(self.texts[index])
                except PromptError:  # it holds what the target cannot read
                    continue
                if len(ids) <= LONGEST_PROMPT:
                    found.append(GivenPrompt(index, ids))
        if not found:
            raise TrainingError(
                f"The prompts {str(self.path)!r}: none of {len(self.texts):,} can be used, because they are held out for examinations, "
                f"have more than {LONGEST_PROMPT} tokens, or cannot be read by this target: give another file."
            )
        return tuple(found)


def read(path: Path) -> PromptFile:
    """The prompts of a JSON-lines file, plain or compressed (.gz). Other keys and empty lines do not count.

    Raises:
        TrainingError: it cannot be read, or a line is wrong; the message names file and line, and says what to do.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(f"The prompts {str(path)!r} cannot be read ({error.strerror}): check the path.") from None
    try:
        content = gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError, zlib.error) as error:
        raise TrainingError(
            f"The prompts {str(path)!r} are not a complete gzip file ({error}): copy it again, or give a plain file without the ending .gz."
        ) from None
    texts = tuple(_texts(path, content))
    if not texts:
        raise TrainingError(f'The prompts {str(path)!r}: there are none; write one {{"prompt": ...}} a line.')
    return PromptFile(path, texts, sha256(data).hexdigest()[:_DIGITS])


def _texts(path: Path, content: bytes) -> Iterator[str]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"The prompts {str(path)!r}, line {number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # broken UTF-8 is a ValueError too
            raise TrainingError(f"{where}: this is not JSON in UTF-8; correct or remove the line.") from None
        prompt = record.get("prompt") if isinstance(record, dict) else None
        if not isinstance(prompt, str):
            raise TrainingError(f'{where}: expected an object {{"prompt": "..."}}; correct or remove the line.')
        if not prompt.strip():
            raise TrainingError(f"{where}: the prompt is empty; fill in or remove the line.")
        yield prompt
