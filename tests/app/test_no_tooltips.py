"""No part of a page explains itself in a native tooltip, which neither touch nor the keyboard opens."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.classroom import room_html
from app.classroom.polls import Poll, PollState
from app.screens.audit.picture import checks, histogram
from specviz.audit.messages import CHECKS, AuditProgress, CheckLine, CheckState, TokenBar
from specviz.audit.records import CATCHES
from tests.app.lab import Lab
from tests.helpers.views import trace_of, view_of

_TOOLTIPS = """() => { // Streamlit names the frames of its parts, and repeats the text of a choice
    const within = (root) => [...root.querySelectorAll("*")].flatMap((part) =>
        [part, ...(part.shadowRoot ? within(part.shadowRoot) : [])]);
    return within(document)
        .filter((part) => (part.getAttribute("title") && !part.matches("iframe, [class*=st-emotion]")) || part.matches("svg title"))
        .map((part) => part.outerHTML.slice(0, 200));
}"""


def tooltips(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_TOOLTIPS)
    return found


def test_the_screens_have_no_native_tooltip_and_report_nothing(page: Page, server: str) -> None:
    """Every screen: an explanation is a definition that touch and keyboard open, or is on the screen; there is
    no error in the browser's console, such as for a server that is looked for below `/race`."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    for path, shown in (
        ("", ".stage .transport"),
        ("race", ".race .lane"),
        ("learn", ".chapter"),
        ("learn?lesson=editor&step=2", ".learn .leaf-title"),
        ("audit?part=bugs", "text=In the rule that accepts"),
        ("?runs=none", "text=Nothing has run yet"),
        ("?teach=1", "text=Plan"),
    ):
        page.goto(f"{server}/{path}")
        expect(page.locator(shown).first, path).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(int(path == "?runs=none"))
        assert not tooltips(page), path
    assert said == []


@pytest.mark.parametrize("name", ["medusa", "eagle"])
def test_a_run_at_every_moment_has_no_native_tooltip(lab: Lab, name: str) -> None:
    """In the text, as cards, with the why drawer and the keys open, at the end card; what the boxes of a head do opens at the
    name of its card."""
    lab.show(view_of(trace_of(["aard"], drafter=name, label=name, of=12, parents=(-1, 0, 1, 0))))
    for keys in (("Home",), ("ArrowRight",), ("w",), ("Escape", "c"), ("?",), ("Escape", "End")):
        lab.press(*keys)
        assert not tooltips(lab.page), keys
    assert lab.page.locator(".role.draft > b").get_attribute("aria-description")


def test_what_the_server_draws_has_no_native_tooltip() -> None:
    """The audit's histogram and checks, the votes of a room and a coloured text say on the page what they know."""
    lines = tuple(CheckLine(check, CheckState.PASSED, "Nothing found.", 1, 2) for check in CHECKS)
    audit = checks(lines, CATCHES)
    drawn: list[Any] = [
        audit,
        histogram(AuditProgress("", "x", lines, (TokenBar("a", 0.5, 3), TokenBar(None, 0.5, 1)))),
        room_html.votes(Poll("Which?", ("a", "b"), (0.25, 0.75), PollState.CLOSED)),
    ]
    assert not [each for each in drawn if "title=" in each]
    assert CATCHES[CHECKS[0]][:20] in audit
    assert "25%" in drawn[2]
