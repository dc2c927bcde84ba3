"""trained_heads.ts: how the drafters with a trained head are drawn follows from the registry, the card and the record."""

from dataclasses import replace
from typing import Any

import pytest

from specviz.trace.records import Trace
from tests.helpers.node import Node
from tests.helpers.views import DRAFT_S, plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

HEADS = {name: each for name, each in GIVEN["drafters"].items() if each["needs"] == "trained head"}
TREE = (-1, 0, 1, 0, -1, 4)
AT_ONCE = {"medusa", "medusa-tree", "dflash", "jetspec"}
LINKED = {"dspark", "dspark-tree"}


def run_of(name: str, taps: tuple[int, ...] | None = (2, 6, 9), of: int = 12) -> Trace:
    """A run of this drafter, whose card says what its head reads."""
    tree = HEADS[name]["shape"] == "tree"
    trace = trace_of(
        ["aaaddd" if tree else "aaardd"],
        drafter=name,
        label=HEADS[name]["label"],
        of=of,
        parents=TREE if tree else None,
    )
    return replace(trace, card=replace(trace.card, drafter=replace(trace.card.drafter, taps=taps)))


def test_every_trained_head_has_a_picture_of_its_own(js: Node) -> None:
    """A head whose picture the player does not know would be drawn as a small model that types."""
    assert {"medusa", "eagle", "mtp", "dflash", "jetspec", "dspark"} <= set(HEADS)
    for name, described in GIVEN["drafters"].items():
        assert bool(js.call("(one) => drawnHead(one)", described)) == (name in HEADS), name


def test_guesses_appear_in_the_order_in_which_the_head_makes_them(js: Node) -> None:
    """One pass gives all tokens at the same moment; a head that is fed its guesses gives one after the other; a linked block is filled
    before its first token is drawn."""
    function = """(view, given) => {
        const run = readRun(view, given), plan = schedule(run, "quick"), seen = [];
        const draft = plan.shares[0].draft * lengthOf(plan, 0);
        for (let at = 0; at < draft; at += draft / 200) {
            const now = positionAt(run, plan, at), filled = filledAt(run.drafterText, now.fraction);
            if (seen.at(-1)?.[0] !== now.typed) seen.push([now.typed, filled]);
        }
        return seen;
    }"""
    for name in HEADS:
        seen: list[list[Any]] = js.call(function, view_of(run_of(name)), GIVEN)
        counts = [typed for typed, _ in seen]
        assert counts == ([0, 6] if name in AT_ONCE else [0, 1, 2, 3, 4, 5, 6]), name
        if HEADS[name]["picture"].endswith("block"):
            assert seen[0][1] < 1, name
            assert {filled for _, filled in seen[1:]} == {1}, name
        else:
            assert {filled for _, filled in seen} == {None}, name


def test_the_ticks_of_a_draft_are_the_passes_of_its_head(js: Node) -> None:
    """One block at the recorded time, whatever drafts: divided by tokens for a chain of steps, by levels for a tree of steps, not at all
    where one pass makes all guesses."""
    boxes = "(view, given) => boxesOf(readRun(view, given)).filter((box) => box.kind === 'draft')"
    for name in HEADS:
        (draft,) = js.call(boxes, view_of(run_of(name)), GIVEN)
        assert (draft["from"], draft["to"]) == (0, pytest.approx(DRAFT_S))
        assert draft["ticks"] == (1 if name in AT_ONCE | LINKED else 3 if name == "eagle-tree" else 6), name


