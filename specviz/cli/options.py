"""The options that `run` and `race` share, the checks of their values, and the earlier texts that --earlier names."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PromptError, TraceError
from specviz.folders import read_text
from specviz.reporting.pair_options import pair_options, template_option
from specviz.reporting.setting_options import setting_options
from specviz.settings import AUTO, Settings, check_prompt
from specviz.trace import files as traces
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, Texts
from specviz.trace.records import Trace

if TYPE_CHECKING:
    from specviz.models import Pair


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


def repeats_option(parser: argparse.ArgumentParser, says: str) -> None:
    """The option --repeats."""
    parser.add_argument(
        "--repeats", default=3, type=int, choices=range(1, 21), metavar="N", help=f"{says}, 1 to 20 (default 3)"
    )


def check_request(args: argparse.Namespace) -> None:
    """Check prompt and paths before the models are loaded, which may take minutes. Raises PromptError if the prompt
    cannot be read; TraceError if the recording cannot be written."""
    check_prompt(args.prompt)
    if any("\ud800" <= character <= "\udfff" for character in args.prompt):
        raise PromptError("The prompt was not valid UTF-8: type it again, or save it as UTF-8.")
    if args.trace is not None:
        folder, file = os.path.dirname(args.trace) or ".", args.trace
        there = os.path.exists(file)
        if not os.path.isdir(folder) or os.path.isdir(file) or not os.access(file if there else folder, os.W_OK):
            raise TraceError(
                f"The recording {file!r} could not be written: name a file in a folder that is open to you."
            )


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
