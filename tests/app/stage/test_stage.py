"""The player on hand-made recordings: what each part shows at each moment, and every control."""

import re

from playwright.sync_api import expect

from tests.app.lab import PHASES, Lab
from tests.helpers.views import (
    MIXED,
    TREE_PARENTS,
    live_of,
    plain_of,
    played,
    trace_of,
    view_of,
)


def test_every_control_does_what_it_says(mixed: Lab) -> None:
    """A full stop and a comma go from phase to phase; n and N from rejection to rejection, with the wall before the rejected token; ] and [ through the
    paces; b borders the rounds; the buttons step, and there are three."""
    page, name, seen = mixed.page, mixed.page.locator(".round-name"), []
    for key in "....,,":
        mixed.press(key)
        seen.append((page.locator(".desk").get_attribute("data-phase"), mixed.slots()[0], mixed.text()))
    assert [phase for phase, *_ in seen] == ["draft", "verify", "judge", "commit", "judge", "verify"]
    assert [slot for _, slot, _ in seen[:4]] == ["typed", "typed", "accepted", "accepted"]
    assert seen[4:] == [seen[2], seen[1]]
    for key, round_, rejected in (("n", "Round 2", 1), ("n", "Round 3", 0), ("n", "Round 3", 0), ("N", "Round 2", 1)):
        mixed.press(key)
        expect(name).to_contain_text(f"{round_} of 4")
        assert mixed.slots()[rejected] == "rejected"
        expect(page.locator(".column").nth(rejected)).to_have_class(re.compile("wall"))
    for key, pace in (("]", "real"), ("]", "real"), ("[", "quick"), ("[", "lesson")):
        mixed.press(key)
        expect(page.locator(".pace")).to_have_value(pace)
    expect(page.locator(".transport button")).to_have_count(3)
    mixed.press("Home")
    for button, number in (("Step forward", 1), ("Step forward", 2), ("Step back", 1)):
        page.get_by_role("button", name=button).click()
        expect(name).to_contain_text(f"Round {number} of")
    mixed.press("End", "b")
    solid = "all => all.flatMap((one, i) => getComputedStyle(one).borderLeftStyle === 'solid' ? [i] : [])"
    assert page.locator(".manuscript .token").evaluate_all(solid) == [each.start for each in trace_of(MIXED).rounds]
    mixed.press("b")
    assert page.locator(".manuscript .token").evaluate_all(solid) == []


def _leads(lab: Lab, **moment: object) -> None:
    now = {"run": "lab", "playing": False, "pace": "slow", "since": 0, "page": None, "version": "1", **moment}
    lab.page.evaluate("now => { window.specvizMoment = { ...now, at: performance.now() }; }", now)


def test_the_audience_waits_before_verdicts_that_were_not_played(lab: Lab) -> None:
    """A stage of the audience has nothing of the round on the desk but its draft: it stands before the verdicts, and what the target would write is
    covered, also for somebody who looks around alone; it goes on when they come."""
    view = {**view_of(trace_of(MIXED)), "asked": {"prompt": "", "settings": {"k": 3}}}
    _leads(lab, clock=0, round=1, index=1, phase="commit", fraction=1)
    for following in (True, False):
        lab.show({**played(view, 1), "following": following})
        lab.press("End")
        assert lab.page.locator(".desk").get_attribute("data-phase") == "verify"
        assert lab.slots() == ["typed", "typed", "typed", "idle"]
        expect(lab.page.locator(".choice.on")).to_have_count(0)
    lab.show({**played(view, 2), "following": True})
    assert lab.page.locator(".desk").get_attribute("data-phase") == "commit"
    assert "rejected" in lab.slots()


