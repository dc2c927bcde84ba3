"""Short passes and full drafts on a GPU, captured once as CUDA graphs and replayed: one launch instead of hundreds of kernels."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import brief
from specviz.models.networks.capture import CaptureJob, Graphs, Results, compare_drafts, compare_passes
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import DraftStep
from specviz.models.networks.positions import Positions

# The longest draft plus one. Longer chains are rare and run uncaptured, and so do the first passes of a text
# (prompts).
LONGEST = 17
# Trees are filled up to one of these numbers of tokens, so that a few graphs serve trees of every size.
TREES = (8, 16, 32, 64, 80)
FEWEST_ATTENDED = 256  # slots that a graph attends to, at least
# Buffers are allocated in steps of this many slots, so that texts of similar lengths keep the same graphs.
_STEP = 256

PASSES, FULL_DRAFTS, TREE_PASSES, HALVES = "passes", "full drafts", "trees", "early exits"
# The kinds of passes that are captured or not, in words for people. "Passes" are those over chains.
READ_PASSES, READ_TREES = "passes whose states are read", "trees whose states are read"


class GraphedDecoder(LeanDecoder):
    """A `LeanDecoder` on CUDA that replays short passes as graphs. Run every pass in inference mode.

    A graph has fixed shapes: it attends to a power of two of slots, enough for the text so far, and trees are filled up. There are graphs
    of chains, of trees, of the two halves of an early exit, and of full drafts with their k passes and draws. The states at the taps are
    results of a graph like its logits, and every set of taps has its own graphs. Prompts run uncaptured.

    Before its first use every graph is compared with ordinary passes. If it differs, its kind of pass runs uncaptured from then on. When
    the buffers grow, all graphs are captured again.

    What a pass returns is a copy that belongs to the caller: no later pass changes it.

    Args:
        model: as for `LeanDecoder`.

    Attributes:
        failures: for each kind of pass that cannot be captured the reason.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__(model)
        self.failures: dict[str, str] = {}
        self._graphs = Graphs(self.buffers)

    @property
    def failure(self) -> str:
        """Why graphs are off, if capturing an ordinary pass failed; empty while they are on."""
        return self.failures.get(PASSES, "")

    @property
    def graphs(self) -> int:
        """The number of graphs that are kept."""
        return len(self._graphs)

    @property
    def kind(self) -> str:
        if self.failure:
            return f"own, CUDA graphs off: {self.failure}"
        return "own, CUDA graphs" + "".join(f", not for {part}: {reason}" for part, reason in self.failures.items())

    @property
    def drafts_at_once(self) -> bool:
        """True if graphs are on for full drafts."""
        return self._is_on(FULL_DRAFTS)

    def begin(self, capacity: int) -> None:
        """Allocate larger buffers if these are too small, with room for the tokens that a tree is filled up with."""
        spare = -(-(capacity + TREES[-1] + 1) // _STEP) * _STEP
        if spare > self._capacity:
            self.release()
        super().begin(spare)

    def release(self) -> None:
        """Drop every graph together with the buffers, because the graphs contain the buffers' addresses."""
        self._graphs.clear()
        super().release()

    @contextmanager
    def narrowed(self, window: int) -> Iterator[None]:
        self._graphs.clear()
        try:
            with super().narrowed(window):
                yield
        finally:
            self._graphs.clear()  # they attend to the narrow window

    def boundaries(self, first: int, last: int) -> list[int]:
        """The lengths of text from `first` to `last` at which other graphs come into use: `first`, every power of two, and `last` if a tree
        after it needs more slots than `last` itself."""
        powers = [1 << power for power in range((last + 2 * TREES[-1]).bit_length())]
        return sorted({first, *(min(power, last) for power in powers if power > first and power >= FEWEST_ATTENDED)})

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if rows is not None and rows >= positions.count:
            rows = None  # the same graph
        if positions.attends is not None:
            results = self._tree(tokens, positions, rows)
        else:
            part = READ_PASSES if self.taps else PASSES
            results = self._chain(part, ("read", rows, self.taps), tokens, positions, lambda states: (states + 1) % self._ids,
                                lambda length, ids, end: self.read_at(ids, length, rows, end),
                                lambda at, ids: LeanDecoder.read(self, ids, at, rows))  # fmt: skip
        return super().read(tokens, positions, rows) if results is None else (results[0], results[1])

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        def work(length: Tensor, ids: Tensor, end: int) -> Results:
            states = self._run(self._embed(ids), self._fixed_geometry(ids.shape[0], length, end), range(depth))
            return self._score(states, rows)[0], states

        results = self._chain(HALVES, ("lower", depth, rows), tokens, positions, lambda ids: (ids + 1) % self._ids,
                            work, lambda at, ids: LeanDecoder.lower(self, ids, at, depth, rows))  # fmt: skip
        return super().lower(tokens, positions, depth, rows) if results is None else (results[0], results[1])

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        def work(length: Tensor, below: Tensor, end: int) -> Results:
            geometry = self._fixed_geometry(below.shape[0], length, end)
            return self._score(self._run(below, geometry, range(depth, self.depth)), rows)

        results = self._chain(HALVES, ("upper", depth, rows), states, positions, torch.neg,
                            work, lambda at, below: LeanDecoder.upper(self, tokens, below, at, depth, rows))  # fmt: skip
        return super().upper(tokens, states, positions, depth, rows) if results is None else (results[0], results[1])

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        unread = tokens.shape[0]
        slots = unread + count - 1
        end = self._slots_for(begin + slots)

        def work(length: Tensor, ids: Tensor, *extra: Tensor) -> Results:
            return draft_at(lambda ids, at, rows: self.read_at(ids, at, rows, end), ids, length, count, step, *extra)

        def plain(at: int, ids: Tensor, *extra: Tensor) -> Results:
            return draft_by_passes(lambda *pass_: LeanDecoder.read(self, *pass_), ids, at, count, step, *extra)

        inputs = (tokens,) if numbers is None else (tokens, numbers)

        def other_inputs() -> tuple[Tensor, ...]:
            # Halfway to 1/2, a uniform number, a temperature and a top-p stay valid.
            return ((tokens + 1) % self._ids, *(values / 2 + 0.25 for values in inputs[1:]))

        key = ("draft", unread, count, kind, numbers is None, end)
        job = CaptureJob(
            key, begin, slots, inputs, other_inputs, work, plain, compare_drafts(unread, sampled=numbers is not None)
        )
        ids, distributions, logits = self._attempt(FULL_DRAFTS, job) or plain(begin, *inputs)
        return ids, distributions, logits

    def _chain(
        self,
        part: str,
        key: tuple[Hashable, ...],
        states: Tensor,
        positions: Positions,
        change: Callable[[Tensor], Tensor],
        work: Callable[[Tensor, Tensor, int], Results],
        plain: Callable[[Positions, Tensor], Results],
    ) -> Results | None:
        """The results of a pass over a short chain with `states` [m, ...], or ids [m], as its input; None if this pass is not captured."""
        count, end = positions.count, self._slots_for(positions.end)
        if positions.begin == 0 or positions.attends is not None or count > LONGEST:
            return None
        job = CaptureJob(
            key=(*key, count, end),
            begin=positions.begin,
            slots=count,
            inputs=(states,),
            other_inputs=lambda: (change(states),),
            work=lambda length, chain: work(length, chain, end),
            plain=lambda at, chain: plain(Positions(at, count), chain),
            compare=compare_passes(count),
        )
        return self._attempt(part, job)

    def _tree(self, tokens: Tensor, positions: Positions, rows: int | None) -> Results | None:
        """The results of a pass over a tree, filled up with tokens that attend to themselves only; None if it is not captured."""
        begin, count = positions.begin, positions.count
        size = next((size for size in TREES if size >= count), None)
        if positions.attends is None or positions.ids is None or size is None or begin == 0:
            return None
        end = self._slots_for(begin + size)
        filled, where = tokens.new_zeros(size), positions.ids.new_full((size,), begin)
        filled[:count], where[:count] = tokens, positions.ids
        attends = positions.attends.new_zeros(size, end)
        attends[:, begin : begin + size].fill_diagonal_(True)
        attends[:count, : positions.end] = positions.attends
        job = CaptureJob(
            key=("tree", size, end, self.taps),
            begin=begin,
            slots=size,
            inputs=(filled, where, attends),
            other_inputs=lambda: ((filled + 1) % self._ids, where + 1, attends.roll(1, -1)),
            work=lambda length, ids, at, mask: self.read_at(ids, length, None, end, at, mask),
            plain=lambda at, ids, where, mask: LeanDecoder.read(
                self,
                ids,
                Positions(at, size, torch.cat([torch.arange(at, device=where.device), where]), mask[:, : at + size]),
            ),
            compare=compare_passes(size),
        )
        results = self._attempt(READ_TREES if self.taps else TREE_PASSES, job)
        return None if results is None else (results[0][:count][-(rows or count) :], results[1][:count])

    @property
    def _ids(self) -> int:
        """The number of ids that the model has an embedding for."""
        return self._embedding.shape[0]

    def _slots_for(self, end: int) -> int:
        """How many slots a graph attends to that ends at `end`: the smallest power of two above it, at least 256 and at most the capacity. So a
        pass never reads more than twice what the text needs, however large the buffers are, and at least one slot after `end` is free."""
        return min(max(FEWEST_ATTENDED, 1 << end.bit_length()), self._capacity)

    def _is_on(self, part: str) -> bool:
        return not (self.failure or part in self.failures)

    def _attempt(self, part: str, job: CaptureJob) -> Results | None:
        """The results of the job, or None if this kind of pass is not captured, which a failure decides for good."""
        if not self._is_on(part) or job.begin + job.slots >= self._capacity:
            return None
        try:
            return self._replay(job)
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            self.failures[part] = brief(error)
            return None

    def _replay(self, job: CaptureJob) -> Results:
        return self._graphs.replay(job)


def draft_at(
    run: Callable[[Tensor, Tensor, int | None], tuple[Tensor, Tensor]],
    tokens: Tensor,
    length: Tensor,
    count: int,
    step: DraftStep,
    numbers: Tensor | None = None,
) -> Results:
    """`GraphedDecoder.draft` with the number of cached tokens `length` [] on the device: the same sequence of kernels every time."""
    steps = []
    for index in range(count):
        logits, _ = run(tokens, length, 1)
        length = length + tokens.shape[0]
        tokens, tensors = step(logits, None if numbers is None else numbers[index : index + 1])
        steps.append(tensors)
    return tuple(torch.stack(column) for column in zip(*steps, strict=True))


def draft_by_passes(
    run: Callable[[Tensor, Positions, int | None], tuple[Tensor, Tensor]],
    tokens: Tensor,
    begin: int,
    count: int,
    step: DraftStep,
    numbers: Tensor | None = None,
) -> Results:
    """The draft of `draft`, by ordinary passes."""
    at = iter((begin, *range(begin + tokens.shape[0], begin + tokens.shape[0] + count)))

    def ordinary(ids: Tensor, _: Tensor, rows: int | None) -> tuple[Tensor, Tensor]:
        return run(ids, Positions(next(at), ids.shape[0]), rows)

    return draft_at(ordinary, tokens, tokens.new_zeros(()), count, step, numbers)
