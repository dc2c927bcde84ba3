"""Finished runs a minute with one engine, with two processes, and with a Ray cluster of two nodes on this machine: `python -m
tools.engines_rate [--runs N] [--tokens N] [--repeats N] [--only KIND]`. Run nothing else meanwhile: it prints a table.

So many visitors press Run at the same moment; every engine has the pair, warm. The runs are complete ones, with plain decoding and the
timing after it, as the page requests them. All kinds are measured in turn, and the table has the median.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from app.job import Job, Status
from app.jobs import Jobs
from specviz.request import PairAsked, Request
from specviz.serving import on_ray
from specviz.serving.engines import Engines
from specviz.settings import Settings

_PAIR = PairAsked("embedded")
_MEMORY = 80 * 1024 * 1024
_PATIENCE_S = 600.0


@dataclass(frozen=True, slots=True)
class Rate:
    """What was measured once.

    Attributes:
        seconds: from the moment that all press Run to the end of the last run.
        lost: runs that did not end as they should.
        trusted: runs whose speedup counts.
    """

    runs: int
    seconds: float
    lost: int
    trusted: int

    @property
    def a_minute(self) -> float:
        """Finished runs a minute."""
        return 60 * (self.runs - self.lost) / self.seconds


@contextmanager
def _processes(count: int) -> Iterator[Engines]:
    yield Engines(count)


@contextmanager
def _ray_nodes() -> Iterator[Engines]:
    """Two nodes with one processor each, and a head with none."""
    os.environ |= on_ray.QUIET
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _MEMORY}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=_MEMORY)
        yield Engines(2, cluster.address, 1, 0)
    finally:
        cluster.shutdown()


KINDS = {"one engine": lambda: _processes(1), "two processes": lambda: _processes(2), "two Ray nodes": _ray_nodes}


def measure(engines: Engines, runs: int, tokens: int) -> Rate:
    """Let so many visitors press Run at once."""
    jobs = Jobs(engines=engines)
    try:
        _warm(jobs, engines.count)
        began = time.perf_counter()
        asked = [jobs.run(_asked(index, tokens), visitor=f"visitor {index}") for index in range(runs)]
        _finish(asked)
        seconds = time.perf_counter() - began
    finally:
        jobs.close()
    lost = sum(job.status is not Status.DONE for job in asked)
    return Rate(runs, seconds, lost, sum(job.conditions is not None and job.conditions.trusted for job in asked))


def _warm(jobs: Jobs, engines: int) -> None:
    """Every engine is ready and has the pair."""
    _until(lambda: sum(slot.ready for slot in jobs._pool._slots) == engines)
    while not all(slot.has(_PAIR) for slot in jobs._pool._slots):
        _finish([jobs.run(_asked(index, 8), visitor=f"warm {index}") for index in range(engines)])


def _asked(index: int, tokens: int) -> Request:
    return Request(_PAIR, f"The capital of country number {index} is", Settings(k=4, max_new_tokens=tokens))


def _finish(asked: list[Job]) -> None:
    _until(lambda: all(job.over for job in asked))


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the engines did not come, or did not end")
        time.sleep(0.01)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure all kinds in turn, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--tokens", type=int, default=48)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=KINDS, action="append")
    args = parser.parse_args()
    found: dict[str, list[Rate]] = {kind: [] for kind in args.only or KINDS}
    for turn in range(args.repeats):
        for kind, rates in found.items():
            with KINDS[kind]() as engines:
                rates.append(measure(engines, args.runs, args.tokens))
            _say(f"turn {turn + 1}, {kind}: {rates[-1].a_minute:.1f} runs a minute")
    cores = len(os.sched_getaffinity(0))
    _say(f"\n{args.runs} runs of {args.tokens} tokens at once, embedded pair, {cores} cores, median of {args.repeats}")
    _say(f"{'engines':<16}{'runs a minute':>14}{'lowest':>9}{'highest':>9}{'against one':>13}{'lost':>6}{'trusted':>9}")
    one = median(rate.a_minute for rate in found["one engine"]) if "one engine" in found else None
    for kind, rates in found.items():
        every = sorted(rate.a_minute for rate in rates)
        against = "" if one is None else f"{median(every) / one:.2f}×"
        counts = f"{sum(rate.lost for rate in rates):>6}{sum(rate.trusted for rate in rates):>9}"
        _say(f"{kind:<16}{median(every):>14.1f}{every[0]:>9.1f}{every[-1]:>9.1f}{against:>13}{counts}")


if __name__ == "__main__":
    main()
