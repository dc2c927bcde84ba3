"""Texts for targets that cannot write their own questions: some are continued, some are held out for the examination."""

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from specviz.errors import PromptError, TrainingError
from specviz.folders import ASSETS
from specviz.models.tokens import TokenText

MOST_HELD_OUT = 40
_SHORTEST_BEGINNING, _LONGEST_BEGINNING = 3, 40
_LONGEST_READ = 1000
"""Characters of a document that are tokenized for a beginning."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The texts of a folder.

    Attributes:
        texts: those that the target continues.
        held_out: those that no training sees.
        digest: identifies all of them.
    """

    texts: tuple[str, ...]
    held_out: tuple[str, ...]
    digest: str

    def beginnings(self, text: TokenText, random: Random) -> Iterator[list[int]]:
        """Yield beginnings of random documents without end, as token ids.

        Raises:
            TrainingError: the target can read none of the documents.
        """
        misses = 0
        while True:
            try:
                ids = text.encode(random.choice(self.texts)[:_LONGEST_READ], template=False)
            except PromptError:  # it holds a token that the target cannot read
                misses += 1
                if misses > 10 * len(self.texts):
                    raise TrainingError(
                        "The target cannot read any of the texts: name another folder with --text."
                    ) from None
                continue
            yield ids[: random.randint(_SHORTEST_BEGINNING, _LONGEST_BEGINNING)]


def read(folder: Path) -> Documents:
    """The documents of all *.txt and *.jsonl.gz files in a folder and its subfolders.

    In a *.txt file blank lines separate documents; in a *.jsonl.gz file each line is a JSON object with one as its "text".

    A fifth of them, at most `MOST_HELD_OUT`, is held out: those with the smallest hashes, so that the choice does not depend on their order.

    Raises:
        TrainingError: there are fewer than two documents, or a file cannot be read.
    """
    try:
        files = [
            file.read_text(encoding="utf-8", errors="replace")
            for file in sorted(folder.glob("**/*.txt"))
            if file.is_file()
        ]
    except OSError as error:
        raise TrainingError(f"The texts in {str(folder)!r} could not be read ({error.strerror}).") from None
    found = {part.strip() for file in files for part in file.split("\n\n")} - {""}
    found |= {text.strip() for file in sorted(folder.glob("**/*.jsonl.gz")) for text in _lines(file)} - {""}
    if len(found) < 2:
        raise TrainingError(
            f"There are {len(found)} texts in {str(folder)!r}: name a folder with *.txt files, in which blank lines separate the texts, or *.jsonl.gz files."
        )
    by_hash = sorted(found, key=lambda document: sha256(document.encode()).digest())
    apart = min(MOST_HELD_OUT, max(1, len(by_hash) // 5))
    digest = sha256("\n\n".join(by_hash).encode()).hexdigest()[:16]
    return Documents(tuple(by_hash[apart:]), tuple(by_hash[:apart]), digest)


def for_embedded_target() -> Documents:
    """Beginnings of texts for the embedded target to continue, which come with the project; none begins like a held-out prompt."""
    texts = _lines(ASSETS / "text" / "embedded-beginnings.jsonl.gz")
    return Documents(texts, (), sha256("\n\n".join(texts).encode()).hexdigest()[:16])


def _lines(file: Path) -> tuple[str, ...]:
    try:
        return tuple(str(json.loads(line)["text"]) for line in gzip.decompress(file.read_bytes()).splitlines())
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise TrainingError(
            f'{str(file)!r} could not be read ({type(error).__name__}): give gzipped lines such as {{"text": "Dear Anna,"}}.'
        ) from None
