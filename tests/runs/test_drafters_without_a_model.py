"""Drafters without a model: a run is repeated by its settings alone, whatever the same drafter drafted before it."""

from dataclasses import replace

import pytest
import torch

from specviz.decoding.protocols import Reading, Scores
from specviz.decoding.testing import TableModel
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.lossless import Parts
from tests.helpers.rounds import rounds_of, timeless

pytestmark = pytest.mark.slow

PROMPT = "Start at 13 and add 2 each time: 13, 15, 17,"


def test_a_run_does_not_depend_on_the_runs_before_it(embedded: Pair) -> None:
    """With the drafter changed in mid-visit, and with a run that was left unfinished, the same settings give the same rounds and text."""
    greedy = Settings(k=4, max_new_tokens=12)
    plain = Run(embedded, PROMPT, greedy, plain=True).finish()
    first: dict[tuple[str, float], object] = {}
    for drafter in ("suffix", "ngram", "suffix"):
        for temperature in (0.0, 0.9):
            settings = replace(greedy, drafter=drafter, temperature=temperature, seed=3)
            trace = Run(embedded, PROMPT, settings).finish()
            assert temperature or trace.token_ids == plain.token_ids, drafter
            assert any(r.accepted for r in trace.rounds), drafter
            rounds = timeless(trace.rounds)
            assert first.setdefault((drafter, temperature), rounds) == rounds, drafter
        left = Run(embedded, "One, two, three, one, two,", replace(greedy, drafter=drafter))
        next(left)
        next(left)


@pytest.mark.parametrize("name", ["ngram", "suffix"])
def test_a_new_text_begins_as_with_a_new_drafter(name: str) -> None:
    """With one drafter for several texts, the last of which was left with a pass unread, nothing of one is drafted in the next."""
    target = TableModel.random(9, 5, memory=1)
    settings, parts = Settings(drafter=name, temperature=0.8, max_new_tokens=40), Parts(target, target)
    used = parts.drafter(settings)
    for prompt in ((1,), (2, 3, 2, 3), (1,)):
        alone = rounds_of(target, parts.drafter(settings), prompt, settings)
        assert timeless(rounds_of(target, used, prompt, settings)) == timeless(alone)
        assert any(each.accepted for each in alone)
        used.saw(Reading(torch.tensor([1]), Scores(torch.eye(9)[8:]), (0,)))
