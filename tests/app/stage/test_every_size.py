"""Whatever the size of the window, nothing on the stage is cut or covered: two sizes in every test run, all of them, and in talk mode, in
`make rare PARTS=accessibility`."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.app.lab import SIZES, Lab, until
from tests.helpers.views import plain_of, shipped_view, trace_of, view_of

_MORE = ((1920, 1080), (860, 640), (768, 1024), (700, 900))
_CUT = """board => [...board.querySelectorAll(".words, .verdict, .sign, .slot, .choice, .closing")].filter((e) =>
    e.checkVisibility({ visibilityProperty: true }) && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
).map((e) => `${e.className}: ${e.textContent}`)"""
_COVERED = """why => {
    const box = why.getBoundingClientRect();
    const hit = (r) => r.width && r.top < box.bottom - 1 && r.bottom > box.top + 1 && r.left < box.right && r.right > box.left;
    const half = (r) => hit(r) && r.bottom > box.bottom + 1;
    const seen = [...document.querySelectorAll(".head > *")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
    return seen.filter((e) => half(e.getBoundingClientRect())).length
        + [...document.querySelectorAll(".board .column > *")].filter((e) => hit(e.getBoundingClientRect())).length;
}"""
_AMISS = """card => {
    const at = (part) => part.getBoundingClientRect(), stage = card.parentElement;
    const [box, speech] = [at(card), at(stage.querySelector(".speech"))];
    const told = [...card.querySelectorAll(".end-told > *")].filter((part) => part.checkVisibility()).map(at);
    const holds = {
        "over text and desk": box.bottom <= speech.top + 1,
        "no wider line": card.scrollWidth <= card.clientWidth,
        "words in view": told.every((part) => part.top >= box.top && part.bottom <= box.bottom && part.right <= box.right),
        "room for the text": at(card.querySelector(".end-text")).height > 60,
    };
    return Object.keys(holds).filter((claim) => !holds[claim]);
}"""


@pytest.mark.parametrize(
    ("talk", "sizes"),
    [
        pytest.param(False, SIZES, id="keynote and phone"),
        pytest.param(False, _MORE, id="more sizes", marks=pytest.mark.accessibility),
        pytest.param(True, (*SIZES, *_MORE), id="talk", marks=pytest.mark.accessibility),
    ],
)
def test_nothing_is_cut_or_covered(lab: Lab, talk: bool, sizes: Sequence[tuple[int, int]]) -> None:
    """Words on the desk are whole, the drawer that says why hides nothing that it explains, and the card at the end fits."""
    lab.take()
    page, why, lost = lab.page, lab.page.locator(".why"), trace_of(["rdddd"] * 12)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})

        # Under every token stands the whole word or, where columns are narrow, its mark alone, which the legend explains.
        lab.show(shipped_view("lighthouse", talk=talk, id=f"words {width}"))
        for keys in (("Home", "n"), (".",)):
            lab.press(*keys)
            assert page.locator(".board").evaluate(_CUT) == [], width

        # With the formula and without, all pairs of draft and target's token stay in view beside the drawer; no line peeps out from under it.
        lab.show(shipped_view("capital", talk=talk, id=f"why {width}"))
        lab.press("Home", "n", ".", "w")
        for _ in range(2):
            expect(why).to_be_visible()
            assert until(page, lambda: why.evaluate(_COVERED) == 0), width
            assert why.evaluate("w => w.scrollHeight <= w.clientHeight && w.scrollWidth <= w.clientWidth"), width
            why.get_by_role("button", name="Formula").click()
            lab.settle()

        # The card lies over text and desk and nothing else; the words and the button are in view, and no line is wider than the card.
        lab.show(view_of(lost, plain_of(lost), able=("auto", "model", "eagle"), id=f"card {width}", talk=talk))
        lab.press("End")
        assert page.locator(".end-card").evaluate(_AMISS) == [], (width, height)
