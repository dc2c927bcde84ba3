"""`specviz bench`: what it prints, what it saves, what it refuses."""

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
from tests.bench.conftest import TOKENS, Benched, K, Said, bench, quick

RATIOS = (
    "plain_vs_transformers",
    "speculative_vs_transformers",
    "speedup",
    "predicted_speedup",
    "measured_over_predicted",
    "papers_speedup",
    "alpha",
    "c",
    "recording_cost",
)


def refused(said: Said) -> bool:
    one_sentence = said.err.startswith("specviz: ") and said.err.endswith(".\n") and said.err.count("\n") == 1
    return said.code == 2 and not said.out and one_sentence


def test_json_has_every_figure_with_its_spread(benched: Benched) -> None:
    """One object for each number format: ratios, their spreads, the cost curve, and whether the texts agree."""
    printed = benched.json
    assert printed["schema"] == "specviz.bench/1"
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
        assert (row["texts_agree"], row["partings"]) == (True, [])
        assert 1 <= row["tokens_per_pass"] <= K + 1
        book = row["ledger"]
        losses = book["drafting"] + book["verification"] + book["overhead"]
        assert abs(book["tokens_per_pass"] - losses - book["speedup"]) <= 1e-12
        assert row["measured_over_predicted"] == pytest.approx(row["speedup"] / row["predicted_speedup"])
    assert result["speedup"] == pytest.approx(sum(row["speedup"] for row in rows) / 2)


def test_json_names_the_machine(benched: Benched) -> None:
    """What a reader needs to compare: processor, cores, threads, device and versions."""
    machine = benched.json["machine"]
    assert {"cpu", "cores", "threads", "device", "torch", "transformers", "python"} <= set(machine)
    assert machine["cores"] >= 1
    assert machine["device"] == "cpu"


def test_the_report_is_saved(benched: Benched) -> None:
    """Markdown, a page, the JSON and the profile lie in the folder; the profile lies beside the notes too."""
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
    """Every step is told, a line each where nobody looks at a terminal, and none of it on stdout."""
    told = benched.said.err.splitlines()
    assert "float32, costs of a pass" in told
    assert "float32, prompt 2 of 2, A capital" in told
    assert "\x1b" not in benched.said.err


def test_tables_for_people(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --json the same figures come as tables; bfloat16 reports partings and fails nothing."""
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
    said = bench(*asked)
    assert said.code == 0, said.err
    for words in ("Figures", "plain vs transformers", "= speedup", "v(n)", "all texts agree", "A capital"):
        assert words in said.out
    assert said.out.count("plain vs transformers") == 1
    assert not (tmp_path / "out" / "bench.html").exists()
    assert "plotly is not installed" in said.err


def test_texts_that_differ_in_float32_fail(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong token on one side is reported with its place, and the exit code is 1; the report is saved all the same."""
    right = Library.decoders

    def wrong(library: Library, prompt_ids: tuple[int, ...], tokens: int) -> Any:
        decoders = right(library, prompt_ids, tokens)
        decode = decoders[LIBRARY_ASSISTED]

        def spoilt() -> Any:
            run = decode()
            return replace(run, token_ids=(*run.token_ids[:3], 1 + run.token_ids[3], *run.token_ids[4:]))

        return {**decoders, LIBRARY_ASSISTED: spoilt}

    monkeypatch.setattr(Library, "decoders", wrong)
    said = bench(*quick(folder, tmp_path / "out"), "--prompts", "facts", "--repeats", "1", "--json")
    assert said.code == 1
    (result,) = json.loads(said.out)["results"]
    assert result["texts_agree"] is False
    (parting,) = result["prompts"][0]["partings"]
    assert (parting["decoder"], parting["index"]) == (LIBRARY_ASSISTED, 3)
    assert parting["gap"] >= 0
    assert "In float32 the texts differ" in said.err
    assert "parts from our plain text at new token 4" in (tmp_path / "out" / "bench.md").read_text()


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
    """Each is refused before anything is measured, with one sentence that says what was received."""
    said = bench(*asked)
    last = said.err.splitlines(keepends=True)[-1]
    assert refused(Said(said.code, said.out, last)), said
    assert named in last


def test_a_prompt_that_does_not_fit_is_refused(folder: Path, tmp_path: Path) -> None:
    """More new tokens than the pair holds are refused like in a run, and nothing is saved."""
    said = bench(*quick(folder, tmp_path / "out"), "--tokens", "300")
    assert said.code == 2
    assert "the pair takes at most 256" in said.err
    assert not list((tmp_path / "out").iterdir())


def test_help_and_refusals_need_no_torch() -> None:
    """Neither --help nor a refusal at first sight waits for torch."""
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
    """Stopped while it measures, it ends with 130 and one sentence, and leaves no file behind."""
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
