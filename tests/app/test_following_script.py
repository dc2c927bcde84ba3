"""follow_component.js on a page of its own: when it asks the server for a part, and when for the whole page."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route

from specviz.reporting.player.scripts import script

pytestmark = pytest.mark.browser

SITE = "http://page.test"
_PAGE = """<main><section class="st-key-follow-page"><span hidden></span></section><section class="st-key-follow-a"><span hidden></span></section></main>
<button>Go</button>"""
_MOUNT = """async ([script, address]) => {
  const { default: mount } = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  window.asked = [];
  window.EventSource = class extends EventSource {
    constructor(...given) { super(...given); this.addEventListener("message", () => { window.heard = true; }); }
  };
  const told = (name) => ({
    parentElement: document.querySelector(`.st-key-follow-${name}`),
    setTriggerValue: () => window.asked.push(name),
  });
  mount({ ...told("page"), data: { address: "", rung: 0 } });
  if (address) mount({ ...told("a"), data: { address, rung: 0 } });
}"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """A page whose clock the test moves."""
    with browser.new_context() as context:
        yield context.new_page()


def _open(page: Page, address: str = "") -> None:
    def answer(route: Route) -> None:
        if "events" in route.request.url:
            news = json.dumps({"set": {"rung": 1}})
            route.fulfill(content_type="text/event-stream", body=f"id: 1\ndata: {news}\n\n")
        else:
            route.fulfill(content_type="text/html", body=_PAGE)

    page.route(f"{SITE}/**", answer)
    page.clock.install(time=0)
    page.goto(SITE)
    page.clock.pause_at(60_000)
    page.evaluate(_MOUNT, [script("follow"), address])


def test_a_part_is_asked_for_once_and_not_right_after_a_click(blank: Page) -> None:
    """A click can lead to another page: what is asked for the one before has Streamlit clear the new one."""
    with blank.expect_event("requestfinished", lambda request: "events" in request.url):
        _open(blank, f"{SITE}/events")
    blank.wait_for_function("window.heard")
    blank.get_by_role("button").click()
    blank.clock.run_for(900)
    assert blank.evaluate("asked") == []
    blank.clock.run_for(300)
    assert blank.evaluate("asked") == ["a"]


def test_a_cleared_page_is_asked_for_again(blank: Page) -> None:
    """One with parts is left alone; an empty one is asked for after two seconds, then after four more, so that a slow one comes at last."""
    _open(blank)
    blank.clock.run_for(10_000)
    assert blank.evaluate("asked") == []
    blank.evaluate("document.querySelector('.st-key-follow-a').remove()")
    for wait, count in ((1900, 0), (200, 1), (3800, 1), (300, 2)):
        blank.clock.run_for(wait)
        assert blank.evaluate("asked") == ["page"] * count
    blank.evaluate("document.querySelector('main').append(document.createElement('p'))")
    blank.clock.run_for(60_000)
    assert blank.evaluate("asked.length") == 2
