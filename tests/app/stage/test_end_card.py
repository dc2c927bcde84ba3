"""The card at the end of a run, on an empty page: when it comes and goes, what it covers, and what its button does."""

from playwright.sync_api import expect

from tests.app.lab import EVERYWHERE, Lab
from tests.helpers.views import MIXED, live_of, plain_of, shipped_view, trace_of, view_of

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


def test_a_run_that_opens_plays_to_its_card(lab: Lab) -> None:
    """Nobody presses anything: it plays by itself, the card comes at its end, and a screen reader hears it."""
    trace = trace_of(["aaa"])
    lab.show(view_of(trace, plain_of(trace)))
    expect(lab.page.locator(".pace")).to_have_value("quick")
    expect(lab.page.get_by_role("button", name="Pause (space)")).to_be_visible()
    lab.page.evaluate(
        "() => { const { head } = stages.get(document.querySelector('.stage')); head.clock = head.plan.end - 0.5; }"
    )
    expect(lab.page.locator(".end-card")).to_be_visible(timeout=60_000)
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
    lab.show({**_lost(able=()), "id": "other models"})
    lab.press("End")
    expect(lab.page.locator(".end-try")).to_be_hidden()


def test_a_run_that_goes_on_has_no_card(lab: Lab) -> None:
    """Not while plain decoding is still measured; it comes with the recording, to a viewer who waits at the end."""
    trace = trace_of(MIXED)
    lab.show({"id": "lab", "status": "running", "live": live_of(trace, ended={"speculative": "length"}, plain=2)})
    lab.press("End")
    expect(lab.page.locator(".end-card")).to_be_hidden()
    lab.show(view_of(trace, plain_of(trace)))
    expect(lab.page.locator(".end-card")).to_be_visible()


def test_it_is_left_out_where_somebody_else_leads(lab: Lab) -> None:
    """Not where the address hides it, nor on a stage that goes with the presenter's."""
    for more in ({"hide": ["end"]}, {"following": True}):
        lab.show(shipped_view("capital", **more))
        lab.press("End")
        expect(lab.page.locator(".end-card")).to_be_hidden()


@EVERYWHERE
def test_the_card_fits_where_text_and_desk_were(lab: Lab, talk: bool, sizes: tuple[tuple[int, int], ...]) -> None:
    """Over text and desk and nothing else, at every size; the words and the button are in view, and no line is wider than the card."""
    lab.take()
    for width, height in sizes:
        lab.page.set_viewport_size({"width": width, "height": height})
        lab.show({**_lost(), "id": f"{width}", "talk": talk})
        lab.press("End")
        inside = lab.page.locator(".end-card").evaluate(
            """card => {
                const at = (part) => part.getBoundingClientRect(), stage = card.parentElement;
                const [box, speech] = [at(card), at(stage.querySelector(".speech"))];
                const told = [...card.querySelectorAll(".end-told > *")].filter((part) => part.checkVisibility()).map(at);
                return { over: box.bottom <= speech.top + 1, wide: card.scrollWidth <= card.clientWidth,
                    words: told.every((part) => part.top >= box.top && part.bottom <= box.bottom && part.right <= box.right),
                    text: at(card.querySelector(".end-text")).height };
            }"""
        )
        assert inside["over"], (width, height)
        assert inside["wide"], (width, height)
        assert inside["words"], (width, height)
        assert inside["text"] > 60, (width, height)
