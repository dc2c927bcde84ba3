"""`specviz site`: write the site into a folder, and make files of its gallery. Needs no model."""

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from specviz.errors import InputError
from specviz.lessons.places import is_name
from specviz.reporting.files import named_if_unwritten, write_atomically
from specviz.reporting.gallery import gallery_file
from specviz.reporting.terminal import visible
from specviz.site.build import build
from specviz.trace.files import content_of, loads

SAYS = "write Learn, recorded runs and races as a static site, or make a file of its gallery"
_ADDRESS = re.compile(r"(?:https?://[A-Za-z0-9.\-]+(?::\d{1,5})?)?/(?:[A-Za-z0-9._~%\-]+/)*")


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz site`, and its work `add`."""
    folder: dict[str, Any] = {"metavar": "FOLDER", "type": Path}
    parser.add_argument("--out", **folder, help="where the site is written: an empty folder, or an earlier site")
    parser.add_argument("--lessons", **folder, help="lessons of your own beside those that come with specviz")
    parser.add_argument("--runs", **folder, help="gallery files of your own, as `specviz site add` makes them")
    where = "where the site will be, as https://example.org/specviz/ or /specviz/"
    parser.add_argument("--base", metavar="ADDRESS", default="", help=where)
    works = parser.add_subparsers(metavar="WORK")
    says = "check a recording, make it smaller, and write it as a file of a gallery"
    add = works.add_parser("add", help="make a gallery file of a recording", description=says, allow_abbrev=False)
    add.add_argument("file", metavar="RUN", help="a recording saved with --trace, or from the page")
    add.add_argument("--title", required=True, help="what the run is called")
    add.add_argument("--kind", default="other", help="the kind of its text, as story, code or facts (default other)")
    add.add_argument("--shows", required=True, help="what to look for in it, in a sentence")
    add.add_argument("-o", "--to", metavar="FILE", type=Path, required=True, help="where, as runs/my-run.json")
    add.set_defaults(work_of=_add)
    parser.set_defaults(work_of=_build)


def perform(args: argparse.Namespace) -> int:
    """Do what the subcommand says.

    Raises:
        InputError: an option cannot be used, or something cannot be written.
        TraceError: the recording cannot be used.
    """
    code: int = args.work_of(args)
    return code


def _build(args: argparse.Namespace) -> int:
    if args.out is None:
        raise InputError("--out is missing: name the folder for the site, as in `specviz site --out site`.")
    if args.lessons is not None and not args.lessons.is_dir():
        raise InputError(f"There is no folder {str(args.lessons)!r}: name the folder with the lessons' files.")
    if args.base and _ADDRESS.fullmatch(args.base) is None:
        raise InputError(
            f"--base was {args.base!r:.80}: give an address with / at its end, as https://example.org/site/."
        )
    problems = build(args.out, args.lessons, args.runs, args.base)
    for problem in problems:
        sys.stderr.write(f"left out: {visible(problem, spaces=False)}\n")
    page = visible(str(args.out / "index.html"), spaces=False)
    sys.stdout.write(f"Open {page} in a browser, or put the folder on any web server.\n")
    if problems:
        raise InputError(f"The site is built without what is left out ({len(problems)}): mend what is named above.")
    return 0


def _add(args: argparse.Namespace) -> int:
    if args.to.suffix != ".json" or not is_name(args.to.stem):
        what = "its name is part of an address, so use small letters, digits and hyphens, as in my-run.json"
        raise InputError(f"--to was {str(args.to)!r:.80}: {what}.")
    text = gallery_file(loads(content_of(args.file)), args.title, args.kind, args.shows)
    with named_if_unwritten(args.to):
        args.to.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(args.to, text)
    made = visible(str(args.to), spaces=False)
    sys.stdout.write(f"{made}: {len(text):,} bytes. `specviz site --runs FOLDER` shows it.\n")
    return 0
