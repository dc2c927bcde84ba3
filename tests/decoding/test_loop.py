"""Claims about the one loop: how it calls models and drafters, what it records, when it ends."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import torch

from specviz.decoding import clock, recorder
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import LanguageModel
from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.decoding.sampling import SeededDraws
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.errors import PairError, PromptError
from specviz.settings import Settings
from specviz.trace.records import (
    NO_TOP,
    Closing,
    Round,
    Stop,
    Top,
    Verdict,
)
from tests.helpers.oracles import oracle_warp
from tests.helpers.rounds import Spy, rounds_of, text_of, timeless

WARM = Settings(k=3, temperature=1.0, max_new_tokens=20)
TAPS = (2, 0)


def pair(vocabulary: int = 5, **options: Any) -> tuple[TableModel, ModelDrafter]:
    """A target, and a drafter around another model."""
    return TableModel.random(vocabulary, 1, **options), ModelDrafter(TableModel.random(vocabulary, 2))


def test_rounds_follow_one_another() -> None:
    """Each round starts where the one before it ended, in tokens and in time, and they add up to the text."""
    target, drafter = pair()
    rounds = rounds_of(target, drafter, [0, 1], WARM)
    assert [r.start for r in rounds] == [sum(len(b.tokens) for b in rounds[:i]) for i in range(len(rounds))]
    assert all(later.began_s == earlier.ended_s for earlier, later in pairwise(rounds))
    assert rounds[0].began_s == 0.0
    assert all(r.draft_s > 0 and r.verify_s > 0 and r.seconds > r.draft_s + r.verify_s for r in rounds)
    assert len(text_of(rounds)) == WARM.max_new_tokens


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


@pytest.mark.parametrize("prompt", [[2, 0, 1], [1]])
@pytest.mark.parametrize("drafter", ["model", "tree"])
def test_a_drafter_sees_every_pass_of_the_target(prompt: list[int], drafter: str) -> None:
    """The prompt, then each round's pass after it was judged: every token with its scores and states, and which joined the text."""
    target = TableModel.random(5, 1)
    inner = (ModelDrafter if drafter == "model" else TreeDrafter)(TableModel.random(5, 2))
    reader = Spy(inner, TAPS)
    rounds = rounds_of(target, reader, prompt, replace(WARM, drafter=drafter))
    assert any(r.accepted for r in rounds)
    assert any(not r.accepted for r in rounds)
    whole, read = [*prompt, *text_of(rounds)], 0
    assert [committed for committed, _ in reader.asked] == [whole[: len(prompt) + r.start] for r in rounds]
    first = [reader.seen.pop(0)] if len(prompt) > 1 else []
    assert [one.tokens.tolist() for one in first] == [prompt[:-1]] * len(first)
    for round_, reading in zip([*[None] * len(first), *rounds], [*first, *reader.seen], strict=True):
        kept = reading.tokens[list(reading.kept)].tolist()
        assert kept == whole[read : read + len(kept)]
        if round_ is not None:
            assert reading.tokens.tolist() == [
                whole[len(prompt) + round_.start - 1],
                *(d.token for d in round_.drafted),
            ]
            assert reading.scores.logits.shape[0] == 1 + len(round_.drafted)
            assert len(kept) == 1 + len(round_.accepted)
        states = reading.scores.states
        assert states is not None
        where = range(read, read + len(kept))
        assert states[list(reading.kept)].tolist() == [[[whole[i], i, 2], [whole[i], i, 0]] for i in where]
        read += len(kept)


def test_states_of_one_run_are_not_returned_in_the_next() -> None:
    """A drafter that reads no states gets none, though the drafter before it did."""
    target, drafter = pair()
    rounds_of(target, Spy(drafter, TAPS), [0], WARM)
    target.begin(4)
    assert target.forward(torch.tensor([0])).states is not None
    rounds_of(target, drafter, [0], WARM)
    target.begin(4)
    assert target.forward(torch.tensor([0])).states is None


class Closed(TableModel):
    """A target whose states cannot be read."""

    tap = LanguageModel.tap


def test_a_target_without_states_is_refused() -> None:
    """In one sentence before anything is read, and only where the drafter needs them."""
    _, drafter = pair()
    closed = Closed.random(5, 1)
    rounds_of(closed, drafter, [0], WARM)
    with pytest.raises(PairError, match="states of this target cannot be read"):
        next(speculate(closed, Spy(drafter, TAPS), [0], WARM))


def test_stop_says_why() -> None:
    """A run in progress has no reason to stop; a finished one ended by length or by end-of-text."""
    target, drafter = pair()
    decoding = speculate(target, drafter, [0], WARM)
    next(decoding)
    seen = [decoding.stop]
    list(decoding)
    seen.append(decoding.stop)
    with pytest.raises(StopIteration):
        next(decoding)
    assert [*seen, decoding.stop] == [None, Stop.LENGTH, Stop.LENGTH]
    ending = speculate(*pair(end_ids=range(5)), [0], WARM)
    assert len(list(ending)) == 1
    assert ending.stop is Stop.END_OF_TEXT


