"""The measured pictures of the lessons on a static page, with made-up measurements, which no page of the app shows."""

from typing import Any

from playwright.sync_api import Page

from specviz.reporting.player.scripts import style
from tests.app.still import Still
from tests.helpers.node import joined

_SOURCE = {
    "target": "Fixture-135M",
    "device": "cpu",
    "processor": "a processor of the tests",
    "dtype": "float32",
    "draft": "Fixture-draft",
    "threads": 2,
    "passes": 15,
    "disturbed": False,
    "why": "",
    "left_out": 0,
    "context": 64,
    "measured_at": "2026-01-01 12:00",
}
_WEIGHTS = 538e6


def _passes(*milliseconds: tuple[int, float]) -> list[dict[str, float]]:
    return [{"tokens": n, "pass_s": ms / 1e3, "low_s": ms / 1.03e3, "high_s": ms / 0.95e3} for n, ms in milliseconds]


ROOFLINE: dict[str, Any] = {
    **_SOURCE,
    "kind": "bandwidth",
    "weights_bytes": _WEIGHTS,
    "pass_s": 0.0405,
    "pass_low_s": 0.0398,
    "pass_high_s": 0.0421,
    "operations": 2.7e8,
    "reading_bytes_per_s": 15.2e9,
    "repeated_bytes_per_s": 15.4e9,
    "operations_per_s": 175e9,
    "points": [
        {**point, "operations": 2.7e8 * point["tokens"], "bytes": _WEIGHTS + 4e5 * point["tokens"]}
        for point in _passes((1, 40.5), (2, 42.0), (4, 44.1), (8, 48.7), (16, 58.3), (32, 81.0), (64, 139), (128, 262))
    ],
}
CACHED: dict[str, Any] = {
    **ROOFLINE,
    "weights_bytes": 6e6,
    "repeated_bytes_per_s": 61e9,
    "points": [
        {"tokens": n, "pass_s": ms / 1e3, "operations": 3e6 * n, "bytes": 6e6}
        for n, ms in ((1, 0.16), (2, 0.19), (4, 0.25), (8, 0.36), (16, 0.52), (32, 0.9), (64, 1.6))
    ],
}
"""A model so small that its weights stay in a cache."""
CURVE: dict[str, Any] = {
    **_SOURCE,
    "kind": "pass cost",
    "points": _passes(
        (1, 4.5), (2, 5.1), (3, 5.6), (4, 6.4), (5, 7.6), (6, 9.1), (7, 11.8), (8, 14.7), (12, 25.4), (16, 36.9), (24, 57.2), (32, 78.8)
    ),
}  # fmt: skip
FLAT: dict[str, Any] = {
    **_SOURCE,
    "kind": "pass cost",
    "device": "cuda",
    "points": _passes(*((n, 14 + 0.02 * n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64))),
}
SURFACE: dict[str, Any] = {
    **_SOURCE,
    "kind": "batch cost",
    "left_out": 3,
    "points": [
        {"guests": b, "tokens": n, "pass_s": s, "low_s": 0.97 * s, "high_s": 1.05 * s}
        for b in (1, 2, 4, 8, 16, 32, 64)
        for n in (1, 2, 3, 5, 9)
        for s in (max(0.020, 0.0011 * b * n) + 0.0006 * b * n,)
        if b * n < 300
    ],
    "draft_pass_s": [{"guests": b, "pass_s": 0.0015 + 0.0001 * b} for b in (1, 2, 4, 8, 16, 32, 64)],
}
DOTS = [
    {"name": name, "group": "recorded", "alpha": alpha, "c": 0.1, "v": 1.2, "k": 5, "speedup": 1.5}
    for name, alpha in (("letter", 0.86), ("lighthouse", 0.43))
]
RESULTS = {"bandwidth": ROOFLINE, "pass cost": CURVE, "batch cost": SURFACE}


class Drawn(Still):
    """A page with one measured picture on it, in a shadow root as on the page of a lesson."""

    def __init__(self, page: Page, scheme: str = "light") -> None:
        super().__init__(page, scheme)
        page.add_script_tag(content=joined("measured", "lessons/measured/measured_picture"))
        page.evaluate(
            """sheet => { const shadow = document.getElementById("here").attachShadow({ mode: "open" });
                const style = document.createElement("style"); style.textContent = sheet;
                window.room = document.createElement("div"); window.room.id = "drawn"; shadow.append(style, window.room); }""",
            style("explorables"),
        )

    def show(self, result: dict[str, Any] | None, **options: Any) -> None:
        """Show a measurement, in the same room as the one before."""
        self.page.evaluate(
            "([result, options]) => measured.measuredPicture(window.room, result, options)", [result, options]
        )
        self.settle()
