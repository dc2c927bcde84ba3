"""Attention masks for trees, built by the model's own rule for every kind of layer.

A rule decides by two positions in the text whether a query may attend to a key: the key comes before it, or lies in its sliding
window, or in its chunk. transformers' models take the cache slot for the position, and in a tree the two differ: siblings have one
position and two slots. So in a tree pass the rules are given the text position of every slot, and a node attends only to its own
ancestors among the nodes. Which layers have which rule, and in what form they want their masks, stays the model's own business.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any

from torch import Tensor
from transformers import PreTrainedModel
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS

from specviz.errors import PairError
from specviz.models.networks.positions import Positions

# From batch, head, query and key indices, which broadcast, to bool: whether this query may attend to this key.
_Rule = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]

_KINDS = ("sdpa", "eager")  # the kinds of attention whose masks are tensors made from a rule
# transformers' functions for masks, all of which follow a rule.
_MAKERS = (
    "create_causal_mask",
    "create_sliding_window_causal_mask",
    "create_chunked_causal_mask",
    "create_masks_for_generate",
)


class _TreePass:
    """One pass over a tree, and how many masks were built for it."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self.masks = 0

    def covers(self, keys: object) -> bool:
        """True if a mask over this many keys belongs to the pass."""
        return keys == self._positions.end

    def rule(self, own: _Rule) -> _Rule:
        """The model's own rule for text positions, restricted to the ancestors."""
        begin, slots, attends = self._positions.begin, self._positions.slots, self._positions.attends
        assert slots is not None
        assert attends is not None

        def restricted(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
            at, allowed = slots.to(key.device), attends.to(key.device)
            return own(batch, head, at[query], at[key]) & allowed[query - begin, key]

        return restricted


_CURRENT: ContextVar[_TreePass | None] = ContextVar("the tree pass of this thread", default=None)


@contextmanager
def tree_masks(positions: Positions) -> Iterator[None]:
    """Within it, the masks that a model builds in this thread are those of these positions, which are a tree. Raises
    PairError at the end, if no mask was built by such a rule: the pass ignored the tree."""
    current = _TreePass(positions)
    before = _CURRENT.set(current)
    try:
        yield
    finally:
        _CURRENT.reset(before)
    if not current.masks:
        raise PairError(
            "This model built no attention mask by transformers' rules, so a tree cannot be read in one pass: use a drafter "
            "that proposes chains."
        )


def tree_refusal(model: PreTrainedModel) -> str:
    """Why a tree cannot be read in one pass of this model: a sentence without a full stop, or "" if it can."""
    name, text = type(model).__name__, model.config.get_text_config(decoder=True)
    if "position_ids" not in inspect.signature(model.forward).parameters:
        return f"{name} takes no position ids, and two nodes of a tree can have the same position"
    if getattr(text, "alibi", False):
        return f"{name} weakens attention by each key's index in the cache (ALiBi), and in a tree that index is not its position"
    if "local" in (getattr(text, "attention_layers", None) or ()):
        return f"{name} cuts its windows by each key's index in the cache, and in a tree that index is not its position"
    if any(hasattr(module, "create_position_ids_from_input_ids") for module in model.modules()):
        return f"{name} numbers its positions by its own rule, and a tree has to state them"
    if text._attn_implementation not in _KINDS:
        return f"{name} runs {text._attn_implementation}, which has no masks for trees"
    if not any(_builds_masks(module) for module in model.modules()):
        return f"{name} builds its attention masks by rules of its own, which know no trees"
    return ""


def _builds_masks(module: object) -> bool:
    """True if the source file of this module uses transformers' functions for masks."""
    return any(hasattr(sys.modules[type(module).__module__], maker) for maker in _MAKERS)


def _aware_of_trees(build: Callable[..., Any]) -> Callable[..., Any]:
    """One of transformers' functions that make a mask from a rule, with the tree's rule during a tree pass."""

    @wraps(build)
    def built(*args: Any, **options: Any) -> Any:
        current = _CURRENT.get()
        if current is None or not current.covers(options.get("kv_length")):
            return build(*args, **options)
        current.masks += 1
        options |= {"mask_function": current.rule(options["mask_function"]), "allow_is_causal_skip": False}
        return build(*args, **options)

    return built


for _kind in _KINDS:  # outside a tree pass both do what they did
    ALL_MASK_ATTENTION_FUNCTIONS[_kind] = _aware_of_trees(ALL_MASK_ATTENTION_FUNCTIONS[_kind])
