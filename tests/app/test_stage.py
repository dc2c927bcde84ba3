"""The player on hand-made recordings: what each part shows at each moment, and every control."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from specviz.models import load_pair
from specviz.rows import row_of
from specviz.runs import Run
from specviz.settings import Settings
from tests.app.lab import DRAFT_S, PLAIN_S, REST_S, VERIFY_S, Lab, plain_of, trace_of, view_of

pytestmark = pytest.mark.xdist_group("lab")

MIXED = ["aaa", "ard", "rdd", "aa"]
TREE_PARENTS = (-1, 0, 0, -1)


@pytest.fixture
def lab(page: Page) -> Lab:
    return Lab(page)


@pytest.fixture
def mixed(lab: Lab) -> Lab:
    """A run of four rounds with its plain run, paused at its start."""
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home")
    return lab


def _slots(lab: Lab) -> list[str]:
    found: list[str] = lab.page.locator(".board .slot").evaluate_all("all => all.map(s => s.className.split(' ')[1])")
    return found


def test_phases_are_stepped_one_by_one(mixed: Lab) -> None:
    """A full stop goes to the end of the next phase: typed, read, judged, committed; a comma goes back the same way."""
    seen = []
    for _ in range(8):
        mixed.press(".")
        seen.append((mixed.page.locator(".desk").get_attribute("data-phase"), _slots(mixed)[0], mixed.text()))
    assert [phase for phase, *_ in seen] == ["draft", "verify", "judge", "commit"] * 2
    assert [slot for _, slot, _ in seen[:4]] == ["typed", "typed", "accepted", "accepted"]
    for before in reversed(seen[:-1]):
        mixed.press(",")
        assert (mixed.page.locator(".desk").get_attribute("data-phase"), _slots(mixed)[0], mixed.text()) == before
    mixed.press(",")
    assert mixed.text() == " w0"


def test_the_next_rejection_is_found(mixed: Lab) -> None:
    """n goes from rejection to rejection and stays at the last, N goes back; the wall stands before the refused token."""
    for key, name, refused in (("n", "Round 2", 1), ("n", "Round 3", 0), ("n", "Round 3", 0), ("N", "Round 2", 1)):
        mixed.press(key)
        expect(mixed.page.locator(".round-name")).to_contain_text(f"{name} of 4")
        assert _slots(mixed)[refused] == "rejected"
        expect(mixed.page.locator(".column").nth(refused)).to_have_class(re.compile("wall"))


def test_key_by_key_plays_one_phase_a_press(mixed: Lab) -> None:
    """In the pace Key by key the space bar plays to the end of the phase and stops there."""
    mixed.page.locator(".pace").select_option("hand")
    for phase in ("draft", "verify", "judge", "commit", "draft"):
        mixed.press(" ")
        mixed.page.wait_for_function("document.querySelector('.button.play').title.startsWith('Play')")
        expect(mixed.page.locator(".desk")).to_have_attribute("data-phase", phase)


def test_brackets_change_the_pace(mixed: Lab) -> None:
    """] and [ go through the paces and stop at their ends."""
    seen = []
    for key in "]]]]]" + "[[[[[[":
        mixed.press(key)
        seen.append(mixed.page.locator(".pace").input_value())
    assert seen == ["quick", *["real"] * 4, "quick", "lesson", "slow", *["hand"] * 3]


def test_the_lanes_are_drawn_from_the_recorded_times(mixed: Lab) -> None:
    """Every pass is a box at its recorded time; drafting is one box with k ticks; the ends and their ratio are said."""
    boxes: list[dict[str, Any]] = mixed.page.evaluate("view => boxesOf(readRun(view))", _mixed_view())
    plain = [box for box in boxes if box["lane"] == 0]
    tokens = len(trace_of(MIXED).token_ids)
    assert [(box["from"], box["to"]) for box in plain] == [
        (pytest.approx(i * PLAIN_S), pytest.approx((i + 1) * PLAIN_S)) for i in range(tokens)
    ]
    whole = DRAFT_S + VERIFY_S + REST_S
    drafts = [box for box in boxes if box["kind"] == "draft"]
    assert [(box["from"], box["to"], box["ticks"]) for box in drafts] == [
        (pytest.approx(i * whole), pytest.approx(i * whole + DRAFT_S), len(v)) for i, v in enumerate(MIXED)
    ]
    passes = [box for box in boxes if box["lane"] == 1 and box["kind"] == "target"]
    assert [box["to"] - box["from"] for box in passes] == [pytest.approx(VERIFY_S)] * 4
    ends = mixed.page.locator(".lane-end").all_text_contents()
    ratio = tokens * PLAIN_S / (4 * whole)
    assert ends == [f"{tokens * PLAIN_S * 1000:.1f} ms", f"{4 * whole * 1000:.1f} ms · {ratio:.2f}×"]
    mixed.press("End")
    expect(mixed.page.locator(".figure.speedup .value")).to_have_text(f"{ratio:.2f}×")


def _mixed_view() -> dict[str, Any]:
    trace = trace_of(MIXED)
    return view_of(trace, plain_of(trace))


def test_a_place_on_the_lanes_moves_everything(mixed: Lab) -> None:
    """Pointing at a moment of the speculative lane shows the round and phase of that moment."""
    picture = mixed.page.locator(".lanes-picture")
    box = picture.bounding_box()
    assert box is not None
    seconds = len(trace_of(MIXED).token_ids) * PLAIN_S
    whole = DRAFT_S + VERIFY_S + REST_S
    for index, into, phase in ((1, DRAFT_S / 2, "draft"), (2, DRAFT_S + VERIFY_S / 2, "verify")):
        picture.click(position={"x": box["width"] * (index * whole + into) / seconds, "y": 20})
        mixed.settle()
        expect(mixed.page.locator(".round-name")).to_contain_text(f"Round {index + 1} of")
        expect(mixed.page.locator(".desk")).to_have_attribute("data-phase", phase)


@pytest.mark.parametrize("pace", ["slow", "lesson", "real", "hand"])
def test_engine_seconds_and_clock_are_inverse(lab: Lab, pace: str) -> None:
    """The clock of an engine moment shows that moment, anywhere in the run."""
    worst: float = lab.page.evaluate(
        """([view, pace]) => {
            const run = readRun(view), plan = schedule(run, pace), end = laneEnds(run).speculative;
            let worst = 0;
            for (let i = 0; i <= 300; i += 1) {
                const clock = clockAtEngine(run, plan, (i * end) / 300);
                worst = Math.max(worst, Math.abs(positionAt(run, plan, clock).engine - (i * end) / 300));
            }
            return worst;
        }""",
        [_mixed_view(), pace],
    )
    assert worst < 2e-4


def test_why_shows_p_q_and_the_verdict(mixed: Lab) -> None:
    """At temperature 0 the drawer shows the probabilities at temperature 1, the logits, the verdict, and what was put instead."""
    mixed.press("n", "ArrowRight", "ArrowLeft")  # the end of round 2
    mixed.press("n", ".", "w")
    why = mixed.page.locator(".why")
    expect(why).to_be_visible()
    expect(why.locator(".badge")).to_have_text("✕ rejected")
    expect(why.locator(".why-reason")).to_contain_text("The target's first choice is “·w9”: refused.")
    mine = why.locator(".candidate.mine")
    expect(mine.locator(".q .value")).to_have_text("0.600")
    expect(mine.locator(".p .value")).to_have_text("0.100")
    assert mine.get_attribute("title") == "draft logit 2.00, target logit 1.50"
    expect(why.locator(".instead .share.mine .name")).to_have_text("·w9")
    mixed.press("Escape")
    expect(why).to_be_hidden()


def test_why_shows_the_draw_against_the_bound(lab: Lab) -> None:
    """Above temperature 0 the drawer shows min(1, p/q), the draw as a needle on it, and the residual with what was drawn from it."""
    lab.show(view_of(trace_of(["ard"], temperature=0.8)))
    lab.press("Home", ".", ".", ".", ".")
    lab.page.locator(".board .slot").nth(0).click()
    why = lab.page.locator(".why")
    expect(why.locator(".why-reason")).to_have_text(
        "Accepted in 90 % of all draws. The draw was u = 0.300, below it: accepted."
    )
    expect(why.locator(".rule-words")).to_have_text("min(1, p/q) = 0.900, u = 0.300")
    assert why.locator(".needle").evaluate("n => n.style.getPropertyValue('--at')") == "0.3"
    expect(why.locator(".instead")).to_be_empty()
    lab.page.locator(".board .slot").nth(1).click()
    expect(why.locator(".why-reason")).to_contain_text(
        "Accepted in 20 % of all draws. The draw was u = 0.700, not below it"
    )
    expect(why.locator(".candidate.mine .p .value")).to_have_text("0.100")
    expect(why.locator(".instead .share .value").first).to_have_text("0.900")
    why.get_by_role("button", name="Formula").click()
    expect(why.locator(".formula").first).to_contain_text("u < p(x) / q(x)")
    expect(why.locator(".formula").last).to_contain_text("max(0, p − q)")


def test_why_tells_nothing_before_its_time(mixed: Lab) -> None:
    """Before the target's pass the drawer keeps p and the verdict to itself."""
    mixed.press(".")
    mixed.page.locator(".board .slot").nth(0).click()
    why = mixed.page.locator(".why")
    expect(why.locator(".candidate.mine .p .value")).to_have_text("–")
    expect(why.locator(".badge")).to_have_count(0)
    expect(why.locator(".gauge")).to_have_count(0)


def test_a_token_opens_its_round(mixed: Lab) -> None:
    """A click on any token of the text opens the drawer on the round and the place that made it."""
    mixed.press("End")
    for number, says in (
        (0, "drafted in round 1, place 1"),
        (3, "the target's own token, round 1"),
        (4, "drafted in round 2"),
    ):
        mixed.page.locator(".manuscript .token").nth(number).click()
        mixed.settle()
        expect(mixed.page.locator(".why-where")).to_contain_text(says)
        mixed.press("Escape", "End")


def test_predict_waits_for_a_bet_and_keeps_a_score(mixed: Lab) -> None:
    """In predict mode the run stops before the verdicts; a bet lets it go on, and exact bets count."""
    mixed.press("p", "ArrowRight")
    bets = mixed.page.locator(".bets")
    expect(bets).to_be_visible()
    assert _slots(mixed)[:3] == ["typed"] * 3
    mixed.press("ArrowRight")
    assert _slots(mixed)[:3] == ["typed"] * 3, "no step leads past an open bet"
    mixed.press("3")
    expect(mixed.page.locator(".score")).to_have_text("1 of 1 right")
    expect(bets).to_be_visible()  # it plays on to the next question
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 2 of")
    bets.get_by_role("button", name="2 accepted").click()
    expect(mixed.page.locator(".score")).to_have_text("1 of 2 right")
    mixed.press(".", ".", ".")
    mixed.press("p")
    expect(mixed.page.locator(".score")).to_be_hidden()


def test_rounds_are_bordered_when_asked_for(mixed: Lab) -> None:
    """b puts a border before the first token of every round, and takes it away again."""
    mixed.press("End", "b")
    borders: Callable[[], list[bool]] = lambda: mixed.page.locator(".manuscript .token").evaluate_all(  # noqa: E731
        "all => all.map(t => getComputedStyle(t).borderLeftStyle === 'solid')"
    )
    starts = [round_.start for round_ in trace_of(MIXED).rounds]
    assert [place for place, on in enumerate(borders()) if on] == starts
    mixed.press("b")
    assert not any(borders())


def test_the_keys_are_listed_under_a_question_mark(mixed: Lab) -> None:
    """? opens the list of keys, Escape closes it, and every key of the stage is on it."""
    mixed.press("?")
    listed = mixed.page.locator(".help .keys")
    expect(listed).to_be_visible()
    text = " ".join(listed.locator("dt").all_text_contents())
    for key in ("Space", "→", "←", ".", ",", "n", "N", "Home", "End", "]", "[", "w", "b", "p", "?"):
        assert key in text.split()
    mixed.page.keyboard.press("Escape")
    expect(listed).to_be_hidden()


def test_a_tree_is_drawn_as_a_tree(lab: Lab) -> None:
    """Branching drafts stand by depth and row, each joined to what it follows, and the accepted path is lit."""
    lab.show(view_of(_tree()))
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


def _tree() -> Any:
    return trace_of(["arad"], parents=TREE_PARENTS)


@pytest.mark.parametrize(
    ("parents", "expected"),
    [
        ((-1, 0, 1), [(0, 0), (1, 0), (2, 0)]),
        ((-1, -1, -1), [(0, 0), (0, 1), (0, 2)]),
        ((-1, 0, 0, 1, 2), [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)]),
        ((), []),
    ],
)
def test_no_two_nodes_of_a_tree_share_a_place(
    lab: Lab, parents: tuple[int, ...], expected: list[tuple[int, int]]
) -> None:
    """A first child stands in its parent's row, each further one in a row of its own."""
    found = lab.page.evaluate("parents => layoutOf(parents.map((parent) => ({ parent }))).places", list(parents))
    assert [(place["depth"], place["row"]) for place in found] == expected


