"""A new lesson's file: a small lesson that is complete, to be changed line by line."""

from pathlib import Path

from specviz.errors import LessonError
from specviz.lessons.folder import lesson_files
from specviz.lessons.places import file_name, is_name
from specviz.reporting.files import named_if_unwritten

_TEMPLATE = Path(__file__).with_name("template.md")
_MOST = 99


def new_lesson(name: str, folder: Path) -> Path:
    """Write a new lesson's file with the next free number.

    Raises:
        LessonError: the name is none, is taken, or nothing can be written there.
    """
    if not is_name(name):
        raise LessonError(f"The name was {name!r:.80}: use small letters, digits and hyphens, as in my-lesson.")
    known = [named for file in lesson_files(folder)[0] if (named := file_name(file)) is not None]
    if any(named.name == name for named in known):
        raise LessonError(f"A lesson called {name!r} is in {str(folder)!r} already: choose another name.")
    number = 1 + max((named.number for named in known), default=0)
    if number > _MOST:
        raise LessonError(f"The folder {str(folder)!r} has a lesson number {_MOST} already: use another folder.")
    file = folder / f"{number:02d}-{name}.md"
    text = _TEMPLATE.read_text(encoding="utf-8").replace("{title}", name.replace("-", " ").capitalize())
    with named_if_unwritten(file, LessonError):
        folder.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    return file
