"""Figures in braces: each is what the recording holds, and what a model wrote never becomes markup."""

from dataclasses import replace
from pathlib import Path

import pytest

from specviz.lessons.placeholders import ROUND_NAMES, RUN_FIGURES, SLOT_FORMS, Placeholders
from specviz.lessons.rendering import html_of
from specviz.lessons.vocabulary import LIT, MOMENTS, PICTURES, SCREENS
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import TokenBytes
from tests.helpers.fuzz import TRACES
from tests.lessons.writing import recorded


def test_figures_are_those_of_the_recording() -> None:
    """On every shipped recording: the figures are what metrics computes, to the digits that are shown."""
    for file in sorted(TRACES.glob("*.json")):
        each = recorded(file.stem)
        summary, plain = summarise(each.run), summarise(each.plain) if each.plain else None
        assert plain is not None
        found = dict(Placeholders([each], "en").numbers(each.name, 0))
        assert found["accepted"].number == summary.accepted
        assert found["judged"].number == summary.judged
        assert found["rounds"].number == summary.rounds
        assert found["tokens"].number == len(summary.token_ids)
        assert found["plain rounds"].number == plain.rounds
        assert found["tokens per second"].number == round(summary.tokens_per_second)
        assert each.plain is not None
        assert found["speedup"].number == pytest.approx(speedup(each.plain, each.run), abs=0.0051)
        first = each.run.rounds[0]
        assert found["round 1 drafted"].number == len(first.drafted)
        assert found["round 1 accepted"].number == len(first.accepted)
        assert found["round 1 verify time"].number == pytest.approx(1000 * first.verify_s, abs=0.051)
        assert {f"round 1 {name}" for name in ROUND_NAMES} <= found.keys()
        assert all(filled.how for filled in found.values())


def test_tokens_are_those_of_the_round() -> None:
    """What was drafted, what the target would have written, and what ended the round, where the stage has them."""
    figures = Placeholders([recorded("capital")], "en")
    told = {
        inside: figures.fill(inside, "capital").text
        for inside in ("draft 1.1", "target 1.1", "closing 1", "token 1", "q 1.1", "p 1.1", "draft probability 1.1")
    }
    assert told["draft 1.1"] == "·K"
    assert told["target 1.1"] == told["closing 1"] == told["token 1"] == "·O"
    assert (told["q 1.1"], told["p 1.1"]) == ("1.00", "0.00")
    assert told["draft probability 1.1"] == "25\u00a0%"
    filled = figures.fill("draft 3.5", "capital")
    assert (filled.round, filled.slot, filled.token) == (3, 5, True)


def test_a_sampled_run_has_its_random_numbers() -> None:
    """u is filled where one was drawn."""
    assert 0 <= float(Placeholders([recorded("lighthouse")], "en").fill("u 1.1", "lighthouse").text) < 1


def test_a_run_without_its_plain_run_has_no_speedup() -> None:
    """Figures of a plain run that is not there are refused with the reason."""
    alone = replace(recorded("capital"), plain=None)
    for inside in ("speedup", "plain rounds", "plain pass"):
        with pytest.raises(ValueError, match="no plain run"):
            Placeholders([alone], "en").fill(inside, "capital")


def test_what_a_model_wrote_is_never_markup() -> None:
    """A token, a prompt and a text that look like HTML or Markdown are shown as they are."""
    each = recorded("capital")
    hostile = "<img src=x onerror=alert(1)> *x* [a](javascript:b) \u202e{speedup}"
    first = each.run.rounds[0].drafted[0].token
    tokens = each.run.tokens | {first: TokenBytes(hostile.encode())}
    each = replace(each, run=replace(each.run, tokens=tokens, prompt=hostile))
    figures = Placeholders([each], "en")
    for inside in ("draft 1.1", "prompt"):
        html = html_of(f"a {{{inside}}} b", lambda text: figures.fill(text, "capital"))
        assert "<img" not in html
        assert "<em>" not in html
        assert "<a " not in html
        assert "\u202e" not in html
        assert "&lt;img" in html
        assert "{speedup}" in html


def test_the_guide_lists_every_name() -> None:
    """docs/writing-a-lesson.md has every placeholder, moment, part, picture and screen."""
    guide = (Path(__file__).parents[2] / "docs" / "writing-a-lesson.md").read_text(encoding="utf-8")
    for name in (*RUN_FIGURES, *(f"round R {name}" for name in ROUND_NAMES)):
        assert f"`{{{name}}}`" in guide, name
    for name in SLOT_FORMS:
        assert f"`{{{name}}}`" in guide, name
    for name in (*MOMENTS, *LIT, *PICTURES, *SCREENS):
        assert f"`{name}`" in guide, name
