"""`specviz replay`: print a saved recording as `specviz run` printed it. Needs no model."""

import argparse

from specviz.cli import show
from specviz.cli.output import figures
from specviz.reporting.progress import print_json
from specviz.reporting.terminal import Screen
from specviz.trace.files import content_of, loads
from specviz.trace.metrics import summarise


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz replay`."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a recording saved with --trace, or from the page; or a response of a vLLM server that counts accepted tokens",
    )


def perform(args: argparse.Namespace) -> int:
    """Print every trace of the recording.

    Raises:
        TraceError: the file cannot be read as a recording.
    """
    recorded = loads(content_of(args.file))
    if args.json:
        print_json({"traces": [figures(summarise(trace), trace.settings) for trace in recorded]})
        return 0
    screen = Screen()
    for index, trace in enumerate(recorded):
        if index:
            screen.print()
        screen.lines(show.trace_lines(trace))
    screen.lines(show.pair_of_runs_lines(recorded))
    return 0
