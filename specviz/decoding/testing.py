"""Public fakes, for our tests and for anyone who writes a drafter or a rule of their own; no weights, no network.

`TableModel` and `ScriptedDrafter` stand in for models, `ByteTokenizer` for a tokenizer. `BranchingDraws` stands in
for chance: `branches` runs a function once for every way that chance can go and says how likely each is, so that
the shipped loop itself is enumerated exactly, not a copy of its mathematics.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from specviz.decoding.protocols import CacheReport, Draft, Scores
from specviz.decoding.sampling import Drawn, Draws
from specviz.errors import PairError
from specviz.settings import Settings
from specviz.trace.records import TokenBytes

Logits = Callable[[tuple[int, ...]], Sequence[float] | Tensor]
"""Scores of every id, given all ids before it."""

Result = TypeVar("Result")
Outcome = TypeVar("Outcome", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _Read:
    """A pending token: the ids up to and with it, and the place among the pending that it follows, -1 for the text."""

    history: tuple[int, ...]
    parent: int


class TableModel:
    """A `specviz.decoding.protocols.LanguageModel` in float64 whose scores are a function of the ids before.

    Its cache is the ids it holds, and it scores what it holds: whoever keeps its cache wrong gets wrong scores.
    It reads trees as well as chains.

    Args:
        vocabulary: how many ids there are.
        logits: [vocabulary] scores of what follows a history of ids.
        context: the most tokens it can hold.
        end_ids: every id that ends a text.
        hidden: whether `forward` also returns states, [m, 2] here: each token's id and its place in the text.

    Attributes:
        passes: the ids of every pass since `begin`, in order.
    """

    decoder = "table"

    def __init__(
        self,
        vocabulary: int,
        logits: Logits,
        *,
        context: int = 4096,
        end_ids: Iterable[int] = (),
        hidden: bool = False,
    ) -> None:
        self.vocabulary = vocabulary
        self.context = context
        self.device = torch.device("cpu")
        self.end_ids = frozenset(end_ids)
        self.passes: list[tuple[int, ...]] = []
        self._logits = logits
        self._hidden = hidden
        self._capacity = 0
        self._text: tuple[int, ...] = ()
        self._pending: list[_Read] = []
        self._report = CacheReport(0, 0, 0)

    @classmethod
    def from_table(cls, table: Tensor, **options: Any) -> "TableModel":
        """Scores from a [V, ..., V] table: the last axis is the next id, those before it the ids that came before.

        A history shorter than the table's memory is filled up with id 0 in front.
        """
        memory, rows = table.dim() - 1, table.double()

        def logits(history: tuple[int, ...]) -> Tensor:
            recent = (*[0] * memory, *history)[len(history) :] if memory else ()
            return rows[recent]

        return cls(table.shape[-1], logits, **options)

    @classmethod
    def random(
        cls, vocabulary: int, seed: int, *, memory: int = 2, spread: float = 1.5, **options: Any
    ) -> "TableModel":
        """Normally distributed scores of this spread, another row for every `memory` ids that came before."""
        generator = torch.Generator().manual_seed(seed)
        table = torch.randn([vocabulary] * (memory + 1), generator=generator, dtype=torch.float64)
        return cls.from_table(table * spread, **options)

    @property
    def length(self) -> int:
        return len(self._text) + len(self._pending)

    @property
    def report(self) -> CacheReport:
        return self._report

    @property
    def held(self) -> tuple[int, ...]:
        """The ids that are kept as text, pending ones left out."""
        return self._text

    def scores(self, history: Sequence[int]) -> Tensor:
        """[V] float64 scores of what follows these ids; the cache plays no part."""
        return torch.as_tensor(self._logits(tuple(history)), dtype=torch.float64)

    def begin(self, capacity: int) -> None:
        self._report = CacheReport(0, self.length, 0)
        self._capacity, self._text, self._pending, self.passes = capacity, (), [], []

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`.

        Raises:
            PairError: for more tokens than `begin` made room for, or a parent before the end of the text.
        """
        ids = [int(i) for i in tokens.tolist()]
        if self.length + len(ids) > self._capacity:
            raise PairError(
                f"The cache has room for {self._capacity} tokens and {self.length + len(ids)} were read: "
                "begin with a larger capacity."
            )
        self.passes.append(tuple(ids))
        first = len(self._pending)
        for token, parent in zip(ids, range(-1, len(ids) - 1) if parents is None else parents, strict=True):
            before = first + parent
            if not -1 <= before < len(self._pending):
                raise PairError(f"The parent {parent} of a token is neither pending nor the end of the text.")
            history = self._pending[before].history if before >= 0 else self._text
            self._pending.append(_Read((*history, token), before))
        report = self._report
        self._report = CacheReport(report.kept, report.dropped, report.added + len(ids))
        fresh = self._pending[first:]
        logits = torch.stack([self.scores(read.history) for read in fresh[-rows if rows else None :]])
        states = torch.tensor([[float(r.history[-1]), len(r.history) - 1.0] for r in fresh]) if self._hidden else None
        return Scores(logits, states)

    def keep(self, path: Sequence[int]) -> None:
        """See `LanguageModel.keep`.

        Raises:
            PairError: the path does not follow the parents, or names tokens that are not pending.
        """
        at = -1
        for place in path:
            if not 0 <= place < len(self._pending) or self._pending[place].parent != at:
                raise PairError(f"The path {list(path)} does not run along the {len(self._pending)} pending tokens.")
            at = place
        dropped = len(self._pending) - len(path)
        if path:
            self._text = self._pending[path[-1]].history
        self._pending = []
        self._report = CacheReport(len(self._text), dropped, 0)


