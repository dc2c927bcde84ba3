"""Reads a folder of collected text: gzipped lines of JSON, one document a line. Names the file and the line of whatever is broken."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from specviz.errors import CorpusError

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
        if not isinstance(text, str) or not text.strip():
            raise CorpusError(
                f'{path}, line {number}: expected {{"text": ...}} with some text in it. Mend or remove the line.'
            )
        texts.append(text.strip().replace("\r\n", "\n"))
    return texts


def country_records(folder: Path) -> list[Mapping[str, object]]:
    """The records of facts, one a country; never empty. Raises CorpusError as `documents` does."""
    return [record for _, record in _records(folder / COUNTRIES)]


def _records(path: Path) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise CorpusError(f"{path}, line {number}: expected one JSON object. Mend or remove the line.")
                yield number, record
    except FileNotFoundError:
        raise CorpusError(f"{path} does not exist: put every file of the corpus there.") from None
    except json.JSONDecodeError:
        raise CorpusError(f"{path}, line {number}: this is not JSON. Mend or remove the line.") from None
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise CorpusError(
            f"{path}, after line {number}: it could not be read ({error}). Fetch the file again."
        ) from None
    if not number:
        raise CorpusError(f"{path} is empty: fetch the file again.")
