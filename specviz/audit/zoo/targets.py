"""Broken targets: what their cache holds, what the branches of a tree see, and which settings they follow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo.twins import DrafterTwin, ModelTwin
from specviz.decoding.protocols import Draft, Drafter, LanguageModel, Scores
from specviz.decoding.sampling import Draws
from specviz.settings import Settings
from specviz.trace.records import Round


def rejected_kept(parts: DecoderParts) -> DecoderParts:
    """The entry of the first rejected token stays in the target's cache, and everything after it moves up by one."""
    return replace(parts, target=_RejectedKept(parts.target))


class _RejectedKept(ModelTwin):
    """Its length does not count the entries that should not be there."""

    def __init__(self, honest: LanguageModel) -> None:
        super().__init__(honest)
        self._extra = 0

    @property
    def length(self) -> int:
        return self.honest.length - self._extra

    def begin(self, capacity: int) -> None:
        self._extra = 0
        super().begin(2 * capacity)

    def keep(self, path: Sequence[int]) -> None:
        end = path[-1] if path else -1
        left = [index for index, parent in enumerate(self.parents) if parent == end]
        self._extra += len(left[:1])
        super().keep([*path, *left[:1]])


def emptied(parts: DecoderParts) -> DecoderParts:
    """At a rejection the target's cache is emptied instead of cut: prompt and text are gone."""
    return replace(parts, target=_Emptied(parts.target))


class _Emptied(ModelTwin):
    """Its length still counts the entries that are gone."""

    def __init__(self, honest: LanguageModel) -> None:
        super().__init__(honest)
        self._gone = self._capacity = 0

    @property
    def length(self) -> int:
        return self.honest.length + self._gone

    def begin(self, capacity: int) -> None:
        self._gone, self._capacity = 0, capacity
        super().begin(capacity)

    def keep(self, path: Sequence[int]) -> None:
        if len(path) == len(self.parents):
            super().keep(path)
        else:
            self._gone = self.length - len(self.parents) + len(path)
            super().begin(self._capacity)


def branches_see_each_other(parts: DecoderParts) -> DecoderParts:
    """A tree is read as one chain: a token sees the branches beside its own."""
    return replace(parts, target=_Unmasked(parts.target))


class _Unmasked(ModelTwin):
    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        self._note(tokens, parents)
        return self.honest.forward(tokens, None, rows)

    def keep(self, path: Sequence[int]) -> None:
        if list(path) == list(range(len(path))):
            super().keep(path)
        else:
            self.read_again(path)


def kept_by_count(parts: DecoderParts) -> DecoderParts:
    """After a tree pass the first entries stay in the target's cache, as many as were accepted, not those of the accepted path."""
    return replace(parts, target=_KeptByCount(parts.target))


class _KeptByCount(ModelTwin):
    def keep(self, path: Sequence[int]) -> None:
        if list(path) == list(range(len(path))):
            super().keep(path)
        else:
            self.read_again(range(len(path)))


def target_by_default(parts: DecoderParts) -> DecoderParts:
    """Only the draft follows the request's temperature, top-k and top-p; the target's probabilities are those of the defaults."""
    honest = parts.speculate

    def speculate(
        target: LanguageModel, drafter: Drafter, prompt: Sequence[int], settings: Settings, *others: Any, **named: Any
    ) -> Iterator[Round]:
        def propose(inner: Drafter, committed: Sequence[int], _: Settings, draws: Draws, limit: int) -> Draft:
            return inner.propose(committed, settings, draws, limit)

        plain = settings if settings.certain else replace(settings, temperature=1.0, top_k=0, top_p=1.0)
        return honest(target, DrafterTwin(drafter, drafter.name, propose), prompt, plain, *others, **named)

    return replace(parts, speculate=speculate)


def end_inside_missed(parts: DecoderParts) -> DecoderParts:
    """Only the last token of a round is compared with end-of-text: an accepted one inside the round does not end the text."""
    honest = parts.speculate

    def speculate(target: LanguageModel, *others: Any, **named: Any) -> Iterator[Round]:
        for round_ in honest(_Endless(target), *others, **named):
            yield round_
            if round_.tokens[-1] in target.end_ids:
                return

    return replace(parts, speculate=speculate)


def longer_than_asked(parts: DecoderParts) -> DecoderParts:
    """The number of new tokens is checked between rounds only: the last round drafts k tokens and commits all that it accepts."""
    honest = parts.speculate

    def speculate(
        target: LanguageModel, drafter: Drafter, prompt: Sequence[int], settings: Settings, *others: Any, **named: Any
    ) -> Iterator[Round]:
        more = replace(settings, max_new_tokens=settings.max_new_tokens + settings.k)
        for round_ in honest(target, drafter, prompt, more, *others, **named):
            yield round_
            if round_.start + len(round_.tokens) >= settings.max_new_tokens:
                return

    return replace(parts, speculate=speculate)


class _Endless(ModelTwin):
    def __init__(self, honest: LanguageModel) -> None:
        super().__init__(honest)
        self.end_ids = frozenset()
