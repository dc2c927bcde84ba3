"""What is recorded of a round, and when it is fetched."""

from dataclasses import replace

import torch

from specviz.decoding import recorder
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.recorder import FULL, LIGHT
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from specviz.trace.records import NO_TOP, Round
from tests.helpers.rounds import timeless


def test_one_transfer_brings_everything_as_it_was() -> None:
    """Values and blocks of several shapes, joined for the transfer, are split again unchanged; zero blocks work too."""
    values = torch.arange(5, dtype=torch.float64)
    blocks = [torch.rand(3, 2, 4, dtype=torch.float64), torch.rand(1, 6, 4, dtype=torch.float64)]
    for some in (blocks, blocks[:1], []):
        first, late = recorder._together(values, some)
        assert torch.equal(first, values)
        assert len(late()) == len(some)
        assert all(torch.equal(one, other) for one, other in zip(late(), some, strict=True))


def test_candidates_change_nothing_but_themselves() -> None:
    """A full recording is the light one with candidates: same tokens, verdicts, numbers."""
    settings = Settings(k=3, temperature=0.9, max_new_tokens=20, seed=5)

    def rounds(which: recorder.Recorder) -> tuple[Round, ...]:
        target, draft = TableModel.random(9, 1), TableModel.random(9, 2)
        return timeless(speculate(target, ModelDrafter(draft), [1, 2], settings, recorder=which))

    full = rounds(FULL)
    bare = [
        replace(
            round_,
            drafted=tuple(replace(d, draft_top=NO_TOP, target_top=NO_TOP) for d in round_.drafted),
            closing=replace(round_.closing, residual_top=NO_TOP) if round_.closing else None,
        )
        for round_ in full
    ]
    assert tuple(bare) == rounds(LIGHT)
