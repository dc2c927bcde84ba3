"""Checkpoints: whole or not there, whatever happens to the disk."""

import os
import pickle
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import torch

from specviz.errors import CheckpointError
from specviz.training import checkpoints

MARK = "this recipe"
Fault = Callable[[Path], Any]


def state(step: int) -> dict[str, Any]:
    """What a training keeps, in small: 40 kB of weights, an optimiser's numbers, points of a curve."""
    weights = torch.randn(100, 100, generator=torch.Generator().manual_seed(step))
    return {
        "fingerprint": MARK,
        "step": step,
        "points": [(step, {"target": 0.1 + step})],
        "networks": {"target": {"embedding": weights, "head": weights}},
        "optimisers": [{"state": {0: {"momentum": weights.bfloat16()}}, "param_groups": [{"lr": 0.02}]}],
    }


def alike(one: Any, other: Any) -> bool:
    """Whether two states are equal to the last bit."""
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and one.dtype == other.dtype and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def is_one_sentence(text: str, path: Path) -> bool:
    """Whether this is fit to show a person: one line that names the file and is not endless."""
    return "\n" not in text and text.endswith(".") and str(path) in text and len(text) < 500 + len(str(path))


def test_a_state_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    """What is written is read again, in folders made on the way, and the latest counts; nothing else is left beside it."""
    path = tmp_path / "new" / "folder" / "target.checkpoint"
    assert checkpoints.read(path, MARK) is None
    for step in (10, 20):
        checkpoints.write(path, state(step))
        assert alike(checkpoints.read(path, MARK), state(step))
    assert not alike(state(10), state(20))
    assert list(path.parent.iterdir()) == [path]


def test_another_recipes_checkpoint_is_refused(tmp_path: Path) -> None:
    """A checkpoint with another fingerprint is refused in one sentence that says what to do, and is left as it is."""
    path = tmp_path / "target.checkpoint"
    checkpoints.write(path, state(10))
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match="another recipe") as refused:
        checkpoints.read(path, "that recipe")
    assert is_one_sentence(str(refused.value), path)
    assert path.read_bytes() == before


def test_a_truncated_checkpoint_is_refused(tmp_path: Path) -> None:
    """A checkpoint that lost its end, however much of it, is called broken in one sentence with what to do."""
    for kept in (0.0, 0.0001, 0.01, 0.3, 0.5, 0.9, 0.99, 0.9999):
        path = tmp_path / "target.checkpoint"
        checkpoints.write(path, state(10))
        whole = path.read_bytes()
        path.write_bytes(whole[: int(kept * len(whole))])
        with pytest.raises(CheckpointError, match=r"is broken .*remove it") as refused:
            checkpoints.read(path, MARK)
        assert is_one_sentence(str(refused.value), path), kept


SPOILS: dict[str, Fault] = {
    "garbage": lambda path: path.write_bytes(Random(5).randbytes(3000)),  # noqa: S311  # text, not secrets
    "zeros": lambda path: path.write_bytes(bytes(5000)),
    "prose": lambda path: path.write_text("Once upon a time there was a fox.\n" * 50),
    "a list": lambda path: torch.save([1, 2, 3], path),
    "anonymous": lambda path: torch.save({"step": 3}, path),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, spoil: str) -> None:
    """Something else in the checkpoint's place is called broken in one sentence, not taken for no checkpoint."""
    path = tmp_path / "target.checkpoint"
    SPOILS[spoil](path)
    with pytest.raises(CheckpointError, match="is broken") as refused:
        checkpoints.read(path, MARK)
    assert is_one_sentence(str(refused.value), path)


class _Runs:
    def __init__(self, made: Path) -> None:
        self.made = made

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.made),)


@pytest.mark.parametrize("save", [torch.save, lambda obj, path: path.write_bytes(pickle.dumps(obj, protocol=2))])
def test_a_checkpoint_runs_no_code(tmp_path: Path, save: Callable[[object, Path], None]) -> None:
    """A file that would run something when unpickled is refused, and nothing was run."""
    path = tmp_path / "target.checkpoint"
    save({"fingerprint": MARK, "step": _Runs(tmp_path / "made")}, path)
    with pytest.raises(CheckpointError, match="is broken"):
        checkpoints.read(path, MARK)
    assert not (tmp_path / "made").exists()


@contextmanager
def _limited(path: Path) -> Iterator[None]:
    """The system really refuses to let a file grow beyond a part of the checkpoint."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def _full_device(path: Path) -> Iterator[None]:
    """What is written goes to a device that really has no room at all."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path.with_name(path.name + ".partial").symlink_to("/dev/full")
    yield


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("fault", [_limited, _full_device])
def test_a_full_disk_leaves_the_checkpoint_before(tmp_path: Path, fault: Fault, first: bool) -> None:
    """Where a checkpoint finds no room, one sentence says so, the one before is whole, no partial file is left, and with room again it works."""
    path = tmp_path / "target.checkpoint"
    if not first:
        checkpoints.write(path, state(10))
    with fault(path), pytest.raises(CheckpointError, match="could not be written") as refused:
        checkpoints.write(path, state(20))
    assert is_one_sentence(str(refused.value), path)
    assert list(tmp_path.iterdir()) == ([] if first else [path])
    if not first:
        assert alike(checkpoints.read(path, MARK), state(10))
    checkpoints.write(path, state(20))
    assert alike(checkpoints.read(path, MARK), state(20))


def test_what_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """A partial file from a process killed while it wrote is never read, and the next checkpoint takes its place."""
    path = tmp_path / "target.checkpoint"
    checkpoints.write(path, state(10))
    path.with_name(path.name + ".partial").write_bytes(path.read_bytes()[:9000])
    assert alike(checkpoints.read(path, MARK), state(10))
    checkpoints.write(path, state(20))
    assert alike(checkpoints.read(path, MARK), state(20))
    assert list(tmp_path.iterdir()) == [path]
