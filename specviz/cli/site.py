"""`specviz site`: write the site into a folder. Needs no model."""

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from specviz.errors import InputError
from specviz.reporting.files import folder
from specviz.reporting.terminal import visible
from specviz.site.build import build

SAYS = "write Learn, recorded runs and races as a static site"
_ADDRESS = re.compile(r"(?:https?://[A-Za-z0-9.\-]+(?::\d{1,5})?)?/(?:[A-Za-z0-9._~%\-]+/)*")


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz site`."""
    own: dict[str, Any] = {"metavar": "FOLDER", "type": folder}
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, help="where the site is written: an empty folder, or an earlier site"
    )
    parser.add_argument("--lessons", **own, help="lessons of your own beside those that come with specviz")
    parser.add_argument("--runs", **own, help="gallery files of your own, as Save and share on the page makes them")
    where = "where the site will be, as https://example.org/specviz/ or /specviz/"
    parser.add_argument("--base", metavar="ADDRESS", default="", help=where)


def perform(args: argparse.Namespace) -> int:
    """Build the site, and name what is left out. Raises InputError if an option cannot be used, or something cannot be
    written; TraceError if a recording of the site cannot be used."""
    if args.out is None:
        raise InputError("--out is missing: name the folder for the site, as in `specviz site --out site`.")
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
