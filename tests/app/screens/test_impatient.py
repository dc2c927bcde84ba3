"""A visitor who does not wait, on a machine that is slow to answer."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.app.app_server import serving
from tests.app.conftest import FIXED, loaded

PROMPT = "The capital of Burkina Faso is"


@pytest.fixture(scope="module")
def sluggish(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a fresh server that nobody has visited and that sends what it has to say in heaps."""
    with serving(tmp_path_factory.mktemp("sluggish") / "log.txt", by="tests.app.sluggish") as address:
        yield address


@pytest.mark.rare
def test_run_before_the_pair_has_come(page: Page, sluggish: str) -> None:
    """The stage stays the one it was while the load, the run and the visitor all ask for the page to be written again.

    Streamlit drops what it has not sent yet of a polled part when that part is polled again, but still reports the page as complete; the
    browser then clears the part, and now and then fails on the next message for its inside. So polls of the page as it was before are
    rejected, and a poll that comes while the page is still being sent does not drop the stage.
    """
    page.goto(f"{sluggish}/?{urlencode({**FIXED, 'dtype': 'float32', 'max_new_tokens': 64, 'k': 5})}")
    stage = page.locator(".stage")
    expect(stage.locator(".role b:not(:empty)").first).to_be_visible()
    stage.evaluate("stage => { stage.dataset.seen = 'from the beginning' }")
    page.get_by_role("button", name="Run", exact=True).click()
    loaded(page)
    expect(stage.locator(".note")).not_to_contain_text("recorded earlier")
    expect(page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)).to_be_disabled()
    page.wait_for_timeout(3_000)
    expect(stage).to_have_attribute("data-seen", "from the beginning")


@pytest.mark.rare
def test_a_closed_tab_ends_its_run(browser: Browser, page: Page, server: str) -> None:
    """Who waits in line behind a long run gets the engine when the tab of that run is closed, not when the run would have been over."""
    asked = {
        **FIXED,
        "dtype": "float32",
        "max_new_tokens": 1000,
        "temperature": 2.0,
        "prompt": "Once upon a time",
        "k": 2,
    }
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    first = context.new_page()
    first.goto(f"{server}/?{urlencode(asked)}")
    loaded(first)
    page.goto(f"{server}/?{urlencode({**asked, 'max_new_tokens': 8, 'prompt': PROMPT})}")
    loaded(page)
    first.get_by_role("button", name="Run", exact=True).click()
    expect(first.locator(".stage .round-name")).to_contain_text("Round")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".stage .note")).to_contain_text("Waiting in line: 1 before you")
    first.close()
    expect(page.locator(".stage .round-name")).to_contain_text("Round", timeout=60_000)
    context.close()
