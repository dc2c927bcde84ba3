"""The explorables of the lessons on a static page: by keyboard, mouse and finger, in both themes, for a room and on a phone."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from specviz.lessons.learn_data import recorded_costs
from specviz.reporting.player.scripts import style
from tests.app.axe import serious
from tests.app.lab import Bench, box_of, themed, until
from tests.app.test_no_tooltips import tooltips
from tests.helpers import theory
from tests.helpers.fuzz import HOSTILE
from tests.helpers.lessons import lesson_of
from tests.helpers.node import joined

IN_ROOM_PX = 18
"""Legible from the last row at 1280x720: no letter is smaller."""


DOTS = [
    {"name": name, "alpha": alpha, "c": 0.12, "v": 1.2, "k": k, "speedup": speedup}
    for name, alpha, k, speedup in (
        ("letters", 0.93, 6, 2.9),
        ("JSON", 0.9, 6, 2.5),
        ("a story", 0.6, 5, 1.2),
        ("verse", 0.45, 5, 0.92),
    )
]
TOKENS = ["·your", "·kind", "·invitation", "·to", "·the", "·garden", "·party"]
COSTS: dict[str, Any] = recorded_costs(lesson_of("checking").recordings) or {}
PASS_S = {point["tokens"]: point["pass_s"] for point in COSTS["points"]}
GUESTS_S = {(point["guests"], point["tokens"]): point["pass_s"] for point in COSTS["guests"]}
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pictures</title><style>{} body {{ margin: 8px; background: var(--st-background-color); }}</style>
<style>{}</style></head><body><main><h1 style="position: absolute; clip-path: inset(50%)">Pictures</h1><div id="here"></div></main></body></html>"""
KINDS: dict[str, dict[str, Any]] = {
    "rule": {},
    "pays": {"dots": DOTS},
    "audit": {},
    "stream": {"picture": "six in one", "costs": COSTS, "tokens": TOKENS},
    "costs": {"picture": "guests", "costs": COSTS},
    "rush": {"picture": "rush hour", "costs": COSTS, "dots": DOTS[::2]},
    "mask": {"tokens": TOKENS},
}


class Explorable(Bench):
    """A page with one explorable on it."""

    def __init__(self, page: Page, kind: str, scheme: str = "light", **data: Any) -> None:
        super().__init__(page)
        self._kind = kind
        page.set_content(_PAGE.format(themed(scheme), style("explorables")))
        if not page.evaluate("'lessons' in window"):  # another document of the same window has it
            page.add_script_tag(content=joined("lessons", "lessons/explorables"))
        self.mount(**data)

    def mount(self, **data: Any) -> None:
        """Mount it, or hand it data again, as a page does that is rendered again."""
        self.page.evaluate(
            "([kind, data]) => lessons.EXPLORABLES[kind].mount(document.getElementById('here'), data)",
            [self._kind, data],
        )
        self.settle()

    def text(self, part: str) -> str:
        return self.page.locator(f".{part}").inner_text()

    def tab_to(self, name: str) -> None:
        """Press Tab until the control with this accessible name has the focus."""
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if self.focused().startswith(name):
                return
        raise AssertionError(f"{name!r} cannot be reached with the Tab key")

    def focused(self) -> str:
        found: str = self.page.evaluate(
            """() => { const it = document.activeElement;
                return it.getAttribute("aria-label") ?? it.closest("label")?.querySelector(".choice-text, .dragger-name")?.textContent ?? it.textContent; }"""
        )
        return found


def _slider(page: Page, name: str) -> float:
    return float(page.get_by_role("slider", name=name).get_attribute("aria-valuenow") or "nan")


def _all(page: Page, side: str) -> list[float]:
    found = page.locator(f".bar-handle.{side}").evaluate_all("all => all.map(one => Number(one.ariaValueNow))")
    return [float(value) for value in found]


@pytest.fixture
def page(blank: Page) -> Page:
    """No test here needs more than an empty page."""
    return blank


