"""The interfaces of models and drafters that the loop uses, general enough for every kind of drafter."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from specviz.decoding.sampling import Draws
from specviz.errors import PairError
from specviz.settings import Settings
from specviz.trace.records import Match


@dataclass(frozen=True, slots=True)
class Scores:
    """A model's output for m tokens.

    Attributes:
        logits: [m, V], row i scores the token that follows token i; V is the number of real ids of the tokenizer.
        states: [m, taps, width], for every token that was read its states at the layers of `LanguageModel.tap`; None without taps.
    """

    logits: Tensor
    states: Tensor | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One pass of the target: the tokens that it read, and those that joined the text.

    Attributes:
        tokens: [m] int64, the prompt without its last token, or the last committed token with a draft after it.
        scores: of these tokens; of a prompt only the last row of logits.
        kept: the indices of the tokens that joined the text, in order: a path from the first of them.
    """

    tokens: Tensor
    scores: Scores
    kept: tuple[int, ...]

    def kept_states(self) -> Tensor:
        """[n, taps, width] states of the tokens that joined the text, without a copy where these are a row of the pass."""
        states, indices = self.scores.states, self.kept
        assert states is not None, "the target was tapped"
        if indices == tuple(range(indices[0], indices[-1] + 1)):
            return states[indices[0] : indices[-1] + 1]
        return states[torch.tensor(indices, device=states.device)]


@dataclass(frozen=True, slots=True)
class Draft:
    """The tokens that a drafter proposes; all tensors are on the device.

    Attributes:
        tokens: [m] int64, m may be 0.
        parents: index of the token each one follows, -1 for the last committed one; a chain is -1, 0, 1, ... A token comes
            after its parent, and siblings come in the order in which they were drawn.
        probabilities: [m, V] the very distribution each token was drawn from (q), as the rule needs it. For siblings drawn
            without replacement it is q without the earlier ones, renormalised; for a token that was selected rather than
            drawn it is one-hot.
        logits: [m, V] the raw scores, for the record, or None for a drafter without a model.
        source: where in prompt and text the first token was copied from, or None if it was not copied.
        source_text: the index of the earlier text (see `Drafter.remember`) that `source` counts in; None for prompt and text.
        confidence: [m] for the record, how likely the drafter took each token to be accepted before it drew it, or None.
        match: the end of the text for which this was found, for the record.
    """

    tokens: Tensor
    parents: tuple[int, ...]
    probabilities: Tensor
    logits: Tensor | None = None
    source: int | None = None
    source_text: int | None = None
    confidence: Tensor | None = None
    match: Match | None = None

    @property
    def is_chain(self) -> bool:
        """True if each token follows the one before it."""
        return self.parents == tuple(range(-1, len(self.parents) - 1))

    @property
    def depths(self) -> tuple[int, ...]:
        """The depth of each token in the tree, counted from 1; a chain is 1, 2, 3, ..."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return tuple(depths)

    @property
    def parents_after_last(self) -> tuple[int, ...] | None:
        """The parents in the target's pass, whose first token is the last committed one; None for a chain."""
        return None if self.is_chain else (-1, *(parent + 1 for parent in self.parents))


@dataclass(frozen=True, slots=True)
class CacheReport:
    """The effect of the last operation on a cache, in tokens: how many were kept, dropped and added."""

    kept: int
    dropped: int
    added: int


# From [V] scores and this token's row of the numbers [1, ...], or None, to a token [] and the distribution [V] that
# it was drawn from.
Pick = Callable[[Tensor, Tensor | None], tuple[Tensor, Tensor]]


