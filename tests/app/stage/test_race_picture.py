"""What the lanes of a race look like in a window of any size: the real script and style on an empty page, hand-made recordings."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.stage import lanes
from specviz.folders import ASSETS
from specviz.reporting.player.recorded_race import KINDS, kinds_view
from specviz.reporting.run_figures import figures_of
from specviz.request import PairRequest, Request
from specviz.trace.files import dump, read_file
from specviz.trace.metrics import speedup
from specviz.trace.records import Trace
from tests.app.axe import serious
from tests.app.conftest import fresh_page
from tests.app.lab import box_of, until
from tests.app.race_lab import RaceLab
from tests.helpers.views import MIXED, live_of, plain_of, trace_of

_PROSE = "the lighthouse keeper woke before dawn and climbed the stairs with a lamp in her hand"
_FLAGS = 0.02
"""How far a bar or a bracket may end from the moment it stands for, in shares of the axis."""


def _long(rounds: int, verdicts: list[str] = MIXED) -> Trace:
    """A run of many rounds whose tokens read like prose."""
    words = {i: f" {word}".encode() for i, word in enumerate(_PROSE.split())}
    return trace_of([verdicts[i % len(verdicts)] for i in range(rounds)], texts=words)


def _entrant(trace: Trace, pair: str = "embedded", *, alone: bool = False) -> lanes.Entrant:
    plain = plain_of(trace)
    traces = [trace] if alone else [trace, plain]
    view = {"id": "lab", "status": "done", "recording": dump(traces), "live": None}
    return lanes.Entrant(view, Request(PairRequest(pair), "Say", trace.settings), figures_of(trace, plain))


def _two(rounds: int = 90) -> dict[str, Any]:
    return lanes.race(_entrant(_long(rounds)))


def _three(rounds: int = 90) -> dict[str, Any]:
    return lanes.race(_entrant(_long(rounds)), _entrant(_long(rounds, ["ard", "aaa"]), "embedded-tiny", alone=True))


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    with fresh_page(browser) as page:
        yield page


def _lab(tab: Page, width: int, height: int, scheme: str = "light") -> RaceLab:
    tab.set_viewport_size({"width": width, "height": height})
    return RaceLab(tab, scheme)


_SIZES = """race => Object.fromEntries([...race.querySelectorAll("*")]
    .filter((n) => [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim()) && n.checkVisibility({ visibilityProperty: true }))
    .map((n) => [n.className || n.tagName, parseFloat(getComputedStyle(n).fontSize)]))"""


_CUT = """text => {
    const line = parseFloat(getComputedStyle(text).lineHeight), part = (text.scrollTop / line) % 1;
    return Math.min(part, 1 - part);
}"""


_PLACES = """race => [...race.querySelectorAll(".lane, .controls, .axis, .track, .gap, .text, .saying")]
    .map((n) => n.getBoundingClientRect()).map((r) => [r.left, r.top, r.width, r.height].map(Math.round).join())"""


def test_keys_and_controls_move_the_one_clock(tab: Page) -> None:
    """Home, arrows, End, space, the slider and the choice of speed; every control has a name. Lanes and controls stand where they stood; those who
    listen hear who finished, when and in which place, and nothing else."""
    lab, trace = _lab(tab, 1280, 720), _long(8)
    lab.show(lanes.race(_entrant(trace)))
    text, clock, spoken = (tab.locator(f".race {part}") for part in (".text", ".clock", "[aria-live]"))
    written = "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
    start = re.compile(r"^(0 ms|0\.00 s)$")
    lab.press("End")
    both = [one.evaluate(written) for one in text.all()]
    assert both == [" the" + trace.text] * 2
    heard = re.compile(rf"Plain .* finished, 2nd: {len(trace.token_ids)} tokens in [\d.]+ m?s\.")
    expect(spoken).to_have_text(heard)
    said, places = spoken.inner_text(), tab.locator(".race").evaluate(_PLACES)
    lab.press("Home")
    expect(clock).to_have_text(start)
    assert text.first.evaluate(written) == " the"
    for _ in range(3):
        lab.press("ArrowRight")
        assert tab.locator(".race").evaluate(_PLACES) == places
    assert text.first.evaluate(written) != " the"
    assert spoken.inner_text() == said
    lab.press(*["ArrowLeft"] * 3)
    expect(clock).to_have_text(start)
    speed = tab.get_by_role("combobox", name="How fast it is shown")
    for choice in ("Real time", "Slow motion, 500×"):
        speed.select_option(choice)
        expect(speed.locator("option:checked")).to_have_text(choice)
    for name in ("Pause (space)", "Play (space)"):
        lab.press(" ")
        expect(tab.get_by_role("button", name=name)).to_be_visible()
    lab.at(1)
    expect(tab.locator(".race .lane:not(.finished)")).to_have_count(0)
    assert [one.evaluate(written) for one in text.all()] == both
    tab.get_by_role("button", name="Restart (Home)").click()
    expect(tab.get_by_role("button", name="Pause (space)")).to_be_visible()
    nameless = """race => [...race.querySelectorAll("button, input, select")]
        .filter((n) => !n.classList.contains("figure") && !n.getAttribute("aria-label")).length"""
    assert tab.locator(".race").evaluate(nameless) == 0


def test_hostile_tokens_stay_text(tab: Page) -> None:
    """A token that is markup is shown as it is written; so are names, words, the note, the hint and the badge."""
    evil = '<img src=x onerror="window.hacked=1"><b>bold</b></script>'
    trace = trace_of(["ar"], texts=dict.fromkeys((1, 2, 9), evil.encode()))
    badge = {"kind": "parts", "text": evil, "how": evil}
    said = dict.fromkeys(("name", "words", "prompt", "say", "how"), evil) | {"badge": badge}
    view = lanes.race(_entrant(trace, alone=True))
    lab = _lab(tab, 1280, 720)
    lab.show({**view, "note": evil, "hint": evil, "lanes": [{**view["lanes"][1], **said}]})
    lab.press("End")
    tab.locator(".race .finished .badge").hover()
    assert tab.locator(".race .lane .token").all_inner_texts() == [evil, evil]
    assert tab.locator(".race .caption").inner_text() == evil
    assert tab.locator(".race img, .race script, .race b:not(.name)").count() == 0
    assert tab.evaluate("window.hacked") is None


def test_a_race_fills_the_window_and_its_type_grows_with_it(tab: Page) -> None:
    """Two or three lanes, in a talk: the lanes end where the window ends, nothing needs scrolling, nothing is under 18 pixels at
    1280 by 720, and all of it is half as large again at 1920 by 1080."""
    for view in (_two(), _three()):
        sizes: list[dict[str, float]] = []
        for width, height in ((1280, 720), (1920, 1080)):
            lab = _lab(tab, width, height)
            lab.show(view, talk=True)
            lab.at(1)
            race = box_of(tab.locator(".race"))
            assert height - 20 <= race["bottom"] <= height, (len(view["lanes"]), height)
            assert tab.evaluate("document.documentElement.scrollHeight <= innerHeight")
            for lane in tab.locator(".race .lane").all():
                assert lane.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
            sizes.append(tab.locator(".race").evaluate(_SIZES))
        assert {name: size for name, size in sizes[0].items() if size < 18} == {}
        assert {name: size / sizes[0][name] for name, size in sizes[1].items()} == pytest.approx(
            dict.fromkeys(sizes[0], 1.5), abs=0.01
        )


def test_a_long_text_follows_its_newest_words(tab: Page) -> None:
    """At every moment the last word of each lane is inside its box, no line is cut off at its top, and no lane changes its size; on a phone, below the
    page's bar, everything from the controls to the axis is on the screen, and no lane scrolls."""
    for width, view, talk in ((1280, _three(), True), (390, _three(), False)):
        lab = _lab(tab, width, 844)
        lab.show(view, talk=talk)
        boxes: set[str] = set()
        for share in (0.1, 0.9, 0.3):
            lab.at(share)
            for lane in tab.locator(".race .lane").all():
                room, word = box_of(lane.locator(".text")), box_of(lane.locator(".caret"))
                assert room["y"] <= word["y"], (width, share)
                assert word["bottom"] <= room["bottom"] + 1, (width, share)
                assert until(tab, lambda: lane.locator(".text").evaluate(_CUT) < 0.1), (width, share)  # noqa: B023
                assert lane.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
            assert box_of(tab.locator(".race .axis"))["bottom"] <= 844, (width, share)
            boxes.add(str([box_of(lane) for lane in tab.locator(".race .lane").all()]))
        assert len(boxes) == 1
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_bars_are_seconds_on_one_axis(tab: Page) -> None:
    """While both lanes run their bars are as long as the clock, under its slider and between its marks; the one that ends first keeps
    its length, with its flag there, and the bracket grows from the flag to the end of plain, which goes on."""
    trace = _long(90)
    lab = _lab(tab, 1280, 720)
    lab.show(lanes.race(_entrant(trace)), talk=True)
    own_s, plain_s = trace.rounds[-1].ended_s, plain_of(trace).rounds[-1].ended_s
    lane = tab.locator(".race .lane").nth(1)
    axis = box_of(lane.locator(".track"))

    def ends(of: Locator) -> list[float]:
        box = box_of(of)
        return [(box[end] - axis["x"]) / axis["width"] for end in ("x", "right")]

    def bars() -> list[float]:
        return [ends(tab.locator(".race .elapsed").nth(i))[1] for i in (0, 1)]

    marks = tab.locator(".race .mark").all()
    for mark in marks:
        seconds = float(mark.inner_text().split()[0])
        assert sum(ends(mark)) / 2 == pytest.approx(seconds / plain_s, abs=_FLAGS)
    assert len(marks) > 2
    lab.at(0.5)
    assert bars() == pytest.approx([0.5, 0.5], abs=_FLAGS)
    expect(lane.locator(".bar")).to_be_hidden()
    expect(lane.locator(".flag")).to_be_hidden()
    assert "×" not in tab.locator(".race .lanes").inner_text(), "no ratio before the race is over"
    lengths = []
    for clock in (own_s + 0.1 * (plain_s - own_s), own_s + 0.6 * (plain_s - own_s)):
        lab.at(clock / plain_s)
        assert bars() == pytest.approx([clock / plain_s, own_s / plain_s], abs=_FLAGS)
        for part in (".bar", ".tick:not(.end)", ".tick.end", ".flag"):
            expect(lane.locator(part)).to_be_visible()
        assert ends(lane.locator(".flag"))[0] == pytest.approx(own_s / plain_s, abs=_FLAGS)
        start, end = ends(lane.locator(".gap .bar"))
        assert (start, end) == pytest.approx((own_s / plain_s, clock / plain_s), abs=_FLAGS)
        lengths.append(end - start)
    assert lengths[1] > lengths[0] + 0.1
    lab.at(1)
    assert ends(lane.locator(".gap .bar")) == pytest.approx([own_s / plain_s, 1], abs=_FLAGS)
    assert f"{plain_s / own_s:.2f}× as fast as plain" in " ".join(lane.locator(".headline").inner_text().split())
    expect(lane.locator(".gap .label")).to_contain_text("earlier than plain")


