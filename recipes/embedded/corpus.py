"""Reads a folder of collected text: gzipped JSON Lines, one document a line. Errors name the file and the line."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

from specviz.errors import CorpusError

END = "<|end|>"
"""Marks the end of a text for the tokenizer; no text may contain it."""

FILES = {
    "picture books": "picture_books.jsonl.gz",
    "fables": "fables.jsonl.gz",
    "prose": "prose.jsonl.gz",
    "more prose": "prose_more.jsonl.gz",
    "verse": "verse.jsonl.gz",
    "word problems": "word_problems.jsonl.gz",
    "orders": "orders.jsonl.gz",
}
"""Class of text -> file of documents `{"text": ...}`."""

COUNTRIES = "countries.jsonl.gz"
"""File with one record of facts about a country in each line."""


def check(folder: Path) -> None:
    """Check that the folder is complete, before any work starts.

    Raises:
        CorpusError: something is missing; the error names it.
    """
    if not folder.is_dir():
        raise CorpusError(
            f"The corpus folder {str(folder)!r} does not exist: give the folder that contains {FILES['prose']} and the other files of the corpus."
        )
    missing = [name for name in (*FILES.values(), COUNTRIES) if not (folder / name).is_file()]
    if missing:
        raise CorpusError(
            f"The corpus folder {str(folder)!r} lacks {', '.join(missing)}: put every file of the corpus into it."
        )


def documents(folder: Path, kind: str) -> list[str]:
    """Every document of one class, in the file's order; at least one.

    Raises:
        CorpusError: the file is missing or broken; the error names it, and the line if one line is broken.
    """
    path = folder / FILES[kind]
    texts = []
    for number, record in _records(path):
        text = record.get("text")
        if not _is_text(text):
            raise CorpusError(
                f'{path}, line {number}: expected {{"text": ...}} with some text in it, without unpaired surrogates and without {END}; correct or remove the line.'
            )
        texts.append(text.strip().replace("\r\n", "\n"))
    return texts


def country_records(folder: Path) -> list[Mapping[str, object]]:
    """The records of facts, one for each country; at least one. Raises CorpusError as `documents` does."""
    return [record for _, record in _records(folder / COUNTRIES)]


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    try:
        with gzip.open(path) as lines:
            for number, line in enumerate(lines, 1):
                yield number, _record(path, number, line)
    except FileNotFoundError:
        raise CorpusError(f"{path} does not exist: put every file of the corpus there.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(
            f"{path}, after line {number}: it could not be read ({error}); fetch the file again."
        ) from None
    if not number:
        raise CorpusError(f"{path} is empty: fetch the file again.")


def _record(path: Path, number: int, line: bytes) -> Mapping[str, object]:
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError):  # broken UTF-8 and broken JSON are both ValueErrors
        raise CorpusError(f"{path}, line {number}: this is not JSON in UTF-8; correct or remove the line.") from None
    if not isinstance(record, dict):
        raise CorpusError(f"{path}, line {number}: expected one JSON object; correct or remove the line.")
    return record


def _is_text(value: object) -> TypeGuard[str]:
    """Whether this is a usable document: some text, no unpaired surrogates, no end mark."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and END not in value
        and not any("\ud800" <= sign <= "\udfff" for sign in value)
    )
