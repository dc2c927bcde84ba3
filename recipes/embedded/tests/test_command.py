"""`python -m recipes.embedded`: what it explains, what it refuses, and what it makes."""

import contextlib
import io
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from recipes.embedded import report_card
from recipes.embedded.__main__ import PROGRAM, main
from recipes.embedded.recipes import RECIPES


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


def train(*args: str | Path) -> Outcome:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            code = main([*map(str, args)])
        except SystemExit as left:
            code = int(left.code or 0)
    return Outcome(code, out.getvalue(), err.getvalue())


def refusal(outcome: Outcome) -> str:
    """The one sentence on stderr with which it was refused."""
    assert outcome.code == 2, outcome
    assert not outcome.out
    (line,) = outcome.err.splitlines()
    assert line.startswith("specviz: ")
    assert line.endswith(".")
    return line


def here(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.parametrize(
    ("asked", "explained"),
    [
        ((), ("make", "evaluate", "card", "texts")),
        (
            ("make",),
            ("--corpus", "--out", "--work", "--from", "--recipe", "--device", "--compile", *RECIPES, "checkpoint"),
        ),
        (("evaluate",), ("--pair", "--corpus", "--quick", "--json", "speed")),
    ],
)
def test_help_explains(asked: tuple[str, ...], explained: tuple[str, ...]) -> None:
    """--help names every work and option, says what they are for, and ends with 0."""
    outcome = train(*asked, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("usage: ")
    assert all(word in outcome.out for word in explained), outcome.out


def test_help_and_refusals_need_no_torch(tmp_path: Path) -> None:
    """Neither the help of any work nor a refusal at first sight waits for torch or transformers."""
    program = f"""
import contextlib, io, sys
from recipes.embedded.__main__ import PROGRAM, main
for asked in (["--help"], ["make", "--help"], ["evaluate", "--help"]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(asked)
codes = [main(["make", "--recipe", "x", "--out", {str(tmp_path / "pair")!r}]),
         main(["evaluate", "--pair", {str(tmp_path)!r}])]
print(codes, *sorted({{"torch", "transformers", "tokenizers"}} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=True)
    assert done.stdout == "[2, 2]\n"
    assert done.stderr.count("\n") == 2


def test_an_unknown_recipe_is_refused(tmp_path: Path) -> None:
    """The sentence names what was asked for and every recipe there is, and nothing is written."""
    said = refusal(train("make", "--recipe", "gigantic", "--out", tmp_path / "pair"))
    assert "'gigantic'" in said
    assert all(name in said for name in RECIPES)
    assert not here(tmp_path)


def test_a_missing_corpus_folder_is_refused(tmp_path: Path) -> None:
    """The sentence names the folder, before anything is written."""
    corpus = tmp_path / "nowhere"
    assert repr(str(corpus)) in refusal(train("make", "--corpus", corpus, "--out", tmp_path / "pair"))
    assert not here(tmp_path)


def test_an_incomplete_corpus_folder_is_refused(tmp_path: Path) -> None:
    """The sentence names the folder and a file that it lacks, before anything is written."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "prose.jsonl.gz").write_bytes(b"")
    before = here(tmp_path)
    said = refusal(train("make", "--corpus", corpus, "--out", tmp_path / "pair"))
    assert repr(str(corpus)) in said
    assert "verse.jsonl.gz" in said
    assert " prose.jsonl.gz" not in said
    assert here(tmp_path) == before


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (("evaluate", "--pair", "{}/nowhere"), "nowhere"),
        (("evaluate", "--pair", "{}"), "{}"),
        (("make", "--recipe", "miniature", "--out", "{}/pair", "--device", "abacus"), "'abacus'"),
        (("make", "--recipe", "miniature"), "--out"),
        (("make", "--recipe", "miniature", "--out", "{}/pair", "--speed"), "--speed"),
        (("bake",), "'bake'"),
        ((), "COMMAND"),
    ],
)
def test_what_cannot_be_done_is_refused(tmp_path: Path, asked: tuple[str, ...], named: str) -> None:
    """A folder without a pair, an unknown device, option or work: one sentence that names it, and nothing written."""
    said = refusal(train(*(word.format(tmp_path) for word in asked)))
    assert named.format(tmp_path) in said
    assert not here(tmp_path)


