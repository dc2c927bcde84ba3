"""`specviz bench`: what it prints, what it saves, and its errors."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from specviz.lab import decoders
from specviz.lab import profile as profiles
from specviz.lab.contenders import Benchmark
from specviz.lab.decoders import LIBRARY_ASSISTED, LIBRARY_PLAIN, PLAIN, RECORDED, SPECULATIVE, Library
from specviz.reporting import markup
from specviz.settings import Settings
from tests.lab.conftest import TOKENS, Benched, bench, quick

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_notes")]


def test_json_has_every_figure_with_its_spread(benched: Benched) -> None:
    """The sweep over number formats, the cost curve with its profile, the sweep over lengths of the prompt, and what a reader needs to compare."""
    printed, machine = benched.json, benched.json["machine"]
    assert {"cpu", "cores", "threads", "torch", "transformers", "python"} <= set(machine)
    assert (machine["device"], machine["cores"] >= 1) == ("cpu", True)
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


def test_the_report_is_saved(benched: Benched) -> None:
    """Markdown, a page, the JSON and the profile are in the folder, and the profile is in the cache folder too. Every step is one line on stderr, and
    no progress bar of transformers is between them."""
    steps = benched.output.err.splitlines()
    assert "float32, prompt 2 of 2, Photosynthesis" in steps
    assert {step.partition(",")[0] for step in steps[:-1]} == {"loading torch", "float32"}, steps
    assert "\x1b" not in benched.output.err
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


def test_texts_that_differ_in_float32_fail(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One wrong token is reported with its index, and the exit code is 1; the report is still saved, and without --json its figures are tables."""
    right = Library.decoders

    def wrong(library: Library, prompt_ids: tuple[int, ...], settings: Settings) -> Any:
        each = right(library, prompt_ids, settings)
        decode = each[LIBRARY_ASSISTED]

        def changed() -> Any:
            run = decode()
            return replace(run, token_ids=(*run.token_ids[:3], 1 + run.token_ids[3], *run.token_ids[4:]))

        return {**each, LIBRARY_ASSISTED: changed}

    monkeypatch.setattr(Library, "decoders", wrong)
    monkeypatch.setattr(markup, "can_draw", lambda: False)
    few = "--dtype float32 float32 --prompts facts --repeats 1 --contexts 9999"
    output = bench(*quick(folder, tmp_path / "out"), *few.split())
    assert output.code == 1, output.err
    for words in ("Figures", "v(n)", "Photosynthesis"):
        assert words in output.out
    assert output.out.count("plain vs transformers") == 1
    assert not (tmp_path / "out" / "bench.html").exists()
    assert "plotly is not installed" in output.err
    (beside,) = json.loads((tmp_path / "out" / "bench.json").read_text())["contenders"]
    (found,) = beside["divergences"]
    assert (found["decoder"], found["index"]) == (LIBRARY_ASSISTED, 3)
    assert found["gap"] >= 0
    assert "The texts differ in float32" in output.err
    assert "differs from our plain text from new token 4 on" in (tmp_path / "out" / "bench.md").read_text()
    half: Any = SimpleNamespace(dtype="bfloat16", divergences=(found,))
    nothing: Any = None
    assert Benchmark({}, nothing, (half,), {}, {}).wrong_texts == (), "in half precision that is no error"


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("--pair", "embedded", "--target", "x"), "--pair was given together"),
        (("--repeats", "0"), "repeats was 0"),
        (("--tokens", "1"), "tokens was 1"),
        (("--tokens", "9999"), "max new tokens was 9999"),
        (("--k", "17"), "was 17"),
        (("--contexts", "64", "0"), "contexts was"),
        (("--prompts", "poems"), "prompts was 'poems'"),
        (("--out", "/dev/null/here"), "choose another folder"),
        (("--dtype", "float32", "float8"), "dtype was 'float8'"),
        (("--tokens", "2000"), "the pair takes at most"),
    ],
)
def test_what_cannot_be_done_is_refused(asked: tuple[str, ...], named: str) -> None:
    """Each option gives an error before anything is measured, with one sentence that says what was received."""
    output = bench(*asked)
    last = replace(output, err=output.err.splitlines(keepends=True)[-1])
    assert last.refused, output
    assert named in last.err


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
