"""CUDA graphs of one network: captured, compared with ordinary passes before their first use, replayed, and dropped when there are too many."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from specviz.models.networks.parts import divergence

# The least recently used graphs beyond this number are dropped. A run over the longest texts needs about a hundred.
MOST_GRAPHS = 512
_NATS = {torch.float64: 1e-9, torch.float32: 1e-5}
# The largest allowed divergence of replayed scores. Rounding in half precision gives about 0.0002, a missing layer
# 0.04 or more.
_NATS_OF_HALF = 0.02
_APART = {torch.float64: 1e-6, torch.float32: 1e-3}
# The largest allowed relative difference of the keys and values that are written, and of the states that are
# returned. States computed in bfloat16 are 0.014 from those in float32 in the embedded target and in SmolLM2-135M (12
# and 30 layers).
_APART_OF_HALF = 0.1

Results = tuple[Tensor, ...]


class GraphDiffersError(RuntimeError):
    """A replayed graph does not give what ordinary passes give."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well replayed results agree with those of ordinary passes.

    Attributes:
        nats: mean Kullback-Leibler divergence of the scores.
        slots: how many of the written slots must agree: after a token that rounding has changed, the rest of a draft is another one.
        states: relative difference of the states that are read from outside, see `states_apart`.
    """

    nats: float
    slots: int
    states: float = 0.0


@dataclass(frozen=True, slots=True)
class CaptureJob:
    """Work in fixed shapes, to be replayed as a graph.

    Attributes:
        key: equal for jobs with the same graph.
        begin: number of cached tokens; the job writes to the slots after them.
        slots: how many slots it writes. One more must be free, because the comparison also begins one slot later.
        inputs: tensors whose values may differ in every replay.
        other_inputs: other values for the inputs, with which the graph is compared a second time.
        work: what is captured: from the number of cached tokens [] and the inputs to results, all on the device.
        plain: the same results by ordinary passes, given the number of cached tokens as an int.
        compare: how well replayed results (second argument) agree with plain ones (first).
    """

    key: Hashable
    begin: int
    slots: int
    inputs: tuple[Tensor, ...]
    other_inputs: Callable[[], tuple[Tensor, ...]]
    work: Callable[..., Results]
    plain: Callable[..., Results]
    compare: Callable[[Results, Results], Agreement]


@dataclass(frozen=True, slots=True)
class _GraphedPass:
    """A captured graph with its input and output buffers."""

    graph: torch.cuda.CUDAGraph
    length: Tensor
    inputs: tuple[Tensor, ...]
    results: Results

    def replay(self, begin: int, inputs: tuple[Tensor, ...]) -> Results:
        self.length.fill_(begin)
        for buffer, value in zip(self.inputs, inputs, strict=True):
            buffer.copy_(value)
        self.graph.replay()
        # The next replay overwrites the buffers, and a drafter may keep what it read for many rounds: only copies leave this class.
        return tuple(result.clone() for result in self.results)


class Graphs:
    """The graphs of one network. `buffers`: the network's key and value buffers, [heads, capacity, width] each."""

    def __init__(self, buffers: Callable[[], list[Tensor]]) -> None:
        self._buffers = buffers
        self._captured: OrderedDict[Hashable, _GraphedPass] = OrderedDict()

    def __len__(self) -> int:
        return len(self._captured)

    def clear(self) -> None:
        """Drop all graphs."""
        self._captured.clear()

    def replay(self, job: CaptureJob) -> Results:
        """The results of the job. The first call with a key captures it and compares the graph with ordinary passes.
        Raises GraphDiffersError if the graph gives something else; RuntimeError if the work cannot be captured."""
        graph = self._captured.get(job.key)
        if graph is None:
            graph = self._capture(job)
            self._check(job, graph)
            self._captured[job.key] = graph
            if len(self._captured) > MOST_GRAPHS:  # the check has waited for the device, so no graph is still running
                self._captured.popitem(last=False)
        self._captured.move_to_end(job.key)
        return graph.replay(job.begin, job.inputs)

    def _capture(self, job: CaptureJob) -> _GraphedPass:
        """Run the work twice as a warm-up, so that kernels are chosen and buffers allocated, then capture it.

        All graphs share one memory pool: the next pass does not need the intermediate results of a pass, and final results stay allocated
        with their graph, so no other graph reuses their memory. The pool requires that all captures run on one stream.
        """
        inputs = tuple(value.clone() for value in job.inputs)
        device = inputs[0].device
        length = torch.full((), job.begin, dtype=torch.long, device=device)
        side_stream = _capture_stream(device)
        earlier = next(iter(self._captured.values()), None)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(device):
            side_stream.wait_stream(torch.cuda.current_stream(device))
            # This block restores the current stream; a failed capture does not restore it by itself.
            with torch.cuda.stream(side_stream):
                for _ in range(2):
                    job.work(length, *inputs)
                with torch.cuda.graph(
                    graph,
                    pool=None if earlier is None else earlier.graph.pool(),
                    stream=side_stream,
                    capture_error_mode="thread_local",  # another thread may query the free memory meanwhile
                ):
                    results = job.work(length, *inputs)
            torch.cuda.current_stream(device).wait_stream(side_stream)
        return _GraphedPass(graph, length, inputs, results)

    def _check(self, job: CaptureJob, graph: _GraphedPass) -> None:
        """Replay with the captured inputs and with others one slot later; each time compare with an ordinary pass: the
        scores, and the keys and values of every layer. Afterwards the buffers are as before. Raises
        GraphDiffersError if they differ by more than rounding."""
        around = [buffer[:, job.begin : job.begin + job.slots + 1] for buffer in self._buffers()]
        saved = [slots.clone() for slots in around]  # half of a model must not lose what the other half has written
        try:
            for later, inputs in enumerate((job.inputs, job.other_inputs())):
                slots = [view[:, later : later + job.slots] for view in around]
                _compare(job, graph, job.begin + later, inputs, slots)
        finally:
            for view, before in zip(around, saved, strict=True):
                view.copy_(before)


