"""`make frames`: how smoothly the player plays, measured in a real Chromium. Numbers to read, not a test: nothing else should run.

Plays a recording of 512 tokens at every pace that moves, and one of 2,000 tokens, and prints percentiles of the time between frames and of
the script's own time in each; then how much memory ten runs in a row leave behind; then, on the whole page with the embedded pair, how long
it takes from Run to the first token of the first round, how smoothly a run streams in, and how smoothly the steps of a lesson change.
"""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import CDPSession, Page, expect, sync_playwright

from specviz.trace.records import Trace
from tests.app.chromium import FLAGS, find
from tests.app.conftest import loaded
from tests.app.lab import Lab
from tests.app.server import serving
from tests.helpers.views import plain_of, trace_of, view_of

_SECONDS = 6
_PATTERN = ["aaaaa", "aardd", "rdddd", "aaard", "aaaaa"]
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

_RUNS = 9
_LISTEN = """() => {
    const within = (root) => root.querySelector(".stage") ?? [...root.querySelectorAll("*")]
        .map((part) => part.shadowRoot && within(part.shadowRoot)).find(Boolean);
    window.firstRound = window.firstToken = undefined;
    let stage = within(document);
    addEventListener("pointerdown", () => {
        const pressed = performance.now();
        const look = (now) => {
            if (!stage?.isConnected) stage = within(document);
            const begun = stage?.querySelector(".round-name").textContent.startsWith("Round 1 ")
                && stage.querySelector(".role.draft.active")
                && !stage.querySelector(".manuscript .token:not([hidden])");
            if (begun) window.firstRound ??= performance.now() - pressed;
            if (begun && stage.querySelector(".guess.typed")) window.firstToken = performance.now() - pressed;
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, { once: true, capture: true });
}"""
_FRAMES = """(seconds) => new Promise((done) => {
    const between = [];
    let last;
    const began = performance.now();
    const frame = (now) => {
        if (last !== undefined) between.push(now - last);
        last = now;
        if (performance.now() - began < 1000 * seconds) requestAnimationFrame(frame);
        else done(between);
    };
    requestAnimationFrame(frame);
})"""
_LESSONS = ("editor", "family")
_STEP_SECONDS = 1.5
_TURN = """(seconds) => new Promise((done) => {
    const between = [];
    let last;
    const began = performance.now();
    const frame = (now) => {
        if (last !== undefined) between.push(now - last);
        else document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        last = now;
        if (performance.now() - began < 1000 * seconds) requestAnimationFrame(frame);
        else done(between);
    };
    requestAnimationFrame(frame);
})"""
"""The times between frames from the key that turns to the next step until the picture is at rest."""


def long_trace(tokens: int) -> Trace:
    """A run of about so many tokens, with alternatives in every round."""
    rounds: list[str] = []
    made = 0
    while made < tokens:
        rounds.append(_PATTERN[len(rounds) % len(_PATTERN)])
        made += rounds[-1].count("a") + 1
    return trace_of(rounds)


def _line(name: str, values: Sequence[float]) -> str:
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 0.99)]
    return f"{name}: median {at[0]:.1f}, 95 % {at[1]:.1f}, 99 % {at[2]:.1f}, longest {ordered[-1]:.1f} ms"


def smoothness(page: Page, tokens: int, pace: str) -> None:
    """Print how one recording plays at one pace, from its middle on."""
    lab = Lab(page, cards=False)
    trace = long_trace(tokens)
    lab.show(view_of(trace, plain_of(trace)))
    page.locator(".pace").select_option(pace)
    page.evaluate("document.querySelector('.scrubber').value = 500")
    page.locator(".scrubber").dispatch_event("input")
    lab.press(" ")
    between, own = page.evaluate(_WATCH, _SECONDS)
    print(f"{tokens} tokens, {pace}: {1000 / statistics.mean(between):.0f} frames a second")  # noqa: T201
    print("  " + _line("between frames", between))  # noqa: T201
    print("  " + _line("script in a frame", own))  # noqa: T201


def memory(page: Page, session: CDPSession) -> None:
    """Print the heap after each of ten runs shown one after the other."""
    lab = Lab(page, cards=False)
    trace = long_trace(256)
    sizes = []
    for number in range(10):
        lab.show({**view_of(trace, plain_of(trace)), "id": f"run {number}"})
        lab.press("End", "Home", "End", "w", "Escape")
        session.send("HeapProfiler.collectGarbage")
        session.send("HeapProfiler.collectGarbage")
        sizes.append(session.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
    print("heap after each of ten runs, MB: " + " ".join(f"{size:.1f}" for size in sizes))  # noqa: T201


def first_round(page: Page) -> None:
    """Print the times from Run to the first round on the stage and to its first token, over some runs of a warm pair, and between the frames of
    one more."""
    times = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as address:
        page.goto(f"{address}/?max_new_tokens=48&drafter=model")  # a chain: its guesses stand in the text
        loaded(page)
        run = page.get_by_role("button", name="Run", exact=True)
        for _ in range(_RUNS):
            page.wait_for_timeout(3_000)
            page.evaluate(_LISTEN)
            run.click()
            page.wait_for_function("window.firstToken")
            times.append(page.evaluate("[window.firstRound, window.firstToken]"))
            expect(
                page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Stop", exact=True)
            ).to_be_disabled(timeout=60_000)
        page.wait_for_timeout(3_000)
        run.click()
        streaming = page.evaluate(_FRAMES, _SECONDS)
    rounds, tokens = zip(*times, strict=True)
    print(_line("from Run to the first round on the stage", rounds))  # noqa: T201
    print(_line("from Run to its first token, a fifth of its drafting later", tokens))  # noqa: T201
    print(_line("between frames while a run streams in", streaming))  # noqa: T201


def steps(page: Page) -> None:
    """Print the times between frames while the steps of lessons change, and the longest one of each step."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "log.txt") as address:
        for name in _LESSONS:
            page.goto(f"{address}/learn?lesson={name}&step=1")
            expect(page.locator(".learn .stage .slot").first).to_be_visible(timeout=60_000)
            page.wait_for_timeout(3_000)
            turns = page.locator(".learn-mark").count() - 1
            measured: list[list[float]] = [page.evaluate(_TURN, _STEP_SECONDS) for _ in range(turns)]
            print(_line(f"{name}, between frames while a step changes", [time for turn in measured for time in turn]))  # noqa: T201
            print("  longest of each: " + " ".join(f"{max(turn):.0f}" for turn in measured))  # noqa: T201


def main() -> None:
    """All of it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for tokens, pace in (
            (512, "slow"),
            (512, "lesson"),
            (512, "quick"),
            (512, "real"),
            (2000, "quick"),
            (2000, "real"),
        ):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            smoothness(page, tokens, pace)
            page.close()
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        memory(page, page.context.new_cdp_session(page))
        page.close()
        first_round(browser.new_page(viewport={"width": 1280, "height": 720}))
        steps(browser.new_page(viewport={"width": 1280, "height": 720}))
        browser.close()


if __name__ == "__main__":
    main()
