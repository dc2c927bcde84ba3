"""The first EAGLE (Li et al., arXiv 2401.15077) drafts a chain: its head learned to guess the target's next state, and each further guess
is made from the one before, so that errors add up. EAGLE-3 was made to avoid that."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.eagle import EagleDrafter
from specviz.decoding.drafters.kit import Kit

DESCRIPTION = Description(
    name="eagle1",
    label="EAGLE-1 head",
    explanation="One trained layer that guesses the target's last state; its further guesses drift away.",
    needs="trained head",
    head="eagle1",
    policies=("fixed", "confidence", "history", "cost"),
    picture="fed layer",
    does="one trained layer, fed by {reads}",
    drafting="The head guesses the target's last state for {next}, one after the other.",
    idle="The target has not read a token yet: there is no state to draft from.",
)


def make(kit: Kit, costs: Costs | None) -> "Eagle1Drafter":
    """A drafter with the head that was trained for the pair's target."""
    return Eagle1Drafter(kit.head(DESCRIPTION.head), costs)


class Eagle1Drafter(EagleDrafter):
    """Drafts a chain with an EAGLE-1 head."""

    name = DESCRIPTION.name
