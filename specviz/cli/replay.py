"""`specviz replay`: print a saved recording as `specviz run` printed it, or make a page of it. Needs no model."""

import argparse
from pathlib import Path

from specviz.cli import show
from specviz.cli.output import figures_json, print_json
from specviz.errors import TraceError
from specviz.reporting.files import named_write_errors, write_atomically
from specviz.reporting.player.html_page import page
from specviz.reporting.terminal import Screen
from specviz.trace.files import content_of, loads
from specviz.trace.metrics import acceptance, summarise
from specviz.words import ENGLISH, languages

SAYS = "show a saved recording, or make a page of it, without any model"


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz replay`."""
    parser.add_argument("file", metavar="FILE", help="a recording saved with --trace, or from the page")
    parser.add_argument(
        "-o", "--out", metavar="PAGE", type=Path, help="write one HTML file with the player inside, and print nothing"
    )
    says = "of that page's own words (default en)"
    parser.add_argument("--language", choices=languages(), default=ENGLISH, help=says)


def perform(args: argparse.Namespace) -> int:
    """Print every trace of the recording, or write the page. Raises TraceError if the file cannot be read as a
    recording, has no round to play, or the page cannot be written."""
    recording = loads(content_of(args.file))
    if args.out is not None:
        text = page(recording, f"Recorded in {Path(args.file).name}", language=args.language)
        with named_write_errors(args.out, TraceError):
            write_atomically(args.out, text)
        return 0
    if args.json:
        figures = [
            {**figures_json(summarise(trace), trace.settings), "acceptance": acceptance(trace)} for trace in recording
        ]
        print_json({"traces": figures})
        return 0
    screen = Screen()
    for index, trace in enumerate(recording):
        if index:
            screen.print()
        screen.lines(show.trace_lines(trace))
    screen.lines(show.pair_of_runs_lines(recording))
    return 0
