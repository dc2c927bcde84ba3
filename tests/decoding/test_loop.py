"""Claims about the one loop: how it calls models and drafters, what it records, when it ends, and which times it reads."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch

from specviz.decoding import clock
from specviz.decoding import loop as engine
from specviz.decoding.clock import CudaStopwatch
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.recorder import Recorder
from specviz.decoding.sampling import CertainDraws, SeededDraws
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.errors import PromptError
from specviz.settings import Settings
from specviz.trace.records import Closing, Top, Verdict
from tests.helpers.fake_cuda import fake_cuda
from tests.helpers.oracles import oracle_warp
from tests.helpers.rounds import Spy, rounds_of, text_of, timeless

WARM = Settings(k=3, temperature=1.0, max_new_tokens=20)


def pair(vocabulary: int = 5, **options: Any) -> tuple[TableModel, ModelDrafter]:
    """A target, and a drafter around another model."""
    return TableModel.random(vocabulary, 1, **options), ModelDrafter(TableModel.random(vocabulary, 2))


def test_one_pass_of_the_target_a_round() -> None:
    """The target reads the last committed token and the whole draft in one pass."""
    target, drafter = pair()
    rounds = rounds_of(target, drafter, [4], WARM)
    text = (4, *text_of(rounds))
    assert target.passes == [(text[r.start], *(d.token for d in r.drafted)) for r in rounds]


def test_the_caches_contain_the_text_and_no_more() -> None:
    """After every round the target has cached all committed tokens but the last, and has dropped the rest."""
    target, drafter = pair()
    text = [3, 3, 1]
    for round_ in speculate(target, drafter, text, WARM):
        text += round_.tokens
        assert target.kept == tuple(text[:-1])
        assert target.length == len(text) - 1
        assert target.report.dropped == len(round_.drafted) - len(round_.accepted)


def test_no_more_is_drafted_than_can_be_used() -> None:
    """The drafter is asked for at most k, and for at most one token fewer than remain."""
    target, drafter = pair()
    spy = Spy(drafter)
    rounds = rounds_of(target, spy, [0], replace(WARM, k=4, max_new_tokens=9))
    assert [limit for _, limit in spy.asked] == [min(4, 9 - r.start - 1) for r in rounds]
    assert spy.begun == [([0], 1 + 9 + WARM.widest + 1)]


def test_siblings_rejected_before_an_accepted_end_stay_rejected() -> None:
    """In a tree that ends the text, tokens rejected on the way are recorded as rejected; those below the end were never judged."""
    target = TableModel(3, lambda history: [0.0, 1.0, 2.0], end_ids=(2,))
    rounds = rounds_of(target, ScriptedDrafter(3, [[0, 2, 0, 2]], parents=(-1, -1, 1, 1)), [0], Settings(k=4))
    verdicts = [Verdict.REJECTED, Verdict.ACCEPTED, Verdict.DISCARDED, Verdict.DISCARDED]
    assert [d.verdict for d in rounds[0].drafted] == verdicts
    assert (rounds[0].closing, rounds[0].tokens, rounds[0].accepted, rounds[0].judged) == (None, (2,), (1,), 2)
    assert target.kept == (0, 2)


def test_the_clock_stands_still_between_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at a round for a long time does not make the run look slow."""
    now = itertools.count()
    looked = 0.0
    monkeypatch.setattr(clock, "perf_counter", lambda: next(now) + looked)
    target, drafter = pair()
    rounds = []
    for round_ in speculate(target, drafter, [0], replace(WARM, max_new_tokens=8)):
        looked += 1e6
        rounds.append(round_)
    assert 0 < rounds[-1].ended_s < 1e6


def test_prompts_that_cannot_be_read_are_rejected() -> None:
    """An empty prompt, and one that leaves no room, are rejected before anything is read; one that just fits is not."""
    target, drafter = pair(context=10)
    with pytest.raises(PromptError, match="empty"):
        speculate(target, drafter, [], WARM)
    with pytest.raises(PromptError, match=r"has 4 tokens and 7 new .* at most 10"):
        speculate(target, drafter, [0] * 4, replace(WARM, max_new_tokens=7))
    assert len(text_of(rounds_of(target, drafter, [0] * 3, replace(WARM, max_new_tokens=7)))) == 7


def test_one_random_source() -> None:
    """The settings' seed and the same draws passed in give the same run; torch's global seed is left alone."""
    settings = replace(WARM, seed=12)
    before = torch.get_rng_state()
    own = rounds_of(*pair(), [0], settings)
    assert timeless(own) == timeless(rounds_of(*pair(), [0], settings, SeededDraws(12)))
    assert torch.equal(before, torch.get_rng_state())


def test_models_and_drafters_serve_one_run_after_another() -> None:
    """A second run on used models, on another prompt, is the run of fresh ones; so is one after a cancelled run."""
    target, drafter = pair()
    rounds_of(target, drafter, [0, 1, 2], WARM)
    next(speculate(target, drafter, [2], WARM))
    assert timeless(rounds_of(target, drafter, [4, 4], WARM)) == timeless(rounds_of(*pair(), [4, 4], WARM))


