"""What is left to specviz on the command line: the defaults of run and race, what a person's own choice changes, and what is printed."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from specviz.cli import show
from specviz.cli.main import _parser, main
from specviz.cli.options import settings_from
from specviz.cli.output import choices
from specviz.setting_labels import NOT_DRAFTING, planned
from specviz.settings import Settings
from specviz.trace import files as traces
from specviz.trace.plan import Plan
from tests.helpers.views import trace_of

AUTO = Settings(drafter="auto", k=0, nodes=0, policy="auto")
PLAN = Plan(("drafter", "k"), 1.9, 3, 1.1, 0.2, machine="A processor")


def _asked(*options: str, command: str = "run") -> Settings:
    return settings_from(_parser().parse_args([command, "x", *options]))


def test_run_and_race_leave_drafting_to_specviz() -> None:
    """Without options, and with auto as their values, drafter, k, nodes and policy are open, also for a target without a draft model."""
    every = ("--drafter", "auto", "--k", "auto", "--nodes", "auto", "--policy", "auto")
    for options in ((), every, ("--target", "my/model")):
        assert _asked(*options) == _asked(*options, command="race") == AUTO


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (("--k", "3"), replace(AUTO, k=3)),
        (("--nodes", "7"), replace(AUTO, nodes=7)),
        (("--policy", "fixed"), replace(AUTO, policy="fixed")),
        (("--drafter", "tree"), replace(AUTO, drafter="tree")),
        (("--drafter", "ngram"), replace(AUTO, drafter="ngram", nodes=Settings().nodes)),
        (("--drafter", "ngram", "--nodes", "auto", "--k", "2"), Settings(drafter="ngram", k=2, policy="auto")),
    ],
)
def test_a_persons_own_choice_stays(options: tuple[str, ...], settings: Settings) -> None:
    """Each option that is given has its value, and the others stay open; a drafter of chains has no nodes to choose."""
    assert _asked(*options) == settings


@pytest.mark.parametrize(
    "args",
    [
        ("audit", "x", "--drafter", "auto"),
        ("audit", "x", "--k", "0"),
    ],
)
def test_what_compares_runs_rejects_what_is_open(args: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Commands whose runs must have the same settings say so in one sentence, before anything is loaded."""
    assert main(args) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert "auto" in said.err


def test_the_plan_is_printed_once_in_the_heading_and_once_in_the_summary() -> None:
    """With the sentence of words.py; the JSON has it with the settings of the run. A replay does not call the run's machine this one."""
    trace = replace(trace_of(["aaa", ""]), plan=PLAN)
    sentence = planned(PLAN, trace.settings)
    for lines in (show.heading(trace), show.summary_lines(trace)):
        assert [line.plain[20:] for line in lines if line.plain.startswith("auto ")] == [sentence]
    replayed = "\n".join(line.plain for line in show.trace_lines(trace))
    assert replayed.count(planned(PLAN, trace.settings, here=False)) == 2
    assert "this machine" not in replayed
    found = choices(trace.settings, PLAN)
    assert found["settings"] == asdict(trace.settings)
    assert (found["plan"]["predicted"], found["plan"]["why"]) == (PLAN.predicted, sentence)
    assert choices(trace.settings, None)["plan"] is None
    assert not [line for line in show.heading(trace_of(["aaa"])) if line.plain.startswith("auto ")]


def test_a_round_that_does_not_draft_because_it_would_not_pay_says_so() -> None:
    """Its line has the sentence; a round that drafted nothing for another reason has not."""
    trace = trace_of(["", ""])
    resting = replace(trace.rounds[0], allowed=0)
    assert show.round_line(1, resting, trace.tokens).plain.endswith(f"({NOT_DRAFTING[0].lower()}{NOT_DRAFTING[1:-1]})")
    assert "drafting" not in show.round_line(2, trace.rounds[1], trace.tokens).plain


@pytest.mark.slow
def test_a_run_that_leaves_all_open_has_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The recording and the JSON have closed settings and the plan; with -k given, that k stays and is not of the plan."""
    file = str(tmp_path / "run.json")
    few = ("run", "Once upon a time", "--device", "cpu", "--dtype", "float32", "--max-new-tokens", "8")
    assert main([*few, "--k", "3", "--trace", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (trace,) = traces.read_file(file)
    assert trace.plan is not None
    assert trace.plan.left == ("drafter", "nodes")
    assert (trace.settings.k, trace.settings.policy, trace.settings.open) == (3, "auto", ())
    assert found["settings"] == asdict(trace.settings)
    assert found["plan"]["why"] == planned(trace.plan, trace.settings)
    assert all(round_.allowed is not None for round_ in trace.rounds[:-1])
