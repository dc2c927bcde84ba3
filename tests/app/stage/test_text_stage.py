"""The text as the stage: a round happens at the caret, a tree under it, and nothing of it is cut or covered."""

import json

import pytest
from playwright.sync_api import Page, expect

from specviz.folders import ASSETS
from tests.app.lab import PHASES, SIZES, Lab, Moment, box_of
from tests.helpers.views import MIXED, plain_of, shipped_view, trace_of, view_of

_LONG = {1: b" Donaudampfschifffahrt", 2: b" Thursday", 3: b"\xf0\x9f", 9: b" incomprehensibilities"}
_SHOWN = """() => [...document.querySelectorAll(".token:not([hidden]), .guess:not([hidden]), .sunk:not([hidden]), .caret")]
    .map((node) => [node.className, node.textContent, ...["left", "top"].map((side) => Math.round(node.getBoundingClientRect()[side]))].join())"""
_OUTSIDE = """() => {
    const page = document.querySelector(".manuscript"), { left, right } = page.getBoundingClientRect();
    return [...page.querySelectorAll(".ink, .guess .body, .sunk, .under .slot")].filter((node) => node.checkVisibility())
        .filter((node) => [...node.getClientRects()].some((box) => box.left < left || box.right > right)
            || (node.scrollWidth > node.clientWidth && getComputedStyle(node).overflow !== "visible")).map((node) => node.textContent);
}"""
_OBSERVE = """() => {
    window.touched = new Set();
    new MutationObserver((all) => { for (const { target } of all) window.touched.add(target); })
        .observe(document.querySelector(".manuscript"), { subtree: true, attributes: true, childList: true, characterData: true });
}"""
_COVERED = """(token) => {
    const why = document.querySelector(".why").getBoundingClientRect();
    return [...document.querySelectorAll(token)].filter((node) => node.checkVisibility()).flatMap((node) => [...node.getClientRects()])
        .filter((box) => box.height > 2 && box.left < why.right && box.right > why.left && box.top < why.bottom && box.bottom > why.top).length;
}"""


@pytest.fixture
def paged(blank: Page) -> Lab:
    """The player as a run begins in it."""
    return Lab(blank, cards=False)


def _mixed(lab: Lab) -> None:
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home")


def test_a_round_happens_in_the_text(paged: Lab) -> None:
    """Guesses stand at the caret, get their verdicts there, and what is accepted is text; the target's own token takes the place of the
    rejected one, which hangs under it, and what followed is pale. The keyboard reaches a guess, which says what it is; Enter opens why."""
    page = paged.page
    page.emulate_media(reduced_motion="reduce")  # what sinks has sunk
    _mixed(paged)
    expect(page.locator(".board")).to_be_hidden()
    paged.press("ArrowRight", ".")
    assert page.locator(".guess.typed .body").all_text_contents() == ["w1", "w2", "w3"]
    assert paged.text() == " w0 w1 w2 w3 w9"
    paged.press(".")
    expect(page.locator(".guesses.checking")).to_have_count(1)
    paged.press(".")
    assert [page.locator(f".guess.{kind}").all_text_contents() for kind in ("accepted", "rejected", "discarded")] == [
        [" w1"],
        [" w2"],
        [" w3"],
    ]
    before_caret = "caret => caret.previousElementSibling.textContent"
    assert page.locator(".caret").evaluate(before_caret) == " w1", "what is accepted belongs to the text"
    paged.press(".")
    assert paged.text() == " w0 w1 w2 w3 w9 w1 w9"
    sunk, own = page.locator(".sunk"), page.locator(".token.corrected.new > .ink")
    expect(sunk).to_have_text("✕ w2")
    under, over = box_of(sunk), box_of(own)
    assert under["y"] >= over["bottom"] - 4
    assert abs(under["x"] - over["x"]) < over["width"]
    assert page.locator(".guess.discarded:visible").all_text_contents() == [" w3"]
    paged.press("Home", "n")
    chip = page.locator(".guess.rejected .body")
    chip.focus()
    expect(chip).to_have_accessible_name("“w2”, rejected")
    page.keyboard.press("Enter")
    expect(page.locator(".why-where")).to_contain_text("drafted in round 2, position 2")


def test_the_text_follows_from_the_clock_alone(paged: Lab) -> None:
    """Forwards, backwards or by a jump: a moment looks the same."""
    paged.page.emulate_media(reduced_motion="reduce")  # what moves has arrived
    _mixed(paged)
    moments = [(index, phase, 0.5) for index in range(4) for phase in PHASES]
    visits = (*moments, *reversed(moments), *moments[::3])
    looks = dict[Moment, object]()
    for moment, shown in zip(visits, paged.at_each(visits, _SHOWN), strict=True):
        assert looks.setdefault(moment, shown) == shown, moment


