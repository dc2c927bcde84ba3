"""`specviz`, or `python -m specviz`: the command line.

Exit codes: 0 done; 1 the engine failed; 2 what was asked for cannot be done, said in one sentence on stderr; 130 stopped with Ctrl-C; 141 the
reader of the output went away.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, NoReturn

from rich.live import Live
from rich.text import Text

from specviz.bench import command as bench
from specviz.cli import show
from specviz.cli.interrupts import insistent
from specviz.compare import command as compare
from specviz.decoding.drafters import registry
from specviz.errors import InputError, PromptError, SettingsError, SpecvizError, TraceError
from specviz.reporting.terminal import Screen, visible
from specviz.settings import CHILDREN, POLICIES, RULES, Settings, check_prompt
from specviz.trace import files as traces
from specviz.trace.metrics import Summary, summarise
from specviz.training import command as training

if TYPE_CHECKING:
    from specviz.models import Pair
    from specviz.runs.run import Run

FAILED, BAD_INPUT, STOPPED, READER_GONE = 1, 2, 130, 141
MAX_REPEATS = 20


def main(argv: Sequence[str] | None = None) -> int:
    """Do one command; returns the exit code. Only --help leaves by SystemExit, as argparse does."""
    _print_what_the_stream_can()
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered has nowhere to go
        return READER_GONE
    except Exception as error:  # noqa: BLE001  # whatever a model throws, a person gets a sentence
        reason = " ".join(str(error).split())[:200]
        _complain(f"the engine failed ({type(error).__name__}: {reason}). Try a smaller pair, or other settings.")
        return FAILED
    return code


def _run(args: argparse.Namespace) -> int:
    """Decode a prompt, each round printed as it happens; Ctrl-C keeps what was done so far."""
    settings = _settings(args)
    _check_asked(args)
    if args.trace is not None:
        _check_writable(args.trace)
    pair = _load(args)
    from specviz.decoding.recorder import FULL, LIGHT
    from specviz.runs.run import Run

    run = Run(pair, args.prompt, settings, template=args.template, recorder=LIGHT if args.trace is None else FULL)
    try:
        code = _follow(run, quiet=args.json)
        if args.json:
            _print_json(_figures(summarise(run.trace()), settings))
        else:
            Screen().lines(show.summary_lines(run.trace()))
    finally:  # whatever became of the printing, the recording is kept
        if args.trace is not None:
            traces.write_file(args.trace, [run.trace()])
    return code


def _follow(run: "Run", *, quiet: bool) -> int:
    """Drive the run to its end, or to Ctrl-C; returns the exit code."""
    screen = Screen()
    if not quiet:
        screen.lines([*show.heading(run.card, run.prompt), show.legend()])
    try:
        for number, round_ in enumerate(run, 1):
            if not quiet:
                screen.print(show.round_line(number, round_, run.table([round_], prompt=False)))
    except KeyboardInterrupt:
        return STOPPED
    return 0


def _race(args: argparse.Namespace) -> int:
    """Decode a prompt plainly and speculatively in turn, and compare."""
    settings = _settings(args)
    if not isinstance(args.repeats, int) or not 1 <= args.repeats <= MAX_REPEATS:
        raise SettingsError(f"repeats was {args.repeats!r}: give a whole number from 1 to {MAX_REPEATS}.")
    _check_asked(args)
    if args.trace is not None:
        _check_writable(args.trace)
    pair = _load(args)
    from specviz.decoding.recorder import FULL, LIGHT
    from specviz.runs.race import race

    with Live(
        Text("racing: plain and speculative in turn"),
        console=Screen(stderr=True),
        auto_refresh=False,  # no spinner: nothing else may run while a side is timed
        transient=True,
    ):
        recorder = LIGHT if args.trace is None else FULL
        outcome = race(pair, args.prompt, settings, args.repeats, template=args.template, recorder=recorder)
    if args.trace is not None:
        traces.write_file(args.trace, outcome.recorded)
    parted = outcome.first_divergence
    if args.json:
        _print_json(
            {
                "plain": _figures(outcome.plain, settings),
                "speculative": _figures(outcome.speculative, settings),
                "speedup": outcome.speedup,
                "speedups": outcome.speedups,
                "same_text": outcome.same_text,
                "first_divergence": None if parted is None else asdict(parted),
            }
        )
    else:
        ids = () if parted is None else (parted.plain_token, parted.speculative_token)
        Screen().lines(show.race_lines(outcome, {token: pair.text.bytes_of(token) for token in ids}))
    return 0


def _replay(args: argparse.Namespace) -> int:
    """Print a saved recording as if it were happening; needs no model."""
    recorded = traces.read_file(args.file)
    if args.json:
        _print_json({"traces": [_figures(summarise(trace), trace.settings) for trace in recorded]})
        return 0
    screen = Screen()
    for place, trace in enumerate(recorded):
        if place:
            screen.print()
        screen.lines(show.trace_lines(trace))
    return 0


def _pairs(args: argparse.Namespace) -> int:
    """List what can be loaded by name, as this machine sees it."""
    from specviz.models.catalogue import listings
    from specviz.models.devices import pick_device

    device = pick_device(args.device)
    found = listings(device)
    if args.json:
        _print_json({"device": str(device), "pairs": [asdict(pair) for pair in found]})
    else:
        Screen().lines(show.pair_lines(found))
    return 0


def _whole(text: str) -> int | str:
    """A whole number; anything else is left as it is, for Settings to refuse with its own sentence."""
    try:
        return int(text)
    except ValueError:
        return text


def _real(text: str) -> float | str:
    """A number; anything else is left as it is, for Settings to refuse with its own sentence."""
    try:
        return float(text)
    except ValueError:
        return text


def _decoding_options(parser: argparse.ArgumentParser) -> None:
    usual = Settings()
    parser.add_argument("prompt", metavar="PROMPT", help="the text to continue")
    parser.add_argument("--pair", help="a name of `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help="with --draft, instead of --pair: a hub id or a folder")
    parser.add_argument("--draft", metavar="MODEL", help="with --target: a hub id or a folder")
    for option, default, kind, says in (
        ("--k", usual.k, _whole, "draft length, tokens proposed a round"),
        ("--temperature", usual.temperature, _real, "0 is greedy decoding"),
        ("--top-k", usual.top_k, _whole, "keep this many likeliest tokens; 0 keeps all"),
        ("--top-p", usual.top_p, _real, "keep the likeliest tokens up to this probability; 1 keeps all"),
        ("--max-new-tokens", usual.max_new_tokens, _whole, "stop after this many tokens"),
        ("--seed", usual.seed, _whole, "the same seed gives the same text"),
    ):
        parser.add_argument(option, default=default, type=kind, metavar="N", help=f"{says} (default {default:g})")
    _drafting_options(parser, usual)
    _device_option(parser)
    parser.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 or float64")
    parser.add_argument(
        "--compile",
        dest="compiled",
        action="store_true",
        help="let torch.compile work on the passes first, which takes minutes",
    )
    parser.add_argument("--no-template", dest="template", action="store_false", help="leave out the chat template")


def _drafting_options(parser: argparse.ArgumentParser, usual: Settings) -> None:
    for option, default, choices, says in (
        ("--drafter", usual.drafter, registry.names(), "what drafts"),
        ("--children", usual.children, CHILDREN, "how a tree's siblings come"),
        ("--policy", usual.policy, POLICIES, "when a draft stops before k"),
        ("--rule", usual.rule, RULES, "how drafts are judged; all but exact are LOSSY: they change what is written"),
    ):
        parser.add_argument(option, default=default, metavar="NAME", help=f"{says}: {', '.join(choices)} ({default})")
    for option, number, kind, says in (
        ("--nodes", usual.nodes, _whole, "size of a tree; its depth is k"),
        ("--threshold", usual.threshold, _real, "the confidence policy stops behind a token below it"),
        ("--lenience", usual.lenience, _real, "what the lenient rule asks for; 1 is exact"),
    ):
        parser.add_argument(option, default=number, type=kind, metavar="N", help=f"{says} (default {number:g})")
    parser.add_argument(
        "--shared-noise",
        action="store_true",
        help="draft and target choose with the same noise: one text, whoever drafts",
    )


def _device_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")


def _run_options(parser: argparse.ArgumentParser) -> None:
    _decoding_options(parser)
    parser.add_argument("--trace", metavar="FILE", help="save the recording here, every candidate included")


def _race_options(parser: argparse.ArgumentParser) -> None:
    _decoding_options(parser)
    parser.add_argument(
        "--repeats", default=3, type=_whole, metavar="N", help=f"runs of each side, 1 to {MAX_REPEATS} (default 3)"
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="save both runs of the median pair here, every candidate included"
    )


def _replay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a recording saved with --trace, or from the page")


@dataclass(frozen=True, slots=True)
class _Command:
    """One word of the command line."""

    name: str
    says: str
    options: Callable[[argparse.ArgumentParser], None]
    perform: Callable[[argparse.Namespace], int]
    prints: bool = True  # whether it takes --json itself


_COMMANDS = (
    _Command("run", "decode a prompt and show every round", _run_options, _run),
    _Command("race", "measure speculative decoding against plain decoding", _race_options, _race),
    _Command("replay", "show a saved recording, without any model", _replay_options, _replay),
    _Command("pairs", "list the pairs that can be loaded by name", _device_option, _pairs),
    _Command("compare", compare.SAYS, compare.options, compare.perform),
    _Command("bench", bench.SAYS, bench.options, bench.perform),
    _Command("train", training.SAYS, training.options, training.perform, prints=False),
)
"""Every command; a new one is a row here, with its options and what it does."""


class _Parser(argparse.ArgumentParser):
    """Refuses like every other part of this package: with one sentence."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see {self.prog} --help).")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="specviz", description="See speculative decoding happen.", allow_abbrev=False)
    words = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in _COMMANDS:
        word = words.add_parser(command.name, help=command.says, description=command.says, allow_abbrev=False)
        command.options(word)
        if command.prints:
            word.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
        word.set_defaults(perform=command.perform)
    return parser


