"""Claims about the reader of an EAGLE head: whatever was read before and in how many pieces, the scores are those of one plain pass."""

import pytest
import torch
from torch import Tensor

from specviz.models.heads.eagle import EagleReader
from specviz.models.heads.spec import Shape
from tests.helpers.eagle import Parts, plain_scores, random_network, spec_of
from tests.helpers.planting import Plant, plant

VOCABULARY, WIDTH = 7, 12
SHAPE = Shape(width=WIDTH, vocabulary=VOCABULARY, depth=4, head_width=4, rope_theta=100.0, norm_eps=1e-6, ffn=16)
TEXT = [3, 1, 6, 0, 2, 2, 5, 4, 1, 1, 0]
"""The tokens that follow the pairs' states."""


def states_for(taps: int) -> Tensor:
    return torch.randn(len(TEXT), taps, WIDTH, generator=torch.Generator().manual_seed(5), dtype=torch.float64)


def check_reader(kind: str = "eagle3") -> None:
    """Pairs in pieces, with chains and trees of guesses in between, score as one pass over the text and the guesses of the path alone."""
    taps = (1, 2, 4) if kind == "eagle3" else (4,)
    options = {"normed": True} if kind == "mtp, normed" else {}
    head, states = random_network(spec_of(kind.removesuffix(", normed"), SHAPE, taps, **options)), states_for(len(taps))
    for kept, pieces in ((None, (1, 1, 3, 1, 5)), (torch.tensor([0, 2, 5]), (4, 2, 5)), (None, (11,))):
        parts = Parts.random(VOCABULARY, WIDTH, torch.float64)
        parts.tokens = kept
        reader = EagleReader(head, parts)
        for capacity in (30, 40):
            reader.begin(capacity)
            end = 0
            for piece in pieces:
                begin, end = end, end + piece
                found = reader.read(states[begin:end], torch.tensor(TEXT[begin:end]))
                assert reader.length == end

                def check(scores: Tensor, path: list[int], end: int = end, parts: Parts = parts) -> None:
                    wanted = plain_scores(head, parts, states[:end], [*TEXT[:end], *path])
                    torch.testing.assert_close(scores, wanted, rtol=1e-5, atol=1e-3)

                check(found, [])
                chain = [reader.guess(torch.tensor([token]), (-1,)) for token in (4, 0, 6)]
                for depth, rows in enumerate(chain, 1):
                    check(rows[0], [4, 0, 6][:depth])
                reader.drop()
                first = reader.guess(torch.tensor([2, 5, 1]), (-1, -1, -1))
                second = reader.guess(torch.tensor([3, 0, 6]), (-1, -3, -1))
                third = reader.guess(torch.tensor([4, 4]), (-2, -7))
                for rows, paths in (
                    (first, [[2], [5], [1]]),
                    (second, [[1, 3], [2, 0], [1, 6]]),
                    (third, [[2, 0, 4], [4]]),
                ):
                    for row, path in zip(rows, paths, strict=True):
                        check(row, path)
            if kept is not None:
                assert (
                    sorted(set(range(VOCABULARY)) - set(kept.tolist()))
                    == (found == found.min()).nonzero()[:, 0].tolist()
                )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["eagle3", "mtp", "mtp, normed"])
def test_pieces_and_guesses_are_one_pass(kind: str) -> None:
    """The reader's cache changes nothing."""
    check_reader(kind)


PLANTED = (
    Plant("guesses stay in the cache", check_reader, EagleReader, "read", "self.drop()", "self.length += len(self._parents)"),
    Plant("guesses stay among the parents", check_reader, EagleReader, "drop", "self._parents, self._outputs = []", "self._outputs = self._outputs #"),
    Plant("a node follows the last state", check_reader, EagleReader, "guess", "self._outputs[before]", "self._outputs[-1:].expand(len(parents), -1)"),
    Plant("a node follows its neighbour", check_reader, EagleReader, "guess", "first + parent + 1", "first + parent"),
    Plant("nodes see their siblings", check_reader, EagleReader, "guess", ", positions.attends)", ", None)"),
    Plant("nodes are at their slots' positions", check_reader, EagleReader, "guess", "at if positions.ids is None else positions.ids", "at"),
    Plant("the last pair is one position late", check_reader, EagleReader, "_pass", "slice(at.stop - 1, at.stop)", "slice(at.stop, at.stop + 1)"),
    Plant("keys are not turned", check_reader, EagleReader, "_pass", "self._rotate(k, positions)", "k"),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_every_part_of_the_cache_matters(planted: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """One planted bug, and the scores differ."""
    plant(planted, monkeypatch)
    with pytest.raises(AssertionError):
        planted.check()


def test_options_that_no_head_has_are_refused() -> None:
    """MTP with several taps, and a flag that is none."""
    with pytest.raises(ValueError, match="MTP reads one state of each token, not 2"):
        random_network(spec_of("mtp", SHAPE, (1, 4)))
    with pytest.raises(ValueError, match="normed is neither true nor false"):
        random_network(spec_of("mtp", SHAPE, (4,), normed=1))
