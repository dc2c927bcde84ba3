"""Timed runs of the engine on networks with graphs, and of transformers."""

from collections.abc import Sequence
from time import perf_counter

import torch
from torch import Tensor
from transformers import GenerationConfig, PreTrainedModel, StoppingCriteria, StoppingCriteriaList

from specviz.decoding.clock import wait
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.judge.judgement import Rule
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import LIGHT
from specviz.errors import SpecvizError
from specviz.models import CachedModel
from specviz.models.networks.capture import CaptureJob, Results
from specviz.models.networks.graphs import GraphedDecoder
from specviz.settings import Settings
from specviz.trace.records import Round
from tools.gpu.synthetic import SyntheticPair

K = 5
REPEATS = 3

Run = tuple[tuple[int, ...], list[Round]]


class GraphsOff(GraphedDecoder):
    """A `GraphedDecoder` that captures nothing: the work that it would capture runs uncaptured in the same shapes."""

    def _replay(self, job: CaptureJob) -> Results:
        return job.work(torch.tensor(job.begin, device=job.inputs[0].device), *job.inputs)


def graphed_network(model: PreTrainedModel) -> GraphedDecoder:
    """A decoder with graphs for this model; on the CPU one with graphs off."""
    return (GraphedDecoder if model.device.type == "cuda" else GraphsOff)(model)


def graphs_of(model: CachedModel) -> str:
    """The state of this model's graphs: "on", "off" or "failed: reason"."""
    network = model.network
    if isinstance(network, GraphsOff) or not isinstance(network, GraphedDecoder):
        return "off"
    return f"failed: {network.kind}" if network.failures else "on"


def require_graphs(decoder: GraphedDecoder) -> None:
    """Check that a figure about graphs was measured with graphs. Raises SpecvizError if a capture failed."""
    if decoder.failures:
        raise SpecvizError(f"Not every pass is a CUDA graph, because a capture failed: {decoder.kind}")


def decode(
    target: CachedModel, drafter: Drafter, prompt: Sequence[int], settings: Settings, rule: Rule | None = None
) -> Run:
    """The new tokens and the rounds of one run of the engine."""
    rounds = list(speculate(target, drafter, prompt, settings, recorder=LIGHT, rule=rule))
    return tuple(token for round_ in rounds for token in round_.tokens), rounds


def generated(model: PreTrainedModel, prompt: Sequence[int], tokens: int) -> float:
    """Tokens per second of transformers' `generate`, from its first new token to its last."""
    ids = torch.tensor([list(prompt)], device=model.device)
    timer = _TokenTimer(tokens, model.device)
    with torch.inference_mode(False):  # as any user would run it; generate() disables gradients itself
        model.generate(
            ids.clone(),
            attention_mask=torch.ones_like(ids),
            generation_config=GenerationConfig(do_sample=False, max_new_tokens=tokens),
            stopping_criteria=StoppingCriteriaList([timer]),
        )
    return timer.rate


def prompt_of(length: int, model: CachedModel) -> list[int]:
    """A prompt of arbitrary ids, the same every time."""
    return [1 + 7 * index % (model.vocabulary - 1) for index in range(length)]


def no_drafter(pair: SyntheticPair) -> NoDrafter:
    """The drafter of plain decoding for this pair."""
    return NoDrafter(pair.target.vocabulary, pair.target.device)


def rate_of(run: Run) -> float:
    """New tokens per second without the prefill."""
    return len(run[0]) / run[1][-1].ended_s


class _TokenTimer(StoppingCriteria):  # type: ignore[misc]  # transformers ships no types for it
    """Never stops the generation; takes the time after the first and after the last new token."""

    def __init__(self, tokens: int, device: torch.device) -> None:
        self._tokens, self._device = tokens, device
        self._seen = 0
        self._times: list[float] = []

    def __call__(self, input_ids: Tensor, scores: Tensor, **kwargs: object) -> Tensor:
        self._seen += 1
        if self._seen in (1, self._tokens):
            wait(self._device)
            self._times.append(perf_counter())
        return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    @property
    def rate(self) -> float:
        """New tokens per second after the first one. Raises SpecvizError if `generate` returned fewer tokens than
        requested."""
        if len(self._times) != 2:
            raise SpecvizError(f"generate() wrote {self._seen} of {self._tokens} tokens.")
        return (self._tokens - 1) / (self._times[1] - self._times[0])
