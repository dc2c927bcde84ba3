"""What the lanes of a race look like in a window of any size: the real script and style on an empty page, hand-made recordings."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.stage import lanes
from specviz.folders import ASSETS
from specviz.reporting.player.recorded_race import KINDS, kinds_view
from specviz.reporting.player.scripts import given, script, style
from specviz.reporting.run_figures import figures_of
from specviz.request import PairRequest, Request
from specviz.trace.files import dump, read_file
from specviz.trace.metrics import speedup
from specviz.trace.records import Trace
from tests.app.lab import Bench, box_of, serious, themed, until
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


_PAGE = """<!doctype html><html lang="en"><title>Race</title><style>
  * {{ transition: none !important; }}
  {themed}
  body {{ margin: 0; padding: 8px 20px; background: var(--st-background-color); }}
  #above {{ height: {above}px; }}
  {style}
</style><div id="above"></div><div id="root"><div class="stage race"></div></div>"""


class RaceLab(Bench):
    """The lanes of a race alone on a page of some size, so many pixels below its top: as in a talk, if nothing else is said."""

    def __init__(
        self, page: Page, width: int = 1280, height: int = 720, scheme: str = "light", above: int = 48
    ) -> None:
        super().__init__(page, ".race")
        self._given = given()
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.set_content(_PAGE.format(themed=themed(scheme), above=above, style=style("race")))
        code, _, export = script("race").rpartition("export{")
        page.add_script_tag(content=f"{{ {code} window.mount = {export.split()[0]}; }}")

    def show(self, view: dict[str, Any], **more: Any) -> str:
        """Hand over a view of `app.stage.lanes`, as Streamlit does at mount and at every change; what the clock shows a moment later."""
        shown: str = self.page.evaluate(
            """async data => {
                mount({ data, parentElement: document.getElementById("root") });
                for (let i = 0; i < 4; i += 1) await new Promise(requestAnimationFrame);
                return document.querySelector(".race .clock").textContent;
            }""",
            {"view": {**view, **more}, **self._given},
        )
        return shown

    def at(self, share: float) -> None:
        """Move the clock to a share of its length."""
        self.page.get_by_role("slider", name="Time on the clock").fill(str(round(1000 * share)))
        self.settle()


_SIZES = """race => Object.fromEntries([...race.querySelectorAll("*")]
    .filter((n) => [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim()) && n.checkVisibility({ visibilityProperty: true }))
    .map((n) => [n.className || n.tagName, parseFloat(getComputedStyle(n).fontSize)]))"""


_AMISS = """race => [...race.querySelectorAll(".lane")].flatMap((lane, i) => {
    const text = lane.querySelector(".text"), room = text.getBoundingClientRect(), word = lane.querySelector(".caret").getBoundingClientRect();
    const part = (text.scrollTop / parseFloat(getComputedStyle(text).lineHeight)) % 1;
    const all = {
        scrolls: lane.scrollHeight > lane.clientHeight || lane.scrollWidth > lane.clientWidth,
        "the last word is outside": word.top < room.top || word.bottom > room.bottom + 1,
        "a line is cut off": Math.min(part, 1 - part) >= 0.1,
    };
    return Object.keys(all).filter((name) => all[name]).map((name) => `lane ${i}: ${name}`);
})"""


_PLACES = """race => [...race.querySelectorAll(".lane, .controls, .axis, .track, .gap, .text, .saying")]
    .map((n) => n.getBoundingClientRect()).map((r) => [r.left, r.top, r.width, r.height].map(Math.round).join())"""


_ON_AXIS = """race => {
    const lane = race.querySelectorAll(".lane")[1], axis = lane.querySelector(".track").getBoundingClientRect();
    const at = (node) => { const box = node.getBoundingClientRect(); return [box.left, box.right].map((x) => (x - axis.left) / axis.width); };
    const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && at(node);
    return {
        bars: [...race.querySelectorAll(".elapsed")].map((bar) => at(bar)[1]),
        marks: [...race.querySelectorAll(".mark")].map((mark) => [parseFloat(mark.textContent), (at(mark)[0] + at(mark)[1]) / 2]),
        parts: Object.fromEntries([".gap .bar", ".tick:not(.end)", ".tick.end", ".flag"].map((part) => [part, shown(lane.querySelector(part))])),
    };
}"""


def test_keys_and_controls_move_the_one_clock(blank: Page) -> None:
    """Home, arrows, End, space, the slider and the choice of speed; every control has a name. Lanes and controls stand where they stood; those who
    listen hear who finished, when and in which place, and nothing else."""
    lab, trace = RaceLab(blank), _long(8)
    lab.show(lanes.race(_entrant(trace)))
    text, clock, spoken = (blank.locator(f".race {part}") for part in (".text", ".clock", "[aria-live]"))
    written = "box => [...box.children].filter(c => !c.hidden).map(c => c.textContent).join('')"
    start = re.compile(r"^(0 ms|0\.00 s)$")
    lab.press("End")
    both = [one.evaluate(written) for one in text.all()]
    assert both == [" the" + trace.text] * 2
    heard = re.compile(rf"Plain .* finished, 2nd: {len(trace.token_ids)} tokens in [\d.]+ m?s\.")
    expect(spoken).to_have_text(heard)
    said, places = spoken.inner_text(), blank.locator(".race").evaluate(_PLACES)
    lab.press("Home")
    expect(clock).to_have_text(start)
    assert text.first.evaluate(written) == " the"
    for _ in range(3):
        lab.press("ArrowRight")
        assert blank.locator(".race").evaluate(_PLACES) == places
    assert text.first.evaluate(written) != " the"
    assert spoken.inner_text() == said
    lab.press(*["ArrowLeft"] * 3)
    expect(clock).to_have_text(start)
    speed = blank.get_by_role("combobox", name="How fast it is shown")
    for choice in ("Real time", "Slow motion, 500×"):
        speed.select_option(choice)
        expect(speed.locator("option:checked")).to_have_text(choice)
    for name in ("Pause (space)", "Play (space)"):
        blank.get_by_role("slider").press(" ")
        expect(blank.get_by_role("button", name=name)).to_be_visible()
    lab.at(1)
    expect(blank.locator(".race .lane:not(.finished)")).to_have_count(0)
    assert [one.evaluate(written) for one in text.all()] == both
    blank.get_by_role("button", name="Play (space)").click()
    expect(blank.get_by_role("button", name="Pause (space)")).to_be_visible()
    nameless = """race => [...race.querySelectorAll("button, input, select")]
        .filter((n) => !n.classList.contains("figure") && !n.getAttribute("aria-label")).length"""
    assert blank.locator(".race").evaluate(nameless) == 0


def test_hostile_tokens_stay_text(blank: Page) -> None:
    """A token that is markup is shown as it is written; so are names, words, the note, the hint and the badge."""
    evil = '<img src=x onerror="window.hacked=1"><b>bold</b></script>'
    trace = trace_of(["ar"], texts=dict.fromkeys((1, 2, 9), evil.encode()))
    badge = {"kind": "parts", "text": evil, "how": evil}
    said = dict.fromkeys(("name", "words", "prompt", "say", "how"), evil) | {"badge": badge}
    view = lanes.race(_entrant(trace, alone=True))
    lab = RaceLab(blank)
    lab.show({**view, "note": evil, "hint": evil, "lanes": [{**view["lanes"][1], **said}]})
    lab.press("End")
    blank.locator(".race .finished .badge").hover()
    assert blank.locator(".race .lane .token").all_inner_texts() == [evil, evil]
    assert blank.locator(".race .caption").inner_text() == evil
    assert blank.locator(".race img, .race script, .race b:not(.name)").count() == 0
    assert blank.evaluate("window.hacked") is None


def test_lanes_fill_a_window_of_any_size_and_follow_their_text(blank: Page) -> None:
    """At every moment the last word of each lane is inside its box, no line is cut off at its top, and no lane scrolls or changes its size. In a talk the lanes
    end where the window ends, nothing is under 18 pixels at 1280 by 720, and all of it is half as large again at 1920 by 1080; on a phone, below the page's bar,
    everything from the controls to the axis is on the screen."""
    race, type_sizes = blank.locator(".race"), list[dict[str, float]]()
    for view, width, height in (
        (_two(), 1280, 720),
        (_three(), 1280, 720),
        (_three(), 1920, 1080),
        (_three(), 390, 844),
    ):
        lab, lanes_at = RaceLab(blank, width, height), set[str]()
        lab.show(view, talk=width > 390)
        for share in (0.1, 0.9, 0.3, 1) if len(view["lanes"]) == 3 and width < 1920 else (1,):
            lab.at(share)
            assert until(blank, lambda: race.evaluate(_AMISS) == []), (width, share, race.evaluate(_AMISS))
            lanes_at.add(str(race.evaluate(_PLACES)))
        assert len(lanes_at) == 1, width
        assert blank.evaluate("document.documentElement.scrollWidth") <= width
        assert box_of(blank.locator(".race .axis"))["bottom"] <= height
        if width > 390:
            assert height - 20 <= box_of(race)["bottom"] <= height, (len(view["lanes"]), height)
            assert blank.evaluate("document.documentElement.scrollHeight <= innerHeight")
            type_sizes.append(race.evaluate(_SIZES))
    two, small, large = type_sizes
    assert [name for sizes in (two, small) for name, size in sizes.items() if size < 18] == []
    assert {name: size / small[name] for name, size in large.items()} == pytest.approx(
        dict.fromkeys(small, 1.5), abs=0.01
    )


def test_bars_are_seconds_on_one_axis(blank: Page) -> None:
    """While both lanes run their bars are as long as the clock, under its slider and between its marks; the one that ends first keeps
    its length, with its flag there, and the bracket grows from the flag to the end of plain, which goes on."""
    trace = _long(90)
    lab, race = RaceLab(blank), blank.locator(".race")
    lab.show(lanes.race(_entrant(trace)), talk=True)
    own_s, plain_s = trace.rounds[-1].ended_s, plain_of(trace).rounds[-1].ended_s
    own = own_s / plain_s
    lab.at(0.5)
    drawn = race.evaluate(_ON_AXIS)
    assert len(drawn["marks"]) > 2
    for seconds, middle in drawn["marks"]:
        assert middle == pytest.approx(seconds / plain_s, abs=_FLAGS)
    assert drawn["bars"] == pytest.approx([0.5, 0.5], abs=_FLAGS)
    assert not any(drawn["parts"].values())
    assert "×" not in race.locator(".lanes").inner_text(), "no ratio before the race is over"
    for clock in (own + 0.1 * (1 - own), own + 0.6 * (1 - own), 1):
        lab.at(clock)
        drawn = race.evaluate(_ON_AXIS)
        assert drawn["bars"] == pytest.approx([clock, own], abs=_FLAGS)
        assert all(drawn["parts"].values())
        assert drawn["parts"][".flag"][0] == pytest.approx(own, abs=_FLAGS)
        assert drawn["parts"][".gap .bar"] == pytest.approx([own, clock], abs=_FLAGS)
    second = race.locator(".lane").nth(1)
    assert f"{1 / own:.2f}× as fast as plain" in " ".join(second.locator(".headline").inner_text().split())
    expect(second.locator(".gap .label")).to_contain_text("earlier than plain")


def test_reduced_motion_shows_the_finished_race(blank: Page) -> None:
    """Where motion is reduced nothing plays by itself: a recording stands at its end and says so, a race that was just asked for shows what
    is recorded. Play still plays."""
    blank.emulate_media(reduced_motion="reduce")
    lab = RaceLab(blank)
    lab.show(_two())
    expect(blank.get_by_role("button", name="Play (space)")).to_be_visible()
    expect(blank.locator(".race .lane.finished")).to_have_count(2)
    expect(blank.locator(".race .note")).to_contain_text("Shown finished, because your system asks for less motion")
    lab.press(" ")
    expect(blank.get_by_role("button", name="Pause (space)")).to_be_visible()
    for rounds, words in ((10, "26 tokens"), (30, "76 tokens")):
        live = {"id": "asked", "status": "running", "recording": None, "live": live_of(_long(90), rounds=rounds)}
        lab.show(lanes.race(lanes.Entrant(live, Request(PairRequest("embedded"), "Say", _long(1).settings), None)))
        expect(blank.locator(".race .time").nth(1)).to_have_text(words)


def test_lanes_that_were_recorded_in_turn_then_start_together(blank: Page) -> None:
    """In real time a viewer sees one lane recorded after the other; when all are, they start together, once, if nothing was touched."""
    trace = _long(120)  # long enough for a slow machine to see its beginning
    request = Request(PairRequest("smollm2-135m"), "Say", trace.settings)

    def view(**now: Any) -> dict[str, Any]:
        known = {"id": "chat", "status": "running", "recording": None, "live": None, **now}
        return {**lanes.race(lanes.Entrant(known, request, None)), "note": ""}

    lab = RaceLab(blank)
    plain = plain_of(trace)
    live = live_of(trace, plain=len(plain.rounds), ended={"speculative": "length", "plain": "length"})
    lab.show(view(live=live))
    blank.evaluate(
        """() => {
            const part = document.querySelector(".race [aria-live]");
            window.heard = [part.textContent];
            new MutationObserver(() => heard.push(part.textContent)).observe(part, { childList: true });
        }"""
    )
    expect(blank.locator(".race .lane.finished")).to_have_count(2)
    end = lab.show(view(live=live))
    assert float(end.removesuffix(" s")) == pytest.approx(plain.rounds[-1].ended_s, abs=0.006)
    again = lab.show(view(status="done", recording=dump([trace, plain])))
    assert float(again.removesuffix(" s")) < plain.rounds[-1].ended_s / 2
    expect(blank.locator(".race .lane.finished")).to_have_count(2)
    assert lab.show(view(status="done", recording=dump([trace, plain]))) == end
    finishes = [sentence for said in blank.evaluate("heard") for sentence in re.findall(r"[^.]* finished[^.]*", said)]
    assert len(finishes) == len(set(finishes)) == 2, finishes


@pytest.mark.accessibility
def test_axe_finds_nothing_serious_at_any_moment(blank: Page) -> None:
    """Ahead, at the flag, at the end and behind, in either theme, wide and on a phone."""
    slow = lanes.race(_entrant(_long(60, ["rdd"])))
    for scheme, width in (("light", 1280), ("dark", 390)):
        lab = RaceLab(blank, width, 844, scheme)
        for view, share in ((_three(), 0.8), (_three(), 1), (slow, 0.8)):
            lab.show({**view, "id": f"{view['id']}-{share}"})
            lab.at(share)
            assert serious(blank) == [], (scheme, share)


def test_four_kinds_of_text_stand_on_one_clock(blank: Page) -> None:
    """Each lane shows how many of its guesses were right, and at its end the speedup over plain decoding of its own prompt; all fit the window."""
    lab = RaceLab(blank, above=230)  # what stands above the lanes on the page
    lab.show(kinds_view())
    blank.locator(".race").focus()
    expect(blank.locator(".race .name")).to_have_text(["A letter", "JSON", "Code", "Verse"])
    lab.at(0.3)
    assert all(re.fullmatch(r"\d+ of \d+", words) for words in blank.locator(".headline .value").all_inner_texts())
    lab.press("End")
    runs = [read_file(ASSETS / file) for file in KINDS]
    assert blank.locator(".headline .value").all_inner_texts() == [f"{speedup(plain, run):.2f}×" for run, plain in runs]
    expect(blank.locator(".race [aria-live]")).to_have_text(
        re.compile(r"A letter.* finished.*s\. [0-9.]+× as fast as plain\.")
    )
    expect(blank.locator(".passes-taken").first).to_have_attribute("aria-hidden", "true")
    bars = blank.locator(".acceptance i").evaluate_all("all => all.map((bar) => bar.getBoundingClientRect().width)")
    assert bars == sorted(bars, reverse=True)
    assert box_of(blank.locator(".race .axis"))["bottom"] < 720
    lab = RaceLab(blank, 840, 900)  # as wide as Learn's picture is in a room
    lab.show(kinds_view(), talk=True)
    lab.press("End")
    hidden = """all => all.filter((block) => block.clientWidth > 12 && getComputedStyle(block, "::before").display === "none").length"""
    assert blank.locator(".track .block").evaluate_all(hidden) == 0, "a block that can hold its number shows it"
