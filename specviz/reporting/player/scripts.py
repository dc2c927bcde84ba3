"""The built scripts and style sheets of `specviz/web`, and what they need beside a view."""

from typing import Any

from specviz.decoding.constants import DELTA, EPSILON
from specviz.decoding.drafters import registry
from specviz.folders import BUILT
from specviz.reporting.player import looks


def script(name: str) -> str:
    """One ES module; that of a component exports by default how it is mounted."""
    return (BUILT / f"{name}.js").read_text(encoding="utf-8")


def style(name: str) -> str:
    """One style sheet after the colours of the looks."""
    return looks.css_variables() + (BUILT / f"{name}-style.css").read_text(encoding="utf-8")


def given() -> dict[str, Any]:
    """What the player needs beside a view, the same for all views: looks, drafters, constants of the rules."""
    return {
        "looks": looks.looks(),
        "drafters": registry.catalogue(),
        "rules": {"typical": {"epsilon": EPSILON, "delta": DELTA}},
    }