def test_reduced_motion_shows_the_finished_race(tab: Page) -> None:
    """Where motion is reduced nothing plays by itself: a recording stands at its end and says so, a race that was just asked for shows what
    is recorded. Play still plays."""
    tab.emulate_media(reduced_motion="reduce")
    lab = _lab(tab, 1280, 720)
    lab.show(_two())
    expect(tab.get_by_role("button", name="Play (space)")).to_be_visible()
    expect(tab.locator(".race .lane.finished")).to_have_count(2)
    expect(tab.locator(".race .note")).to_contain_text("Shown finished, because your system asks for less motion")
    lab.press(" ")
    expect(tab.get_by_role("button", name="Pause (space)")).to_be_visible()
    for rounds, words in ((10, "26 tokens"), (30, "76 tokens")):
        live = {"id": "asked", "status": "running", "recording": None, "live": live_of(_long(90), rounds=rounds)}
        lab.show(lanes.race(lanes.Entrant(live, Request(PairRequest("embedded"), "Say", _long(1).settings), None)))
        expect(tab.locator(".race .time").nth(1)).to_have_text(words)
    tab.emulate_media(reduced_motion="no-preference")


def test_lanes_that_were_recorded_in_turn_then_start_together(tab: Page) -> None:
    """In real time a viewer sees one lane recorded after the other; when all are, they start together, once, if nothing was touched."""
    trace = _long(120)  # long enough for a slow machine to see its beginning
    request = Request(PairRequest("smollm2-135m"), "Say", trace.settings)

    def view(**now: Any) -> dict[str, Any]:
        known = {"id": "chat", "status": "running", "recording": None, "live": None, **now}
        return {**lanes.race(lanes.Entrant(known, request, None)), "note": ""}

    lab = _lab(tab, 1280, 720)
    plain = plain_of(trace)
    live = live_of(trace, plain=len(plain.rounds), ended={"speculative": "length", "plain": "length"})
    lab.show(view(live=live))
    expect(tab.locator(".race .lane.finished")).to_have_count(2)
    end = lab.show(view(live=live))
    assert float(end.removesuffix(" s")) == pytest.approx(plain.rounds[-1].ended_s, abs=0.006)
    again = lab.show(view(status="done", recording=dump([trace, plain])))
    assert float(again.removesuffix(" s")) < plain.rounds[-1].ended_s / 2
    expect(tab.locator(".race .lane.finished")).to_have_count(2)
    assert lab.show(view(status="done", recording=dump([trace, plain]))) == end


