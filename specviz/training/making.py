"""What the making of a draft and of a head have in common: what is asked for, the target, its text, and what the card says of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from specviz.models.heads.folder import digest_of
from specviz.models.loading import Target, load_target
from specviz.training.drafts.documents import Documents
from specviz.training.drafts.own_text import Amount
from specviz.training.drafts.settings import Effort
from specviz.training.drafts.store import OwnText
from specviz.training.plan import TrainingPlan
from specviz.training.progress_bars import OpensBar
from specviz.training.target_text import at_once, saved_text, target_text
from specviz.training.training_loop import Curve


@dataclass(frozen=True, slots=True, kw_only=True)
class MakingRequest:
    """What is asked for, of a draft or a head.

    Attributes:
        source: the target: a hub id, a folder, or a file.
        work: folder of the text and the checkpoints.
        texts: folder of texts to continue; None if the target writes its own questions.
        own_text: files of text that the target wrote before, see `packed_text`; none where it is to write.
        own_tokens: how many of its tokens are read, at most; None for all.
        own_text_prompts: the file of prompts that this text answers; None where the text holds its prompts.
        effort: how much of everything.
        batch: tokens of a step, where they were asked for.
        device: on which the target writes and the draft or head learns.
        dtype: of the target.
        seed: of prompts, samples and weights.
        rate: the learning rates, as a multiple of the usual ones.
        start: the folder of a draft or head that goes on learning; None for a new one.
        bar: opens a progress display with a title.
    """

    source: str
    work: Path
    texts: Path | None
    own_text: tuple[Path, ...]
    own_tokens: int | None
    own_text_prompts: Path | None
    effort: Effort
    batch: int | None
    device: torch.device
    dtype: torch.dtype
    seed: int
    rate: float
    start: Path | None
    bar: OpensBar

    def target(self) -> Target:
        """The target, loaded.

        Raises:
            PairError: it cannot be loaded.
        """
        with self.bar("target") as bar:
            return load_target(
                self.source,
                device=self.device,
                dtype=self.dtype,
                progress=lambda what, share: bar.reached(round(100 * (share or 0)), 100, what),
            )

    def text(self, target: Target, found: Documents | None, unseen: tuple[str, ...]) -> OwnText:
        """What the target wrote before, or writes now.

        Args:
            found: texts to continue; None if the target writes its own questions.
            unseen: the prompts of the examination.

        Raises:
            TrainingError, CheckpointError: see `saved_text` and `target_text`.
        """
        if self.own_text:
            return saved_text(target, self.own_text, self.own_text_prompts, digest_of(target.model), unseen)
        effort, together = self.effort, at_once(target, self.effort.at_once, self.effort.longest)
        amount = Amount(effort.tokens, together, effort.longest, seed=self.seed)
        return target_text(target, amount, found, self.work, unseen, self.bar)

    def facts(self, target: Target, own: OwnText, prompts: str) -> dict[str, Any]:
        """Plain values for the card: the target, and what it wrote.

        Args:
            prompts: in words, what the target answered or continued where the text does not say it.
        """
        return {
            "target": target.card.name,
            "revision": target.card.revision,
            "architecture": target.card.architecture,
            "target_parameters": target.card.parameters,
            "written_in": str(self.dtype).removeprefix("torch."),
            "written_on": self.device.type,
            "prompts": own.prompts_in_words or prompts,
            "texts": len(own.starts),
            "tokens": own.written,
            "asked_tokens": self.effort.tokens,
            "asked_batch": self.batch,
            "own_text": " ".join(path.name for path in self.own_text),
            "own_tokens": self.own_tokens if self.own_text else None,
            "own_text_prompts": self.own_text_prompts.name if self.own_text_prompts else "",
            "epochs": self.effort.epochs,
            "seed": self.seed,
            "rate": self.rate,
            "start": "" if self.start is None else self.start.resolve().name,
        }


def facts_of_training(curve: Curve, plan: TrainingPlan) -> dict[str, Any]:
    """Plain values for the card: how much was read, how long it took, at which rates."""
    return {
        "trained_tokens": curve.points[-1].tokens if curve.points else 0,
        "training_seconds": round(curve.seconds, 1),
        "batch": plan.batch,
        "matrix_rate": plan.matrix_rate,
        "other_rate": plan.other_rate,
        "cool_down": plan.cool_down,
    }
