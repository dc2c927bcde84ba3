"""Public fakes, for our tests and for anyone who writes a drafter or a rule; no weights, no network.

`TableModel` and `ScriptedDrafter` replace models, `ByteTokenizer` replaces a tokenizer. `BranchingDraws` replaces the
random numbers: `branches` runs a function once for every outcome of its draws and gives the probability of each, so that
the shipped loop itself is enumerated exactly, not a copy of its mathematics.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from specviz.decoding.protocols import CacheReport, Draft, Drafter, LanguageModel, Scores
from specviz.decoding.sampling import Drawn, Draws
from specviz.errors import PairError
from specviz.settings import Settings
from specviz.trace.records import TokenBytes

Logits = Callable[[tuple[int, ...]], Sequence[float] | Tensor]  # from the ids so far to the logits [V] of the next id

Result = TypeVar("Result")
Outcome = TypeVar("Outcome", bound=Hashable)


@dataclass(frozen=True, slots=True)
class _PendingToken:
    """A pending token: all ids up to and including it, and the index of the pending token that it follows (-1 for the text)."""

    history: tuple[int, ...]
    parent: int


class TableModel(LanguageModel):
    """A `specviz.decoding.protocols.LanguageModel` in float64 whose logits are a function of the ids so far.

    Its cache is the list of cached ids, and the logits depend on that list: a wrong `keep` gives wrong logits.
    It reads trees as well as chains.

    Args:
        vocabulary: number of ids, V.
        logits: from the ids so far to the logits [V] of the next id.
        context: the maximum number of tokens in the cache.

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
    ) -> None:
        self.vocabulary = vocabulary
        self.context = context
        self.device = torch.device("cpu")
        self.end_ids = frozenset(end_ids)
        self.passes: list[tuple[int, ...]] = []
        self._logits = logits
        self._taps: tuple[int, ...] = ()
        self._capacity = 0
        self._text: tuple[int, ...] = ()
        self._pending: list[_PendingToken] = []
        self._report = CacheReport(0, 0, 0)

    @classmethod
    def from_table(cls, table: Tensor, **options: Any) -> "TableModel":
        """A model with logits from a table [V, ..., V]: the last axis is the next id, the other axes are the ids before it.

        A shorter history is padded with id 0 at the front.
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
        """A model with normally distributed logits of standard deviation `spread`, one row for every history of `memory` ids."""
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
    def kept(self) -> tuple[int, ...]:
        """The cached ids without the pending ones."""
        return self._text

    def scores(self, history: Sequence[int]) -> Tensor:
        """[V] float64 logits of the next id after these ids, independent of the cache."""
        return torch.as_tensor(self._logits(tuple(history)), dtype=torch.float64)

    def begin(self, capacity: int) -> None:
        self._report = CacheReport(0, self.length, 0)
        self._capacity, self._text, self._pending, self.passes = capacity, (), [], []

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`. Raises PairError if there are more tokens than `begin` made room for, or a
        parent is not a pending token or the text."""
        ids = [int(i) for i in tokens.tolist()]
        if self.length + len(ids) > self._capacity:
            raise PairError(
                f"The cache has room for {self._capacity} tokens and {self.length + len(ids)} were read: "
                "begin with a larger capacity."
            )
        self.passes.append(tuple(ids))
        first = len(self._pending)
        for token, parent in zip(ids, range(-1, len(ids) - 1) if parents is None else parents, strict=True):
            index = first + parent
            if not -1 <= index < len(self._pending):
                raise PairError(
                    f"A token had the parent {parent}: give the index of a pending token, or that of the end of the text."
                )
            history = self._pending[index].history if index >= 0 else self._text
            self._pending.append(_PendingToken((*history, token), index))
        report = self._report
        self._report = CacheReport(report.kept, report.dropped, report.added + len(ids))
        fresh = self._pending[first:]
        logits = torch.stack([self.scores(token.history) for token in fresh[-rows if rows else None :]])
        states = [[[float(r.history[-1]), len(r.history) - 1.0, float(tap)] for tap in self._taps] for r in fresh]
        return Scores(logits, torch.tensor(states) if self._taps else None)

    def tap(self, layers: Sequence[int]) -> None:
        """Return states, here [m, taps, 3]: each token's id, its position in the text, and the tap."""
        self._taps = tuple(layers)

    def keep(self, path: Sequence[int]) -> None:
        """See `LanguageModel.keep`. Raises PairError if the path is not a chain of pending tokens, each the child of
        the one before."""
        parent = -1
        for index in path:
            if not 0 <= index < len(self._pending) or self._pending[index].parent != parent:
                raise PairError(
                    f"The path to keep was {list(path)}: give a chain of the {len(self._pending)} pending tokens, each the "
                    "child of the one before."
                )
            parent = index
        dropped = len(self._pending) - len(path)
        if path:
            self._text = self._pending[path[-1]].history
        self._pending = []
        self._report = CacheReport(len(self._text), dropped, 0)


