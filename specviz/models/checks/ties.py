"""Whether a text is the target's own up to rounding: the score of every token against the best score of the plain pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from specviz.decoding.sampling import perturbed, widen
from specviz.models.cached_model import CachedModel
from specviz.models.checks.reference import Reference
from specviz.settings import Settings

# Plain passes with other rounding errors. Each moves the output of every module by up to one rounding step.
_PASSES = 4
_FACTOR = 2.0  # times the largest change in these passes that two scores may be apart and still be a near tie


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A token of a text that does not have the highest score in the plain pass.

    Scores are logits where decoding is greedy, and with shared noise log probabilities plus the noise of this position.

    Attributes:
        index: of the token among the new ones.
        gap: by how much the highest score exceeds this token's.
        rounding: how far apart rounding in the model's format may bring two equal scores.
    """

    index: int
    gap: float
    rounding: float

    @property
    def explained(self) -> bool:
        """True if rounding may have turned the choice of this token round."""
        return self.gap <= self.rounding


def shortfalls(model: CachedModel, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
    """The tokens of `text` after `prompt` that do not have the highest score in one plain pass over both, by
    transformers' own modules. `settings`: greedy, or with shared noise, so that the scores alone determine the text."""
    ids = torch.tensor([[*prompt, *text]], device=model.device).clamp_max(model.readable - 1)
    reference = Reference(model, ids)
    tokens = torch.tensor(text, device=model.device).unsqueeze(-1)
    try:
        plain = _scores(model, reference.scores, len(prompt), settings)
        best = plain.argmax(dim=-1, keepdim=True)
        gaps = (plain.gather(-1, best) - plain.gather(-1, tokens)).nan_to_num(nan=torch.inf)
        rounding = _steps(model, reference.scores[0, len(prompt) - 1 : -1], best, settings)
        for seed in range(_PASSES):
            moved = _scores(model, reference.moved(seed), len(prompt), settings)
            change = (moved.gather(-1, best) - moved.gather(-1, tokens) - gaps).abs()
            rounding = torch.maximum(rounding, _FACTOR * change.nan_to_num(nan=0.0))
    finally:
        model.free_again()
    differ = (best != tokens).flatten().tolist()
    rows = zip(differ, gaps.flatten().tolist(), rounding.flatten().tolist(), strict=True)
    return [Shortfall(index, gap, limit) for index, (differs, gap, limit) in enumerate(rows) if differs]


def _scores(model: CachedModel, logits: Tensor, prompt_length: int, settings: Settings) -> Tensor:
    """[n, V] scores by which each token after the prompt is chosen, from the logits [1, m, K] of the text."""
    rows = widen(logits[0, prompt_length - 1 : -1]).double()
    rows = functional.pad(rows, (0, model.vocabulary - rows.shape[-1]), value=-torch.inf)
    return rows if settings.greedy else perturbed(rows, settings, range(rows.shape[0]))


def _steps(model: CachedModel, logits: Tensor, best: Tensor, settings: Settings) -> Tensor:
    """[n, 1] one rounding step of the logit that is chosen at each token, on the scale of the scores.

    Only this one: some models give ids that they never write the lowest number there is, whose rounding step exceeds every gap.
    """
    best_logits = logits.gather(-1, best).double().abs()
    return torch.finfo(model.model.dtype).eps * best_logits / (1.0 if settings.greedy else settings.temperature)
