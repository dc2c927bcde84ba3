"""A run that a visitor began, in the picture of the opening: two lanes, one clock; its rounds are one press away."""

import re

from playwright.sync_api import expect

from tests.app.lab import Lab
from tests.helpers.views import MIXED, live_of, plain_of, trace_of, view_of


def _begun(**more: object) -> dict[str, object]:
    trace = trace_of(MIXED)
    return {**view_of(trace, plain_of(trace)), "status": "done", "paired": True, **more}


def test_both_lanes_write_the_text_and_count_their_passes(lab: Lab) -> None:
    """At the end each lane has the whole text and its passes, and the card says that it is the same; a step back shows neither. While a hand is on the draft
    length a strip has the passes of that length, with the best one marked (other_lengths.test.ts); nothing is cut above temperature 0."""

    def preview(k: int | None) -> None:
        lab.page.evaluate("k => stages.get(document.querySelector('.stage')).preview(k)", k)
        lab.settle()

    lab.show(_begun())
    lab.press("End")
    card = lab.page.locator(".end-card")
    expect(card).to_be_visible()
    assert lab.page.locator(".duel-count b").all_inner_texts() == ["10", "4"]
    alone, helped = (
        lab.page.locator(f".duel-lane.{lane} .duel-chip:visible").all_inner_texts() for lane in ("alone", "helped")
    )
    assert len(alone) == 10
    assert alone == helped
    expect(card.locator(".end-same")).to_have_text("Plain decoding wrote the same, token for token.")
    expect(card.locator(".end-passes")).to_have_text("4 passes instead of 10")
    expect(lab.page.locator(".manuscript")).to_be_hidden()
    lab.press("ArrowLeft")
    expect(card).to_be_hidden()
    assert lab.page.locator(".duel-count b").last.inner_text() == "3"
    preview(4)
    expect(lab.page.locator(".recut-words")).to_contain_text("k = 4: 4 passes for the same 10 tokens.")
    expect(lab.page.locator(".recut-bars .best")).to_have_count(1)
    boxes = lab.page.locator(".recut-pass")
    expect(boxes).to_have_count(4)
    assert re.sub(" ", "", "".join(boxes.all_text_contents())) == "".join(alone)
    preview(None)
    expect(lab.page.locator(".recut")).to_be_hidden()
    warm = trace_of(MIXED, temperature=0.8)
    lab.show({**view_of(warm, plain_of(warm), id="warm"), "status": "done", "paired": True})
    preview(4)
    expect(lab.page.locator(".recut")).to_be_hidden()


def test_space_shows_the_rounds_and_a_button_the_lanes_again(lab: Lab) -> None:
    """The picture stops at the moment that is shown. What was opened or saved, and what is shown in large type, has its rounds from the beginning."""
    lab.show(_begun())
    lab.press("ArrowRight", " ")
    expect(lab.page.locator(".manuscript")).to_be_visible()
    expect(lab.page.locator(".duel-lanes")).to_be_hidden()
    expect(lab.page.locator(".round-name")).to_contain_text("Round 1")
    expect(lab.page.get_by_role("button", name="Play (space)")).to_be_visible()
    lab.page.get_by_role("button", name="Two lanes").click()
    expect(lab.page.locator(".duel-lanes")).to_be_visible()
    lab.press("w")
    expect(lab.page.locator(".why")).to_be_visible()
    lab.press("Escape")
    lab.page.get_by_role("button", name="Two lanes").click()
    lab.press("End")
    expect(lab.page.locator(".end-card")).to_be_visible()
    lab.press(" ", "Home")  # what the card covered in one picture can be pressed in the other
    lab.page.get_by_role("button", name="Two lanes").click()
    for more in ({"status": "opened"}, {"status": "exported"}, {"talk": True}, {"paired": False}):
        lab.show(_begun(id=str(more), **more))
        expect(lab.page.locator(".duel-lanes")).to_be_hidden()


def test_a_plain_lane_that_is_not_measured_yet_keeps_its_pace_at_load_and_says_so(lab: Lab) -> None:
    """Its tokens are those that the run has written, which at temperature 0 are its own; no text is invented before."""
    trace = trace_of(MIXED)
    view = {"id": "live", "status": "running", "live": live_of(trace), "paired": True}
    lab.show({**view, "plain_rate": 1 / trace.rounds[0].ended_s})
    lab.press("End")
    expect(lab.page.locator(".alone .duel-name")).to_contain_text("still being measured")
    written = lab.page.locator(".alone .duel-chip.written")
    assert lab.page.locator(".alone .duel-count b").inner_text() == str(written.count())
    assert written.count() >= len(trace.rounds) - 1
    lab.show({**view, "id": "no rate", "plain_rate": None})
    lab.press("End")
    assert lab.page.locator(".alone .duel-count b").inner_text() == "0"