def test_a_stage_that_goes_with_the_presenter_is_not_moved_by_its_viewer(mixed: Lab) -> None:
    """Its controls are hidden and its keys, its lanes and the tokens of its text do nothing to the clock; a slot still says why, and a
    viewer who looks around alone has everything again. After a reload of the presenter's own page the room is not thrown to the first round; another run
    begins at its own start."""
    trace = trace_of(MIXED)
    view = view_of(trace, plain_of(trace))
    _leads(mixed, clock=1e9, round=4, index=9, phase="draft", fraction=0)
    mixed.show({**view, "following": True})
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 4 of 4")
    for part in (".transport", ".chip.predict", ".end-card"):
        expect(mixed.page.locator(part)).to_be_hidden()
    mixed.press("Home", "ArrowLeft", ",", "N")
    mixed.page.locator(".lanes-picture").click(position={"x": 2, "y": 20})
    mixed.page.locator(".manuscript .token").first.click()
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 4 of 4")
    expect(mixed.page.locator(".why")).to_be_hidden()
    mixed.page.locator(".board .slot").first.click()
    expect(mixed.page.locator(".why")).to_be_visible()
    mixed.show(view)
    mixed.press("Home")
    expect(mixed.page.locator(".transport")).to_be_visible()
    expect(mixed.page.locator(".round-name")).not_to_contain_text("Round 4")
    begin = {"run": "reloaded", "clock": 1e9, "pace": "lesson"}
    for run, round_ in (("reloaded", "Round 4 of 4"), ("other", "Round 1 of 4")):
        mixed.show({**view, "id": run, "begin": begin})
        expect(mixed.page.locator(".round-name")).to_contain_text(round_)
        expect(mixed.page.locator(".pace")).to_have_value("lesson")


def test_a_tree_is_drawn_as_a_tree(lab: Lab) -> None:
    """Branching drafts stand by depth and row, each joined to what it follows, and the accepted path is lit."""
    lab.show(view_of(trace_of(["arad"], parents=TREE_PARENTS)))
    lab.press("Home", ".", ".", ".")
    slots = lab.page.locator(".tree .slot:visible")
    assert slots.count() == 4
    places = slots.evaluate_all(
        "all => all.map(s => [s.style.getPropertyValue('--column'), s.style.getPropertyValue('--row')])"
    )
    assert places == [["1", "1"], ["2", "1"], ["2", "2"], ["1", "3"]]
    edges = lab.page.locator(".tree .edge").evaluate_all("all => all.map(e => e.getAttribute('class'))")
    assert edges == ["edge accepted", "edge rejected", "edge accepted", "edge discarded"]
    lab.press(".")
    expect(lab.page.locator(".tree .closing.bonus")).to_be_visible()
    assert lab.page.locator(".tree .closing").evaluate("e => getComputedStyle(e).gridColumnStart") == "3"


def test_a_recording_that_arrives_leaves_the_viewer_where_he_is(lab: Lab) -> None:
    """While rounds still come, when nothing is known of them for a moment, and when the full recording comes instead, the round on the desk stays. Of a run
    that has failed nothing says that plain decoding or alternatives are still to come."""
    trace = trace_of(MIXED)
    for keys in (("ArrowRight",), ("ArrowRight", "ArrowRight"), ("End",)):
        run = {"id": " ".join(keys)}
        lab.show({**run, "status": "running", "live": live_of(trace, rounds=2)})
        lab.press("Home", *keys)
        before = (lab.text(), lab.slots())
        lab.show({**run, "status": "running", "live": live_of(trace)})
        assert (lab.text(), lab.slots()) == before
        lab.show({**run, "status": "done", "live": None})
        assert (lab.text(), lab.slots()) == before
        lab.show({**view_of(trace, plain_of(trace)), **run})
        assert (lab.text(), lab.slots()) == before
        expect(lab.page.get_by_role("button", name="Play (space)")).to_be_visible()
    lab.show({**played(view_of(trace), len(MIXED)), "id": "failed", "status": "failed", "plain_rate": 100.0})
    lab.press("End", "w")
    expect(lab.page.locator(".lane-end").first).to_have_text("not measured")
    expect(lab.page.locator(".why-empty").first).to_have_text("No alternatives were recorded here.")
    assert "was stopped" in (lab.page.locator(".figure.speedup").get_attribute("data-note") or "")


def test_odd_runs_are_drawn_from_end_to_end(lab: Lab) -> None:
    """An empty run, all rejected, all accepted, nothing drafted: every phase is drawn and the text is complete."""
    odd: list[list[str]] = [[], ["rdd", "aaa"], [""]]
    for rounds in odd:
        trace = trace_of(rounds)
        lab.show({**(view_of(trace, plain_of(trace)) if rounds else view_of(trace)), "id": str(rounds)})
        lab.at_each((index, phase, share) for index in range(len(rounds)) for phase in PHASES for share in (0.0, 0.9))
        lab.press("Home", "End")
        assert lab.text() == (" w0" + trace.text if rounds else trace.prompt)