def test_the_rule_by_keyboard_alone(page: Page) -> None:
    """With Tab, arrows, space and Enter: a bar is raised and the others make room, u is moved across the bound and the verdict turns,
    tokens are drawn, a wrong rule misses p, and the proof opens. The page around hears none of the arrows."""
    page.emulate_media(reduced_motion="reduce")
    shown = Explorable(page, "rule")
    page.evaluate("() => { window.heard = []; document.addEventListener('keydown', (e) => window.heard.push(e.key)); }")
    shown.tab_to("p of “Lyon”")
    shown.press("PageUp", "ArrowUp", "ArrowUp", "ArrowDown")
    assert _slider(page, "p of “Lyon”") == pytest.approx(0.08 + 0.11)
    assert sum(_all(page, "p")) == pytest.approx(1, abs=1e-3)
    assert sum(_all(page, "q")) == pytest.approx(1, abs=1e-3)
    expect(page.locator(".ruling-head").first).to_contain_text("min(1, 0.19 / 0.30) = 0.63")

    shown.tab_to("u, the random number")
    shown.press("Home")
    assert shown.text("rule-verdict").startswith("✓ accepted: “Lyon” was drafted, and u = 0.000 is below 0.633")
    shown.press("End")
    assert shown.text("rule-verdict").startswith("✕ rejected: “Lyon”")

    page.evaluate("() => document.activeElement.blur()")
    shown.tab_to("Draw 1")
    shown.press("Enter")
    assert shown.text("out-count").startswith("1 token ")
    shown.tab_to("Draw 10,000")
    shown.press("Space")
    assert shown.text("out-count").startswith("10,001 tokens")
    assert float(shown.text("out-distance")) < 0.03
    shown.tab_to("The rule")
    shown.press("ArrowDown", "ArrowDown")
    expect(page.get_by_role("radio", name="No residual")).to_be_checked()
    expect(page.locator(".rule-leads")).to_contain_text(re.compile(r"misses p by 0\.0[5-9]"))
    assert shown.text("out-count").startswith("0 tokens")
    shown.tab_to("Why the exact rule")
    shown.press("Enter")
    expect(page.locator(".proof-lines")).to_be_visible()
    assert [key for key in page.evaluate("window.heard") if key.startswith(("Arrow", "Page", "Home", "End"))] == []


def test_what_is_drawn_is_what_is_computed(page: Page) -> None:
    """The bars of the picture have the heights of the numbers: the frames p and q, and in them the accepted and the redrawn share, which
    for the exact rule fill p exactly and for a wrong one do not."""
    shown = Explorable(page, "rule")
    script = """() => {
        const parts = [...document.querySelectorAll('.pair-bars svg > g > *')], found = [];
        const tall = (node) => Number(node.getAttribute('height'));
        for (const frame of document.querySelectorAll('.pair-bars .frame.p')) {
            const at = parts.indexOf(frame);
            found.push([tall(parts[at - 2]) + tall(parts[at - 1]), tall(frame)]);
        }
        return found;
    }"""
    for filled, frame in page.evaluate(script):
        assert filled == pytest.approx(frame, abs=0.3)
    values = [0.42, 0.08, 0.16, 0.2, 0.04, 0.1]
    heights = [frame for _, frame in page.evaluate(script)]
    assert heights == pytest.approx([heights[0] * value / values[0] for value in values], abs=0.3)
    page.get_by_text("Accept what is likely").click()
    shown.settle()
    assert max(abs(filled - frame) for filled, frame in page.evaluate(script)) > 10


def test_a_finger_drags_a_bar_on_a_phone(browser: Browser) -> None:
    """On a phone a bar follows a finger, the page does not scroll meanwhile, nothing of any explorable is wider than the screen, and none has a native
    tooltip, which a finger does not open."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    for kind, data in KINDS.items():
        Explorable(page, kind, **data)
        wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], kind
        assert not tooltips(page), kind
    Explorable(page, "rule")
    grip = box_of(page.locator(".bar-handle.p .grip").first)
    before = _slider(page, "p of “Paris”")
    touch = page.context.new_cdp_session(page)
    at = {"x": grip["x"] + grip["width"] / 2, "y": grip["y"] + 3}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    for up in (10, 25, 40):
        point = {**at, "y": at["y"] - up}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.get_by_role("slider", name="p of “Paris”")).not_to_have_attribute("aria-valuenow", str(before))
    assert until(page, lambda: _slider(page, "p of “Paris”") > before + 0.05)
    assert page.evaluate("() => scrollY") == 0
    context.close()


def test_the_formula_by_keyboard_alone(page: Page) -> None:
    """The sliders give the engine's own figure, a slow setting is called slower, and a recorded run brings its own letters."""
    shown = Explorable(page, "pays", dots=DOTS)
    shown.tab_to("α")
    shown.press("ArrowRight", "ArrowRight")
    expected = theory.speedup(0.82, 5, 0.1, 1.1)
    assert shown.text("pays-figure") == f"✓ {expected:.2f}×"
    expect(page.locator(".speed-label")).to_have_text(f"k = 5: {expected:.2f}×")
    shown.tab_to("v")
    shown.press("End")
    slow = f"✕ {theory.speedup(0.82, 5, 0.1, 6):.2f}× slower than plain decoding"
    assert shown.text("pays-headline").split() == slow.split()
    assert shown.text("pays-best").startswith("No draft length pays here")
    expect(page.locator(".speed-star")).to_be_hidden()
    shown.tab_to("● verse")
    shown.press("Enter")
    expect(page.locator(".pays-about")).to_contain_text(f"the formula gives {theory.speedup(0.45, 5, 0.12, 1.2):.2f}×")
    expect(page.get_by_role("button", name="verse")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".run-dot").count() == len(DOTS)
    top = page.locator(".run-dot.lit").evaluate("dot => Number(dot.getAttribute('y'))")
    even = page.locator(".even-line").evaluate("line => Number(line.getAttribute('y1'))")
    assert top > even, "a run that was slower than plain decoding lies in the slow region"


