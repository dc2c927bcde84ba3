"""`specviz bench`: what it prints, what it saves, and its errors."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from specviz.bench.decoders import LIBRARY_ASSISTED, LIBRARY_PLAIN, PLAIN, RECORDED, SPECULATIVE
from specviz.bench.profile import from_json, read_profile
from specviz.bench.reference import Library

from specviz.reporting import markup
from tests.bench.conftest import TOKENS, Benched, K, Output, bench, quick

pytestmark = pytest.mark.slow

RATIOS = (
    "plain_vs_transformers",
    "speculative_vs_transformers",
    "speedup",
    "speedup_with_prompt",
    "predicted_speedup",
    "measured_over_predicted",
    "papers_speedup",
    "alpha",
    "c",
    "recording_cost",
)


def is_usage_error(output: Output) -> bool:
    one_sentence = output.err.startswith("specviz: ") and output.err.endswith(".\n") and output.err.count("\n") == 1
    return output.code == 2 and not output.out and one_sentence


def test_json_has_every_figure_with_its_spread(benched: Benched) -> None:
    """One object for each number format: ratios, their spreads, the cost curve, and whether the texts agree."""
    printed = benched.json
    assert printed["schema"] == "specviz.bench/2"
    (result,) = printed["results"]
    assert result["dtype"] == "float32"
    assert result["texts_agree"] is True
    for name in RATIOS:
        low, high = result[f"{name}_spread"]
        assert low <= result[name] <= high, name
    assert result["v"]["1"] == 1.0
    assert set(result["v"]) == set(result["v_spread"]) >= {"2", "16", "64"}
    assert result["contexts_left_out"] == [9999]
    (context,) = result["contexts"]
    assert 20 <= context["context"] <= 40
    assert from_json(result["profile"]).c == result["c"]


def test_json_has_a_row_for_every_prompt(benched: Benched) -> None:
    """Each prompt has its own rates, ratios and ledger, and the headline is the median of the rows."""
    (result,) = benched.json["results"]
    rows = result["prompts"]
    assert [row["category"] for row in rows] == ["letters", "facts"]
    for row in rows:
        assert set(row["rates"]) == {PLAIN, SPECULATIVE, RECORDED, LIBRARY_PLAIN, LIBRARY_ASSISTED}
        assert all(rate > 0 for rate in row["rates"].values())
        assert row["tokens"] == TOKENS
        assert (row["texts_agree"], row["divergences"]) == (True, [])
        assert isinstance(row["trusted"], bool)
        assert 0 <= row["waited"] <= 1
        assert 1 <= row["tokens_per_pass"] <= K + 1
        steps = row["ledger"]
        losses = steps["drafting"] + steps["verification"] + steps["overhead"]
        assert abs(steps["tokens_per_pass"] - losses - steps["speedup"]) <= 1e-12
        assert row["measured_over_predicted"] == pytest.approx(row["speedup"] / row["predicted_speedup"])
    assert result["speedup"] == pytest.approx(sum(row["speedup"] for row in rows) / 2)


def test_json_names_the_machine(benched: Benched) -> None:
    """The JSON has what a reader needs to compare: processor, cores, threads, device and versions."""
    machine = benched.json["machine"]
    assert {"cpu", "cores", "threads", "device", "torch", "transformers", "python"} <= set(machine)
    assert machine["cores"] >= 1
    assert machine["device"] == "cpu"


def test_the_report_is_saved(benched: Benched) -> None:
    """Markdown, a page, the JSON and the profile are in the folder, and the profile is in the cache folder too."""
    (profile,) = benched.out.glob("profile-*.json")
    assert {path.name for path in benched.out.iterdir()} == {"bench.md", "bench.html", "bench.json", profile.name}
    assert json.loads((benched.out / "bench.json").read_text()) == benched.json
    assert read_profile(benched.notes / profile.name) == read_profile(profile)
    written = (benched.out / "bench.md").read_text()
    for title in ("## Figures", "## Ledger in float32", "## Cost of a pass in float32", "## Long contexts in float32"):
        assert title in written
    page = (benched.out / "bench.html").read_text()
    assert "<script src" not in page
    assert page.count("Plotly.newPlot(") >= 4


def test_progress_goes_to_stderr(benched: Benched) -> None:
    """Every step is reported on stderr, one line each where it is not a terminal, and none on stdout."""
    steps = benched.output.err.splitlines()
    assert "float32, costs of a pass" in steps
    assert "float32, prompt 2 of 2, Photosynthesis" in steps
    assert "\x1b" not in benched.output.err


def test_tables_for_people(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --json the same figures are printed as tables; in bfloat16 differing texts are reported, but are not an error."""
    monkeypatch.setattr(markup, "can_draw", lambda: False)
    asked = [
        *quick(folder, tmp_path / "out"),
        "--dtype",
        "bfloat16",
        "bfloat16",
        "--prompts",
        "facts",
        "--repeats",
        "1",
    ]
    output = bench(*asked)
    assert output.code == 0, output.err
    for words in ("Figures", "plain vs transformers", "= speedup", "v(n)", "all texts agree", "Photosynthesis"):
        assert words in output.out
    assert output.out.count("plain vs transformers") == 1
    assert not (tmp_path / "out" / "bench.html").exists()
    assert "plotly is not installed" in output.err


