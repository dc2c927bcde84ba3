"""The options that commands share, with the checks of their values: the pair, the settings of a run, prompt and earlier texts. Torch is imported inside
functions only."""

import argparse
import os
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.cli.output import with_share
from specviz.decoding.drafters import registry
from specviz.errors import InputError, PromptError, SettingsError, TraceError
from specviz.folders import read_text
from specviz.model_choice import chosen_by_options, heads_here
from specviz.settings import AUTO, CHILDREN, OPEN, POLICIES, RULES, Settings, check_prompt
from specviz.trace import files as traces
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, Texts
from specviz.trace.records import Trace

if TYPE_CHECKING:
    from specviz.models import Pair

_SAYS = {
    "k": f"draft length, the tokens proposed per round, or {AUTO}",
    "temperature": "0 is greedy decoding",
    "top_k": "keep the N most likely tokens; 0 keeps all",
    "top_p": "keep the most likely tokens up to this total probability; 1 keeps all",
    "max_new_tokens": "stop after N tokens",
    "seed": "the same seed gives the same text",
    "drafter": f"the drafting method: {', '.join((AUTO, *registry.names()))} ({AUTO}: the fastest here, by what passes cost and how often "
    "guesses are right)",
    "nodes": f"size of a tree, whose depth is k, or {AUTO}",
    "children": f"how a tree's siblings are chosen: {', '.join(CHILDREN)}",
    "policy": f"when a draft stops before k tokens; {AUTO} drafts only while it pays: {', '.join(POLICIES)}",
    "threshold": "the confidence policy stops after a token below this probability",
    "rule": f"the acceptance rule (lenient is LOSSY: it changes the text; block is for chains): {', '.join(RULES)}",
    "lenience": "strictness of the lenient rule; 1 is exact",
    "shared_noise": "draft and target choose with the same noise, so that the text is the same with every drafter",
}


# ------------------------------------------------------------------ the pair


def pair_options(parser: argparse.ArgumentParser, dtype: str, without_draft: str = "") -> None:
    """The options that name target, draft and head, where they run, and the number format, `dtype` where none is given.
    `without_draft`: what happens without --draft, in words."""
    where = "a hub id, id@revision, a folder or a .gguf file"
    parser.add_argument("--pair", help="a name listed by `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help=f"instead of --pair: {where}")
    parser.add_argument("--draft", metavar="MODEL", help=f"with --target: {where}{without_draft}")
    device_option(parser)
    parser.add_argument(
        "--head",
        metavar="HEAD",
        help="a head for this target: a published EAGLE, DFlash or DSpark head, by folder "
        "or hub id; its drafter has the name of its kind",
    )
    formats = f"number format: auto, float32, bfloat16, float16 or float64 (default {dtype})"
    parser.add_argument("--dtype", default=dtype, help=formats)


def device_option(parser: argparse.ArgumentParser) -> None:
    """The option --device."""
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")


def template_option(parser: argparse.ArgumentParser) -> None:
    """The option --no-template."""
    says = "do not wrap the prompt in the chat template"
    parser.add_argument("--no-template", dest="template", action="store_false", help=says)


def usable_drafter(args: argparse.Namespace) -> str:
    """The drafter of --drafter, or else the usual one of the pair that the options name.

    Raises:
        InputError: a pair was given twice.
        SettingsError: the drafter needs a draft model or a trained head, and none was given.
        PairError: the folder that --head names has no head.
        UnknownPairError: no pair has this name, or a draft was given without a target.
    """
    models = chosen_by_options(args.pair, args.target, args.draft)
    has_draft, heads = models.draft is not None, heads_here(models.name, args.head)
    name = args.drafter or registry.usual(draft=has_draft)
    if refusal := registry.refusal(name, models.name or models.target, draft=has_draft, heads=heads):
        raise SettingsError(refusal)
    return name


def load(args: argparse.Namespace, say: Callable[[str], None]) -> "Pair":
    """The pair that the options name; `say` is called with what is being loaded."""
    say("loading torch")
    from specviz.models import load_pair

    return load_pair(
        args.pair,
        target=args.target,
        draft=args.draft,
        head=args.head,
        device=args.device,
        dtype=args.dtype,
        progress=with_share(say),
    )


# ------------------------------------------------------------------ the settings


def setting_options(parser: argparse.ArgumentParser, settings: Settings, **says: str) -> None:
    """An option for each of the settings, with these defaults. `says`: the help of some, by their names."""
    for name, value in asdict(settings).items():
        option = f"--{name.replace('_', '-')}"
        names = ("--tokens", option) if name == "max_new_tokens" else (option,)
        if isinstance(value, bool):
            parser.add_argument(option, action="store_true", help=_SAYS[name])
            continue
        default = AUTO if name in OPEN and not value else value
        kind = _open if name in OPEN else type(value)
        about = says.get(name, f"{_SAYS[name]} (default {default if isinstance(default, str) else f'{default:g}'})")
        form = "NAME" if isinstance(value, str) else "N"
        parser.add_argument(*names, dest=name, default=default, type=kind, metavar=form, help=about)


def settings_from(args: argparse.Namespace) -> Settings:
    """The settings of the options; an auto stays open. Raises SettingsError if a value is out of range, or the drafter
    does not support it; SpecvizError, see `usable_drafter`."""
    settings = Settings(**{field.name: getattr(args, field.name) for field in fields(Settings)})
    registry.check(settings)
    usable_drafter(args)
    return registry.fitted(settings)


def positive(text: str) -> int:
    """A whole number from 1 on."""
    if int(text) < 1:
        raise ValueError
    return int(text)


def _open(text: str) -> int | str:
    """A whole number, or 0 for "auto"; a written 0 stays a text, so that the check of the settings rejects it."""
    return 0 if text == AUTO else int(text) or text


# ------------------------------------------------------------------ a run


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
