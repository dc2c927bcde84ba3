"""`specviz lessons`: begin a lesson, check a folder of them, write one as a page, and the handout. Needs no model."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from specviz.cli.output import BAD_INPUT
from specviz.errors import LessonError
from specviz.lessons.folder import LessonLibrary, check_folder, new_lesson
from specviz.lessons.handout import FILE as HANDOUT
from specviz.lessons.handout import handout_page
from specviz.lessons.lesson import Lesson
from specviz.lessons.page import page
from specviz.lessons.reading import read_lesson
from specviz.reporting.files import folder, named_write_errors, write_atomically
from specviz.reporting.terminal import visible
from specviz.words import ENGLISH

SAYS = "write lessons: begin one, check a folder of them, make a page of one, or the handout"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `specviz lessons`."""
    tasks = parser.add_subparsers(metavar="WORK", required=True)

    def task(name: str, says: str, carry_out: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        of_task = tasks.add_parser(name, help=says, description=says, allow_abbrev=False)
        of_task.set_defaults(task=carry_out)
        return of_task

    new = task("new", "begin a lesson", _new)
    new.add_argument("name", metavar="NAME", help="its name in the address, as in my-lesson")
    new.add_argument("--folder", metavar="FOLDER", type=Path, default=Path(), help="where (default: here)")
    check = task("check", "check every lesson of a folder: moments, figures, questions, translations", _check)
    check.add_argument("folder", metavar="FOLDER", type=folder, help="the folder with the lessons' files")
    says = "write a lesson as one HTML file with the player and its recordings inside"
    export = task("export", says, lambda args: _write(args.out, page(_lesson(args.lesson, args.language))))
    export.add_argument("lesson", metavar="LESSON", help="a lesson's file, or the name of a built-in one, as editor")
    export.add_argument("--language", metavar="CODE", default=ENGLISH, help="of a built-in lesson (default en)")
    says = "write the handout: two pages to print, with a drawn round, the rule, a plan and the terms"
    handout = task("handout", says, lambda args: _write(args.out, handout_page(args.file)))
    says = "a handout of your own (default: the one that comes with specviz)"
    handout.add_argument("file", metavar="FILE", type=Path, nargs="?", default=HANDOUT, help=says)
    for written in (export, handout):
        written.add_argument("-o", "--out", metavar="PAGE", type=Path, required=True, help="the HTML file to write")


def perform(args: argparse.Namespace) -> int:
    """Perform the subcommand. Raises LessonError if it cannot be done."""
    code: int = args.task(args)
    return code


def _new(args: argparse.Namespace) -> int:
    file = new_lesson(args.name, args.folder)
    sys.stdout.write(f"{visible(str(file), spaces=False)} is a complete small lesson: change it line by line.\n")
    return 0


def _check(args: argparse.Namespace) -> int:
    contents = check_folder(args.folder)
    for problem in contents.problems:
        sys.stdout.write(f"{visible(str(problem), spaces=False)}\n")
    for lesson in contents.lessons:
        sys.stdout.write(f"{lesson.file.name}: {visible(lesson.title, spaces=False)}, {len(lesson.steps)} steps\n")
    if contents.problems:
        return BAD_INPUT
    if not contents.lessons:
        raise LessonError(f"The folder {str(args.folder)!r} has no lesson: `specviz lessons new NAME` begins one.")
    return 0


def _write(out: Path, text: str) -> int:
    with named_write_errors(out, LessonError):
        write_atomically(out, text)
    return 0


def _lesson(name: str, language: str) -> Lesson:
    file = Path(name)
    if file.suffix == ".md":
        result = read_lesson(file)
        if result.lesson is None:
            raise LessonError(str(result.problems[0]))
        return result.lesson
    contents = LessonLibrary().contents()
    lesson = contents.lesson(name, language)
    if lesson is None or lesson.language != language:
        names = sorted({f"{lesson.name} ({lesson.language})" for lesson in contents.lessons})
        raise LessonError(f"The lesson was {name!r:.80} ({language}): give a file, or one of {', '.join(names)}.")
    return lesson
