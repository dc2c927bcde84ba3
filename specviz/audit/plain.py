"""The auditor's own passes: a model's scores after every token of a text, computed from the beginning and without a cache."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

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
_NOISE = 2
"""Plain passes with other rounding errors, to see how far rounding moves a probability."""
_CACHED_ROWS = 4096
"""How many rows of scores are kept: the first tokens of many runs follow the same texts."""
_CACHED_NUMBERS = 2**26
"""Fewer where the vocabulary is large: 256 MB of float32."""


class PlainPass(Protocol):
    """A model that the auditor trusts."""

    vocabulary: int
    end_ids: frozenset[int]
    dtype: torch.dtype
    """The format of its passes; the scores are given in float32 at least."""

    def rows(self, ids: Sequence[int], first: int) -> Tensor:
        """[n, V] scores of the token that follows each of `ids` from index `first` on, on the CPU."""
        ...

    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        """The tokens of `text` that do not have the highest score, and whether rounding explains them."""
        ...

    def noise(self, ids: Sequence[int]) -> float:
        """How far rounding moves a probability of the token after `ids` at temperature 1; 0 where the format is exact enough."""
        ...

    def release(self) -> None:
        """Free what only these passes need; the next one makes it again."""
        ...


class ModelPass:
    """Passes by transformers' own modules over the full text, whichever network decodes the model.

    Where our decoder runs the model these modules have no weights: the first pass reads them again, and `release` frees them.
    """

    def __init__(self, model: CachedModel) -> None:
        self.model = model
        self.vocabulary, self.end_ids, self.dtype = model.vocabulary, model.end_ids, model.model.dtype

    def rows(self, ids: Sequence[int], first: int) -> Tensor:
        text = torch.tensor([list(ids)], device=self.model.device).clamp_max(self.model.readable - 1)
        scores = Reference(self.model, text).scores[0, first:]
        return functional.pad(widen(scores), (0, self.vocabulary - scores.shape[-1]), value=-torch.inf).cpu()

    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        return shortfalls(self.model, prompt, text, settings)

    def noise(self, ids: Sequence[int]) -> float:
        if self.dtype.itemsize > 2:
            return 0.0
        reference = Reference(
            self.model, torch.tensor([list(ids)], device=self.model.device).clamp_max(self.model.readable - 1)
        )
        plain = widen(reference.scores[0, -1]).softmax(dim=-1)
        moved = [widen(reference.moved(seed)[0, -1]).softmax(dim=-1) for seed in range(_NOISE)]
        return max(float((one - plain).abs().max()) for one in moved)

    def release(self) -> None:
        self.model.free_again()


class TablePass:
    """The scores of a `TableModel`, which depend on the text alone."""

    dtype = torch.float64

    def __init__(self, model: TableModel) -> None:
        self.model, self.vocabulary, self.end_ids = model, model.vocabulary, model.end_ids

    def rows(self, ids: Sequence[int], first: int) -> Tensor:
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

    def noise(self, ids: Sequence[int]) -> float:
        return 0.0

    def release(self) -> None:
        pass


class KeptPass:
    """The same passes; rows that were computed for an earlier text are not computed again."""

    def __init__(self, plain: PlainPass) -> None:
        self.plain = plain
        self.vocabulary, self.end_ids, self.dtype = plain.vocabulary, plain.end_ids, plain.dtype
        self._kept: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()
        self._room = max(1, min(_CACHED_ROWS, _CACHED_NUMBERS // plain.vocabulary))

    def rows(self, ids: Sequence[int], first: int) -> Tensor:
        texts = [tuple(ids[: end + 1]) for end in range(first, len(ids))]
        missing = next((index for index, text in enumerate(texts) if text not in self._kept), len(texts))
        found = [self._kept[text] for text in texts[:missing]]
        if missing < len(texts):
            fresh = self.plain.rows(ids, first + missing)
            found += list(fresh)
            self._kept.update(zip(texts[missing:], fresh, strict=True))
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)
        return torch.stack(found)

    def shortfalls(self, prompt: Sequence[int], text: Sequence[int], settings: Settings) -> list[Shortfall]:
        return self.plain.shortfalls(prompt, text, settings)

    def noise(self, ids: Sequence[int]) -> float:
        return self.plain.noise(ids)

    def release(self) -> None:
        self._kept.clear()
        self.plain.release()


def plain_pass(model: CachedModel | TableModel) -> PlainPass:
    """The auditor's passes of a model; of a tiny table model for tests too."""
    return ModelPass(model) if isinstance(model, CachedModel) else TablePass(model)
