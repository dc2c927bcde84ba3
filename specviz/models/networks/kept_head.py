"""The head of a draft that writes only some ids: its other rows are left out, because the head is most of a small model's pass.

A draft need not be able to write every token. An id that it never writes has q = 0, and after a rejection the residual
norm(max(0, p - q)) contains all of p there, so the text keeps the target's distribution. FR-Spec (Zhao et al., arXiv 2502.14856) and EAGLE-3
(Li et al., arXiv 2503.01840) trim their heads in this way.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.families import FAMILIES, logits_factor


class KeptHead(nn.Module):
    """A head with a row for each kept id only.

    Args:
        head: the full head, [V, width]; its rows are copied.
        kept_ids: ascending, each below V.

    Attributes:
        vocabulary: V.
        rows: the rows of the kept ids, [K, width].
        kept: [K] the ids.
    """

    kept: Tensor

    def __init__(self, head: nn.Linear, kept_ids: Sequence[int]) -> None:
        super().__init__()
        self.vocabulary = head.weight.shape[0]
        with torch.inference_mode(False), torch.no_grad():
            ids = torch.tensor(kept_ids, device=head.weight.device)
            self.rows = _rows_at(head, ids)
            self.register_buffer("kept", ids, persistent=False)

    def forward(self, states: Tensor) -> Tensor:
        """[..., V] logits of [..., width] states."""
        return self.full(self.rows(states))

    def full(self, logits: Tensor) -> Tensor:
        """[..., K] logits of the kept ids as [..., V]. The others get the lowest finite number, so probability 0: a recorded logit must be
        a number."""
        lowest = torch.finfo(logits.dtype).min
        everything = logits.new_full((*logits.shape[:-1], self.vocabulary), lowest)
        return everything.index_copy_(-1, self.kept, logits)


def trim_head(model: PreTrainedModel, kept_ids: Sequence[int]) -> None:
    """Replace the model's head by one that has rows for these ids only; an embedding with the same weights stays as it
    is. Raises PairError if something follows the head in this kind of model, so that a left-out id would not have
    probability 0."""
    head = model.get_output_embeddings()
    plain = logits_factor(model.config) == 1 and not getattr(model.config, "final_logit_softcapping", None)
    if type(model).__name__ not in FAMILIES or not plain or not isinstance(head, nn.Linear):
        raise PairError(
            f"A head with only some ids is read for models of the Llama type, and this draft is a {type(model).__name__}: "
            "delete its kept_ids.json, or choose another draft."
        )
    model.set_output_embeddings(KeptHead(head, kept_ids))


def rows_of(head: nn.Module) -> nn.Linear:
    """The linear layer of a head, full or trimmed."""
    rows = head.rows if isinstance(head, KeptHead) else head
    assert isinstance(rows, nn.Linear), "the families' heads are linear layers"
    return rows


def parameter_count(model: PreTrainedModel) -> int:
    """How many parameters the model has; rows that a trimmed head has copied from the embedding do not count twice."""
    head = model.get_output_embeddings()
    copied = isinstance(head, KeptHead) and bool(getattr(model.config, "tie_word_embeddings", False))
    again = sum(weight.numel() for weight in head.parameters()) if copied else 0
    count: int = sum(weight.numel() for weight in model.parameters()) - again
    return count


def _rows_at(head: nn.Linear, ids: Tensor) -> nn.Linear:
    """A layer with a copy of these rows of the head."""
    rows = nn.Linear(head.weight.shape[1], len(ids), bias=head.bias is not None, device="meta")
    rows.weight = nn.Parameter(head.weight[ids], requires_grad=False)
    if head.bias is not None:
        rows.bias = nn.Parameter(head.bias[ids], requires_grad=False)
    return rows
