"""The style sheets: four sizes of type, written down in one file."""

import re

from specviz.folders import BUILT
from specviz.reporting.player.scripts import style

SOURCES = sorted(file for file in BUILT.parent.rglob("*.css") if BUILT not in file.parents)
TOKENS = BUILT.parent / "shared" / "tokens.css"
SIZES = ("--small", "--text", "--large", "--huge")
FONT = re.compile(r"(?<![\w-])font(?:-size)?:\s*([^;}]+)")
ONE_OF_THEM = re.compile(rf"(?:inherit|0$|(?:\d+ )?var\((?:{'|'.join(SIZES)})\))")
FITTED = re.compile(r"var\(--(?:type|page-type|tall|letter|column)\b|^(?:\d+ )?(?:max\()?0\.\d+em\b")
"""Letters of a token follow the page or the card that it stands on, its signs follow the letters, and a page that teaches follows its window."""


def test_every_style_has_one_of_four_sizes() -> None:
    """No style sheet has a size of type of its own: the four of `tokens.css`, nothing for what is not to be read, and what is fitted."""
    assert [name for name in SIZES if f"{name}:" not in TOKENS.read_text(encoding="utf-8")] == []
    own = [
        f"{file.name}: {size}"
        for file in SOURCES
        for size in FONT.findall(file.read_text(encoding="utf-8"))
        if not ONE_OF_THEM.match(size) and not FITTED.search(size)
    ]
    assert own == []


def test_every_sheet_stands_alone() -> None:
    """In its own shadow root: it has the tokens, names no address, and does not end the element it stands in."""
    names = [file.stem.removesuffix("-style") for file in BUILT.glob("*.css")]
    assert names
    for name in names:
        text = style(name)
        assert "--huge:" in text, name
        assert not re.search(r"url\((?!data:|#)|@import|</style", text, re.IGNORECASE), name
