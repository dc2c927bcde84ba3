"""A cost profile is read as it was saved, and a damaged one raises an error of one sentence."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.bench import profile as profiles
from specviz.bench.profile import Profile, from_json, read_profile, write_profile
from specviz.errors import InputError, ProfileError
from specviz.reporting.files import open_folder, write_atomically

PROFILE = Profile("a/b + c", "float32", "cuda:0", "A processor", 2, 64, 0.01, 0.2, ((1, 1.0), (2, 1.25), (4, 1.5)))


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    """A profile is the same after writing and reading, and the file name contains no path separator."""
    path = write_profile(tmp_path, PROFILE)
    assert read_profile(path) == PROFILE
    assert path.parent == tmp_path
    assert {p.name for p in tmp_path.iterdir()} == {PROFILE.file_name}
    others = [replace(PROFILE, pair="d"), replace(PROFILE, dtype="bfloat16"), replace(PROFILE, device="cpu")]
    assert len({PROFILE.file_name, *(other.file_name for other in others)}) == 4


@pytest.mark.parametrize(("n", "cost"), [(1, 1.0), (2, 1.25), (3, 1.375), (4, 1.5), (6, 1.75)])
def test_between_and_after_the_measured_lengths(n: int, cost: float) -> None:
    """v is as measured, linear between two lengths, and extrapolated after the last one."""
    assert PROFILE.v_at(n) == pytest.approx(cost)


def test_lengths_that_no_pass_has() -> None:
    """A pass over 0 tokens has no cost; with one measured length, all passes cost the same."""
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
        (lambda _: [], "not a cost profile"),
        (_with(schema="specviz.trace/1"), "not a cost profile"),
        (_without("c"), "lacks 'c'"),
        (_with(c="0.2"), "c is not a number"),
        (_with(c=True), "c is not a number"),
        (_with(c=float("nan")), "not a finite number above 0"),
        (_with(c=10**400), "damaged"),
        (_with(pass_s=0), "not a finite number above 0"),
        (_with(pair=None), "pair is not a string"),
        (_with(threads=1.5), "threads is not an integer"),
        (_with(batch=2), "out of range"),
        (_with(v=[]), "do not increase"),
        (_with(v=[{"n": 2, "cost": 1.0}]), "do not increase"),
        (_with(v=[{"n": 1, "cost": 1.0}, {"n": 1, "cost": 1.1}]), "do not increase"),
        (_with(v=[{"n": 1, "cost": 1.0}, {"n": 2, "cost": -1}]), "not a finite number above 0"),
        (_with(v=[{"n": 1}]), "lacks 'cost'"),
        (_with(v=[1, 2]), "damaged"),
        (_with(v={"1": 1.0}), "v is not a list"),
    ],
)
def test_a_damaged_profile_is_refused(damage: Callable[[dict[str, Any]], object], named: str) -> None:
    """Each error names the fault in one sentence and says what to do."""
    with pytest.raises(ProfileError, match=named) as caught:
        from_json(damage(profiles.as_json(PROFILE)))
    assert str(caught.value).endswith("`specviz bench`.")


def test_a_file_that_is_no_profile_is_refused(tmp_path: Path) -> None:
    """A missing file, a file that is not JSON and one that is too large raise the same error as a damaged one."""
    (tmp_path / "text").write_text("hello")
    (tmp_path / "deep").write_text("[" * 200_000)
    (tmp_path / "large").write_text(json.dumps("x" * 1_000_001))
    for name in ("missing", "text", "deep", "large"):
        with pytest.raises(ProfileError):
            read_profile(tmp_path / name)


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted write leaves the old file unchanged, and no part of the new one."""
    path = tmp_path / "file"
    write_atomically(path, "old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """If there is a file with the folder's name, the error comes before anything is measured."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="choose another folder"):
        open_folder(tmp_path / "file")