@pytest.mark.accessibility
def test_axe_finds_nothing_serious_at_any_moment(tab: Page) -> None:
    """Ahead, at the flag, at the end and behind, in either theme, wide and on a phone."""
    slow = lanes.race(_entrant(_long(60, ["rdd"])))
    for scheme, width in (("light", 1280), ("dark", 390)):
        lab = _lab(tab, width, 844, scheme)
        for view, share in ((_three(), 0.8), (_three(), 1), (slow, 0.8)):
            lab.show({**view, "id": f"{view['id']}-{share}"})
            lab.at(share)
            assert serious(tab) == [], (scheme, share)


def test_four_kinds_of_text_stand_on_one_clock(tab: Page) -> None:
    """Each lane shows how many of its guesses were right, and at its end the speedup over plain decoding of its own prompt; all fit the window."""
    tab.set_viewport_size({"width": 1280, "height": 720})
    lab = RaceLab(tab, above=230)  # what stands above the lanes on the page
    lab.show(kinds_view())
    tab.locator(".race").focus()
    expect(tab.locator(".race .name")).to_have_text(["A letter", "JSON", "Code", "Verse"])
    lab.at(0.3)
    assert all(re.fullmatch(r"\d+ of \d+", words) for words in tab.locator(".headline .value").all_inner_texts())
    lab.press("End")
    runs = [read_file(ASSETS / file) for file in KINDS]
    assert tab.locator(".headline .value").all_inner_texts() == [f"{speedup(plain, run):.2f}×" for run, plain in runs]
    bars = tab.locator(".acceptance i").evaluate_all("all => all.map((bar) => bar.getBoundingClientRect().width)")
    assert bars == sorted(bars, reverse=True)
    assert box_of(tab.locator(".race .axis"))["bottom"] < 720
