"""The occurrences in the text that a copy comes from. They decide nothing: the rule sees the drafted tokens alone. Standard library only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """The end of the text that had occurred before, so that what followed it was copied.

    Attributes:
        length: how many tokens at the end of the text were found again.
        occurrences: how often they had occurred before; None if only the latest occurrence was looked up.
        followed: how many of these occurrences went on with the first copied token; None like `occurrences`.

    Raises:
        ValueError: the numbers are impossible.
    """

    length: int
    occurrences: int | None = None
    followed: int | None = None

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"a match of {self.length} tokens")
        if (self.occurrences is None) != (self.followed is None):
            raise ValueError("a match counts its occurrences and those that were followed, or neither")
        if self.occurrences is not None and not 1 <= (self.followed or 0) <= self.occurrences:
            raise ValueError(f"{self.followed} of {self.occurrences} occurrences were followed by what was copied")
