"""Checks of what a drafter of somebody's own proposes. Drafters of this project are proved by tests; these say in a sentence what is wrong."""

import torch

from specviz.decoding.protocols import Draft, Drafter, LanguageModel
from specviz.errors import DrafterError

_OURS = "specviz."
_TOLERANCE = 1e-3  # how far the sum of a distribution may be from 1: float16 is no closer over large vocabularies


def is_own(drafter: Drafter) -> bool:
    """A drafter from outside this project is one whose drafts are checked."""
    return not type(drafter).__module__.startswith(_OURS)


def check_methods(drafter: object) -> None:
    """Check that an object is a drafter with a name. Raises DrafterError if it is not."""
    if not isinstance(drafter, Drafter) or not hasattr(drafter, "name"):
        raise DrafterError(
            f"The drafter was {type(drafter).__name__}: derive its class from specviz.Drafter, with name, begin and propose."
        )


def check_draft(drafter: Drafter, draft: object, limit: int, target: LanguageModel, *, numbers: bool) -> None:
    """Check that this is a draft which the loop can verify and judge. Raises DrafterError if it is not; the message
    says what was proposed and what to do.

    Args:
        limit: how many tokens one after another were asked for.
        numbers: also check ids and distributions, for which the device is waited for.
    """
    subject = f"The drafter {drafter.name}"
    if not isinstance(draft, Draft):
        raise DrafterError(f"{subject} proposed {type(draft).__name__}: return a Draft (specviz.decoding.protocols).")
    tokens, parents, q = draft.tokens, draft.parents, draft.probabilities
    if not isinstance(tokens, torch.Tensor) or tokens.dim() != 1 or tokens.dtype != torch.int64:
        raise DrafterError(f"{subject} proposed tokens that are no row of ids: give a tensor [m] of int64.")
    count = len(tokens)
    if len(parents) != count or any(not -1 <= parent < index for index, parent in enumerate(parents)):
        raise DrafterError(
            f"{subject} proposed {count} tokens with the parents {tuple(parents)!s:.80}: give each token the index of an earlier one, or -1."
        )
    if (deepest := max(draft.depths, default=0)) > limit:
        raise DrafterError(
            f"{subject} proposed {deepest} tokens one after another where at most {limit} were asked for: stop at `limit`."
        )
    if not isinstance(q, torch.Tensor) or tuple(q.shape) != (count, target.vocabulary):
        raise DrafterError(
            f"{subject} proposed {count} tokens without a distribution for each: give probabilities [{count}, {target.vocabulary}], from "
            "which they were drawn."
        )
    if {tokens.device.type, q.device.type} != {target.device.type}:
        raise DrafterError(f"{subject} proposed tensors that are not on {target.device}: make them there.")
    if numbers and count:
        _check_numbers(subject, draft, target.vocabulary)


def _check_numbers(subject: str, draft: Draft, vocabulary: int) -> None:
    low, high = int(draft.tokens.min()), int(draft.tokens.max())
    if low < 0 or high >= vocabulary:
        raise DrafterError(
            f"{subject} proposed the id {low if low < 0 else high}, and the target has the ids 0 to {vocabulary - 1}."
        )
    q = draft.probabilities.double()
    if not bool((q >= 0).all()) or not bool(((q.sum(-1) - 1).abs() < _TOLERANCE).all()):
        raise DrafterError(
            f"{subject} proposed probabilities that are no distribution: every row is at least 0 and has the sum 1."
        )
    if not bool((q.gather(1, draft.tokens[:, None]) > 0).all()):
        raise DrafterError(
            f"{subject} proposed a token that its own distribution gives the probability 0: give the distribution that it was drawn from."
        )
