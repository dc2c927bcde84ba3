"""The stopwatch of a CUDA device, with events that refuse their time before the device has reached them."""

import pytest
import torch

from specviz.decoding import loop
from specviz.decoding.clock import CudaStopwatch
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from tests.helpers.fake_cuda import fake_cuda


def test_a_stopwatch_waits_for_its_last_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """`stop` may be called right after a lap: it waits for the event, as often as the watch is used."""
    fake_cuda(monkeypatch)
    watch = CudaStopwatch(torch.device("cuda"))
    for laps in (2, 1, 3, 0):
        watch.start()
        for _ in range(laps):
            watch.lap()
        found = watch.stop()
        assert found.laps_s == pytest.approx([1e-9] * laps)
        assert found.total_s >= 0


def test_a_run_reads_only_times_that_the_device_has_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prefill's times and those of every round are read without an error."""
    fake_cuda(monkeypatch)
    monkeypatch.setattr(loop, "stopwatch_for", CudaStopwatch)
    target, draft = TableModel.random(5, 1), TableModel.random(5, 2)
    decoding = speculate(target, ModelDrafter(draft), [1, 2], Settings(k=2, max_new_tokens=6))
    rounds = list(decoding)
    assert decoding.prefill is not None
    assert decoding.prefill.target_s > 0
    assert all(round_.draft_s > 0 and round_.verify_s > 0 for round_ in rounds)
