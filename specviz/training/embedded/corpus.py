"""Reads a folder of collected text: gzipped lines of JSON, one document a line. Names the file and the line of whatever is broken."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

from specviz.errors import CorpusError

END = "<|end|>"
"""What ends a text for the tokenizer; no text may hold it."""

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
"""One record of facts a line, for the questions that are generated."""


def check(folder: Path) -> None:
    """Refuse a folder in which something is missing, before any work is begun.

    Raises:
        CorpusError: naming the folder and what it lacks.
    """
    if not folder.is_dir():
        raise CorpusError(
            f"The corpus folder {str(folder)!r} does not exist: give the folder that holds {FILES['prose']} and its neighbours."
        )
    missing = [name for name in (*FILES.values(), COUNTRIES) if not (folder / name).is_file()]
    if missing:
        raise CorpusError(
            f"The corpus folder {str(folder)!r} lacks {', '.join(missing)}: put every file of the corpus there."
        )


def documents(folder: Path, kind: str) -> list[str]:
    """Every document of one class, in the file's order; never empty.

    Raises:
        CorpusError: naming the file, and the line where one is at fault.
    """
    path = folder / FILES[kind]
    texts = []
    for number, record in _records(path):
        text = record.get("text")
        if not _is_text(text):
            raise CorpusError(
                f'{path}, line {number}: expected {{"text": ...}} with some text in it, whole characters only and no {END}; mend or remove the line.'
            )
        texts.append(text.strip().replace("\r\n", "\n"))
    return texts


def country_records(folder: Path) -> list[Mapping[str, object]]:
    """The records of facts, one a country; never empty. Raises CorpusError as `documents` does."""
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
        raise CorpusError(f"{path}, line {number}: this is not JSON in UTF-8; mend or remove the line.") from None
    if not isinstance(record, dict):
        raise CorpusError(f"{path}, line {number}: expected one JSON object; mend or remove the line.")
    return record


def _is_text(value: object) -> TypeGuard[str]:
    """Whether it can be learnt from: some text, no half characters, no end mark."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and END not in value
        and not any("\ud800" <= sign <= "\udfff" for sign in value)
    )
