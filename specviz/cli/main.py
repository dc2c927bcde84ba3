"""`specviz`, or `python -m specviz`: the entry point, the table of commands and the handling of errors.

Exit codes: see `specviz.cli.output`.
"""

import argparse
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import ModuleType
from typing import NoReturn

from specviz import __version__
from specviz.cli import app, audit, compare, lessons, pairs, race, replay, run, site
from specviz.cli.output import BAD_INPUT, FAILED, READER_GONE, STOPPED
from specviz.errors import InputError, SpecvizError, brief
from specviz.model_choice import is_head_id
from specviz.reporting.terminal import visible


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. Only --help and --version exit through SystemExit, as argparse does.
    `argv`: the arguments; those of the process by default."""
    _set_streams()
    doing = "specviz"
    try:
        with _ended_like_ctrl_c():
            args = _parse([*(sys.argv[1:] if argv is None else argv)])
            doing = f"specviz {args.command}"
            if isinstance(head := getattr(args, "head", None), str) and is_head_id(head):
                args.head = pairs.fetch_head(head)
            code: int = args.perform(args)
            sys.stdout.flush()
    except SpecvizError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _complain("stopped.")
        return STOPPED
    except BrokenPipeError:
        _discard_output()
        return READER_GONE
    except Exception as error:  # noqa: BLE001  # whatever a library raises, the user gets one sentence
        _complain(_failure(doing, error))
        return FAILED
    return code


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """Inside this block, who ends the process or closes its terminal ends it as Ctrl-C does: what was made so far is kept."""
    in_main = current_thread() is main_thread()
    taken = [n for n in (signal.SIGTERM, signal.SIGHUP) if in_main and signal.getsignal(n) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _parse(arguments: list[str]) -> argparse.Namespace:
    if arguments and (instead := FORMER_COMMANDS.get(arguments[0])):
        raise InputError(f"`specviz {arguments[0]}` is not part of specviz any more: {instead}.")
    return _parser().parse_args(arguments)


def _failure(doing: str, error: Exception) -> str:
    """One sentence that names what failed: the output, the memory, a file, or else the command."""
    try:
        sys.stdout.flush()
    except OSError as unwritten:  # what is still buffered cannot be written now either
        _discard_output()
        return _unwritten(unwritten)
    if isinstance(error, MemoryError):
        return f"the memory ran out in `{doing}`: choose a smaller pair, or fewer tokens."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename} could not be used ({error.strerror}): check this file, or choose another."
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return _unwritten(error)
    return (
        f"`{doing}` failed ({type(error).__name__}: {brief(error)}). Please report it, with the command that you gave."
    )


def _unwritten(error: OSError) -> str:
    return f"the output could not be written ({error.strerror}): send it elsewhere, such as to a file on another disk."


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# A new command is a row here: its name, and a module with its summary SAYS, its `options`, and `perform`, which carries it out.
COMMANDS: tuple[tuple[str, ModuleType], ...] = (
    ("app", app),
    ("run", run),
    ("race", race),
    ("replay", replay),
    ("lessons", lessons),
    ("site", site),
    ("pairs", pairs),
    ("audit", audit),
    ("compare", compare),
)
_WITHOUT_JSON = (app, lessons, site)

# Commands of earlier versions, and their replacements.
FORMER_COMMANDS = {
    "export": "make a page of a saved recording by `specviz replay FILE -o PAGE`",
    "bench": "compare with transformers' own decoding by `python -m tools.peers` of the project's repository, and settings by `specviz compare`",
    "lab": "run a prompt with every value of one or two settings by `specviz compare`, or on the page's screen Compare",
    "profile": "compare runs on this machine by `specviz compare`; what passes cost here is measured by every run that chooses for itself",
    "doctor": "`specviz audit --quick` makes its comparisons, and `specviz audit` more",
    "train": "train a head or a draft with SpecForge, speculators or DeepSpec, and give it as --head or --draft (docs/heads.md)",
}


class _Parser(argparse.ArgumentParser):
    """Reports errors like every other part of this package: in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help).")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="specviz", description="See speculative decoding happen.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"specviz {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, command in COMMANDS:
        subparser = commands.add_parser(name, help=command.SAYS, description=command.SAYS, allow_abbrev=False)
        command.options(subparser)
        if command not in _WITHOUT_JSON:
            subparser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        subparser.set_defaults(perform=command.perform, command=name)
    return parser


def _complain(sentence: str) -> None:
    sys.stderr.write(f"specviz: {visible(sentence, spaces=False)}\n")


def _set_streams() -> None:
    """UTF-8 for files and pipes; on a terminal, a character that its encoding lacks is shown as ?. What goes to a closed stream is lost."""
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
