"""`python -m tools.site_figures`: builds the site and prints its figures, measured in a real Chromium. Nothing else should run.

What the first page, a chapter and a gallery's run load (bytes as they are, requests); how long until each can be used, and its longest pause,
with the processor four times slower and 1.6 Mbit/s with 150 ms of latency, as Lighthouse has it for a phone; how many pages a second are
built; the time between frames of a run that plays; and what axe-core finds on every kind of page in both themes and every language.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from specviz.site.build import build
from specviz.words import languages
from tests.app.axe import serious
from tests.app.chromium import FLAGS, find
from tests.app.site_server import serving

_PAGES = {"first page": "#/", "chapter": "#/learn/editor/1", "heaviest chapter": "#/learn/heads/1", "gallery": "#/runs", "run": "#/runs/letter",
          "race": "#/race", "zoo": "#/zoo/1", "teacher's page": "#/teach"}  # fmt: skip
_SLOWER, _BITS, _LATENCY_MS = 4, 1_600_000, 150
_USABLE = """() => new Promise((done) => {
    let longest = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((each) => { longest = Math.max(longest, each.duration); }))
        .observe({ type: "longtask", buffered: true });
    const look = () => {
        const part = document.querySelector("main .part");
        const there = part ? part.shadowRoot?.lastElementChild?.childElementCount : document.querySelector("main h1");
        if (there) { const ready = performance.now(); setTimeout(() => done([ready, longest]), 500); } else requestAnimationFrame(look);
    };
    look();
})"""
_FRAMES = """() => new Promise((done) => {
    const between = []; let last;
    const frame = (now) => { if (last) between.push(now - last); last = now; if (between.length < 300) requestAnimationFrame(frame); else done(between); };
    requestAnimationFrame(frame);
})"""


def _weigh(page: Page, address: str, folder: Path) -> dict[str, Any]:
    """What a visit of one page loads, and when it can be used on a slow phone."""
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    link = page.context.new_cdp_session(page)
    link.send("Network.enable")
    link.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    speed = {"latency": _LATENCY_MS, "downloadThroughput": _BITS / 8, "uploadThroughput": _BITS / 8, "offline": False}
    link.send("Network.emulateNetworkConditions", speed)
    page.goto(address, wait_until="commit")
    ready, longest = page.evaluate(_USABLE)
    home = address.partition("index.html")[0]
    sizes = [(folder / url.removeprefix(home).partition("#")[0]).stat().st_size for url in set(loaded)]
    return {"kB": sum(sizes) / 1000, "requests": len(sizes), "ready": ready / 1000, "longest": longest}


def _axe(browser: Browser, address: str) -> int:
    """How many serious or critical findings there are on all kinds of pages, in both themes and every language."""
    found = 0
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme, reduced_motion="reduce")
        for language in languages():
            for hash_ in _PAGES.values():
                page.goto(f"{address}{hash_.replace('#/', f'#/{language}/', 1)}")
                page.evaluate(_USABLE)
                for violation in serious(page):
                    found += 1
                    print(f"axe, {scheme}, {language}, {hash_}: {violation}")  # noqa: T201
        page.close()
    return found


def main() -> None:
    """Print every figure."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "site"
        began = time.perf_counter()
        build(folder)
        seconds = time.perf_counter() - began
        data = sum(1 for _ in (folder / "data").iterdir())
        print(f"built in {seconds:.1f} s: {data} files of data, {data / seconds:.0f} a second")  # noqa: T201
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for compressing in (True, False):
            print("from a host that compresses, as most do" if compressing else "from one that does not")  # noqa: T201
            with serving(folder, compressing=compressing) as home:
                for title, hash_ in _PAGES.items():
                    page = browser.new_page()
                    found = _weigh(page, f"{home}index.html{hash_}", folder)
                    page.close()
                    line = "{:<17} {kB:4.0f} kB in {requests:2} requests, usable after {ready:.1f} s, longest pause {longest:.0f} ms"
                    print(line.format(title, **found))  # noqa: T201
        with serving(folder) as home:
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{home}index.html#/runs/letter")
            page.evaluate(_USABLE)
            between = page.evaluate(_FRAMES)
            page.close()
            cut = statistics.quantiles(between, n=100)
            print(f"a run that plays: {statistics.median(between):.1f} ms between frames, 95% below {cut[94]:.1f} ms")  # noqa: T201
            print(f"axe-core: {_axe(browser, f'{home}index.html')} serious or critical findings")  # noqa: T201
        browser.close()


if __name__ == "__main__":
    main()
