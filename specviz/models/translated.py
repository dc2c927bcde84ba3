"""A draft model of another tokenizer, seen from the target's ids."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.protocols import CacheReport, LanguageModel, Scores
from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.translation import Translation

_PIECES = 4
"""The cache has room for this many ids of the model for each id of the target; where a text needs more, its beginning is dropped."""


class TranslatedModel(LanguageModel):
    """A `specviz.decoding.protocols.LanguageModel` over the target's ids, run by a model that has others.

    Each id is read as the ids with its bytes. The scores of ids that both have are the model's own, and all others get the lowest finite
    logit, so probability 0: after the softmax this is the draft distribution limited to the shared ids and renormalised (Timor et al.,
    arXiv 2502.05202, algorithm 4, "TLI"), from which tokens are drawn and which the rule uses. It reads chains only.

    Args:
        model: the draft model, over its own ids.
        vocabulary, end_ids: the target's.
        translation: from the target's ids to the model's.
    """

    context = 2**31
    """No limit: where the text is longer than the model's own context, its beginning is dropped."""

    def __init__(self, model: CachedModel, vocabulary: int, end_ids: frozenset[int], translation: Translation) -> None:
        self.model, self.vocabulary, self.end_ids, self.device = model, vocabulary, end_ids, model.device
        self._translation = translation
        ours, theirs = translation.shared
        known = theirs < model.vocabulary
        self._ours, self._theirs = ours[known].to(self.device), theirs[known].to(self.device)
        self._text: list[int] = []
        self._pending: list[tuple[int, ...]] = []
        self._length = self._capacity = self._dropped = 0
        self._report = CacheReport(0, 0, 0)

    @property
    def length(self) -> int:
        return self._length + len(self._pending)

    @property
    def report(self) -> CacheReport:
        return self._report

    @property
    def decoder(self) -> str:
        """Which network runs the model, in a few words for the pair card."""
        return self.model.decoder

    def begin(self, capacity: int) -> None:
        self._capacity = min(self.model.context, _PIECES * capacity + len(self._translation.begin) + 1)
        self._report = CacheReport(0, self.length, 0)
        self._text, self._pending, self._length, self._dropped = [], [], 0, 0
        self.model.begin(self._capacity)

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`.

        Raises:
            PairError: the tokens form a tree.
        """
        if parents is not None and list(parents) != list(range(-1, len(parents) - 1)):
            raise PairError(
                "A tree of drafts cannot be read through another tokenizer: choose a drafter that proposes chains."
            )
        given = tokens.tolist()
        if not self.length:
            self._begin_model([], lead=not self._translation.begins(given))
        pieces = [self._translation.pieces(index) or (0,) for index in given]
        wanted = len(pieces) if rows is None else min(rows, len(pieces))
        lengths = [len(piece) for piece in pieces[len(pieces) - wanted :]]
        logits = self._read(_flat(pieces), sum(lengths))
        self._pending += pieces
        self._report = CacheReport(self._report.kept, self._report.dropped, self._report.added + len(pieces))
        last = torch.tensor(lengths, device=self.device).cumsum(0) - 1  # of each scored token its last piece
        return Scores(self._fit(logits[last]))

    def keep(self, path: Sequence[int]) -> None:
        """See `LanguageModel.keep`.

        Raises:
            PairError: the path is not the beginning of the pending chain.
        """
        count = len(path)
        if list(path) != list(range(count)) or count > len(self._pending):
            raise PairError(
                f"The path to keep was {list(path)}: give the beginning of a chain of {len(self._pending)} pending tokens."
            )
        kept = _flat(self._pending[:count])[self._dropped :]
        self.model.keep(range(len(kept)))
        self._text += kept
        self._length += count
        self._report = CacheReport(self._length, len(self._pending) - count, 0)
        self._pending, self._dropped = [], 0

    def release(self) -> None:
        """Empty the cache and free its memory."""
        self.model.release()
        self._text, self._pending, self._length = [], [], 0

    @property
    def bytes_per_token(self) -> int:
        """Bytes of the keys and values of one id of the target, as far as room is made for it."""
        return _PIECES * self.model.bytes_per_token

    def _read(self, ids: list[int], scored: int) -> Tensor:
        """The logits [scored, ...] of the last of these ids of the model. Where its cache is full, half of the text is dropped first."""
        if self.model.length + len(ids) > self._capacity:
            pending = [*_flat(self._pending)[self._dropped :], *ids]
            most = max(scored, (self._capacity - len(self._translation.begin)) // 2)
            cut = max(0, len(pending) - most)
            self._dropped += cut
            ids = pending[cut:]
            self._begin_model(self._text[max(0, len(self._text) - (most - len(ids))) :])
        return self.model.forward(torch.tensor(ids, device=self.device), rows=scored).logits

    def _begin_model(self, text: list[int], *, lead: bool = True) -> None:
        """Let the model read this text of its own ids, after what its tokenizer puts before every text unless `lead` is False."""
        self._text = text
        self.model.begin(self._capacity)
        given = [*(self._translation.begin if lead else ()), *text]
        if given:
            self.model.forward(torch.tensor(given, device=self.device), rows=1)
            self.model.keep(range(len(given)))

    def _fit(self, logits: Tensor) -> Tensor:
        """[m, V] for the target's ids. The lowest value is finite, because a recorded logit must be a number."""
        fitted = logits.new_full((logits.shape[0], self.vocabulary), torch.finfo(logits.dtype).min)
        fitted[:, self._ours] = logits[:, self._theirs]
        return fitted


def _flat(pieces: Sequence[tuple[int, ...]]) -> list[int]:
    return [index for piece in pieces for index in piece]