def test_texts_that_differ_in_float32_fail(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong token is reported with its index, and the exit code is 1; the report is still saved."""
    right = Library.decoders

    def wrong(library: Library, prompt_ids: tuple[int, ...], tokens: int) -> Any:
        decoders = right(library, prompt_ids, tokens)
        decode = decoders[LIBRARY_ASSISTED]

        def changed() -> Any:
            run = decode()
            return replace(run, token_ids=(*run.token_ids[:3], 1 + run.token_ids[3], *run.token_ids[4:]))

        return {**decoders, LIBRARY_ASSISTED: changed}

    monkeypatch.setattr(Library, "decoders", wrong)
    output = bench(*quick(folder, tmp_path / "out"), "--prompts", "facts", "--repeats", "1", "--json")
    assert output.code == 1
    (result,) = json.loads(output.out)["results"]
    assert result["texts_agree"] is False
    (found,) = result["prompts"][0]["divergences"]
    assert (found["decoder"], found["index"]) == (LIBRARY_ASSISTED, 3)
    assert found["gap"] >= 0
    assert "The texts differ in float32" in output.err
    assert "differs from our plain text from new token 4 on" in (tmp_path / "out" / "bench.md").read_text()


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("--pair", "embedded", "--target", "x"), "--pair was given together"),
        (("--repeats", "0"), "repeats was 0"),
        (("--repeats", "many"), "--repeats"),
        (("--tokens", "1"), "tokens was 1"),
        (("--tokens", "9999"), "max new tokens was 9999"),
        (("--k", "17"), "was 17"),
        (("--contexts", "64", "0"), "contexts was"),
        (("--prompts", "poems"), "prompts was 'poems'"),
        (("--out", "/dev/null/here"), "choose another folder"),
        (("--dtype", "float32", "float8"), "dtype was 'float8'"),
        (("--device", "tpu"), "device was 'tpu'"),
        (("--pair", "nonsense"), "No pair is called 'nonsense'"),
    ],
)
def test_what_cannot_be_done_is_refused(asked: tuple[str, ...], named: str) -> None:
    """Each option gives an error before anything is measured, with one sentence that says what was received."""
    output = bench(*asked)
    last = output.err.splitlines(keepends=True)[-1]
    assert is_usage_error(Output(output.code, output.out, last)), output
    assert named in last


def test_a_prompt_that_does_not_fit_is_refused(folder: Path, tmp_path: Path) -> None:
    """More new tokens than the pair's context give the same error as in a run, and nothing is saved."""
    output = bench(*quick(folder, tmp_path / "out"), "--tokens", "300")
    assert output.code == 2
    assert "the pair takes at most 256" in output.err
    assert not list((tmp_path / "out").iterdir())


def test_help_and_refusals_need_no_torch() -> None:
    """Neither --help nor the error for a wrong option imports torch."""
    program = """
import contextlib, io, sys
from specviz.cli.main import main
with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
    main(["bench", "--help"])
codes = [main(["bench", "--repeats", "0"]), main(["bench", "--prompts", "poems"])]
print("--contexts" in out.getvalue(), codes, *sorted({"torch", "transformers", "plotly"} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True [2, 2]\n"


def test_ctrl_c_stops_cleanly(folder: Path, tmp_path: Path) -> None:
    """Stopped during a measurement, it ends with 130 and one sentence, and leaves no files."""
    out, notes = tmp_path / "out", tmp_path / "notes"
    asked = [sys.executable, "-m", "specviz", "bench", *quick(folder, out), "--repeats", "50"]
    environment = {**os.environ, "SPECVIZ_CACHE": str(notes), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(asked, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stdout is not None
        for line in process.stderr:
            if "prompt 1 of 2" in line:
                break
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
        assert process.stderr.read().splitlines()[-1] == "specviz: stopped."
        assert process.stdout.read() == ""
    assert not list(out.iterdir())
    assert not list(notes.glob("*"))
