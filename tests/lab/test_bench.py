"""`specviz bench`: what it prints, what it saves, and its errors."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.lab import decoders
from specviz.lab import profile as profiles
from specviz.lab.decoders import LIBRARY_ASSISTED, LIBRARY_PLAIN, PLAIN, RECORDED, SPECULATIVE, Library
from specviz.reporting import markup
from specviz.settings import Settings
from tests.helpers.commands import Output
from tests.lab.conftest import TOKENS, Benched, bench, quick

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_notes")]


def is_usage_error(output: Output) -> bool:
    one_sentence = output.err.startswith("specviz: ") and output.err.endswith(".\n") and output.err.count("\n") == 1
    return output.code == 2 and not output.out and one_sentence


def test_json_has_every_figure_with_its_spread(benched: Benched) -> None:
    """The sweep over number formats, the cost curve with its profile, and the sweep over lengths of the prompt."""
    printed = benched.json
    assert printed["schema"] == "specviz.bench/3"
    sweep = printed["sweep"]
    assert sweep["axes"] == [{"name": "dtype", "values": ["float32"]}]
    (cell,) = sweep["cells"]
    low, high = cell["speedup_spread"]
    assert low <= cell["speedup"] <= high
    assert (cell["same_text"], cell["prompts"]) == (True, 2)
    curve = printed["costs"]["float32"]
    assert curve["v"]["1"] == 1.0
    assert set(curve["v"]) == set(curve["v_spread"]) >= {"2", "16", "64"}
    assert profiles.from_json(printed["profiles"]["float32"]).c == curve["drafting"]
    context, left_out = printed["contexts"]["measured"]
    assert 20 <= context["prompt_tokens"] <= 40
    assert context["plain_round_s"] > 0
    assert context["round_s"] > 0
    assert left_out["how"] == "left out"
    assert "the pair takes at most 256" in left_out["why"]


def test_json_has_a_row_for_every_prompt(benched: Benched) -> None:
    """Each prompt has its own figures, its rates in every decoder and its ledger; all texts agree."""
    rows, beside = benched.json["sweep"]["measured"], benched.json["contenders"]
    assert [row["category"] for row in rows] == ["letters", "facts"]
    for row, each in zip(rows, beside, strict=True):
        assert each["title"] == row["title"]
        assert set(each["rates"]) == {PLAIN, SPECULATIVE, RECORDED, LIBRARY_PLAIN, LIBRARY_ASSISTED}
        assert all(rate > 0 for rate in each["rates"].values())
        for name in ("plain_vs_transformers", "speculative_vs_transformers", "recording_cost"):
            low, high = each[f"{name}_spread"]
            assert low <= each[name] <= high, name
        assert row["tokens"] == TOKENS
        assert (row["same_text"], each["divergences"]) == (True, [])
        assert isinstance(row["trusted"], bool)
        assert row["predicted"] > 0
        steps = row["ledger"]
        losses = steps["drafting"] + steps["verification"] + steps["overhead"]
        assert abs(steps["tokens_per_pass"] - losses - steps["speedup"]) <= 1e-12


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
    assert profiles.read(benched.notes / profile.name) == profiles.read(profile)
    written = (benched.out / "bench.md").read_text()
    for title in ("## Figures", "## every prompt", "## Cost of a pass in float32", "## Long contexts"):
        assert title in written
    page = (benched.out / "bench.html").read_text()
    assert "<script src" not in page
    assert page.count("Plotly.newPlot(") >= 2


def test_progress_goes_to_stderr(benched: Benched) -> None:
    """Every step is reported on stderr, one line each where it is not a terminal, and none on stdout."""
    steps = benched.output.err.splitlines()
    assert "float32, costs of a pass" in steps
    assert "float32, prompt 2 of 2, Photosynthesis" in steps
    assert "\x1b" not in benched.output.err


def test_tables_for_people(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --json the same figures are printed as tables; in bfloat16 differing texts are reported, but are not an error."""
    monkeypatch.setattr(markup, "can_draw", lambda: False)
    few = ("--dtype", "bfloat16", "bfloat16", "--prompts", "facts", "--repeats", "1", "--contexts", "9999")
    output = bench(*quick(folder, tmp_path / "out"), *few)
    assert output.code == 0, output.err
    for words in ("Figures", "plain vs transformers", "v(n)", "all texts agree", "Photosynthesis"):
        assert words in output.out
    assert output.out.count("plain vs transformers") == 1
    assert not (tmp_path / "out" / "bench.html").exists()
    assert "plotly is not installed" in output.err


def test_texts_that_differ_in_float32_fail(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong token is reported with its index, and the exit code is 1; the report is still saved."""
    right = Library.decoders

    def wrong(library: Library, prompt_ids: tuple[int, ...], settings: Settings) -> Any:
        each = right(library, prompt_ids, settings)
        decode = each[LIBRARY_ASSISTED]

        def changed() -> Any:
            run = decode()
            return replace(run, token_ids=(*run.token_ids[:3], 1 + run.token_ids[3], *run.token_ids[4:]))

        return {**each, LIBRARY_ASSISTED: changed}

    monkeypatch.setattr(Library, "decoders", wrong)
    output = bench(
        *quick(folder, tmp_path / "out"), "--prompts", "facts", "--repeats", "1", "--contexts", "9999", "--json"
    )
    assert output.code == 1
    (beside,) = json.loads(output.out)["contenders"]
    (found,) = beside["divergences"]
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


def test_ctrl_c_stops_cleanly(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped during a measurement, it ends with 130 and one sentence, and leaves no files. The key itself: `tests/cli/test_cli.py`."""

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(decoders, "timed", pressed)
    output = bench(*quick(folder, tmp_path / "out"))
    assert (output.code, output.out, output.err.splitlines()[-1]) == (130, "", "specviz: stopped.")
    assert "prompt 1 of 2" in output.err
    assert not list((tmp_path / "out").iterdir())
    assert not list((tmp_path / "notes").glob("*"))
