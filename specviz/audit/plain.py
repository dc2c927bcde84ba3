"""The auditor's own passes: a model's scores after every token of a text, computed from the beginning and without a cache."""

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from specviz.decoding.sampling import perturbed, widen
from specviz.decoding.testing import TableModel
from specviz.models.cached_model import CachedModel
from specviz.models.checks.reference import Reference
from specviz.models.checks.ties import Shortfall, shortfalls
from specviz.settings import Settings

_TABLE_ROUNDING = 1e-9
_NOISE = 2  # plain passes with other rounding errors, from which the effect of rounding is measured
_CACHED_ROWS = 4096  # cached rows of scores: the first tokens of many runs follow the same texts
_CACHED_NUMBERS = 2**26  # fewer where the vocabulary is large: 256 MB of float32


class PlainPass(ABC):
    """A model that the auditor trusts. Rows that were computed for an earlier text are not computed again. `dtype`: the
    format of its passes; the scores are given in float32 at least."""

    def __init__(self, vocabulary: int, end_ids: frozenset[int], dtype: torch.dtype) -> None:
        self.vocabulary, self.end_ids, self.dtype = vocabulary, end_ids, dtype
        self._cached: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()
        self._room = max(1, min(_CACHED_ROWS, _CACHED_NUMBERS // vocabulary))

    def rows(self, ids: Sequence[int], first: int) -> Tensor:
        """[n, V] scores of the token that follows each of `ids` from index `first` on, on the CPU."""
        texts = [tuple(ids[: end + 1]) for end in range(first, len(ids))]
        missing = next((index for index, text in enumerate(texts) if text not in self._cached), len(texts))
        rows = [self._cached[text] for text in texts[:missing]]
        if missing < len(texts):
            fresh = self.fresh_rows(ids, first + missing)
            rows += list(fresh)
            self._cached.update(zip(texts[missing:], fresh, strict=True))
            while len(self._cached) > self._room:
                self._cached.popitem(last=False)
        return torch.stack(rows)

    @abstractmethod
    def fresh_rows(self, ids: Sequence[int], first: int) -> Tensor:
        """The rows that `rows` gives, computed now."""

    @abstractmethod
    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        """The tokens of `text` that do not have the highest score, and whether rounding explains them."""

    def noise(self, ids: Sequence[int]) -> float:
        """The largest change of a probability of the token after `ids` by rounding, at temperature 1; 0 where the format is exact enough."""
        return 0.0

    def release(self) -> None:
        """Free what only these passes need; the next one makes it again."""
        self._cached.clear()


class ModelPass(PlainPass):
    """Passes by transformers' own modules over the full text, whichever network decodes the model.

    Where our decoder runs the model these modules have no weights: the first pass reads them again, and `release` frees them.
    """

    def __init__(self, model: CachedModel) -> None:
        super().__init__(model.vocabulary, model.end_ids, model.model.dtype)
        self.model = model

    def fresh_rows(self, ids: Sequence[int], first: int) -> Tensor:
        scores = self._reference(ids).scores[0, first:]
        return functional.pad(widen(scores), (0, self.vocabulary - scores.shape[-1]), value=-torch.inf).cpu()

    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        return shortfalls(self.model, prompt, text, settings)

    def noise(self, ids: Sequence[int]) -> float:
        if self.dtype.itemsize > 2:
            return 0.0
        reference = self._reference(ids)
        plain = widen(reference.scores[0, -1]).softmax(dim=-1)
        moved = [widen(reference.moved(seed)[0, -1]).softmax(dim=-1) for seed in range(_NOISE)]
        return max(float((row - plain).abs().max()) for row in moved)

    def release(self) -> None:
        super().release()
        self.model.free_again()

    def _reference(self, ids: Sequence[int]) -> Reference:
        text = torch.tensor([list(ids)], device=self.model.device).clamp_max(self.model.readable - 1)
        return Reference(self.model, text)


class TablePass(PlainPass):
    """The scores of a `TableModel`, which depend on the text alone."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(model.vocabulary, model.end_ids, torch.float64)
        self.model = model

    def fresh_rows(self, ids: Sequence[int], first: int) -> Tensor:
        return torch.stack([self.model.scores(ids[: end + 1]) for end in range(first, len(ids))])

    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        rows = self.rows([*prompt, *text], len(prompt) - 1)[:-1]
        scores = rows if settings.greedy else perturbed(rows, settings, range(len(rows)))
        gaps = (scores.amax(dim=-1) - scores[range(len(text)), list(text)]).tolist()
        best = scores.argmax(dim=-1).tolist()
        return [
            Shortfall(index, gap, _TABLE_ROUNDING)
            for index, (gap, token) in enumerate(zip(gaps, best, strict=True))
            if token != text[index]
        ]


def plain_pass(model: CachedModel | TableModel) -> PlainPass:
    """The auditor's passes of a model; of a tiny table model for tests too."""
    return ModelPass(model) if isinstance(model, CachedModel) else TablePass(model)