def test_a_second_mount_leaves_what_the_reader_did(page: Page) -> None:
    """Mounted again with the same data, as at every rerun of a page, it stays as the reader left it; other data is shown afresh."""
    shown = Explorable(page, "pays", dots=DOTS)
    shown.tab_to("α")
    shown.press("ArrowRight")
    for data, alpha in (({"dots": DOTS}, "0.81"), ({"dots": DOTS, "talk": True}, "0.81"), ({"dots": []}, "0.80")):
        shown.mount(**data)
        expect(page.locator(".dragger-value").first).to_have_text(alpha)


def test_hostile_words_stay_words(page: Page) -> None:
    """Names of runs are text, whatever they contain, and however long they are nothing leaves the page."""
    for text in (*HOSTILE, "w" * 400):
        Explorable(page, "pays", dots=[{**DOTS[0], "name": text}])
        assert page.locator("img, script[src], iframe, a").count() == 0
        wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], json.dumps(text)[:60]
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", joined("lessons", "lessons/explorables")
    )


@pytest.mark.accessibility
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_letters_are_large(page: Page, scheme: str) -> None:
    """In either theme axe finds no serious violation in any explorable, and in a room all of it is in view at 1280x720 with no letter
    under 18 px."""
    page.emulate_media(reduced_motion="reduce")
    for kind, data in KINDS.items():
        shown = Explorable(page, kind, scheme, talk=True, **data)
        if kind == "rule":
            page.get_by_role("button", name="Draw 100", exact=True).click()
            page.get_by_text("q from another temperature").click()
        if kind == "pays":
            page.get_by_role("button", name="verse").click()
        shown.settle()
        assert serious(page) == [], kind
        sizes = page.locator("#here").evaluate(
            """root => [...root.querySelectorAll("*")].filter(e => e.checkVisibility() && !e.closest(".unseen")
                && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => parseFloat(getComputedStyle(e).fontSize))"""
        )
        assert min(sizes) >= IN_ROOM_PX, kind
        box = box_of(page.locator("#here"))
        assert box["bottom"] <= 720, kind


def _took(seconds: float) -> str:
    """A time as the page writes it."""
    return f"{1000 * seconds:.{0 if seconds >= 0.09995 else 1}f} ms"


def test_six_passes_become_one_before_the_eyes(page: Page) -> None:
    """It plays by itself to its end: six tokens are written after the time of one pass over six, and the other way is named beside it; it can
    be played again. With reduced motion it is there at once."""
    written = page.locator(".stream-token.out[visibility=visible]")
    Explorable(page, "stream", **KINDS["stream"])
    again = page.get_by_role("button", name="Play again")
    expect(again).to_be_disabled()
    expect(again).to_be_enabled()
    expect(written).to_have_text(TOKENS[1:])
    said = f"{COSTS['weights_bytes'] / 1e6:.1f} MB of weights are read, in {_took(PASS_S[6])} instead of {_took(6 * PASS_S[1])}."
    expect(page.locator(".measured-headline")).to_contain_text(said)
    expect(page.locator(".explore-note")).to_contain_text(f"Measured on {COSTS['recorded']}")
    again.click()
    expect(written).to_have_count(0)
    page.emulate_media(reduced_motion="reduce")
    Explorable(page, "stream", **{**KINDS["stream"], "picture": "six passes"})
    assert written.count() == 6