@pytest.mark.parametrize("keys", [("ArrowRight",), ("ArrowRight", "ArrowRight"), ("End",)])
def test_a_recording_that_arrives_leaves_the_viewer_in_place(lab: Lab, keys: tuple[str, ...]) -> None:
    """While rows still come, and when the whole recording comes in their place, the round on the desk stays."""
    trace = trace_of(MIXED)
    rows = [row_of(round_) for round_ in trace.rounds]
    recording = view_of(trace, plain_of(trace))
    live = {
        "prompt": trace.prompt,
        "settings": {"k": 3, "temperature": 0.0},
        "prompt_ids": [0],
        "prefill": {"target_s": 0.01, "draft_s": 0.0},
        "tokens": recording["recording"]["traces"][0]["tokens"],
        "plain_ends": [],
        "detail": None,
    }
    lab.show({"id": "lab", "status": "running", "live": {**live, "rows": rows[:2]}})
    lab.press("Home", *keys)
    before = (lab.text(), _slots(lab))
    lab.show({"id": "lab", "status": "running", "live": {**live, "rows": rows}})
    assert (lab.text(), _slots(lab)) == before
    lab.show(recording)
    assert (lab.text(), _slots(lab)) == before
    expect(lab.page.get_by_role("button", name="Play (space)")).to_be_visible()


