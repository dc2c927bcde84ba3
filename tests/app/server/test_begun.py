"""The player follows a run that Run begins before its page is rendered."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.app.conftest import person, to_the_end, visit

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
    """While nothing of the page comes, its run is on the stage; once the page has come, the same run goes on where it was. Without its key, or for
    another browser, the address of the run has nothing."""
    socket, asked = _Held(page), list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/begun/" in request.url else None)
    visit(page, server, max_new_tokens=16)
    socket.held = []
    page.get_by_role("button", name="Run", exact=True).click()
    stage = page.locator(".stage")
    expect(stage.locator(".note")).not_to_contain_text("recorded earlier")
    expect(stage.locator(".round-name")).to_contain_text("Round 2")
    assert socket.held, "the page has not come"
    stage.evaluate("stage => { stage.dataset.seen = 'from the beginning' }")
    socket.release()
    to_the_end(page)
    expect(stage).to_have_attribute("data-seen", "from the beginning")
    (address,) = asked
    assert page.request.get(address.split("?")[0]).status == 404
    with person(browser, stranger=True) as other:
        assert other.request.get(address).status == 404


def test_who_gets_no_run_keeps_the_stage(page: Page, server: str) -> None:
    """Run with an empty prompt: the sentence stands above the stage, and the stage shows what it showed."""
    visit(page, server)
    before = page.locator(".stage .note").inner_text()
    page.get_by_label("Prompt", exact=True).fill(" ")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_test_id("stAlert").first).to_be_visible()
    assert page.locator(".stage .note").inner_text() == before
