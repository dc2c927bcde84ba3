"""The race and the visit's runs as a person meets them: a real server, the real embedded pair, a real browser."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from specviz.models import load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.app.axe import serious
from tests.app.conftest import FIXED, fresh_page, loaded
from tests.app.lab import until

PROMPT = "The capital of Burkina Faso is"
LENGTH = 24
_START = re.compile(r"^(0 ms|0\.00 s)$")


def _open(page: Page, server: str, **query: str | int | float) -> None:
    page.goto(
        f"{server}/race?{urlencode({**FIXED, 'dtype': 'float32', 'max_new_tokens': LENGTH, 'prompt': PROMPT, **query})}"
    )
    expect(page.locator(".race .lane").first).to_be_visible()
    loaded(page)


def _race(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^(Race|Rematch)$")).click()
    expect(page.locator(".race .note")).not_to_contain_text("recorded earlier")


def _over(page: Page) -> None:
    """Wait until all lanes are recorded and the page has settled."""
    expect(page.locator(".race .note")).to_contain_text("replayed on one clock")
    expect(_stop_button(page)).to_be_disabled()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def _raced(page: Page, server: str, **query: str | int | float) -> None:
    """A whole race, watched from its end."""
    _open(page, server, **query)
    _race(page)
    _over(page)
    _to_the_end(page)


def _to_the_end(page: Page) -> None:
    page.locator(".race").focus()
    page.keyboard.press("End")
    expect(page.locator(".race .lane:not(.finished)")).to_have_count(0)


def _stop_button(page: Page) -> Locator:
    return page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)


def _lane(page: Page, place: int) -> Locator:
    return page.locator(".race .lane").nth(place)


def _text(lane: Locator) -> str:
    script = "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
    text: str = lane.locator(".text").evaluate(script)
    return text


def _speed(page: Page) -> Locator:
    """How fast the race is shown, as it is chosen."""
    return page.get_by_role("combobox", name="How fast it is shown").locator("option:checked")


def _busy(page: Page) -> bool:
    """Whether the page says of a lane that its times cannot be trusted, because other programs had taken the cores."""
    return page.locator(".race .headline.busy").count() > 0


def _milliseconds(words: str) -> float:
    """A time as the page writes it: in milliseconds, or in seconds where the race took one or more."""
    found = re.search(r"([\d.]+) (ms|s)\b", words)
    assert found, words
    return float(found[1]) * (1 if found[2] == "ms" else 1000)


def _numbers(lane: Locator) -> tuple[float, int]:
    """The time at the flag in milliseconds, and the tokens of the small print."""
    return _milliseconds(lane.locator(".time").inner_text()), int(lane.locator(".passes").inner_text().split()[0])


@pytest.fixture(scope="module")
def own_text() -> str:
    """What the library writes for the same prompt and settings."""
    pair = load_pair("embedded", device="cpu", dtype="float32")
    return PROMPT + Run(pair, PROMPT, Settings(max_new_tokens=LENGTH), plain=True).finish().text


@pytest.fixture(scope="module")
def raced(browser: Browser, server: str) -> Iterator[Page]:
    """The page of one race that is over, for all tests that only look at it."""
    with fresh_page(browser) as page:
        _raced(page, server)
        yield page


@pytest.fixture
def finished(raced: Page) -> Page:
    """That race, watched from its end."""
    _to_the_end(raced)
    return raced


@pytest.fixture(scope="module")
def third_lane(browser: Browser, server: str) -> Iterator[Page]:
    """The page of one race of three lanes that is over."""
    with fresh_page(browser) as page:
        page.emulate_media(reduced_motion="reduce")
        _raced(page, server, rival="embedded-tiny")
        yield page


@pytest.fixture
def three(third_lane: Page) -> Iterator[Page]:
    """That race, watched from its end. A test may leave its screen and change the size and the theme of the page."""
    page = third_lane
    if not urlsplit(page.url).path.endswith("/race"):
        page.get_by_role("link", name="Race").click()
    expect(page.locator(".race .lane")).to_have_count(3)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    _to_the_end(page)
    yield page
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 720})


def test_before_the_first_race_a_recorded_one_is_shown(page: Page, server: str) -> None:
    """Nobody looks at a blank page: a real race, said to be recorded earlier, plays at once."""
    page.goto(f"{server}/race")
    expect(page.locator(".race .note")).to_contain_text("A real race, recorded earlier")
    expect(_lane(page, 1).locator(".token:not([hidden])").first).to_be_visible()
    expect(_speed(page)).to_have_text(re.compile(r"^Slow motion, \d+×$"))


def test_a_race_ends_with_both_texts_and_says_they_are_the_same(finished: Page, own_text: str) -> None:
    """Both lanes come to their flag with the library's own text; the badge, the passes and the factor are there."""
    plain, speculative = _lane(finished, 0), _lane(finished, 1)
    assert _text(plain) == _text(speculative) == own_text
    expect(speculative.locator(".badge")).to_have_text("✓ same text as plain")
    expect(plain.locator(".badge")).to_be_hidden()
    expect(speculative.locator(".passes")).to_have_text(re.compile(rf"^{LENGTH} tokens in \d+ passes$"))
    expect(plain.locator(".passes")).to_have_text(f"{LENGTH} tokens in {LENGTH} passes")
    expect(_speed(finished)).to_have_text(re.compile(r"^(Real time|Slow motion, [\d.]+×)$"))
    places = {plain.locator(".place").inner_text(), speculative.locator(".place").inner_text()}
    assert places == ({""} if _busy(finished) else {"1st", "2nd"})


