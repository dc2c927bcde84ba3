"""A layer of multi-token prediction drafts a chain, as EAGLE does: it reads the target's last state and the token after it, and goes on from its own state.

DeepSeek-V3 (arXiv 2412.19437, section 2.2). The layer is a head that was trained for the target, or comes with the target's own checkpoint.
"""

from specviz.decoding.drafters.eagle import EagleDrafter
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> "MtpDrafter":
    """A drafter with the target's layer of multi-token prediction."""
    return MtpDrafter(parts.head, parts.costs)


class MtpDrafter(EagleDrafter):
    """Drafts a chain with a layer of multi-token prediction."""

    name = "mtp"
