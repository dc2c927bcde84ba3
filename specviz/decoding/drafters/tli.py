"""A draft model of another tokenizer, limited to the tokens that both have ("TLI", Timor et al., arXiv 2502.05202, algorithm 4)."""

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.model import ModelDrafter

DESCRIPTION = Description(
    name="tli",
    label="shared tokens",
    explanation="A small model with another tokenizer drafts the tokens that both tokenizers have.",
    needs="other tokenizer",
    policies=("fixed", "confidence", "history", "cost"),
    picture="model",
    does="reads with its own tokens, types those that both have",
    drafting="The draft model has another tokenizer. It guesses {next}, one after the other, among the tokens that both have.",
)


def make(kit: Kit, costs: Costs | None) -> "SharedTokensDrafter":
    """A drafter that uses the pair's model of another tokenizer."""
    return SharedTokensDrafter(kit.other.model, costs)


class SharedTokensDrafter(ModelDrafter):
    """Drafts with a model that reads the target's ids as its own, and scores only those that it has too."""

    name = DESCRIPTION.name