@pytest.mark.parametrize("rounds", [[], ["aaa"], ["rdd", "rdd"], ["aaa", "aaa"], [""]])
def test_odd_runs_are_drawn_from_end_to_end(lab: Lab, rounds: list[str]) -> None:
    """An empty run, one round, all refused, all accepted, nothing drafted: every phase is drawn and the text comes out whole."""
    trace = trace_of(rounds)
    lab.show(view_of(trace, plain_of(trace)) if rounds else view_of(trace))
    lab.press("Home")
    for _ in range(4 * len(rounds) + 2):
        lab.press(".")
    assert lab.text() == (" w0" + trace.text if rounds else "")
    lab.press("End", "Home", "End")
    assert lab.text() == (" w0" + trace.text if rounds else "")


def test_hidden_parts_are_gone(lab: Lab) -> None:
    """Parts that a lesson leaves out are not there, and the drawer does not open."""
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace), hide=["dial", "lanes", "pace", "why", "predict"]))
    for part in (".dial", ".lanes", ".pace", ".chip.predict"):
        expect(lab.page.locator(part)).to_be_hidden()
    expect(lab.page.locator(".transport .play")).to_be_visible()
    lab.press("End", "w")
    expect(lab.page.locator(".why")).to_be_hidden()


def test_figures_say_how_they_were_measured_to_the_keyboard_too(mixed: Lab) -> None:
    """A figure with the focus says in the caption how it was measured."""
    mixed.press("End")
    mixed.page.locator(".figure.perPass").focus()
    expect(mixed.page.locator(".caption")).to_contain_text("plain decoding always has 1")
    mixed.page.locator(".stage").focus()
    expect(mixed.page.locator(".caption")).not_to_contain_text("plain decoding always has 1")


