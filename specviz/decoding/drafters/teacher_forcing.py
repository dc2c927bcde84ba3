"""Which tokens of a given text a drafter would have proposed, for all positions at once (teacher forcing).

This has a yes-or-no answer only where every distribution is one-hot: at temperature 0, and with shared noise.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from specviz.decoding.protocols import LanguageModel
from specviz.decoding.sampling import warp
from specviz.settings import Settings

_POSITIONS = 64
"""How many positions are scored at a time, because the scores of a long text over a large vocabulary may not fit in memory."""


def read_and_keep(model: LanguageModel) -> Callable[[Tensor, int], Tensor]:
    """A function that reads [n] tokens after the previous ones, keeps them, and returns the [rows, V] scores of the last `rows`."""

    def read(tokens: Tensor, rows: int) -> Tensor:
        logits = model.forward(tokens, rows=rows).logits
        model.keep(range(len(tokens)))
        return logits

    return read


@torch.inference_mode()
def matches(
    model: LanguageModel,
    read: Callable[[Tensor, int], Tensor],
    prompt: Sequence[int],
    text: Sequence[int],
    settings: Settings,
) -> tuple[bool, ...]:
    """For every token of `text` (plain decoding after `prompt`), whether it would have been drafted.

    Reads prompt and text once with `model`. Its cache is used, and empty afterwards.

    Args:
        model: the model whose cache `read` writes.
        read: takes [n] tokens that follow the previous call's, and returns the [rows, V] scores of the last `rows`.

    Raises:
        ValueError: tokens are drawn at random with these settings.
    """
    if not settings.certain:
        raise ValueError(
            "tokens are drawn at random at this temperature: whether a draft matches is not decided by the text"
        )
    model.begin(len(prompt) + len(text))
    ids = torch.tensor([*prompt, *text], device=model.device)
    if len(prompt) > 1:
        read(ids[: len(prompt) - 1], 1)
    found = []
    for offset in range(0, len(text), _POSITIONS):
        count = min(_POSITIONS, len(text) - offset)
        first = len(prompt) - 1 + offset
        rows = read(ids[first : first + count], count)
        chosen = warp(rows, settings, range(offset, offset + count)).argmax(dim=-1)
        found.append(chosen == ids[first + 1 : first + 1 + count])
    model.begin(0)
    return tuple(torch.cat(found).tolist()) if found else ()
