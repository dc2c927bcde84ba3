"""What the viewer opens on the stage: the drawer that says why, and the bets before the verdicts."""

import re

from playwright.sync_api import expect

from tests.app.lab import Lab, box_of, tooltips
from tests.helpers.views import trace_of, view_of


def test_why_shows_p_q_and_the_verdict(mixed: Lab) -> None:
    """At temperature 0 the drawer shows the probabilities at temperature 1, the verdict, and what was put instead. A click on any token of the text
    opens it on the round and the slot that made it."""
    mixed.press("n", "ArrowRight", "ArrowLeft")  # the end of round 2
    mixed.press("n", ".", "w")
    why = mixed.page.locator(".why")
    expect(why).to_be_visible()
    expect(why.locator(".badge")).to_have_text("✕ rejected")
    expect(why.locator(".why-before")).to_have_text("w0 w1 w2 w3 w9 w1")  # over the cards it lies on the text
    expect(why.locator(".why-reason")).to_contain_text("The target's most likely token is “·w9”: rejected.")
    mine = why.locator(".candidate.mine")
    expect(mine.locator(".q .value")).to_have_text("0.600")
    expect(mine.locator(".p .value")).to_have_text("0.100")
    expect(why.locator(".instead .share.mine .name")).to_have_text("·w9")
    expect(why.locator(".candidate.head .name")).to_have_text("at temperature 1")
    # It calls nothing p: the column beside it does, at temperature 1.
    words = "At temperature 0 the rule accepts the target's most likely token and no other."
    expect(why.locator(".rule-words")).to_have_text(words)
    widths = why.locator(".candidate .fill").evaluate_all("all => all.map((n) => n.getBoundingClientRect().width)")
    room = box_of(mine.locator(".side.p"))
    assert max(widths) > 0.5 * room["width"], "the longest bar fills its side"
    assert min(width for width in widths if width) >= 2
    mixed.press("Escape")
    expect(why).to_be_hidden()
    places = {0: "drafted in round 1, position 1", 3: "written by the target in round 1", 4: "drafted in round 2"}
    for token, place in places.items():
        mixed.press("End", "Escape")
        mixed.page.locator(".manuscript .token").nth(token).click()
        expect(why.locator(".why-where")).to_contain_text(place)
        mixed.press("Escape")


def test_the_drawer_takes_the_focus_and_gives_it_back(mixed: Lab) -> None:
    """With its title and reason as its description; its probabilities are a table. The list of keys keeps the focus until it is closed."""
    page = mixed.page
    why, token = page.locator(".why"), page.locator(".manuscript [role=button]:visible").first
    mixed.press("ArrowRight", "ArrowRight", "c")
    token.focus()
    for key in ("Enter", "w"):
        page.keyboard.press(key)
        expect(why).to_be_focused()
        expect(why).to_have_attribute("aria-description", re.compile("rejected"))
        page.keyboard.press("Escape")
        expect(token).to_be_focused()
    page.keyboard.press("w")
    expect(why.get_by_role("columnheader")).to_have_count(3)
    assert why.get_by_role("rowheader").first.evaluate("cell => cell.ariaLabel").startswith("w")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.keyboard.press("Tab")
    expect(page.locator(".help").get_by_role("button", name="Close")).to_be_focused()


def test_why_shows_the_draw_against_the_bound(lab: Lab) -> None:
    """Above temperature 0 the drawer shows min(1, p/q), the draw as a needle on it, and the residual with what was drawn from it."""
    lab.show(view_of(trace_of(["ard"], temperature=0.8)))
    lab.press("Home", ".", ".", ".", ".")
    lab.page.locator(".board .slot").nth(0).click()
    why = lab.page.locator(".why")
    expect(why.locator(".rule-words")).to_have_text("min(1, p/q) = 90%; random number u = 0.300")
    assert why.locator(".needle").evaluate("n => n.style.getPropertyValue('--at')") == "0.3"
    expect(why.locator(".instead")).to_be_empty()
    lab.page.locator(".board .slot").nth(1).click()
    expect(why.locator(".why-reason")).to_contain_text("Random number 0.700 is larger: rejected.")
    expect(why.locator(".instead .share .value").first).to_have_text("0.900")
    why.get_by_role("button", name="Formula").click()
    expect(why.locator(".formula").first).to_contain_text("u < p(x) / q(x)")
    expect(why.locator(".formula").last).to_contain_text("max(0, p − q)")


def test_predict_waits_for_a_bet_and_keeps_a_score(mixed: Lab) -> None:
    """In predict mode the run stops before the verdicts, and no key or jump leads past an open bet or gives it away: the drawer orders by q alone,
    and no rejection ahead is marked. Exact bets count, and the answer stands there until the viewer goes on, by key, click or control alike."""
    page, bets, name, score = mixed.page, *map(mixed.page.locator, (".bets", ".round-name", ".score"))
    moment = page.locator(".scrubber")
    page.locator(".pace").select_option("real")
    drawn = "marks => marks.childElementCount > 0"
    assert page.locator(".marks").evaluate(drawn)
    mixed.press("p", "ArrowRight")
    for key in ("ArrowRight", "End", "n"):
        mixed.press(key)
        expect(bets).to_be_visible()
        expect(name).to_contain_text("Round 1 of")
        assert mixed.slots()[:3] == ["typed"] * 3, key
    mixed.press("w")
    expect(page.locator(".candidate:not(.head) .name").first).to_have_text("·w1")
    assert not page.locator(".marks").evaluate(drawn)
    mixed.press("Escape", "2")
    before = moment.input_value()
    page.wait_for_timeout(500)  # longer than a round at this pace
    expect(page.locator(".caption")).to_contain_text("You said 2, it was 3. All 3 accepted")
    expect(page.locator(".button.play")).to_have_attribute("aria-label", "Play (space)")
    assert moment.input_value() == before
    page.get_by_role("button", name="Go on (Space)").click()
    expect(bets).to_be_visible()  # it plays on to the next question
    expect(name).to_contain_text("Round 2 of")
    bets.get_by_role("button", name="1 accepted").focus()
    page.keyboard.press("Enter")  # a part that has the focus is hidden: the stage has it, and hears the next key
    expect(score).to_have_text("1 of 2 right")
    expect(page.get_by_role("button", name="Go on (Space)")).to_be_visible()
    page.keyboard.press(" ")
    expect(name).to_contain_text("Round 3 of")
    mixed.press("Home", " ")  # what was answered is not asked again
    expect(bets).to_be_visible()
    expect(name).to_contain_text("Round 3 of")
    mixed.press("p")
    expect(page.locator(".bets:visible, .score:visible")).to_have_count(0)


def test_a_run_at_every_moment_has_no_native_tooltip(lab: Lab) -> None:
    """In the text, as cards, with the why drawer and the keys open, at the end card; what the boxes of a head do opens at the
    name of its card."""
    lab.show(view_of(trace_of(["aard"], drafter="eagle", label="eagle", of=12, parents=(-1, 0, 1, 0))))
    for keys in (("Home",), ("ArrowRight",), ("w",), ("Escape", "c"), ("?",), ("Escape", "End")):
        lab.press(*keys)
        assert not tooltips(lab.page), keys
    assert lab.page.locator(".role.draft > b").get_attribute("aria-description")