def test_a_slowdown_is_shown_as_one(lab: Lab) -> None:
    """Where speculation lost, the speedup is below one and says so."""
    trace = trace_of(["rdd", "rdd"])
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("End")
    expect(lab.page.locator(".figure.speedup")).to_have_class(re.compile("slower"))
    expect(lab.page.locator(".figure.speedup .small")).to_contain_text("slower than plain")


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


@pytest.mark.parametrize("width", [390, 1280])
def test_tokens_of_any_kind_stay_text_and_in_their_places(lab: Lab, width: int) -> None:
    """Markup, control characters, other scripts, emoji, halves of characters and endless words are text, in rows that stay as they are."""
    lab.page.set_viewport_size({"width": width, "height": 844})
    heights = []
    for texts in (None, HOSTILE):
        trace = trace_of(["aaaaaaa", "ardddddd"[:7], "rdddddd"], texts=texts)
        lab.show({**view_of(trace, plain_of(trace)), "id": str(texts is None)})
        lab.press("End", "w")
        lab.press("Escape", "Home", ".", ".", ".", ".")
        heights.append(
            [
                lab.page.locator(part).evaluate("e => e.getBoundingClientRect().height")
                for part in (".manuscript", ".desk", ".transport")
            ]
        )
        assert lab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert heights[0] == heights[1]
    assert lab.page.evaluate("window.hacked") is None
    assert lab.page.locator(".stage img, .stage script").count() == 0
    assert "<img src=x onerror" in lab.text()


