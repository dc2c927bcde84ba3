"""A drafter of somebody's own that proposes what is no draft is told so in a sentence; nothing passes silently."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.errors import DrafterError
from specviz.models import Pair
from specviz.runs.run import Run, check_drafter
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard
from tests.helpers.refusals import refusal

pytestmark = pytest.mark.slow

V = 4096


class Mine(Drafter):
    """Proposes the last token again, changed by a function that gets the right draft and the limit."""

    name = "mine"

    def __init__(self, change: Callable[[Draft, int], Any] = lambda draft, limit: draft) -> None:
        self._change = change

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Nothing is kept."""

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Any:
        """The same token `limit` times."""
        return self._change(chain([committed[-1]] * limit), limit)


def chain(row: Sequence[int], **other: Any) -> Draft:
    ids = torch.tensor(row, dtype=torch.int64)
    certain = torch.nn.functional.one_hot(ids.clamp(0, V - 1), V).float()
    parents = tuple(range(-1, len(row) - 1))
    return Draft(**{"tokens": ids, "parents": parents, "probabilities": certain, **other})


WRONG = {
    "proposed list: return a Draft": lambda draft, limit: draft.tokens.tolist(),
    "tokens one after another where at most": lambda draft, limit: chain([5] * (limit + 1)),
    "no row of ids": lambda draft, limit: chain([5] * limit, tokens=torch.ones(limit)),
    "with the parents (1,": lambda draft, limit: chain([5] * limit, parents=(1,) * limit),
    "without a distribution for each": lambda draft, limit: chain([5] * limit, probabilities=torch.ones(limit, 7)),
    "the id 4096, and the target has the ids 0 to 4095": lambda draft, limit: chain([V] * limit),
    "that are no distribution": lambda draft, limit: chain([5] * limit, probabilities=2 * draft.probabilities),
    "the probability 0": lambda draft, limit: chain([5] * limit, tokens=torch.full((limit,), 6)),
}


def test_what_is_no_draft_is_refused_in_a_sentence(embedded: Pair) -> None:
    """By `check_drafter`, and by the run that uses the drafter without it. The last round is checked too: a drafter that does not stop near the end
    of a text would make it too long."""
    for says, change in WRONG.items():
        sentence = refusal(DrafterError, check_drafter, Mine(change), embedded)
        assert sentence.startswith("The drafter mine proposed ")
        assert says in sentence
        with pytest.raises(DrafterError):
            Run(embedded, "Once", Settings(max_new_tokens=4), drafter=Mine(change)).finish()
    late = Mine(lambda draft, limit: chain([5, 5]) if limit < 2 else draft)
    with pytest.raises(DrafterError, match=r"2 tokens one after another where at most [01] were asked for"):
        Run(embedded, "Once upon a time", Settings(max_new_tokens=12, k=4), drafter=late).finish()


def test_a_students_own_drafter_is_recorded_by_its_own_name(embedded: Pair) -> None:
    """An object that proposes tokens is enough: the text is the plain one, and the card has its name, without a draft model. What another object
    lacks is said."""
    prompt, settings = "One, two, two, two,", Settings(max_new_tokens=12)
    own, plain = Run(embedded, prompt, settings, drafter=Mine()), Run(embedded, prompt, settings, plain=True)
    assert own.finish().token_ids == plain.finish().token_ids
    assert sum(len(round_.drafted) for round_ in own.trace().rounds) > 0
    assert (own.card.drafter, own.card.draft) == (DrafterCard("mine", "mine"), None)
    other: Any = object()
    with pytest.raises(
        DrafterError, match=r"was object: derive its class from specviz\.Drafter, with name, begin and propose"
    ):
        Run(embedded, "Once", drafter=other)
    check_drafter(Mine(), embedded)
