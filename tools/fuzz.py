"""Give 10,000 damaged recordings to the loader and, if they load, to the player: `make fuzz`. How they are damaged: tests/helpers/fuzz.py."""

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from specviz.errors import TraceError
from specviz.reporting.player.html_page import page
from specviz.reporting.player.scripts import given, style
from specviz.trace.files import dump
from specviz.trace.records import Trace
from tests.app.chromium import FLAGS, find
from tests.helpers.fuzz import HOSTILE, mutants, reading
from tests.helpers.node import joined

_DRAWN = """([views, given]) => views.map((view, index) => {
  const root = document.querySelector("main").appendChild(document.createElement("div"));
  root.className = "stage";
  try {
    const stage = new inside.Stage(root);
    stage.show(view, given);
    for (const [pace, moments] of [["lesson", 50], ["real", 5]]) {
      stage.head.setPace(pace);
      for (let i = 0; i <= moments; i += 1) {
        stage.pointed = i % 6;
        const position = inside.positionAt(stage.run, stage.head.plan, stage.head.plan.end * i / moments);
        if (!Number.isFinite(stage.head.plan.end) || !Number.isFinite(position.engine)) throw new Error("a clock that is no number");
        stage.draw(position);
      }
    }
    if (root.querySelector("img, script, iframe, a")) throw new Error("text became markup");
    if (window.hacked) throw new Error("text was run");
    if (/NaN|Infinity|undefined|null/.test(root.querySelector(".dial").textContent)) throw new Error("no figure: " + root.querySelector(".dial").textContent);
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...root.querySelectorAll("*")].filter((n) => n.getBoundingClientRect().right > root.getBoundingClientRect().right + 1);
      throw new Error(`wider than the page: ${wide.map((n) => n.className).slice(0, 5)}`);
    }
    return "";
  } catch (error) {
    return `mutant ${index}: ${error.stack}`;
  } finally {
    root.remove();
  }
}).filter(Boolean)"""


def drawing_problems(browser: Browser, recordings: Sequence[tuple[Trace, ...]]) -> list[str]:
    """What goes wrong when the player draws each of them at 51 moments, then at its real pace; empty where nothing does."""
    views = [{"id": f"m{i}", "status": "opened", "origin": "x", "recording": dump(r)} for i, r in enumerate(recordings)]
    tab = browser.new_page(viewport={"width": 390, "height": 844})
    tab.set_content("<main></main>")
    tab.add_style_tag(content=style("player"))
    tab.add_script_tag(content=joined("inside", "player/stage", "player/position"))
    found: list[str] = tab.evaluate(_DRAWN, [views, given()])
    tab.close()
    return found


def page_problems(browser: Browser, recordings: Sequence[tuple[Trace, ...]], folder: Path) -> list[str]:
    """What goes wrong when each of them is exported, opened from disk without a network, and played."""
    found: list[str] = []
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.on("pageerror", lambda error: found.append(f"threw: {error}"))
    tab.on("console", lambda message: found.append(f"console: {message.text}"))
    for index, traces in enumerate(recordings):
        file = folder / f"{index}.html"
        try:
            file.write_text(page(traces, HOSTILE[index % len(HOSTILE)]), encoding="utf-8")
        except TraceError:
            assert not traces[0].rounds, "only a recording without rounds is rejected"
            continue
        before = len(found)
        tab.goto(file.as_uri())
        tab.wait_for_selector(".stage .transport", timeout=10_000)
        for key in ("End", "Home", "ArrowRight", " "):
            tab.keyboard.press(key)
        if tab.evaluate("document.querySelectorAll('img, iframe, a, body script').length") != 2 or tab.evaluate(
            "window.hacked"
        ):
            found.append("text became markup")
        if tab.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("it is wider than the page")
        found[before:] = [f"mutant {index} {problem}" for problem in found[before:]]
    context.close()
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Try them; on failure exit code 1 and the first failing recording in a file."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument(
        "--drawn", type=int, default=200, help="how many of those that load are drawn; half of them are exported too"
    )
    args = parser.parse_args(argv)
    say(f"{args.count} mutants from seed {args.seed}")
    began, slowest, loaded = perf_counter(), 0.0, []
    for number, content in enumerate(mutants(args.seed, args.count)):
        start = perf_counter()
        try:
            traces = reading(content)
        except Exception as error:  # noqa: BLE001  # finding any is the purpose
            culprit = Path(tempfile.gettempdir()) / f"mutant-{args.seed}-{number}.json"
            culprit.write_bytes(content)
            say(f"FAILED: mutant {number} gives {type(error).__name__}: {str(error)[:300]}; it is kept in {culprit}")
            return 1
        slowest = max(slowest, perf_counter() - start)
        if traces:
            loaded.append(traces)
    say(
        f"{len(loaded)} read, {args.count - len(loaded)} rejected, {perf_counter() - began:.0f} s, the slowest {slowest:.2f} s"
    )
    chosen = random.Random(args.seed).sample(loaded, min(args.drawn, len(loaded)))  # noqa: S311  # nothing here is secret
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        problems = drawing_problems(browser, chosen) + page_problems(browser, chosen[::2], Path(folder))
        browser.close()
    for problem in problems[:10]:
        say(f"FAILED: {problem}")
    say(
        f"{len(chosen)} of them drawn, every second exported, {len(problems)} problems, {perf_counter() - began:.0f} s in all"
    )
    return 1 if problems else 0


def say(line: str) -> None:
    """A line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
