"""`specviz compare`: which drafters are measured, their figures, the saved files, and the errors."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.table import Table

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PairError
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lab import cell, compare_command, measuring
from specviz.lab import report as reports
from specviz.lab.axes import CATEGORY, DRAFTER, Axis
from specviz.lab.contestants import contestants
from specviz.lab.export import report_of
from specviz.lab.ledger import Ledger
from specviz.lab.plan import SweepPlan, tasks
from specviz.lab.report import page, show
from specviz.lab.results import LEFT_OUT, MEASURED, Found, Sweep, as_json
from specviz.lab.rows import MeasuredRow, lines
from specviz.lab.tables import explanations, notes, tables
from specviz.model_choice import heads_here
from specviz.models import Pair
from specviz.reporting.figures import Figure
from specviz.reporting.prompts import ReadyPrompt, ready_prompts
from specviz.reporting.terminal import Screen
from specviz.settings import Settings
from tests.helpers.commands import Output, specviz
from tests.lab.making import BUSY
from tests.lab.making import EMBEDDED as MODELS
from tests.models.folders import save_model

pytestmark = pytest.mark.slow

ALL_DRAFTERS = [
    "model",
    "embedded-undistilled",
    "embedded-tiny",
    "embedded-large",
    *(name for name in registry.able(draft=True, heads=heads_here("embedded")) if name != "model"),
]


SOME = ["model", "embedded-tiny", "embedded-large", "ngram", "early-exit", "eagle-tree"]


def compare(*args: str | Path) -> Output:
    return specviz("compare", *args)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Output, Path]:
    """Some drafters of every sort on one ready-made prompt of each of two categories. Every drafter's text on this pair: `tests/audit/test_every_way.py`."""
    folder = tmp_path_factory.mktemp("compare") / "new"
    short = ("--tokens", "8", "--k", "3", "--repeats", "1", "--device", "cpu", "--drafters", ",".join(SOME))
    return compare("--categories", "facts", "JSON", *short, "--json", "--out", folder), folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target with one layer, one with a window, and a draft for both."""
    base = tmp_path_factory.mktemp("pairs")
    save_model(base / "shallow", num_hidden_layers=1, end_ids=None)
    save_model(base / "windowed", "MistralForCausalLM", sliding_window=8, num_key_value_heads=1, end_ids=None)
    save_model(base / "draft", seed=1, end_ids=None)
    return base


# ---- what it measures


def test_every_drafter_is_measured_on_every_prompt(compared: tuple[Output, Path]) -> None:
    """One command gives each drafter's figures by category, and in float32 every text is the plain one; each measurement is announced on stderr.
    N-gram and early exit need no extra memory, a draft model its weights and a cache, a larger one more."""
    output, _ = compared
    found = output.json
    assert (output.code, found["schema"], found["dtype"]) == (0, "specviz.sweep/1", "float32")
    assert [line["drafter"] for line in found["pooled"]] == SOME
    cells = [(cell["drafter"], cell["category"]) for cell in found["cells"]]
    assert cells == [(name, kind) for name in SOME for kind in ("facts", "JSON")]
    assert len(found["measured"]) == 2 * len(SOME)
    for row in found["measured"]:
        assert row["how"].startswith("measured")
        assert row["same_text"] is True
        assert row["tokens"] == 8
        low, high = row["speedup_spread"]
        assert 0 < low <= row["speedup"] <= high
        assert 0 <= row["accepted"] <= row["judged"]
        assert (row["c"] is None) == (row["judged"] == 0)
        losses = [row["ledger"][name] for name in ("drafting", "verification", "overhead")]
        assert row["ledger"]["tokens_per_pass"] - sum(losses) == pytest.approx(row["ledger"]["speedup"])
        assert row["about"].endswith(".")
    for drafter in SOME:
        announced = [line for line in output.err.splitlines() if f": drafter {drafter}, category JSON: " in line]
        assert [line.startswith("run ") for line in announced] == [True], drafter
    bytes_of = {line["drafter"]: line["extra_bytes"] for line in found["measured"]}
    assert bytes_of["ngram"] == bytes_of["early-exit"] == 0
    accepted = [[row["accepted"] for row in found["measured"] if row["drafter"] == name] for name in SOME[:3]]
    assert len({*map(tuple, accepted)}) > 1, "each draft of the family drafts by itself"
    assert 0 < bytes_of["embedded-tiny"] < bytes_of["model"] < bytes_of["embedded-large"]


def test_the_report_is_saved(compared: tuple[Output, Path]) -> None:
    """Markdown with a table for all and for each category, the printed JSON, and a page with both charts."""
    output, folder = compared
    assert {path.name for path in folder.iterdir()} == {f"compare.{kind}" for kind in ("csv", "html", "json", "md")}
    assert json.loads((folder / "compare.json").read_text()) == output.json
    every, facts, kind, *_ = (folder / "compare.md").read_text().split("\n## ")[1:]
    for part, title in ((every, "all prompts"), (facts, "facts"), (kind, "JSON")):
        assert part.startswith(f"{title}\n")
        assert [part.count(f"| {drafter} |") for drafter in SOME] == [1] * len(SOME), title
    assert (folder / "compare.html").read_text().count("Plotly.newPlot(") >= 2


def test_typed_prompts_and_shared_noise() -> None:
    """Several prompts are numbered, the drafters keep the requested order, and shared noise makes the text the plain one."""
    asked = ("Once upon a time", "One, two,\nthree", "--drafters", "tree,ngram", "--temperature", "1", "--shared-noise")
    output = compare(*asked, "--tokens", "8", "--repeats", "1", "--device", "cpu")
    assert output.code == 0
    printed, titles = output.out.splitlines(), ["all prompts", "1. Once upon a time", "2. One, two, three"]
    assert [line for line in printed if line in titles] == titles
    ledger = printed.index("where the speedup goes") if "where the speedup goes" in printed else None
    rows = [line.split() for line in printed[:ledger] if line.startswith(("tree ", "ngram "))]
    assert [row[0] for row in rows] == ["tree", "ngram"] * 3
    assert all(row[-1] == "yes" for row in rows)
    assert max(map(len, printed[:4])) <= 80


# ---- which drafters are measured


def test_contestants_by_name() -> None:
    """Embedded pairs are compared with the family's other drafts, other pairs are not; when sampling, trees differ by their children."""
    cold, warm = Settings(), Settings(temperature=1.0)
    assert [c.name for c in contestants(["all"], "embedded", cold, heads_here("embedded"))] == ALL_DRAFTERS
    assert [c.name for c in contestants(["all"], "embedded-tiny", cold)][1] == "embedded"
    assert [c.name for c in contestants(["all"], None, warm)] == [
        *("model", "ngram", "suffix", "early-exit"),
        *("quantized", "tree-sampled", "tree-top"),
    ]
    trees = contestants(["tree", "tree-distinct", "tree-top"], None, warm)
    assert [c.name for c in trees] == ["tree-sampled", "tree-top", "tree-distinct"]
    (top,) = contestants(["tree-top"], None, warm)
    assert top.settings == replace(warm, drafter="tree", children="top")
    (tiny,) = contestants(["embedded-tiny"], "embedded", cold)
    assert (tiny.settings, tiny.draft) == (cold, "embedded-tiny")
    for pair, name in ((None, "embedded-tiny"), ("embedded", "tree-top"), ("embedded", "")):
        with pytest.raises(InputError, match="drafters was"):
            contestants([name], pair, cold)


