"""The options that `run` and `race` share, the checks of their values, and the earlier texts that --earlier names."""

import argparse
import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PromptError, SettingsError, TraceError
from specviz.folders import read_text
from specviz.reporting.pair_options import pair_options, template_option, usable_drafter
from specviz.settings import AUTO, CHILDREN, POLICIES, RULES, Settings, check_prompt
from specviz.trace import files as traces
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, Texts
from specviz.trace.records import Trace

if TYPE_CHECKING:
    from specviz.models import Pair

MAX_REPEATS = 20


def decoding(parser: argparse.ArgumentParser) -> None:
    """Prompt, pair, all settings of a run, and earlier texts. Drafter, k, nodes and policy are auto by default."""
    default = Settings()
    parser.add_argument("prompt", metavar="PROMPT", help="the text to continue")
    pair_options(parser, "auto", f"; not needed with the drafters {', '.join(registry.able(draft=False))}")
    parser.add_argument(
        "--k",
        default=0,
        type=_open,
        metavar="N",
        help=f"draft length, the tokens proposed per round, or {AUTO} (default)",
    )
    for option, value, kind, meaning in (
        ("--temperature", default.temperature, number, "0 is greedy decoding"),
        ("--top-k", default.top_k, integer, "keep the N most likely tokens; 0 keeps all"),
        ("--top-p", default.top_p, number, "keep the most likely tokens up to this total probability; 1 keeps all"),
        ("--tokens", default.max_new_tokens, integer, "stop after N tokens"),
        ("--seed", default.seed, integer, "the same seed gives the same text"),
    ):
        name = "max_new_tokens" if option == "--tokens" else None
        parser.add_argument(
            option, dest=name, default=value, type=kind, metavar="N", help=f"{meaning} (default {value:g})"
        )
    _drafting(parser, default)
    template_option(parser)
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        metavar="FILE",
        help="suffix decoding also copies from this text file, or from the texts of a recording of the same tokenizer; may be given several "
        f"times, oldest first: the newest {MOST_TEXTS} texts and {MOST_TOKENS:,} tokens are used",
    )


def _drafting(parser: argparse.ArgumentParser, default: Settings) -> None:
    parser.add_argument(
        "--drafter",
        default=AUTO,
        metavar="NAME",
        help=f"the drafting method: {', '.join((AUTO, *registry.names()))} ({AUTO}: the fastest here, by what passes cost and how often "
        "guesses are right)",
    )
    parser.add_argument(
        "--nodes", default=0, type=_open, metavar="N", help=f"size of a tree, whose depth is k, or {AUTO} (default)"
    )
    for option, name, choices, meaning in (
        ("--children", default.children, CHILDREN, "how a tree's siblings are chosen"),
        ("--policy", AUTO, POLICIES, "when a draft stops before k tokens; auto drafts only while it pays"),
        (
            "--rule",
            default.rule,
            RULES,
            "the acceptance rule (lenient is LOSSY: it changes the text; block is for chains)",
        ),
    ):
        parser.add_argument(option, default=name, metavar="NAME", help=f"{meaning}: {', '.join(choices)} ({name})")
    for option, value, kind, meaning in (
        ("--threshold", default.threshold, number, "the confidence policy stops after a token below this probability"),
        ("--lenience", default.lenience, number, "strictness of the lenient rule; 1 is exact"),
    ):
        parser.add_argument(option, default=value, type=kind, metavar="N", help=f"{meaning} (default {value:g})")
    parser.add_argument(
        "--shared-noise",
        action="store_true",
        help="draft and target choose with the same noise, so that the text is the same with every drafter",
    )


def integer(text: str) -> int | str:
    """An integer; any other text is returned unchanged, so that the check of the settings can report it."""
    try:
        return int(text)
    except ValueError:
        return text


def _open(text: str) -> int | str:
    """A whole number, or 0 for "auto"; a written 0 stays a text, so that the check of the settings rejects it."""
    return 0 if text == AUTO else integer(text) or text


def number(text: str) -> float | str:
    """A number; any other text is returned unchanged, so that the check of the settings can report it."""
    try:
        return float(text)
    except ValueError:
        return text


def check_repeats(repeats: int | str) -> int:
    """The number of --repeats. Raises SettingsError if it is none, or out of range."""
    if not isinstance(repeats, int) or not 1 <= repeats <= MAX_REPEATS:
        raise SettingsError(f"repeats was {repeats!r}: give a whole number from 1 to {MAX_REPEATS}.")
    return repeats


def settings_from(args: argparse.Namespace) -> Settings:
    """The settings of the options; an auto stays open. Raises SettingsError if a value is out of range, or the drafter
    does not support it; SpecvizError, see `usable_drafter`."""
    settings = Settings(**{field.name: getattr(args, field.name) for field in fields(Settings)})
    registry.check(settings)
    usable_drafter(args)
    return registry.fitted(settings)


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