@pytest.mark.slow
def test_a_pair_that_cannot_be_continued_is_refused(miniature: Path, tmp_path: Path) -> None:
    """A folder without a pair, a pair of another recipe, and --out where --from is: one sentence that names it, and nothing written."""
    out = tmp_path / "out"
    asked = ("make", "--device", "cpu", "--recipe", "miniature")
    assert str(tmp_path / "nowhere") in refusal(train(*asked, "--from", tmp_path / "nowhere", "--out", out))
    assert "--out" in refusal(train(*asked, "--from", miniature, "--out", miniature / ".." / miniature.name))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "curves.json").write_text("{}")
    assert str(tmp_path / "other") in refusal(train(*asked, "--from", tmp_path / "other", "--out", out))
    assert not out.exists()
    assert not out.with_name("out.work").exists()


@pytest.mark.slow
def test_making_ends_with_a_pair_and_says_where(miniature_made: tuple[Path, int, str, str]) -> None:
    """The pair has a target, its drafts and its curves, stdout stays empty, and stderr ends with what to do next."""
    folder, code, out, err = miniature_made
    assert (code, out) == (0, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1] == f"The pair is in {folder}. Examine it: {PROGRAM} evaluate --pair {folder}"
    for name in ("target", *RECIPES["miniature"].drafts):
        kept = {path.name for path in (folder / name).iterdir()}
        assert kept >= {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    curves = json.loads((folder / "curves.json").read_text())
    assert curves["target"]["points"]
    assert folder.with_name("pair.work").is_dir()


@pytest.mark.slow
def test_evaluating_prints_one_object(plain_evaluated: tuple[Path, int, str, str]) -> None:
    """With --json stdout is one line of JSON with the figures, progress goes to stderr, and the pair is left as it was."""
    folder, code, out, err = plain_evaluated
    assert code == 0, err
    assert out.count("\n") == 1
    figures = json.loads(out)
    assert figures.keys() >= {"json_valid", "alpha", "speedup", "bits_per_byte", "counts", "intervals"}
    assert list(figures["speedup"]) == ["letters"]
    assert figures["counts"]["json_valid"][1] == 2
    assert {path.name for path in folder.iterdir()} == {"target", "draft"}


@pytest.mark.slow
def test_evaluating_prints_lines_for_people(
    plain_evaluated: tuple[Path, int, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --json the same figures come as lines: each share with its counts, and the rates by name."""
    folder, _, printed, _ = plain_evaluated
    figures = json.loads(printed)
    monkeypatch.setattr(report_card, "examine", lambda *asked: figures)  # they were taken once, which takes long
    outcome = train("evaluate", "--pair", folder, "--quick")
    assert outcome.code == 0, outcome.err
    assert " of 2 " in next(line for line in outcome.out.splitlines() if line.startswith("json valid "))
    assert f"alpha: letters {figures['alpha']['letters']:.2f}, " in outcome.out
    assert f"speedup: letters {figures['speedup']['letters']:.2f}" in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "size"), [((), report_card.FULL), (("--quick",), report_card.QUICK)])
def test_quick_asks_for_less(
    miniature: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], size: report_card.Size
) -> None:
    """Only with --quick the brief examination is taken, and without --corpus no collected text is asked for."""
    seen: list[tuple[report_card.Candidate, report_card.Size]] = []

    def examine(
        candidate: report_card.Candidate, chosen: report_card.Size, told: object, parts: object
    ) -> dict[str, object]:
        seen.append((candidate, chosen))
        return {"counts": {}, "intervals": {}}

    monkeypatch.setattr(report_card, "examine", examine)
    assert train("evaluate", "--pair", miniature, *asked).code == 0
    ((candidate, chosen),) = seen
    assert chosen == size
    assert (candidate.folder, candidate.library) == (miniature, None)
    assert set(candidate.ready_made) >= {"letters", "facts", "story"}
    assert report_card.QUICK != report_card.FULL