# ---- how it reports problems


def row(drafter: str, title: str, **other: Any) -> MeasuredRow:
    usual: dict[str, Any] = {
        **{"category": title[0], "tokens": 12, "rounds": 4, "judged": 10, "accepted": 8, "c": 0.1},
        **{"speedup": Figure(2.0, 1.5, 2.5), "speedup_with_prompt": Figure(1.8, 1.4, 2.2)},
        **{"extra_bytes": 2_000_000, "same_text": True},
    }
    return MeasuredRow(drafter, title, **{**usual, **other})


def compared_of(*rows: MeasuredRow, dtype: str = "float32", left_out: str = "") -> Sweep:
    """A sweep over the drafters of these rows and the categories of their prompts."""
    kinds = tuple(dict.fromkeys(each.category for each in rows))
    axes = (Axis(DRAFTER, tuple(dict.fromkeys(each.drafter for each in rows))), Axis(CATEGORY, kinds))
    titles = dict.fromkeys((each.title, each.category) for each in rows)
    prompts = tuple(ReadyPrompt(title, category, "x") for title, category in titles)
    plan = SweepPlan(replace(MODELS, dtype=dtype), Settings(), axes, prompts, 3, True, False)
    known = {(each.drafter, each.title): each for each in rows}
    found = []
    for task in tasks(plan):
        each = known.get((task.at[0], prompts[task.prompt].title))
        if each is not None:
            found.append(Found(task.index, MEASURED, each, None, each.ledger, "", 0.1, 0.1))
        elif left_out:
            found.append(Found(task.index, LEFT_OUT, None, None, None, left_out, 0.0, 0.1))
    return Sweep("compare", "2026-01-02", "here", plan, tasks(plan), tuple(found))


