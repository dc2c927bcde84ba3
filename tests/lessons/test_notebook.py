"""What a notebook shows of runs and races."""

import json
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

import specviz
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.trace.conditions import RacedTraces
from specviz.trace.files import read_file

LETTER = read_file(ASSETS / "traces" / "letter.json")


def _view(html: str) -> dict[str, Any]:
    found = re.search(r'id="recording">(.*?)</script>', unescape(html))
    assert found
    view: dict[str, Any] = json.loads(found[1])["view"]
    return view


def test_a_run_opens_at_the_moment_that_is_named() -> None:
    """`show` hands the moment to the player, in a frame that may run its script and nothing else; without one it is the title. A round that is not there, words
    that are no moment and a moment of a race end in one sentence that names what was given."""
    shown = specviz.show(LETTER[0], at="round 3, verified")._repr_html_()
    assert 'sandbox="allow-scripts"' in shown
    assert _view(shown)["at"] == {"round": 2, "phase": "verify", "part": 1.0, "count": None}
    assert _view(specviz.show(LETTER[0])._repr_html_())["at"] is None
    raced = RacedTraces(LETTER)
    for shows, at in ((LETTER[0], "round 99, verified"), (LETTER[0], "noon"), (raced, "round 1, verified")):
        with pytest.raises(InputError, match=re.escape(at)):
            specviz.show(shows, at=at)


def test_a_race_shows_its_lanes() -> None:
    """The traces of a race are shown as a plain lane and one for each speculative run, the same by `show` and alone on a line."""
    race = RacedTraces(LETTER)
    html = race._repr_html_()
    assert html == specviz.show(race)._repr_html_()
    view = _view(html or "")
    assert [lane["kind"] for lane in view["lanes"]] == ["plain", "speculative"]
    assert view["lanes"][1]["badge"]["kind"] == "same"


def test_a_race_that_cannot_be_gives_no_speedup() -> None:
    """A plain run that something slowed down tenfold, or words that say why no seconds count, stand in the lane instead of a speedup."""
    run, plain = LETTER
    times = ("began_s", "verify_s", "ended_s")
    rounds = tuple(replace(each, **{name: 10 * getattr(each, name) for name in times}) for each in plain.rounds)
    for race in (RacedTraces((run, replace(plain, rounds=rounds))), RacedTraces(LETTER, doubt="others had the cores")):
        assert _view(race._repr_html_() or "")["lanes"][1]["busy"]
    assert not _view(RacedTraces(LETTER)._repr_html_() or "")["lanes"][1]["busy"]
