"""Cost profiles: saved and read unchanged, absurd numbers refused, and what is priced with one says so."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from specviz.bench import profile as bench
from specviz.bench.profile import Profile
from specviz.decoding.drafters import registry
from specviz.errors import ProfileError
from specviz.folders import ASSETS
from specviz.lab.profile import Profile, as_json, from_json, profile_in, read, write
from specviz.lab.pricing import reprice
from specviz.trace import theory
from specviz.trace.files import read_file
from tests.lab.making import surface

ALONE = Profile("embedded", "float32", "cpu", "a processor", 2, 64, 0.01, 0.2, ((1, 1.0), (2, 1.1), (6, 1.5)))
MADE = Profile(
    "a desk", "Ada", "2026-01-02", "4 cores", ALONE, ("embedded/target", "embedded/draft"), (("ngram", 0.0),),
    surface().target, surface().draft,
)  # fmt: skip


def test_a_profile_comes_back_from_its_file(tmp_path: Path) -> None:
    """Every figure; and one of the benchmark is read too."""
    write(tmp_path / "desk.json", MADE)
    assert read(tmp_path / "desk.json") == MADE
    bare = from_json(bench.as_json(ALONE))
    assert (bare.alone, bare.target) == (ALONE, ())


def test_drafting_is_free_only_where_it_copies() -> None:
    """In the profiles that are shipped no drafter that makes passes has a cost of 0: it was measured, or is not there."""
    for file in (ASSETS / "profiles").glob("*.json"):
        for name, c in read(file).drafters:
            assert (c == 0) == (registry.describe(name).picture == "copy"), (file.name, name)


def test_absurd_numbers_are_refused_in_one_sentence() -> None:
    """No machine has them; each message names what was read."""
    good = as_json(MADE)

    def refused(**changed: Any) -> str:
        with pytest.raises(ProfileError) as caught:
            from_json(json.loads(json.dumps({**good, **changed})))
        return str(caught.value)

    def alone(**changed: Any) -> dict[str, Any]:
        return {**good["alone"], **changed}

    assert "a target pass was 1e+09" in refused(alone=alone(pass_s=1e9))
    assert "c was 5000" in refused(alone=alone(c=5000.0))
    assert "over 2 tokens was 900" in refused(alone=alone(v=[{"n": 1, "cost": 1.0}, {"n": 2, "cost": 900.0}]))
    assert "over 2 tokens was 0.01" in refused(alone=alone(v=[{"n": 1, "cost": 1.0}, {"n": 2, "cost": 0.01}]))
    assert "guests was 0" in refused(target=[{"guests": 0, "tokens": 1, "seconds": 0.1}])
    assert "not a number" in refused(target=[{"guests": 1, "tokens": 1, "seconds": "fast"}])
    assert "lacks 'about'" in refused_without(good, "about")
    for wrong in (
        {"name": ""},
        {"name": "x" * 999},
        {"name": "a\nb"},
        {"schema": "specviz.profile/9"},
        {"drafters": [1]},
    ):
        message = refused(**wrong)
        assert message.endswith(".")
        assert "\n" not in message
    with pytest.raises(ProfileError):
        from_json([1])


def refused_without(good: dict[str, Any], name: str) -> str:
    with pytest.raises(ProfileError) as caught:
        from_json({key: value for key, value in good.items() if key != name})
    return str(caught.value)


def test_a_run_priced_with_a_profile_says_so_and_follows_it() -> None:
    """The rounds are those of the run, the speedup is the formula's on them, and the label is on the run's card."""
    speculative, plain = read_file(ASSETS / "traces" / "letter.json")[:2]
    found = reprice(speculative, plain, MADE)
    assert found.label == "priced with the profile of a desk"
    assert found.speculative.card.device == found.plain.card.device == found.label
    assert any("Priced with the profile of a desk" in note for note in found.speculative.card.notes)
    assert found.speculative.token_ids == speculative.token_ids
    drafted = [len(round_.drafted) for round_ in speculative.rounds]
    expected = theory.speedup_of_rounds(len(speculative.token_ids), drafted, ALONE.c, ALONE.v_at)
    assert found.speedup == pytest.approx(expected)
    with pytest.raises(ProfileError, match="choose a profile of the same models"):
        reprice(speculative, plain, replace(MADE, models=("another/target",)))
    with pytest.raises(ProfileError, match="no cost of the drafter"):
        MADE.c_of("early-exit")
    tree = next(
        trace for trace in read_file(ASSETS / "traces" / "products-tree.json") if trace.card.drafter.name != "none"
    )
    with pytest.raises(ProfileError, match="drafts no chain"):
        reprice(tree, plain, MADE)


def test_what_is_no_file_of_a_profile_is_refused(tmp_path: Path) -> None:
    """Too large, no JSON, missing."""
    (tmp_path / "large").write_bytes(b" " * 1_000_001)
    (tmp_path / "words").write_text("words")
    for name in ("large", "words", "missing"):
        with pytest.raises(ProfileError):
            read(tmp_path / name)


def test_shipped_profiles_say_who_measured_what() -> None:
    """Each was measured on an idle machine, for several guests too, and names the machine, who measured it, when, and with which models."""
    files = sorted((ASSETS / "profiles").glob("*.json"))
    assert files
    for file in files:
        profile = profile_in(file.read_bytes(), file.name)
        assert profile.disturbed == ""
        assert profile.measured_by
        assert date.fromisoformat(profile.measured_on)
        assert profile.models
        assert max(each.guests for each in profile.target) >= 8
