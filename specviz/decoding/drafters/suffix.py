"""Suffix decoding: texts are a dictionary, and how often a continuation occurred decides whether it is worth proposing.

Oliaro et al., "SuffixDecoding: Extreme Speculative Decoding for Emerging AI Applications", arXiv 2411.04975. N-gram lookup copies
what followed the latest occurrence of the last few tokens. Here every earlier occurrence of the end of the text counts, whatever its
length: for each length of match the continuation that occurred most often is followed token by token while it is likely enough, the
estimated probabilities of its tokens are added up, and the best sum wins. As in the paper there are two dictionaries, the text itself
and the texts written before it, and the better sum of the two is proposed.

The paper estimates a probability by frequency alone, and allows a draft of at most one token for each matched one. Here one estimate
does both: a continuation that came f times of g after a match of n tokens has f/g times n/(n+1), and a copied token counts as matched for
the next one. So the shorter a match is, the earlier its draft ends: after one matched token at most five are drafted, after two at most eleven.

A suffix tree answers these questions for any suffix. Only the end of the text is ever asked for, so it is enough to know, for every
earlier occurrence of the last token, how long the match before it is; each new token extends these matches or ends them.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.settings import Settings
from specviz.trace.records import Match

_LONGEST = 24  # longer matches count as matches of this length
_LEAST = 0.15  # a draft ends before a token that is reached and right with a lower estimated probability
# So many occurrences of a token are followed at most, the latest ones: a token that came more often says nothing new.
_MOST = 200
_END = -1  # follows every earlier text: no token


def make(parts: Parts) -> "SuffixDrafter":
    """A drafter whose tensors match the target's vocabulary and device."""
    return SuffixDrafter(parts.target.vocabulary, parts.target.device)


class SuffixDrafter(Drafter):
    """Copies the most frequent continuation of the end of the text, from the text itself or from earlier texts.

    The tokens are copied, not drawn, so q is 1.

    Args:
        vocabulary, device: the target's, for tensors of the right shape.
    """

    name = "suffix"
    remembers = True

    def __init__(self, vocabulary: int, device: str | torch.device = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._vocabulary, self._device, self._dtype = vocabulary, device, dtype
        self._earlier: tuple[tuple[int, ...], ...] = ()
        self._text, self._memory = _Index(), _Index()
        self._found: tuple[Continuation, bool] | None = None

    def remember(self, earlier: Sequence[Sequence[int]]) -> None:
        self._earlier = tuple(tuple(text) for text in earlier)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._text, self._memory = _Index(), _Index()
        self._found = None
        for text in self._earlier:
            self._memory.store([*text, _END])
        self._read(prompt)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """The first tokens, at most `limit`, of the best copy of `settings.k`; nothing if the last token has not occurred before."""
        best, remembered = self._best(committed, settings.k)
        tokens = best.tokens[:limit]
        if not tokens:
            return nothing(self._vocabulary, self._device, self._dtype)
        source_text, source = self._in_earlier(best.source) if remembered else (None, best.source)
        return certain(tokens, self._vocabulary, self._device, self._dtype, source, source_text, best.match)

    def copy_probabilities(self, committed: Sequence[int], settings: Settings, limit: int) -> tuple[float, ...]:
        return self._best(committed, settings.k)[0].reached[:limit]

    def _best(self, committed: Sequence[int], longest: int) -> tuple["Continuation", bool]:
        """The continuation with the best score, and whether it is from an earlier text; it is looked for once in a round."""
        self._read(committed[len(self._text.tokens) :])
        if self._found is None:
            best, remembered = self._text.best(longest), self._memory.best(longest)
            self._found = (remembered, True) if remembered.score > best.score else (best, False)
        return self._found

    def _read(self, tokens: Sequence[int]) -> None:
        if tokens:
            self._found = None
        for token in tokens:
            self._memory.follow(token)
            self._text.follow(token)
            self._text.store([token])

    def _in_earlier(self, index: int) -> tuple[int, int]:
        """An index of the memory as the number of the earlier text and the index in it."""
        starts = [0]
        for text in self._earlier:
            starts.append(starts[-1] + len(text) + 1)
        number = bisect_right(starts, index) - 1
        return number, index - starts[number]


@dataclass(frozen=True, slots=True)
class Continuation:
    """A possible continuation of the text.

    Attributes:
        source: the index that the first of them was copied from, the latest such index; meaningless without tokens.
        reached: of each token the estimated probability that it is reached and right.
        match: what was found of the end of the text.
    """

    tokens: tuple[int, ...] = ()
    source: int = 0
    reached: tuple[float, ...] = ()
    match: Match | None = None

    @property
    def score(self) -> float:
        """The expected number of accepted tokens."""
        return sum(self.reached)


@dataclass(slots=True)
class _Index:
    """Stored tokens, and all occurrences in them of the end of the text that is written.

    Attributes:
        occurrences: of every token, the indices after it.
        matches: index after an occurrence of the last token -> how many tokens before that index equal the end of the text.
    """

    tokens: list[int] = field(default_factory=list)
    occurrences: dict[int, list[int]] = field(default_factory=dict)
    matches: dict[int, int] = field(default_factory=dict)

    def store(self, tokens: Sequence[int]) -> None:
        """Append tokens."""
        for token in tokens:
            self.tokens.append(token)
            self.occurrences.setdefault(token, []).append(len(self.tokens))

    def follow(self, token: int) -> None:
        """The text goes on with this token."""
        before = self.matches
        self.matches = {index: before.get(index - 1, 0) + 1 for index in self.occurrences.get(token, ())[-_MOST:]}

    def best(self, limit: int) -> Continuation:
        """The continuation with the highest score over all lengths of match; of equals the one with the longest match."""
        best = Continuation()
        lengths = {index: min(length, _LONGEST) for index, length in self.matches.items()}
        for length in sorted(set(lengths.values()), reverse=True):
            if best.score >= _highest(length, limit):
                break
            continuation = self._followed(
                [index for index, matched in lengths.items() if matched >= length], length, limit
            )
            if continuation.score > best.score:
                best = continuation
        return best

    def _followed(self, indices: list[int], length: int, limit: int) -> Continuation:
        """The most frequent continuation from these indices, token by token; of equally frequent tokens the one copied latest.

        A copy that reaches the end of the text goes on with what it has copied.
        """
        copied: list[int] = []
        reached: list[float] = []
        likely, match = 1.0, None
        while len(copied) < limit:
            following = {index: self._at(index + len(copied), copied) for index in indices}
            latest = {token: index for index, token in following.items()}
            counts = Counter(following.values())
            counts.pop(_END, None)
            if not counts:
                break
            token = max(counts, key=lambda candidate: (counts[candidate], latest[candidate]))
            matched = length + len(copied)
            likely *= counts[token] / len(indices) * matched / (matched + 1)
            if likely < _LEAST:
                break
            reached.append(likely)
            match = match or Match(length, len(indices), counts[token])
            indices = [index for index in indices if following[index] == token]
            copied.append(token)
        return Continuation(tuple(copied), indices[-1], tuple(reached), match)

    def _at(self, index: int, copied: list[int]) -> int:
        """The token at this index of what is stored with its copied continuation."""
        return self.tokens[index] if index < len(self.tokens) else copied[index - len(self.tokens)]


def _highest(length: int, limit: int) -> float:
    """The score of a continuation of this many tokens that always came after a match of this length; shorter matches have less."""
    return sum(length / (length + number) for number in range(1, limit + 1))
