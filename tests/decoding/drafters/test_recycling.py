"""Claims about token recycling: what enters the table, which tree grows from it, and that a text begins with an empty one."""

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters.recycling import SUCCESSORS, RecyclingDrafter
from specviz.decoding.protocols import Draft, Reading, Scores
from specviz.decoding.sampling import CertainDraws
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from tests.helpers.rounds import rounds_of, text_of


def proposed(drafter: RecyclingDrafter, committed: Sequence[int], nodes: int = 12, limit: int = 4) -> Draft:
    return drafter.propose(committed, Settings(nodes=nodes), CertainDraws(), limit)


def tree_of(drafter: RecyclingDrafter, committed: Sequence[int], nodes: int = 12, limit: int = 4) -> list[list[int]]:
    """The paths from the root to every node."""
    draft = proposed(drafter, committed, nodes, limit)
    paths: list[list[int]] = []
    for token, parent in zip(draft.tokens.tolist(), draft.parents, strict=True):
        paths.append([*(paths[parent] if parent >= 0 else []), token])
    return paths


def read(tokens: Sequence[int], best: Sequence[Sequence[int]], kept: Sequence[int], vocabulary: int = 20) -> Reading:
    """A pass over these tokens in which the likeliest tokens after the last ones were `best`, in order."""
    logits = torch.zeros(len(best), vocabulary)
    for row, order in zip(logits, best, strict=True):
        for rank, token in enumerate(order):
            row[token] = 9.0 - rank
    return Reading(torch.tensor(tokens), Scores(logits), tuple(kept))


def test_the_tree_grows_where_acceptance_is_assumed_most_likely() -> None:
    """From the bigrams 1-2, 2-1, 1-3, 3-1, latest first: 3, what follows it, then 2, then what follows that; parents first.

    Where the table lacks a token, neither it nor what would follow it is in the tree.
    """
    drafter = RecyclingDrafter(10)
    drafter.begin([1, 2, 1, 3, 1], 99)
    draft = proposed(drafter, [1, 2, 1, 3, 1], limit=2)
    assert (draft.tokens.tolist(), draft.parents) == ([3, 1, 2, 1], (-1, 0, -1, 2))
    assert torch.equal(draft.probabilities, torch.nn.functional.one_hot(draft.tokens, 10).float())
    assert draft.logits is None
    assert draft.source is None
    assert tree_of(drafter, [1], limit=1) == [[3], [2]]
    assert tree_of(drafter, [1], nodes=1) == [[3]]
    assert tree_of(drafter, [1], limit=0) == tree_of(drafter, [7]) == []


def test_a_full_table_gives_one_shape() -> None:
    """Where the table knows 8 successors of every token, only nodes and depth decide the shape, and siblings differ."""
    shapes = set()
    for root in range(20):
        drafter = RecyclingDrafter(20)
        drafter.begin([root], 99)
        best = [[(7 * token + rank + 1) % 20 for rank in range(SUCCESSORS)] for token in range(20)]
        drafter.saw(read(range(20), best, range(20)))
        draft = proposed(drafter, [root], nodes=16, limit=5)
        shapes.add(draft.parents)
        assert max(draft.depths) == 5
        families = list(zip(draft.parents, draft.tokens.tolist(), strict=True))
        assert len(set(families)) == len(families) == 16
    assert len(shapes) == 1


def test_every_row_of_a_pass_enters_the_table() -> None:
    """Rows of rejected tokens too; where two rows are for one token, the one that joined the text stays, then the later one."""
    drafter = RecyclingDrafter(20)
    drafter.begin([4], 99)
    drafter.saw(read([4, 6, 7, 6, 8, 8], [[6], [10], [11], [12], [13], [14]], kept=(0, 1)))
    assert tree_of(drafter, [7], nodes=1) == [[11]], "rejected"
    assert tree_of(drafter, [6], nodes=1) == [[10]], "accepted, and rejected later in the draft"
    assert tree_of(drafter, [8], nodes=1) == [[14]], "rejected twice"
    drafter.saw(read([6], [[15]], kept=(0,)))
    assert tree_of(drafter, [6], nodes=1) == [[15]], "the latest pass"


def test_a_pass_is_only_stored_until_something_is_proposed() -> None:
    """The work is done while drafting, where it is timed."""
    drafter = RecyclingDrafter(20)
    assert drafter.taps == ()

    class Unread(Tensor):
        def topk(self, *args: object, **options: object) -> Tensor:  # type: ignore[override]
            raise AssertionError("read too early")

    reading = read([4], [[5]], (0,))
    drafter.begin([4, 4], 99)
    drafter.saw(Reading(reading.tokens, Scores(reading.scores.logits.as_subclass(Unread)), (0,)))
    with pytest.raises(AssertionError, match="too early"):
        proposed(drafter, [4, 4])


def test_of_a_prompt_its_bigrams_and_its_last_row() -> None:
    """The prompt's pass scores its last token only; the other tokens have what followed them, at most 8, the latest first."""
    prompt = [token for following in range(2, 13) for token in (1, following)] + [5, 9]
    drafter = RecyclingDrafter(20)
    drafter.begin(prompt, 99)
    drafter.saw(read(prompt[:-1], [[17]], range(len(prompt) - 1)))
    assert tree_of(drafter, [5], nodes=1) == [[17]]
    assert [path[0] for path in tree_of(drafter, [1], nodes=9, limit=1)] == [12, 11, 10, 9, 8, 7, 6, 5]


def test_a_cycle_is_soon_drafted_as_far_as_allowed() -> None:
    """Once a cycle of five tokens has been seen, every round commits k + 1 of them, up to the end; every off-by-one would show."""
    target = TableModel(5, lambda history: [9.0 * ((history[-1] + 1) % 5 == token) for token in range(5)])
    for prompt in ((0,), (2, 3, 4, 0, 1, 2)):
        settings = Settings(drafter="recycling", k=4, nodes=8, max_new_tokens=43)
        rounds = rounds_of(target, RecyclingDrafter(5), prompt, settings)
        assert text_of(rounds) == tuple((prompt[-1] + 1 + i) % 5 for i in range(43))
        late = rounds[6:-1] if len(prompt) == 1 else rounds[:-1]
        assert len(late) > 4
        assert all(len(r.tokens) == 5 for r in late)