def test_figures_say_how_they_were_measured_to_every_hand(mixed: Lab) -> None:
    """The explanation opens by the pointer, by the keyboard and by a tap; Escape, a press elsewhere and a second tap close it."""
    mixed.press("End", "Escape")
    figure, note = mixed.page.locator(".figure.perPass"), mixed.page.locator(".note-shown")
    figure.focus()
    expect(note).to_contain_text("plain decoding always has 1")
    mixed.page.keyboard.press("Escape")
    expect(note).to_have_count(0)
    mixed.page.locator(".stage").focus()
    figure.hover()
    expect(note).to_contain_text("plain decoding always has 1")
    mixed.page.mouse.move(2, 2)
    expect(note).to_have_count(0)
    tap = """(node, type) => { node.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'touch', bubbles: true, composed: true }));
        node.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true })); }"""
    figure.evaluate(tap)
    expect(note).to_contain_text("plain decoding always has 1")
    figure.evaluate(tap)
    expect(note).to_have_count(0)
    figure.evaluate(tap)
    mixed.page.locator(".manuscript").evaluate(tap)
    expect(note).to_have_count(0)


def test_no_words_of_the_headline_move_the_desk(lab: Lab) -> None:
    """Before a run, at the end of a fast one, of a slow one with all its small print and of one on a busy machine, the desk is where it was."""
    fast, slow = trace_of(MIXED), trace_of(["rdd", "rdd"], temperature=0.8, rule="lenient", lenience=0.3)
    busy = {"trusted": False, "why": "the timings do not agree", "between": "between 0.44× and 12.72×", "grounds": ""}
    runs = (
        ("Home", "–", view_of(fast, plain_of(fast), id="fast")),
        ("End", "speedup over plain decoding", view_of(fast, plain_of(fast), id="fast", speedups=[2.5], timed=1)),
        ("End", "slower than plain, the lower", view_of(slow, plain_of(slow), id="slow", speedups=[0.75] * 4, timed=4)),
        ("End", "between 0.44×", view_of(slow, plain_of(slow), id="busy", speedups=[0.44] * 4, timed=4, timing=busy)),
    )
    for width, talk in ((1232, False), (390, True)):
        lab.page.set_viewport_size({"width": width, "height": 720})
        tops = set()
        for key, words, view in runs:
            lab.show({**view, "talk": talk})
            lab.press(key)
            expect(lab.page.locator(".figure.speedup")).to_contain_text(words)
            tops.add(lab.page.locator(".desk").evaluate("e => e.offsetTop - e.parentElement.offsetTop"))
        assert len(tops) == 1, (width, talk, tops)


HOSTILE = {
    1: b'<img src=x onerror="window.hacked=1">',
    2: b"</script><script>window.hacked=1</script>",
    3: b"javascript:alert(1)",
    4: b"\x00\x07\x1b[31m\x7f",
    5: "\u202egnirts\u2066".encode(),
    6: b"x" * 5000,
    7: "שלום עולם 你好世界 👩‍👩‍👧‍👦".encode(),
    8: b"\xf0\x9f",
    9: b"\r\n\t  ",
}


_HEIGHTS = "() => ['.manuscript', '.desk', '.transport'].map((part) => document.querySelector(part).getBoundingClientRect().height)"


def test_tokens_of_any_kind_stay_text_and_in_their_places(lab: Lab) -> None:
    """Markup, control characters, other scripts, emoji, halves of characters and endless words are text, in rows that stay as they are."""
    lab.page.set_viewport_size({"width": 390, "height": 844})
    heights = []
    for texts in (None, HOSTILE):
        trace = trace_of(["aaaaaaa", "ardddddd"[:7], "rdddddd"], texts=texts)
        lab.show({**view_of(trace, plain_of(trace)), "id": str(texts is None)})
        lab.press("End", "w")
        lab.press("Escape", "Home", ".", ".", ".", ".")
        heights.append(lab.page.evaluate(_HEIGHTS))
        assert lab.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert heights[0] == heights[1]
    assert lab.page.evaluate("window.hacked") is None
    assert lab.page.locator(".stage img, .stage script").count() == 0
    assert "<img src=x onerror" in lab.text()
