"""Doubles of torch.cuda for the CPU: events that refuse their time before the device has caught up, and graphs that replay recorded
operations on the tensors that they were captured with, so that a stale input shows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

from specviz.models.networks import capture


class FakeDevice:
    """Queued work that is finished only when somebody waits: `now` counts recorded events, `finished` those that were waited for, `captured` graphs."""

    def __init__(self) -> None:
        self.now = self.finished = self.captured = 0

    def synchronize(self, device: object = None) -> None:
        self.finished = self.now


class _Stream:
    def wait_stream(self, other: object) -> None:
        """The double has one queue."""


class FakeGraph:
    """Records every operation of a capture with its tensors, and repeats them in `replay`. Results are not numbers until then."""

    def __init__(self) -> None:
        self.operations: list[tuple[Callable[..., Any], Any, Any, Any]] = []

    def pool(self) -> int:
        return 0

    def replay(self) -> None:
        for function, args, kwargs, found in self.operations:
            again = function(*args, **kwargs)
            for old, new in zip(_tensors(found), _tensors(again), strict=True):
                if old.data_ptr() != new.data_ptr():
                    old.copy_(new)

    def poison(self) -> None:
        """A real capture runs no kernel, so what it returned holds nothing yet."""
        for _, args, kwargs, found in self.operations:
            given = {tensor.untyped_storage().data_ptr() for tensor in _tensors((args, kwargs))}
            for tensor in _tensors(found):
                if tensor.is_floating_point() and tensor.untyped_storage().data_ptr() not in given:
                    tensor.fill_(torch.nan)


class _Recording(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self, graph: FakeGraph) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._graph = graph

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.ops.aten._local_scalar_dense.default:
            raise RuntimeError("operation not permitted when stream is capturing")
        if func is torch.ops.aten.copy_.default and self._is_number(args[1]):
            raise RuntimeError("Cannot copy between CPU and CUDA tensors during CUDA graph capture")
        found = func(*args, **(kwargs or {}))
        self._graph.operations.append((func, args, kwargs or {}, found))
        return found

    def _is_number(self, given: Tensor) -> bool:
        """Whether a tensor is a number of Python's, which torch makes on the CPU."""
        lifted = (found for func, _, _, found in self._graph.operations if func is torch.ops.aten.lift_fresh.default)
        return any(each is given for each in lifted)


def _tensors(values: Any) -> list[Tensor]:
    leaves = (
        (values,) if isinstance(values, Tensor) else tree_flatten(values)[0]
    )  # nearly always; a replay asks for each operation
    return [value for value in leaves if isinstance(value, Tensor)]


def fake_cuda(monkeypatch: pytest.MonkeyPatch) -> FakeDevice:
    """Replace torch.cuda's streams, events and graphs by doubles that run on the CPU."""
    device = FakeDevice()

    class Event:
        def __init__(self, enable_timing: bool = False) -> None:
            self._at: int | None = None

        def record(self, stream: object = None) -> None:
            device.now += 1
            self._at = device.now

        def synchronize(self) -> None:
            assert self._at is not None, "the event was not recorded"
            device.finished = max(device.finished, self._at)

        def elapsed_time(self, other: "Event") -> float:
            assert self._at is not None
            assert other._at is not None
            if device.finished < max(self._at, other._at):
                raise RuntimeError("CUDA error: device not ready")
            return 1e-6 * (other._at - self._at)

    @contextmanager
    def capturing(graph: FakeGraph, **options: object) -> Iterator[None]:
        with _Recording(graph):
            yield
        device.captured += 1
        graph.poison()

    for name, double in {
        "Event": Event,
        "CUDAGraph": FakeGraph,
        "graph": capturing,
        "Stream": lambda device=None: _Stream(),
        "stream": lambda stream: nullcontext(),
        "current_stream": lambda device=None: _Stream(),
        "device": lambda device=None: nullcontext(),
        "synchronize": device.synchronize,
    }.items():
        monkeypatch.setattr(torch.cuda, name, double)
    monkeypatch.setattr(capture, "_capture_stream", lambda device: _Stream())
    return device
