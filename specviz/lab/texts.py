"""Where would a text fly: the acceptance at each position, from one pass of the target and one of the draft over it."""

import codecs
from collections import Counter
from collections.abc import Sequence

import torch

from specviz.decoding.drafters.teacher_forcing import read_and_keep
from specviz.decoding.recorder import LIGHT
from specviz.decoding.sampling import warp
from specviz.errors import InputError
from specviz.lab.strip import KindOfText, StripToken, kind_of
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.run import Run
from specviz.settings import Settings

_AT_ONCE = 64
_WINDOW = 1024
"""A longer text is read in windows, each without what came before."""


def of_prompts(
    pair: Pair, name: str, prompts: Sequence[ReadyPrompt], settings: Settings, *, template: bool
) -> KindOfText:
    """The acceptance over what the target itself writes after these prompts, all of one kind."""
    strip: list[StripToken] = []
    rejected: Counter[str] = Counter()
    for ready in prompts:
        plain = Run(pair, ready.text, settings, plain=True, template=template, recorder=LIGHT).finish()
        strip += _read(pair, plain.prompt_ids, plain.token_ids, settings, rejected)
    return kind_of(name, strip, rejected, own=False)


def of_text(pair: Pair, name: str, text: str, settings: Settings, most: int) -> KindOfText:
    """The acceptance over a person's own text, as if the target had written it; at most so many tokens of it.

    Raises:
        InputError: it has fewer than two tokens.
    """
    ids = pair.text.encode(text, template=False)[: most + 1]
    if len(ids) < 2:
        raise InputError(f"The text {name!r:.60} has fewer than two tokens: give a longer one.")
    window = min(_WINDOW, *(model.context for _, model in pair.models))
    strip: list[StripToken] = []
    rejected: Counter[str] = Counter()
    for start in range(0, len(ids) - 1, window - 1):
        part = ids[start : start + window]
        strip += _read(pair, part[:1], part[1:], settings, rejected)
    return kind_of(name, strip, rejected, own=True)


@torch.inference_mode()
def _read(
    pair: Pair, before: Sequence[int], text: Sequence[int], settings: Settings, rejected: Counter[str]
) -> list[StripToken]:
    """Each token of `text` after the tokens before it; adds to `rejected` what the draft proposes in vain. Uses the pair's caches.

    Where tokens share a character, it stands at the one that completes it, and those before have no text.
    """
    pair.take()
    models = (pair.target, pair.require_draft())
    ids = torch.tensor([*before, *text], device=pair.target.device)
    reading = [read_and_keep(model) for model in models]
    for model, read in zip(models, reading, strict=True):
        model.begin(len(ids))
        if len(before) > 1:
            read(ids[: len(before) - 1], 1)
    found: list[StripToken] = []
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for offset in range(0, len(text), _AT_ONCE):
        count = min(_AT_ONCE, len(text) - offset)
        first = len(before) - 1 + offset
        p, q = (
            warp(read(ids[first : first + count], count), settings, range(offset, offset + count)) for read in reading
        )
        alphas = torch.minimum(p, q).sum(dim=-1).clamp(0, 1).tolist()
        in_vain = (q - p).clamp(min=0).sum(dim=0)
        for times, token in zip(*(each.tolist() for each in in_vain.topk(min(50, len(in_vain)))), strict=True):
            rejected[piece(pair, token)] += times
        found += [
            StripToken(decoder.decode(pair.text.bytes_of(text[offset + i]).data), alpha)
            for i, alpha in enumerate(alphas)
        ]
    for model in models:
        model.begin(0)
    return found


def piece(pair: Pair, token: int) -> str:
    """A token's text."""
    return pair.text.bytes_of(token).data.decode("utf-8", errors="replace")
