"""Token recycling and suffix decoding on the embedded pair: a run is repeated by its settings alone, whatever ran before it."""

from dataclasses import replace

from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.rounds import timeless

PROMPT = "Start at 13 and add 2 each time: 13, 15, 17,"


def test_a_run_does_not_depend_on_the_runs_before_it(embedded: Pair) -> None:
    """With the drafter changed in mid-visit, and with a run that was left unfinished, the same settings give the same rounds and text."""
    greedy = Settings(k=4, max_new_tokens=12)
    plain = Run(embedded, PROMPT, greedy, plain=True).finish()
    first: dict[tuple[str, float], object] = {}
    for drafter in ("recycling", "suffix", "ngram", "recycling", "suffix"):
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