def test_only_what_stands_at_the_caret_changes(paged: Lab) -> None:
    """In a text of 280 tokens a whole round, frame by frame, touches no element of the text before it, and has none of them styled again."""
    trace = trace_of(["aaaaa", "aardd", "rdddd", "aaard"] * 20)
    paged.show(view_of(trace, plain_of(trace)))
    last = len(trace.rounds) - 2
    paged.at_each([(last, "draft", 0.0)])
    paged.page.evaluate(_OBSERVE)
    browser = paged.page.context.browser
    assert browser is not None
    browser.start_tracing(page=paged.page, categories=["devtools.timeline"])
    paged.at_each((last, phase, share) for phase in PHASES for share in (0.1, 0.4, 0.7, 0.95))
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [event["args"].get("elementCount", 0) for event in events if event["name"] == "UpdateLayoutTree"]
    assert 0 < max(styled) < 200
    touched = paged.page.evaluate(
        """() => { const all = [...document.querySelectorAll(".manuscript > .token")];
            return [...window.touched].map((node) => all.indexOf(node.closest?.(".token"))).filter((index) => index >= 0); }"""
    )
    assert trace.rounds[last].start > 250
    assert touched, "its own tokens join the text"
    assert min(touched) >= trace.rounds[last - 1].start


def test_no_token_is_cut(paged: Lab) -> None:
    """However long, in a chip, under the token that replaced it, or in a tree, all of it is inside a phone's page."""
    paged.page.set_viewport_size({"width": 390, "height": 844})
    paged.show(view_of(trace_of(["ard", "aaa", "rdd"], texts=_LONG)))
    moments = [(index, *moment) for index in range(3) for moment in (("verify", 0.5), ("judge", 0.9), ("commit", 0.5))]
    assert paged.at_each(moments, _OUTSIDE) == [[]] * 9
    paged.show({**shipped_view("products-tree"), "id": "tree"})
    assert paged.at_each([(index, "judge", 0.9) for index in range(3)], _OUTSIDE) == [[]] * 3


def test_the_text_scrolls_by_full_lines(paged: Lab) -> None:
    """Wherever a round happens, the first line in view has all of its letters and no underline of the one above, and the last line is full: in a
    window and in a room on a phone, in the text and as cards."""
    cut = """() => {
        const box = document.querySelector(".manuscript"), { lineHeight, fontSize } = getComputedStyle(box);
        const line = parseFloat(lineHeight), size = parseFloat(fontSize);
        const top = box.getBoundingClientRect().top + box.clientTop, bottom = top + box.clientHeight;
        const edges = [...box.querySelectorAll(".token")].flatMap((token) => [...token.getClientRects()]);
        return [box.scrollTop, Math.abs(box.scrollTop / line - Math.round(box.scrollTop / line)) > 0.02,
            edges.some((r) => (r.bottom > top + 0.1 && r.bottom < top + size / 2) || (r.top < bottom - 0.1 && r.top > bottom - size / 2))];
    }"""
    scrolled = set()
    for cards, talk, (width, height) in ((False, False, SIZES[0]), (False, True, SIZES[1]), (True, False, (390, 720))):
        paged.page.set_viewport_size({"width": width, "height": height})
        paged.show({**shipped_view("chat-poem" if cards else "letter"), "talk": talk, "id": f"{talk} {width}"})
        paged.press("Home", *"c" * cards)
        for top, lines, letters in paged.at_each([(index, "verify", 0.5) for index in range(10)], cut):
            assert not (letters if cards else lines), (cards, talk, width)
            scrolled.add(top)
    assert len(scrolled) > 3, "nothing had to be scrolled"


def test_the_figures_of_a_run_that_ended_are_whole(paged: Lab) -> None:
    """Beside its text and under it, on a phone and in a hall, no label of a figure is cut; the hall also sees how many passes it took."""
    cut = """dial => [...dial.querySelectorAll(".value, .label, .small, .beside")].filter((node) => node.checkVisibility())
        .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline"
            || node.getBoundingClientRect().bottom > dial.getBoundingClientRect().bottom + 1
            || node.getBoundingClientRect().height > 3.5 * parseFloat(getComputedStyle(node).fontSize) * 1.25).map((node) => node.textContent)"""
    dial = paged.page.locator(".dial")
    for talk, (width, height) in ((False, SIZES[1]), (True, (1280, 720)), (True, (1920, 1080))):
        paged.page.set_viewport_size({"width": width, "height": height})
        paged.show({**shipped_view("letter"), "talk": talk, "id": f"end {talk} {width}"})
        paged.press("End")
        paged.page.get_by_role("button", name="Last round").click()
        paged.settle()
        expect(dial.locator(".speedup .label")).to_have_text("speedup over plain decoding")
        assert dial.evaluate(cut) == [], (talk, width)
        if talk:
            expect(dial.get_by_text("passes")).to_be_visible()


