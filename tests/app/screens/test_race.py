"""The race and the visit's runs as a person meets them: a real server, the real embedded pair, a real browser."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.conftest import PROMPT, fresh_page, loaded, rests, stop_button, visit
from tests.app.lab import until

LENGTH = 24


def _raced(page: Page, server: str) -> None:
    visit(page, server, "race", prompt=PROMPT, rival="embedded-tiny")
    expect(page.locator(".race .name")).to_have_text(["A letter", "JSON", "Code", "Verse"])
    loaded(page)
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race .note")).to_contain_text("Each lane ran alone, after a warm-up")
    expect(stop_button(page)).to_have_count(0)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    _to_the_end(page)


def _to_the_end(page: Page) -> None:
    page.locator(".race").focus()
    page.keyboard.press("End")
    expect(page.locator(".race .lane:not(.finished)")).to_have_count(0)


def _lane(page: Page, place: int) -> Locator:
    return page.locator(".race .lane").nth(place)


def _text(lane: Locator) -> str:
    script = "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
    text: str = lane.locator(".text").evaluate(script)
    return text


def _speed(page: Page) -> Locator:
    return page.get_by_role("combobox", name="How fast it is shown").locator("option:checked")


@pytest.fixture(scope="module")
def third_lane(browser: Browser, server: str) -> Iterator[Page]:
    """The page of one race of three lanes that is over; before the first one four kinds of text are shown."""
    with fresh_page(browser) as page:
        page.emulate_media(reduced_motion="reduce")
        _raced(page, server)
        yield page


@pytest.fixture
def three(third_lane: Page) -> Iterator[Page]:
    """That race, watched from its end. A test may leave its screen and change the size of the page."""
    page = third_lane
    if not urlsplit(page.url).path.endswith("/race"):
        page.get_by_role("link", name="Race").click()
    expect(page.locator(".race .lane")).to_have_count(3)
    rests(page)
    _to_the_end(page)
    yield page
    page.set_viewport_size({"width": 1280, "height": 720})


def test_a_race_ends_with_the_text_of_plain_decoding_in_every_lane(three: Page, own_text: str) -> None:
    """All three lanes come to their flag with the library's own text, whatever drafts; the badges, the passes and a place for each are there."""
    names, lanes = three.locator(".race .name"), three.locator(".race .lane")
    expect(names).to_have_text(["Plain", "embedded", "embedded-tiny"])
    expect(_lane(three, 2).locator(".words")).to_have_text("draft model · k = 5")
    assert [_text(lane) for lane in lanes.all()] == [own_text] * 3
    assert three.locator(".race .badge:visible").all_inner_texts() == ["✓ same text as plain"] * 2
    expect(_lane(three, 0).locator(".passes")).to_have_text(f"{LENGTH} tokens in {LENGTH} passes")
    expect(_lane(three, 1).locator(".passes")).to_have_text(re.compile(rf"^{LENGTH} tokens in \d+ passes$"))
    expect(_speed(three)).to_have_text(re.compile(r"^(Real time|Slow motion, [\d.]+×)$"))
    busy = three.locator(".race .headline.busy").count() > 0  # other programs had taken the cores while this test ran
    assert sorted(three.locator(".race .place").all_inner_texts()) == ([""] * 3 if busy else ["1st", "2nd", "3rd"])


def test_a_race_is_a_run_on_watch_too(three: Page) -> None:
    """With its prompt, and it is there again on the way back. Its menu gives the code of a frame."""
    three.get_by_role("button", name="Save and share").click()
    expect(three.locator("code", has_text="-race.html?embed=1")).to_be_visible()
    three.keyboard.press("Escape")
    three.get_by_role("link", name="Watch").click()
    expect(three.get_by_role("textbox", name="Prompt")).to_have_value(PROMPT)
    expect(three.locator(".stage .manuscript .prompt")).to_have_text(PROMPT)
    expect(three.locator(".stage .note")).not_to_contain_text("recorded earlier")
    three.get_by_role("link", name="Race").click()
    expect(_lane(three, 2).locator(".words")).to_have_text("draft model · k = 5")


def _drawer(page: Page) -> Locator:
    drawer = page.get_by_role("dialog")
    if not drawer.count():
        page.get_by_role("button", name=re.compile("^Runs")).click()
    expect(drawer.get_by_text("Runs of this visit")).to_be_visible()
    return drawer


def test_any_two_runs_stand_side_by_side(three: Page) -> None:
    """The visit's runs are listed; one ticked is shown alone, two on one clock. None is compared with plain decoding there. On a phone nothing is
    wider than the screen. Closed, the drawer leaves the address."""
    drawer = _drawer(three)
    expect(drawer.get_by_text("Tick one run to replay it")).to_be_visible()
    expect(three).to_have_url(re.compile("runs="))
    _two_runs(three)
    expect(drawer.get_by_text(re.compile("^Both on one clock")).first).to_be_visible()
    expect(drawer.locator(".race .name")).to_have_text(["Run 1", "Run 2"])
    lanes = drawer.locator(".race .lane")
    assert _text(lanes.nth(0)) == _text(lanes.nth(1))
    expect(drawer.locator(".race .gap:visible")).to_have_count(0)
    said = drawer.locator(".race .headline .small").all_text_contents()
    reasons = ("", ", but this machine is busy", ", but the timings do not agree")
    assert set(said) <= {f"tokens a second{reason}" for reason in reasons}, said
    three.set_viewport_size({"width": 390, "height": 844})
    out = "all => all.filter(e => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > 390).length"
    assert until(three, lambda: three.evaluate("document.documentElement.scrollWidth") <= 390)
    assert until(three, lambda: three.locator(".race .lane").evaluate_all(out) == 0)
    three.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(three).not_to_have_url(re.compile("runs="))


def _two_runs(page: Page) -> None:
    """The drawer with both runs of the race ticked, watched from their end."""
    drawer = _drawer(page)
    expect(drawer.get_by_test_id("stDataFrame").locator("tbody tr")).to_have_count(2)
    for row in range(2):
        rests(page)
        _tick(drawer, row)
    drawer.locator(".race").focus()
    page.keyboard.press("End")
    expect(drawer.locator(".race .lane:not(.finished)")).to_have_count(0)


def _tick(drawer: Locator, row: int) -> None:
    table = drawer.get_by_test_id("stDataFrame")
    table.click(position={"x": 16, "y": 36 + 36 * row + 18})
    expect(table.locator("tbody tr").nth(row)).to_have_attribute("aria-selected", "true")
    expect(drawer.locator(".race .lane")).to_have_count(row + 1)
