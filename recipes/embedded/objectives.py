"""Training objectives: cross-entropy on the text, with or without an early exit, and the divergence of drafts from the target's distribution."""

from collections.abc import Mapping

import torch
import torch.nn.functional as F  # noqa: N812  # the customary name
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.training.llama import hidden
from specviz.training.training_loop import Objective

EARLY_EXIT = "early exit"


def text_losses(model: LlamaForCausalLM, name: str, exit_layer: int | None = None) -> Objective:
    """Cross-entropy of the next token; with an exit layer, also that of the shared head after this layer, on half of the rows, which is enough."""

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        ids, following = rows[:, :-1], rows[:, 1:]
        last, early = hidden(model, ids, exit_layer)
        found = {name: _cross_entropy(model, last, following)}
        if early is not None:
            half = (len(rows) + 1) // 2
            found[EARLY_EXIT] = _cross_entropy(model, early[:half], following[:half])
        return found

    return losses


def draft_losses(
    distilled: Mapping[str, LlamaForCausalLM], by_text: Mapping[str, LlamaForCausalLM], teacher: LlamaForCausalLM
) -> Objective:
    """The losses of several drafts on the same rows, with one forward pass of the target for all of them.

    The loss of a distilled draft is KL(p || q), where p is the target's distribution and q the draft's, at temperature 1: the forward KL of
    DistillSpec (Zhou et al. 2024, section 3). The other drafts learn from the text alone.

    Args:
        distilled: name -> draft that learns from the target.
        by_text: name -> draft that learns from the text.
        teacher: the target; it gets no gradient.
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


def _cross_entropy(model: LlamaForCausalLM, states: Tensor, following: Tensor) -> Tensor:
    return F.cross_entropy(model.lm_head(states).float().flatten(0, 1), following.flatten())
