"""The explorables of the lessons on a static page, without Streamlit."""

from typing import Any

from playwright.sync_api import Page

from specviz.reporting.player.scripts import style
from tests.app.lab import themed
from tests.helpers.node import joined

DOTS = [
    {"name": name, "alpha": alpha, "c": 0.12, "v": 1.2, "k": k, "speedup": speedup}
    for name, alpha, k, speedup in (
        ("letters", 0.93, 6, 2.9),
        ("JSON", 0.9, 6, 2.5),
        ("a story", 0.6, 5, 1.2),
        ("verse", 0.45, 5, 0.92),
    )
]
STREAM: dict[str, Any] = {
    "picture": "six in one",
    "costs": {
        "kind": "pass cost", "recorded": "a machine of the tests", "file": "profile.json", "target": "Fixture-135M", "device": "cpu",
        "dtype": "float32", "processor": "a processor of the tests", "measured_at": "2026-01-01", "context": 64, "weights_bytes": 538e6,
        "points": [{"tokens": 1, "pass_s": 0.04}, {"tokens": 6, "pass_s": 0.05}],
    },
    "tokens": ["·your", "·kind", "·invitation", "·to", "·the", "·garden", "·party"],
}  # fmt: skip
COSTS: dict[str, Any] = {
    **STREAM["costs"],
    "guests": [
        {"guests": guests, "tokens": tokens, "pass_s": (40 + guests * tokens) / 1000}
        for guests in (1, 2, 4, 8, 16, 32, 64) for tokens in (1, 3, 5, 9)
    ],
    "guest_drafts": [{"guests": guests, "tokens": 1, "pass_s": 0.004 + guests / 10_000} for guests in (1, 2, 4, 8, 16, 32, 64)],
    "mixture": {**STREAM["costs"], "experts": 8, "dense": STREAM["costs"]["points"]},
}  # fmt: skip
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pictures</title><style>{} body {{ margin: 8px; background: var(--st-background-color); }}</style>
<style>{}</style></head><body><main><h1 style="position: absolute; clip-path: inset(50%)">Pictures</h1><div id="here"></div></main></body></html>"""
KINDS: dict[str, dict[str, Any]] = {
    "rule": {},
    "pays": {"dots": DOTS},
    "audit": {},
    "stream": STREAM,
    "costs": {"picture": "guests", "costs": COSTS},
    "rush": {"picture": "rush hour", "costs": COSTS, "dots": DOTS[::2]},
    "mask": {"tokens": STREAM["tokens"]},
}


class Explorable:
    """A page with one explorable on it."""

    def __init__(self, page: Page, kind: str, scheme: str = "light", **data: Any) -> None:
        self.page, self._kind = page, kind
        page.set_content(_PAGE.format(themed(scheme), style("explorables")))
        page.add_script_tag(content=joined("lessons", "lessons/explorables"))
        self.mount(**data)

    def mount(self, **data: Any) -> None:
        """Mount it, or hand it data again, as a page does that is rendered again."""
        self.page.evaluate(
            "([kind, data]) => lessons.EXPLORABLES[kind][0](document.getElementById('here'), data)", [self._kind, data]
        )
        self.settle()

    def settle(self) -> None:
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def text(self, part: str) -> str:
        return self.page.locator(f".{part}").inner_text()

    def tab_to(self, name: str) -> None:
        """Press Tab until the control with this accessible name has the focus."""
        for _ in range(60):
            self.page.keyboard.press("Tab")
            if self.focused().startswith(name):
                return
        raise AssertionError(f"{name!r} cannot be reached with the Tab key")

    def focused(self) -> str:
        found: str = self.page.evaluate(
            """() => { const it = document.activeElement;
                return it.getAttribute("aria-label") ?? it.closest("label")?.querySelector(".choice-text, .dragger-name")?.textContent ?? it.textContent; }"""
        )
        return found
