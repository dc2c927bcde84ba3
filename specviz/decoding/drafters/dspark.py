"""A trained head fills a block at once, corrects each slot by the token drafted before it, and stops where it is unsure (DSpark, in DeepSpec)."""

from specviz.decoding.drafters.block import BlockChain
from specviz.decoding.drafters.parts import Parts


def make(parts: Parts) -> BlockChain:
    """A chain from a block with a Markov bias. The policies "confidence" and "cost" ask its confidence head, before a slot's token is known."""
    return BlockChain(parts.head, parts.costs, name="dspark")
