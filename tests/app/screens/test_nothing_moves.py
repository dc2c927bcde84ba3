"""No control changes its place once it can be pressed, and no press is lost, whatever comes late."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Error, Page, ViewportSize, expect

from specviz.folders import BUILT
from tests.app.conftest import KEYNOTE, fresh_page, rests
from tests.app.pressing import HELD_MS, press_at_once

pytestmark = pytest.mark.browser

PHONE: ViewportSize = {"width": 390, "height": 844}
HALL: ViewportSize = {"width": 1920, "height": 1080}
SHIFT = 0.01
"""The layout shift score that a page may have after its first controls are there; 0.1 is what browsers call good."""
LATE_MS, REST_MS = 700, 1200
SCREENS = {
    "": ".stage .title:not([hidden])",
    "?prompt=Hello": ".st-key-awaits-run",
    "?teach=1": ".st-key-plan .plan-open",
    "race": ".race .lane",
    "race?teach=1": ".st-key-plan .plan-open",
    "learn": ".chapter",
    "learn?lesson=editor&step=2": ".learn .leaf-title",
    "learn?lesson=editor&step=2&teach=1": ".learn .leaf-title",
    "compare": ".js-plotly-plot .main-svg",
    "audit": "text=The left one is broken",
}
"""Every screen, and what shows that all of it is there."""
USUAL = ("", "?teach=1", "race", "learn?lesson=editor&step=2", "audit")
"""Those that differ in kind; the others come in `make rare`."""
SCRIPTS = "player|plan|race|learn|k-|duel"
_OURS = "/files/|js/ButtonGroup"  # and of Streamlit the row of parts, which came last on a busy machine
_HELD = """late => performance.getEntriesByType("resource").filter(({ name, duration }) => name.includes("/files/") && duration >= late).length"""
_MOVES, _APART = (Path(__file__).with_name(name) for name in ("moves.js", "messages_apart.js"))


@contextmanager
def _watched(
    browser: Browser, size: ViewportSize, scheme: Literal["light", "dark"] = "light", late: str = ""
) -> Iterator[Page]:
    """A page that notes what moves, for which files whose address has `late` in it come late."""
    with fresh_page(browser) as page:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.add_init_script(path=_MOVES)
        if late:
            _hold_back(page, late)
        yield page


def _hold_back(page: Page, late: str) -> None:
    """Have files with one of these words in their address come late. A route of Playwright's would do that without the browser's cache: with each
    page Streamlit's own scripts would be compiled again."""
    session = page.context.new_cdp_session(page)

    def wait(request: dict[str, Any]) -> None:
        with suppress(Error):  # the page may have left meanwhile
            page.wait_for_timeout(LATE_MS)
            session.send("Fetch.continueRequest", {"requestId": request["requestId"]})

    session.on("Fetch.requestPaused", wait)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": f"*{word}*"} for word in late.split("|")]})


def _open(pages: Sequence[Page], address: str, shown: str) -> None:
    """All at a time: most of what they do is to wait."""
    for page in pages:
        page.goto(address, wait_until="commit")
    for page in pages:
        expect(page.locator(shown).first).to_be_visible()
        rests(page)
    pages[0].wait_for_timeout(REST_MS)


def _assert_still(page: Page, what: str) -> None:
    page.wait_for_function("window.controls > 5")  # a busy machine paints few frames
    assert page.evaluate("window.moves") == [], what
    shifts = page.evaluate("window.shifts")
    assert sum(shift["value"] for shift in shifts) <= SHIFT, (what, shifts)


@pytest.mark.parametrize("path", USUAL)
def test_no_control_moves_when_our_files_come_late(browser: Browser, server: str, path: str) -> None:
    """At keynote size and on a phone, each script and style sheet of ours held back: a part has its size before its script
    is there, and the page's own styles stand in its head. Each message of the server is painted by itself: no part stands where another
    one comes."""
    with (
        _watched(browser, KEYNOTE, "light", late=_OURS) as wide,
        _watched(browser, PHONE, "dark", late=_OURS) as narrow,
    ):
        for page in (wide, narrow):
            page.add_init_script(path=_APART)
        _open((wide, narrow), f"{server}/{path}", SCREENS[path])
        for page in (wide, narrow):
            assert path == "audit" or page.evaluate(_HELD, LATE_MS), (
                "files of ours came late: all screens but Audit have some"
            )
            _assert_still(page, f"{path} {page.viewport_size}")


@pytest.mark.rare
@pytest.mark.parametrize("path", SCREENS)
def test_no_control_moves_at_any_size(browser: Browser, server: str, path: str) -> None:
    """In both themes, at three sizes, with each of our scripts and Streamlit's own held back in turn."""
    streamlits = (
        "js/Button",
        "js/ButtonGroup",
        "js/TextArea",
        "js/Selectbox",
        "js/PageLink",
        "js/BidiComponent",
        ".css",
    )
    for size in (KEYNOTE, PHONE, HALL):
        for late in ("", *SCRIPTS.split("|"), *streamlits):
            schemes: tuple[Literal["light", "dark"], ...] = ("light",) if late else ("light", "dark")
            for scheme in schemes:
                with _watched(browser, size, scheme, late=late) as page:
                    _open([page], f"{server}/{path}", SCREENS[path])
                    _assert_still(page, f"{path} {size} {scheme} {late}")


