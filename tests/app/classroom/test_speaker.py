"""What a speaker meets in front of a room: keys that work at once, nothing that jumps, explanations everybody can read."""

from typing import Any

from playwright.sync_api import expect

from tests.app.lab import Lab
from tests.helpers.views import MIXED, live_of, plain_of, trace_of, view_of


def _waiting(status: str = "loading", **settings: Any) -> dict[str, Any]:
    """What the page hands to the player before the first round has come."""
    asked = {"prompt": "Say", "settings": {"k": 3, "temperature": 0.0, **settings}}
    return {"id": "asked", "status": status, "what": "reading weights", "live": None, "recording": None, "asked": asked}


def _live(rounds: list[str]) -> dict[str, Any]:
    return {**_waiting("running"), "live": live_of(trace_of(rounds))}


def test_keys_reach_the_stage_when_nothing_has_the_focus(mixed: Lab) -> None:
    """Whoever clicks beside the stage goes on with the keyboard all the same; what is written in keeps its keys, and the focus when a run begins."""
    round_name, box = mixed.page.locator(".round-name"), mixed.page.locator("textarea")
    mixed.page.evaluate("document.activeElement.blur()")
    mixed.page.keyboard.press("End")
    mixed.settle()
    expect(round_name).to_contain_text("Round 4")
    mixed.page.evaluate("document.body.append(document.createElement('textarea'))")
    box.focus()
    mixed.page.keyboard.press("Home")
    mixed.settle()
    expect(round_name).to_contain_text("Round 4")
    mixed.show(_waiting())
    expect(box).to_be_focused()
    mixed.page.evaluate("document.activeElement.blur()")
    mixed.show({**_waiting(), "id": "next"})
    expect(mixed.page.locator(".stage")).to_be_focused()


def test_what_was_asked_stands_on_the_stage_while_it_is_waited_for(lab: Lab) -> None:
    """Before the first round there are the prompt, the slots and the drafter of this run; nothing moves when it comes."""
    lab.show(_waiting(drafter="ngram"))
    assert lab.text() == "Say"
    expect(lab.page.locator(".board .column")).to_have_count(4)
    expect(lab.page.locator(".note")).to_contain_text("Getting the models ready: reading weights")
    assert "raft model" not in lab.page.locator(".desk").inner_text()
    expect(lab.page.locator(".caption")).to_contain_text("copies from earlier in the text")
    lab.show(_waiting())
    places = [_tops(lab)]
    lab.show(_live(["ard"]))
    lab.press("Home", ".", ".")
    places.append(_tops(lab))
    expect(lab.page.locator(".note")).to_have_text("")
    assert places[0] == places[1]
    assert lab.text() == " w0"


def _tops(lab: Lab) -> list[float]:
    parts = (".dial", ".manuscript", ".desk", ".board", ".lanes", ".transport")
    tops: list[float] = lab.page.evaluate(
        "parts => parts.map(part => document.querySelector(`.stage ${part}`).getBoundingClientRect().top)", parts
    )
    return tops


def test_nothing_jumps_on_the_way_through_a_round(lab: Lab) -> None:
    """Whatever is said, and whatever is pointed at, every part stays where it is, as wide as the page gives it."""
    lab.page.set_viewport_size({"width": 832, "height": 900})
    trace = trace_of(MIXED, texts={1: b" international", 2: b" telecommunications"})
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home")
    middles = (
        "all => all.map(part => part.getBoundingClientRect()).map(r => [r.left + r.width / 2, r.top + r.height / 2])"
    )
    places = []
    for step in range(4 * len(MIXED)):
        lab.press(".")
        places.append(_tops(lab))
        for x, y in lab.page.locator(".board .slot").evaluate_all(middles) if step % 5 == 1 else ():
            lab.page.mouse.move(x, y)
            lab.settle()
            places.append(_tops(lab))
    assert all(place == places[0] for place in places)


def test_who_listens_hears_every_round(mixed: Lab) -> None:
    """A live region says that the run goes on, what became of each round when it is over, each question, and the end once; signs of tokens as words, and
    nothing of a round that is no longer shown."""
    spoken = mixed.page.locator(".stage .unseen[aria-live=polite]")
    mixed.press("ArrowRight")
    expect(spoken).to_have_text("Round 1: 3 of 3 guesses accepted, bonus: w9.")
    mixed.press("ArrowRight")
    expect(spoken).to_have_text("Round 2: 1 of 3 guesses accepted, target's own token: w9.")
    mixed.press("Home")
    expect(spoken).to_have_text("")
    mixed.press("p", "ArrowRight")
    expect(spoken).to_have_text("How many guesses will be accepted?")
    mixed.press("p", "End")
    expect(spoken).to_contain_text("The end: 4 passes")
    expect(mixed.page.get_by_role("heading", name="4 passes instead of 10")).to_be_visible()
    said = spoken.evaluate("part => (part.watched = new MutationObserver(() => {})).observe(part, { childList: true })")
    mixed.press("Escape", "w", "Escape")
    assert said is None
    assert spoken.evaluate("part => part.watched.takeRecords().length") == 0
    mixed.show({"id": "next", "status": "running"})
    expect(spoken).to_have_text("Running")
