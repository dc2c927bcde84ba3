"""`make live`: how fast a run is while a page shows it, beside the same run without any page; how soon its first round is there, what is sent, and
what the server takes beside the engine. Numbers to read, not a test.

A visitor without a browser opens the page, presses Run, and follows the run's events as a browser would. What it costs a real browser to draw
is its own business: nothing here draws. The rate without a page is measured in turn with the visits, once with the threads that the engine process
keeps and once with all; nothing else should run meanwhile.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any
from urllib.parse import quote

import torch

from specviz.decoding.recorder import FULL
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost

PROMPT = "Dear Anna,\n\nThank you for your"
_PATIENCE_S = 300.0


@dataclass(frozen=True, slots=True)
class WatchedRun:
    """A run that was watched: tokens a second on the engine's clock, seconds from the press of Run to its first round, bytes of its events, and
    the page's processor time over the engine's."""

    rate: float
    first_s: float
    bytes: int
    share: float


async def watch(host: ClassroomHost, guest: Guest) -> WatchedRun:
    """Press Run, and follow the run to its end."""
    before, page, engine, begun = guest.run, host.page_s(), host.engine_s(), monotonic()
    await guest.press("Run")
    await guest.until(lambda: guest.run is not before and bool(_batches(guest)), _PATIENCE_S, "the first round")
    first_s = monotonic() - begun
    run = guest.run
    assert run is not None, "it is followed"
    await guest.until(lambda: run.over, _PATIENCE_S, "the end of the run")
    page, engine = host.page_s() - page, host.engine_s() - engine
    rounds = [each for batch in run.logs["speculative"] for each in batch["rounds"]]
    return WatchedRun(_rate(rounds), first_s, run.bytes, page / engine)


def _batches(guest: Guest) -> list[Any]:
    return guest.run.logs.get("speculative", []) if guest.run is not None else []


def _rate(rounds: Sequence[dict[str, Any]]) -> float:
    last = rounds[-1]
    tokens = last["start"] + len(last["accepted"]) + (last["closing"] is not None)
    return float(tokens / last["ended_s"])


def headless_rate(pair: Pair, settings: Settings, threads: int) -> float:
    """Tokens a second of the same run on as many threads, with no page; every candidate is kept, as the page's engine does."""
    torch.set_num_threads(threads)
    return summarise(Run(pair, PROMPT, settings, recorder=FULL).finish()).tokens_per_second


async def visits(host: ClassroomHost, pair: Pair, tokens: int, repeats: int) -> None:
    """Visits and runs without a page in turn; prints medians and ratios."""
    settings = Settings(max_new_tokens=tokens, k=5, policy="fixed", drafter="model")
    every = torch.get_num_threads()
    kept = max(1, every - 1)
    query = f"prompt={quote(PROMPT)}&max_new_tokens={tokens}&drafter=model&k=5&policy=fixed"
    guest = Guest(1, host.address, "", query)
    await guest.open()
    await guest.until(lambda: guest.rests and "Run" in guest.buttons, _PATIENCE_S, "the page")
    await watch(host, guest)
    watched: list[WatchedRun] = []
    rates: dict[int, list[float]] = {kept: [], every: []}
    for number in range(repeats):
        await asyncio.sleep(2.0)
        watched.append(await watch(host, guest))
        await asyncio.sleep(2.0)
        headless_rate(pair, settings, kept)  # untimed
        for threads in sorted(rates, reverse=number % 2 == 1):
            rates[threads].append(headless_rate(pair, settings, threads))
    await guest.close()
    for threads, found in rates.items():
        ratios = sorted(one.rate / other for one, other in zip(watched, found, strict=True))
        sys.stdout.write(
            f"live {median(one.rate for one in watched):.1f} tokens/s / without a page on {threads} threads {median(found):.1f} = "
            f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})\n"
        )
    firsts = sorted(one.first_s for one in watched)
    sys.stdout.write(f"Run to the first round: {median(firsts):.3f} s ({firsts[0]:.3f} to {firsts[-1]:.3f})\n")
    sys.stdout.write(f"bytes of a run's events, uncompressed: {median(one.bytes for one in watched) / 1000:,.0f} kB\n")
    shares = sorted(one.share for one in watched)
    sys.stdout.write(f"page's processor time / engine's: {median(shares):.1%} ({shares[0]:.1%} to {shares[-1]:.1%})\n")


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pair", default="embedded")
    parser.add_argument("--dtype", default="auto")
    asked = parser.parse_args()
    pair = load_pair(asked.pair, device="cpu", dtype=asked.dtype)
    with tempfile.TemporaryDirectory() as folder:
        host = ClassroomHost(Path(folder), tokens=asked.tokens, pair=asked.pair)
        host.start()
        try:
            asyncio.run(visits(host, pair, asked.tokens, asked.repeats))
        finally:
            host.end()


if __name__ == "__main__":
    main()