def test_a_press_while_the_page_comes_is_heard(browser: Browser, server: str) -> None:
    """A button that is pressed for 120 ms as soon as it is there does what it says, with our scripts held back meanwhile."""
    with _watched(browser, KEYNOTE, late=SCRIPTS) as page:
        for button, effect in (
            (page.locator(".st-key-k-beside button").first, page.get_by_text("Draft length k")),
            (
                page.get_by_role("button", name=re.compile("^.{0,4}Save and share")),
                page.get_by_test_id("stPopoverBody"),
            ),
            (page.get_by_role("button", name="Teach", exact=True), page.get_by_role("button", name="Leave")),
        ):
            page.goto(server)
            press_at_once(page, button)
            expect(effect).to_be_visible()


_SHELL = """<!doctype html><html><head><script type="module">{script}</script></head><body style="margin: 0">
<div id="above"></div><div class="st-key-go"><button style="width: 80px; height: 40px">Go</button></div>
<script>window.heard = []; addEventListener("click", (event) => heard.push(event.target.localName + " " + event.target.textContent.trim()))
</script></body></html>"""
_AT = (40, 20)


_OTHER = "document.querySelector('#above').innerHTML = '<button style=\"width: 80px; height: 40px\">Other</button>'"
_REPLACED = """later => { const old = document.querySelector(".st-key-go"), other = old.cloneNode(true); old.remove();
    setTimeout(() => document.body.append(other), later); }"""


def _open_shell(page: Page) -> None:
    """One button under the page's script, with the pointer on it."""
    page.goto("about:blank")
    page.set_content(_SHELL.format(script=(BUILT / "page.js").read_text(encoding="utf-8")))
    page.mouse.move(*_AT)


def _heard(page: Page) -> list[str]:
    page.wait_for_timeout(300)
    found: list[str] = page.evaluate("heard")
    return found


def test_a_button_hears_its_press_once_whatever_happens_meanwhile(blank: Page) -> None:
    """It moves away, is replaced by a rerun, at once or a moment later, or another button takes its place, which hears nothing: without the page's
    script the click goes to what is under the pointer at the end. A press that nothing disturbs and a key are heard once too."""
    for meanwhile, later in (
        ("document.querySelector('#above').style.height = '300px'", None),
        (_REPLACED, 0),
        (_REPLACED, 200),
        (_OTHER, None),
        ("", None),
    ):
        _open_shell(blank)
        blank.mouse.down()
        blank.evaluate(meanwhile, later)
        blank.wait_for_timeout(HELD_MS)
        blank.mouse.up()
        assert _heard(blank) == ["button Go"], (meanwhile, later)
    blank.keyboard.press("Enter")
    assert _heard(blank) == ["button Go", "button Go"]


def test_to_drag_off_a_button_cancels_its_press(blank: Page) -> None:
    """As everywhere: whoever pressed the wrong one moves away before letting go."""
    _open_shell(blank)
    blank.mouse.down()
    blank.mouse.move(400, 300, steps=5)
    blank.mouse.up()
    assert "button Go" not in _heard(blank)


def test_a_finger_on_a_button_that_moves_is_heard_by_it(browser: Browser) -> None:
    """A tap's click is sent where the finger was, to whatever is there by then."""
    with browser.new_context(viewport=PHONE, has_touch=True) as context:
        page = context.new_page()
        _open_shell(page)
        touch = context.new_cdp_session(page)
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": _AT[0], "y": _AT[1]}]})
        page.evaluate(_OTHER)
        page.wait_for_timeout(HELD_MS)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(200)
        assert _heard(page) == ["button Go"]


def test_a_closed_menu_gives_the_focus_back(blank: Page) -> None:
    """Also where what had the focus was rendered away, before or after Escape."""
    _open_shell(blank)
    for gone_after_ms in (0, 200):
        blank.evaluate(
            """gone => {
              document.body.innerHTML = '<button data-testid="stPopoverButton" aria-expanded="true">Room</button><button id="inner">Open</button>';
              const [opener, inner] = document.querySelectorAll("button");
              inner.focus();
              addEventListener("keydown", () => {
                opener.ariaExpanded = "false";
                if (gone) opener.focus(), setTimeout(() => opener.blur(), gone); else inner.remove();
              }, { once: true });
            }""",
            gone_after_ms,
        )
        blank.keyboard.press("Escape")
        blank.wait_for_timeout(400)
        expect(blank.get_by_role("button", name="Room")).to_be_focused()