def test_prompts_are_pooled_by_their_counts() -> None:
    """α and tokens per pass are over all tokens together, not means of means; the speedup is the median over the prompts."""
    (line,) = lines([row("m", "a1"), row("m", "a2", tokens=4, rounds=4, judged=2, accepted=0, c=0.3, speedup=Figure(1.0, 0.9, 1.1), extra_bytes=5)])  # fmt: skip
    assert (line.alpha, line.tokens_per_pass, line.c) == (8 / 12, 2.0, 0.2)
    assert (line.speedup, line.extra_bytes, line.prompts) == (Figure(1.5, 1.0, 2.0), 2_000_000, 2)
    (silent,) = lines([row("n", "a1", judged=0, accepted=0, c=None)])
    assert (silent.alpha, silent.c) == (None, None)
    titles = [table.title for table in tables(compared_of(row("m", "a1"), row("m", "b1")))]
    assert titles == ["all prompts", "a", "b"]
    assert tables(compared_of(row("n", "a1", judged=0, accepted=0, c=None, same_text=None)))[0].rows == (
        ("n", "–", "3.00", "–", "2.00 (1.50–2.50)", "1.80", "2.0", "sampled"),
    )


def test_the_ledger_adds_up_and_names_the_largest_loss(capsys: pytest.CaptureFixture[str]) -> None:
    """Means over the prompts that can be trusted: tokens per pass less the losses is the speedup. A loser is there too, with what cost most;
    every drafter has its sentence, on the terminal, in Markdown and in JSON."""
    one, two = Ledger(4.0, 0.5, 1.5, 1.2, 0.8), Ledger(3.0, 0.3, 1.1, 1.0, 0.6)
    slow, known = Figure(0.7, 0.6, 0.8), BUSY
    rows = [
        row("quantized", "a1", speedup=slow, ledger=one, about="It rounds.", c=1.4),
        row("quantized", "a2", speedup=slow, ledger=two, about="It rounds.", c=1.4),
        row("quantized", "a3", speedup=slow, ledger=Ledger(9.0, 1.0, 1.0, 1.0, 6.0), conditions=known),
        row("m", "a1", ledger=Ledger(3.0, 0.5, 0.25, 0.25, 2.0), about="It drafts."),
        row("n", "a1", ledger=one, about="It waits.", conditions=known),
    ]
    found = compared_of(*rows)
    table = tables(found)[-1]
    assert table.rows == (
        ("quantized", "3.50", "0.40", "1.30", "1.10", "0.70"),
        ("m", "3.00", "0.50", "0.25", "0.25", "2.00"),
    )
    said = explanations(found)
    assert said[0] == (
        "quantized: It rounds. This processor does not speed 8 bits up: drafting a token takes 1.40 of a plain pass. Here it is slower than plain "
        "decoding: verify passes cost most."
    )
    assert said[1:] == ("m: It drafts.", "n: It waits.")
    (flat, *_) = as_json(found)["measured"]
    assert flat["ledger"]["drafting"] == pytest.approx(0.5)
    assert flat["about"] == "It rounds."
    show(report_of(found), as_object=False)
    printed = capsys.readouterr().out
    for text in (reports.markdown(report_of(found)), printed):
        assert "where the speedup goes" in text
        assert "It drafts." in text


def test_uncaptured_passes_are_named_with_the_figures() -> None:
    """On a GPU a drafter whose passes are no CUDA graphs is named: once in the notes, with all others of which the same holds, in the hover
    text of its bar, and in the JSON."""
    own, both = (
        "The drafter's own passes (<b>) run without CUDA graphs.",
        "The target's trees run without CUDA graphs: <i>.",
    )
    rows = [row("head", title, uncaptured=(own, both)) for title in ("a1", "a2")]
    found = compared_of(*rows, row("tree", "a1", uncaptured=(both,)), row("ngram", "a1"))
    said = [note for note in notes(found) if "CUDA" in note]
    assert said == [f"head: {own}", f"head, tree: {both}"]
    assert [line["uncaptured"] for line in as_json(found)["measured"]] == [[own, both], [both], [], [own, both]]
    drawn = page(report_of(found))
    assert "(<b>)" not in drawn
    assert "(&lt;b&gt;) run without CUDA graphs" in drawn
    assert drawn.count("run without CUDA graphs") >= 2 + 3, "in the notes and over the cells"


