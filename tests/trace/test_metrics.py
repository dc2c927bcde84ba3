"""Claims about the figures: each is a function of the records alone, and the papers' formulas give the papers' tables."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import ByteTokenizer, TableModel
from specviz.settings import Settings
from specviz.trace import metrics
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.metrics import Divergence, divergence, most_possible, seconds_at, speedup
from specviz.trace.records import Closing, ClosingToken, Drafted, Prefill, Round, Stop, TokenBytes, Top, Trace, Verdict
from tests.helpers import oracles as theory

LETTERS = {token: TokenBytes(2 * letter.data) for token, letter in ByteTokenizer().table().items()}
CARD = PairCard(ModelCard("t", "T", 1, 1, 1), None, DrafterCard("none", "none"), "cpu", "float32")


DRAFTS = tuple(Drafted(7, parent, 0.5, 0.5, None, Verdict.ACCEPTED) for parent in (-1, 0))


def trace(rounds: Sequence[Round], stop: Stop = Stop.LENGTH) -> Trace:
    return Trace(CARD, "a", (97,), Settings(), Prefill(5.0, 5.0), tuple(rounds), stop, LETTERS)


def plain(tokens: Sequence[int], seconds: float, logits: tuple[float, ...] = ()) -> Trace:
    """A plain run with one token per round and these durations."""
    top = Top(tuple(range(len(logits))), logits, (0.5,) * len(logits), (0.5,) * len(logits))
    closings = [ClosingToken(token, Closing.BONUS, None, top) for token in tokens]
    times = [(i * seconds, 0.0, seconds / 2, (i + 1) * seconds) for i in range(len(tokens))]
    return trace([Round(i, (), (), closing, *times[i]) for i, closing in enumerate(closings)])


def test_figures_of_a_real_run_add_up() -> None:
    """Counts come from the rounds: judged and accepted never exceed drafted, and tokens are accepted plus closings. The acceptance rate is of those that
    were judged, and tokens per second are no letters."""
    target, draft = TableModel.random(5, 1), TableModel.random(5, 2)
    drafters: tuple[Drafter, ...] = (ModelDrafter(draft), ModelDrafter(TableModel.random(5, 1)), NoDrafter(5))
    for drafter in drafters:
        rounds = list(speculate(target, drafter, [0], Settings(k=3, temperature=1.0, max_new_tokens=30)))
        summary = metrics.summarise(trace(rounds))
        assert summary.rounds == len(rounds)
        assert len(summary.token_ids) == 30 == summary.accepted + summary.rounds
        assert summary.accepted <= summary.judged <= summary.drafted
        assert summary.acceptance_rate == (summary.accepted / summary.judged if summary.judged else None)
        assert summary.tokens_per_round == 30 / len(rounds)
        assert summary.seconds == rounds[-1].ended_s
        assert summary.tokens_per_second == 30 / rounds[-1].ended_s
        assert len(summary.text) == 60


def test_a_run_without_drafts_or_rounds() -> None:
    """Where nothing was drafted there is no acceptance rate, not one of 0. The time to read the prompt, five seconds here, is not part of any rate. A run
    that was cancelled at once has zeros and Nones, not errors."""
    summary = metrics.summarise(plain([1, 2, 3], 0.5))
    assert (summary.acceptance_rate, summary.drafted) == (None, 0)
    assert (summary.seconds, summary.tokens_per_second, summary.tokens_per_round) == (1.5, 2.0, 1.0)
    summary = metrics.summarise(trace([], Stop.CANCELLED))
    assert (summary.seconds, summary.tokens_per_second, summary.tokens_per_round, summary.text) == (0.0, 0.0, 0.0, "")
    assert summary.acceptance_rate is None


def test_acceptance_in_the_numbers_of_engines_and_papers() -> None:
    """Of two chains of three one is accepted up to the rejected second token, the other as a whole; a round without a draft does not count."""
    kinds = [(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.DISCARDED), (Verdict.ACCEPTED,) * 3]
    chains = [tuple(Drafted(7, i - 1, 0.5, 0.5, None, verdict) for i, verdict in enumerate(chain)) for chain in kinds]
    closing = ClosingToken(8, Closing.BONUS, None, Top((), (), (), ()))
    corrected = replace(closing, how=Closing.CORRECTED)
    rounds = [
        Round(0, chains[0], (0,), corrected, 0, 1, 1, 2),
        Round(2, chains[1], (0, 1, 2), closing, 2, 1, 1, 4),
        Round(6, (), (), closing, 4, 0, 1, 5),
    ]
    figures = {"of_checked": 4 / 5, "of_drafted": 4 / 6, "mean_length": 2, "mean_length_with_own_token": 3}
    assert metrics.acceptance(trace(rounds)) == {**figures, "by_position": (1, 1 / 2, 1)}
    assert metrics.acceptance(trace([replace(rounds[2], start=0)]))["of_checked"] is None


def test_speedup_is_for_the_same_number_of_tokens() -> None:
    """The speedup compares the times at which both had the tokens of the shorter one; a slowdown is below 1."""
    slow, fast = plain([1, 2, 3, 4], 1.0), plain([1, 2], 0.25)
    assert speedup(slow, fast) == 4.0
    assert speedup(fast, slow) == 0.25
    with pytest.raises(ValueError, match="no speed"):
        speedup(slow, trace([]))


def test_no_speedup_exceeds_the_tokens_per_pass() -> None:
    """The limit is tokens over passes, for as many tokens as both have; 2% more is noise, 3% more shows a disturbed plain run."""
    slow = plain([1, 2, 3, 4], 1.0)
    assert most_possible(slow, plain([1, 2, 3], 0.25)) == 1.0
    drafted = plain([1, 2], 0.25)
    wide = tuple(replace(r, start=3 * r.start, drafted=DRAFTS, accepted=(0, 1)) for r in drafted.rounds)
    fast = replace(drafted, rounds=wide)
    assert most_possible(slow, fast) == 2.0
    assert most_possible(plain([1, 2, 3], 1.0), fast) == 3.0, "the plain run is shorter: one pass for its three tokens"
    assert (metrics.is_possible(5.30, 5.2), metrics.is_possible(5.36, 5.2)) == (True, False)
    with pytest.raises(ValueError, match="no speedup"):
        most_possible(slow, trace([]))


def test_the_speedup_with_the_prompt_counts_reading_on_both_sides() -> None:
    """By hand: (plain prompt + plain rounds) / (target's and draft's prompt + speculative rounds), for the same tokens."""
    slow = replace(plain([1, 2, 3, 4], 1.0), prefill=Prefill(0.25, 0.0))
    fast = replace(plain([1, 2], 0.25), prefill=Prefill(0.25, 0.5))
    assert (seconds_at(slow.rounds, 2), seconds_at(fast.rounds, 2)) == (2.0, 0.5)
    assert metrics.speedup_with_prompt(slow, fast) == (0.25 + 2.0) / (0.25 + 0.5 + 0.5)
    bare = [replace(run, prefill=Prefill()) for run in (slow, fast)]
    assert metrics.speedup_with_prompt(*bare) == speedup(slow, fast)
    with pytest.raises(ValueError, match="no speedup"):
        metrics.speedup_with_prompt(slow, trace([]))


def test_divergence_gives_the_index_and_the_gap() -> None:
    """Where the texts first differ, both tokens are given, with the gap between the plain run's two best logits there."""
    ours = plain([1, 2, 3], 1.0, logits=(0.5, 2.0, 1.75))
    assert divergence(ours, plain([1, 7, 3], 1.0)) == Divergence(1, 2, 7, 0.25)
    assert divergence(plain([4], 1.0), plain([5], 1.0)) == Divergence(0, 4, 5, None)
    assert divergence(ours, replace(ours)) is None
    with pytest.raises(ValueError, match="is a prefix of the other"):
        divergence(ours, plain([1, 2], 1.0))


