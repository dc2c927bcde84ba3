"""A mark and a word for each state of a token; its colours are in `token_colours.css`. Colour is never the only sign."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TokenStyle:
    """The mark, word and explanation of one state."""

    mark: str
    word: str
    means: str


# "own" closes a round in which nothing was drafted, "corrected" one with a rejection: the same word, since both are the target's own.
_OWN = "A token that the target wrote itself: instead of a rejected guess, or where nothing was drafted."
_NOT_KEPT = "The acceptance rule does not keep this guess: the target's own token takes its slot."
_AFTER = "A guess after a rejected one. It continues a text that is not there, so it gets no verdict."
STYLES = {
    "accepted": TokenStyle("✓", "accepted", "The acceptance rule keeps this guess."),
    "rejected": TokenStyle("✕", "rejected", _NOT_KEPT),
    "discarded": TokenStyle("–", "thrown away", _AFTER),
    "corrected": TokenStyle("✎", "target's own token", _OWN),
    "bonus": TokenStyle("+", "bonus", "All guesses were accepted, and the same pass gives one more token."),
    "own": TokenStyle("•", "target's own token", _OWN),
}


def styles_json() -> dict[str, dict[str, Any]]:
    """The table as plain values, for the player."""
    return {name: asdict(style) for name, style in STYLES.items()}
