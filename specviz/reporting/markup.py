"""What reports share: text that stays text, rows of a Markdown table, and whether there is anything to draw with."""

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec


def can_draw() -> bool:
    """Whether Plotly is here."""
    return find_spec("plotly") is not None


def table_row(cells: Sequence[str]) -> str:
    """A line of a Markdown table."""
    return "| " + " | ".join(as_plain(cell) for cell in cells) + " |"


def as_plain(text: str) -> str:
    """Text that breaks out of no table and begins no markup."""
    return " ".join(escape(text, quote=False).replace("|", "\\|").split())
