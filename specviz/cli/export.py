"""`specviz export`: make a page of a saved recording: one HTML file with the player inside. Needs no model."""

import argparse
from pathlib import Path

from specviz.errors import TraceError
from specviz.reporting.files import named_if_unwritten, write_atomically
from specviz.reporting.player.html_page import page
from specviz.trace.files import content_of, loads
from specviz.words import ENGLISH, languages


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz export`."""
    parser.add_argument("file", metavar="FILE", help="a recording saved with --trace, or from the page")
    parser.add_argument("-o", "--out", metavar="PAGE", required=True, help="the HTML file to write")
    says = "of the page's own words (default en)"
    parser.add_argument("--language", choices=languages(), default=ENGLISH, help=says)


def perform(args: argparse.Namespace) -> int:
    """Write the page.

    Raises:
        TraceError: the file is no recording, has no round to play, or the page cannot be written.
    """
    origin = f"Recorded in {Path(args.file).name}"
    text = page(loads(content_of(args.file)), origin, language=args.language)
    with named_if_unwritten(Path(args.out), TraceError):
        write_atomically(Path(args.out), text)
    return 0