def test_the_figures_are_those_of_the_recorded_times(finished: Page) -> None:
    """Tokens a second, the speedup and the gap follow from the times at the flags, as exactly as rounded numbers can show it."""
    plain, speculative = _lane(finished, 0), _lane(finished, 1)
    (plain_ms, plain_tokens), (own_ms, own_tokens) = _numbers(plain), _numbers(speculative)
    assert plain_tokens == own_tokens == LENGTH
    rounded = 0.6 if "ms" in plain.locator(".time").inner_text() else 6
    for ms, shown in ((plain_ms, plain.locator(".headline .value")), (own_ms, speculative.locator(".rate .value"))):
        rate = 1000 * LENGTH / ms
        assert float(shown.inner_text()) == pytest.approx(rate, abs=0.6 + rate * rounded / ms)
    speculative.locator(".headline").focus()
    said = finished.locator(".race .caption")
    if _busy(finished):  # other programs had taken the cores while this test ran: no headline, and the reason in reach
        expect(said).to_contain_text(re.compile("No figure can be trusted|differ too much"))
        expect(speculative.locator(".gap .label")).to_contain_text("not trusted")
        return
    ratio = plain_ms / own_ms
    shown_ratio = float(speculative.locator(".headline .value").inner_text().rstrip("×"))
    assert shown_ratio == pytest.approx(ratio, abs=0.006 + ratio * (rounded / plain_ms + rounded / own_ms))
    words = "slower than plain$" if shown_ratio < 0.995 else "^as fast as plain$"
    expect(speculative.locator(".headline .small")).to_have_text(re.compile(words))
    expect(said).to_contain_text(re.compile(r"with it: \d+\.\d\d×"))
    gap = speculative.locator(".gap .label").inner_text()
    assert ("earlier" if plain_ms > own_ms else "later") in gap
    assert _milliseconds(gap) == pytest.approx(abs(plain_ms - own_ms), abs=2 * rounded + (60 if rounded > 1 else 0))


def test_three_lanes(three: Page, own_text: str) -> None:
    """Another draft of the same target races in a third lane and writes the same text; all three have a place."""
    page = three
    expect(page.locator(".race .lane")).to_have_count(3)
    expect(page.locator(".race .name")).to_have_text(["Plain", "embedded", "embedded-tiny"])
    expect(_lane(page, 2).locator(".words")).to_have_text("draft model · k = 5")
    expect(_lane(page, 2).locator(".badge")).to_have_text("✓ same text as plain")
    assert _text(_lane(page, 2)) == own_text
    if _busy(page):
        assert page.locator(".race .place").all_inner_texts() == [""] * 3
    else:
        assert sorted(page.locator(".race .place").all_inner_texts()) == ["1st", "2nd", "3rd"]
        expect(_lane(page, 2).locator(".headline .value")).to_have_text(re.compile(r"^\d+\.\d\d×$"))


def _drawer(page: Page) -> Locator:
    """The runs of the visit, opened."""
    drawer = page.get_by_role("dialog")
    if not drawer.count():
        page.get_by_role("button", name=re.compile("^Runs")).click()
    expect(drawer.get_by_text("Runs of this visit")).to_be_visible()
    return drawer


def test_a_rematch_adds_to_the_chart_and_the_table(page: Page, server: str) -> None:
    """Every race of the visit is a mark in the chart and a row in the table, by drafter and k; a setting survives every change of screen, and
    a race is a run on Watch too."""
    page.emulate_media(reduced_motion="reduce")
    _raced(page, server)
    page.get_by_role("button", name="k = 5", exact=True).click()
    page.get_by_role("slider", name="Draft length k").press("ArrowLeft")
    page.wait_for_url(re.compile("[?&]k=4"))
    page.keyboard.press("Escape")
    _race(page)
    _over(page)
    drawer = _drawer(page)
    expect(drawer.locator(".js-plotly-plot .points path")).to_have_count(2)
    expect(drawer.locator(".js-plotly-plot .legendtext")).to_have_text(["embedded, k = 5", "embedded, k = 4"])
    expect(drawer.get_by_test_id("stDataFrame").locator("tbody tr")).to_have_count(2)
    expect(drawer.get_by_text("Tick one run")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(PROMPT)
    expect(page.locator(".stage .note")).not_to_contain_text("recorded earlier")
    expect(page.get_by_role("button", name="k = 4", exact=True)).to_be_visible()
    page.get_by_role("link", name="Race").click()
    expect(_lane(page, 1).locator(".words")).to_have_text("embedded · k = 4")


def test_any_two_runs_stand_side_by_side(three: Page) -> None:
    """The visit's runs are listed; one ticked is shown alone, two on one clock. None is compared with plain decoding there. Closed, the drawer
    leaves the address."""
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
    three.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(three).not_to_have_url(re.compile("runs="))


def test_keys_and_controls_move_the_one_clock(finished: Page, own_text: str) -> None:
    """Home, arrows, End, space, the scrubber and the choice of speed; every control has a name."""
    page = finished
    page.keyboard.press("Home")
    expect(page.locator(".race .clock")).to_have_text(_START)
    assert _text(_lane(page, 0)) == PROMPT
    page.keyboard.press("ArrowRight")
    expect(page.locator(".race .token:not([hidden])").first).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".race .clock")).to_have_text(_START)
    page.get_by_role("combobox", name="How fast it is shown").select_option("Real time")
    expect(_speed(page)).to_have_text("Real time")
    page.get_by_role("combobox", name="How fast it is shown").select_option("Slow motion, 500×")
    expect(_speed(page)).to_have_text("Slow motion, 500×")
    page.locator(".race").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()
    page.get_by_role("slider", name="Time on the clock").fill("1000")
    expect(page.locator(".race .lane:not(.finished)")).to_have_count(0)
    assert _text(_lane(page, 0)) == own_text
    page.get_by_role("button", name="Restart (Home)").click()
    expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
    nameless = page.locator(".race").evaluate(
        """race => [...race.querySelectorAll("button, input, select")]
            .filter((n) => !n.classList.contains("figure") && !n.getAttribute("aria-label")).length"""
    )
    assert nameless == 0


