"""All exhibits of the zoo, for people: standard library only. The broken twins are in `specviz.audit.zoo.exhibits`, under the same names."""

from specviz.audit.zoo.exhibit import Exhibit
from specviz.audit.zoo.texts_of_drafts import DRAFTS
from specviz.audit.zoo.texts_of_rules import RULES
from specviz.audit.zoo.texts_of_targets import TARGETS

EXHIBITS: tuple[Exhibit, ...] = (
    *(one for one in (*RULES, *DRAFTS, *TARGETS) if not one.lossy),
    *(one for one in RULES if one.lossy),
)
"""The bugs, then the lossy rules that stand beside them."""


def exhibit(name: str) -> Exhibit:
    """The exhibit of this name; `KeyError` if there is none."""
    return {one.name: one for one in EXHIBITS}[name]
