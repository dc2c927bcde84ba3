"""Cost profiles: saved and read unchanged, absurd numbers refused, and what is priced with one says so."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from specviz.decoding.drafters import registry
from specviz.errors import InputError, ProfileError
from specviz.folders import ASSETS
from specviz.lab.pricing import reprice
from specviz.lab.profile import Profile, as_json, from_json, profile_in, read, write
from specviz.lab.profiling import sensible
from specviz.reporting.files import open_folder, write_atomically
from specviz.trace import theory
from specviz.trace.files import read_file
from tests.lab.making import surface

MADE = Profile(
    "a desk", "Ada", "2026-01-02", "4 cores", "embedded", ("embedded/target", "embedded/draft"), "float32", "cpu", 2, 64, 0.01, 0.2,
    ((1, 1.0), (2, 1.1), (6, 1.5)), (("ngram", 0.0),), surface().target, surface().draft,
)  # fmt: skip


def test_a_profile_comes_back_from_its_file(tmp_path: Path) -> None:
    """Every figure; the file's name is another one for another pair, format or device, without a path in it."""
    write(tmp_path / "desk.json", MADE)
    assert read(tmp_path / "desk.json") == MADE
    others = [replace(MADE, pair="a/b + c"), replace(MADE, dtype="bfloat16"), replace(MADE, device="cuda:0")]
    names = {MADE.file_name, *(other.file_name for other in others)}
    assert len(names) == 4
    assert not any("/" in name or ":" in name for name in names)


@pytest.mark.parametrize(("n", "cost"), [(1, 1.0), (2, 1.1), (3, 1.2), (6, 1.5), (10, 1.9)])
def test_between_and_after_the_measured_lengths(n: int, cost: float) -> None:
    """v is as measured, linear between two lengths, extrapolated after the last one; a pass over 0 tokens has no cost."""
    assert MADE.v_at(n) == pytest.approx(cost)
    assert replace(MADE, v=((1, 1.0),)).v_at(n) == 1.0
    with pytest.raises(ValueError, match="at least one"):
        MADE.v_at(0)


def test_absurd_numbers_are_refused_in_one_sentence() -> None:
    """No machine has them; each message names what was read."""
    good = as_json(MADE)

    def refused(**changed: Any) -> str:
        with pytest.raises(ProfileError) as caught:
            from_json(json.loads(json.dumps({**good, **changed})))
        return str(caught.value)

    assert "a target pass was 1e+09" in refused(pass_s=1e9)
    assert "c was 5000" in refused(c=5000.0)
    assert "profile.c must be a number" in refused(c="0.2")
    assert "profile.threads must be a whole number" in refused(threads=True)
    assert "over 2 tokens was 900" in refused(v=[[1, 1.0], [2, 900.0]])
    assert "over 2 tokens was 0.01" in refused(v=[[1, 1.0], [2, 0.01]])
    for v in ([], [[2, 1.0]], [[1, 1.0], [1, 1.1]]):
        assert "do not increase from n = 1" in refused(v=v)
    assert "profile.v must be a list" in refused(v={"1": 1.0})
    assert "guests was 0" in refused(target=[{"guests": 0, "tokens": 1, "seconds": 0.1}])
    assert "must be a number" in refused(target=[{"guests": 1, "tokens": 1, "seconds": "fast"}])
    with pytest.raises(ProfileError, match=r"profile\.about is missing"):
        from_json({key: value for key, value in good.items() if key != "about"})
    for key, wrong in (("name", ""), ("name", "x" * 999), ("name", "a\nb"), ("schema", "profile/9"), ("drafters", [1])):
        message = refused(**{key: wrong})
        assert message.endswith(".")
        assert "\n" not in message
    with pytest.raises(ProfileError):
        from_json([1])


def test_a_run_priced_with_a_profile_says_so_and_follows_it() -> None:
    """The rounds are those of the run, the speedup is the formula's on them, and the label is on the run's card."""
    speculative, plain = read_file(ASSETS / "traces" / "letter.json")[:2]
    found = reprice(speculative, plain, MADE)
    assert found.label == "priced with the profile of a desk"
    assert found.speculative.card.device == found.plain.card.device == found.label
    assert any("Priced with the profile of a desk" in note for note in found.speculative.card.notes)
    assert found.speculative.token_ids == speculative.token_ids
    drafted = [len(round_.drafted) for round_ in speculative.rounds]
    expected = theory.speedup_of_rounds(len(speculative.token_ids), drafted, MADE.c, MADE.v_at)
    assert found.speedup == pytest.approx(expected)
    with pytest.raises(ProfileError, match="choose a profile of the same models"):
        reprice(speculative, plain, replace(MADE, models=("another/target",)))
    with pytest.raises(ProfileError, match="no cost of the drafter"):
        MADE.c_of("early-exit")
    with pytest.raises(ProfileError, match="drafts no chain"):
        reprice(read_file(ASSETS / "traces" / "products-tree.json")[0], plain, MADE)


def test_what_is_no_file_of_a_profile_is_refused(tmp_path: Path) -> None:
    """Too large, no JSON, nested too deeply, missing."""
    (tmp_path / "deep").write_text("[" * 200_000)
    (tmp_path / "large").write_bytes(b" " * 1_000_001)
    (tmp_path / "words").write_text("words")
    for name in ("large", "words", "deep", "missing"):
        with pytest.raises(ProfileError):
            read(tmp_path / name)


def test_shipped_profiles_say_who_measured_what() -> None:
    """Each was measured on an idle machine, for several guests too, and names the machine, who measured it, when, and with which models. No drafter
    that makes passes has a cost of 0 there: it was measured, or is not there."""
    files = sorted((ASSETS / "profiles").glob("*.json"))
    assert files
    for file in files:
        profile = profile_in(file.read_bytes(), file.name)
        assert profile.disturbed == ""
        assert profile.measured_by
        assert date.fromisoformat(profile.measured_on)
        assert profile.models
        assert max(each.guests for each in profile.target) >= 8
        for name, c in profile.drafters:
            assert (c == 0) == (registry.describe(name).picture == "copy"), (file.name, name)


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted write leaves the old file unchanged, and no part of the new one; a folder that cannot be made is refused."""
    path = tmp_path / "file"
    write_atomically(path, "old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="choose another folder"):
        open_folder(path)


def test_a_disturbed_measurement_is_made_again() -> None:
    """Where a figure is one that no machine has, passes are measured again, three times in all; then one sentence says what happened."""
    odd: Any = "odd"
    curves: list[Any] = [odd, odd, "fine"]

    def profile(curve: Any) -> Any:
        if curve == "odd":
            raise ValueError("a pass was 103")
        return f"of {curve}"

    found: Any = sensible(lambda: curves.pop(0), profile)
    assert found == ("fine", "of fine")
    with pytest.raises(InputError, match=r"Something else took the machine meanwhile \(a pass was 103\)"):
        sensible(lambda: odd, profile)
