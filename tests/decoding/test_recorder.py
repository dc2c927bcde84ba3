"""What is recorded of a round, and when it is fetched."""

import torch

from specviz.decoding import recorder


def test_one_transfer_brings_everything_as_it_was() -> None:
    """Values and blocks of several shapes, joined for the transfer, are split again unchanged; zero blocks work too."""
    values = torch.arange(5, dtype=torch.float64)
    blocks = [torch.rand(3, 2, 4, dtype=torch.float64), torch.rand(1, 6, 4, dtype=torch.float64)]
    for some in (blocks, blocks[:1], []):
        first, late = recorder._together(values, some)
        assert torch.equal(first, values)
        assert len(late()) == len(some)
        assert all(torch.equal(one, other) for one, other in zip(late(), some, strict=True))
