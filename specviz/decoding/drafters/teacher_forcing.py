"""Where a drafter would have proposed the tokens of a given text, asked for all positions at once (teacher forcing).

Only where every distribution is one-hot is that a matter of yes or no: at temperature 0, and with shared noise.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from specviz.decoding.protocols import LanguageModel
from specviz.decoding.sampling import warp
from specviz.settings import Settings

_POSITIONS = 64
"""How many positions are scored at a time: the scores of a long text over a large vocabulary would not fit in memory."""


def read_and_keep(model: LanguageModel) -> Callable[[Tensor, int], Tensor]:
    """Reads [n] tokens after those read before, keeps them, and gives the [rows, V] scores of the last `rows`."""

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

    Reads prompt and text once, with `model`, whose cache is used and left empty.

    Args:
        model: the one whose cache `read` writes.
        read: takes [n] tokens after those it was given before, and gives the [rows, V] scores of the last `rows`.

    Raises:
        ValueError: tokens are drawn at random with these settings.
    """
    if not settings.certain:
        raise ValueError("tokens are drawn at random at this temperature: whether a draft matches is no yes or no")
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
