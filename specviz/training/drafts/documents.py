"""Texts of a folder, for targets that cannot write their own questions: some are continued, some are held out for the examination."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from specviz.errors import PromptError, TrainingError
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
    """The documents of all *.txt files in a folder and its subfolders; blank lines separate documents.

    A fifth of them, at most `MOST_HELD_OUT`, is held out: those with the smallest hashes, so that the choice does not depend on their order.

    Raises:
        TrainingError: there are fewer than two documents.
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
    if len(found) < 2:
        raise TrainingError(
            f"There are {len(found)} texts in {str(folder)!r}: name a folder with *.txt files, in which blank lines separate the texts."
        )
    by_hash = sorted(found, key=lambda document: sha256(document.encode()).digest())
    apart = min(MOST_HELD_OUT, max(1, len(by_hash) // 5))
    digest = sha256("\n\n".join(by_hash).encode()).hexdigest()[:16]
    return Documents(tuple(by_hash[apart:]), tuple(by_hash[:apart]), digest)