def test_two_thousand_tokens_stay_responsive(lab: Lab) -> None:
    """A run of 2,000 tokens is drawn, and a key is answered without rebuilding what stands."""
    trace = trace_of(["aaaaa"] * 340)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("End")
    assert lab.page.locator(".manuscript .token:visible").count() == 2040
    first = lab.page.locator(".manuscript .token").first
    first.evaluate("span => { span.mine = true; }")
    lab.press("Home", "End", "ArrowLeft")
    assert first.evaluate("span => span.mine === true")


def test_nothing_leads_past_an_open_bet_or_gives_it_away(mixed: Lab) -> None:
    """While a bet is open no jump goes on, the drawer orders by q alone, and no rejection ahead is marked."""
    mixed.press("p", "End")
    expect(mixed.page.locator(".bets")).to_be_visible()
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 1 of")
    mixed.press("n")
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 1 of")
    mixed.press("w")
    expect(mixed.page.locator(".candidate:not(.head) .name").first).to_have_text("·w1")
    drawn = "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v)"
    assert not mixed.page.locator(".marks").evaluate(drawn)
    mixed.press("p", "Escape")
    assert mixed.page.locator(".marks").evaluate(drawn)


def test_the_keys_go_on_working_after_a_bet_and_after_the_drawer(mixed: Lab) -> None:
    """When a part that has the focus is hidden, the stage has it, and the next key is heard."""
    mixed.press("p", "ArrowRight")
    mixed.page.locator(".bets").get_by_role("button", name="3 accepted").focus()
    mixed.page.keyboard.press("Enter")
    expect(mixed.page.locator(".round-name")).to_contain_text("Round 2 of")
    mixed.page.keyboard.press("p")
    expect(mixed.page.locator(".bets")).to_be_hidden()
    mixed.page.keyboard.press("w")
    mixed.page.locator(".why").get_by_role("button", name="Close").focus()
    mixed.page.keyboard.press("Enter")
    expect(mixed.page.locator(".why")).to_be_hidden()
    mixed.page.keyboard.press("Home")
    assert mixed.text() == " w0"