def test_end_of_text_as_the_last_allowed_token() -> None:
    """A text that ends exactly at the limit ended by end-of-text."""
    target = TableModel(3, lambda history: [0.0, 0.0, 5.0 if len(history) == 4 else -5.0], end_ids=(2,))
    decoding = speculate(target, NoDrafter(3), [0], Settings(max_new_tokens=4))
    assert text_of(decoding) == (0, 0, 0, 2)
    assert decoding.stop is Stop.END_OF_TEXT


def test_drafts_after_an_accepted_end_are_never_judged() -> None:
    """What was drafted after an end-of-text token counts as discarded, and no closing token follows."""
    target = TableModel(3, lambda history: [0.0, 1.0, 2.0], end_ids=(2,))
    rounds = rounds_of(target, ScriptedDrafter(3, [[2, 2, 0]]), [0], Settings(k=3))
    assert [d.verdict for d in rounds[0].drafted] == [Verdict.ACCEPTED, Verdict.DISCARDED, Verdict.DISCARDED]
    assert (rounds[0].closing, rounds[0].tokens, len(rounds)) == (None, (2,), 1)
    assert target.kept == (0, 2)


def test_siblings_rejected_before_an_accepted_end_stay_rejected() -> None:
    """In a tree that ends the text, tokens rejected on the way are recorded as rejected; those below the end were never judged."""
    target = TableModel(3, lambda history: [0.0, 1.0, 2.0], end_ids=(2,))
    rounds = rounds_of(target, ScriptedDrafter(3, [[0, 2, 0, 2]], parents=(-1, -1, 1, 1)), [0], Settings(k=4))
    verdicts = [Verdict.REJECTED, Verdict.ACCEPTED, Verdict.DISCARDED, Verdict.DISCARDED]
    assert [d.verdict for d in rounds[0].drafted] == verdicts
    assert (rounds[0].closing, rounds[0].tokens, rounds[0].accepted, rounds[0].judged) == (None, (2,), (1,), 2)
    assert target.kept == (0, 2)


def test_the_caches_make_room_for_a_tree() -> None:
    """Both models allocate room for all nodes of a tree after the text."""
    settings = Settings(k=2, nodes=30, drafter="tree", max_new_tokens=9)
    target, spy = TableModel.random(5, 1), Spy(TreeDrafter(TableModel.random(5, 2)))
    rounds = rounds_of(target, spy, [0], settings)
    assert spy.begun == [([0], 1 + 9 + 30 + 1)]
    assert max(len(r.drafted) for r in rounds) == 30


def test_prefill_is_known_from_the_first_round_on() -> None:
    """Nothing is read before the first round is requested; the time for the prompt is separate from the rounds."""
    target, drafter = pair()
    decoding = speculate(target, drafter, [0, 1], WARM)
    assert decoding.prefill is None
    assert target.passes == []
    first = next(decoding)
    assert decoding.prefill is not None
    assert decoding.prefill.target_s > 0
    assert decoding.prefill.draft_s > 0
    assert first.began_s == 0.0


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


def test_what_is_recorded_changes_nothing() -> None:
    """Light and full recorders see the same run; the light one records no alternatives."""
    light = timeless(speculate(*pair(), [0], WARM, recorder=LIGHT))
    full = timeless(speculate(*pair(), [0], WARM, recorder=FULL))
    assert light != full
    assert tuple(bare(r) for r in full) == light


def bare(round_: Round) -> Round:
    """A round without its alternatives."""
    drafted = tuple(replace(d, draft_top=NO_TOP, target_top=NO_TOP) for d in round_.drafted)
    closing = replace(round_.closing, residual_top=NO_TOP) if round_.closing else None
    return replace(round_, drafted=drafted, closing=closing)


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


def test_draws_are_recorded_where_they_were_made() -> None:
    """Judged tokens and the closing one show their numbers; tokens never judged, and greedy runs, show none."""
    rounds = rounds_of(*pair(), [0], WARM)
    for round_ in rounds:
        assert all((d.draw is None) is (d.verdict is Verdict.DISCARDED) for d in round_.drafted)
        assert round_.closing is not None
        assert round_.closing.draw is not None
    greedy = rounds_of(*pair(), [0], replace(WARM, temperature=0.0))
    assert all(d.draw is None for r in greedy for d in r.drafted)
    assert all(r.closing is not None and r.closing.draw is None for r in greedy)


def test_one_transfer_brings_everything_as_it_was() -> None:
    """Values and blocks of several shapes, joined for the transfer, are split again unchanged; zero blocks work too."""
    values = torch.arange(5, dtype=torch.float64)
    blocks = [torch.rand(3, 2, 4, dtype=torch.float64), torch.rand(1, 6, 4, dtype=torch.float64)]
    for some in (blocks, blocks[:1], []):
        first, late = recorder._together(values, some)
        assert torch.equal(first, values)
        assert len(late()) == len(some)
        assert all(torch.equal(one, other) for one, other in zip(late(), some, strict=True))
