"""The built files of specviz/web: what a page can carry. `make check` checks that they are what their sources give."""

import re

from specviz.folders import BUILT
from specviz.reporting.player.scripts import script

COMPONENTS = ("player", "race", "learn", "moment", "plan", "duel")
WHOLE_PAGES = ("standalone", "lesson", "join", "race-page", "site", "page")


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
