"""Figures in braces: each is what the recording holds, and what a model wrote never becomes markup."""

from dataclasses import replace

import pytest

from specviz.lessons.placeholders import ROUND_FIGURES, Placeholders
from specviz.lessons.rendering import html_of
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import TokenBytes
from tests.helpers.fuzz import TRACES
from tests.helpers.lessons import recorded


def test_figures_are_those_of_the_recording() -> None:
    """On every shipped recording: the figures are what metrics computes, to the digits that are shown."""
    for file in sorted(TRACES.glob("*.json")):
        recording = recorded(file.stem)
        assert recording.plain is not None
        summary, first = summarise(recording.run), recording.run.rounds[0]
        fillings = dict(Placeholders([recording], "en").numbers(recording.name, 0))
        numbers = {name: filling.number for name, filling in fillings.items()}
        expected = {
            "accepted": summary.accepted,
            "judged": summary.judged,
            "rounds": summary.rounds,
            "tokens": len(summary.token_ids),
            "plain rounds": len(recording.plain.rounds),
            "tokens per second": round(summary.tokens_per_second),
            "round 1 drafted": len(first.drafted),
            "round 1 accepted": len(first.accepted),
        }
        assert {name: numbers[name] for name in expected} == expected
        assert numbers["speedup"] == pytest.approx(speedup(recording.plain, recording.run), abs=0.0051)
        assert numbers["round 1 verify time"] == pytest.approx(1000 * first.verify_s, abs=0.051)
        assert {f"round 1 {name}" for name in ROUND_FIGURES} <= numbers.keys()
        assert all(filling.how for filling in fillings.values())


def test_tokens_are_those_of_the_round() -> None:
    """The draft, the target's tokens and the end of the round, where the stage has them; the random number of a sampled run. Figures of a plain run that is
    not there are refused with the reason."""
    figures = Placeholders([recorded("capital")], "en")
    texts = {"draft 1.1": "·K", **dict.fromkeys(("target 1.1", "closing 1", "token 1"), "·O")}
    texts |= {"q 1.1": "1.00", "p 1.1": "0.00", "draft probability 1.1": "25\u00a0%"}
    assert {inside: figures.fill(inside, "capital").text for inside in texts} == texts
    filling = figures.fill("draft 3.5", "capital")
    assert (filling.round, filling.slot, filling.token) == (3, 5, True)
    assert 0 <= float(Placeholders([recorded("lighthouse")], "en").fill("u 1.1", "lighthouse").text) < 1
    alone = Placeholders([replace(recorded("capital"), plain=None)], "en")
    for inside in ("speedup", "plain rounds", "plain pass"):
        with pytest.raises(ValueError, match="no plain run"):
            alone.fill(inside, "capital")


def test_what_a_model_wrote_is_never_markup() -> None:
    """A token, a prompt and a text that look like HTML or Markdown are shown as they are."""
    recording = recorded("capital")
    hostile = "<img src=x onerror=alert(1)> *x* [a](javascript:b) \u202e{speedup}"
    first = recording.run.rounds[0].drafted[0].token
    tokens = recording.run.tokens | {first: TokenBytes(hostile.encode())}
    recording = replace(recording, run=replace(recording.run, tokens=tokens, prompt=hostile))
    figures = Placeholders([recording], "en")
    for inside in ("draft 1.1", "prompt"):
        html = html_of(f"a {{{inside}}} b", lambda text: figures.fill(text, "capital"))
        assert not [part for part in ("<img", "<em>", "<a ", "\u202e") if part in html]
        assert "&lt;img" in html
        assert "{speedup}" in html
