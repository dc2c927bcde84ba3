"""Claims about lookahead decoding: how the window is iterated, what enters the pool, which tree is read, and that a text begins with neither."""

from collections.abc import Sequence

import pytest
import torch

from specviz.decoding.drafters.lookahead import LookaheadDrafter
from specviz.decoding.protocols import Draft, Reading, Scores
from specviz.decoding.sampling import CertainDraws
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, text_of

CYCLE = 5
"""A target that counts in a circle of so many tokens."""


def counting(vocabulary: int = CYCLE) -> TableModel:
    return TableModel(
        vocabulary, lambda history: [9.0 * ((history[-1] + 1) % CYCLE == token) for token in range(vocabulary)]
    )


def proposed(
    drafter: LookaheadDrafter, committed: Sequence[int], limit: int = 4, *, k: int = 4, nodes: int = 18
) -> Draft:
    return drafter.propose(committed, Settings(k=k, nodes=nodes), CertainDraws(), limit)


def paths_of(draft: Draft) -> list[list[int]]:
    """The path from the root to every node."""
    paths: list[list[int]] = []
    for token, parent in zip(draft.tokens.tolist(), draft.parents, strict=True):
        paths.append([*(paths[parent] if parent >= 0 else []), token])
    return paths


def passed(drafter: LookaheadDrafter, draft: Draft, after: dict[tuple[int, ...], int], vocabulary: int = 100) -> None:
    """A pass that wrote these tokens after these paths, and the token 99 after all others; nothing was accepted."""
    logits = torch.zeros(len(draft.tokens) + 1, vocabulary)
    for row, path in enumerate([[], *paths_of(draft)]):
        logits[row, after.get(tuple(path), 99)] = 9.0
    drafter.saw(Reading(torch.cat([torch.tensor([0]), draft.tokens]), Scores(logits), (0,)))


def check_iterations() -> None:
    """By hand, with two columns: each pass appends what was written after a column's path; a trajectory of four tokens is an n-gram of its first one."""
    written = {(7,): 11, (7, 8): 21, (7, 11): 12, (7, 8, 21): 22, (7, 11, 12): 13, (7, 8, 21, 22): 23}
    drafter, text = LookaheadDrafter(100), [7, 8]
    drafter.begin(text, 99)
    for wanted in (
        [[7], [7, 8]],  # the window begins with the end of the text
        [[7], [7, 11], [7, 8], [7, 8, 21]],
        [[7], [7, 11], [7, 11, 12], [7, 8], [7, 8, 21], [7, 8, 21, 22]],
    ):
        draft = proposed(drafter, text)
        assert paths_of(draft) == wanted
        assert torch.equal(draft.probabilities, torch.nn.functional.one_hot(draft.tokens, 100).float())
        passed(drafter, draft, written)
        text.append(50)
    assert draft.parents == (-1, 0, 1, 0, 3, 4)
    assert (draft.logits, draft.source) == (None, None)
    window = [[11], [11, 12], [11, 12, 13], [11, 21], [11, 21, 22], [11, 21, 22, 23]]
    found = proposed(drafter, [*text, 8])
    assert paths_of(found) == [*window, [21], [21, 22], [21, 22, 23]], "8 was written before 21, 22, 23"
    passed(drafter, found, {})
    assert paths_of(proposed(drafter, [*text, 60]))[-3:] == [[12, 22], [12, 22, 23], [12, 22, 23, 99]], "no n-gram"


def test_the_window_is_iterated_by_hand() -> None:
    """Columns, trajectories and n-grams are those of the paper's figures."""
    check_iterations()


def check_counting() -> None:
    """In a circle the window finds its fixed point, and then every round commits as many tokens as an n-gram has, up to the end."""
    for prompt in ((0,), (2, 3, 4, 0, 1, 2)):
        settings = Settings(drafter="lookahead", k=4, nodes=18, max_new_tokens=60)
        rounds = rounds_of(counting(), LookaheadDrafter(CYCLE), prompt, settings)
        assert text_of(rounds) == tuple((prompt[-1] + 1 + i) % CYCLE for i in range(60))
        late = [len(round_.tokens) for round_ in rounds[8:-1]]
        assert len(late) > 6
        assert min(late) >= 4, late


def test_a_cycle_is_soon_drafted() -> None:
    """Every off-by-one would show."""
    check_counting()


PLANTED = (
    Plant("what was written before the guess", check_iterations, LookaheadDrafter, "_iterate", "written[end + 1]", "written[end]"),
    Plant("an n-gram of the wrong first token", check_iterations, LookaheadDrafter, "_iterate", "self._add(column.pop(0), tuple(column))", "self._add(column[1], tuple(column[1:])); column.pop(0)"),
    Plant("trajectories never end", check_counting, LookaheadDrafter, "_iterate", "if len(column) > levels:", "if False:"),
    Plant("columns do not follow each other", check_iterations, LookaheadDrafter, "propose", "end = first = tree.add(column[0], first)", "end = tree.add(column[0], -1)"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_planted_bug_is_detected(planted: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """One index off by one, and the window is another."""
    plant(planted, monkeypatch)
    with pytest.raises(AssertionError):
        planted.check()


def test_no_tree_is_larger_or_deeper_than_asked() -> None:
    """For every k, size and limit, also when the limit falls at the end of a run; no guess is there twice."""
    for k in (1, 2, 5, 16):
        for nodes in (1, 2, 7, 12, 64):
            drafter, text = LookaheadDrafter(40), [1, 2, 3]
            drafter.begin(text, 999)
            for limit in (*[k] * 6, k // 2, 0, k):
                draft = proposed(drafter, text, limit, k=k, nodes=nodes)
                paths = paths_of(draft)
                assert len(paths) <= nodes
                assert max(draft.depths, default=0) <= limit
                assert len({tuple(path) for path in paths}) == len(paths)
                assert limit == 0 or paths
                logits = torch.randn(len(paths) + 1, 40, generator=torch.Generator().manual_seed(len(text)))
                drafter.saw(Reading(torch.cat([torch.tensor(text[-1:]), draft.tokens]), Scores(logits), (0,)))
                text.append(len(text) % 40)
