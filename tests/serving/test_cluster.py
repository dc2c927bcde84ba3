"""Engines as actors of a real Ray cluster, of two nodes on this machine: the same runs, and a node that dies loses only its own job."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
import ray
from ray.exceptions import RayActorError

from app.server.job import Job, Status
from app.server.jobs import Jobs
from specviz import wire
from specviz.errors import WorkerError
from specviz.request import PairRequest, Request
from specviz.serving import cluster, on_ray
from specviz.serving.engines import RayEngines, find
from specviz.settings import Settings
from specviz.trace.files import loads
from specviz.wire import Lane
from tests.app.conftest import until_it_is

os.environ |= on_ray.QUIET  # read by Ray when it is imported

PAIR = PairRequest("embedded", device="cpu", dtype="float32")
MEMORY = 80 * 1024 * 1024
"""Bytes of a node's object store, the least that Ray takes: messages of engines are small."""


class _DiedError(RayActorError):  # type: ignore[misc]  # Ray is read without types
    """The error for an actor that died, with the words of the cause."""

    def __init__(self, words: str) -> None:
        Exception.__init__(self, words)

    __str__ = Exception.__str__


def _asked(tokens: int = 16, **settings: Any) -> Request:
    return Request(PAIR, "Once upon a time", Settings(**{"k": 4, "max_new_tokens": tokens, **settings}))


@pytest.fixture
def two_nodes() -> Iterator[Any]:
    """A cluster on this machine: a head that offers no processor, and two nodes that offer one each."""
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": MEMORY}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.nodes = [made.add_node(num_cpus=1, object_store_memory=MEMORY, wait=False) for _ in range(2)]
    made.wait_for_nodes(timeout=120)
    yield made
    made.shutdown()


@pytest.mark.rare
def test_engines_on_two_nodes_and_one_of_them_dies(two_nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster is found with room for two engines. A run by an actor is the run by a process of this machine, token for token. When a node is
    lost its job says so, the job of the other goes on, and the engine starts again with a request as soon as the cluster has room."""
    engines = find(two_nodes.address)
    assert engines == RayEngines(two_nodes.address, 2, 1, 0)
    _check_another_version(two_nodes.address, monkeypatch)
    _check_no_room(two_nodes.address)
    jobs, here = Jobs(engines=engines), Jobs()
    try:
        asked = _asked(temperature=0.8, seed=3)
        there, local = jobs.run(asked), here.run(asked)
        until_it_is(lambda: there.over and local.over)
        assert (there.status, local.status) == (Status.DONE, Status.DONE), there.message
        assert _tokens(there) == _tokens(local)
        here.close()
        until_it_is(lambda: all(engine.ready for engine in jobs.engines))

        for job in [jobs.run(_asked(4), visitor=visitor) for visitor in "ab"]:
            assert _done(job).status is Status.DONE, "both have the pair now"
        both = [jobs.run(_asked(900), visitor=visitor) for visitor in "ab"]
        until_it_is(lambda: all(job.log[Lane.SPECULATIVE] or job.over for job in both))
        assert not any(job.over for job in both)
        two_nodes.remove_node(two_nodes.nodes.pop(), allow_graceful=False)
        until_it_is(lambda: any(job.over for job in both))
        lost, kept = sorted(both, key=lambda job: job.status is not Status.FAILED)
        assert lost.message.startswith("The engine process stopped in mid-run (its machine was lost")
        assert lost.log[Lane.SPECULATIVE], "what was written so far is kept"
        assert not kept.over
        jobs.cancel(kept)
        until_it_is(lambda: kept.over)
        assert kept.status is Status.CANCELLED
        assert _done(jobs.run(_asked(4))).status is Status.DONE, "the engine that is left does the next"

        two_nodes.add_node(num_cpus=1, object_store_memory=MEMORY)
        until_it_is(lambda: _asked_again(jobs) and all(engine.ready for engine in jobs.engines))
    finally:
        jobs.close()
        here.close()


def _asked_again(jobs: Jobs) -> bool:
    """A request is done, with which an engine that could not start is tried again."""
    time.sleep(1.0)
    return _done(jobs.run(_asked(4))).status is Status.DONE


def _check_another_version(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of another version than the cluster's machine gets a sentence, and no engine."""
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "__version__", "another")
        with pytest.raises(WorkerError, match="of another version: install the server's"):
            cluster._started(address, 1, 0)
    ray.shutdown()


def _check_no_room(address: str) -> None:
    """An engine that finds no room says so in an event after a bounded time, and its process ends."""
    script = f"from specviz.serving import cluster; cluster._ROOM_S = 1.0; cluster.serve(*{(address, 64, 0)!r})"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        event = wire.decode_event(process.stdout.readline())
        assert process.wait(timeout=60) == 1
    assert event == wire.Unavailable("no machine of the Ray cluster has room for it now: an engine needs 64 processors")


@pytest.mark.slow
def test_a_cluster_that_is_gone_is_said() -> None:
    """An engine that starts again after its cluster was lost, where something at the address hangs, ends in a bounded time, with the reason."""
    slow = "cluster._PATIENCE_S = 0.2; cluster._started = lambda *_: __import__('time').sleep(60)"
    script = f"from specviz.serving import cluster; {slow}; cluster.serve('127.0.0.1:9', 1, 0)"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert wire.decode_event(process.stdout.readline()) == wire.Unavailable("the Ray cluster does not answer")
        assert process.wait(timeout=60) == 1


def test_an_address_that_does_not_answer_is_a_sentence() -> None:
    """Soon: nothing listens there, and Ray is not asked."""
    for address in ("127.0.0.1:9", "ray://127.0.0.1:9"):
        with pytest.raises(
            WorkerError, match=f"The Ray cluster at {address} cannot be used: it does not answer: check the address"
        ):
            cluster.look(address)


def _tokens(job: Job) -> list[tuple[int, ...]]:
    assert job.recording is not None
    return [trace.token_ids for trace in loads(job.recording)]


def _done(job: Job) -> Job:
    until_it_is(lambda: job.over)
    return job


def test_what_engines_claim_fits_every_machine() -> None:
    """One engine a GPU where there are any, else one a machine, which it has for itself; a machine that offers no processor has none."""
    for machines, found in (
        ([{"CPU": 8.0}, {"CPU": 4.0}, {"memory": 1.0}], (2, 4, 0)),
        ([{"CPU": 16.0, "GPU": 4.0}, {"CPU": 64.0}, {"CPU": 16.0, "GPU": 2.0}], (6, 4, 1)),
        ([{"CPU": 2.0, "GPU": 8.0}], (8, 1, 1)),
        ([{"memory": 1.0}], None),
    ):
        assert cluster.claims(machines) == found


def test_rays_errors_are_said_in_a_few_words() -> None:
    """Versions that do not match, a machine without specviz, one that was lost."""
    other = "Version mismatch: The cluster was started with:\n    Ray: 2.48.0\n    Python: 3.12.1\n"
    other += "This process on node 10.0.0.7 was started with:\n    Ray: 2.60.0\n    Python: 3.11.4\n"
    versions = "it runs Ray 2.48.0 with Python 3.12.1, and this server Ray 2.60.0 with Python 3.11.4"
    missing = _DiedError("ModuleNotFoundError: No module named 'specviz'")
    for error, said in (
        (RuntimeError(other), f"{versions}: install the same versions on both"),
        (missing, "has no specviz of this version: install it there"),
        (_DiedError("The node was preempted"), "its machine was lost, or Ray ended it there"),
    ):
        found = cluster.reason(error)
        assert said in found
        assert "\n" not in found
