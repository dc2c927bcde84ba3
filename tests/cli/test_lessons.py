"""`specviz lessons`, and `specviz app --lessons`: what they write, and one sentence for each thing that cannot be done."""

from pathlib import Path

import pytest

from specviz.cli.main import main
from specviz.lessons.files import BUILT_IN
from tests.helpers.commands import specviz


def test_a_new_lesson_is_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `new` writes passes `check` and can be exported, as it is; the next one gets the next number."""
    assert main(["lessons", "new", "my-first", "--folder", str(tmp_path)]) == 0
    assert main(["lessons", "new", "my-second", "--folder", str(tmp_path)]) == 0
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["01-my-first.md", "02-my-second.md"]
    assert main(["lessons", "check", str(tmp_path)]) == 0
    assert "01-my-first.md: My first, 3 steps" in capsys.readouterr().out
    out = tmp_path / "page.html"
    assert main(["lessons", "export", str(tmp_path / "01-my-first.md"), "--out", str(out)]) == 0
    assert "<h1>My first</h1>" in out.read_text(encoding="utf-8")


def test_the_handout_is_written(tmp_path: Path) -> None:
    """The one that comes with the project, or a file of one's own, which is no lesson of its folder."""
    own = tmp_path / "handout.md"
    own.write_text("---\ntitle: Mine\n---\n\n## One\n\nWords.\n", encoding="utf-8")
    assert main(["lessons", "handout", "--out", str(tmp_path / "ours.html")]) == 0
    assert main(["lessons", "handout", str(own), "--out", str(tmp_path / "mine.html")]) == 0
    assert "Ten sentences" in (tmp_path / "ours.html").read_text(encoding="utf-8")
    assert "<h1>Mine</h1>" in (tmp_path / "mine.html").read_text(encoding="utf-8")
    main(["lessons", "new", "first", "--folder", str(tmp_path)])
    assert main(["lessons", "check", str(tmp_path)]) == 0


def test_check_names_every_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """File, line and sentence of each, and the lessons that are sound; exit code 2."""
    main(["lessons", "new", "good", "--folder", str(tmp_path)])
    text = (tmp_path / "01-good.md").read_text(encoding="utf-8")
    (tmp_path / "02-bad.md").write_text(
        text.replace("moment: end", "moment: never").replace("draft row, target row", "moon"), encoding="utf-8"
    )
    capsys.readouterr()
    assert main(["lessons", "check", str(tmp_path)]) == 2
    out = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in out] == ["02-bad.md, line 21", "02-bad.md, line 35", "01-good.md"]


@pytest.mark.slow
def test_what_cannot_be_done_is_one_sentence() -> None:
    """Bad names, folders, files and languages: exit code 2 and one sentence."""
    for arguments, says in (
        (["new", "../x"], "small letters"),
        (["new", "editor", "--folder", str(BUILT_IN)], "already"),
        (["check", "nowhere"], "no folder"),
        (["export", "editor", "--language", "xx", "--out", "x.html"], "editor (de), editor (en)"),
        (["export", "missing/01-x.md", "--out", "x.html"], "cannot be opened"),
    ):
        outcome = specviz("lessons", *arguments)
        assert outcome.refused, outcome
        assert says in outcome.err
