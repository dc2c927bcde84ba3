"""Fixtures of all tests; functions that tests share are in `tests.helpers`. The process that only distributes the tests reads this file too, before
those that run them are started: it imports no torch."""

import gc
import os
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from specviz.models import Pair

settings.register_profile("shared", deadline=None)  # an example can wait for another test's processor
settings.load_profile("shared")
# Costs measured beside other tests are wrong for this machine: they stay here.
os.environ["SPECVIZ_CACHE"] = str(Path(__file__).parents[1] / ".pytest_cache" / "specviz")
os.environ["OMP_NUM_THREADS"] = (
    "1"  # for the processes that tests start: two of them at a time would wait for each other's threads
)


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> Iterator[None]:
    """Ctrl-C works in every process that tests start, also where the suite was started with it ignored, as a shell's `&` does: a process
    inherits that."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Two test processes on two cores would wait for each other's threads."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def seeded() -> None:
    """What a test draws from torch does not depend on the tests before it."""
    import torch

    torch.manual_seed(0)


@pytest.fixture(scope="session", autouse=True)
def no_repeats() -> Iterator[None]:
    """A machine that is busy, as it always is while several tests run, repeats no timed run and is not waited for: that takes most of the time
    of a comparison. What is repeated and waited for is tested in `tests/runs/test_load_watch.py` with the real values."""
    from tests.helpers import hasty

    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in hasty.VALUES:
            patch.setattr(module, name, value)
        yield


@pytest.fixture(scope="session")
def embedded() -> "Pair":
    """The pair that comes with the project, in the format in which text equality is judged."""
    from specviz.models import load_pair

    return load_pair("embedded", device="cpu", dtype="float32")


class ByFile(LoadScopeScheduling):  # type: ignore[misc]
    """Each file goes to one process, for its fixtures; all that need the app's server go to the same one, since to start it takes longer than what
    most tests do with it."""

    def _split_scope(self, nodeid: str) -> str:
        return _process_of(nodeid.partition("::")[0])


@cache
def _process_of(file: str) -> str:
    return (
        "server"
        if re.search(r"\bserver: str\b", (Path(__file__).parents[1] / file).read_text(encoding="utf-8"))
        else file
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile | None:
    """How tests are distributed with `--dist loadfile`."""
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """What has been imported and collected stays to the end: the garbage collector, which timed runs call first, need not look at it again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test that uses the browser is marked so, wherever it is."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