class ScriptedDrafter(Drafter):
    """A `specviz.decoding.protocols.Drafter` that proposes fixed tokens.

    The tokens are not drawn from a distribution, so the output follows the target's distribution only if q is 1 for each
    of them, which is the default.

    Args:
        vocabulary: number of ids, V.
        script: the tokens of every round, or a function from the committed ids to the tokens of the round. A round
            is cut where the loop has room for fewer tokens; after the end of the script nothing is proposed.
        probabilities: [m, V] the q to report for the tokens of each round; None reports 1.
        parents: for a tree, the index of the token that each one follows; None is a chain.
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
        """Nothing to prepare: the script continues with its next round."""

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        tokens = torch.tensor(list(self._next(committed))[:limit], dtype=torch.long)
        count = tokens.shape[0]
        if self._probabilities is None:
            rows = torch.nn.functional.one_hot(tokens, self._vocabulary).double()
        else:
            rows = torch.tensor(self._probabilities, dtype=torch.float64).reshape(-1, self._vocabulary)[:count]
        parents = range(-1, count - 1) if self._parents is None else self._parents[:count]
        return Draft(tokens, tuple(parents), rows)


class ByteTokenizer:
    """A tokenizer with one token for each byte and one more id that ends a text; the interface of `specviz.models.tokens.TokenText`."""

    end_id = 256
    vocabulary = 257
    has_template = False

    def encode(self, prompt: str, *, template: bool = True) -> list[int]:
        """The UTF-8 bytes of a text; there is no template."""
        return list(prompt.encode())

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these ids, without the id that ends a text."""
        return bytes(i for i in ids if i != self.end_id).decode(errors="replace")

    def bytes_of(self, token: int) -> TokenBytes:
        """The bytes of one id."""
        return TokenBytes(b"<end>", special=True) if token == self.end_id else TokenBytes(bytes([token]))

    def table(self) -> dict[int, TokenBytes]:
        """The bytes of every id, for a trace."""
        return {token: self.bytes_of(token) for token in range(self.vocabulary)}


