"""A room as its people meet it: a presenter, a phone and a hall, in browsers of their own, on a real server."""

import json
import re
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Browser, Route, expect

from specviz.trace.files import loads
from tests.app.conftest import person
from tests.app.lab import until
from tests.app.pressing import downloaded

pytestmark = pytest.mark.browser


def _late(route: Route) -> None:
    """A slow network: meanwhile parts of the page are rendered again, and what Streamlit makes for a download on demand is gone after two of them."""
    sleep(2.5)
    route.continue_()


def test_a_presenter_and_a_phone(browser: Browser, server: str) -> None:
    """The phone joins late and sees the presenter's moment; it follows a step, votes once, sees what happened, and sends a prompt."""
    with person(browser) as presenter, person(browser, phone=True) as phone:
        presenter.goto(f"{server}/?teach=1&pair=embedded")
        room = presenter.get_by_role("button", name="Room", exact=True)
        room.click()
        presenter.get_by_role("button", name="Open a room").click()
        code = presenter.locator(".room-code").inner_text().replace(" ", "")
        assert re.fullmatch("[A-Z0-9]{8}", code)
        expect(presenter.locator(".room-qr img")).to_be_visible()
        presenter.keyboard.press("Escape")
        expect(presenter.locator(".room-qr")).to_have_count(0)
        expect(room).to_be_focused()  # and no longer takes the focus
        where = presenter.locator(".scrubber")
        expect(presenter.locator(".title .button")).to_be_visible()  # a key before it is lost
        presenter.locator(".stage").focus()
        presenter.keyboard.press("ArrowRight")
        expect(where).not_to_have_js_property("value", "0")
        expect(where).to_have_attribute("aria-valuetext", re.compile("^round 1 of"))

        phone.goto(f"{server}/join")
        phone.get_by_label("Code on the presenter’s screen").fill("AAAA AAAA")
        phone.get_by_role("button", name="Join").click()
        expect(phone.get_by_text("No room with the code AAAAAAAA")).to_be_visible()
        phone.get_by_label("Code on the presenter’s screen").fill(code.lower())
        phone.get_by_role("button", name="Join").click()
        there = phone.locator(".scrubber")
        expect(there).to_have_attribute("aria-valuetext", re.compile("^round 1 of"))
        expect(phone.locator(".transport"), "it goes with the presenter").to_be_hidden()
        expect(presenter.get_by_text("1 here")).to_be_visible()
        presenter.locator(".stage").focus()
        presenter.keyboard.press("ArrowRight")
        expect(there).to_have_attribute("aria-valuetext", re.compile("^round 2 of"))

        presenter.get_by_role("button", name="Ask the room").click()
        expect(phone.locator(".vote-question")).to_contain_text("drafted tokens will be accepted")
        phone.get_by_role("button", name="0", exact=True).evaluate("node => { window.zero = node; }")
        phone.get_by_role("button", name="1", exact=True).click()
        expect(phone.get_by_text("1 person voted")).to_be_visible()
        assert phone.evaluate("window.zero.isConnected"), (
            "a vote of anybody replaces no button, which somebody may be pressing"
        )
        zero = phone.get_by_role("button", name="0", exact=True)
        zero.click()
        expect(zero, "the server has it before the answer is shown").to_have_attribute("aria-pressed", "true")
        expect(presenter.get_by_text("1 person voted")).to_be_visible()
        expect(presenter.locator(".room-votes"), "what others voted is not projected").to_have_count(0)
        expect(presenter.locator(".guess.typed").first, "before its verdicts").to_be_visible()
        presenter.get_by_role("button", name="Show the answer").click()
        expect(phone.locator(".vote-right")).to_contain_text("✓")
        expect(phone.get_by_text(re.compile("You were right|You said “0”"))).to_be_visible()
        expect(presenter.get_by_text(re.compile("The room so far: [01] of 1 votes"))).to_be_visible()

        expect(there).to_have_attribute("aria-valuetext", re.compile("^round 3 of .*"))
        presenter.get_by_role("button", name="Done").click()
        expect(phone.locator(".vote-question")).to_have_count(0)
        presenter.reload()
        expect(where).to_have_attribute("aria-valuetext", re.compile("^round [23] of"))
        expect(there).to_have_attribute("aria-valuetext", re.compile("^round [23] of"))

        room.click()
        presenter.get_by_role("button", name="Ask: which token").click()
        presenter.keyboard.press("Escape")
        expect(room).to_be_focused()
        expect(phone.get_by_role("button", name="another one")).to_be_visible()
        presenter.locator(".stage").focus()
        presenter.keyboard.press("End")
        expect(where).to_have_attribute("aria-valuetext", re.compile("^round 4 of"))
        presenter.keyboard.press("v")
        expect(phone.locator(".vote-right")).to_contain_text("✓")
        room.click()
        presenter.route("**/media/**", _late)
        saved = downloaded(presenter, presenter.get_by_role("button", name="Save run and votes"))
        found = json.loads(Path(saved.path()).read_text())
        assert found["polls"][0]["votes"][0] == 1
        assert len(found["polls"]) == 2, "the key ended the second question, and asked no third"
        assert loads(json.dumps(found))
        assert not any(
            "/_stcore/" in name
            for name in phone.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        )
        assert until(phone, lambda: phone.evaluate("document.documentElement.scrollWidth") <= 390)

        phone.get_by_label("A prompt for the presenter").fill("<b>The</b> cat")
        phone.get_by_role("button", name="Send").click()
        expect(phone.get_by_text("Sent: the presenter sees it now")).to_be_visible()
        expect(presenter.get_by_text("<b>The</b> cat")).to_be_visible()
        presenter.get_by_role("button", name="Use", exact=True).click()
        presenter.get_by_role("button", name="Prompt", exact=True).click()
        expect(presenter.get_by_role("textbox", name="Prompt")).to_have_value("<b>The</b> cat")
        room.click()
        presenter.get_by_text("Close the room").click()
        presenter.get_by_role("button", name="Close it now").click()
        expect(phone.get_by_text(f"The room {code} is closed")).to_be_visible()


