"""A real server and a real browser for the tests of the page."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect, sync_playwright

from app.server import engine, resources
from app.server.jobs import Jobs
from app.server.visitors import COOKIE
from specviz.lessons.files import VARIABLE
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.app.app_server import serving
from tests.app.chromium import FLAGS, find, returning
from tests.app.lab import Lab
from tests.helpers.engines import fake_engines
from tests.helpers.views import MIXED, plain_of, trace_of, view_of

PROMPT = "The capital of Burkina Faso is"
PATIENCE_MS = 120_000
"""How long anything on a page may take beside other programs; where all is well nothing waits."""
expect.set_options(timeout=PATIENCE_MS)

KEYNOTE: ViewportSize = {"width": 1280, "height": 720}
FORGET = """if (window === top && location.protocol.startsWith("http") && window.name !== "visited") {
    localStorage.clear();
    window.name = "visited";
}"""
"""The first page that a tab opens finds nothing that another test left; what it stores outlives a reload."""

TYPED = re.compile("Burkina Faso|Hamlet|Once upon a time")
"""Of prompts of runs that work, fail and are stopped: neither they nor what is written stand in a server's log."""
FIXED = {"drafter": "model", "k": 5, "policy": "fixed"}
"""Of a link to a page whose test knows the rounds: what the page leaves to specviz depends on the machine."""


@pytest.fixture(scope="session")
def server_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the app writes: its log, and what visitors make."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def server(server_folder: Path) -> Iterator[str]:
    """The address of the app, started as a person would start it, with engines that do not time a run again and again."""
    lessons = server_folder / "lessons"
    lessons.mkdir()  # for lessons of one's own, which a test takes away again
    own = {VARIABLE: str(lessons)}
    with serving(server_folder / "log.txt", by="tests.app.hasty", environment=own) as address:
        yield address
    assert not TYPED.search((server_folder / "log.txt").read_text()), "a prompt is in the server's log"


@pytest.fixture(scope="session", autouse=True)
def no_engine() -> Iterator[None]:
    """Pages without a server have a queue whose engine never comes: to start one takes longer than what they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "EngineProcess", fake_engines())
        queue = Jobs()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resources, "jobs", lambda: queue)
        yield
    queue.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; its absence is a failure, not a skip."""
    path = find()
    assert path, "no Chromium on this machine: run 'python tests/app/chromium.py'"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        shared = running.new_context(viewport=KEYNOTE)
        shared.add_init_script(FORGET)
        returning(shared)
        first = shared.new_page()
        first.route("**/*", lambda route: route.fulfill(body=""))
        first.goto("http://localhost/")
        yield running
        running.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A new page of keynote size with nothing stored, of a visitor of its own; an error if its script throws.

    All fresh pages share one context, and so Streamlit's files, and are opened by its first page, and so share the process in which Streamlit's
    scripts are compiled: in a process of its own a page takes half as much processor time again, in a context of its own twice as much. A test
    about two visitors at a time makes a context of its own.
    """
    shared = browser.contexts[0]
    shared.clear_cookies(name=COOKIE)
    with shared.expect_page() as opened:
        shared.pages[0].evaluate("void window.open('about:blank')")
    fresh = opened.value
    fresh.set_default_timeout(PATIENCE_MS)
    thrown: list[str] = []
    fresh.on("pageerror", lambda error: thrown.append(str(error)))
    yield fresh
    fresh.close()
    assert not thrown, f"the page's script threw: {thrown}"


def shown_as(text: str) -> re.Pattern[str]:
    """What finds a visitor's text on the page: word joiners there keep an address from becoming a link."""
    return re.compile("\u2060?".join(map(re.escape, text)))


def unfold(page: Page) -> None:
    """Open the sidebar with the models and the settings, if it is folded."""
    button = page.get_by_test_id("stExpandSidebarButton")
    expect(button.or_(page.get_by_test_id("stSidebarCollapseButton")).first).to_be_attached()
    if button.count():
        button.click()
    expect(button).to_have_count(0)


def loaded(page: Page) -> None:
    """Wait until the models are loaded, which the sidebar says, folded or not."""
    expect(page.get_by_text("plain decoding measured at load")).to_be_attached()


def visit(page: Page, server: str, path: str = "", **query: str | float) -> None:
    """Open Watch, or the screen of a path, with known rounds, until its stage or its lanes are there."""
    page.goto(f"{server}/{path}?{urlencode({**FIXED, 'dtype': 'float32', 'max_new_tokens': 24, **query})}")
    expect(page.locator(".stage .role b:not(:empty), .st-key-awaits-run, .race .lane").first).to_be_visible()


def rests(page: Page) -> None:
    """Wait until the page's script has ended."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def choose_example(page: Page, title: str) -> None:
    """Put a ready-made prompt into the box; the list of them closes."""
    page.get_by_role("button", name="Example prompts").click()
    choice = page.get_by_test_id("stPopoverBody").get_by_role("button", name=title, exact=True)
    choice.click()
    expect(choice).to_have_count(0)


def stop_button(page: Page) -> Locator:
    """Of the screen, not of a part that measures."""
    return page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)


def to_the_end(page: Page) -> None:
    """Go to the end of the run on the stage, after its last round."""
    page.locator(".stage").focus()
    page.keyboard.press("End")
    expect(page.locator(".scrubber")).to_have_js_property("value", "1000")


@contextmanager
def person(browser: Browser, *, phone: bool = False, stranger: bool = False, **options: Any) -> Iterator[Page]:
    """Somebody with a browser of his own, who has been here unless he is a stranger; an error if the page's script throws."""
    size = {"width": 390, "height": 844} if phone else KEYNOTE
    with browser.new_context(**{"viewport": size, "reduced_motion": "reduce", **options}) as context:
        if not stranger:
            returning(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        thrown: list[str] = []
        page.on("pageerror", lambda error: thrown.append(str(error)))
        yield page
    assert not thrown, thrown


@pytest.fixture(scope="module")
def opened(browser: Browser, server: str) -> Iterator[Page]:
    """One page for all tests of a file, in their order."""
    with fresh_page(browser) as page:
        visit(page, server)
        loaded(page)
        yield page


@pytest.fixture(scope="session")
def own_text(embedded: Pair) -> str:
    """What the library writes for the prompt and settings of the tests' own runs."""
    return PROMPT + Run(embedded, PROMPT, Settings(max_new_tokens=24), plain=True).finish().text


def until_it_is(condition: Callable[[], bool], seconds: float = 240.0) -> None:
    """Wait long: on a busy machine an engine process alone can take more than a minute to start."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page of keynote size that fails the test if its script throws."""
    with fresh_page(browser) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def _kept(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """One page for everything that needs no server, and what its scripts threw: to open a page costs more than most tests do on it."""
    with fresh_page(browser) as page:
        thrown: list[str] = []
        page.on("pageerror", lambda error: thrown.append(str(error)))
        yield page, thrown


@pytest.fixture
def blank(_kept: tuple[Page, list[str]]) -> Iterator[Page]:
    """An empty page of keynote size that fails the test if its script throws. A test may change its size and its media, nothing else that stays."""
    page, thrown = _kept
    thrown.clear()
    page.set_viewport_size(KEYNOTE)
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
    page.mouse.move(0, 0)
    page.goto("about:blank")
    yield page
    assert not thrown, f"the page's script threw: {thrown}"


@pytest.fixture
def lab(blank: Page) -> Lab:
    """The player alone on an empty page."""
    return Lab(blank)


@pytest.fixture
def mixed(lab: Lab) -> Lab:
    """A run of four rounds with its plain run, paused at its start."""
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home")
    return lab