class ScriptedDrafter:
    """A `specviz.decoding.protocols.Drafter` that proposes what it is told to.

    The tokens are not drawn from anything, so the target's distribution is only kept where they are scored as
    certain (the default: q is 1).

    Args:
        vocabulary: how many ids there are.
        script: the tokens of every round, or a function from the committed ids to the tokens of the round. A round
            is cut where the loop has room for fewer; when the script is at its end nothing is proposed.
        probabilities: [m, V] the q to claim for the tokens of each round; None claims 1.
        parents: what each token follows, for a tree; None is a chain.
    """

    name = "script"

    def __init__(
        self,
        vocabulary: int,
        script: Iterable[Sequence[int]] | Callable[[Sequence[int]], Sequence[int]],
        probabilities: Sequence[Sequence[float]] | None = None,
        parents: Sequence[int] | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        rounds = iter(()) if callable(script) else iter(script)
        self._next = script if callable(script) else lambda committed: next(rounds, ())
        self._probabilities = probabilities
        self._parents = parents

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Nothing to prepare: the script goes on where it was."""

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        tokens = torch.tensor(list(self._next(committed))[:limit], dtype=torch.long)
        count = tokens.shape[0]
        if self._probabilities is None:
            rows = torch.nn.functional.one_hot(tokens, self._vocabulary).double()
        else:
            rows = torch.tensor(self._probabilities, dtype=torch.float64).reshape(-1, self._vocabulary)[:count]
        parents = range(-1, count - 1) if self._parents is None else self._parents[:count]
        return Draft(tokens, tuple(parents), rows)


class ByteTokenizer:
    """Every byte is a token, and one id more ends a text; what `specviz.models.tokens.TokenText` can be asked for."""

    end_id = 256
    vocabulary = 257
    has_template = False

    def encode(self, prompt: str, *, template: bool = True) -> list[int]:
        """The bytes of a text; there is no template."""
        return list(prompt.encode())

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, the end of the text left out."""
        return bytes(i for i in ids if i != self.end_id).decode(errors="replace")

    def bytes_of(self, token: int) -> TokenBytes:
        """What one id stands for."""
        return TokenBytes(b"<end>", special=True) if token == self.end_id else TokenBytes(bytes([token]))

    def table(self) -> dict[int, TokenBytes]:
        """The bytes of every id, for a trace."""
        return {token: self.bytes_of(token) for token in range(self.vocabulary)}


class BranchingDraws:
    """Chance that follows one path through the tree of all that can happen; `branches` walks every path.

    A drawn token is a fork over all tokens of positive probability. A uniform number is undecided: it is known
    to lie in an interval, at first [0, 1), and `<` against a ratio inside that interval is a fork that narrows it.
    The numbers that a record shows are the middles of the final intervals.

    Args:
        path: which way to go at the first forks; from there on the first way.

    Attributes:
        weight: how likely the path so far is.
    """

    def __init__(self, path: Sequence[int] = ()) -> None:
        self.weight = 1.0
        self._given = list(path)
        self._taken: list[tuple[int, int]] = []
        self._intervals: list[tuple[float, float]] = []
        self._numbers: list[tuple[int, Tensor]] = []

    def uniform(self, count: int) -> Tensor:
        """[count] undecided numbers. Only `<` and indexing may be used on them before they are decided."""
        first = len(self._intervals)
        self._intervals += [(0.0, 1.0)] * count
        plain = torch.full((count,), 0.5, dtype=torch.float64)
        self._numbers.append((first, plain))
        undecided = plain.as_subclass(_Undecided)
        undecided.draws, undecided.places = self, torch.arange(first, first + count)
        return undecided

    def token(self, probabilities: Tensor) -> Drawn:
        """One token; every token of positive probability is a way to go.

        Raises:
            ValueError: what was given is not a distribution.
        """
        row = probabilities.double()
        values: list[float] = row.tolist()
        if not (torch.isfinite(row).all() and min(values) >= 0 and sum(values) > 0):
            raise ValueError(f"a token was to be drawn from {values}, which is no distribution")
        total = sum(values)
        possible = [token for token, value in enumerate(values) if value > 0]
        chosen = possible[self._fork([values[token] / total for token in possible])]
        middle = (sum(values[:chosen]) + values[chosen] / 2) / total
        return Drawn(torch.tensor(chosen), torch.tensor(middle, dtype=torch.float64))

    def below(self, places: Sequence[int], bounds: Sequence[float]) -> list[bool]:
        """Whether each undecided number lies below its bound: decided here and now where it was still open."""
        answers = []
        for place, bound in zip(places, bounds, strict=True):
            low, high = self._intervals[place]
            if not low < bound < high:
                answers.append(bound >= high)
                continue
            share = (bound - low) / (high - low)
            answers.append(self._fork([share, 1 - share]) == 0)
            self._intervals[place] = (low, bound) if answers[-1] else (bound, high)
        for first, plain in self._numbers:
            ends = self._intervals[first : first + plain.shape[0]]
            plain.copy_(torch.tensor([(low + high) / 2 for low, high in ends], dtype=torch.float64))
        return answers

    def next_path(self) -> list[int] | None:
        """The path to walk after this one, depth first; None when all have been walked."""
        taken = list(self._taken)
        while taken and taken[-1][0] == taken[-1][1] - 1:
            taken.pop()
        return [way for way, _ in taken[:-1]] + [taken[-1][0] + 1] if taken else None

    def _fork(self, weights: Sequence[float]) -> int:
        if len(weights) == 1:
            return 0
        at = len(self._taken)
        way = self._given[at] if at < len(self._given) else 0
        self._taken.append((way, len(weights)))
        self.weight *= weights[way]
        return way


class _Undecided(Tensor):
    """Uniform numbers that are decided when they are compared."""

    draws: BranchingDraws
    places: Tensor

    def __lt__(self, other: Any) -> Tensor:
        bounds = torch.as_tensor(other, dtype=torch.float64).expand(self.places.shape)
        answers = self.draws.below(self.places.flatten().tolist(), bounds.flatten().tolist())
        return torch.tensor(answers, dtype=torch.bool).reshape(self.places.shape)

    def __getitem__(self, index: Any) -> Tensor:
        view = super().__getitem__(index).as_subclass(_Undecided)
        view.draws, view.places = self.draws, self.places[index]
        return view

    def _undecidable(self, other: Any) -> Tensor:
        raise TypeError("an undecided number can only be asked whether it is < something")

    __le__ = __gt__ = __ge__ = _undecidable


@dataclass(frozen=True, slots=True)
class Branch(Generic[Result]):
    """One way that chance can go: how likely it is, and what came of it."""

    weight: float
    result: Result


def branches(run: Callable[[Draws], Result]) -> Iterator[Branch[Result]]:
    """Run a function once for every way that its draws can go, depth first; the weights sum to 1.

    Args:
        run: does the same thing whenever it is called, chance aside, and takes all of its chance from what it is given.
    """
    path: list[int] | None = []
    while path is not None:
        draws = BranchingDraws(path)
        result = run(draws)
        yield Branch(draws.weight, result)
        path = draws.next_path()


def distribution(run: Callable[[Draws], Outcome]) -> dict[Outcome, float]:
    """The exact probability of everything that a function can return."""
    sums: defaultdict[Outcome, float] = defaultdict(float)
    for branch in branches(run):
        sums[branch.result] += branch.weight
    return dict(sums)
