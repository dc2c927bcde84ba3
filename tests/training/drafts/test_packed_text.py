"""A target's own text in one file: what is read is what was written, and nothing else is taken for it."""

import json
import lzma
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specviz.errors import TrainingError
from specviz.training.drafts.packed_text import packed, unpacked
from specviz.training.drafts.store import OwnText


def text(largest: int) -> OwnText:
    """Two texts with prompts of two ids and one, of which the target wrote three ids and two."""
    ids = torch.tensor([5, 6, largest, 7, 8, 9, 1, 2], dtype=torch.int32)
    top = torch.tensor([-1, -1, 0, 1, 2, -1, 3, 4])
    return OwnText(
        ids,
        torch.tensor([0, 5]),
        top,
        torch.zeros(5, 4, dtype=torch.int32),
        torch.zeros(5, 4, dtype=torch.float16),
        torch.tensor([-1, -1]),
    )


def reader(vocabulary: int) -> Any:
    """A tokenizer with so many ids."""
    return SimpleNamespace(vocabulary=vocabulary)


@pytest.mark.parametrize("largest", [40_000, 70_000])
def test_what_is_read_is_what_was_written(tmp_path: Path, largest: int) -> None:
    """Ids, texts, and which ids the target wrote; each of those counts as certain."""
    own = text(largest)
    (tmp_path / "x").write_bytes(packed(own, "a target", "abc"))
    found = unpacked(tmp_path / "x", "abc", reader(largest + 1))
    for name in ("ids", "starts", "top"):
        assert torch.equal(getattr(found, name), getattr(own, name)), name
    assert found.top_ids[:, 0].tolist() == [largest, 7, 8, 1, 2]
    assert not found.top_logs.any()
    with pytest.raises(TrainingError, match="written by 'a target' with other weights"):
        unpacked(tmp_path / "x", "abd", reader(largest + 1))
    with pytest.raises(TrainingError, match="ids that this target does not have"):
        unpacked(tmp_path / "x", "abc", reader(largest))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """In one sentence: nothing there, damaged anywhere, of another kind, numbers that do not fit, and a file that unpacks to a gigabyte."""
    path = tmp_path / "x"
    with pytest.raises(TrainingError, match="cannot be read"):
        unpacked(path, "abc", reader(100_000))
    good = packed(text(9), "a target", "abc")
    head, body = lzma.decompress(good).split(b"\n", 1)

    def other(**changed: object) -> bytes:
        return lzma.compress(json.dumps({**json.loads(head), **changed}).encode() + b"\n" + body)

    longer = lzma.compress(head + b"\n" + body[:2] + b"\xff" + body[3:])
    wrong = [
        b"",
        b"x",
        good[:-9],
        good[:30] + bytes([good[30] ^ 1]) + good[31:],
        other(schema="x"),
        other(bytes=3),
        other(texts=0),
        other(ids=9),
        longer,
    ]
    for data in [
        *wrong,
        lzma.compress(bytes(1 << 30), preset=0),
        lzma.compress(b"[1]\n"),
        lzma.compress(b"[" * 100_000),
    ]:
        path.write_bytes(data)
        with pytest.raises(TrainingError, match="no text that"):
            unpacked(path, "abc", reader(100_000))
