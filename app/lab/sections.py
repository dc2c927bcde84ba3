"""The sections of the Lab, by the words on their buttons. A section that is not here is not offered."""

from collections.abc import Callable

from app.lab import sweeps
from app.lab.studies import best_k, drafts, machines, rush, texts

SECTIONS: dict[str, Callable[[], None]] = {
    "Sweeps": sweeps.section,
    "Best k": best_k.section,
    "Kinds of text": texts.section,
    "Drafts": drafts.section,
    "Rush hour": rush.section,
    "Other machines": machines.section,
}
"""Each renders itself. In the address a section goes by `name_of` its words, which is one of `app.address.SECTIONS`."""


def name_of(label: str) -> str:
    """A section in the address: "Best k" is `best-k`."""
    return label.lower().replace(" ", "-")
