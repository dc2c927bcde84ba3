"""Short passes on a GPU, captured once as CUDA graphs and replayed: a pass then costs one launch instead of hundreds."""

from dataclasses import dataclass

import torch
from torch import Tensor

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
    as they are. Larger buffers mean capturing again.

    Attributes:
        refusal: why graphs are off, where capturing failed; empty while they are on.
    """

    refusal = ""

    def begin(self, capacity: int) -> None:
        if capacity > self._capacity:
            self._graphs: dict[tuple[int, int | None], _Captured] = {}
        super().begin(capacity)

    def release(self) -> None:
        self._graphs = {}
        super().release()

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

    def _capture(self, place: Place, rows: int | None) -> _Captured:
        """Run the pass until all is chosen and allocated that is so once, then record it. What that writes lies behind the text."""
        device = self._embedding.device
        tokens = torch.zeros(place.count, dtype=torch.long, device=device)
        length = torch.full((), place.begin, dtype=torch.long, device=device)
        beside = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        beside.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(beside):
            for _ in range(2):
                self.read_at(tokens, length, rows)
        torch.cuda.current_stream(device).wait_stream(beside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            logits, states = self.read_at(tokens, length, rows)
        return _Captured(graph, tokens, length, logits, states)
