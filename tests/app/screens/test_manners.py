"""The player for every way of drafting and judging: what it says of each, and trees in their box."""

from dataclasses import replace

from playwright.sync_api import expect

from specviz.trace.records import Trace
from tests.app.lab import Lab, box_of
from tests.helpers.views import MIXED, TREE_PARENTS, plain_of, trace_of, view_of


def test_a_lossy_rule_is_labelled(lab: Lab) -> None:
    """The badge stands on the stage, and the speedup and the end say it; an exact rule wears no badge."""
    trace = trace_of(MIXED, temperature=0.8, rule="lenient", lenience=0.3)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("End")
    expect(lab.page.locator(".lossy")).to_have_text("LOSSY: lenient rule, lenience 0.3")
    expect(lab.page.locator(".figure.speedup .small")).to_contain_text("LOSSY")
    expect(lab.page.locator(".caption")).to_contain_text("LOSSY")
    exact = trace_of(MIXED)
    lab.show(view_of(exact, plain_of(exact), id="exact"))
    lab.press("End")
    assert "LOSSY" not in lab.page.locator(".stage").inner_text()


def _headed(name: str, label: str, taps: tuple[int, ...], parents: tuple[int, ...] | None = None) -> Trace:
    trace = trace_of(["aaar"] if parents is None else ["aard"], drafter=name, label=label, of=12, parents=parents)
    return replace(trace, card=replace(trace.card, drafter=replace(trace.card.drafter, taps=taps)))


def test_a_trained_head_stands_on_the_target(lab: Lab) -> None:
    """It is drawn as what it is, while it drafts: boxes that are lit, the layers it reads, signs between slots, a block, columns of a tree. Afterwards
    these signs are gone. The desk is as high as for a small model. Which head has which signs: trained_heads.test.ts."""
    page = lab.page
    sign, seams, filling = page.locator(".column .sign").nth(1), page.locator(".seam:visible"), page.locator(".filling")
    desk = page.locator(".desk")

    lab.show(view_of(trace_of(["aaar"])))
    lab.press("Home", ".")
    usual = round(box_of(desk)["height"])
    assert page.locator(".boxes:visible, .seam:visible, .feeds:visible, .filling, .depth:visible").count() == 0
    lab.show({**view_of(_headed("dspark", "DSpark", (2, 6, 9))), "id": "dspark"})
    lab.press("Home", ".")
    assert page.locator(".boxes i.lit").all_text_contents() == ["1", "2", "3", "4"]
    tapped = page.locator(".role.target .stack i").evaluate_all(
        "all => all.reverse().flatMap((bar, i) => bar.classList.contains('tap') ? [i + 1] : [])"
    )
    assert tapped == [2, 6, 9]
    assert seams.all_text_contents() == ["→"] * 3
    assert sign.inner_text().endswith("linked")
    assert page.locator(".column.filling").count() == 4
    assert round(box_of(desk)["height"]) == usual
    lab.press(".")
    assert seams.count() == filling.count() == 0
    assert sign.inner_text() == ""

    lab.show({**view_of(_headed("medusa-tree", "Medusa tree", (12,), TREE_PARENTS)), "id": "medusa-tree"})
    lab.press("Home", ".")
    assert page.locator(".depth:visible .depth-name").all_text_contents()[:2] == ["head 1", "head 2same for all"]
    assert page.locator(".depth.alike.lit:visible").count() == 2
    assert round(box_of(desk)["height"]) == usual
    below = "n => n.getBoundingClientRect().top >= n.parentNode.querySelector('.depth-name').getBoundingClientRect().bottom - 1"
    assert page.locator(".tree .slot").first.evaluate(below), "the names of the columns cover no guess"
    lab.show({**view_of(trace_of(["aard"], parents=TREE_PARENTS, drafter="tree", label="draft tree")), "id": "tree"})
    lab.press("Home", ".")
    assert page.locator(".depth:visible, .boxes:visible").count() == 0


_DEEP = (-1,) * 4 + tuple(n // 5 for n in range(20)) + tuple(4 + n // 2 for n in range(40))
"""A tree of 64 guesses, three deep."""


def test_a_large_tree_stays_in_its_box(lab: Lab) -> None:
    """However large, a tree scrolls inside a box of one height; it stands still while what is judged is in view, and the node that was judged last
    and the target's own token are in view. The page is no wider than the screen."""
    lab.page.set_viewport_size({"width": 390, "height": 900})
    none, first, last = (
        "rrrr" + "d" * 60,
        "rrra" + "d" * 15 + "rrrrr" + "d" * 40,
        "rrra" + "d" * 15 + "rrrra" + "d" * 38 + "ra",
    )
    trace = trace_of([none, first, last, "a" + "d" * 3 + "a" + "d" * 19 + "a" + "d" * 39], parents=_DEEP)
    lab.show(view_of(trace))
    lab.press("Home")
    view, heights, scrolled = lab.page.locator(".tree-view"), set(), []
    for round_ in trace.rounds:
        lab.press(".", ".", ".", ".")
        box = box_of(view)
        heights.add(box["height"])
        scrolled.append(view.evaluate("box => box.scrollTop"))
        assert lab.page.locator(".tree .slot:visible").count() == len(round_.drafted)
        closing, accepted = lab.page.locator(".tree .closing"), lab.page.locator(".tree .slot.accepted")
        for node in (closing, accepted.last) if round_.accepted else (closing,):
            place = box_of(node)
            assert box["y"] <= place["y"] + 1
            assert place["bottom"] <= box["bottom"] + 1
    assert len(heights) == 1
    assert scrolled[0] == 0 < scrolled[2], "the guesses of the first position fit into the box"
    assert lab.page.evaluate("document.documentElement.scrollWidth") <= 390
