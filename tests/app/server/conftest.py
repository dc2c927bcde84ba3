"""Queues over engines that are no processes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.server import engine as engine_module
from app.server.jobs import Jobs
from specviz.serving.engines import RayEngines
from specviz.wire import Ready
from tests.helpers.engines import FakeEngine, fake_engines

Start = Callable[..., tuple[Jobs, list[FakeEngine]]]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """A queue over so many engines, of which those with a machine are ready, and the engines that it has made; it looks after its jobs when a test
    lets it."""
    queues: list[Jobs] = []
    monkeypatch.setattr(Jobs, "_watchdog", lambda self: None)

    def started(count: int, *machines: str, **more: Any) -> tuple[Jobs, list[FakeEngine]]:
        kind = fake_engines()
        monkeypatch.setattr(engine_module, "EngineProcess", kind)
        queues.append(Jobs(engines=RayEngines("head:6379", count), **more))
        for engine, machine in zip(kind.made, machines, strict=False):
            engine.says(Ready(machine))
        return queues[-1], kind.made

    yield started
    for queue in queues:
        queue.close()