def test_the_end_of_the_lanes_is_the_end_of_the_run(lab: Lab) -> None:
    """Right of the speculative lane's end the run is at its end, with its final speedup."""
    trace = trace_of(["aaa", "aaa"])
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home")
    box = lab.page.locator(".lanes-picture").bounding_box()
    assert box is not None
    lab.page.locator(".lanes-picture").click(position={"x": box["width"] - 3, "y": 20})
    lab.settle()
    expect(lab.page.locator(".caption")).to_contain_text("The length asked for is reached.")
    lab.press(",", ".")
    expect(lab.page.locator(".caption")).to_contain_text("The length asked for is reached.")


def test_a_failed_run_promises_nothing(lab: Lab) -> None:
    """When a run has failed, nothing says that plain decoding or alternatives are still to come."""
    trace = trace_of(MIXED)
    live = {
        "prompt": trace.prompt,
        "settings": {"k": 3, "temperature": 0.0},
        "prompt_ids": [0],
        "prefill": {"target_s": 0.01, "draft_s": 0.0},
        "tokens": view_of(trace)["recording"]["traces"][0]["tokens"],
        "plain_ends": [],
        "detail": None,
        "rows": [row_of(round_) for round_ in trace.rounds],
    }
    lab.show({"id": "lab", "status": "failed", "plain_rate": 100.0, "live": live})
    lab.press("End", "w")
    expect(lab.page.locator(".lane-end").first).to_have_text("not measured")
    expect(lab.page.locator(".why-empty").first).to_have_text("No alternatives were recorded here.")
    assert "was stopped" in (lab.page.locator(".figure.speedup").get_attribute("title") or "")


@pytest.mark.parametrize(
    ("part", "key", "shown"), [("predict", "p", ".score"), ("keys", "?", ".help"), ("rounds", "b", ".with-rounds")]
)
def test_hidden_parts_have_no_keys(lab: Lab, part: str, key: str, shown: str) -> None:
    """The key of a part that is left out does nothing."""
    trace = trace_of(MIXED)
    lab.show(view_of(trace, hide=[part]))
    lab.press("End", key)
    expect(lab.page.locator(f"{shown}:visible")).to_have_count(0)
    lab.show(view_of(trace))
    lab.press(key)
    expect(lab.page.locator(f"{shown}:visible")).to_have_count(1)


def test_a_lossy_rule_is_labelled_and_promises_no_text(lab: Lab) -> None:
    """The badge stands on the stage, the speedup says it, and the end claims neither the same text nor its distribution."""
    trace = trace_of(MIXED, temperature=0.8, rule="lenient", lenience=0.3)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("End")
    expect(lab.page.locator(".lossy")).to_have_text("LOSSY: lenient rule, lenience 0.3")
    expect(lab.page.locator(".figure.speedup .small")).to_contain_text("LOSSY")
    expect(lab.page.locator(".caption")).to_contain_text("LOSSY")
    expect(lab.page.locator(".caption")).not_to_contain_text("wrote the same")
    lab.press("Home", "n", "w")
    expect(lab.page.locator(".why")).to_contain_text("p/(l·q)")
    expect(lab.page.locator(".why")).to_contain_text("LOSSY")


def test_an_exact_rule_wears_no_badge(mixed: Lab) -> None:
    """Nothing on the stage says lossy where nothing is."""
    mixed.press("End")
    assert "LOSSY" not in mixed.page.locator(".stage").inner_text()


def test_a_copied_draft_is_lit_where_it_stands(lab: Lab) -> None:
    """While a round of the n-gram drafter goes on the tokens it copies are lit in the text; no draft model is spoken of."""
    trace = trace_of(["aaa", "ard"], drafter="n-gram lookup", way="ngram", source=0)
    trace = replace(trace, prompt_ids=(0, 1, 2, 3))
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home", ".")
    lit = lab.page.locator(".manuscript .copied")
    assert lit.all_text_contents() == [" w0", " w1", " w2"]
    assert "raft model" not in lab.page.locator(".desk").inner_text()
    assert "raft model" not in lab.page.locator(".caption").inner_text()
    lab.press("w")
    assert lab.page.locator(".candidate:not(.head)").count() == 1  # the target's ranking would tell the verdict
    expect(lab.page.locator(".why")).to_contain_text("copied in round 1")
    lab.press("Escape", ".", ".")
    expect(lit).to_have_count(3)
    lab.press("w")
    expect(lab.page.locator(".candidate.mine .side.q .value")).to_have_text("1.000")
    lab.press("Escape", ".")
    expect(lit).to_have_count(0)


