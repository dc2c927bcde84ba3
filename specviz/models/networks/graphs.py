"""Short passes and whole drafts on a GPU, captured once as CUDA graphs and replayed: each then costs one launch instead of hundreds."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Place

LONGEST = 17
"""Passes over more tokens than the longest draft and one more are rare, and run uncaptured; so do those that begin a text (prompts)."""

Work = Callable[[Tensor, Tensor, Tensor | None], tuple[Tensor, ...]]
"""What is captured: from [m] tokens, how many are held [] and the numbers that chance needs, to results, all on the device."""
Step = Callable[[Tensor, Tensor | None], tuple[Tensor, tuple[Tensor, ...]]]
"""From the [1, head rows] scores and [1] a number to the id [1] that is read next, and what is kept of the step."""


@dataclass(frozen=True, slots=True)
class _Captured:
    """A graph, where its inputs are written and where its outputs appear."""

    graph: torch.cuda.CUDAGraph
    tokens: Tensor
    length: Tensor
    numbers: Tensor | None
    results: tuple[Tensor, ...]

    def replay(self, tokens: Tensor, begin: int, numbers: Tensor | None) -> tuple[Tensor, ...]:
        self.tokens.copy_(tokens)
        self.length.fill_(begin)
        if self.numbers is not None and numbers is not None:
            self.numbers.copy_(numbers)
        self.graph.replay()
        return tuple(result.clone() for result in self.results)  # the next replay writes over them


class GraphedDecoder(LeanDecoder):
    """A `LeanDecoder` on CUDA. Chains of few tokens are replayed, a graph for every number of tokens and of rows, and so are the k
    passes and draws of a draft, all in one graph; trees and prompts run as they are. Larger buffers mean capturing again. All passes,
    captured or not, belong into inference mode.

    Args:
        model: as of `LeanDecoder`.
        compiled: let torch.compile choose and fuse the kernels of a pass before it is captured. That takes minutes for a large model, and
            torch keeps few numbers of tokens compiled at a time: it is here to be measured.

    Attributes:
        refusal: why graphs are off, where capturing a pass failed; empty while they are on.
        draft_refusal: the same of whole drafts, whose passes may be captured nevertheless.
    """

    refusal = ""
    draft_refusal = ""

    def __init__(self, model: PreTrainedModel, *, compiled: bool = False) -> None:
        super().__init__(model)
        self._compiled = compiled
        self._graphs: dict[Hashable, _Captured] = {}

    @property
    def kind(self) -> str:
        if self.refusal:
            return f"own, CUDA graphs refused: {self.refusal}"
        return "own, CUDA graphs" + (f", not of whole drafts: {self.draft_refusal}" if self.draft_refusal else "")

    @property
    def drafts_at_once(self) -> bool:
        """Whether `draft` is worth calling."""
        return not (self.refusal or self.draft_refusal)

    def begin(self, capacity: int) -> None:
        if capacity > self._capacity:
            self._forget()
        super().begin(capacity)

    def release(self) -> None:
        self._forget()

    def skipping(self, layers: Sequence[int]) -> LeanDecoder:
        fewer = super().skipping(layers)
        assert isinstance(fewer, GraphedDecoder), "a copy is of the same kind"
        fewer._graphs = {}
        return fewer

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if self.refusal or place.begin == 0 or place.sees is not None or place.count > LONGEST:
            return super().read(tokens, place, rows)
        try:
            logits, states = self._replay(
                (place.count, rows), lambda ids, held, _: self._pass()(ids, held, rows), tokens, place.begin
            )
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            self.refusal = _reason(error)
            return super().read(tokens, place, rows)
        return logits, states

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: Step, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, ...]:
        """Read [n] tokens behind `begin` others, take a step, read what it gives, and so on: `count` passes and steps.

        Args:
            kind: another one for every `step` that does something else.
            numbers: [count] float64 in [0, 1), one for each step, or None.

        Returns:
            What was kept of the steps, each part stacked: [count, ...].
        """

        def work(ids: Tensor, held: Tensor, chance: Tensor | None) -> tuple[Tensor, ...]:
            return draft_at(self._pass(), ids, held, count, step, chance)

        if self.drafts_at_once:
            try:
                return self._replay(("draft", tokens.shape[0], count, kind), work, tokens, begin, numbers)
            except torch.OutOfMemoryError:
                raise
            except RuntimeError as error:
                self.draft_refusal = _reason(error)
        return work(tokens, torch.tensor(begin, device=tokens.device), numbers)

    def _pass(self) -> Callable[[Tensor, Tensor, int | None], tuple[Tensor, Tensor]]:
        """The pass that is captured."""
        if not self._compiled:
            return self.read_at
        return torch.compile(self.read_at, mode="max-autotune-no-cudagraphs", dynamic=False, fullgraph=True)

    def _forget(self) -> None:
        """Drop every graph, and the buffers that the graphs hold addresses of, before others are made."""
        self._graphs = {}
        super().release()

    def _replay(
        self, key: Hashable, work: Work, tokens: Tensor, begin: int, numbers: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """What the work gives for these inputs. The first time it is captured under this key."""
        found = self._graphs.get(key)
        if found is None:
            found = self._graphs[key] = self._capture(work, tokens, begin, numbers)
        return found.replay(tokens, begin, numbers)

    def _capture(self, work: Work, tokens: Tensor, begin: int, numbers: Tensor | None) -> _Captured:
        """Run the work until all is chosen and allocated that is so once, then record it. What that writes lies behind the text.

        All graphs share one pool: what a pass computes on its way is not needed by the next, and the results stay allocated with their
        graph, so that no other one is given their place. The pool wants one stream for all captures.
        """
        device = self._embedding.device
        tokens, length = tokens.clone(), torch.full((), begin, dtype=torch.long, device=device)
        numbers = None if numbers is None else numbers.clone()
        beside = _stream_beside(device)
        others = next(iter(self._graphs.values()), None)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(device):
            beside.wait_stream(torch.cuda.current_stream(device))
            # The stream is left by this block, because a capture that fails does not leave it by itself.
            with torch.cuda.stream(beside):
                for _ in range(2):
                    work(tokens, length, numbers)
                with torch.cuda.graph(
                    graph,
                    pool=None if others is None else others.graph.pool(),
                    stream=beside,
                    capture_error_mode="thread_local",  # another thread may ask how much memory is free
                ):
                    results = work(tokens, length, numbers)
            torch.cuda.current_stream(device).wait_stream(beside)
        return _Captured(graph, tokens, length, numbers, results)


def draft_at(
    run: Callable[[Tensor, Tensor, int | None], tuple[Tensor, Tensor]],
    tokens: Tensor,
    length: Tensor,
    count: int,
    step: Step,
    numbers: Tensor | None,
) -> tuple[Tensor, ...]:
    """`GraphedDecoder.draft` over passes at `length` [] on the device: one and the same sequence of kernels every time."""
    kept = []
    for index in range(count):
        logits, _ = run(tokens, length, 1)
        length = length + tokens.shape[0]
        tokens, found = step(logits, None if numbers is None else numbers[index : index + 1])
        kept.append(found)
    return tuple(torch.stack(parts) for parts in zip(*kept, strict=True))


def _reason(error: RuntimeError) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


@cache
def _stream_beside(device: torch.device) -> torch.cuda.Stream:
    """The stream on which passes over this device's models are captured."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
