"""The card at the end of a run, on an empty page: when it comes and goes, what it covers, and what its button does."""

from playwright.sync_api import expect

from tests.app.lab import Lab
from tests.helpers.views import MIXED, live_of, plain_of, trace_of, view_of

_LOST = ["rdddd"] * 12
"""Slower than plain decoding, and no draft length helps."""


def _lost(able: tuple[str, ...] = ("auto", "model", "eagle")) -> dict[str, object]:
    trace = trace_of(_LOST)
    return view_of(trace, plain_of(trace), able=able)


def test_the_card_stands_at_the_end_and_nowhere_else(mixed: Lab) -> None:
    """It comes with the last moment, goes with any step back, and what it covers cannot be reached meanwhile; Escape shows the last round."""
    card = mixed.page.locator(".end-card")
    covered = mixed.page.locator(".upper, .desk")
    expect(card).to_be_hidden()
    mixed.press("End")
    expect(card).to_be_visible()
    expect(card.locator(".end-passes")).to_have_text("4 passes instead of 10")
    expect(card.locator(".end-speedup")).to_have_text(mixed.page.locator(".figure.speedup .value").inner_text())
    assert covered.evaluate_all("all => all.map((part) => part.inert)") == [True, True]
    mixed.press("ArrowLeft")
    expect(card).to_be_hidden()
    mixed.press("ArrowRight")
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 4 of 4")
    expect(card).to_be_hidden()  # the last round is read first
    mixed.press("ArrowRight")
    expect(card).to_be_visible()
    mixed.press("ArrowLeft")
    assert covered.evaluate_all("all => all.map((part) => part.inert)") == [False, False]
    mixed.press("End", "Escape")
    expect(card).to_be_hidden()
    mixed.press("Home", "End")
    expect(card).to_be_visible()
    mixed.press("w")
    expect(card).to_be_hidden()
    expect(mixed.page.locator(".why")).to_be_visible()


def test_it_comes_with_the_end_of_what_is_measured(lab: Lab) -> None:
    """A run that opens plays to its card by itself, and a screen reader hears it. There is none where the address hides it, nor while plain decoding is
    still measured; then it comes with the recording, to a viewer who waits at the end."""
    trace, short = trace_of(MIXED), trace_of(["aaa"])
    over, card = view_of(trace, plain_of(trace)), lab.page.locator(".end-card")
    live = {"id": "lab", "status": "running", "live": live_of(trace, ended={"speculative": "length"}, plain=2)}
    for view in ({**over, "id": "hidden", "hide": ["end"]}, live):
        lab.show(view)
        lab.press("End")
        expect(card).to_be_hidden()
    lab.show(over)
    expect(card).to_be_visible()
    lab.show(view_of(short, plain_of(short), id="short"))
    expect(lab.page.locator(".pace")).to_have_value("quick")
    expect(lab.page.get_by_role("button", name="Pause (space)")).to_be_visible()
    lab.page.evaluate(
        "() => { const { head } = stages.get(document.querySelector('.stage')); head.clock = head.plan.end - 0.5; }"
    )
    expect(card).to_be_visible(timeout=60_000)
    spoken = lab.page.locator(".stage .unseen[aria-live=polite]")
    expect(spoken).to_contain_text("The end: 1 pass instead of 4.")
    expect(spoken).to_contain_text("3 of 3 guesses were right")


def test_the_button_runs_the_form_with_what_it_suggests(lab: Lab) -> None:
    """The suggested change goes to the page once, as settings of an address. An exported page, and a stage whose form has other models, say what would help
    and offer nothing to press."""
    lab.show({**_lost(able=("auto", "eagle")), "id": "no form"})
    lab.press("End")
    expect(lab.page.locator(".end-advice")).to_be_visible()
    expect(lab.page.locator(".end-try")).to_be_hidden()
    lab.take()
    lab.show(_lost())
    lab.press("End")
    lab.page.get_by_role("button", name="Use the EAGLE head").click()
    assert lab.page.evaluate("sent") == [{"drafter": "eagle", "k": "auto", "policy": "auto"}]
    expect(lab.page.locator(".end-try")).to_be_disabled()
    expect(lab.page.locator(".end-swap")).to_be_hidden()  # it is the separate draft model that has run
    lab.page.get_by_role("button", name="Let specviz choose what drafts").click()
    assert lab.page.evaluate("sent.at(-1)") == {"drafter": "auto", "k": "auto", "policy": "auto"}
    lab.show({**_lost(able=()), "id": "other models"})
    lab.press("End")
    expect(lab.page.locator(".end-try")).to_be_hidden()


def test_no_figure_without_words_can_be_reached(lab: Lab) -> None:
    """Where the times are not trusted there is no speedup, and no place of one for the keyboard; empty places of guesses have no name, either."""
    trace = trace_of(_LOST)
    busy = {"trusted": False, "why": "the timings do not agree", "between": "between 0.44× and 12.72×", "grounds": ""}
    lab.show(view_of(trace, plain_of(trace), speedups=[0.44] * 4, timed=4, timing=busy))
    lab.press("Home")
    expect(lab.page.locator(".slot").first).to_be_visible()
    expect(lab.page.get_by_role("button", name="empty slot")).to_have_count(0)
    lab.press("End")
    expect(lab.page.locator(".end-card")).to_be_visible()
    nameless = "card => [...card.querySelectorAll('[tabindex=\"0\"]')].filter((part) => part.checkVisibility() && !part.textContent).length"
    assert lab.page.locator(".end-card").evaluate(nameless) == 0
