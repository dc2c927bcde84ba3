"""The ledger's steps add up to the measured speedup."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.testing import ByteTokenizer
from specviz.lab.ledger import Ledger, ledger
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.metrics import speedup
from specviz.trace.records import Closing, ClosingToken, Drafted, Prefill, Round, Stop, Trace, Verdict

CARD = PairCard(ModelCard("t", "T", 1, 1, 1), None, DrafterCard("none", "none"), "cpu", "float32")
Times = tuple[int, float, float, float, float]
"""A round: accepted tokens, idle seconds before it, then those of drafting, verifying and the rest."""


def trace(rounds: Sequence[Times]) -> Trace:
    made: list[Round] = []
    clock, start = 0.0, 0
    for accepted, idle, draft_s, verify_s, rest_s in rounds:
        drafted = tuple(Drafted(1, i - 1, 1.0, 1.0, None, Verdict.ACCEPTED) for i in range(accepted))
        began = clock + idle
        clock = began + draft_s + verify_s + rest_s
        closing = ClosingToken(2, Closing.BONUS, None)
        made.append(Round(start, drafted, tuple(range(accepted)), closing, began, draft_s, verify_s, clock))
        start += accepted + 1
    return Trace(CARD, "a", (97,), Settings(), Prefill(), tuple(made), Stop.LENGTH, ByteTokenizer().table())


def unexplained(found: Ledger) -> float:
    return found.tokens_per_pass - found.drafting - found.verification - found.overhead - found.speedup


def test_the_steps_of_a_hand_made_pair_of_runs() -> None:
    """Four tokens per pass; in plain tokens, drafting costs 0.5, the verify pass 0.25 more than a plain one, the rest 0.25 more."""
    plain = trace([(0, 0.0, 0.0, 0.75, 0.25)] * 8)
    found = ledger(plain, trace([(3, 0.0, 0.5, 1.0, 0.5)] * 2))
    assert found.tokens_per_pass == 4
    assert found.drafting == pytest.approx(4 - 4 / 1.5)
    assert found.verification == pytest.approx(4 / 1.5 - 4 / 1.75)
    assert found.overhead == pytest.approx(4 / 1.75 - 4 / 2)
    assert found.speedup == 2
    assert abs(unexplained(found)) < 1e-12


def test_plain_against_itself_loses_nothing() -> None:
    """The plain run's own overhead is not a loss: one token per pass gives a speedup of 1."""
    plain = trace([(0, 0.0, 0.0, 0.7, 0.3)] * 5)
    found = ledger(plain, plain)
    assert (found.tokens_per_pass, found.speedup) == (1, 1)
    assert (found.drafting, found.verification, found.overhead) == pytest.approx((0, 0, 0), abs=1e-12)


seconds = st.floats(1e-4, 10.0)
real_rounds = st.lists(
    st.tuples(st.integers(0, 8), st.floats(0, 1.0), seconds, seconds, seconds), min_size=1, max_size=20
)


@tries(max_examples=40)
@given(real_rounds, real_rounds)
def test_it_closes_on_any_pair_of_runs(one: list[Times], other: list[Times]) -> None:
    """For any times, gaps between rounds and lengths, the steps lead to the measured speedup."""
    plain, speculative = trace([(0, idle, 0.0, v, rest) for _, idle, _, v, rest in one]), trace(other)
    found = ledger(plain, speculative)
    assert found.speedup == speedup(plain, speculative)
    assert abs(unexplained(found)) <= 1e-9 * max(1.0, found.tokens_per_pass, found.speedup)


def test_a_run_without_tokens_has_no_ledger() -> None:
    """A run without tokens raises an error."""
    with pytest.raises(ValueError, match="no speed"):
        ledger(trace([]), trace([(0, 0, 0, 1.0, 0)]))
