"""Suffix decoding: the text so far is a dictionary, and how often a continuation occurred decides whether it is worth proposing.

Oliaro et al., "SuffixDecoding: Extreme Speculative Decoding for Emerging AI Applications", arXiv 2411.04975. N-gram lookup copies
what followed the latest occurrence of the last few tokens. Here every earlier occurrence of the end of the text counts, whatever its
length: for each length of match the continuation that occurred most often is followed token by token while it is likely enough, the
estimated probabilities of its tokens are added up, and the best sum wins. A short match gives a short draft. The paper allows one drafted
token for each matched one, and probabilities down to 0.1; with two, and 0.3, our models' texts were a little better predicted.

A suffix tree answers these questions for any suffix. Only the end of the text is ever asked for, so it is enough to know, for every
earlier occurrence of the last token, how long the match before it is; each new token extends these matches or ends them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import Kit
from specviz.decoding.drafters.none import nothing
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

DESCRIPTION = Description(
    name="suffix",
    label="suffix decoding",
    explanation="No model at all: of everything that followed the same words earlier in the text, the most frequent continuation is copied.",
    picture="copy",
    does="no model: copies the most frequent continuation",
    drafting="These words occurred earlier: what followed them most often is copied, {count}.",
    idle="Nothing that followed these words earlier occurred often enough to be copied.",
)

_LONGEST = 24
"""Longer matches count as matches of this length."""
_TOKENS_PER_MATCHED = 2
"""How many tokens a draft may have for each token of its match."""
_LEAST = 0.3
"""A draft ends before a token that is reached and right with a lower estimated probability."""


def make(kit: Kit, costs: Costs | None) -> "SuffixDrafter":
    """A drafter whose tensors match the target's vocabulary and device."""
    return SuffixDrafter(kit.target.vocabulary, kit.target.device)


class SuffixDrafter:
    """Copies the most frequent continuation of the end of the text.

    The tokens are copied, not drawn, so q is 1.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
    """

    name = DESCRIPTION.name

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._index = _Index()

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._index = _Index()
        self._index.extend(prompt)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A copy of at most `limit` tokens, or nothing if the last token has not occurred before."""
        self._index.extend(committed[len(self._index.text) :])
        best = self._index.best(limit)
        if not best.tokens:
            return nothing(self._vocabulary, self._device, self._dtype)
        return certain(best.tokens, None, self._vocabulary, self._device, self._dtype, best.source)


@dataclass(frozen=True, slots=True)
class Continuation:
    """What may follow the end of the text.

    Attributes:
        tokens: the copied tokens.
        source: the index that the first of them was copied from; the latest such index.
        score: the sum of the estimated probabilities that each token is reached and right: the expected number of accepted tokens.
    """

    tokens: tuple[int, ...] = ()
    source: int | None = None
    score: float = 0.0


class _Index:
    """A text, and all earlier occurrences of its end.

    Attributes:
        text: the tokens so far.
    """

    def __init__(self) -> None:
        self.text: list[int] = []
        self._occurrences: dict[int, list[int]] = {}
        self._matches: dict[int, int] = {}
        """Index after an earlier occurrence of the last token -> how many tokens before that index equal the end of the text."""

    def extend(self, tokens: Sequence[int]) -> None:
        """Append tokens."""
        for token in tokens:
            before, after = self._matches, self._occurrences.setdefault(token, [])
            self._matches = {index: before.get(index - 1, 0) + 1 for index in after}
            self.text.append(token)
            after.append(len(self.text))

    def best(self, limit: int) -> Continuation:
        """The continuation with the highest score over all lengths of match; of equals the one with the longest match."""
        best = Continuation()
        lengths = {index: min(length, _LONGEST) for index, length in self._matches.items()}
        for length in sorted(set(lengths.values()), reverse=True):
            indices = [index for index, matched in lengths.items() if matched >= length]
            found = self._followed(indices, min(limit, _TOKENS_PER_MATCHED * length))
            if found.score > best.score:
                best = found
        return best

    def _followed(self, indices: list[int], limit: int) -> Continuation:
        """The most frequent continuation from these indices, token by token; of equally frequent tokens the one copied latest.

        A copy that reaches the end of the text goes on with what it has copied.
        """
        copied: list[int] = []
        likely, score = 1.0, 0.0
        while len(copied) < limit:
            following = {index: self._at(index + len(copied), copied) for index in indices}
            latest = {token: index for index, token in following.items()}
            counts = Counter(following.values())
            token = max(counts, key=lambda one: (counts[one], latest[one]))
            likely *= counts[token] / len(indices)
            if likely < _LEAST:
                break
            score += likely
            indices = [index for index in indices if following[index] == token]
            copied.append(token)
        return Continuation(tuple(copied), indices[-1] if copied else None, score)

    def _at(self, index: int, copied: list[int]) -> int:
        """The token at this index of the text with its copied continuation."""
        return self.text[index] if index < len(self.text) else copied[index - len(self.text)]
