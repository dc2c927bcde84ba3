"""The options that `run` and `race` share, the checks of their values, and the earlier texts that --earlier names."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PromptError, SettingsError, TraceError
from specviz.folders import read_text
from specviz.reporting.pair_options import pair_options, template_option
from specviz.reporting.setting_options import setting_options
from specviz.settings import AUTO, Settings, check_prompt
from specviz.trace import files as traces
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, Texts
from specviz.trace.records import Trace

if TYPE_CHECKING:
    from specviz.models import Pair

MAX_REPEATS = 20


def decoding(parser: argparse.ArgumentParser) -> None:
    """Prompt, pair, all settings of a run, and earlier texts. Drafter, k, nodes and policy are auto by default."""
    parser.add_argument("prompt", metavar="PROMPT", help="the text to continue")
    pair_options(parser, "auto", f"; not needed with the drafters {', '.join(registry.able(draft=False))}")
    setting_options(parser, Settings(k=0, nodes=0, drafter=AUTO, policy=AUTO))
    template_option(parser)
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        metavar="FILE",
        help="suffix decoding also copies from this text file, or from the texts of a recording of the same tokenizer; may be given several "
        f"times, oldest first: the newest {MOST_TEXTS} texts and {MOST_TOKENS:,} tokens are used",
    )


def check_repeats(repeats: int) -> int:
    """The number of --repeats. Raises SettingsError if it is out of range."""
    if not 1 <= repeats <= MAX_REPEATS:
        raise SettingsError(f"repeats was {repeats!r}: give a whole number from 1 to {MAX_REPEATS}.")
    return repeats


def check_request(args: argparse.Namespace) -> None:
    """Check prompt and paths before the models are loaded, which may take minutes. Raises PromptError if the prompt
    cannot be read; TraceError if the recording cannot be written."""
    check_prompt(args.prompt)
    if any("\ud800" <= character <= "\udfff" for character in args.prompt):
        try:
            args.prompt = os.fsencode(args.prompt).decode("utf-8")  # under an ASCII locale Python has not decoded it
        except UnicodeError:
            raise PromptError("The prompt was not valid UTF-8: type it again, or save it as UTF-8.") from None
    if args.trace is not None:
        _check_writable(args.trace)


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
    raise TraceError(f"The recording {path!r} could not be written ({problem}): choose another path.")


def earlier_texts(paths: list[str], pair: "Pair") -> Texts:
    """The ids of the texts in these files. Raises InputError if a file cannot be read; PromptError if a recording is of
    another tokenizer."""
    return tuple(text for path in paths for text in _texts(path, pair))


def _texts(path: str, pair: "Pair") -> Texts:
    try:
        content = read_text(Path(path))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise InputError(f"The earlier text {path!r} could not be read ({reason}): choose another file.") from error
    try:
        recording = traces.loads(content)
    except TraceError as error:
        if content.lstrip().startswith('{"schema":"specviz.'):  # a recording, half of it perhaps
            raise InputError(f"The earlier recording {path!r} could not be used: {error}") from error
        return (tuple(pair.text.encode(content, template=False)),)
    for trace in recording:
        _check_tokenizer(path, trace, pair)
    return tuple(dict.fromkeys((*trace.prompt_ids, *trace.token_ids) for trace in recording))


def _check_tokenizer(path: str, trace: Trace, pair: "Pair") -> None:
    for token in {*trace.prompt_ids, *trace.token_ids}:
        if token >= pair.target.vocabulary or pair.text.bytes_of(token).data != trace.tokens[token].data:
            raise PromptError(
                f"The recording {path!r} is of {trace.card.target.name}, whose tokens are not those of {pair.card.target.name}: give a "
                "recording of the same tokenizer, or its text."
            )
