"""The player follows a run that Run begins before its page is rendered."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.app.conftest import loaded, person, rests, to_the_end
from tests.app.lab import written

pytestmark = pytest.mark.browser


class _Held:
    """What the server sends to a page of Streamlit, which can be held back."""

    def __init__(self, page: Page) -> None:
        self.held: list[Callable[[], None]] | None = None
        page.route_web_socket(lambda address: "/_stcore/" in address, self._between)

    def _between(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if self.held is None:
                page.send(message)
            else:
                self.held.append(lambda: page.send(message))

        server.on_message(pass_on)

    def release(self) -> None:
        held, self.held = self.held or [], None
        for send in held:
            send()


def test_a_run_is_followed_before_its_page_is_rendered(browser: Browser, page: Page, server: str) -> None:
    """While nothing of the page comes, its run is on the stage; once the page has come, the same run goes on where it was. The keys are the player's as soon
    as Run is pressed: nobody has to click the stage, and the space bar plays instead of pressing Run once more. Without its key, or for another browser,
    the address of the run has nothing."""
    socket, asked = _Held(page), list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/begun/" in request.url else None)
    page.goto(f"{server}/?dtype=float32&max_new_tokens=16")
    loaded(page)
    socket.held = []
    page.get_by_role("button", name="Run", exact=True).click()
    stage = page.locator(".stage")
    expect(stage.locator(".note")).not_to_contain_text("recorded earlier")
    expect(stage.locator(".round-name")).to_contain_text("Round 2")
    assert socket.held, "the page has not come"
    stage.evaluate("stage => { stage.dataset.seen = 'from the beginning' }")
    socket.release()
    rests(page)
    expect(stage).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    expect(stage.locator(".round-name")).to_contain_text("Round 1")
    for name in ("Play (space)", "Pause (space)"):
        expect(page.locator(".button.play")).to_have_attribute("aria-label", name)
        page.keyboard.press(" ")
    to_the_end(page)
    expect(stage).to_have_attribute("data-seen", "from the beginning")
    (address,) = asked
    assert page.request.get(address.split("?")[0]).status == 404
    with person(browser, stranger=True) as other:
        assert other.request.get(address).status == 404

    # Everything was left to specviz: the page says which drafter and draft length were chosen, and why, and the address has none of it.
    plays = page.locator(".st-key-plays")
    expect(plays).to_contain_text(re.compile(r"draft length up to \d+ .* only while it pays"))
    expect(plays).to_contain_text(re.compile(r"predicted \d\.\d×|expected to pay"))
    expect(plays).not_to_contain_text("auto")
    expect(page.locator(".st-key-changed")).to_have_count(0)
    assert not {"drafter", "k", "nodes", "policy"} & parse_qs(urlsplit(page.url).query).keys()

    # The draft length stands beside Run, on auto, and its slider opens there.
    page.get_by_role("button", name="k = auto").click()
    length = page.get_by_role("slider", name="Draft length k")
    expect(length).to_have_attribute("aria-valuetext", "auto")
    length.press("ArrowRight")
    page.wait_for_url(re.compile("[?&]k=1"))
    expect(page.get_by_role("button", name="k = 1", exact=True)).to_be_visible()
    page.keyboard.press("Escape")

    # Run with an empty prompt shows a sentence above the stage, which stays as it was.
    before = written(page)
    page.get_by_label("Prompt", exact=True).fill(" ")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_test_id("stAlert").first).to_be_visible()
    assert written(page) == before
    expect(stage).to_have_attribute("data-seen", "from the beginning")