def _compare(job: CaptureJob, graph: _GraphedPass, begin: int, inputs: tuple[Tensor, ...], slots: list[Tensor]) -> None:
    """Compare one replay with an ordinary pass; `slots` are what both write. Raises GraphDiffersError if they differ by
    more than rounding."""
    for view in slots:
        view.zero_()
    replayed = graph.replay(begin, inputs)
    replayed_views = [view.clone() for view in slots]
    agreement = job.compare(job.plain(begin, *inputs), replayed)
    n, dtype = agreement.slots, slots[0].dtype
    apart = apart_by([view[:, :n] for view in slots], [view[:, :n] for view in replayed_views])
    allowed = _APART.get(dtype, _APART_OF_HALF)
    if not (agreement.nats <= _NATS.get(dtype, _NATS_OF_HALF) and max(apart, agreement.states) <= allowed):
        raise GraphDiffersError(
            f"a replayed pass differs from the ordinary one by {agreement.nats:.2g} nats, its keys and values by {apart:.2g}, "
            f"its states by {agreement.states:.2g}"
        )


def nats_apart(plain: Tensor, replayed: Tensor) -> float:
    """The mean over rows of the Kullback-Leibler divergence of two [rows, V] logits in nats; infinite where only the first are numbers.

    If the plain logits are no numbers there is nothing to compare with: 0. The loop reports such scores itself.
    """
    return divergence(plain, replayed) if plain.isfinite().all() else 0.0


def apart_by(plain: Sequence[Tensor], replayed: Sequence[Tensor]) -> float:
    """The norm of the difference relative to that of the first tensors; infinite where only the first are numbers.

    It is taken over all tensors together: the values of a single layer may be close to zero, and are rounding errors then.
    """
    size = torch.stack([tensor.double().square().sum() for tensor in plain]).sum()
    if not size.isfinite():
        return 0.0
    difference = torch.stack(
        [
            (tensor.double() - replayed_tensor.double()).square().sum()
            for tensor, replayed_tensor in zip(plain, replayed, strict=True)
        ]
    ).sum()
    return 0.0 if difference == 0 else float((difference / size).sqrt().nan_to_num(nan=torch.inf))


def states_apart(plain: Tensor, replayed: Tensor) -> float:
    """How far states [m, ..., width] are from the plain ones; infinite where only the first are numbers, 0 where there are none.

    The error of each state is taken relative to its own norm: a few tokens have states that are a hundred times as large as others', and
    the first layers have smaller ones than the last. The figure is the root mean square over the m tokens, at the tap where it is largest.
    """
    size = plain.double().square().sum(dim=-1)
    if not size.numel() or not size.isfinite().all():
        return 0.0
    difference = (plain.double() - replayed.double()).square().sum(dim=-1)
    relative = (difference / size).masked_fill(difference == 0, 0.0)
    return float(relative.mean(dim=0).max().sqrt().nan_to_num(nan=torch.inf, posinf=torch.inf))


def compare_passes(slots: int) -> Callable[[Results, Results], Agreement]:
    """The comparison of passes that write this many slots and give their logits first, then their states."""

    def compare(plain: Results, replayed: Results) -> Agreement:
        return Agreement(nats_apart(plain[0], replayed[0]), slots, states_apart(plain[1], replayed[1]))

    return compare


def compare_drafts(unread: int, *, sampled: bool) -> Callable[[Results, Results], Agreement]:
    """The comparison of drafts after this many unread tokens. They give ids [count], distributions and logits [count, V].

    Up to the first id that differs everything must agree, and so must what this id was drawn from: there rounding may have changed the
    choice between two equally good tokens. Without sampling, the distribution of that id is one-hot, and only its logits must agree.
    """

    def compare(plain: Results, replayed: Results) -> Agreement:
        ids, distributions, logits = plain
        same = int((ids == replayed[0]).long().cumprod(dim=0).sum())
        nats = nats_apart(logits[: same + 1], replayed[2][: same + 1])
        count = min(ids.shape[0], same + sampled)
        if count and distributions[:count].isfinite().all():
            variation = float((distributions[:count] - replayed[1][:count]).abs().sum(dim=-1).max()) / 2
            # Pinsker's inequality: a divergence of n nats allows a total variation of sqrt(n / 2).
            nats = max(nats, 2 * variation**2) if variation == variation else float("inf")
        return Agreement(nats, unread + min(same, ids.shape[0] - 1))

    return compare


@cache
def _capture_stream(device: torch.device) -> torch.cuda.Stream:
    """The stream on which all passes on this device are captured."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
