"""A test of runs may choose the number of threads."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def threads_back() -> Iterator[None]:
    """What a test does to the number of threads is undone."""
    usual = torch.get_num_threads()
    yield
    torch.set_num_threads(usual)