def test_the_layers_that_a_head_reads_are_those_of_its_card(js: Node) -> None:
    """A tap after n layers lights the n-th bar; words name them; without taps, or where they do not fit, nothing is claimed."""
    function = """(view, given) => {
        const { drafterText } = readRun(view, given), { draft, check } = layersOf(drafterText);
        return [drafterText.does, draft, check.flatMap((state, i) => (state === "lit tap" ? [i + 1] : [])), check.length];
    }"""
    for name, taps, words, lit in (
        ("eagle", (2, 6, 9), "one trained layer, fed by layers 2, 6 and 9 of the target", [2, 6, 9]),
        ("eagle", (12,), "one trained layer, fed by the target's last state", [12]),
        ("mtp", (12,), "one layer: the target's last state with the next token", [12]),
        ("eagle", (0,), "one trained layer, fed by layer 0 of the target", []),
        ("eagle", None, "one trained layer, fed by the target's states", []),
    ):
        found = js.call(function, view_of(run_of(name, taps)), GIVEN)
        assert found == [words, [], lit, 12 if taps else 0]
    (recorded,) = view_of(run_of("eagle"))["recording"]["traces"]
    recorded["card"]["drafter"]["taps"] = [2, 99]
    view = {"id": "x", "status": "opened", "recording": {"traces": [recorded]}}
    assert js.call(function, view, GIVEN)[2:] == [[], 0]


def test_boxes_columns_and_signs_say_what_a_guess_sees(js: Node) -> None:
    """There is a box for each head or slot and one for a single layer; the columns of a tree are alike exactly where its guesses do not
    depend on the guesses before them."""
    for name in HEADS:
        boxes, says, columns, way = js.call(
            "(view, given) => { const run = readRun(view, given); return [boxesOfHead(run), headWords(run), columnsOf(run.drafterText, 3), wayOf(run.drafterText, 1)]; }",
            view_of(run_of(name)),
            GIVEN,
        )
        fed, tree = HEADS[name]["picture"] == "fed layer", HEADS[name]["shape"] == "tree"
        joined = HEADS[name]["picture"] == "joined layer"
        numbers = [str(i + 1) for i in range(3 if tree else 6)]
        assert boxes == (["↻"] if fed else ["⊕", "↻"] if joined else numbers)
        assert says
        assert {column["alike"] for column in columns} == {name in AT_ONCE}, name
        assert way["sign"], name
    words = js.call(
        "(all) => all.map((one) => wayOf(one, 1).word)",
        [HEADS[n] for n in ("medusa", "eagle", "dflash", "jetspec", "dspark")],
    )
    assert words == ["head 2", "from its guess", "sees all", "sees those before", "linked"]


def test_what_a_head_estimated_of_a_slot_is_said(js: Node) -> None:
    """Under the slot instead of how it is linked, and when it is pointed at; where nothing was recorded nothing is claimed."""
    trace = run_of("dspark")
    first, *others = trace.rounds[0].drafted
    round_ = replace(trace.rounds[0], drafted=(replace(first, confidence=0.82), *others))
    said = js.call(
        """(view, given) => { const run = readRun(view, given), drafted = run.rounds[0].drafted;
            const at = { ...NOWHERE, index: 0, typed: 6 };
            return [0, 1].map((i) => [wayOf(run.drafterText, i, drafted[i].confidence).word, explanationOf(run, at, i)]); }""",
        view_of(replace(trace, rounds=(round_,))),
        GIVEN,
    )
    assert [word for word, _ in said] == ["82% sure", "linked"]
    assert ["before drawing it the head gave this slot 82%" in sentence for _, sentence in said] == [True, False]


def test_a_figure_says_what_its_card_notes(js: Node) -> None:
    """How a speedup was measured ends with the notes of the run, such as passes that were not captured."""
    trace = run_of("eagle")
    noted = replace(trace, card=replace(trace.card, notes=("The target's passes ran without CUDA graphs.",)))
    how = """(view, given) => { const run = readRun(view, given), plan = schedule(run, "quick");
        return headlineOf(run, positionAt(run, plan, plan.end)).speedup.how; }"""
    said = [js.call(how, view_of(one, plain_of(one)), GIVEN) for one in (trace, noted)]
    assert said[1] == f"{said[0]} The target's passes ran without CUDA graphs."
