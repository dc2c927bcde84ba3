"""The authors of the training text: CC BY requires that each one is named, so the list goes with the pair."""

import gzip
import json
from pathlib import Path

from specviz.errors import CorpusError

SOURCE = "picture_books_attribution.json.gz"
FILE = "ATTRIBUTION.md"

_LICENCES = {"CC-BY": "CC BY 4.0", "Public Domain": "public domain"}
_COLLECTIONS = {"asp-source": "African Storybook", "pb-source": "Pratham Books"}


def write(corpus: Path, folder: Path) -> None:
    """Write the list of all picture books, with author, collection and licence, into the pair's folder.

    Args:
        corpus: folder of the corpus, with the list in JSON.
        folder: of the pair.

    Raises:
        CorpusError: the list of authors is missing or broken; without it the pair may not be distributed.
    """
    path = corpus / SOURCE
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            books = json.load(file)
        rows = [
            (book["title"], book["author"], _COLLECTIONS[book["source"]], _LICENCES[book["license"]]) for book in books
        ]
    except (OSError, ValueError, EOFError, KeyError, TypeError) as error:
        raise CorpusError(
            f"{path} could not be read ({type(error).__name__}: {error}): the authors must be credited. Fetch the file again."
        ) from None
    lines = [
        f"- {_plain(title)}, by {_plain(author)} ({collection}, {licence})"
        for title, author, collection, licence in rows
    ]
    head = "# Picture books the pair learnt from\n\nEach was changed only in its white space and quotation marks, then learnt from; none is part of this project.\n\n"
    (folder / FILE).write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


def _plain(text: str) -> str:
    """The name without line breaks, its Markdown characters escaped."""
    return " ".join("".join(f"\\{sign}" if sign in "\\`*_[]<>#" else sign for sign in text).split())