def test_a_room_goes_with_the_presenter_to_race_and_back(browser: Browser, server: str) -> None:
    """Phone and hall show the lanes at the presenter's moment, which no key of theirs moves; nothing is asked there. An open question ends. Of a vote
    the hall shows bars as large as its window."""
    with person(browser) as presenter, person(browser, phone=True) as phone, person(browser) as hall:
        presenter.goto(f"{server}/?teach=1&pair=embedded")
        presenter.get_by_role("button", name="Room", exact=True).click()
        presenter.get_by_role("button", name="Open a room").click()
        code = presenter.locator(".room-code").inner_text().replace(" ", "")
        presenter.keyboard.press("Escape")
        for page, query in ((phone, ""), (hall, "?hall=1")):
            page.goto(f"{server}/join/{code}{query}")
            expect(page.locator(".vote")).to_be_hidden()
        expect(presenter.locator(".room-here")).to_contain_text("2 here")
        presenter.get_by_role("button", name="Ask the room").click()
        expect(phone.locator(".vote-choice").first).to_be_visible()

        presenter.get_by_role("link", name="Race").click()
        clocks = [page.locator(".race .clock") for page in (presenter, phone, hall)]
        for page in (phone, hall):
            expect(page.locator(".race .lane").first).to_be_visible()
            expect(page.locator(".vote")).to_be_hidden()
        expect(presenter.get_by_role("button", name="Race", exact=True)).to_be_visible()
        expect(presenter.get_by_role("button", name="Ask the room")).to_have_count(0)
        presenter.locator(".race").focus()
        for key in ("End", "Home", "ArrowRight"):
            presenter.keyboard.press(key)
        presenter.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )  # a key is seen with the next frame
        now = clocks[0].inner_text()
        phone.locator(".race").press("End")
        for clock in clocks[1:]:
            expect(clock).to_have_text(now)
        expect(phone.locator(".race .button").first).to_be_hidden()

        presenter.get_by_role("link", name="Watch").click()
        expect(phone.locator("main > .stage")).to_be_visible()
        presenter.locator(".stage").press("Home")
        presenter.get_by_role("button", name="Ask the room").click()
        phone.locator(".vote-choice").first.click()
        presenter.get_by_role("button", name="Show the answer").click()
        expect(hall.locator(".vote-bars")).to_be_visible()
        box = hall.locator(".vote").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == tuple(hall.viewport_size.values())  # type: ignore[union-attr]
