"""What the target computes when it reads its own text: the states from which heads learn.

They are kept in memory where there is room, so that text which is read several times goes through the target once. Nothing is written to disk.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import TrainingError
from specviz.models.heads.frozen import Frozen
from specviz.training.drafts.store import OwnText
from specviz.training.heads.objective import TargetRows

SAMPLE = 4096
"""So many states show how those of a target are spread."""
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
        kept: the states of all texts, see `kept_states`; None where every batch goes through the target.
    """

    model: PreTrainedModel
    own: OwnText
    taps: tuple[int, ...]
    seed: int
    kept: "KeptStates | None" = None

    def read(self, batch: Tensor) -> TargetRows:
        """What the target computes for rows of `rows.rows`, in float32.

        Raises:
            TrainingError: it does not show its states.
        """
        index = batch[:, 1:].cpu().long()
        index = index[:, : int((index >= 0).sum(1).max())]
        real = index >= 0
        index = torch.where(real, index, index[:, :1])
        ids = self.own.ids[index].long()
        device = self.model.device
        if self.kept is None:
            states, final = states_of(self.model, ids.to(device), self.taps)
        else:
            states, final = (each[index].to(device) for each in (self.kept.states, self.kept.final))
        return TargetRows(
            ids.to(device),
            states.float(),
            final.float(),
            real.to(device),
            (real & (self.own.top[index] >= 0)).to(device),
            self.seed * _SEEDS + int(batch[0, 0]),
        )


@dataclass(frozen=True, slots=True)
class KeptStates:
    """What the target computed for every token of its text, each text read alone, in the format of its weights and on the CPU.

    Attributes:
        states: [tokens, taps, width], as `TargetRows.states`; zeros for tokens beyond the longest row.
        final: [tokens, width], as `TargetRows.final`.
    """

    states: Tensor
    final: Tensor


def kept_states(
    teacher: Teacher,
    rows: Tensor,
    batch: int,
    memory: int,
    report: Callable[[int, int], object] = lambda done, all_: None,
) -> KeptStates | None:
    """The states of all texts, read once; None where they would take more than `memory` bytes.

    Which texts share a pass depends on the rows alone, so a training that is continued keeps the same states.

    Args:
        rows: every text once, as `specviz.training.heads.rows.rows` gives them.
        batch: texts of a pass.
        memory: bytes.
        report: callback with the texts read so far, and all texts.

    Raises:
        TrainingError: the target does not show its states.
    """
    model, taps = teacher.model, teacher.taps
    tokens, width = len(teacher.own.ids), model.get_input_embeddings().embedding_dim
    if tokens * width * (len(taps) + 1) * model.dtype.itemsize > memory:
        return None
    found = KeptStates(
        torch.zeros(tokens, len(taps), width, dtype=model.dtype), torch.zeros(tokens, width, dtype=model.dtype)
    )
    order = rows[(rows >= 0).sum(1).argsort(stable=True)]
    for at in range(0, len(order), batch):
        index = order[at : at + batch, 1:].long()
        index = index[:, : int((index >= 0).sum(1).max())]
        ids = teacher.own.ids[torch.where(index >= 0, index, index[:, :1])].long()
        states, final = states_of(model, ids.to(model.device), taps)
        real = index >= 0
        found.states[index[real]] = states.cpu()[real].to(model.dtype)
        found.final[index[real]] = final.cpu()[real].to(model.dtype)
        report(min(at + batch, len(order)), len(order))
    return found


def sample(teacher: Teacher, rows: Tensor, batch: int) -> Tensor:
    """[at least `SAMPLE` where there are so many, width] the states after the final norm of tokens that the target wrote, from the first rows."""
    found: list[Tensor] = []
    for each in torch.split(rows, batch):
        read = teacher.read(each)
        found.append(read.final[read.written])
        if sum(map(len, found)) >= SAMPLE:
            break
    return torch.cat(found)


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
