"""What the target computes when it reads its own text: the states from which heads learn. Nothing is stored; every batch is read again."""

import inspect
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import TrainingError
from specviz.models.heads.frozen import Frozen
from specviz.training.drafts.store import OwnText
from specviz.training.heads.objective import TargetRows

_SEEDS = 1_000_003


@dataclass(frozen=True, slots=True)
class WideParts:
    """The target's parts for a head in float32, whatever the format of the target is."""

    frozen: Frozen

    @property
    def tokens(self) -> Tensor | None:
        """See `Frozen`."""
        return self.frozen.tokens

    def embed(self, ids: Tensor) -> Tensor:
        """See `Frozen`."""
        return self.frozen.embed(ids).float()

    def score(self, states: Tensor) -> Tensor:
        """See `Frozen`."""
        return self.frozen.score(states)


@dataclass(frozen=True, slots=True)
class Teacher:
    """The target with its own text.

    Attributes:
        model: in evaluation mode, on its device; it gets no gradient.
        own: the texts that the rows are about.
        taps: at which layers the head reads states.
        seed: of the training.
    """

    model: PreTrainedModel
    own: OwnText
    taps: tuple[int, ...]
    seed: int

    def read(self, batch: Tensor) -> TargetRows:
        """What the target computes for rows of `rows.rows`, in float32.

        Raises:
            TrainingError: it does not show its states.
        """
        index = batch[:, 1:].cpu().long()
        index = index[:, : int((index >= 0).sum(1).max())]
        real = index >= 0
        ids = torch.where(real, self.own.ids[index].long(), self.own.ids[index[:, :1]].long())
        device = self.model.device
        states, final = states_of(self.model, ids.to(device), self.taps)
        return TargetRows(
            ids.to(device),
            states.float(),
            final.float(),
            real.to(device),
            (real & (self.own.top[index] >= 0)).to(device),
            self.seed * _SEEDS + int(batch[0, 0]),
        )


@torch.no_grad()
def states_of(model: PreTrainedModel, ids: Tensor, taps: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    """The states that enter the layers `taps`, [rows, n, taps, width], and those after the final norm, [rows, n, width].

    Every row is read from its beginning in one pass without a cache; what comes after a token does not change its states.

    Raises:
        TrainingError: the model does not show them.
    """
    more: dict[str, Any] = (
        {"logits_to_keep": 1} if "logits_to_keep" in inspect.signature(model.forward).parameters else {}
    )
    found = model(ids, use_cache=False, output_hidden_states=True, **more).hidden_states
    depth = model.config.get_text_config(decoder=True).num_hidden_layers
    width = model.get_input_embeddings().embedding_dim
    if (
        found is None
        or len(found) != depth + 1
        or any(each.shape != (*ids.shape, found[-1].shape[-1]) for each in found)
    ):
        raise TrainingError(
            f"{type(model).__name__} does not show the states of its layers, so no head can be trained for it: choose another target."
        )
    final = found[-1]
    states = torch.stack([found[tap] for tap in taps], 2) if taps else final.new_zeros(*ids.shape, 0, width)
    return states, final
