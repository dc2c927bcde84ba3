"""What is left to specviz on the command line: the defaults of run and race, what a person's own choice changes, and what is printed."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from specviz.cli.main import _parser
from specviz.cli.options import settings_from
from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace import files as traces
from tests.helpers.commands import specviz

AUTO = Settings(drafter="auto", k=0, nodes=0, policy="auto")


def _settings(*options: str, command: str = "run") -> Settings:
    return settings_from(_parser().parse_args([command, "x", *options]))


def test_run_and_race_leave_drafting_to_specviz() -> None:
    """Without options, and with auto as their values, drafter, k, nodes and policy are open, also for a target without a draft model."""
    every = ("--drafter", "auto", "--k", "auto", "--nodes", "auto", "--policy", "auto")
    for options in ((), every, ("--target", "my/model")):
        assert _settings(*options) == _settings(*options, command="race") == AUTO


def test_a_persons_own_choice_stays() -> None:
    """Each option that is given has its value, and the others stay open; a drafter of chains has no nodes to choose."""
    tree = Settings(drafter="tree", nodes=7, k=0, children="distinct", policy="fixed", threshold=0.3)
    for options, settings in (
        ("--k 3", replace(AUTO, k=3)),
        ("--nodes 7", replace(AUTO, nodes=7)),
        ("--drafter ngram", replace(AUTO, drafter="ngram", nodes=Settings().nodes)),
        ("--drafter ngram --nodes auto --k 2", Settings(drafter="ngram", k=2, policy="auto")),
        ("--drafter tree --nodes 7 --children distinct --policy fixed --threshold 0.3", tree),
        (
            "--temperature 0.9 --rule lenient --lenience 0.25",
            replace(AUTO, temperature=0.9, rule="lenient", lenience=0.25),
        ),
    ):
        assert _settings(*options.split()) == settings, options


def test_an_audit_rejects_what_is_open() -> None:
    """Its runs must have the same settings: one sentence says so, before anything is loaded."""
    for options in (("--drafter", "auto"), ("--k", "0")):
        outcome = specviz("audit", "x", *options)
        assert outcome.refused, outcome
        assert "auto" in outcome.err


@pytest.mark.slow
def test_a_run_that_leaves_all_open_has_a_plan(tmp_path: Path) -> None:
    """The recording and the JSON have closed settings and the plan; with -k given, that k stays and is not of the plan."""
    file = str(tmp_path / "run.json")
    few = ("run", "Once upon a time", "--device", "cpu", "--dtype", "float32", "--max-new-tokens", "8")
    values = specviz(*few, "--k", "3", "--trace", file, "--json").json
    (trace,) = traces.read_file(file)
    assert trace.plan is not None
    assert trace.plan.left == ("drafter", "nodes")
    assert (trace.settings.k, trace.settings.policy, trace.settings.open) == (3, "auto", ())
    assert values["settings"] == asdict(trace.settings)
    assert values["plan"]["why"] == planned(trace.plan, trace.settings)
    assert all(round_.allowed is not None for round_ in trace.rounds[:-1])
