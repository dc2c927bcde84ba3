"""`specviz audit --quick`: what it finds in whole pairs, on planted faults, and what its exit code says."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from specviz.audit import every_way
from specviz.cli.main import main
from specviz.decoding.drafters import registry
from specviz.errors import DeviceLostError, ScoresError
from specviz.model_choice import heads_here
from specviz.models.checks import first_use
from specviz.models.checks.measure import Check
from specviz.models.networks.lean import LeanDecoder
from specviz.runs.run import Run
from tests.helpers.commands import Output
from tests.models.folders import save_model

pytestmark = pytest.mark.slow

AS_JSON = ("--device", "cpu", "--dtype", "float32", "--json")
Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]


class Outcome(Output):
    """What `specviz audit --quick --json` prints."""

    @property
    def findings(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.json["ways"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("ways") / "tiny", num_hidden_layers=4)


@pytest.fixture(autouse=True)
def _short(monkeypatch: Patch) -> None:
    """Texts of a few tokens: every drafter is tried twice."""
    monkeypatch.setattr(every_way, "_NEW_TOKENS", 6)


def quick(capsys: Capture, *arguments: object) -> Outcome:
    code = main(["audit", "--quick", *map(str, arguments)])
    printed = capsys.readouterr()
    return Outcome(code, printed.out, printed.err)


def names_of_texts(heads: Sequence[str] = ()) -> set[str]:
    names = registry.able(draft=True, heads=heads)
    return {f"text of {name}, {label}" for name in names for label in ("greedy", "shared noise")}


@pytest.mark.rare
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_embedded_pair_is_well(capsys: Capture, monkeypatch: Patch, dtype: str) -> None:
    """On the embedded pair everything works in both formats: the text of every drafter, also of each shipped head after every other one, is the
    plain one."""
    found = quick(capsys, "--device", "cpu", "--dtype", dtype, "--json")
    assert found.code == 0
    assert {one["outcome"] for one in found.findings.values()} == {"works"}
    assert names_of_texts([*heads_here("embedded")]) < set(found.findings)


def test_a_target_alone_drafts_for_itself(capsys: Capture, folder: Path) -> None:
    """With only a target it says that it is its own draft, why the number format was chosen, tries everything, and prints a table."""
    found = quick(capsys, "--target", folder, "--device", "cpu")
    assert (found.code, "its own draft model" in found.err) == (0, True)
    lines = found.out.splitlines()
    assert lines[-1] == "Everything that is used gives the target's own text."
    assert lines[1].startswith("float32: The weights are stored in float32"), lines[1]
    checks = ("finite scores of the target", "trees on the draft", "early exit after 3 layers")
    for name in (*checks, *names_of_texts()):
        assert any(line.startswith(f"{name} ") and " works " in line for line in lines), name


def test_a_path_that_differs_is_set_aside(capsys: Capture, folder: Path, monkeypatch: Patch) -> None:
    """With a decoder that lacks a layer the pair runs on transformers' modules: set aside with the reason, and no failure."""
    run: Any = LeanDecoder._run
    monkeypatch.setattr(LeanDecoder, "_run", lambda *given: run(*given[:-1], given[-1][:-1]))
    found = quick(capsys, "--target", folder, *AS_JSON)
    assert found.code == 0
    own = found.findings["own decoder of the target"]
    assert own["outcome"] == "set aside"
    assert "transformers' own modules, because in our decoder" in own["note"]
    assert len(json.loads(found.out)["notes"]) == 2
    for name in names_of_texts():
        outcome = "set aside" if name.startswith("text of early-exit") else "works"  # only our own decoder exits early
        assert found.findings[name]["outcome"] == outcome, name


def test_a_fault_that_is_in_use_ends_with_exit_code_1(capsys: Capture, folder: Path, monkeypatch: Patch) -> None:
    """If a check lets wrong halves pass, the text of early exit differs: it is named and the audit fails."""
    upper: Any = LeanDecoder.upper
    monkeypatch.setattr(LeanDecoder, "upper", lambda *given: upper(*given[:-2], given[-2] + 1, given[-1]))
    monkeypatch.setattr(first_use, "check_early_exit", lambda model, depth, name: Check(name, True, 0.0, 0.0))
    found = quick(capsys, "--target", folder, *AS_JSON)
    assert found.code == 1
    differing = {name for name, one in found.findings.items() if one["outcome"] == "differs"}
    assert differing
    assert differing <= {"text of early-exit, greedy", "text of early-exit, shared noise"}
    assert json.loads(found.out)["clean"] is False


def test_ctrl_c_prints_what_was_found(capsys: Capture, folder: Path, monkeypatch: Patch) -> None:
    """Ctrl-C between two steps ends the audit with exit code 130 and the findings so far."""

    def interrupted(*arguments: object) -> Iterator[every_way.CheckFinding]:
        yield every_way.CheckFinding("one", every_way.CheckOutcome.WORKS, 0.0)
        raise KeyboardInterrupt

    monkeypatch.setattr(every_way, "every_way", interrupted)
    found = quick(capsys, "--target", folder, "--device", "cpu", "--json")
    assert (found.code, list(found.findings)) == (130, ["one"])
    assert json.loads(found.out)["stopped"] is True
    said = quick(capsys, "--target", folder, "--device", "cpu").out.splitlines()[-1]
    assert said == "What was tried before the stop gives the target's own text; the rest was not tried."


def test_what_was_found_stays_where_plain_decoding_fails(capsys: Capture, folder: Path, monkeypatch: Patch) -> None:
    """If plain decoding fails, or the device is lost in a drafter's run, the findings before it are printed, and the exit code is 1."""
    monkeypatch.setattr(every_way, "_depths", lambda pair: [])
    monkeypatch.setattr(every_way, "_first_use", lambda *_: ())
    gone = DeviceLostError("gone")
    for failing, error in ((True, ScoresError("no numbers")), (True, gone), (False, gone)):

        def run(pair: Any, settings: Any, *, plain: bool = False, fails: bool = failing, why: Any = error) -> Any:
            if plain is fails:
                raise why
            return Run(pair, "Hello", settings, plain=plain).finish()

        monkeypatch.setattr(every_way, "_run", run)
        found = quick(capsys, "--target", folder, *AS_JSON)
        assert found.code == 1
        assert found.findings["finite scores of the target"]["outcome"] == "works"
        failed = [one for one in found.findings.values() if one["outcome"] == "differs"]
        assert {one["note"] for one in failed} == {str(error)}
        assert len(failed) == (2 if isinstance(error, ScoresError) else 1)
