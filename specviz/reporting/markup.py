"""Helpers of the Markdown and HTML reports: escaped text, table rows, and whether charts can be drawn."""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec


def can_draw() -> bool:
    """Whether Plotly is installed."""
    return find_spec("plotly") is not None


def table_row(cells: Sequence[str]) -> str:
    """One row of a Markdown table."""
    return "| " + " | ".join(as_plain(cell) for cell in cells) + " |"


def as_plain(text: str) -> str:
    """Text escaped so that it cannot break a table row or start markup."""
    return " ".join(escape(text, quote=False).replace("|", "\\|").split())
