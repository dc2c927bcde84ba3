"""The desk: pairs of draft and target's choice on one axis at every size, and a rejection that is staged."""

from playwright.sync_api import expect

from tests.app.lab import SIZES, Lab
from tests.helpers.views import plain_of, trace_of, view_of

_ROWS = """() => {
    const all = (part) => [...document.querySelectorAll(part)].map((node) => node.getBoundingClientRect());
    const [slots, choices] = [all(".board .slot"), all(".board .choice")], [[rejected], [board], [transport], [desk]] =
        [".slot.rejected", ".board", ".transport", ".desk"].map(all);
    return {
        "one row": new Set(slots.slice(0, -1).map(({ top }) => top)).size === 1,
        "above the target's": Math.max(...slots.map(({ bottom }) => bottom)) <= Math.min(...choices.map(({ top }) => top)),
        "wide enough to be read": Math.min(...slots.map(({ width }) => width)) >= 40,
        "the rejected one in view": board.left <= rejected.left && rejected.right <= board.right,
        "no wider than the page": document.documentElement.scrollWidth <= innerWidth,
        "transport in view": innerWidth < 1280 || (transport.bottom <= innerHeight && desk.height > 240),
    };
}"""


def _texts(lab: Lab, part: str) -> list[str]:
    return lab.page.locator(f".board {part}").all_text_contents()


def _struck(lab: Lab) -> list[str]:
    """What on the stage has a line through it, which makes a colon a division sign: the decoration of a box goes through all that it holds."""
    found: list[str] = lab.page.locator(".stage").evaluate(
        "stage => [stage, ...stage.querySelectorAll('*')].filter(e => getComputedStyle(e).textDecorationLine.includes('line-through')).map(e => e.className)"
    )
    return found


def test_what_the_target_would_have_written_stands_under_every_slot(lab: Lab) -> None:
    """All at once while it reads, then compared pair by pair; its own token takes its place, and no token is struck through."""
    trace = trace_of(["ard", "aaa"], texts={2: b":", 9: b"\n"})
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home", ".")
    assert _texts(lab, ".choice .text") == [""] * 4
    lab.press(".")
    assert _texts(lab, ".choice .text") == ["·w1", "⏎", "⏎", ""]
    assert _texts(lab, ".choice .words")[:3] == ["◇ most likely"] * 3
    assert _texts(lab, ".sign") == [""] * 4
    lab.press(".")
    assert _texts(lab, ".sign") == ["= same", "≠ differs", "", ""]
    assert _texts(lab, ".choice .words")[2] == "– not needed"
    expect(lab.page.locator(".column.wall")).to_have_count(1)
    assert _struck(lab) == []
    lab.press(".")
    expect(lab.page.locator(".closing.corrected .text")).to_have_text("⏎")
    lab.press(".", ".")
    assert _texts(lab, ".choice .text") == ["·w1", ":", "·w3", "⏎"], (
        "the bonus is there with the others: it is the same pass"
    )
    for keys in (("End",), ("Home", "n", "w")):
        lab.press(*keys)
        assert _struck(lab) == []
    lab.show(view_of(trace_of(["rr"], parents=(-1, -1)), id="tree"))
    lab.press("End")
    expect(lab.page.locator(".tree .slot.rejected")).to_have_count(2)
    assert _struck(lab) == []


def test_a_vote_covers_what_the_target_would_have_written(mixed: Lab) -> None:
    """While the room votes on a round its stages stand before the verdicts, with the target's row and its probabilities covered, also
    for another draft length; with the answer they are there."""
    vote = {"id": "1", "run": "lab", "round": 0, "over": False}
    mixed.page.evaluate("vote => { window.specvizVote = vote; }", vote)
    mixed.press("End", "k")
    expect(mixed.page.locator(".choice.covered")).to_have_count(3)
    assert _texts(mixed, ".choice .text") == [""] * 4
    expect(mixed.page.locator(".desk")).to_have_attribute("data-phase", "verify")
    mixed.page.locator(".board .slot").first.click()
    expect(mixed.page.locator(".why-reason")).to_contain_text("the target has not read it yet")
    assert set(_texts(mixed, ".why .side.p .value")) <= {"–", ""}
    mixed.page.evaluate("window.specvizVote = null")
    mixed.press("Escape", "Home", ".", ".")
    assert _texts(mixed, ".choice .text")[:3] == ["·w1", "·w2", "·w3"]


