"""A cost profile comes back as it was saved, and a damaged one is refused in a sentence."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.bench import profile as profiles
from specviz.bench.profile import Profile, from_json, read_profile, write_profile
from specviz.errors import InputError, ProfileError
from specviz.reporting.files import open_folder, write_whole

PROFILE = Profile("a/b + c", "float32", "cuda:0", "A processor", 2, 64, 0.01, 0.2, ((1, 1.0), (2, 1.25), (4, 1.5)))


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    """A profile is the same after writing and reading, and the file's name holds no part of a path."""
    path = write_profile(tmp_path, PROFILE)
    assert read_profile(path) == PROFILE
    assert path.parent == tmp_path
    assert {p.name for p in tmp_path.iterdir()} == {PROFILE.file_name}
    others = [replace(PROFILE, pair="d"), replace(PROFILE, dtype="bfloat16"), replace(PROFILE, device="cpu")]
    assert len({PROFILE.file_name, *(other.file_name for other in others)}) == 4


@pytest.mark.parametrize(("n", "cost"), [(1, 1.0), (2, 1.25), (3, 1.375), (4, 1.5), (6, 1.75)])
def test_between_and_behind_the_measured_lengths(n: int, cost: float) -> None:
    """v is what was measured, straight between two lengths, and goes on as it went last."""
    assert PROFILE.v_at(n) == pytest.approx(cost)


def test_lengths_that_no_pass_has() -> None:
    """A pass over nothing has no cost; with one measured length every pass costs the same."""
    with pytest.raises(ValueError, match="at least one"):
        PROFILE.v_at(0)
    assert replace(PROFILE, v=((1, 1.0),)).v_at(9) == 1.0


def _without(name: str) -> Callable[[dict[str, Any]], object]:
    return lambda value: {key: each for key, each in value.items() if key != name}


def _with(**changes: object) -> Callable[[dict[str, Any]], object]:
    return lambda value: {**value, **changes}


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda _: [], "no cost profile"),
        (_with(schema="specviz.trace/1"), "no cost profile"),
        (_without("c"), "lacks 'c'"),
        (_with(c="0.2"), "c is no number"),
        (_with(c=True), "c is no number"),
        (_with(c=float("nan")), "not a number above 0"),
        (_with(c=10**400), "damaged"),
        (_with(pass_s=0), "not a number above 0"),
        (_with(pair=None), "pair is no text"),
        (_with(threads=1.5), "threads is no whole number"),
        (_with(batch=2), "out of range"),
        (_with(v=[]), "does not rise"),
        (_with(v=[{"n": 2, "cost": 1.0}]), "does not rise"),
        (_with(v=[{"n": 1, "cost": 1.0}, {"n": 1, "cost": 1.1}]), "does not rise"),
        (_with(v=[{"n": 1, "cost": 1.0}, {"n": 2, "cost": -1}]), "not a number above 0"),
        (_with(v=[{"n": 1}]), "lacks 'cost'"),
        (_with(v=[1, 2]), "damaged"),
        (_with(v={"1": 1.0}), "v is no list"),
    ],
)
def test_a_damaged_profile_is_refused(damage: Callable[[dict[str, Any]], object], named: str) -> None:
    """Each fault is named in one sentence that says what to do."""
    with pytest.raises(ProfileError, match=named) as refusal:
        from_json(damage(profiles.as_json(PROFILE)))
    assert str(refusal.value).endswith("`specviz bench`.")


def test_a_file_that_is_no_profile_is_refused(tmp_path: Path) -> None:
    """No file, no JSON and far too large a file are refused like a damaged one."""
    (tmp_path / "text").write_text("hello")
    (tmp_path / "deep").write_text("[" * 200_000)
    (tmp_path / "large").write_text(json.dumps("x" * 1_000_001))
    for name in ("missing", "text", "deep", "large"):
        with pytest.raises(ProfileError):
            read_profile(tmp_path / name)


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that is interrupted leaves the old file as it was, and no part of the new one."""
    path = tmp_path / "file"
    write_whole(path, "old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """A file in the folder's place is named before anything is measured."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="choose another folder"):
        open_folder(tmp_path / "file")
