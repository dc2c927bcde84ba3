"""The measured pictures of the lessons on a static page: their words, by keyboard, in both themes, for a room and on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.axe import serious
from tests.app.measured import CACHED, CURVE, DOTS, FLAT, RESULTS, ROOFLINE, SURFACE, Drawn
from tests.helpers.fuzz import HOSTILE

IN_ROOM_PX = 18
_SMALLEST = """room => Math.min(...[...room.querySelectorAll("*")].filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".unseen, title")
    && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize)))"""
_OUTSIDE = """room => { const wide = innerWidth; return [...room.querySelectorAll("p, label, button, svg text, .route-row *")]
    .filter(e => e.checkVisibility({ visibilityProperty: true }) && e.textContent.trim()).filter(e => { const box = e.getBoundingClientRect();
        return box.width && (box.right > wide + 0.5 || box.left < -0.5); }).map(e => e.textContent); }"""


def _each_figure_says_how(page: Page, count: int) -> None:
    titles = page.locator(".measured-figure, .measured-headline-figure").evaluate_all(
        "all => all.map(one => one.dataset.note)"
    )
    assert len(titles) == count
    assert all("Measured on this machine: Fixture-135M" in title for title in titles)


@pytest.fixture
def page(blank: Page) -> Page:
    """No test here needs more than an empty page."""
    return blank


def test_the_pictures_say_what_was_measured(page: Page) -> None:
    """Empty axes say so; a measurement fills the same room; sliders work by keyboard and the page around hears none of their arrows;
    another measurement leaves the slider where the reader put it; every figure says how it was measured."""
    drawn = Drawn(page)
    page.evaluate("() => { window.heard = []; document.addEventListener('keydown', (e) => window.heard.push(e.key)); }")
    for kind in RESULTS:
        drawn.show(None, kind=kind)
        expect(page.locator(".nothing-yet")).to_have_text("not measured on this machine yet")
        expect(page.get_by_role("img")).to_have_accessible_name(re.compile("not measured on this machine yet"))
        assert page.get_by_role("slider").count() == 0

    drawn.show(ROOFLINE)
    expect(page.locator(".roof-dot.one")).to_contain_text("1 token: 3.8%")
    expect(page.locator(".measured-aside")).to_be_hidden()
    assert page.locator(".unseen tr").count() == 1 + len(ROOFLINE["points"])
    _each_figure_says_how(page, 6)
    drawn.show({**CACHED, "disturbed": True, "why": "two other programs were busy"})
    expect(page.locator(".measured-aside")).to_contain_text("above the slanted roof: weights that stay in a cache")
    expect(page.locator(".measured-warning")).to_contain_text("⚠ Disturbed: two other programs were busy")
    top = "(name) => window.room.querySelector(name).getBoundingClientRect().top"
    assert page.evaluate(top, ".measured-warning") < page.evaluate(top, ".measured-headline"), "said before the figures"

    drawn.show(CURVE)
    _each_figure_says_how(page, 3)
    expect(page.locator(".cost-bend-words")).to_have_text("it bends about here")
    slider = page.get_by_role("slider")
    slider.focus()
    drawn.press("ArrowRight", "ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "8 tokens")
    expect(page.locator(".measured-headline")).to_contain_text("Eight passes over one token: 36.0 ms. v(8) = 3.27.")
    drawn.show(FLAT)
    expect(page.locator(".measured-headline")).to_contain_text("One pass over 8 tokens")
    expect(page.locator(".cost-bend-words")).to_be_hidden()

    drawn.show(SURFACE, dots=DOTS)
    expect(page.locator(".measured-headline")).to_contain_text("✓")
    expect(page.locator(".measured-words")).to_contain_text("Calculated from measured passes.")
    expect(page.locator(".surface-cell")).to_have_count(35)
    expect(page.locator(".surface-cell.missing")).not_to_have_count(0)
    expect(page.get_by_role("slider", name="α")).to_have_attribute("aria-valuetext", "0.86")
    expect(page.locator(".route-row").first).to_contain_text("letters")
    expect(page.locator(".route-row").first).to_contain_text("✓ use k =")
    page.get_by_role("slider", name="guests").focus()
    drawn.press("ArrowRight", "ArrowRight")
    expect(page.locator(".measured-words")).to_contain_text("between 2 and 4 guests on a straight line")
    drawn.press("End")
    expect(page.locator(".measured-headline")).to_contain_text("switch it off")
    expect(page.locator(".route-row").last).to_contain_text("✕ no draft")
    page.get_by_role("radio", name="speedup").check()
    drawn.settle()
    assert page.locator(".surface-cell.speedup.pays").first.locator(".cell-text").all_text_contents()[0] in "✓★"
    page.get_by_role("button", name="stories").click()
    expect(page.get_by_role("slider", name="α")).to_have_attribute("aria-valuetext", "0.43")
    assert [key for key in page.evaluate("window.heard") if key.startswith(("Arrow", "Page", "Home", "End"))] == []
    _each_figure_says_how(page, 1)

    for text in (*HOSTILE, "w" * 400):
        drawn.show({**CURVE, "target": text, "processor": text, "why": text, "disturbed": True})
        assert page.locator("img, script[src], iframe, a").count() == 0
    drawn.show({"kind": "pass cost", "points": "none"})
    expect(page.locator(".measured-warning")).to_contain_text("This measurement cannot be shown")


@pytest.mark.accessibility
def test_they_are_legible_in_a_room_and_on_a_phone(page: Page) -> None:
    """In both themes axe finds nothing serious; in a room no letter is under 18 px and all is in view; on a phone nothing is cut off."""
    page.emulate_media(reduced_motion="reduce")
    for scheme, width, height, talk in (
        ("light", 800, 600, True),
        ("dark", 800, 600, True),
        ("light", 390, 844, False),
    ):
        page.set_viewport_size({"width": width, "height": height})
        drawn = Drawn(page, scheme)
        for kind, result in RESULTS.items():
            drawn.show(result, talk=talk, dots=DOTS)
            assert page.locator("#drawn").evaluate(_OUTSIDE) == [], (kind, width)
            if not talk:
                wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
                assert wide[0] <= wide[1], kind
                continue
            assert page.locator("#drawn").evaluate(_SMALLEST) >= IN_ROOM_PX, kind
            box = page.locator("#drawn").bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, (kind, box)
            assert serious(page) == [], kind
