"""The target drafts for itself with its weights in 8 bits (as in Zhao et al., "QSpec", arXiv 2410.11305, for fewer bits)."""

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> ModelDrafter:
    """Drafts with the target's copy in 8 bits, which has its own cache. The first call takes a while, since it makes the copy."""
    return ModelDrafter(parts.draft, parts.costs, name="quantized")