def test_a_busy_machine_gives_no_speedup() -> None:
    """A speedup that is not trusted is left out of the median; where there is no other, the table has the range and the notes say why."""
    known = replace(BUSY, low=0.44, high=8.69, waited=0.5, usual_threads=1)
    busy = row("m", "a1", speedup=Figure(0.49, 0.44, 8.69), conditions=known)
    calm = row("m", "a2", conditions=replace(known, trusted=True, waited=0.0, threads=1, usual_threads=2, left_out=1))
    (line,) = lines([busy, calm])
    assert (line.trusted, line.speedup) == (True, calm.speedup)
    found = compared_of(busy)
    assert tables(found)[0].rows == (("m", "0.80", "3.00", "0.100", "busy: 0.4–8.7", "–", "2.0", "yes"),)
    warning = next(note for note in notes(found) if note.startswith("a1, m"))
    assert warning.startswith(
        "a1, m: this machine is busy: between 0.4× and 8.7×. This run waited for a processor core 50%"
    )
    flat = as_json(found)
    assert (flat["cells"][0]["trusted"], flat["measured"][0]["trusted"]) == (False, False)
    assert flat["measured"][0]["conditions"]["waited"] == 0.5
    settled = " ".join(notes(compared_of(calm)))
    assert "1 timings were left out" in settled
    assert "timed with fewer threads on both sides (down to 1 of 2)" in settled


def test_a_wrong_text_is_reported() -> None:
    """In float32 another text is an error, in half precision the table shows it; the notes report what is missing."""
    wrong = row("model", "a1", same_text=False)
    assert compared_of(wrong).wrong_texts == ("model",)
    assert any(note.startswith("WRONG: model") for note in notes(compared_of(wrong)))
    assert compared_of(wrong, dtype="bfloat16").wrong_texts == ()
    assert tables(compared_of(wrong))[0].rows[0][-1] == "NO"
    early = compared_of(wrong, row("tree", "b1"))
    assert any("2 of 4 runs" in note for note in notes(early))
    out = compared_of(wrong, row("tree", "b1"), left_out="It cannot.")
    assert "Left out: tree, a. It cannot." in notes(out)
    assert [each["why"] for each in as_json(out)["measured"] if each["how"] == "left out"] == ["It cannot."] * 2


def test_titles_cannot_act_on_the_page() -> None:
    """A prompt is untrusted text: in Markdown and HTML it cannot start markup."""
    hostile = compared_of(row("model", "<script>|x"))
    assert "<script>|" not in reports.markdown(report_of(hostile))
    assert "<script>|" not in reports.page(report_of(hostile))


def test_what_cannot_draft_is_left_out_of_all(folders: Path) -> None:
    """A target with one layer has no early exit; the others are measured, and the report gives the reason. Requested by name,
    it gives an error of one sentence."""
    pair = f"abc --target {folders}/shallow --draft {folders}/draft --device cpu".split()
    output = compare(*pair, "--tokens", "6", "--repeats", "1", "--json")
    assert output.code == 0, output.err
    able, others = by_how(output.json)
    assert able == ["model", "ngram", "suffix", "quantized", "tree"]
    assert [each["drafter"] for each in others] == ["early-exit"]
    assert all("single layer" in each["why"] for each in others)
    assert is_usage_error(compare(*pair, "--drafters", "early-exit"), "single layer")


def by_how(found: Any) -> tuple[list[str], list[Any]]:
    """The drafters that were measured, and the runs that were left out."""
    out = [each for each in found["measured"] if each["how"] == "left out"]
    return [each["drafter"] for each in found["measured"] if each not in out], out


def is_usage_error(output: Output, words: str) -> bool:
    last = output.err.splitlines()[-1]
    return output.code == 2 and not output.out and last.startswith("specviz: ") and last.endswith(".") and words in last


