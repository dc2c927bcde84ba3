"""What is made small: the loss on the text, with or without an early exit, and the distance of drafts from the target's distribution."""

from collections.abc import Callable, Mapping

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training.networks import hidden

Objective = Callable[[Tensor], Mapping[str, Tensor]]
"""Rows of ids [rows, tokens + 1] -> losses by name, in nats a token; their weighted sum is made small."""

EARLY_EXIT = "early exit"
LOOPS = "loops"

_LOOPED = 128
_SHORTEST, _LONGEST = 6, 24
_KEPT = 0.5


def text_losses(model: LlamaForCausalLM, name: str, exit_layer: int | None = None) -> Objective:
    """Cross-entropy of the next token; with an exit layer, that of the shared head there too, on half of the rows, which is enough."""

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        ids, following = rows[:, :-1], rows[:, 1:]
        last, early = hidden(model, ids, exit_layer)
        found = {name: _cross_entropy(model, last, following)}
        if early is not None:
            half = (len(rows) + 1) // 2
            found[EARLY_EXIT] = _cross_entropy(model, early[:half], following[:half])
        return found

    return losses


def together(*objectives: Objective) -> Objective:
    """All their losses on the same rows."""

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        return {name: loss for objective in objectives for name, loss in objective(rows).items()}

    return losses


def draft_losses(
    distilled: Mapping[str, LlamaForCausalLM], by_text: Mapping[str, LlamaForCausalLM], teacher: LlamaForCausalLM
) -> Objective:
    """All drafts on the same rows, one pass of the target for all of them.

    A distilled draft q follows the target p by KL(p || q), the forward KL of DistillSpec (Zhou et al. 2024, section 3), at temperature 1,
    whoever wrote the rows; the others learn from the text alone.
    """

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        ids, following = rows[:, :-1], rows[:, 1:]
        with torch.no_grad():
            p = torch.log_softmax(teacher.lm_head(hidden(teacher, ids)[0]).float(), -1)
        found = {}
        for name, student in distilled.items():
            q = torch.log_softmax(student.lm_head(hidden(student, ids)[0]).float(), -1)
            found[name] = (p.exp() * (p - q)).sum(-1).mean()
        for name, student in by_text.items():
            found[name] = _cross_entropy(student, hidden(student, ids)[0], following)
        return found

    return losses


def loop_losses(model: LlamaForCausalLM, prose: Tensor) -> Objective:
    """How far the network is from doubting what it says over and over.

    A few tokens of a row are repeated to the end of a longer one; from the second time on, the probability of each of them should be half
    of what it was the time before: DITTO (Xu et al. 2022, section 3.2), with repeated spans of any prose where the paper repeats sentences.
    Only a quarter of the rows is used, which is enough, and of these only the spans that are prose: lists and records may repeat themselves.

    Args:
        prose: [vocabulary], True for the tokens that prose is made of.
    """

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        some = rows[: (len(rows) + 3) // 4]
        mark = some.sum(1)  # chance, but the same whenever the same rows come
        period = (_SHORTEST + mark % (_LONGEST + 1 - _SHORTEST))[:, None]
        start = (mark // 32 % (some.shape[1] - _LONGEST))[:, None]
        places = torch.arange(_LOOPED, device=rows.device)[None]
        ids = some.gather(1, start + places % period)
        inside = (places < period) <= prose[ids]  # every token of the span itself is prose
        states = hidden(model, ids[:, :-1])[0]
        chosen = ids[:, 1:, None]
        likely = torch.log_softmax(model.lm_head(states).float(), -1).gather(2, chosen)[..., 0].exp()
        before = (places[:, 1:] - 1 - period).clamp(min=0)
        wanted = _KEPT * likely.gather(1, before).detach()
        missed = -torch.log1p(-(likely - wanted).abs().clamp(max=1 - 1e-5))
        counted = (places[:, 1:] > period) & inside.all(1, keepdim=True)
        return {LOOPS: (missed * counted).sum() / counted.sum().clamp(min=1)}

    return losses


def _cross_entropy(model: LlamaForCausalLM, states: Tensor, following: Tensor) -> Tensor:
    return F.cross_entropy(model.lm_head(states).float().flatten(0, 1), following.flatten())