# Leviathan et al., table 1: alpha, k, speed; c = 0.
TABLE_1 = [(0.6, 2, 1.96), (0.7, 3, 2.53), (0.8, 2, 2.44), (0.8, 5, 3.69), (0.9, 2, 2.71), (0.9, 10, 6.86)]
# Table 2: k, alpha, c and the predicted speedup.
TABLE_2 = [
    (7, 0.75, 0.02, 3.2), (7, 0.80, 0.04, 3.3), (7, 0.82, 0.11, 2.5), (7, 0.62, 0.02, 2.3), (5, 0.68, 0.04, 2.4), (3, 0.71, 0.11, 2.0),
    (5, 0.65, 0.02, 2.4), (5, 0.73, 0.04, 2.6), (3, 0.74, 0.11, 2.0), (5, 0.53, 0.02, 1.9), (3, 0.55, 0.04, 1.8), (3, 0.56, 0.11, 1.6),
]  # fmt: skip


def test_the_tables_of_the_paper() -> None:
    """With a free draft the speed equals the printed one, to the printed digit; the predicted speedups equal the printed ones, within the rounding of
    alpha and c."""
    for alpha, k, speed in TABLE_1:
        assert theory.speedup(alpha, k, 0) == pytest.approx(speed, abs=0.0051)
    for k, alpha, c, predicted in TABLE_2:
        assert theory.speedup(alpha, k, c) == pytest.approx(predicted, abs=0.1)
