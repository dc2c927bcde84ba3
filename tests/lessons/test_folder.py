"""Folders of lessons: one that is broken does not stop the others, and a file that changes is read again."""

import os
from pathlib import Path

import pytest

from specviz.lessons import folder as folders
from specviz.lessons import sections
from specviz.lessons.folder import LessonLibrary, check_folder
from specviz.lessons.reading import MAX_STEPS, ReadResult, read_lesson
from specviz.lessons.sections import SplitFile, split
from tests.helpers.lessons import SMALL, built_in, lesson_of, lessons

pytestmark = pytest.mark.slow


def test_the_built_in_lessons_are_sound() -> None:
    """Every lesson that comes with the project passes its own check, translations included."""
    contents = built_in()
    assert [str(problem) for problem in contents.problems] == []
    assert [lesson.number for lesson in lessons()] == list(range(1, 11))
    assert lesson_of("editor", "de")
    for lesson in contents.lessons:
        assert len(lesson.steps) <= MAX_STEPS
        assert len(lesson.questions) == 2
        assert lesson.minutes <= 4
        assert all(step.place.moment is not None for step in lesson.steps)
        assert lesson.ending.html


def test_whatever_one_file_holds_the_others_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson cut anywhere, one without a line of it, a pipe, and a file on which the reader itself fails: each is at most a sentence."""
    lines = SMALL.splitlines(keepends=True)
    (tmp_path / "02-b.md").write_text(SMALL, encoding="utf-8")
    (tmp_path / "README.md").write_text("about these lessons", encoding="utf-8")
    (tmp_path / ".#02-b.md").symlink_to("somebody@here.1234")  # an editor's lock
    (tmp_path / "._02-b.md").write_bytes(b"\0\5\x16\7\xff")
    os.mkfifo(tmp_path / "03-pipe.md")
    for cut in range(len(lines)):
        (tmp_path / f"{10 + cut}-cut{cut}.md").write_text("".join(lines[:cut]), encoding="utf-8")
        (tmp_path / f"{50 + cut}-without{cut}.md").write_text("".join(lines[:cut] + lines[cut + 1 :]), encoding="utf-8")
    contents = LessonLibrary(tmp_path, tmp_path / "none").contents()
    assert contents.lesson("b") is not None
    assert {"10-cut0.md", "15-cut5.md", "16-cut6.md", "03-pipe.md"} <= {problem.file for problem in contents.problems}
    assert not {"README.md", ".#02-b.md", "._02-b.md"} & {problem.file for problem in contents.problems}, "no lessons"

    def fail(text: str) -> SplitFile:
        if "Broken" in text:
            raise LookupError("of a kind that nobody thought of")
        return split(text)

    monkeypatch.setattr(sections, "split", fail)
    (tmp_path / "01-a.md").write_text(SMALL.replace("Small", "Broken"), encoding="utf-8")
    contents = LessonLibrary(tmp_path, tmp_path / "none").contents()
    assert contents.lesson("b") is not None
    assert "LookupError: of a kind that nobody thought of" in next(
        problem.sentence for problem in contents.problems if problem.file == "01-a.md"
    )


def test_a_file_is_read_again_when_it_changes_and_only_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library follows changes of a lesson and of its recording, new files and lost ones, and reads nothing twice."""
    read: list[str] = []

    def noted(file: Path) -> ReadResult:
        read.append(file.name)
        return read_lesson(file)

    monkeypatch.setattr(folders, "read_lesson", noted)
    file = tmp_path / "02-b.md"
    file.write_text(SMALL, encoding="utf-8")
    library = LessonLibrary(tmp_path, tmp_path / "none")
    assert len(library.contents().lessons) == 1
    library.contents()
    assert read == ["02-b.md"]
    file.write_text(SMALL.replace("Small", "Changed"), encoding="utf-8")
    os.utime(file, ns=(1, 1))
    assert [lesson.title for lesson in library.contents().lessons] == ["Changed"]
    (tmp_path / "capital.json").write_text("{}", encoding="utf-8")  # now the recording beside it is meant
    assert library.contents().lessons == ()
    file.unlink()
    assert len(library.contents().problems) == 1  # the folder that is not there
    assert "cannot be opened" in str(library.contents().problems[0])


def test_a_built_in_lesson_keeps_its_name(tmp_path: Path) -> None:
    """A lesson with the name of a built-in one is a sentence; a translation of a built-in one is a lesson."""
    own, ours = tmp_path / "own", tmp_path / "ours"
    for folder, name in ((ours, "03-editor.md"), (own, "03-editor.md"), (own, "03-editor.fr.md")):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(SMALL, encoding="utf-8")
    contents = LessonLibrary(own, ours).contents()
    assert [problem.file for problem in contents.problems] == ["03-editor.md"]
    assert "rename one of them" in contents.problems[0].sentence
    french = contents.lesson("editor", "fr")
    assert french is not None
    assert french.language == "fr"
    assert contents.lesson("nothing") is None


def test_a_translation_shows_the_same(tmp_path: Path) -> None:
    """A translation with another moment, another number of steps, or another right answer is a problem of the check."""
    (tmp_path / "01-a.md").write_text(SMALL, encoding="utf-8")
    later = SMALL.replace("moment: round 1, drafted", "moment: round 1, verified")
    longer = SMALL.replace("## ? First", "## More\n\nwords\n\n## ? First")
    wrong = SMALL.replace("- [ ] yes\n- [x] no", "- [x] yes\n- [ ] no")
    for text, line in ((later, 9), (longer, 15), (wrong, 1)):
        (tmp_path / "01-a.de.md").write_text(text, encoding="utf-8")
        (problem,) = check_folder(tmp_path).problems
        assert (problem.file, problem.line) == ("01-a.de.md", line)
        assert "this is another step or ending than in 01-a.md" in problem.sentence
