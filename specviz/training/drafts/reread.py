"""The target reads text that it wrote before, and says beside every token what it would have written instead: what drafts learn from."""

from collections.abc import Callable
from dataclasses import replace

import torch

from specviz.models.loading import Target
from specviz.training.drafts.store import OwnText
from specviz.training.drafts.writer import TOP

_PASS = {"cuda": 16_384}
"""Tokens of a pass, padding included: as many rows of scores are in memory at once."""
_SMALL_PASS = 1024


@torch.inference_mode()
def with_probabilities(
    target: Target, own: OwnText, longest: int, report: Callable[[int, int], object] = lambda done, most: None
) -> OwnText:
    """The same texts with the target's likeliest tokens at every position that it wrote, as `Written` has them.

    Every text is read alone from its beginning, so what is found does not depend on which texts share a pass, up to rounding.

    Args:
        longest: tokens of a text that are read; the rest of it is left out.
        report: callback with the texts read so far, and all texts.
    """
    own = own.cut(longest)
    model, device = target.model, target.model.device
    most = _PASS.get(device.type, _SMALL_PASS)
    columns = min(TOP, target.text.vocabulary)
    top_ids = torch.zeros(own.written, columns, dtype=torch.int32)
    top_logs = torch.zeros(own.written, columns, dtype=torch.float16)
    lengths, order = own.lengths, own.lengths.argsort(stable=True)
    at = 0
    while at < len(order):
        rows = order[at : at + max(1, most // int(lengths[order[at]]))]
        rows = rows[: max(1, most // int(lengths[rows[-1]]))]
        width = int(lengths[rows[-1]])
        where = torch.arange(width)
        real = where < lengths[rows, None]
        index = own.starts[rows, None] + torch.where(real, where, 0)
        scores = model(own.ids[index].long().to(device), use_cache=False).logits
        row = torch.where(real, own.top[index], -1)[:, 1:]
        learnt = row >= 0
        here = scores[:, :-1][learnt.to(device)][:, : target.text.vocabulary].float()
        found = here.topk(columns)
        top_ids[row[learnt]] = found.indices.to("cpu", torch.int32)
        top_logs[row[learnt]] = (found.values - here.logsumexp(-1, keepdim=True)).to("cpu", torch.float16)
        at += len(rows)
        report(at, len(order))
    return replace(own, top_ids=top_ids, top_logs=top_logs)