def test_an_early_exit_is_a_part_of_the_target(lab: Lab) -> None:
    """Drafting goes through the first layers, checking through the others; in the lanes a draft pass is lower by as much."""
    trace = trace_of(MIXED, drafter="early exit, 4 of 12 layers", way="early-exit")
    view = view_of(trace, plain_of(trace))
    lab.show(view)
    lab.press("Home", ".")
    expect(lab.page.locator(".role.draft .does")).to_have_text("the target's own first 4 layers of 12")
    states = "all => all.map(i => i.className).reverse()"
    assert lab.page.locator(".role.draft .stack i").evaluate_all(states) == ["lit"] * 4 + ["out"] * 8
    assert lab.page.locator(".role.target .stack i").evaluate_all(states) == ["done"] * 4 + ["lit"] * 8
    boxes: list[dict[str, Any]] = lab.page.evaluate("view => boxesOf(readRun(view))", view)
    drafts = [box for box in boxes if box["kind"] == "draft"]
    assert drafts
    assert {box["share"] for box in drafts} == {4 / 12}
    assert {box["done"] for box in boxes if box["kind"] == "target" and box["lane"] == 1} == {4 / 12}
    assert not any(box.get("done") for box in boxes if box["lane"] == 0)


def test_a_layer_skip_leaves_as_many_layers_out_as_it_says(lab: Lab) -> None:
    """Of the draft's stack as many bars are lit as layers were used; the target's check goes through all of them."""
    trace = trace_of(MIXED, drafter="layer skip, 5 of 12 layers", way="layer-skip")
    lab.show(view_of(trace, plain_of(trace)))
    assert lab.page.locator(".role.draft .stack i.lit").count() == 5
    assert lab.page.locator(".role.draft .stack i").count() == 12
    assert lab.page.locator(".role.target .stack i.lit").count() == 12


def test_shared_noise_says_that_it_decided(lab: Lab) -> None:
    """With shared noise the drawer shows the probabilities at temperature 1, and the text is held against the plain one."""
    trace = trace_of(MIXED, temperature=0.8, shared_noise=True)
    rounds = tuple(
        replace(r, drafted=tuple(replace(d, draw=None, draft_prob=1.0) for d in r.drafted)) for r in trace.rounds
    )
    trace = replace(trace, rounds=rounds)
    lab.show(view_of(trace, plain_of(trace)))
    lab.press("Home", "n", "w")
    expect(lab.page.locator(".why-reason")).to_contain_text("The noise decided: with it the target's choice is “·w9”")
    expect(lab.page.locator(".candidate.head .name")).to_have_text("at temperature 1")
    expect(lab.page.locator(".candidate.mine .side.q .value")).to_have_text("0.600")
    lab.press("Escape", "End")
    expect(lab.page.locator(".caption")).to_contain_text("token for token, with the same noise")


def _real_tree(nodes: int) -> list[Any]:
    pair = load_pair("embedded", device="cpu", dtype="float32")
    settings = Settings(k=8, nodes=nodes, drafter="tree", max_new_tokens=16)
    prompt = "The capital of Burkina Faso is"
    return [Run(pair, prompt, settings, plain=plain).finish() for plain in (False, True)]