def _settings(args: argparse.Namespace) -> Settings:
    """The settings as the options give them; what the drafter does not take is refused.

    Raises:
        SettingsError: a value is out of range, or does not go with the drafter.
    """
    settings = Settings(**{field.name: getattr(args, field.name) for field in fields(Settings)})
    registry.check(settings)
    return settings


def _check_asked(args: argparse.Namespace) -> None:
    """Refuse what can be refused before minutes are spent on loading."""
    if args.pair is not None and (args.target is not None or args.draft is not None):
        raise InputError("--pair was given together with --target or --draft: give a pair, or a target and a draft.")
    check_prompt(args.prompt)
    if any("\ud800" <= character <= "\udfff" for character in args.prompt):
        raise PromptError("The prompt was not valid UTF-8: type it again, or save it as UTF-8.")


def _check_writable(path: str) -> None:
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        problem = f"{folder} is not a folder"
    elif os.path.isdir(path):
        problem = "it is a folder"
    elif not os.access(path if os.path.exists(path) else folder, os.W_OK):
        problem = "permission denied"
    else:
        return
    raise TraceError(f"The recording {path!r} could not be written ({problem}): choose another place.")


def _load(args: argparse.Namespace) -> "Pair":
    with _status("loading torch") as say:
        from specviz.models import load_pair

        return load_pair(
            args.pair,
            target=args.target,
            draft=args.draft,
            device=args.device,
            dtype=args.dtype,
            compiled=args.compiled,
            progress=lambda what, part: say(what if part is None else f"{what} ({part:.0%})"),
        )


@contextmanager
def _status(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr, where that is a terminal; gives a way to change its words."""

    def words(text: str) -> Text:
        return Text(visible(text, spaces=False))

    with Screen(stderr=True).status(words(text)) as status:
        yield lambda text: status.update(words(text))


def _figures(summary: Summary, settings: Settings) -> dict[str, Any]:
    """A summary as the JSON of every command has it, with the rule that judged: all but "exact" are lossy."""
    figures = asdict(summary)
    del figures["kept_rate"]
    return {**figures, "rule": settings.rule, "lossy": settings.lossy}


def _print_json(value: dict[str, Any]) -> None:
    """ASCII only, so that no terminal and no reader can misread it."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")


def _complain(sentence: str) -> None:
    sys.stderr.write(f"specviz: {visible(sentence, spaces=False)}\n")


def _print_what_the_stream_can() -> None:
    """UTF-8 into files and pipes; on a terminal, a mark that its encoding lacks is shown as ? and ends no run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