def test_drafts_and_target_stay_two_rows_at_every_size(lab: Lab) -> None:
    """However many drafts, all of them are in one row above the target's, wide enough to be read, and the transport is in view."""
    for width, height in SIZES:
        lab.page.set_viewport_size({"width": width, "height": height})
        for k in (5, 16):
            trace = trace_of(["a" * (k - 2) + "rd"])
            lab.show(view_of(trace, plain_of(trace), id=f"{k} {width}"))
            lab.press("Home", ".", ".", ".")
            assert [claim for claim, holds in lab.page.evaluate(_ROWS).items() if not holds] == [], (width, k)


def test_on_a_phone_a_round_of_five_is_there_with_its_closing_token(lab: Lab) -> None:
    """A long token is broken into lines of which none is cut or under its mark, and all columns are in view; where they are not, the last is."""
    words = {1: b" kind", 2: b" invitation", 3: b" to", 4: b" the", 5: b" garden", 9: b" party"}
    amiss = """board => {
        const at = (node) => node.getBoundingClientRect(), room = at(board);
        const last = at(board.querySelector(".closing.on")), [first] = [...board.querySelectorAll(".slot")].map(at);
        const cut = [...board.querySelectorAll(".slot, .choice, .closing")].filter((card) => {
            const [text, mark] = [...card.children];
            return card.checkVisibility({ visibilityProperty: true }) && (text.scrollHeight > text.clientHeight || at(text).bottom > at(mark).top + 0.5);
        }).map((card) => card.textContent);
        return [...cut, ...(last.right > room.right ? ["closing"] : []), ...(first.left < room.left ? ["first"] : [])];
    }"""
    lab.page.set_viewport_size({"width": 390, "height": 844})
    for verdicts, wanted in (("a" * 5, []), ("a" * 10, ["first"])):
        trace = trace_of([verdicts], texts=words)
        lab.show(view_of(trace, plain_of(trace), id=verdicts))
        lab.press("Home", ".", ".", ".", ".")
        assert lab.page.locator(".board").evaluate(amiss) == wanted


def test_a_tree_can_be_read_to_its_last_row(lab: Lab) -> None:
    """No token of a tree of 24 is in smaller letters than the page's small ones; the frame of the pass that covers a tree is cut at no side."""
    sizes = """() => [...document.querySelector(".tree.checking").querySelectorAll(".text")].map((node) => parseFloat(getComputedStyle(node).fontSize))"""
    large, small = ("r" * 4 + "d" * 20, (-1,) * 4 + tuple(n // 5 for n in range(20))), ("rrr", (-1,) * 3)
    for verdicts, parents in (large, small):
        lab.show(view_of(trace_of([verdicts], parents=parents), id=verdicts))
        [letters] = lab.at_each([(0, "verify", 0.5)], sizes)
        assert len(letters) >= len(verdicts)
        assert min(letters) >= 12.8, verdicts
    cut = """tree => {
        const frame = [tree, tree.parentElement].find((node) => getComputedStyle(node).outlineStyle !== "none");
        const { outlineOffset, outlineWidth } = getComputedStyle(frame), more = parseFloat(outlineOffset) + parseFloat(outlineWidth);
        let around = frame.parentElement;
        while (around.parentElement && getComputedStyle(around).overflowY === "visible") around = around.parentElement;
        const [inner, outer] = [frame.getBoundingClientRect(), around.getBoundingClientRect()];
        return Math.min(inner.top - more - outer.top, outer.bottom - inner.bottom - more, inner.left - more - outer.left);
    }"""
    assert lab.page.locator(".tree.checking").first.evaluate(cut) > -0.5
