"""A room as its people meet it: a presenter, a phone and a hall, in browsers of their own, on a real server."""

import json
import re
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from specviz.trace.files import loads
from tests.app.conftest import person
from tests.app.lab import until
from tests.app.pressing import downloaded
from tests.helpers.lessons import lesson_of

pytestmark = pytest.mark.browser


def _late(route: Route) -> None:
    """A slow network: meanwhile parts of the page are rendered again, and what Streamlit makes for a download on demand is gone after two of them."""
    sleep(2.5)
    route.continue_()


def _at_round(page: Page, number: str) -> None:
    expect(page.locator(".scrubber")).to_have_attribute("aria-valuetext", re.compile(f"^round {number} of"))


def test_a_class_meets_in_a_room(page: Page, browser: Browser, server: str) -> None:
    """From the first code to the closed room: runs, votes, a race, a lesson and a prompt of the audience."""
    presenter = page
    presenter.emulate_media(reduced_motion="reduce")
    with person(browser, phone=True) as phone, person(browser) as hall:
        presenter.goto(f"{server}/?teach=1&pair=embedded&dtype=float32")
        room = presenter.get_by_role("button", name="Room", exact=True)
        room.click()
        presenter.get_by_role("button", name="Open a room").click()
        code = presenter.locator(".room-code").inner_text().replace(" ", "")
        assert re.fullmatch("[A-Z0-9]{8}", code)
        expect(presenter.locator(".room-qr img")).to_be_visible()
        presenter.keyboard.press("Escape")
        expect(presenter.locator(".room-qr")).to_have_count(0)
        expect(room).to_be_focused()  # and no longer takes the focus
        expect(presenter.locator(".title .button")).to_be_visible()  # a key before it is lost
        presenter.locator(".stage").focus()
        presenter.keyboard.press("ArrowRight")
        _at_round(presenter, "1")

        # Phone and hall come late, see the presenter's moment and go with it.
        phone.goto(f"{server}/join")
        phone.get_by_label("Code on the presenter’s screen").fill("AAAA AAAA")
        phone.get_by_role("button", name="Join").click()
        expect(phone.get_by_text("No room with the code AAAAAAAA")).to_be_visible()
        phone.get_by_label("Code on the presenter’s screen").fill(code.lower())
        phone.get_by_role("button", name="Join").click()
        hall.goto(f"{server}/join/{code}?hall=1")
        for audience in (phone, hall):
            _at_round(audience, "1")
            expect(audience.locator(".transport"), "it goes with the presenter").to_be_hidden()
        expect(presenter.locator(".room-here")).to_contain_text("1 here")  # the projector is nobody
        presenter.locator(".stage").focus()
        presenter.keyboard.press("ArrowRight")
        _at_round(phone, "2")

        # A vote: what others chose is shown with the answer, to the hall in bars as large as its window.
        presenter.get_by_role("button", name="Ask the room").click()
        expect(phone.locator(".vote-question")).to_contain_text("drafted tokens will be accepted")
        zero = phone.get_by_role("button", name="0", exact=True)
        zero.evaluate("node => { window.zero = node; }")
        phone.get_by_role("button", name="1", exact=True).click()
        expect(phone.get_by_text("1 person voted")).to_be_visible()
        assert phone.evaluate("window.zero.isConnected"), (
            "a vote of anybody replaces no button, which somebody may be pressing"
        )
        zero.click()
        expect(zero, "the server has it before the answer is shown").to_have_attribute("aria-pressed", "true")
        expect(presenter.get_by_text("1 person voted")).to_be_visible()
        expect(presenter.locator(".room-votes"), "what others voted is not projected").to_have_count(0)
        expect(presenter.locator(".guess.typed").first, "before its verdicts").to_be_visible()
        presenter.get_by_role("button", name="Show the answer").click()
        expect(phone.locator(".vote-right")).to_contain_text("✓")
        expect(phone.get_by_text(re.compile("You were right|You said “0”"))).to_have_text(
            re.compile(r"^Right: \d+\. You ")
        )
        expect(phone.locator(".vote-bars p")).to_contain_text("0: 1 vote.")
        expect(phone.locator(".vote"), "the button that had the focus is gone").to_be_focused()
        expect(presenter.get_by_text(re.compile("The room so far: [01] of 1 votes"))).to_be_visible()
        expect(hall.locator(".vote-bars")).to_be_visible()
        box = hall.locator(".vote").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == tuple(hall.viewport_size.values())  # type: ignore[union-attr]
        _at_round(phone, "3")
        presenter.get_by_role("button", name="Done").click()
        expect(phone.locator(".vote-question")).to_have_count(0)
        presenter.reload()
        for each in (presenter, phone):
            _at_round(each, "[23]")

        # A key asks and ends a question; run and votes are saved over a slow network.
        room.click()
        presenter.get_by_role("button", name="Ask: which token").click()
        presenter.keyboard.press("Escape")
        expect(room).to_be_focused()
        expect(phone.get_by_role("button", name="another one")).to_be_visible()
        presenter.locator(".stage").focus()
        presenter.keyboard.press("End")
        _at_round(presenter, "4")
        presenter.keyboard.press("v")
        expect(phone.locator(".vote-right")).to_contain_text("✓")
        room.click()
        presenter.route("**/media/**", _late)
        saved = downloaded(presenter, presenter.get_by_role("button", name="Save run and votes"))
        presenter.unroute("**/media/**")
        votes = json.loads(Path(saved.path()).read_text())
        assert votes["polls"][0]["votes"][0] == 1
        assert len(votes["polls"]) == 2, "the key ended the second question, and asked no third"
        assert loads(json.dumps(votes))

        # A prompt of the audience is text.
        phone.get_by_label("A prompt for the presenter").fill("<b>The</b> cat")
        phone.get_by_role("button", name="Send").click()
        expect(phone.get_by_text("Sent: the presenter sees it now")).to_be_visible()
        expect(presenter.get_by_text("<b>The</b> cat")).to_be_visible()
        presenter.get_by_role("button", name="Use", exact=True).click()
        presenter.get_by_role("button", name="Prompt", exact=True).click()
        expect(presenter.get_by_role("textbox", name="Prompt")).to_have_value("<b>The</b> cat")
        presenter.keyboard.press("Escape")

        # On Race an open question ends and nothing is asked; no key of the audience moves its lanes.
        presenter.locator(".stage").press("End")
        expect(presenter.get_by_role("button", name="Ask the room")).to_be_hidden()
        presenter.locator(".stage").press("Home")
        presenter.get_by_role("button", name="Ask the room").click()
        expect(phone.locator(".vote-choice").first).to_be_visible()
        presenter.get_by_role("link", name="Race").click()
        for audience in (phone, hall):
            expect(audience.locator(".race .lane").first).to_be_visible()
            expect(audience.locator(".vote")).to_be_hidden()
        expect(presenter.get_by_role("button", name="Race", exact=True)).to_be_visible()
        expect(presenter.get_by_role("button", name="Ask the room")).to_have_count(0)
        presenter.locator(".race").focus()
        for key in ("End", "Home", "ArrowRight"):
            presenter.keyboard.press(key)
        presenter.evaluate(
            "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )  # a key is seen with the next frame
        shown = presenter.locator(".race .clock").inner_text()
        phone.locator(".race").press("End")
        for audience in (phone, hall):
            expect(audience.locator(".race .clock")).to_have_text(shown)
        expect(phone.locator(".race .button").first).to_be_hidden()

        # The phone reads a lesson with the presenter, votes on its question, sees the answer, and may read on by itself.
        presenter.goto(f"{server}/learn?lesson=rule&step=2&teach=1")
        expect(presenter.locator(".room-here")).to_contain_text(f"{code[:4]} {code[4:]}")
        lesson, title = lesson_of("rule"), phone.locator(".leaf-title")
        expect(title).to_have_text(lesson.steps[1].title)
        expect(phone.get_by_role("button", name="Next")).to_be_hidden()
        phone.locator(".learn-steps").press("End")
        expect(phone.locator(".learn-steps"), "only the presenter turns the pages").to_have_value("2")
        presenter.get_by_role("button", name="Next").click()
        expect(title).to_have_text(lesson.steps[2].title)
        question = len(lesson.steps)
        presenter.locator(".learn-steps").fill(str(question + 1))
        presenter.get_by_role("button", name="Ask the room").click()
        expect(phone.locator(".vote-question")).to_be_visible()
        expect(phone.locator(".lesson-choice").first).to_be_disabled()
        phone.locator(".vote-choice").first.click()
        expect(presenter.get_by_text("1 person voted")).to_be_visible()
        presenter.locator(".learn").focus()
        presenter.keyboard.press("1")
        expect(phone.locator(".because")).to_be_visible()
        expect(phone.locator(".vote-right")).to_contain_text("✓")
        phone.get_by_text("Look around by myself").click()
        expect(phone.get_by_role("button", name="Next")).to_be_visible()
        phone.locator(".learn-steps").fill("1")
        expect(title).to_have_text(lesson.steps[0].title)
        assert "step=" not in phone.url
        assert until(phone, lambda: phone.evaluate("document.documentElement.scrollWidth") <= 390)
        phone.get_by_text("Back to the presenter").click()
        expect(phone.locator(".because")).to_be_visible()

        # Back on a run; then the room is closed. All of this needed nothing of Streamlit on the phone.
        presenter.goto(f"{server}/?pair=embedded&dtype=float32&teach=1")
        expect(phone.locator("main > .stage")).to_be_visible()
        expect(phone.locator("main > .stage .scrubber")).to_be_hidden()
        loads_of_phone = phone.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        assert not any("/_stcore/" in name for name in loads_of_phone)
        room.click()
        presenter.get_by_text("Close the room").click()
        presenter.get_by_role("button", name="Close it now").click()
        expect(phone.get_by_text(f"The room {code} is closed")).to_be_visible()
