"""The tabs of the Lab. A tab with two questions has a row of its own for them."""

from collections.abc import Callable

from app.lab import sweeps
from app.lab.studies import best_k, drafts, machines, rush, texts

TABS: dict[str, dict[str, tuple[str, Callable[[], None]]]] = {
    "Sweeps": {
        "sweeps": ("Tables of runs", sweeps.section),
        "best-k": ("Best k for one prompt", best_k.section),
    },
    "Kinds of text": {"kinds-of-text": ("Kinds of text", texts.section)},
    "Drafts": {"drafts": ("Drafts", drafts.section)},
    "Rush hour": {
        "rush-hour": ("Many guests at once", rush.section),
        "other-machines": ("Another machine", machines.section),
    },
}
"""By the words on the tab: the questions by their names in the address (`app.address.SECTIONS`), each with its words and what renders it."""


def tab_of(section: str) -> str:
    """The tab that has a question; the first one for a name that is none."""
    return next((tab for tab, known in TABS.items() if section in known), next(iter(TABS)))
