"""The style sheets: four sizes of type, written down in one file."""

import re

from specviz.folders import BUILT

SOURCES = sorted(file for file in BUILT.parent.rglob("*.css") if BUILT not in file.parents)
TOKENS = BUILT.parent / "shared" / "tokens.css"
SIZES = ("--small", "--text", "--large", "--huge")
FONT = re.compile(r"(?<![\w-])font(?:-size)?:\s*([^;}]+)")
ONE_OF_THEM = re.compile(rf"(?:inherit|0$|(?:\d+ )?var\((?:{'|'.join(SIZES)})\))")
CARD = "clamp(var(--small), min(var(--column) * 0.15, var(--slot) * 0.28), var(--huge))"
"""The letters of a token's card follow the card, between the smallest and the largest size."""


def test_every_style_has_one_of_four_sizes() -> None:
    """No style sheet has a size of type of its own: the four of `tokens.css`, nothing for what is not to be read, and the card's."""
    assert [name for name in SIZES if f"{name}:" not in TOKENS.read_text(encoding="utf-8")] == []
    own = [
        f"{file.name}: {size}"
        for file in SOURCES
        for size in FONT.findall(file.read_text(encoding="utf-8"))
        if size != CARD and not ONE_OF_THEM.match(size)
    ]
    assert own == []


def test_every_sheet_has_the_tokens() -> None:
    """Each sheet stands alone in its own shadow root."""
    for file in BUILT.glob("*-style.css"):
        assert "--huge:" in file.read_text(encoding="utf-8"), file.name
