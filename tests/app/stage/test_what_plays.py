"""What is asked and what is shown: the page says what plays, and neither a screen, a reload nor an error loses it."""

import re
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import KEYNOTE, PROMPT, loaded
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


def test_the_first_screen_is_the_stage_and_says_what_plays(opened: Page) -> None:
    """The sidebar is folded, the prompt has its two lines, and under the stage stand the models, the settings and what not to expect."""
    page = opened
    box = page.get_by_test_id("stSidebar").bounding_box()
    assert box is None or box["x"] + box["width"] <= 1
    assert until(page, lambda: page.get_by_role("textbox", name="Prompt").evaluate("box => box.offsetHeight") <= 66)
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    stage = box_of(page.locator(".stage"))
    assert stage["width"] > 0.9 * KEYNOTE["width"]
    expect(_plays(page)).to_contain_text(CAUTION)
    expect(_plays(page)).to_contain_text(
        "a recorded run · Built-in tiny model · draft model · draft length 4 · temperature 0"
    )
    expect(_changed(page)).to_have_count(0)


def test_the_keyboard_passes_the_folded_sidebar_by(opened: Page) -> None:
    """On the way from the top of the page to the prompt Tab meets nothing that cannot be seen; unfolded, the sidebar is reached, and folded again,
    by the keyboard alone."""
    page = opened
    side, prompt = page.get_by_test_id("stSidebar"), page.get_by_role("textbox", name="Prompt")
    page.locator("body").evaluate("body => { body.tabIndex = -1; body.focus(); }")
    for _ in range(20):
        page.keyboard.press("Tab")
        assert side.locator(":focus").count() == 0
        if prompt.evaluate("box => box === document.activeElement"):
            break
    expect(prompt).to_be_focused()
    page.get_by_test_id("stExpandSidebarButton").press("Enter")
    expect(side.get_by_role("radiogroup", name="Models")).to_be_visible()
    page.locator("body").evaluate("body => body.focus()")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(side.get_by_role("button", name="Collapse sidebar")).to_be_focused()
    page.keyboard.press("Enter")
    expect(side.get_by_role("radiogroup", name="Models")).to_be_hidden()


def test_what_was_changed_is_said_until_run_is_pressed(opened: Page) -> None:
    """Another prompt, and the page says that Run has to be pressed; what plays is then a run with that prompt and these settings."""
    page = opened
    page.get_by_role("button", name="A capital").click()
    expect(_changed(page)).to_contain_text(CHANGED)
    _run(page)
    expect(_changed(page)).to_have_count(0)
    expect(_plays(page)).to_contain_text("a run of this visit · Built-in tiny model · draft model · draft length 5")
    expect(page.locator(".manuscript .prompt")).to_have_text(PROMPT)
    expect(page.locator(".manuscript .token").first).to_be_attached()


def test_a_reload_shows_the_run_again(opened: Page) -> None:
    """The address names the run, and the server still has it."""
    page = opened
    page.wait_for_url(re.compile("run="))
    name = _run_in_address(page)
    page.reload()
    expect(page.locator(".manuscript .prompt")).to_have_text(PROMPT)
    expect(page.locator(".manuscript .token").first).to_be_attached()
    expect(_plays(page)).to_contain_text("a run of this visit")
    expect(_changed(page)).to_have_count(0)
    assert _run_in_address(page) == name


def test_teaching_goes_from_watch_to_race_and_back(opened: Page) -> None:
    """In large type, and with the prompt; what was on the stage is there again."""
    page = opened
    page.get_by_role("button", name="Teach").click()
    expect(page.locator(".stage.talk")).to_be_visible()
    page.locator("a[href*='race?teach']").click()  # those of before go when the page has been rendered
    expect(page.locator(".race.talk .lane").first).to_be_visible()
    expect(page).to_have_url(re.compile("teach=1"))
    expect(page.locator(".race .lane .prompt").first).to_have_text(PROMPT)
    page.get_by_role("link", name="Watch").last.click()
    expect(page.locator(".stage.talk .manuscript .prompt")).to_have_text(PROMPT)
    page.get_by_role("button", name="Prompt", exact=True).click()
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(PROMPT)
    page.keyboard.press("Escape")
    _picker_moves_nothing(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".stage:not(.talk)")).to_be_visible()


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


def test_run_on_a_phone_shows_the_stage(opened: Page) -> None:
    """After Run the top of the stage is in the upper quarter of the screen, without a scroll of the visitor's."""
    page = opened
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="A currency").click()
    expect(_changed(page)).to_contain_text(CHANGED)
    _run(page)
    expect(page.locator(".manuscript .prompt")).to_contain_text("Japan")
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 50")
    assert until(page, lambda: 0 <= page.locator(".stage").evaluate("e => e.getBoundingClientRect().top") < 844 / 4)
    page.set_viewport_size(KEYNOTE)


def test_what_is_left_to_specviz_is_shown_once_it_is_chosen(page: Page, server: str) -> None:
    """The page opens with everything on auto, and its address is empty of it; after the run it says which drafter and draft length were
    chosen, and why, and offers no other run. The draft length stands beside Run, on auto, and its slider opens there."""
    page.goto(f"{server}/?{urlencode({'dtype': 'float32', 'max_new_tokens': 12})}")
    loaded(page)
    _run(page)
    expect(_plays(page)).to_contain_text(re.compile(r"draft length up to \d+ .* only while it pays"))
    expect(_plays(page)).to_contain_text(re.compile(r"predicted \d\.\d×|expected to pay"))
    expect(_plays(page)).not_to_contain_text("auto")
    expect(_changed(page)).to_have_count(0)
    assert not {"drafter", "k", "nodes", "policy"} & parse_qs(urlsplit(page.url).query).keys()
    page.get_by_role("button", name="k = auto").click()
    length = page.get_by_role("slider", name="Draft length k")
    expect(length).to_have_attribute("aria-valuetext", "auto")
    length.press("ArrowRight")
    page.wait_for_url(re.compile("[?&]k=1"))
    expect(page.get_by_role("button", name="k = 1", exact=True)).to_be_visible()
