"""Prompts of a file: all of them are read, or one sentence says what is wrong; which ones a target answers, and in which order."""

import gzip
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from specviz.errors import TrainingError
from specviz.training.drafts import prompt_file
from specviz.training.drafts.unseen import Unseen
from tests.training.drafts.helpers import as_lines, chat_text


def test_a_file_is_read_plain_or_compressed(tmp_path: Path) -> None:
    """Every prompt in its order, whatever other keys and empty lines there are; the digest is that of the file as it is."""
    content = b'\n{"kind": "x", "prompt": "One?"}\n  \n{"prompt": "Deux \\u00e9t\\u00e9s"}'
    for name, data in (("a.jsonl", content), ("a.jsonl.gz", gzip.compress(content))):
        path = tmp_path / name
        path.write_bytes(data)
        found = prompt_file.read(path)
        assert found.texts == ("One?", "Deux étés"), name
        assert found.digest == sha256(data).hexdigest()[:16]


def test_every_bad_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """It names the file, and the line if one is wrong, and says what to do."""
    good, whole = as_lines(["One?"]), gzip.compress(as_lines(["One?", "Two?"]))
    cases = (
        ("a.jsonl", b"", "there are none; write one"),
        ("a.jsonl", b"\n \n", "there are none; write one"),
        ("a.jsonl", good + b"Two?\n", "line 2: this is not JSON in UTF-8; correct or remove"),
        ("a.jsonl", good + b'{"prompt": "\xff"}\n', "line 2: this is not JSON in UTF-8"),
        ("a.jsonl", b"[" * 200_000, "line 1: this is not JSON in UTF-8"),
        ("a.jsonl", whole, "line 1: this is not JSON in UTF-8"),
        ("a.jsonl", good + b"\n" + b'{"text": "Two?"}\n', 'line 3: expected an object {"prompt": "..."}; correct or'),
        ("a.jsonl", b'{"prompt": 2}\n', "line 1: expected an object"),
        ("a.jsonl", b'["Two?"]\n', "line 1: expected an object"),
        ("a.jsonl", good + as_lines([" \n"]), "line 2: the prompt is empty; fill in or remove"),
        ("a.jsonl.gz", good, "not a complete gzip file"),
        ("a.jsonl.gz", whole[:-12], "not a complete gzip file"),
        ("a.jsonl.gz", b"", "there are none"),
    )
    for name, data, words in cases:
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(TrainingError) as refused:
            prompt_file.read(path)
        said = str(refused.value)
        assert words in said, (data[:30], said)
        assert str(path) in said
        assert said.endswith(".")
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(TrainingError, match=r"cannot be read .*: check the path\."):
            prompt_file.read(path)


def test_each_usable_prompt_comes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an order that the seed shuffles, shelf by shelf from short to long. Held-out prompts, also inside longer ones, very long prompts
    and what the target cannot read are left out; where nothing is left, that is said."""
    monkeypatch.setattr(prompt_file, "_SHELF", 10)
    held = "Which planet has the most moons?"
    bad = [held, f"Tell me: {held.upper()}", "x" * (prompt_file.LONGEST_PROMPT + 1), "half \ud800"]
    good = [f"Say the number {number}{'!' * (number % 7)}" for number in range(36)]
    path = tmp_path / "a.jsonl"
    path.write_bytes(as_lines([*good, *bad]))
    file, text, unseen = prompt_file.read(path), chat_text(), Unseen([held])
    found = file.usable(1, text, unseen)
    assert sorted(prompt.index for prompt in found) == list(range(36))
    assert all(prompt.ids == text.encode(good[prompt.index]) for prompt in found)
    assert file.usable(1, text, unseen) == found
    other = [prompt.index for prompt in file.usable(2, text, unseen)]
    assert other != [prompt.index for prompt in found]
    falls = sum(len(later.ids) < len(one.ids) for one, later in pairwise(found))
    assert 1 <= falls <= 3
    path.write_bytes(as_lines(bad))
    with pytest.raises(TrainingError, match=r"none of 4 can be used.*give another file\."):
        prompt_file.read(path).usable(1, text, unseen)