class LanguageModel(Protocol):
    """A model that reads tokens and manages its own cache.

    Tokens that were read stay pending until `keep` decides which of them belong to the text.
    """

    vocabulary: int
    """The number of real ids of the tokenizer, and the length of every row of logits."""
    context: int
    """The largest number of tokens that the model can read."""
    device: torch.device
    end_ids: frozenset[int]
    """Every id that ends a text."""

    @property
    def length(self) -> int:
        """The number of cached tokens, pending ones included."""
        ...

    @property
    def report(self) -> CacheReport:
        """The effect of the last `keep` and of the passes since then."""
        ...

    def begin(self, capacity: int) -> None:
        """Empty the cache and allocate it for `capacity` tokens."""
        ...

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """Read [m] tokens after everything cached and score the token that follows each.

        A token attends to the text and to its own ancestors; its position is one after its parent's.

        Args:
            tokens: [m] int64 on the device.
            parents: a tree in one pass, as in `Draft.parents` but counted from the first of these tokens; None is a
                chain. -1 is the last token read before them, -2 the one before it, and so on through all pending
                tokens, so that the next level of a tree can follow any node of the levels before it. With n pending
                tokens, -n - 1 is the end of the text.
            rows: score only the last `rows` tokens (a prefill needs no others).
        """
        ...

    def keep(self, path: Sequence[int]) -> None:
        """Keep the pending tokens with these indices, in the order in which they were read, and drop the rest.

        The path runs from the end of the text along the parents. When it is range(n) nothing is copied; the entries of a
        path with gaps are moved together.
        """
        ...

    def release(self) -> None:
        """Free the cache; `begin` allocates a new one."""
        return

    def tap(self, layers: Sequence[int]) -> None:
        """From the next pass on, `Scores.states` has the states that enter these layers, in this order; none if there are no layers.

        Layers count from 0, so 0 is the embedding. The number of layers stands for what a head reads: the last layer's output after
        the final normalisation. Raises PairError if the states of this model cannot be read.
        """
        if layers:
            raise PairError(
                "The states of this target cannot be read, and this drafter needs them: choose another drafter."
            )

    @property
    def drafts_at_once(self) -> bool:
        """True if `draft` reads and draws a whole chain now without going back to the host in between."""
        return False

    def draft(
        self, tokens: Tensor, count: int, pick: Pick, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Read [n] tokens after everything cached and draw `count` more, reading all of those but the last. Raises PairError if this
        model reads token by token.

        Args:
            pick: draws a token, on the device and without waiting for it.
            kind: a key that differs for every `pick` that behaves differently.
            numbers: [count, ...] float64, a row for each token, passed to `pick`: uniform random numbers, temperatures and the like;
                None where nothing is random.

        Returns:
            The tokens [count] int64, the distributions they were drawn from and the raw scores, both [count, V].
        """
        raise PairError("This model reads token by token.")


class SelfDraftingTarget(LanguageModel, Protocol):
    """A target that can draft with its first layers before its full pass."""

    def look_ahead(self, tokens: Tensor, depth: int, rows: int | None = None) -> Tensor:
        """[rows, V] scores after the first `depth` layers, for [m] tokens after the text and after earlier look-ahead tokens.

        The next full pass starts with these tokens and does not compute those layers again for them.
        """
        ...

    def drop_ahead(self) -> None:
        """Drop the look-ahead tokens."""
        ...


class TrainedHead(Protocol):
    """A head that was trained for the target, with what it borrows of it: see `specviz.models.heads`, which decoding does not import."""

    @property
    def spec(self) -> Any:
        """Its `Spec`; the values of `options` come from a file: check them before use."""
        ...

    @property
    def taps(self) -> tuple[int, ...]:
        """The layers whose states it reads, see `LanguageModel.tap`."""
        ...

    @property
    def network(self) -> Any:
        """Its own network, of a class that belongs to its kind."""
        ...

    @property
    def frozen(self) -> Any:
        """The target's embedding and output layer, `Frozen`."""
        ...


class Drafter(ABC):
    """Anything that can propose the next tokens: `begin` and `propose`. The other methods are for drafters that need them.

    Attributes:
        name: in the registry; a drafter outside the registry is shown under this name.
        model: the language model that it reads with, one of its own or the target itself; None without one.
        head: the trained head that it uses, whose states are compared with a plain pass before its first run on a pair; None without one.
        layers: the indices of the target's layers that it drafts with, from 0.
        taps: at which layers it reads the target's states, see `LanguageModel.tap`.
        remembers: whether it can also copy from other texts, see `remember`.
        other: of a drafter that copies where the text repeats itself, the one that drafts elsewhere.
    """

    name: str
    model: LanguageModel | None = None
    head: TrainedHead | None = None
    layers: tuple[int, ...] = ()
    taps: tuple[int, ...] = ()
    remembers: bool = False
    other: "Drafter | None" = None

    @abstractmethod
    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Prepare for a new text. The caches may hold all of `prompt` except its last token, which the first round reads."""

    @abstractmethod
    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """Propose at most `limit` tokens after `committed` (prompt and text so far, one or more ids)."""

    def saw(self, reading: Reading) -> None:
        """Take note of a pass of the target: of the prompt after `begin`, unless it has a single token, and of every round's pass once it is judged.

        It should store the reading and do its work in `propose`, where it is timed as drafting; the prompt it may read at once.
        """

    def copy_probabilities(self, committed: Sequence[int], settings: Settings, limit: int) -> tuple[float, ...]:
        """Of each token of the next draft, if that is a copy, the estimated probability that it and all before it are accepted; else ()."""
        return ()

    def remember(self, earlier: Sequence[Sequence[int]]) -> None:
        """From the next `begin` on, copy from these texts too, oldest first, and from no others that were given before."""


def check_cached(cached: int, text: int, whose: str) -> None:
    """Check that a cache holds what was read of the text, and no other text. Raises PairError if it does not."""
    if cached != text:
        raise PairError(
            f"The cache of the {whose} has {cached} tokens where {text} of this text were read: another run has used these models "
            "meanwhile, so finish one run before starting the next."
        )