def test_why_opens_at_the_token_and_does_not_cover_it(paged: Lab) -> None:
    """Whichever token of whichever round, in the text or at the caret; the transport stays in reach, and beside the text no half of a line peeps
    out from under it."""
    peeps = """() => [...document.querySelectorAll(".role, .figure, .speech")].filter(part => {
        const box = part.getBoundingClientRect(), why = document.querySelector(".why").getBoundingClientRect();
        return part.checkVisibility({ visibilityProperty: true }) && box.top < why.bottom && box.bottom > why.top;
    }).map(part => part.className)"""
    paged.show(shipped_view("letter"))
    paged.page.evaluate("stages.get(document.querySelector('.stage')).head.setPace('lesson')")
    for index in (0, 4, 9):
        paged.at_each([(index, "judge", 0.9)])
        paged.press("w")
        expect(paged.page.locator(".why.at-token")).to_be_visible()
        assert paged.page.evaluate(_COVERED, ".guess.rejected .body") == 0, index
        assert paged.page.evaluate(_COVERED, ".transport") == 0, index
        assert paged.page.evaluate(peeps) == [], index
        paged.press("Escape")
        assert paged.page.locator(".beneath").count() == 0, "closed, it hides nothing"
    for index in (8, 5, 1, 7):
        paged.page.evaluate("index => stages.get(document.querySelector('.stage')).openWhy(index, 'closing')", index)
        paged.settle()
        expect(paged.page.locator(".why.at-token")).to_be_visible()
        assert paged.page.evaluate(_COVERED, ".token:is(.bonus, .corrected).new > .ink") == 0, index
    paged.page.evaluate("stages.get(document.querySelector('.stage')).openWhy(9, 'closing')")
    paged.settle()
    assert paged.page.evaluate(_COVERED, ".caret") == 0, "of a token that is not there: at the caret"


def test_only_the_guesses_of_this_round_stand_under_the_caret(paged: Lab) -> None:
    """After a round of twelve copied tokens one of five guesses shows five, and only the head's guesses are steps of the head."""
    recording = json.loads((ASSETS / "gallery" / "hour-suffix-eagle-tree.json").read_text())["recording"]
    rounds = recording["traces"][0]["rounds"]
    paged.show({"id": "hour", "status": "done", "recording": recording})
    for index in (len(rounds) - 1, 4, 3, 0):
        paged.at_each([(index, "judge", 0.9)])
        expect(paged.page.locator(".under .tree .slot").filter(visible=True)).to_have_count(
            len(rounds[index]["drafted"])
        )
        steps = paged.page.locator(".under .depth-name").filter(visible=True)
        if rounds[index].get("source") is None:
            expect(steps.first).to_be_visible()
        else:
            expect(steps).to_have_count(0)


def test_a_tree_unfolds_under_the_caret(paged: Lab) -> None:
    """Its nodes are words as wide as they are, joined to what they follow; the accepted path is text when the target has judged."""
    paged.show(shipped_view("products-tree"))
    paged.at_each([(0, "judge", 0.9)])
    page = paged.page
    caret, tree = box_of(page.locator(".caret")), box_of(page.locator(".under .tree"))
    assert tree["y"] >= caret["bottom"]
    assert page.locator(".under .edge.accepted").count() == page.locator(".under .slot.accepted").count() > 0
    joined = """() => [...document.querySelectorAll(".under .edge")].filter((line, i) => { const slot = document.querySelectorAll(".under .slot")[i];
        const end = line.getPointAtLength(line.getTotalLength()); return Math.abs(end.x - slot.offsetLeft) > 2; }).length"""
    assert page.evaluate(joined) == 0
    expect(page.locator(".tree-note")).to_contain_text("two guesses")
    accepted = len(page.locator(".under .slot.accepted").all())
    paged.at_each([(0, "commit", 0.5)])
    assert page.locator(".token.new").count() == accepted + 1


def test_the_row_of_cards_is_the_slow_view(paged: Lab) -> None:
    """c and its button show the round as cards and as text again; key by key it is cards, and a tree goes with it."""
    _mixed(paged)
    page = paged.page
    board, chips = page.locator(".board"), page.locator(".guess:visible")
    paged.press(".", "c")
    expect(board).to_be_visible()
    expect(chips).to_have_count(0)
    expect(page.locator(".cards-open")).to_have_attribute("aria-pressed", "true")
    page.locator(".cards-open").click()
    paged.settle()
    expect(board).to_be_hidden()
    expect(chips).to_have_count(3)
    paged.show({**shipped_view("products-tree"), "id": "tree"})
    paged.press(".")
    expect(page.locator(".under > .tree-view")).to_be_visible()
    paged.page.evaluate(
        "() => { const stage = stages.get(document.querySelector('.stage')); stage.chosen = null; stage.turn((head) => head.setPace('hand')); }"
    )
    paged.settle()
    expect(page.locator(".desk > .tree-view")).to_be_visible()