def test_rush_hour_plays_and_can_be_held(page: Page) -> None:
    """Guests arrive by themselves; the slider shows any number of them, and what its strips and its dot say is what the recorded passes give. With reduced
    motion the end is there at once; without drafts nothing but the target's own tokens is left."""
    data = KINDS["rush"]
    strips = {part: page.locator(f".rush-{part}[visibility=visible]") for part in ("own", "accepted", "thrown")}
    shown = Explorable(page, "rush", **data)
    expect(page.get_by_role("button", name="Play again")).to_be_disabled()
    expect(strips["own"].nth(1)).to_be_attached()
    shown.tab_to("guests in one batch")
    shown.press("End")
    expect(strips["own"]).to_have_count(64)
    shown.press("Home")
    expect(strips["own"]).to_have_count(1)
    draft_s = next(point["pass_s"] for point in COSTS["guest_drafts"] if point["guests"] == 1)
    tokens = sum(theory.tokens_per_pass(dot["alpha"], 4) for dot in data["dots"]) / 2
    speed = tokens * GUESTS_S[1, 1] / (GUESTS_S[1, 5] + 4 * draft_s)
    expect(page.locator(".measured-headline")).to_contain_text(f"Speedup {speed:.2f}×")
    page.emulate_media(reduced_motion="reduce")
    Explorable(page, "rush", **{**data, "picture": "switched off"})
    expect(page.locator(".measured-headline")).to_contain_text("Speedup 1.00×")
    widths = [strips[part].evaluate_all("all => all.map(bar => Number(bar.getAttribute('width')))") for part in strips]
    assert min(widths[0]) > 0
    assert max(widths[1] + widths[2]) == 0


def test_a_token_sees_itself_and_those_before_it(page: Page) -> None:
    """The mask fills a triangle: in row n there are n filled cells, and every row ends in the token after its own."""
    page.emulate_media(reduced_motion="reduce")
    Explorable(page, "mask", **KINDS["mask"])
    expect(page.locator(".mask-read[visibility=visible]")).to_have_count(sum(range(1, 7)))
    expect(page.locator(".mask-token.out[visibility=visible]")).to_have_text(TOKENS[1:])


def test_the_cost_of_a_pass_by_keyboard_alone(page: Page) -> None:
    """The slider goes through the recorded passes, and the numbers of guests are radio buttons: the curve in front and its sentence follow. The page
    around hears none of the arrows. Of a large model 140 GB at 6.7 TB a second are 20.9 ms, for one token as for six, and nothing is called measured."""
    page.emulate_media(reduced_motion="reduce")
    headline = page.locator(".measured-headline")
    shown = Explorable(page, "costs", picture="cost", costs=COSTS)
    page.evaluate("() => { window.heard = []; document.addEventListener('keydown', (e) => window.heard.push(e.key)); }")
    said = f"One pass over 6 tokens: {_took(PASS_S[6])}. 6 passes over one token: {_took(6 * PASS_S[1])}."
    expect(headline).to_have_text(f"{said} v(6) = {PASS_S[6] / PASS_S[1]:.2f}.")
    shown.tab_to("n: tokens in the pass")
    shown.press("Home")
    expect(headline).to_contain_text("v(1) = 1.")
    assert page.get_by_role("radio").count() == 0

    shown.mount(picture="guests", costs=COSTS)
    expect(page.get_by_role("radio", checked=True)).to_have_accessible_name("64 guests")
    shown.tab_to("64 guests")
    shown.press("ArrowLeft")
    expect(page.get_by_role("radio", checked=True)).to_have_accessible_name("16 guests")
    shown.tab_to("n: tokens for each guest")
    shown.press("End")
    expect(headline).to_contain_text(f"16 guests: one pass over 9 tokens for each takes {_took(GUESTS_S[16, 9])}")
    assert [key for key in page.evaluate("window.heard") if key.startswith(("Arrow", "Home", "End"))] == []

    shown.mount(picture="large model", costs=COSTS)
    shown.press("Home")
    shown.press(*["ArrowRight"] * 3)
    expect(headline).to_contain_text("One pass over 6 tokens: 20.9 ms.")
    expect(headline).to_contain_text("v(6) = 1.00")
    expect(page.locator(".explore-note")).to_contain_text("Calculated, not measured")
    expect(page.locator(".key-of.cost")).to_contain_text("v(n), calculated")
