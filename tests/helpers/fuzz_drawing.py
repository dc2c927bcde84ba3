"""Damaged recordings that load, drawn by the player and exported as pages. How they are damaged: `fuzz.py` beside this."""

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser

from specviz.errors import TraceError
from specviz.reporting.player.html_page import page
from specviz.reporting.player.scripts import given, style
from specviz.trace.files import dump
from specviz.trace.records import Trace
from tests.helpers.fuzz import HOSTILE
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
        tab.wait_for_selector(".stage .transport", state="attached", timeout=10_000)
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
