"""The option --earlier: texts that suffix decoding may copy from, from files."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.errors import InputError, PromptError, TraceError
from specviz.trace import files as traces
from specviz.trace.earlier import MOST_TEXTS, MOST_TOKENS, Texts
from specviz.trace.records import Trace

if TYPE_CHECKING:
    from specviz.models import Pair


def option(parser: argparse.ArgumentParser) -> None:
    """The option itself."""
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        metavar="FILE",
        help="suffix decoding also copies from this text file, or from the texts of a recording of the same tokenizer; may be given several "
        f"times, oldest first: the newest {MOST_TEXTS} texts and {MOST_TOKENS:,} tokens are used",
    )


def earlier_texts(paths: list[str], pair: "Pair") -> Texts:
    """The ids of the texts in these files.

    Raises:
        InputError: a file cannot be read.
        PromptError: a recording is of another tokenizer.
    """
    return tuple(text for path in paths for text in _texts(path, pair))


def _texts(path: str, pair: "Pair") -> Texts:
    try:
        content = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError(f"The earlier text {path!r} could not be read ({reason}): choose another file.") from error
    try:
        recorded = traces.loads(content)
    except TraceError:  # a text
        return (tuple(pair.text.encode(content, template=False)),)
    texts: dict[tuple[int, ...], None] = {}
    for trace in recorded:
        _check_tokenizer(path, trace, pair)
        texts[*trace.prompt_ids, *trace.token_ids] = None
    return tuple(texts)


def _check_tokenizer(path: str, trace: Trace, pair: "Pair") -> None:
    for token in {*trace.prompt_ids, *trace.token_ids}:
        if token >= pair.target.vocabulary or pair.text.bytes_of(token).data != trace.tokens[token].data:
            raise PromptError(
                f"The recording {path!r} is of {trace.card.target.name}, whose tokens are not those of {pair.card.target.name}: give a "
                "recording of the same tokenizer, or its text."
            )
