"""One file per way of drafting; each is a `specviz.protocols.Drafter`."""

from specviz.drafters.model import ModelDrafter
from specviz.drafters.none import NoDrafter

__all__ = ["ModelDrafter", "NoDrafter"]
