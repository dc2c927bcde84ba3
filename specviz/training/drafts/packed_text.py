"""What a target wrote, packed into one small file: the token ids, without the probabilities beside them.

Enough for heads, which let the target read its text again. Writing takes longer than learning, so a packed text is worth keeping.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from specviz.errors import TrainingError
from specviz.training.drafts.store import OwnText

SCHEMA = "specviz.own-text/1"
_MOST_BYTES = 1 << 28
"""A file that becomes larger than this when it is unpacked is refused."""
_FORMATS = {2: torch.uint16, 4: torch.int32}


def packed(own: OwnText, target: str, weights: str) -> bytes:
    """The content of a file.

    Args:
        target: the target's name, for people.
        weights: digest of its weights, see `specviz.models.heads.folder.digest_of`.
    """
    lengths, written = own.lengths, own.top >= 0
    answers = torch.zeros_like(lengths).index_add_(
        0, torch.arange(len(lengths)).repeat_interleave(lengths), written.long()
    )
    width = 2 if int(own.ids.max()) < 1 << 16 and int(lengths.max()) < 1 << 16 else 4
    head = {
        "schema": SCHEMA,
        "target": target,
        "weights": weights,
        "texts": len(lengths),
        "ids": len(own.ids),
        "bytes": width,
    }
    body = b"".join(_bytes(each, width) for each in (lengths, lengths - answers, own.ids))
    return lzma.compress(json.dumps(head).encode() + b"\n" + body, preset=9 | lzma.PRESET_EXTREME)


def unpacked(path: Path, weights: str, vocabulary: int) -> OwnText:
    """The texts of a file. What the target would have written instead is not known: what it wrote counts as certain.

    Args:
        weights: digest of the target that is to read it.
        vocabulary: how many ids this target has.

    Raises:
        TrainingError: there is no such file, it is damaged, or another target wrote it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which cannot be read ({error.strerror}): check the path."
        ) from None
    try:
        head, lengths, prompts, ids = _read(data)
        other, name = str(head["weights"]), str(head["target"])
    except (lzma.LZMAError, ValueError, KeyError, TypeError, RecursionError, EOFError) as error:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which is no text that `specviz train text` saved ({error}): give another file."
        ) from None
    if other != weights:
        raise TrainingError(
            f"--own-text was {str(path)!r}, written by {name!r:.80} with other weights: let this target write its own."
        )
    if int(ids.max()) >= vocabulary or int(ids.min()) < 0:
        raise TrainingError(
            f"--own-text was {str(path)!r}, which has ids that this target does not have: give another file."
        )
    return _own(lengths, prompts, ids)


def _read(data: bytes) -> tuple[dict[str, Any], Tensor, Tensor, Tensor]:
    """What the file says of itself; lengths [texts], ids of each text's prompt [texts], and ids.

    Raises:
        ValueError, KeyError, TypeError, RecursionError, EOFError, LZMAError: it is damaged.
    """
    unpacker = lzma.LZMADecompressor()
    first, _, body = unpacker.decompress(data, _MOST_BYTES).partition(b"\n")
    if not unpacker.eof:
        raise ValueError("it is too large or cut off")
    head: dict[str, Any] = json.loads(first)
    if head["schema"] != SCHEMA:
        raise ValueError("it is of another kind")
    texts, count, width = int(head["texts"]), int(head["ids"]), int(head["bytes"])
    if width not in _FORMATS or texts < 1 or len(body) != width * (2 * texts + count):
        raise ValueError("its parts do not fit together")
    numbers = torch.frombuffer(bytearray(body), dtype=_FORMATS[width]).long()
    lengths, prompts, ids = numbers[:texts], numbers[texts : 2 * texts], numbers[2 * texts :]
    if int(lengths.sum()) != count or not bool(((prompts >= 1) & (prompts <= lengths)).all()):
        raise ValueError("its texts do not fit together")
    return head, lengths, prompts, ids


def _own(lengths: Tensor, prompts: Tensor, ids: Tensor) -> OwnText:
    starts = lengths.cumsum(0) - lengths
    offsets = torch.arange(len(ids)) - starts.repeat_interleave(lengths)
    by_target = offsets >= prompts.repeat_interleave(lengths)
    top = torch.where(by_target, by_target.cumsum(0) - 1, -1)
    chosen = ids[by_target].to(torch.int32)[:, None]
    return OwnText(ids.to(torch.int32), starts, top, chosen, torch.zeros(chosen.shape, dtype=torch.float16))


def _bytes(numbers: Tensor, width: int) -> bytes:
    found: bytes = numbers.to(_FORMATS[width]).contiguous().numpy().tobytes()
    return found