class BranchingDraws:
    """Draws that follow one path through the tree of all outcomes; `branches` visits every path.

    Drawing a token is a fork over all tokens of positive probability. A uniform number is undecided: only an interval is
    known, at first [0, 1), and `<` with a bound inside that interval is a fork that narrows it. A record shows the
    midpoints of the final intervals.

    Args:
        path: the choice at each of the first forks; at all later forks the first choice.

    Attributes:
        weight: the probability of the path so far.
    """

    def __init__(self, path: Sequence[int] = ()) -> None:
        self.weight = 1.0
        self._path = list(path)
        self._choices: list[tuple[int, int]] = []
        self._intervals: list[tuple[float, float]] = []
        self._numbers: list[tuple[int, Tensor]] = []

    def uniform(self, count: int) -> Tensor:
        """[count] undecided numbers. Before they are decided they support only `<` and indexing."""
        first = len(self._intervals)
        self._intervals += [(0.0, 1.0)] * count
        midpoints = torch.full((count,), 0.5, dtype=torch.float64)
        self._numbers.append((first, midpoints))
        undecided = midpoints.as_subclass(_OpenChoice)
        undecided.draws, undecided.slots = self, torch.arange(first, first + count)
        return undecided

    def token(self, probabilities: Tensor) -> Drawn:
        """One token; every token of positive probability is a branch. Raises ValueError if `probabilities` [V] is not a
        distribution."""
        row = probabilities.double()
        values: list[float] = row.tolist()
        if not (torch.isfinite(row).all() and min(values) >= 0 and sum(values) > 0):
            raise ValueError(f"The probabilities were {values}: give finite numbers from 0 on with a positive sum.")
        total = sum(values)
        possible = [token for token, value in enumerate(values) if value > 0]
        choice = possible[self._fork([values[token] / total for token in possible])]
        middle = (sum(values[:choice]) + values[choice] / 2) / total
        return Drawn(torch.tensor(choice), torch.tensor(middle, dtype=torch.float64))

    def below(self, indices: Sequence[int], bounds: Sequence[float]) -> list[bool]:
        """True for each undecided number below its bound; decided now if its interval leaves it open."""
        answers = []
        for index, bound in zip(indices, bounds, strict=True):
            low, high = self._intervals[index]
            if not low < bound < high:
                answers.append(bound >= high)
                continue
            share = (bound - low) / (high - low)
            answers.append(self._fork([share, 1 - share]) == 0)
            self._intervals[index] = (low, bound) if answers[-1] else (bound, high)
        for first, midpoints in self._numbers:
            ends = self._intervals[first : first + midpoints.shape[0]]
            midpoints.copy_(torch.tensor([(low + high) / 2 for low, high in ends], dtype=torch.float64))
        return answers

    def next_path(self) -> list[int] | None:
        """The path after this one in depth-first order; None after the last one."""
        choices = list(self._choices)
        while choices and choices[-1][0] == choices[-1][1] - 1:
            choices.pop()
        return [choice for choice, _ in choices[:-1]] + [choices[-1][0] + 1] if choices else None

    def _fork(self, weights: Sequence[float]) -> int:
        if len(weights) == 1:
            return 0
        depth = len(self._choices)
        choice = self._path[depth] if depth < len(self._path) else 0
        self._choices.append((choice, len(weights)))
        self.weight *= weights[choice]
        return choice


class _OpenChoice(Tensor):
    """Uniform numbers that are decided when they are compared; `slots` are their indices in `draws`."""

    draws: BranchingDraws
    slots: Tensor

    def __lt__(self, bound: Any) -> Tensor:
        bounds = torch.as_tensor(bound, dtype=torch.float64).expand(self.slots.shape)
        answers = self.draws.below(self.slots.flatten().tolist(), bounds.flatten().tolist())
        return torch.tensor(answers, dtype=torch.bool).reshape(self.slots.shape)

    def __getitem__(self, index: Any) -> Tensor:
        view = super().__getitem__(index).as_subclass(_OpenChoice)
        view.draws, view.slots = self.draws, self.slots[index]
        return view

    def _undecidable(self, other: Any) -> Tensor:
        raise TypeError("An undecided number was compared with another operator than <: compare it with <.")

    __le__ = __gt__ = __ge__ = _undecidable


@dataclass(frozen=True, slots=True)
class Branch(Generic[Result]):
    """One outcome of the draws: its probability, and the result of the function."""

    weight: float
    result: Result


def branches(run: Callable[[Draws], Result]) -> Iterator[Branch[Result]]:
    """Run a function once for every outcome of its draws, depth first; the weights sum to 1. `run`: deterministic
    except for the draws that it is given, which must be its only source of randomness."""
    path: list[int] | None = []
    while path is not None:
        draws = BranchingDraws(path)
        result = run(draws)
        yield Branch(draws.weight, result)
        path = draws.next_path()


def distribution(run: Callable[[Draws], Outcome]) -> dict[Outcome, float]:
    """The exact probability of every value that a function can return."""
    sums: defaultdict[Outcome, float] = defaultdict(float)
    for branch in branches(run):
        sums[branch.result] += branch.weight
    return dict(sums)
