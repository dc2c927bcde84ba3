"""`specviz`, or `python -m specviz`: the entry point, the table of commands and the handling of errors.

Exit codes: see `specviz.cli.exit_codes`.
"""

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from specviz.audit import command as audit
from specviz.bench import command as bench
from specviz.cli import app, doctor, export, lessons, pairs, race, replay, run
from specviz.cli.exit_codes import BAD_INPUT, FAILED, READER_GONE, STOPPED
from specviz.cli.interrupts import insistent
from specviz.compare import command as compare
from specviz.errors import InputError, SpecvizError
from specviz.lab import command as lab
from specviz.lab import profile_command as profile
from specviz.reporting.terminal import visible
from specviz.training import command as training


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Only --help exits through SystemExit, as argparse does."""
    _set_encoding()
    try:
        with insistent():
            args = _parser().parse_args(argv)
            code: int = args.perform(args)
            sys.stdout.flush()
    except SpecvizError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _complain("stopped.")
        return STOPPED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards what is still buffered
        return READER_GONE
    except Exception as error:  # noqa: BLE001  # whatever a model raises, the user gets one sentence
        reason = " ".join(str(error).split())[:200]
        _complain(f"the engine failed ({type(error).__name__}: {reason}). Try a smaller pair, or other settings.")
        return FAILED
    return code


@dataclass(frozen=True, slots=True)
class _Command:
    """A subcommand: its name, its summary for --help, its options, and the function that performs it."""

    name: str
    summary: str
    options: Callable[[argparse.ArgumentParser], None]
    perform: Callable[[argparse.Namespace], int]
    prints: bool = True  # whether it has the option --json


_COMMANDS = (
    _Command("app", app.SAYS, app.options, app.perform, prints=False),
    _Command("run", "decode a prompt and show every round", run.options, run.perform),
    _Command("race", "measure speculative decoding against plain decoding", race.options, race.perform),
    _Command("replay", "show a saved recording, without any model", replay.options, replay.perform),
    _Command(
        "export",
        "make a page of a saved recording, with the player inside",
        export.options,
        export.perform,
        prints=False,
    ),
    _Command("lessons", lessons.SAYS, lessons.options, lessons.perform, prints=False),
    _Command("pairs", "list the pairs that can be loaded by name", pairs.arguments, pairs.perform),
    _Command("doctor", doctor.SAYS, doctor.options, doctor.perform),
    _Command("audit", audit.SAYS, audit.options, audit.perform),
    _Command("compare", compare.SAYS, compare.options, compare.perform),
    _Command("bench", bench.SAYS, bench.options, bench.perform),
    _Command("lab", lab.SAYS, lab.options, lab.perform, prints=False),
    _Command("profile", profile.SAYS, profile.options, profile.perform),
    _Command("train", training.SAYS, training.options, training.perform, prints=False),
)
"""Every command; a new one is a row here."""


class _Parser(argparse.ArgumentParser):
    """Reports errors like every other part of this package: in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help).")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="specviz", description="See speculative decoding happen.", allow_abbrev=False)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        subparser = commands.add_parser(
            command.name, help=command.summary, description=command.summary, allow_abbrev=False
        )
        command.options(subparser)
        if command.prints:
            subparser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        subparser.set_defaults(perform=command.perform)
    return parser


def _complain(sentence: str) -> None:
    sys.stderr.write(f"specviz: {visible(sentence, spaces=False)}\n")


def _set_encoding() -> None:
    """UTF-8 for files and pipes; on a terminal, a character that its encoding lacks is shown as ?."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