def check_top(top: Top, logits: Sequence[float], rule: Sequence[float]) -> None:
    """The columns of a Top are the model's logits, their softmax at temperature 1, and the rule's probability."""
    ones = oracle_warp(logits, Settings(temperature=1.0))
    assert list(top.logits) == sorted((logits[t] for t in top.tokens), reverse=True)
    assert list(top.logits) == pytest.approx([logits[t] for t in top.tokens])
    assert list(top.probabilities) == pytest.approx([ones[t] for t in top.tokens])
    assert list(top.rule) == pytest.approx([rule[t] for t in top.tokens])


@pytest.mark.parametrize("settings", [replace(WARM, temperature=0.7, top_k=3), Settings(k=3, max_new_tokens=20)])
def test_recorded_alternatives_are_the_models_own(settings: Settings) -> None:
    """For every drafted token p, q and the most likely tokens of both models are the models' own at that position."""
    target, drafter = pair(8)
    draft = TableModel.random(8, 2)
    rounds = tuple(speculate(target, drafter, [0], settings, recorder=Recorder(candidates=2)))
    text = (0, *text_of(rounds))
    for round_ in rounds:
        committed, p, q = text[: round_.start + 1], [1.0], [0.0] * 8
        for index, drafted in enumerate(round_.drafted):
            history = (*committed, *(d.token for d in round_.drafted[:index]))
            wants, guesses = target.scores(history).tolist(), draft.scores(history).tolist()
            p, q = oracle_warp(wants, settings), oracle_warp(guesses, settings)
            assert drafted.target_prob == pytest.approx(p[drafted.token])
            assert drafted.draft_prob == pytest.approx(q[drafted.token])
            assert drafted.token in drafted.target_top.tokens
            assert set(drafted.target_top.tokens) == set(drafted.draft_top.tokens)
            check_top(drafted.target_top, wants, p)
            check_top(drafted.draft_top, guesses, q)
            best = {*sorted(range(8), key=lambda t: -wants[t])[:2], *sorted(range(8), key=lambda t: -guesses[t])[:2]}
            assert best <= set(drafted.target_top.tokens)
        closing, end = round_.closing, len(round_.accepted)
        assert closing is not None
        logits = target.scores((*committed, *round_.tokens[:-1])).tolist()
        p = oracle_warp(logits, settings)
        if closing.how is Closing.CORRECTED:
            history = (*committed, *(d.token for d in round_.drafted[:end]))
            rest = [
                max(0.0, a - b) for a, b in zip(p, oracle_warp(draft.scores(history).tolist(), settings), strict=True)
            ]
            p = [r / sum(rest) for r in rest]
        assert closing.token in closing.residual_top.tokens
        top_two = sorted(range(8), key=lambda t: -p[t])[:2]
        assert {token for token in top_two if p[token] > 0} <= set(closing.residual_top.tokens)
        check_top(closing.residual_top, logits, p)


def test_only_what_is_new_is_read_again() -> None:
    """After a draft of three the next one reads the closing token, and the last drafted token too if all were accepted."""
    for accepted in range(4):
        model = TableModel(10, lambda history: [float(-abs(t - len(history))) for t in range(10)])
        drafter = ModelDrafter(model)
        drafter.begin((0, 0), 64)
        tokens = drafter.propose([0, 0], Settings(), CertainDraws(), 3).tokens.tolist()
        before = len(model.passes)
        committed = [0, 0, *tokens[:accepted], 9]
        drafter.propose(committed, Settings(), CertainDraws(), 2)
        reads = (tokens[-1], 9) if accepted == 3 else (9,)
        assert model.passes[before] == reads
        assert model.kept == tuple(committed[: len(committed) - len(reads)])
        assert model.length == len(committed) + 1, "the text, and the first of the two new tokens"


def test_a_stopwatch_waits_for_its_last_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """`stop` may be called right after a lap: it waits for the event, as often as the watch is used."""
    fake_cuda(monkeypatch)
    watch = CudaStopwatch(torch.device("cuda"))
    for laps in (2, 1, 3, 0):
        watch.start()
        for _ in range(laps):
            watch.lap()
        found = watch.stop()
        assert found.laps_s == pytest.approx([1e-9] * laps)
        assert found.total_s >= 0


def test_a_run_reads_only_times_that_the_device_has_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prefill's times and those of every round are read without an error."""
    fake_cuda(monkeypatch)
    monkeypatch.setattr(engine, "stopwatch_for", CudaStopwatch)
    target, draft = TableModel.random(5, 1), TableModel.random(5, 2)
    decoding = speculate(target, ModelDrafter(draft), [1, 2], Settings(k=2, max_new_tokens=6))
    rounds = list(decoding)
    assert decoding.prefill is not None
    assert decoding.prefill.target_s > 0
    assert all(round_.draft_s > 0 and round_.verify_s > 0 for round_ in rounds)
