"""Where a draft would have agreed with a text, asked for all of its places at once (teacher forcing).

Only where every distribution is one-hot is that a matter of yes or no: at temperature 0, and with shared noise.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import torch
from torch import Tensor

from specviz.decoding.protocols import LanguageModel, LookAhead
from specviz.decoding.sampling import warp
from specviz.settings import Settings

_PIECE = 64
"""So many places are scored at a time: the scores of a long text over a large vocabulary would not fit in memory."""


class LookingTarget(LanguageModel, LookAhead, Protocol):
    """A target that can also guess after its first layers."""


def matches(model: LanguageModel, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> tuple[bool, ...]:
    """For every token of `text` (plain decoding behind `prompt`), whether this model would have drafted it.

    Reads prompt and text once. Takes the model's cache, and leaves it empty.

    Raises:
        ValueError: the settings leave something to chance.
    """

    def read(tokens: Tensor, rows: int) -> Tensor:
        logits = model.forward(tokens, rows=rows).logits
        model.keep(range(len(tokens)))
        return logits

    model.begin(len(prompt) + len(text))
    found = _matches(read, prompt, text, settings, model.device)
    model.begin(0)
    return found


def exit_matches(
    target: LookingTarget, depth: int, prompt: Sequence[int], text: Sequence[int], settings: Settings
) -> tuple[bool, ...]:
    """The same for the first `depth` layers of the target and its head."""
    target.begin(len(prompt) + len(text))
    found = _matches(lambda tokens, rows: target.look_ahead(tokens, depth, rows), prompt, text, settings, target.device)
    target.begin(0)
    return found


@torch.inference_mode()
def _matches(
    read: Callable[[Tensor, int], Tensor],
    prompt: Sequence[int],
    text: Sequence[int],
    settings: Settings,
    device: torch.device,
) -> tuple[bool, ...]:
    """`read` takes [n] tokens behind those it was given before, and gives the [rows, V] scores of the last `rows`."""
    if not settings.certain:
        raise ValueError("whether a draft agrees is up to chance at this temperature")
    ids = torch.tensor([*prompt, *text], device=device)
    if len(prompt) > 1:
        read(ids[: len(prompt) - 1], 1)
    agreed = []
    for place in range(0, len(text), _PIECE):
        count = min(_PIECE, len(text) - place)
        begin = len(prompt) - 1 + place
        rows = read(ids[begin : begin + count], count)
        chosen = warp(rows, settings, range(place, place + count)).argmax(dim=-1)
        agreed.append(chosen == ids[begin + 1 : begin + 1 + count])
    return tuple(torch.cat(agreed).tolist()) if agreed else ()
