"""The built scripts and style sheets of `specviz/web`, and what they need beside a view: the drafters, and a mark and a word for each state of a token.

The colours are in `token_colours.css`; colour is never the only sign.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import BUILT

_COLOURS = Path(__file__).with_name("token_colours.css")


def script(name: str) -> str:
    """A built ES module; the default export of a component's module mounts it."""
    return (BUILT / f"{name}.js").read_text(encoding="utf-8")


def style(name: str) -> str:
    """A built style sheet, after the colours of the tokens' states."""
    return "".join(file.read_text(encoding="utf-8") for file in (_COLOURS, BUILT / f"{name}-style.css"))


def given() -> dict[str, Any]:
    """The values that the player needs beside every view: styles of the tokens, and drafters."""
    return {"looks": styles_json(), "drafters": registry.catalogue()}


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
