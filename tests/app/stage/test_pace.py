"""When the stage moves and what it keeps to itself: the title, reduced motion, the future of the lanes, the frame of the focus."""

from dataclasses import replace
from io import BytesIO

from PIL import Image
from playwright.sync_api import expect

from tests.app.lab import Lab
from tests.helpers.views import MIXED, live_of, plain_of, trace_of, view_of


def _ink(lab: Lab, start: float, end: float) -> float:
    """The share of the lanes' picture that is drawn on between two parts of its width, without its axis."""
    picture = Image.open(BytesIO(lab.page.locator(".lanes-picture").screenshot())).convert("RGB")
    wide, tall = picture.size
    ground = picture.getpixel((wide - 1, tall - 1))
    lanes = picture.crop((round(start * wide), 0, round(end * wide), round(0.7 * tall)))
    return sum(count for count, colour in lanes.getcolors(wide * tall) or [] if colour != ground) / (
        lanes.width * lanes.height
    )


def test_a_recording_opens_on_its_title_and_a_run_plays_at_once(lab: Lab) -> None:
    """The title has one button; what it covers cannot be reached; any key leaves it, that of a remote control too, and it does not come back."""
    trace = trace_of(MIXED)
    opened = view_of(trace, plain_of(trace), title=True)
    lab.show(opened)
    title = lab.page.locator(".title")
    expect(title.locator(".title-line")).to_have_text(
        ["The large model alone: 10 passes. ", "With a small draft model: 4. "]
    )
    expect(title.locator("i")).to_have_count(14)
    expect(title.get_by_role("button")).to_have_count(1)
    covered = "stage => [...stage.children].every(part => part.inert !== part.classList.contains('title'))"
    assert lab.page.locator(".stage").evaluate(covered)
    lab.page.wait_for_timeout(400)
    expect(lab.page.locator(".slot.typed")).to_have_count(0)
    title.get_by_role("button", name="Play").click()
    lab.settle()
    expect(title).to_be_hidden()
    expect(lab.page.locator(".stage")).to_be_focused()
    expect(lab.page.locator(".button.play")).to_have_attribute("aria-label", "Pause (space)")
    lab.press(" ")
    lab.show({"id": "own", "status": "running", "live": live_of(trace)})
    expect(title).to_be_hidden()
    expect(lab.page.locator(".transport .play")).to_have_attribute("aria-label", "Pause (space)")
    lab.show(opened)
    expect(title).to_be_hidden()
    for key, name in ((" ", "Round 1"), ("PageDown", "Round 1"), ("n", "Round 2"), ("End", "Round 4")):
        lab.show({**opened, "talk": key == "PageDown", "id": f"opened and {key}"})
        expect(title).to_be_visible()
        lab.press(key)
        expect(title).to_be_hidden()
        expect(lab.page.locator(".round-name")).to_contain_text(name)
    lab.show({**opened, "id": "without", "hide": ["title"]})
    expect(title).to_be_hidden()


def test_with_less_motion_nothing_plays_by_itself(lab: Lab) -> None:
    """Neither a recording nor a run of one's own starts; the stage says so, and Play plays."""
    lab.page.emulate_media(reduced_motion="reduce")
    trace = trace_of(MIXED)
    for number, view in enumerate((view_of(trace, plain_of(trace)), {"status": "running", "live": live_of(trace)})):
        lab.show({**view, "id": f"still {number}"})
        lab.page.wait_for_timeout(400)
        expect(lab.page.locator(".transport .play")).to_have_attribute("aria-label", "Play (space)")
        expect(lab.page.locator(".scrubber")).to_have_js_property("value", "0")
        expect(lab.page.locator(".caption")).to_contain_text("Nothing moves by itself here")
        lab.press(" ")
        expect(lab.page.locator(".transport .play")).to_have_attribute("aria-label", "Pause (space)")
        expect(lab.page.locator(".caption")).not_to_contain_text("Nothing moves by itself here")


def test_the_lanes_hide_what_is_still_to_come(mixed: Lab) -> None:
    """To the right of the moment there is a thin line for each lane until it is played or asked for; what has been played stays."""
    assert _ink(mixed, 0.1, 1) < 0.15
    expect(mixed.page.locator(".lane-end")).to_have_text(["", ""])
    assert "ms" not in (mixed.page.locator(".lanes-picture").get_attribute("aria-label") or "")
    for key in ("ArrowRight", "ArrowRight", "Home"):  # what counts as played is what was drawn
        mixed.press(key)
    assert _ink(mixed, 0.05, 0.2) > 0.7
    assert _ink(mixed, 0.4, 1) < 0.15
    mixed.press("p")
    assert _ink(mixed, 0.05, 0.2) < 0.15, "who predicts does not see it either"
    mixed.press("p")
    mixed.press("l")
    assert _ink(mixed, 0.6, 1) > 0.4
    expect(mixed.page.locator(".lane-end")).to_have_text(["60.0 ms", "32.0 ms"])
    mixed.press("l")
    assert _ink(mixed, 0.6, 1) < 0.15
    mixed.press("End", "Home")
    assert _ink(mixed, 0.6, 1) > 0.4
    # The plain text is another one, and shorter: the times alone would suggest another speedup.
    warm = trace_of(MIXED, temperature=0.8)
    plain = plain_of(warm)
    mixed.show(view_of(warm, replace(plain, rounds=plain.rounds[:8]), id="shorter"))
    mixed.press("l")
    expect(mixed.page.locator(".lane-end")).to_have_text(["48.0 ms, 8 tokens", "32.0 ms, 10 tokens"])


def test_lanes_are_drawn_when_they_get_their_size(mixed: Lab) -> None:
    """A page that opens at the end of a run has drawn it before its parts have a size, and nothing moves there afterwards."""
    lanes = mixed.page.locator(".lanes")
    lanes.evaluate("lanes => { lanes.style.width = '0' }")
    mixed.press("End")
    lanes.evaluate("lanes => { lanes.style.width = '' }")
    mixed.page.wait_for_timeout(300)
    assert _ink(mixed, 0.05, 1) > 0.4


def test_the_frame_round_the_stage_is_for_those_who_come_with_tab(mixed: Lab) -> None:
    """Tab onto the stage shows it, the next key takes it away, and a talk by keys has none; real controls keep theirs."""
    stage = mixed.page.locator(".stage")
    outline = "e => getComputedStyle(e).outlineStyle"
    mixed.press("ArrowRight", "ArrowRight")
    assert stage.evaluate(outline) == "none"
    mixed.page.evaluate("document.body.prepend(document.createElement('button'))")
    mixed.page.locator("body > button").focus()
    mixed.page.keyboard.press("Tab")
    expect(stage).to_be_focused()
    assert stage.evaluate(outline) == "solid"
    mixed.page.keyboard.press("ArrowRight")
    mixed.settle()
    assert stage.evaluate(outline) == "none"
    mixed.page.keyboard.press("Tab")
    assert mixed.page.evaluate("document.activeElement !== document.querySelector('.stage')")
    assert mixed.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