@pytest.mark.parametrize(("nodes", "width"), [(12, 390), (64, 390), (64, 1000)])
def test_a_real_tree_stays_in_its_box(lab: Lab, nodes: int, width: int) -> None:
    """However large, a tree scrolls inside a box of one height; the node that was judged last and the target's own token
    are in view, and the page is no wider than the screen."""
    lab.page.set_viewport_size({"width": width, "height": 900})
    traces = _real_tree(nodes)
    assert max(sum(d.verdict == "rejected" for d in r.drafted) for r in traces[0].rounds) > 2
    lab.show(view_of(*traces))
    lab.press("Home")
    heights = set()
    for round_ in traces[0].rounds:
        lab.press(".", ".", ".", ".")
        box = lab.page.locator(".tree-view").bounding_box()
        assert box is not None
        heights.add(box["height"])
        assert lab.page.locator(".tree .slot:visible").count() == len(round_.drafted)
        last = lab.page.locator(".tree .closing")
        shown = [last] + ([lab.page.locator(".tree .slot.accepted").last] if round_.accepted else [])
        for node in shown if round_.closing else shown[1:]:
            place = node.bounding_box()
            assert place is not None
            assert box["y"] <= place["y"] + 1
            assert place["y"] + place["height"] <= box["y"] + box["height"] + 1
    assert len(heights) == 1
    assert lab.page.evaluate("document.documentElement.scrollWidth") <= width


_REPLAN = {"matches": [i % 3 != 1 for i in range(10)], "c": 0.5, "v": [1.0, 1.1, 1.2, 1.3], "pass_s": 0.01}


def test_another_k_redraws_the_run_and_one_control_goes_back(lab: Lab) -> None:
    """The slider replans all rounds at once, every number is labelled, and the real run comes back as it was left."""
    trace = trace_of(MIXED)
    lab.show(view_of(trace, plain_of(trace), replan=_REPLAN))
    lab.press("Home", "ArrowRight", "ArrowRight")
    text, name = lab.text(), lab.page.locator(".round-name").inner_text()
    lab.press("k")
    lab.page.locator(".whatif-k").fill("1")
    lab.settle()
    assert lab.text() == " w0" + trace.text
    expect(lab.page.locator(".whatif-says")).to_have_text("replanned: rounds exact, times priced from measured c and v")
    expect(lab.page.locator(".round-name")).to_contain_text("Round 6 of 6 · replanned for k = 1")
    rounds = lab.page.evaluate("replan => globalThis.replan(replan.matches, 1)", _REPLAN)
    seconds = sum(0.01 * (0.5 * r["drafted"] + _REPLAN["v"][r["drafted"]]) for r in rounds)  # type: ignore[index]
    expect(lab.page.locator(".figure.speedup .value")).to_have_text(f"{10 * 0.01 / seconds:.2f}×")
    for figure in ("speedup", "rate", "perPass", "accepted"):
        expect(lab.page.locator(f".figure.{figure} .small")).to_contain_text("replanned")
    expect(lab.page.locator(".lane-end").nth(1)).to_contain_text("replanned")
    lab.page.get_by_role("button", name="Real run").click()
    lab.settle()
    assert (lab.text(), lab.page.locator(".round-name").inner_text()) == (text, name)
    assert "replanned" not in lab.page.locator(".stage").inner_text()


@pytest.mark.parametrize("changed", [{"temperature": 0.8}, {"parents": TREE_PARENTS}, {"matches": 3}, {"replan": None}])
def test_nothing_is_replanned_that_would_not_be_exact(lab: Lab, changed: dict[str, Any]) -> None:
    """No slider above temperature 0 without shared noise, for a tree, for matches of another text, or without any."""
    chosen = {key: value for key, value in changed.items() if key in ("temperature", "parents")}
    trace = trace_of(["arad"] if "parents" in changed else MIXED, **chosen)
    known: dict[str, Any] | None = {**_REPLAN, "matches": [True] * len(trace.token_ids)}
    if "matches" in changed:
        known = {**_REPLAN, "matches": [True] * changed["matches"]}
    lab.show(view_of(trace, plain_of(trace), replan=known if "replan" not in changed else None))
    lab.press("End", "k")
    expect(lab.page.locator(".chip.what-if")).to_be_hidden()
    expect(lab.page.locator(".whatif")).to_be_hidden()
