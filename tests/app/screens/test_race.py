"""The race and the visit's runs as a person meets them: a real server, the real embedded pair, a real browser."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import PROMPT, loaded, rests, stop_button, visit
from tests.app.lab import tooltips, until

LENGTH = 24


def _to_the_end(part: Page | Locator) -> None:
    """Go to the end of the race on the page or in its drawer."""
    part.locator(".race").press("End")
    expect(part.locator(".race .lane:not(.finished)")).to_have_count(0)


def _text(lane: Locator) -> str:
    script = "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
    text: str = lane.locator(".text").evaluate(script)
    return text


def test_a_race_and_its_runs(page: Page, server: str, own_text: str) -> None:
    """Three lanes write the library's own text; the race is a run on Watch too; any two runs stand side by side."""
    page.emulate_media(reduced_motion="reduce")
    visit(page, server, "race", prompt=PROMPT, rival="embedded-tiny", runs="none")
    drawer = page.get_by_role("dialog")
    expect(drawer, "an address can open the list of runs").to_contain_text("Nothing has run yet")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    names, lanes = page.locator(".race .name"), page.locator(".race .lane")
    expect(names, "before the first race there are four kinds of text").to_have_text(
        ["A letter", "JSON", "Code", "Verse"]
    )
    loaded(page)
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race .note")).to_contain_text("Each lane ran alone, after a warm-up")
    expect(stop_button(page)).to_have_count(0)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    _to_the_end(page)

    # All lanes come to their flag with the same text, whatever drafts; the badges, the passes and a place for each are there.
    expect(names).to_have_text(["Plain", "embedded", "embedded-tiny"])
    rival = lanes.nth(2).locator(".words")
    expect(rival).to_have_text("draft model · k = 5")
    assert [_text(lane) for lane in lanes.all()] == [own_text] * 3
    assert page.locator(".race .badge:visible").all_inner_texts() == ["✓ same text as plain"] * 2
    expect(lanes.nth(0).locator(".passes")).to_have_text(f"{LENGTH} tokens in {LENGTH} passes")
    expect(lanes.nth(1).locator(".passes")).to_have_text(re.compile(rf"^{LENGTH} tokens in \d+ passes$"))
    speed = page.get_by_role("combobox", name="How fast it is shown").locator("option:checked")
    expect(speed).to_have_text(re.compile(r"^(Real time|Slow motion, [\d.]+×)$"))
    busy = page.locator(".race .headline.busy").count() > 0  # other programs had taken the cores while this test ran
    assert sorted(page.locator(".race .place").all_inner_texts()) == ([""] * 3 if busy else ["1st", "2nd", "3rd"])

    # Its menu gives the code of a frame. On Watch it is there with its prompt, and it is there again on the way back.
    page.get_by_role("button", name="Save and share").click()
    expect(page.locator("code", has_text="-race.html?embed=1")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Watch").click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(PROMPT)
    expect(page.locator(".stage .manuscript .prompt")).to_have_text(PROMPT)
    expect(page.locator(".stage .note")).not_to_contain_text("recorded earlier")
    page.get_by_role("link", name="Race").click()
    expect(rival).to_have_text("draft model · k = 5")

    # The visit's runs are listed; one ticked is shown alone, two on one clock, and none is compared with plain decoding.
    rests(page)
    page.get_by_role("button", name=re.compile("^Runs")).click()
    expect(drawer.get_by_text("Runs of this visit")).to_be_visible()
    expect(drawer.get_by_text("Tick one run to replay it")).to_be_visible()
    expect(page).to_have_url(re.compile("runs="))
    table = drawer.get_by_test_id("stDataFrame")
    expect(table.locator("tbody tr")).to_have_count(2)
    assert not tooltips(page)
    for row in range(2):
        rests(page)
        table.click(position={"x": 16, "y": 36 + 36 * row + 18})
        expect(table.locator("tbody tr").nth(row)).to_have_attribute("aria-selected", "true")
        expect(drawer.locator(".race .lane")).to_have_count(row + 1)
    _to_the_end(drawer)
    expect(drawer.get_by_text(re.compile("^Both on one clock")).first).to_be_visible()
    expect(drawer.locator(".race .name")).to_have_text(["Run 1", "Run 2"])
    first, second = drawer.locator(".race .lane").all()
    assert _text(first) == _text(second)
    expect(drawer.locator(".race .gap:visible")).to_have_count(0)
    headlines = drawer.locator(".race .headline .small").all_text_contents()
    reasons = ("", ", but this machine is busy", ", but the timings do not agree")
    assert set(headlines) <= {f"tokens a second{reason}" for reason in reasons}, headlines

    # On a phone nothing is wider than the screen. Closed, the drawer leaves the address.
    page.set_viewport_size({"width": 390, "height": 844})
    out = "all => all.filter(e => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > 390).length"
    assert until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= 390)
    assert until(page, lambda: page.locator(".race .lane").evaluate_all(out) == 0)
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(page).not_to_have_url(re.compile("runs="))
