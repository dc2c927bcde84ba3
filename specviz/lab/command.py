"""`specviz lab`: its subcommands on stored sweeps. What loads torch is imported inside functions, so that --help is fast."""

import argparse
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from rich.text import Text

from specviz.errors import InputError, StoreError
from specviz.lab import asking, studies_command, sweep_command
from specviz.lab.export import comparison, report_of
from specviz.lab.plan import duration
from specviz.lab.report import Table, drawn, show, write
from specviz.reporting.files import named_if_unwritten, open_folder, write_atomically
from specviz.reporting.progress import print_json, print_line
from specviz.reporting.terminal import Screen

SAYS = "sweeps of real runs, kept in a database: what pays, at what k, on what text, for how many guests"
_ABOUT = """Measure a table of real runs over one or two of: k, temperature, drafter, draft, policy, rule, category, prompt-length, dtype. Every run is
alone, warm, and in turn with plain decoding; what was measured is stored at once, so a sweep can be stopped and resumed. Nothing else should run
on the machine meanwhile."""

Work = Callable[[argparse.Namespace], int]


def options(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `specviz lab`."""
    parser.description = _ABOUT
    works = parser.add_subparsers(metavar="WORK", required=True)
    sweep_command.add(works)
    for name, says, perform, names in (
        ("list", "list the stored sweeps", _list, ()),
        ("show", "show a sweep", _show, ("NAME",)),
        ("rename", "give a sweep another name", _rename, ("NAME", "NEW")),
        ("compare", "compare two sweeps, cell by cell", _compare, ("FIRST", "SECOND")),
    ):
        asking.work(works, name, says, perform, names)
    export = asking.work(works, "export", "save a sweep as CSV, JSON and a page with charts", _export, ("NAME",))
    export.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where to save it")
    opened = asking.work(
        works, "open", "save the recording of one run, for the page or `specviz replay`", _open, ("NAME",)
    )
    opened.add_argument("run", type=int, metavar="RUN", help="its number, as `specviz lab show` lists it")
    opened.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    studies_command.add(works)


def perform(args: argparse.Namespace) -> int:
    """Do what the subcommand says.

    Raises:
        SpecvizError: it cannot be done, in one sentence.
    """
    work: Work = args.work_of
    return work(args)


def _list(args: argparse.Namespace) -> int:
    store = asking.opened_store()
    found = store.listing()
    if args.json:
        print_json({"database": str(store.path), "sweeps": [asdict(each) for each in found]})
        return 0
    screen = Screen()
    if not found:
        screen.print(Text("No sweep is stored yet: measure one with `specviz lab sweep`."))
        return 0
    rows = tuple(
        (
            each.name,
            " x ".join(each.axes),
            f"{each.done} of {each.runs}",
            duration(each.seconds),
            each.created,
            each.machine,
        )
        for each in found
    )
    screen.table(drawn(Table("", "", ("name", "axes", "runs", "took", "begun", "machine"), rows)))
    return 0


def _show(args: argparse.Namespace) -> int:
    show(report_of(asking.opened_store().sweep(args.name), stored=True), as_object=args.json)
    return 0


def _rename(args: argparse.Namespace) -> int:
    asking.opened_store().rename(args.name, args.new)
    if args.json:
        print_json({"name": args.new})
    else:
        print_line(f"The sweep is called {args.new!r} now.")
    return 0


def _compare(args: argparse.Namespace) -> int:
    store = asking.opened_store()
    found = comparison(store.sweep(args.first), store.sweep(args.second))
    if not found["cells"]:
        raise InputError(
            f"The sweeps {args.first!r} and {args.second!r} have no cell in common: compare sweeps over the same axes."
        )
    if args.json:
        print_json(found)
        return 0
    rows = []
    for row in found["cells"]:
        known = row["second_over_first"]
        figures = ("busy", "busy", "not trusted") if known is None else (row["first"], row["second"], known)
        rows.append((", ".join(row["at"]), *(each if isinstance(each, str) else f"{each:.2f}" for each in figures)))
    Screen().table(drawn(Table("", "", ("cell", args.first, args.second, "second / first"), tuple(rows))))
    return 0


def _export(args: argparse.Namespace) -> int:
    sweep = asking.opened_store().sweep(args.name)
    open_folder(args.out)
    written = write(args.out, report_of(sweep))
    if args.json:
        print_json({"files": [str(path) for path in written]})
    else:
        print_line(f"The sweep is in {', '.join(path.name for path in written)} in {args.out}.")
    return 0


def _open(args: argparse.Namespace) -> int:
    store = asking.opened_store()
    recording = store.recording(args.name, args.run)
    if recording is None:
        raise InputError(
            f"Run {args.run} of {args.name!r} has no recording, because it was replanned, left out or not made: measure it with "
            f"`specviz lab measure`."
        )
    with named_if_unwritten(args.out, StoreError):
        write_atomically(args.out, recording)
    if args.json:
        print_json({"file": str(args.out)})
    else:
        print_line(f"The run is in {args.out}: open it on the page, or with `specviz replay`.")
    return 0
