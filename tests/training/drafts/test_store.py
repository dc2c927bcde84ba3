"""What the target wrote, on disk: complete or absent, refused if broken or of another target."""

import errno
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from specviz.errors import CheckpointError
from specviz.training.drafts import store as module
from specviz.training.drafts.store import OwnText, StoredBatch, TextStore
from specviz.training.drafts.writer import Written


def some(count: int, seed: int) -> list[Written]:
    random = torch.Generator().manual_seed(seed)
    found = []
    for index in range(count):
        start, new = 2 + index % 3, 1 + (index * 5) % 7
        ids = torch.randint(0, 200_000, (start + new,), generator=random).tolist()
        top = torch.randint(0, 200_000, (new, 4), generator=random, dtype=torch.int32)
        found.append(Written(ids, start, top, -torch.rand(new, 4, generator=random).half(), ended=bool(index % 2)))
    return found


def test_texts_come_back_in_order_with_their_probabilities(tmp_path: Path) -> None:
    """Ids beyond 65,536, lengths, and the row of every written token are those that were stored, over several batches."""
    store = TextStore(tmp_path / "text", "this")
    first, second = some(5, 1), some(3, 2)
    assert store.batch(0) is None
    store.add(0, first)
    store.add(1, second)
    sizes = [sum(len(text.top_ids) for text in texts) for texts in (first, second)]
    assert [store.batch(number) for number in range(3)] == [
        StoredBatch(sizes[0], (-1,) * 5),
        StoredBatch(sizes[1], (-1,) * 3),
        None,
    ]
    assert store.tokens() == sum(sizes)
    own = store.read(2)
    assert list(own.texts()) == [text.ids for text in (*first, *second)]
    for start, text in zip(own.starts.tolist(), (*first, *second), strict=True):
        at = own.top[start : start + len(text.ids)]
        assert at[: text.start].tolist() == [-1] * text.start
        assert torch.equal(own.top_ids[at[text.start :]], text.top_ids)
        assert torch.equal(own.top_logs[at[text.start :]], text.top_logs)
    some_only = own.only([index % 2 == 0 for index in range(8)])
    assert list(some_only.texts()) == [text.ids for text in (*first, *second)][::2]
    assert some_only.written == sum(len(text.top_ids) for text in [*first, *second][::2])
    last = some_only.top[-1]
    assert torch.equal(some_only.top_ids[last], second[1].top_ids[-1])


def test_texts_without_probabilities_keep_their_prompts_numbers(tmp_path: Path) -> None:
    """Where only ids are stored, what the target wrote counts as certain; a batch from before prompts could be given has none that were."""
    store = TextStore(tmp_path, "this")
    texts = [replace(text, given=given) for text, given in zip(some(3, 1), (7, None, 0), strict=True)]
    assert store.add(0, [text.ids_only() for text in texts]) == store.batch(0)
    own = store.read(1)
    assert list(own.texts()) == [text.ids for text in texts]
    assert own.given.tolist() == [7, -1, 0]
    assert own.top_ids[:, 0].tolist() == [token for text in texts for token in text.ids[text.start :]]
    assert not own.top_logs.any()
    assert own.only([False, True, True]).given.tolist() == [-1, 0]
    store.add(1, some(3, 2))
    path = tmp_path / "00001.safetensors"
    older = load_file(path)
    del older["given"]
    save_file(older, path, {"fingerprint": "this"})
    path.rename(tmp_path / "00000.safetensors")
    assert store.batch(0) == StoredBatch(len(older["top_ids"]), (-1, -1, -1))
    assert store.read(1).given.tolist() == [-1, -1, -1]


def test_what_is_broken_or_of_another_target_is_refused(tmp_path: Path) -> None:
    """A cut file, parts that do not fit together, another fingerprint: one sentence with the file's name."""
    store = TextStore(tmp_path, "this")
    store.add(0, some(4, 1))
    path = tmp_path / "00000.safetensors"
    with pytest.raises(CheckpointError, match="another target"):
        TextStore(tmp_path, "that").batch(0)
    data = path.read_bytes()
    path.write_bytes(data[:-20])
    for look in (lambda: store.batch(0), lambda: store.read(1)):
        with pytest.raises(CheckpointError, match=r"00000\.safetensors.*broken"):
            look()
    save_file({"top_ids": torch.zeros(3, 4)}, path, {"fingerprint": "this"})
    with pytest.raises(CheckpointError, match="broken"):
        store.read(1)
    save_file(
        {name: torch.ones(3, dtype=torch.int32) for name in ("ids", "lengths", "prompts", "top_ids", "top_logs")},
        path,
        {"fingerprint": "this"},
    )
    with pytest.raises(CheckpointError, match="fit together"):
        store.read(1)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that could not be written is absent, the batches before it stay, and the sentence says what to do."""
    store = TextStore(tmp_path, "this")
    store.add(0, some(2, 1))

    def full(tensors: object, path: Path, *more: Any) -> None:
        path.write_bytes(b"some")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "save_file", full)
    with pytest.raises(CheckpointError, match="make room"):
        store.add(1, some(2, 2))
    assert [path.name for path in tmp_path.iterdir()] == ["00000.safetensors"]
    assert store.batch(1) is None


def test_texts_can_be_joined_shortened_and_drawn(tmp_path: Path) -> None:
    """Every token keeps its own probabilities; a text that would be cut within its prompt is left out; a draw is as long as asked, and the same again."""
    texts = some(9, 1)
    store = TextStore(tmp_path, "this")
    store.add(0, texts[:4])
    first = store.read(1)
    store.add(0, texts[4:])
    both = OwnText.joined([first, store.read(1)])
    assert list(both.texts()) == [text.ids for text in texts]
    assert torch.equal(both.top_ids, torch.cat([text.top_ids for text in texts]))
    assert both.answers.tolist() == [len(text.top_ids) for text in texts]
    short = both.cut(4)
    left = [text for text in texts if text.start < 4]
    assert list(short.texts()) == [text.ids[:4] for text in left]
    assert torch.equal(short.top_logs, torch.cat([text.top_logs[: 4 - text.start] for text in left]))
    assert both.cut(100).written == both.written
    drawn = both.some(8, seed=3)
    assert drawn.written >= 8 > drawn.written - int(drawn.answers.max())
    assert all(ids in [text.ids for text in texts] for ids in drawn.texts())
    assert torch.equal(drawn.ids, both.some(8, seed=3).ids)
    assert (
        not torch.equal(drawn.starts, both.some(8, seed=4).starts) or drawn.ids.tolist() != both.some(8, 4).ids.tolist()
    )
    assert both.some(10_000, seed=3).written == both.written
