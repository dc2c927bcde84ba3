"""Claims about prompt lookup: what is copied, from where, and that the index keeps up with the text."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Draft
from specviz.decoding.recorder import FULL
from specviz.decoding.sampling import CertainDraws
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from specviz.trace.records import NO_TOP


def proposed(drafter: NgramDrafter, committed: Sequence[int], limit: int = 4) -> Draft:
    return drafter.propose(committed, Settings(), CertainDraws(), limit)


@pytest.mark.parametrize(
    ("text", "limit", "copied", "source"),
    [
        ([1, 2, 3, 4, 5, 1, 2, 3], 4, [4, 5, 1, 2], 3),
        ([1, 2, 3, 4, 5, 1, 2, 3], 1, [4], 3),
        ([3, 7, 1, 3, 8, 2, 3], 2, [8, 2], 4),
        ([1, 2, 9, 3, 2, 7, 1, 2], 3, [9, 3, 2], 2),
        ([5, 5, 5], 4, [5], 2),
        ([0, 1, 0], 4, [1, 0], 1),
        ([1, 2, 3], 4, [], None),
        ([4], 4, [], None),
        ([1, 2, 1], 0, [], None),
    ],
    ids=["three", "cut", "latest", "longest", "itself", "id 0", "new", "one", "no room"],
)
def test_what_is_copied(text: list[int], limit: int, copied: list[int], source: int | None) -> None:
    """The longest known suffix decides, then the latest occurrence; what followed it is copied with q = 1, up to the limit."""
    drafter = NgramDrafter(10)
    drafter.begin(text[:2], 99)
    draft = proposed(drafter, text, limit)
    assert (draft.tokens.tolist(), draft.source) == (copied, source)
    assert (draft.match is None) == (not copied)
    if source is not None and draft.match is not None:
        length = draft.match.length
        assert text[source - length : source] == text[-length:]
        assert length == 3 or text[:source][-length - 1 :] != text[-length - 1 :], "the longest of at most three"
    assert draft.is_chain
    assert torch.equal(draft.probabilities, torch.nn.functional.one_hot(draft.tokens, 10).float())
    assert draft.logits is None


def rescanned(text: Sequence[int], longest: int) -> int | None:
    """The source found by searching the full text again."""
    for length in range(min(longest, len(text)), 0, -1):
        for end in range(len(text) - 1, length - 1, -1):
            if text[end - length : end] == text[-length:]:
                return end
    return None


@tries(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=1, max_size=8), st.integers(1, 4))
def test_the_index_grows_with_the_text(pieces: list[list[int]], longest: int) -> None:
    """However the text grows, the index finds the same as a search through the full text."""
    drafter, text = NgramDrafter(4, longest=longest), list(pieces[0])
    drafter.begin(text, 99)
    for piece in pieces[1:]:
        text = text + piece
        draft = proposed(drafter, text, 3)
        source = rescanned(text, longest)
        assert draft.source == source
        assert draft.tokens.tolist() == ([] if source is None else text[source : source + 3])


def test_a_copied_draft_has_no_scores_of_its_own() -> None:
    """There is no draft model, so only the target's alternatives are recorded."""
    target = TableModel.random(4, 1)
    rounds = list(speculate(target, NgramDrafter(4), [0, 1, 0, 1], Settings(max_new_tokens=12), recorder=FULL))
    drafted = [d for r in rounds for d in r.drafted]
    assert drafted
    assert all(d.draft_top == NO_TOP and d.target_top != NO_TOP and d.draft_prob == 1 for d in drafted)
