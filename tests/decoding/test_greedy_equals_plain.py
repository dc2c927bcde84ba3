"""In float32 greedy speculative text is plain greedy text, and every cache always matches the text."""

import pytest

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import ScriptedDrafter
from specviz.models import CachedModel
from specviz.settings import Settings
from specviz.trace.records import Closing
from tests.helpers.oracles import plain_text
from tests.helpers.rounds import rounds_of, text_of
from tests.helpers.tiny_models import TINY
from tests.helpers.watched import PROMPT, Watched, checked_run, models

TOKENS = 24
LENGTHS = (1, 5)


def adversary(target: CachedModel, prompt: tuple[int, ...]) -> Drafter:
    """Proposes at every position the id that follows the one the target chooses."""
    wanted = plain_text(target, prompt, TOKENS)
    return ScriptedDrafter(
        target.vocabulary,
        lambda committed: [(token + 1) % target.vocabulary for token in wanted[len(committed) - len(prompt) :]][:8],
    )


@pytest.mark.parametrize("kind", TINY)
def test_plain_text_is_the_oracle_s(kind: str) -> None:
    """The loop without a draft writes what fresh passes without a cache write."""
    target = models(kind)[0]
    watched = Watched(target)
    rounds = rounds_of(watched, NoDrafter(target.vocabulary), PROMPT, Settings(max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert len(rounds) == TOKENS
    assert all(len(ids) == len(PROMPT) + index for index, ids in enumerate(watched.seen[1:]))


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_always_agrees(kind: str, k: int) -> None:
    """A draft with the target's weights is fully accepted in every round, and the text is the plain one."""
    target, twin, _ = models(kind)
    rounds = checked_run(target, twin, PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert all(len(r.accepted) == len(r.drafted) for r in rounds)
    assert len(rounds) == -(-TOKENS // (k + 1))


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_sometimes_agrees(kind: str, k: int) -> None:
    """A draft with moved weights is accepted now and then, and the text is the plain one."""
    target, _, other = models(kind)
    rounds = checked_run(target, other, PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert 0 < sum(len(r.accepted) for r in rounds) < sum(r.judged for r in rounds)


@pytest.mark.parametrize("k", LENGTHS)
@pytest.mark.parametrize("kind", TINY)
def test_draft_that_never_agrees(kind: str, k: int) -> None:
    """A draft that is always wrong costs rounds and changes nothing in the text."""
    target = models(kind)[0]
    rounds = rounds_of(Watched(target), adversary(target, PROMPT), PROMPT, Settings(k=k, max_new_tokens=TOKENS))
    assert text_of(rounds) == plain_text(target, PROMPT, TOKENS)
    assert len(rounds) == TOKENS
    assert not any(r.accepted for r in rounds)
    assert all(r.closing is not None and r.closing.how is Closing.CORRECTED for r in rounds[:-1])


@pytest.mark.parametrize("kind", TINY)
def test_a_run_leaves_no_state(kind: str) -> None:
    """A second run on the same models, longer than the first and on another prompt, is not touched by the first."""
    target, _, other = models(kind)
    checked_run(target, other, PROMPT, Settings(k=3, max_new_tokens=6))
    prompt = (9, 9, 30)
    rounds = checked_run(target, other, prompt, Settings(k=4, max_new_tokens=40))
    assert text_of(rounds) == plain_text(target, prompt, 40)