def test_nothing_jumps_while_the_tokens_come(finished: Page) -> None:
    """Lanes and controls stand where they stood, from the first token to the last."""
    page = finished
    page.keyboard.press("Home")
    places = """race => [...race.querySelectorAll(".lane, .controls, .axis, .track, .gap, .text, .saying")]
        .map((n) => n.getBoundingClientRect()).map((r) => [r.left, r.top, r.width, r.height].map(Math.round).join())"""
    expect(page.locator(".race .clock")).to_have_text(_START)
    before = page.locator(".race").evaluate(places)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert page.locator(".race").evaluate(places) == before
    page.keyboard.press("End")
    expect(page.locator(".race .lane:not(.finished)")).to_have_count(0)
    assert page.locator(".race").evaluate(places) == before


def test_only_finishes_are_announced(finished: Page) -> None:
    """Those who listen hear who finished, when and in which place, and nothing else."""
    page = finished
    spoken = page.locator(".race [aria-live]")
    place = "" if _busy(page) else ", (1st|2nd)"
    expect(spoken).to_have_text(re.compile(rf"Plain .* finished{place}: 24 tokens in [\d.]+ m?s\."))
    heard = spoken.inner_text()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".race .token:not([hidden])").first).to_be_visible()
    assert spoken.inner_text() == heard


def _no_runs(page: Page, server: str) -> None:
    page.goto(f"{server}/runs")
    expect(page.get_by_text("Nothing has run yet on this visit")).to_be_visible()


def _two_runs(page: Page) -> None:
    """The drawer with both runs of the race ticked, watched from their end."""
    drawer = _drawer(page)
    expect(drawer.get_by_test_id("stDataFrame").locator("tbody tr")).to_have_count(2)
    for row in range(2):
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        _tick(drawer, row)
    drawer.locator(".race").focus()
    page.keyboard.press("End")
    expect(drawer.locator(".race .lane:not(.finished)")).to_have_count(0)


def _tick(drawer: Locator, row: int) -> None:
    """Tick a row of the table. A busy machine's table may not hear the first click; a second one would take a tick back that it did hear."""
    table = drawer.get_by_test_id("stDataFrame")
    ticked = table.locator("tbody tr").nth(row)
    for _ in range(4):
        if ticked.get_attribute("aria-selected") == "true":
            break
        table.click(position={"x": 16, "y": 36 + 36 * row + 18})
        try:
            expect(ticked).to_have_attribute("aria-selected", "true", timeout=10_000)
        except AssertionError:
            continue
    expect(drawer.locator(".race .lane")).to_have_count(row + 1)


def test_nothing_sticks_out_on_a_phone(page: Page, three: Page, server: str) -> None:
    """At 390 wide neither a page nor its lanes are wider than the screen: no runs yet, a race, two runs side by side."""

    def fits(page: Page) -> None:
        assert until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= 390)
        out = "all => all.filter(e => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > 390).length"
        assert until(page, lambda: page.locator(".race .lane").evaluate_all(out) == 0)

    for one in (page, three):
        one.set_viewport_size({"width": 390, "height": 844})
    _no_runs(page, server)
    fits(page)
    fits(three)
    _two_runs(three)
    fits(three)


@pytest.mark.accessibility
def test_axe_finds_nothing_serious(three: Page) -> None:
    """axe-core has no serious or critical complaint about a race or two runs side by side, in either theme."""
    _axe_in_both_themes(three)
    _two_runs(three)
    _axe_in_both_themes(three)


def _axe_in_both_themes(page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        expect(page.locator(".race").first).to_have_attribute("data-theme", scheme)
        page.wait_for_timeout(300)  # the fading of colours comes to rest
        assert serious(page) == [], scheme
