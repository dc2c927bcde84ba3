"""Short passes on a GPU, captured once as CUDA graphs and replayed: a pass then costs one launch instead of hundreds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.lean import LeanDecoder
from specviz.models.place import Place

LONGEST = 17
"""Passes over more tokens than the longest draft and one more are rare (prompts), and run uncaptured."""


@dataclass(frozen=True, slots=True)
class _Captured:
    """A graph, where its inputs are written and where its outputs appear."""

    graph: torch.cuda.CUDAGraph
    tokens: Tensor
    length: Tensor
    logits: Tensor
    states: Tensor


class GraphedDecoder(LeanDecoder):
    """A `LeanDecoder` on CUDA. Chains of few tokens are replayed, a graph for every number of tokens and of rows; trees and prompts run
    as they are. Larger buffers mean capturing again. All passes, captured or not, belong into inference mode.

    Args:
        model: as of `LeanDecoder`.
        compiled: let torch.compile choose and fuse the kernels of a pass before it is captured. That takes minutes for a large model, and
            torch keeps few numbers of tokens compiled at a time: it is here to be measured.

    Attributes:
        refusal: why graphs are off, where capturing failed; empty while they are on.
    """

    refusal = ""

    def __init__(self, model: PreTrainedModel, *, compiled: bool = False) -> None:
        super().__init__(model)
        self._compiled = compiled
        self._graphs: dict[tuple[int, int | None], _Captured] = {}

    @property
    def kind(self) -> str:
        return f"own, CUDA graphs refused: {self.refusal}" if self.refusal else "own, CUDA graphs"

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
        if self.refusal or place.sees is not None or place.count > LONGEST:
            return super().read(tokens, place, rows)
        found = self._graphs.get((place.count, rows))
        if found is None:
            try:
                found = self._graphs[place.count, rows] = self._capture(place, rows)
            except torch.OutOfMemoryError:
                raise
            except RuntimeError as error:
                self.refusal = " ".join(str(error).split())[:200] or type(error).__name__
                return super().read(tokens, place, rows)
        found.tokens.copy_(tokens)
        found.length.fill_(place.begin)
        found.graph.replay()
        return found.logits.clone(), found.states.clone()  # the next replay writes over them

    def _forget(self) -> None:
        """Drop every graph, and the buffers that the graphs hold addresses of, before others are made."""
        self._graphs = {}
        super().release()

    def _capture(self, place: Place, rows: int | None) -> _Captured:
        """Run the pass until all is chosen and allocated that is so once, then record it. What that writes lies behind the text.

        All graphs share one pool: what a pass computes on its way is not needed by the next, and the results stay allocated with their
        graph, so that no other one is given their place. The pool wants one stream for all captures.
        """
        device = self._embedding.device
        tokens = torch.zeros(place.count, dtype=torch.long, device=device)
        length = torch.full((), place.begin, dtype=torch.long, device=device)
        run = self.read_at
        if self._compiled:
            run = torch.compile(run, mode="max-autotune-no-cudagraphs", dynamic=False, fullgraph=True)
        beside = _stream_beside(device)
        others = next(iter(self._graphs.values()), None)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(device):
            beside.wait_stream(torch.cuda.current_stream(device))
            # The stream is left by this block, because a capture that fails does not leave it by itself.
            with torch.cuda.stream(beside):
                for _ in range(2):
                    run(tokens, length, rows)
                with torch.cuda.graph(
                    graph,
                    pool=None if others is None else others.graph.pool(),
                    stream=beside,
                    capture_error_mode="thread_local",  # another thread may ask how much memory is free
                ):
                    logits, states = run(tokens, length, rows)
            torch.cuda.current_stream(device).wait_stream(beside)
        return _Captured(graph, tokens, length, logits, states)


@cache
def _stream_beside(device: torch.device) -> torch.cuda.Stream:
    """The stream on which passes over this device's models are captured."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
