"""The built scripts and style sheets of `specviz/web`, and what they need beside a view."""

from pathlib import Path
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import BUILT
from specviz.reporting.player.token_styles import styles_json

_COLOURS = Path(__file__).with_name("token_colours.css")


def script(name: str) -> str:
    """A built ES module; the default export of a component's module mounts it."""
    return (BUILT / f"{name}.js").read_text(encoding="utf-8")


def style(name: str) -> str:
    """A built style sheet, after the colours of the tokens' states."""
    return "".join(file.read_text(encoding="utf-8") for file in (_COLOURS, BUILT / f"{name}-style.css"))


def given() -> dict[str, Any]:
    """The values that the player needs beside every view: styles of the tokens, and drafters."""
    return {"looks": styles_json(), "drafters": registry.catalogue()}
