"""A colour, a mark and a word for each state of a token. Colour is never the only sign."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TokenStyle:
    """The mark, word, explanation and colours of one state; ink and ground have contrast AA on the light and on the dark page."""

    mark: str
    word: str
    means: str
    light_ink: str
    light_ground: str
    dark_ink: str
    dark_ground: str


# "own" closes a round in which nothing was drafted, "corrected" one with a rejection: the same word, since both are the target's own.
_OWN = "A token that the target wrote itself: instead of a rejected guess, or where nothing was drafted."
STYLES = {
    "accepted": TokenStyle(
        "✓", "accepted", "The acceptance rule keeps this guess.", "#0b5d3b", "#d6f5e3", "#7ff0b4", "#0f3a28"
    ),
    "rejected": TokenStyle(
        "✕",
        "rejected",
        "The acceptance rule does not keep this guess: the target's own token takes its slot.",
        "#a11212",
        "#fde1df",
        "#ff9d94",
        "#4a1715",
    ),
    "discarded": TokenStyle(
        "–",
        "thrown away",
        "A guess after a rejected one. It continues a text that is not there, so it gets no verdict.",
        "#595f69",
        "#eceef1",
        "#a3abb8",
        "#2a2f38",
    ),
    "corrected": TokenStyle("✎", "target's own token", _OWN, "#7a4300", "#ffe9c7", "#ffc867", "#452c05"),
    "bonus": TokenStyle(
        "+",
        "bonus",
        "All guesses were accepted, and the same pass gives one more token.",
        "#5a2ca0",
        "#ebe1fb",
        "#cdb2ff",
        "#33214f",
    ),
    "own": TokenStyle("•", "target's own token", _OWN, "#3d4452", "#eceef1", "#c3cad6", "#2a2f38"),
}


def styles_json() -> dict[str, dict[str, Any]]:
    """The table as plain values, for the player."""
    return {name: asdict(style) for name, style in STYLES.items()}


def css_variables() -> str:
    """Custom properties for both themes: --accepted-ink, --accepted-ground and so on."""
    rules = []
    for theme in ("light", "dark"):
        lines = [
            f"  --{name}-{part}: {getattr(style, f'{theme}_{part}')};"
            for name, style in STYLES.items()
            for part in ("ink", "ground")
        ]
        rules.append(f'.stage[data-theme="{theme}"] {{\n' + "\n".join(lines) + "\n}\n")
    return "\n".join(rules)
