"""The built files of specviz/web: what a page can carry, and four sizes of type, written down in one file. `make check` checks that they are what their
sources give."""

import re

from specviz.folders import BUILT
from specviz.reporting.player.scripts import script, style

COMPONENTS = ("player", "race", "learn", "moment", "plan", "duel")
WHOLE_PAGES = ("standalone", "lesson", "join", "race-page", "site", "page")
SOURCES = sorted(file for file in BUILT.parent.rglob("*.css") if BUILT not in file.parents)
TOKENS = BUILT.parent / "shared" / "tokens.css"
SIZES = ("--small", "--text", "--large", "--huge")
FONT = re.compile(r"(?<![\w-])font(?:-size)?:\s*([^;}]+)")
ONE_OF_THEM = re.compile(rf"(?:inherit|0$|(?:\d+ )?var\((?:{'|'.join(SIZES)})\))")
FITTED = re.compile(r"var\(--(?:type|page-type|tall|letter|column)\b|^(?:\d+ )?(?:max\()?0\.\d+em\b")
"""Letters of a token follow the page or the card that it stands on, its signs follow the letters, and a page that teaches follows its window."""


def test_each_script_is_one_module_that_html_can_hold() -> None:
    """A component exports how it is mounted, one with words also which it uses, a page of its own exports nothing; none imports anything or ends the element it stands in."""
    assert {file.stem for file in BUILT.glob("*.js")} == {*COMPONENTS, *WHOLE_PAGES}
    for name in (*COMPONENTS, *WHOLE_PAGES):
        text = script(name)
        assert (
            len(re.findall(r"export ?\{[\w$]+ as default(?:,[\w$]+ as useWords)?\}", text))
            == text.count("export{")
            == (name in COMPONENTS)
        ), name
        assert not re.search(r"</script|<!--|\bimport ?[({\"'*]", text, re.IGNORECASE), name


def test_the_licence_of_d3_goes_with_it() -> None:
    """Every script with d3 in it carries its notice."""
    for name in ("learn", "lesson"):
        assert "Copyright 2010-2026 Mike Bostock" in script(name)
        assert "and this permission notice appear in all copies." in script(name)


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
