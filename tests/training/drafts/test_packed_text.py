"""A target's own text in one file: what is read is what was written, and nothing else is taken for it."""

import json
import lzma
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from specviz.errors import TrainingError
from specviz.folders import ASSETS
from specviz.training.drafts import prompt_file
from specviz.training.drafts.packed_text import packed, unpacked
from specviz.training.drafts.prompt_file import PromptFile
from specviz.training.drafts.store import OwnText, certain
from tests.training.drafts.helpers import as_lines, chat_text


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


def asking(folder: Path, prompts: Sequence[str]) -> PromptFile:
    """A file of prompts."""
    path = folder / "prompts.jsonl"
    path.write_bytes(as_lines(prompts))
    return prompt_file.read(path)


def answers(prompts: PromptFile, given: Sequence[int]) -> OwnText:
    """Texts of three ids after these prompts of a file; -1 is a prompt of its own, "Mine?"."""
    own = [chat_text().encode("Mine?" if index < 0 else prompts.texts[index]) for index in given]
    lengths, starts = torch.tensor([len(ids) + 3 for ids in own]), torch.tensor(list(map(len, own)))
    every = torch.tensor([token for number, ids in enumerate(own) for token in (*ids, 2 + number, 3, 0)])
    return certain(every.int(), lengths, starts, torch.tensor(given))


def test_given_prompts_are_left_out(tmp_path: Path) -> None:
    """A text whose prompt was given is stored as the prompt's index and the answer; with the file of the prompts it is what it was."""
    prompts = asking(tmp_path, ["What is a secret?", "zzzz", "Third"])
    own = answers(prompts, [2, -1, 0])
    path = tmp_path / "x"
    path.write_bytes(packed(own, "a target", "abc", prompts.digest))
    head, body = lzma.decompress(path.read_bytes()).split(b"\n", 1)
    assert json.loads(head)["prompts"] == prompts.digest
    numbers = torch.frombuffer(bytearray(body), dtype=torch.uint16).tolist()
    assert numbers[6:9] == [3, 0, 1]
    assert numbers[9:] == [2, 3, 0, *chat_text().encode("Mine?"), 3, 3, 0, 4, 3, 0]
    found = unpacked(path, "abc", chat_text(), prompts)
    for name in ("ids", "starts", "top", "top_ids", "top_logs", "given"):
        assert torch.equal(getattr(found, name), getattr(own, name)), name
    with pytest.raises(ValueError, match="not named"):
        packed(own, "a target", "abc")
    many = own.given.clone()
    many[0] = 70_000
    assert json.loads(lzma.decompress(packed(replace(own, given=many), "", "", "d")).split(b"\n", 1)[0])["bytes"] == 4


def test_the_same_file_of_prompts_is_needed(tmp_path: Path) -> None:
    """None, another one, one that is not needed, or one that the tokenizer reads otherwise: one sentence says which file, by its digest."""
    prompts = asking(tmp_path, ["What is a secret?", "zzzz", "Third"])
    path = tmp_path / "x"
    path.write_bytes(packed(answers(prompts, [2, -1, 0]), "a target", "abc", prompts.digest))
    with pytest.raises(TrainingError, match=f"begins with {prompts.digest}, with --own-text-prompts"):
        unpacked(path, "abc", chat_text())
    other = asking(tmp_path, ["What is a secret?", "zzzz", "third"])
    with pytest.raises(TrainingError, match=f"begins with {other.digest}; .* needs the file .* {prompts.digest}"):
        unpacked(path, "abc", chat_text(), other)
    for texts in (("What is a secret?", "zzzz", "Third!"), ("What is a secret?", "zzzz"), ("x\ud800", "zzzz", "Third")):
        with pytest.raises(TrainingError, match=r"reads prompt . of .* otherwise"):
            unpacked(path, "abc", chat_text(), replace(prompts, texts=texts))
    path.write_bytes(packed(answers(prompts, [-1, -1]), "a target", "abc", prompts.digest))
    assert not unpacked(path, "abc", chat_text()).given.ge(0).any()
    with pytest.raises(TrainingError, match="needs no file"):
        unpacked(path, "abc", chat_text(), prompts)


def test_older_files_are_still_read() -> None:
    """The text that comes with the project, and the layout without given prompts, byte by byte."""
    shipped = ASSETS / "text" / "smollm2-135m.text"
    head = json.loads(lzma.decompress(shipped.read_bytes()).split(b"\n", 1)[0])
    assert head["schema"] == "specviz.own-text/1"
    own = unpacked(shipped, head["weights"], reader(49_152))
    assert (own.written, len(own.starts)) == (508_040, 4_669)
    data = lzma.decompress(packed(text(300), "a target", "abc"))
    assert data == (
        b'{"schema": "specviz.own-text/1", "target": "a target", "weights": "abc", "texts": 2, "ids": 8, "bytes": 2}\n'
        + torch.tensor([5, 3, 2, 1, 5, 6, 300, 7, 8, 9, 1, 2], dtype=torch.uint16).numpy().tobytes()
    )


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    """In one sentence: nothing there, damaged anywhere, of another kind, numbers that do not fit, and a file that unpacks to many megabytes."""
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
        other(schema="specviz.own-text/2"),
        other(schema="specviz.own-text/2", ids=6, prompts="d"),
        longer,
    ]
    for data in [
        *wrong,
        lzma.compress(bytes(1 << 26), preset=0),
        lzma.compress(b"[1]\n"),
        lzma.compress(b"[" * 100_000),
    ]:
        path.write_bytes(data)
        with pytest.raises(TrainingError, match="no text that"):
            unpacked(path, "abc", reader(100_000))
