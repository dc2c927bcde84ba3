"""Claims about the public fakes: what proves the engine must itself be trusted."""

import pytest
import torch

from specviz.decoding.protocols import CacheReport
from specviz.decoding.sampling import Draws, token_at
from specviz.decoding.testing import BranchingDraws, TableModel, branches, distribution
from specviz.errors import PairError


def ids(*tokens: int) -> torch.Tensor:
    return torch.tensor(tokens)


def test_cached_scores_are_those_of_the_held_ids() -> None:
    """Each row follows all ids before it; only the last `rows` are scored where that is asked for."""
    model = TableModel.random(4, 0)
    model.begin(8)
    model.forward(ids(1, 2))
    model.keep([0, 1])
    scores = model.forward(ids(3, 0, 1))
    assert torch.equal(scores.logits, torch.stack([model.scores(h) for h in ((2, 3), (3, 0), (0, 1))]))
    assert torch.equal(model.forward(ids(2, 3), rows=1).logits, model.scores((2, 3)).unsqueeze(0))


def test_keep_drops_what_is_not_on_the_path() -> None:
    """The kept path becomes text, the rest is forgotten, and the report counts both."""
    model = TableModel.random(4, 0)
    model.begin(8)
    model.forward(ids(1, 2, 3))
    assert model.report == CacheReport(0, 0, 3)
    model.keep([0, 1])
    assert (model.kept, model.length, model.report) == ((1, 2), 2, CacheReport(2, 1, 0))
    assert model.forward(ids(0)).states is None
    model.tap([5, 3])
    states = model.forward(ids(2)).states
    assert states is not None
    assert states.tolist() == [[[2, 3, 5], [2, 3, 3]]]


def test_a_tree_is_read_level_by_level() -> None:
    """A later pass may follow any pending token, counted backwards from its own first one, or the end of the text."""
    model = TableModel.random(4, 0, memory=4)
    model.begin(20)
    model.forward(ids(1, 2))
    model.keep([0, 1])
    model.forward(ids(3))
    model.forward(ids(0, 1), parents=(-1, -1))
    scores = model.forward(ids(2, 2, 0, 1), parents=(-2, -1, 1, -4))
    ways = ((1, 2, 3, 0, 2), (1, 2, 3, 1, 2), (1, 2, 3, 1, 2, 0), (1, 2, 1))
    for row, history in zip(scores.logits, ways, strict=True):
        assert torch.equal(row, model.scores(history))
    for wrong in (-9, 1):
        with pytest.raises(PairError, match="A token had the parent"):
            model.forward(ids(0), parents=(wrong,))
    for path in ([0, 1, 2], [2], [0, 1, 4], [7], [-1]):
        with pytest.raises(PairError, match="path"):
            model.keep(path)
    model.keep([0, 2, 4, 5])
    assert model.kept == (1, 2, 3, 1, 2, 0)


def test_branches_are_walked_once_each() -> None:
    """Every way that chance can go is walked once, with its probability, and impossible ways are not walked."""
    p = torch.tensor([0.5, 0.0, 0.2, 0.3], dtype=torch.float64)

    def run(draws: Draws) -> tuple[bool, int]:
        uniform = draws.uniform(1)
        assert uniform is not None
        return bool((uniform < torch.tensor([0.25]))[0]), int(draws.token(p).token)

    walked = list(branches(run))
    assert len({branch.result for branch in walked}) == len(walked) == 6
    assert sum(branch.weight for branch in walked) == pytest.approx(1, abs=1e-15)
    assert distribution(run)[True, 2] == pytest.approx(0.25 * 0.2)
    assert distribution(run)[False, 3] == pytest.approx(0.75 * 0.3)


def test_a_number_once_compared_remembers() -> None:
    """A number that was found below 1/2 is below 3/4 too, and below 1/4 half of the time; its value agrees."""

    def run(draws: Draws) -> tuple[bool, bool, bool]:
        uniform = draws.uniform(1)
        assert uniform is not None
        asked = [bool(uniform < bound) for bound in (0.5, 0.75, 0.25)]
        assert [float(uniform) < bound for bound in (0.5, 0.75, 0.25)] == asked
        return asked[0], asked[1], asked[2]

    ways = ((True, True, True), (True, True, False), (False, True, False), (False, False, False))
    assert distribution(run) == dict.fromkeys(ways, 0.25)


def test_one_number_twice_is_one_number() -> None:
    """Places that share one number are decided together."""
    found = distribution(lambda draws: tuple((draws.uniform(2)[[0, 0]] < torch.tensor([0.5, 0.5])).tolist()))  # type: ignore[index]
    assert found == {(True, True): 0.5, (False, False): 0.5}


def test_other_questions_are_rejected() -> None:
    """An undecided number answers no question that would have to be guessed."""
    uniform = BranchingDraws().uniform(1)
    for ask in (uniform.__le__, uniform.__gt__, uniform.__ge__):
        with pytest.raises(TypeError, match="compare it with <"):
            ask(torch.tensor([0.5]))


def test_the_number_shown_for_a_token_chooses_it() -> None:
    """The number beside a token drawn in a branch is one that would have drawn it."""
    p = torch.tensor([0.1, 0.0, 0.6, 0.3], dtype=torch.float64)
    for branch in branches(lambda draws: draws.token(p)):
        assert branch.result.uniform is not None
        assert token_at(p, branch.result.uniform.reshape(1)) == branch.result.token