def test_a_drafter_that_fails_in_mid_run_is_left_out_of_all(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was asked for by name is an error; of `all`, the others are measured."""
    right = cell.measure_one

    def failing(pair: Pair, chosen: Any, *given: Any, **more: Any) -> Any:
        if chosen.name == "ngram":
            raise PairError("It cannot draft here: choose another drafter.")
        return right(pair, chosen, *given, **more)

    monkeypatch.setattr(measuring, "measure_one", failing)
    asked = (
        f"abcdefghijkl --target {folders}/windowed --draft {folders}/draft --device cpu --tokens 6 --repeats 1".split()
    )
    able, others = by_how(compare(*asked, "--json").json)
    assert ("tree" in able, [each["drafter"] for each in others]) == (True, ["ngram"])
    assert is_usage_error(compare(*asked, "--drafters", "tree,ngram"), "It cannot draft here")


def test_no_figure_of_a_table_is_cut(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that goes into a file, or to a narrow terminal, has every figure whole."""
    monkeypatch.setenv("COLUMNS", "40")
    drawn = Table(box=None)
    drawn.add_column("tokens/pass", no_wrap=True)
    drawn.add_column("speedup", no_wrap=True)
    drawn.add_row("1.82", "0.96 (0.74–1.41), the median of the repeats")
    Screen().table(drawn)
    assert "0.96 (0.74–1.41), the median of the repeats" in capsys.readouterr().out


@pytest.mark.parametrize("pair", [EMBEDDED, CHAT])
def test_ready_made_prompts_are_those_of_the_pair(pair: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chat model is asked its own prompts, and not the beginnings that the embedded pair continues."""
    plans: list[SweepPlan] = []
    right = compare_command.plan_of

    def stop(*given: Any) -> None:
        plans.append(right(*given))
        raise PairError("enough")

    monkeypatch.setattr(compare_command, "plan_of", stop)
    assert "enough" in compare("--pair", pair, "--categories", "facts", "--nodes", "5").err
    assert plans[0].prompts == (next(ready for ready in ready_prompts(pair) if ready.category == "facts"),)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["x", "--drafters", "model,ghost"], "drafters was 'ghost': give all, or some of model, embedded-undistilled"),
        (["x", "--drafters", "tree-top"], "drafters was 'tree-top'"),
        (["x", "--out", "/dev/null/there"], "Nothing can be written to '/dev/null/there'"),
        ([], "neither given"),
        (["x", "--categories"], "both given"),
        (["--categories", "sports"], "prompts was 'sports'"),
        (["x", "--k", "17"], "k (draft length) was 17"),
        (["x", "--pair", "nope"], "No pair is called 'nope'"),
        (["x", "--pair", "gpt2", "--draft", "a"], "--pair was given together"),
        (["x", "--tokens", "2000"], "the pair takes at most"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(args: list[str], words: str) -> None:
    """A wrong option gives exit code 2 and one sentence."""
    output = compare(*args)
    assert is_usage_error(output, words), output


@pytest.mark.rare
def test_ctrl_c_shows_what_was_measured() -> None:
    """Stopped early, it ends with 130 and prints the figures measured so far."""
    asked = ["compare", "--categories", "2", "--drafters", "ngram,model", "--tokens", "16", "--repeats", "2", "--device", "cpu"]  # fmt: skip
    program = [sys.executable, "-m", "specviz", *asked, "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        for line in process.stderr:
            if line.startswith("run 4 of "):
                break
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read().splitlines()[-1] == "specviz: stopped; these are the figures so far."
        found = json.loads(process.stdout.read())
    assert [line["drafter"] for line in found["pooled"]] == ["ngram", "model"]
    assert 3 <= found["done"] < found["runs"]


def test_prompts_of_a_file_and_what_was_written_before(tmp_path: Path) -> None:
    """--prompts reads a file; only with --remember does the second prompt copy from what was written after the first."""
    file = tmp_path / "prompts.json"
    rows = [{"title": name, "category": "counting", "prompt": "Count by 8 from 24: 24,"} for name in ("one", "two")]
    file.write_text(json.dumps(rows), encoding="utf-8")
    asked = ("--prompts", file, "--drafters", "suffix", "--tokens", "16", "--repeats", "1", "--device", "cpu", "--json")
    alone, together = compare(*asked).json, compare(*asked, "--remember").json
    assert [row["title"] for row in alone["measured"]] == ["one", "two"]
    assert alone["measured"][0]["rounds"] == alone["measured"][1]["rounds"] == together["measured"][0]["rounds"]
    assert together["measured"][1]["rounds"] < together["measured"][0]["rounds"]
    file.write_text('[{"title": "one"}]', encoding="utf-8")
    assert "give a JSON list of objects with title, category and prompt" in compare(*asked).err


def test_a_busy_machine_is_said_once(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """What every prompt and every drafter has to wait for is announced once."""

    def waits(*_: object, announce: Callable[[str], None], **__: object) -> object:
        announce("this machine is busy")
        raise PairError("That is all.")

    monkeypatch.setattr(measuring, "measure_one", waits)
    said: list[str] = []
    bench = measuring.Bench(embedded, said.append)
    plan = compared_of(row("ngram", "a1"), row("model", "a1")).plan
    assert [bench.one(plan, task)[0].why for task in tasks(plan)] == ["That is all."] * 2
    assert said == ["this machine is busy"]
