"""`make figures`: how the page does on this machine, as numbers to read. Nothing else should run meanwhile.

`PARTS="frames live"` measures some parts:

- frames: percentiles of the time between frames, and of the script's own time in each, while a recording plays in Chromium at every
  pace; on the whole page the time from Run to the first round, and the frames of a run that streams in.
- live: the rate of a run that a visitor without a browser follows, beside the same run without a page, in turn; the time from Run to its
  first round; the bytes of its events; the page's processor time over the engine's.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import quote

import torch
from playwright.sync_api import Browser, Page, expect, sync_playwright

from specviz.decoding.recorder import FULL
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from specviz.trace.records import Trace
from tests.app.app_server import serving
from tests.app.chromium import FLAGS, find
from tests.app.conftest import loaded
from tests.app.lab import Lab
from tests.helpers.views import plain_of, trace_of, view_of
from tools.classroom.guest import Guest
from tools.classroom.host import ClassroomHost, classroom
from tools.measurement import figure, quantile

_SECONDS, _RUNS, _PATIENCE_S = 6.0, 9, 300.0
_PATTERN = ["aaaaa", "aardd", "rdddd", "aaard", "aaaaa"]
_PLAYED, _PACES = 512, ("slow", "lesson", "quick", "real")
_PROMPT, _TOKENS, _REPEATS = "Dear Anna,\n\nThank you for your", 128, 5

_WATCH = """(seconds) => new Promise((done) => {
    const between = [], own = [], frames = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (draw) => frames((now) => {
        const before = performance.now();
        draw(now);
        own.push(performance.now() - before);
    });
    let last;
    const began = performance.now();
    const frame = (now) => {
        if (last !== undefined) between.push(now - last);
        last = now;
        if (performance.now() - began < 1000 * seconds) frames(frame);
        else { window.requestAnimationFrame = frames; done([between, own]); }
    };
    frames(frame);
})"""
_LISTEN = """() => {
    const within = (root) => root.querySelector(".stage") ?? [...root.querySelectorAll("*")]
        .map((part) => part.shadowRoot && within(part.shadowRoot)).find(Boolean);
    window.firstRound = undefined;
    addEventListener("pointerdown", () => {
        const pressed = performance.now();
        let gone = false; // what the run before this one wrote
        const look = () => {
            const stage = within(document);
            const guesses = [...(stage?.matches(".paired") ? stage.querySelectorAll(".duel-lane:last-child .duel-chip") : [])];
            const shown = guesses.some((chip) => chip.checkVisibility());
            gone ||= !shown;
            if (gone && shown) window.firstRound = performance.now() - pressed;
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, { once: true, capture: true });
}"""


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def _percentiles(name: str, values: Sequence[float]) -> None:
    middle, most, nearly_all = (quantile(values, share) for share in (0.5, 0.95, 0.99))
    _say(f"{name}: median {middle:.1f}, 95% {most:.1f}, 99% {nearly_all:.1f}, longest {max(values):.1f} ms")


# ---------------------------------------------------------------- frames


def frames() -> None:
    """The player alone, then the whole page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for pace in _PACES:
            _play(_page(browser), _PLAYED, pace)
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as address:
            _run(_page(browser), address)
        browser.close()


def _page(browser: Browser) -> Page:
    return browser.new_page(viewport={"width": 1280, "height": 720})


def _long_trace(tokens: int) -> Trace:
    """A run of about so many tokens, with alternatives in every round."""
    rounds: list[str] = []
    made = 0
    while made < tokens:
        rounds.append(_PATTERN[len(rounds) % len(_PATTERN)])
        made += rounds[-1].count("a") + 1
    return trace_of(rounds)


def _play(page: Page, tokens: int, pace: str) -> None:
    """A recording at one pace, from its middle on."""
    lab = Lab(page, cards=False)
    trace = _long_trace(tokens)
    lab.show(view_of(trace, plain_of(trace)))
    page.locator(".pace").select_option(pace)
    page.evaluate("document.querySelector('.scrubber').value = 500")
    page.locator(".scrubber").dispatch_event("input")
    lab.press(" ")
    between, own = page.evaluate(_WATCH, _SECONDS)
    _say(f"{tokens} tokens, {pace}: {1000 / mean(between):.0f} frames a second")
    _percentiles("  between frames", between)
    _percentiles("  script in a frame", own)
    page.close()


def _run(page: Page, address: str) -> None:
    times = []
    page.goto(f"{address}/?max_new_tokens=48&drafter=model")  # a chain: its guesses stand in the text
    loaded(page)
    run = page.get_by_role("button", name="Run", exact=True)
    for _ in range(_RUNS):
        page.wait_for_timeout(3_000)
        page.evaluate(_LISTEN)
        run.click()
        page.wait_for_function("window.firstRound")
        times.append(page.evaluate("window.firstRound"))
        stop = page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)
        expect(stop).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(3_000)
    run.click()
    between, _ = page.evaluate(_WATCH, _SECONDS)
    _percentiles("from Run to the first round on the stage", times)
    _percentiles("between frames while a run streams in", between)
    page.close()


# ---------------------------------------------------------------- live


class WatchedRun(NamedTuple):
    """Tokens a second on the engine's clock, seconds from Run to the first round, bytes of the events, and the page's processor time over
    the engine's."""

    rate: float
    first_s: float
    bytes: int
    share: float


def live() -> None:
    """Visits and runs without a page in turn; the engine process leaves one core to the page, so there are two ratios."""
    pair = load_pair("embedded", device="cpu", dtype="auto")
    with tempfile.TemporaryDirectory() as folder, classroom(Path(folder), tokens=_TOKENS) as host:
        asyncio.run(_visits(host, pair))


async def _visits(host: ClassroomHost, pair: Pair) -> None:
    settings = Settings(max_new_tokens=_TOKENS, k=5, policy="fixed", drafter="model")
    every = torch.get_num_threads()
    query = f"prompt={quote(_PROMPT)}&max_new_tokens={_TOKENS}&drafter=model&k=5&policy=fixed"
    guest = Guest(1, host.address, query)
    await guest.open()
    await guest.until(lambda: guest.usable, _PATIENCE_S, "the page")
    await _watched(host, guest)  # it loads the models
    runs: list[WatchedRun] = []
    rates: dict[int, list[float]] = {max(1, every - 1): [], every: []}
    for number in range(_REPEATS):
        await asyncio.sleep(2.0)
        runs.append(await _watched(host, guest))
        await asyncio.sleep(2.0)
        _rate_without_page(pair, settings, every)  # untimed
        for threads in sorted(rates, reverse=number % 2 == 1):
            rates[threads].append(_rate_without_page(pair, settings, threads))
    await guest.close()
    for threads, alone in rates.items():
        _ratios(
            f"live rate / without a page on {threads} threads",
            [run.rate / rate for run, rate in zip(runs, alone, strict=True)],
        )
    _ratios("seconds from Run to the first round", [run.first_s for run in runs])
    _ratios("kB of a run's events, uncompressed", [run.bytes / 1000 for run in runs])
    _ratios("page's processor time / engine's", [run.share for run in runs])


async def _watched(host: ClassroomHost, guest: Guest) -> WatchedRun:
    """Press Run, and follow the run to its end."""
    before, page, engine, began = guest.run, host.page_s(), host.engine_s(), monotonic()
    await guest.press("Run")
    await guest.until(lambda: guest.run is not before and bool(_batches(guest)), _PATIENCE_S, "the first round")
    first_s = monotonic() - began
    run = guest.run
    assert run is not None, "it is followed"
    await guest.until(lambda: run.over, _PATIENCE_S, "the end of the run")
    last = _batches(guest)[-1]["rounds"][-1]
    tokens = last["start"] + len(last["accepted"]) + (last["closing"] is not None)
    return WatchedRun(tokens / last["ended_s"], first_s, run.bytes, (host.page_s() - page) / (host.engine_s() - engine))


def _batches(guest: Guest) -> list[Any]:
    return guest.run.logs.get("speculative", []) if guest.run is not None else []


def _rate_without_page(pair: Pair, settings: Settings, threads: int) -> float:
    """Tokens a second; every candidate is recorded, as for a page."""
    torch.set_num_threads(threads)
    return summarise(Run(pair, _PROMPT, settings, recorder=FULL).finish()).tokens_per_second


def _ratios(name: str, values: Sequence[float]) -> None:
    spread = figure(values)
    _say(f"{name}: {spread.median:.3g} ({spread.low:.3g} to {spread.high:.3g})")


PARTS: dict[str, Callable[[], None]] = {"frames": frames, "live": live}


def main() -> None:
    """Measure the named parts, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="default: all")
    for part in parser.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
