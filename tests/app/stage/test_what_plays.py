"""What is asked and what is shown: the page says what plays, and neither a screen, a reload nor an error loses it."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import KEYNOTE, PROMPT, choose_example, rests
from tests.app.lab import box_of, resting, until

CHANGED = "changed: press Run"
CAUTION = "The built-in tiny model continues English text and often gets facts wrong: watch the speed, not the answers."


def _run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()


def _run_in_address(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("run", [""])[0]


def _changed(page: Page) -> Locator:
    return page.locator(".st-key-changed")


def _plays(page: Page) -> Locator:
    return page.locator(".st-key-plays")


def test_the_page_says_what_plays(opened: Page) -> None:
    """Another prompt is said to be a change until Run is pressed, and what plays is then a run with it; a reload, another screen and large type keep it."""
    page, prompt = opened, opened.get_by_role("textbox", name="Prompt")
    side, unfold = page.get_by_test_id("stSidebar"), page.get_by_test_id("stExpandSidebarButton")

    # At first the sidebar is folded, the prompt has its two lines, and under the stage stand the models, the settings and what not to expect.
    box = side.bounding_box()
    assert box is None or box["x"] + box["width"] <= 1
    assert until(page, lambda: prompt.evaluate("box => box.offsetHeight") <= 66)
    expect(unfold).to_be_visible()
    assert box_of(page.locator(".stage"))["width"] > 0.9 * KEYNOTE["width"]
    expect(_plays(page)).to_contain_text(CAUTION)
    recorded = "a recorded run · Built-in tiny model · draft model · draft length 4 · temperature 0"
    expect(_plays(page)).to_contain_text(recorded)
    expect(_changed(page)).to_have_count(0)

    # On the way from the top of the page to the prompt Tab meets nothing that cannot be seen; the sidebar is unfolded, reached and folded by the keyboard alone.
    page.locator("body").evaluate("body => { body.tabIndex = -1; body.focus(); }")
    for _ in range(20):
        page.keyboard.press("Tab")
        assert side.locator(":focus").count() == 0
        if prompt.evaluate("box => box === document.activeElement"):
            break
    expect(prompt).to_be_focused()
    unfold.press("Enter")
    expect(side.get_by_role("radiogroup", name="Models")).to_be_visible()
    page.locator("body").evaluate("body => body.focus()")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(side.get_by_role("button", name="Collapse sidebar")).to_be_focused()
    page.keyboard.press("Enter")
    expect(side.get_by_role("radiogroup", name="Models")).to_be_hidden()

    # Run plays what was chosen; after a reload the address names the run, and the server still has it.
    choose_example(page, "A capital")
    expect(_changed(page)).to_contain_text(CHANGED)
    _run(page)
    expect(_changed(page)).to_have_count(0)
    page.wait_for_url(re.compile("run="))
    name = _run_in_address(page)
    for again in (False, True):
        if again:
            page.reload()
        expect(_plays(page)).to_contain_text("a run of this visit · Built-in tiny model · draft model · draft length 5")
        expect(page.locator(".manuscript .prompt")).to_have_text(PROMPT)
        expect(page.locator(".manuscript .token").first).to_be_attached()
    expect(_changed(page)).to_have_count(0)
    assert _run_in_address(page) == name

    # Teaching goes from Watch to Race and back, with the prompt and what was on the stage.
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".stage.talk")).to_be_visible()
    page.locator("a[href*='race?teach']").click()  # those of before go when the page has been rendered
    expect(page.locator(".race.talk .lane").first).to_be_visible()
    expect(page).to_have_url(re.compile("teach=1"))
    expect(page.locator(".race .lane .prompt").first).to_have_text(PROMPT)
    page.get_by_role("link", name="Watch").last.click()
    expect(page.locator(".stage.talk .manuscript .prompt")).to_have_text(PROMPT)
    page.get_by_role("button", name="Prompt", exact=True).click()
    expect(prompt).to_have_value(PROMPT)
    page.keyboard.press("Escape")
    _picker_moves_nothing(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".stage:not(.talk)")).to_be_visible()

    # A menu that a press on another screen closes speaks after that press, and does not lead back.
    page.get_by_role("link", name="Race").first.click()
    expect(page.locator(".race .lane").first).to_be_visible()
    rests(page)
    page.get_by_role("button", name="Save and share").click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    page.get_by_role("link", name="Watch").first.click(delay=120)
    expect(page.locator(".stage .manuscript .prompt")).to_have_text(PROMPT)
    rests(page)
    expect(page.locator(".race")).to_have_count(0)

    # After Run on a phone the top of the stage is in the upper quarter of the screen, without a scroll of the visitor's.
    page.set_viewport_size({"width": 390, "height": 844})
    choose_example(page, "A currency")
    expect(_changed(page)).to_contain_text(CHANGED)
    _run(page)
    expect(page.locator(".manuscript .prompt")).to_contain_text("Japan")
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 50")
    assert until(page, lambda: 0 <= page.locator(".stage").evaluate("e => e.getBoundingClientRect().top") < 844 / 4)


def _picker_moves_nothing(page: Page) -> None:
    """In a window of any width the stage stays where it is when another prompt is chosen, and the bar says so."""
    top = "stage => stage.getBoundingClientRect().top + document.querySelector('[data-testid=stMain]').scrollTop"
    stage = page.locator(".stage.talk")
    for width, title in ((1280, "A question"), (390, "A capital")):
        page.set_viewport_size({"width": width, "height": 844})
        before = resting(page, lambda: stage.evaluate(top))
        page.get_by_role("button", name="Prompt", exact=True).click()
        page.get_by_role("button", name=title, exact=True).click()
        expect(_changed(page)).to_have_count(int(title == "A question"))
        page.keyboard.press("Escape")
        assert until(page, lambda: stage.evaluate(top) == before), width  # noqa: B023  # called at once
    page.set_viewport_size(KEYNOTE)
