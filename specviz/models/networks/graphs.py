"""Short passes and full drafts on a GPU, captured once as CUDA graphs and replayed: one launch instead of hundreds of kernels."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions

LONGEST = 17
"""The longest draft plus one. Longer passes are rare and run uncaptured, and so do the first passes of a text (prompts)."""

Work = Callable[[Tensor, Tensor, Tensor | None], tuple[Tensor, ...]]
"""What is captured: from the tokens [m], the number of cached tokens [] and uniform random numbers to results, all on the device."""
Step = Callable[[Tensor, Tensor | None], tuple[Tensor, tuple[Tensor, ...]]]
"""From the logits [1, head rows] and a uniform random number [1] to the id [1] to read next and the tensors to keep of the step."""


@dataclass(frozen=True, slots=True)
class _Captured:
    """A captured graph with its input and output buffers."""

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
        return tuple(result.clone() for result in self.results)  # the next replay overwrites them


class GraphedDecoder(LeanDecoder):
    """A `LeanDecoder` on CUDA. Short chains are replayed, with one graph for each number of tokens and of rows. The k passes and draws of
    a full draft are replayed as a single graph. Trees and prompts run uncaptured. When the buffers grow, all graphs are captured again.
    Run every pass, captured or not, in inference mode.

    Args:
        model: as for `LeanDecoder`.
        compiled: let torch.compile choose and fuse the kernels of a pass before it is captured. This takes minutes for a large model, and
            torch keeps compiled code for only a few numbers of tokens at a time. The option exists for measurements.

    Attributes:
        failure: why graphs are off, if capturing a pass failed; empty while they are on.
        draft_failure: the same for full drafts, whose single passes may still be captured.
    """

    failure = ""
    draft_failure = ""

    def __init__(self, model: PreTrainedModel, *, compiled: bool = False) -> None:
        super().__init__(model)
        self._compiled = compiled
        self._graphs: dict[Hashable, _Captured] = {}

    @property
    def kind(self) -> str:
        if self.failure:
            return f"own, CUDA graphs off: {self.failure}"
        return "own, CUDA graphs" + (f", not for full drafts: {self.draft_failure}" if self.draft_failure else "")

    @property
    def drafts_at_once(self) -> bool:
        """Whether graphs are on for full drafts."""
        return not (self.failure or self.draft_failure)

    def begin(self, capacity: int) -> None:
        if capacity > self._capacity:
            self.release()
        super().begin(capacity)

    def release(self) -> None:
        """Drop every graph together with the buffers, because the graphs contain the buffers' addresses."""
        self._graphs = {}
        super().release()

    def skipping(self, layers: Sequence[int]) -> LeanDecoder:
        shallower = super().skipping(layers)
        assert isinstance(shallower, GraphedDecoder), "a copy has the same class"
        shallower._graphs = {}
        return shallower

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if self.failure or positions.begin == 0 or positions.attends is not None or positions.count > LONGEST:
            return super().read(tokens, positions, rows)
        try:
            logits, states = self._replay(
                (positions.count, rows), lambda ids, length, _: self._pass()(ids, length, rows), tokens, positions.begin
            )
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            self.failure = _reason(error)
            return super().read(tokens, positions, rows)
        return logits, states

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: Step, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, ...]:
        """Read [n] tokens after `begin` cached ones, call `step`, read the id that it returns, and so on: `count` passes and steps.

        Args:
            kind: identifies what `step` computes; steps that compute something else need another kind.
            numbers: [count] float64 uniform random numbers in [0, 1), one for each step, or None.

        Returns:
            The tensors that the steps kept, each stacked to [count, ...].
        """

        def work(ids: Tensor, length: Tensor, uniform: Tensor | None) -> tuple[Tensor, ...]:
            return draft_at(self._pass(), ids, length, count, step, uniform)

        if self.drafts_at_once:
            try:
                return self._replay(("draft", tokens.shape[0], count, kind), work, tokens, begin, numbers)
            except torch.OutOfMemoryError:
                raise
            except RuntimeError as error:
                self.draft_failure = _reason(error)
        return work(tokens, torch.tensor(begin, device=tokens.device), numbers)

    def _pass(self) -> Callable[[Tensor, Tensor, int | None], tuple[Tensor, Tensor]]:
        """The function to capture."""
        if not self._compiled:
            return self.read_at
        return torch.compile(self.read_at, mode="max-autotune-no-cudagraphs", dynamic=False, fullgraph=True)

    def _replay(
        self, key: Hashable, work: Work, tokens: Tensor, begin: int, numbers: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        """The results of the work for these inputs. The first call with a key captures the work as a graph."""
        found = self._graphs.get(key)
        if found is None:
            found = self._graphs[key] = self._capture(work, tokens, begin, numbers)
        return found.replay(tokens, begin, numbers)

    def _capture(self, work: Work, tokens: Tensor, begin: int, numbers: Tensor | None) -> _Captured:
        """Run the work twice as a warm-up, so that kernels are chosen and buffers allocated, then capture it. It writes after the text only.

        All graphs share one memory pool: the next pass does not need the intermediate results of a pass, and final results stay allocated
        with their graph, so no other graph reuses their memory. The pool requires that all captures run on one stream.
        """
        device = self._embedding.device
        tokens, length = tokens.clone(), torch.full((), begin, dtype=torch.long, device=device)
        numbers = None if numbers is None else numbers.clone()
        side_stream = _capture_stream(device)
        others = next(iter(self._graphs.values()), None)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.device(device):
            side_stream.wait_stream(torch.cuda.current_stream(device))
            # This block restores the current stream; a failed capture does not restore it by itself.
            with torch.cuda.stream(side_stream):
                for _ in range(2):
                    work(tokens, length, numbers)
                with torch.cuda.graph(
                    graph,
                    pool=None if others is None else others.graph.pool(),
                    stream=side_stream,
                    capture_error_mode="thread_local",  # another thread may query the free memory meanwhile
                ):
                    results = work(tokens, length, numbers)
            torch.cuda.current_stream(device).wait_stream(side_stream)
        return _Captured(graph, tokens, length, numbers, results)


def draft_at(
    run: Callable[[Tensor, Tensor, int | None], tuple[Tensor, Tensor]],
    tokens: Tensor,
    length: Tensor,
    count: int,
    step: Step,
    numbers: Tensor | None,
) -> tuple[Tensor, ...]:
    """`GraphedDecoder.draft` with the number of cached tokens `length` [] on the device: the same sequence of kernels every time."""
    kept = []
    for index in range(count):
        logits, _ = run(tokens, length, 1)
        length = length + tokens.shape[0]
        tokens, found = step(logits, None if numbers is None else numbers[index : index + 1])
        kept.append(found)
    return tuple(torch.stack(tensors) for tensors in zip(*kept, strict=True))


def _reason(error: RuntimeError) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


@cache
def _capture_stream(device: torch.device) -> torch.cuda.Stream:
    """The stream on which all passes on this device are captured."""
    return torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
