"""Checks that CUDA graphs change neither logits nor texts."""

from dataclasses import replace
from itertools import pairwise

import torch
from torch import Tensor

from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter
from specviz.errors import SpecvizError
from specviz.models import CachedModel
from specviz.models.networks.capture import CaptureJob, Results, states_apart
from specviz.models.networks.graphs import LONGEST, GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Positions, positions_of
from specviz.settings import Settings
from tools.gpu.synthetic import SHAPES, shape_named, synthetic_model
from tools.gpu.timed import K, decode, graphed_network, prompt_of, require_graphs

# The largest allowed difference of two float32 logits, relative to the range of all logits: sums over buffers of
# other lengths round differently.
_EQUAL = 1e-4


class Uncapturable(GraphedDecoder):
    """A `GraphedDecoder` that cannot be captured, because its passes wait for the device."""

    def read_at(
        self,
        tokens: Tensor,
        length: Tensor,
        rows: int | None = None,
        end: int | None = None,
        ids: Tensor | None = None,
        attends: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        assert int(length) >= 0, "reading a number waits for the device"
        return super().read_at(tokens, length, rows, end, ids, attends)


class Stale(GraphedDecoder):
    """A `GraphedDecoder` whose graphs keep the length that they were captured with."""

    def _replay(self, job: CaptureJob) -> Results:
        length = torch.tensor(job.begin, device=job.inputs[0].device)
        return super()._replay(replace(job, work=lambda _, *inputs: job.work(length, *inputs)))


def check_passes(name: str, device: torch.device) -> dict[str, object]:
    """Compare passes with and without graphs in float32: over 1 to 17 tokens, at two positions, with all rows and with
    the last one. Raises SpecvizError if the logits differ, or graphs are off."""
    model = synthetic_model(shape_named(name), device, torch.float32)
    ordinary, graphed = LeanDecoder(model), graphed_network(model)
    worst = 0.0
    ids = torch.arange(100, device=device) * 7 % model.config.vocab_size
    for capacity in (64, 600):  # larger buffers need new captures
        for decoder in (ordinary, graphed):
            decoder.begin(capacity)
            decoder.read(ids[:20], Positions(0, 20))
        for count in range(1, LONGEST + 1):
            for begin in (20, 20 + count):
                for rows in (None, 1):
                    positions, tokens = Positions(begin, count), ids[begin : begin + count]
                    plain_logits, logits = (decoder.read(tokens, positions, rows)[0] for decoder in (ordinary, graphed))
                    if plain_logits.shape != logits.shape:
                        raise SpecvizError(
                            f"A pass over {count} tokens gave logits of shape {tuple(logits.shape)} instead of {tuple(plain_logits.shape)}."
                        )
                    worst = max(worst, _difference(plain_logits, logits))
    require_graphs(graphed)
    _require_equal("logits", worst)
    return {"passed": True, "largest_difference": worst}


def check_read_states(device: torch.device) -> dict[str, object]:
    """Compare the states that a head reads with and without graphs in float32: of chains and trees of several sizes and
    shapes, each twice, at several sets of layers. All of them are compared at the end, so that a graph that
    overwrites its results is noticed. Raises SpecvizError if states differ, or graphs are off."""
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, graphed = LeanDecoder(model), graphed_network(model)
    ids = torch.arange(200, device=device) * 7 % model.config.vocab_size
    states: list[tuple[Tensor, Tensor]] = []
    for taps in ((3,), (2, 0, 3)):
        for decoder in (ordinary, graphed):
            decoder.begin(200)
            decoder.show(taps)
        trees = [[-1, *(index // branch for index in range(n))] for n in (6, 30) for branch in (2, 3)]
        passes = [positions_of(begin, parents, len(parents), device) for parents in trees for begin in (20, 30)]
        passes += [Positions(begin, count) for count in (1, 5, LONGEST) for begin in (20, 40 - count)]
        for positions in passes:
            tokens, passed_states = ids[positions.begin + 1 : positions.end + 1], []
            for decoder in (ordinary, graphed):
                decoder.read(ids[:40], Positions(0, 40))  # over what the pass before wrote
                passed_states.append(decoder.read(tokens, positions)[1])
            states.append((passed_states[0], passed_states[1]))
    require_graphs(graphed)
    worst = max(states_apart(plain_states, graphed_states) for plain_states, graphed_states in states)
    _require_equal("states", worst)
    return {"passed": True, "largest_difference": worst}


def check_texts(device: torch.device) -> dict[str, object]:
    """Compare texts with and without graphs: after larger buffers, after a tree, after another run. Greedy texts, in float32, must be
    those of plain decoding.

    Sampled texts are compared in float64: at the border between two tokens, rounding in float32 sometimes decides which one is drawn.
    Raises SpecvizError if a text differs, or graphs are off.
    """
    short, long = Settings(k=K, max_new_tokens=30), Settings(k=K, max_new_tokens=120)
    tree = Settings(k=3, max_new_tokens=30, drafter="tree", nodes=8)
    early = Settings(k=3, max_new_tokens=30, drafter="early-exit")
    sampled = Settings(k=K, max_new_tokens=40, temperature=1.0, seed=5)
    cut = replace(sampled, temperature=0.8, top_k=100, top_p=0.9)
    checked: list[str] = []
    for dtype in (torch.float32, torch.float64):
        big, small = (
            synthetic_model(SHAPES[name], device, dtype, seed) for seed, name in enumerate(("tiny", "tiny-draft"))
        )
        target, draft, quick, quick_draft = (
            CachedModel(model, SHAPES["tiny"].vocab_size) for model in (big, small) * 2
        )
        target.network, draft.network = LeanDecoder(big), LeanDecoder(small)
        quick.network, quick_draft.network = graphs = graphed_network(big), graphed_network(small)
        prompt = prompt_of(19, target)
        nothing, model_drafter = NoDrafter(target.vocabulary, device), ModelDrafter(quick_draft)
        greedy: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("plain", short, nothing, nothing),
            ("speculative", short, nothing, model_drafter),
            ("in larger buffers", long, nothing, model_drafter),
            ("by a tree", tree, nothing, TreeDrafter(quick_draft)),
            ("after a tree", long, nothing, model_drafter),
            ("by an early exit", early, nothing, EarlyExitDrafter(quick, 1)),
        ]
        drawn: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("sampled", sampled, ModelDrafter(draft), model_drafter),
            ("sampled with top-k and top-p", cut, ModelDrafter(draft), model_drafter),
            ("sampled again", sampled, ModelDrafter(draft), model_drafter),
        ]
        for words, settings, drafter, graphed in greedy if dtype == torch.float32 else drawn:
            wanted, text = decode(target, drafter, prompt, settings)[0], decode(quick, graphed, prompt, settings)[0]
            if wanted != text:
                index = next(i for i, (a, b) in enumerate(zip(wanted, text, strict=True)) if a != b)
                raise SpecvizError(f'The text "{words}" differs from token {index} on.')
            checked.append(words)
        for graph in graphs:
            require_graphs(graph)
    return {"passed": True, "texts": checked}


def check_wrong_graph(device: torch.device) -> dict[str, object]:
    """Check that a graph that keeps its first length is set aside at its first use, and that the pass is an ordinary
    one then. Raises SpecvizError if the logits differ, or the graph was not found."""
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, stale = LeanDecoder(model), Stale(model)
    ids = torch.arange(40, device=device)
    for decoder in (ordinary, stale):
        decoder.begin(64)
        decoder.read(ids[:20], Positions(0, 20))
    plain_logits, logits = (decoder.read(ids[20:23], Positions(20, 3))[0] for decoder in (ordinary, stale))
    _require_equal("logits", _difference(plain_logits, logits))
    if not stale.failure or (device.type == "cuda" and "differs" not in stale.failure):
        raise SpecvizError(f"The wrong graph was not found: {stale.kind}.")
    return {"passed": True, "failure": stale.failure}


def check_buffers(device: torch.device) -> dict[str, object]:
    """Check that after a long prompt the buffers of a short one are small again, and that passes still give the same
    logits. Raises SpecvizError if the buffers are too large, or the logits differ."""
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, graphed = CachedModel(model, SHAPES["tiny"].vocab_size), CachedModel(model, SHAPES["tiny"].vocab_size)
    ordinary.network, graphed.network = LeanDecoder(model), graphed_network(model)
    ids = torch.arange(30, device=device)
    sizes, worst = [], 0.0
    for capacity in (20_000, 60):
        logits = []
        for reader in (ordinary, graphed):
            reader.begin(capacity)
            reader.forward(ids[:20])
            reader.keep(range(20))
            logits.append(reader.forward(ids[20:22]).logits)
        worst = max(worst, _difference(*logits))
        sizes.append(sum(buffer.nbytes for buffer in graphed.network.buffers()))
    _require_equal("logits", worst)
    if sizes[1] * 10 > sizes[0]:
        raise SpecvizError(f"The buffers took {sizes[0]} bytes for 20,000 tokens, and still {sizes[1]} for 60.")
    return {"passed": True, "bytes": sizes}


def check_failed_capture(device: torch.device) -> dict[str, object]:
    """Check that a pass that cannot be captured runs uncaptured, and so do the later ones, on the stream that was
    current before. Raises SpecvizError if the logits differ, or the capture did not fail."""
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, failing = LeanDecoder(model), Uncapturable(model)
    stream = torch.cuda.current_stream(device) if device.type == "cuda" else None
    ids = torch.arange(40, device=device)
    for begin, end in pairwise((0, 20, 21, 25)):
        for decoder in (ordinary, failing):
            decoder.begin(64)
        plain_logits, logits = (
            decoder.read(ids[begin:end], Positions(begin, end - begin))[0] for decoder in (ordinary, failing)
        )
        _require_equal(f"logits at position {begin}", _difference(plain_logits, logits))
    if not failing.failure:
        raise SpecvizError("The capture did not fail as it should.")
    if stream is not None and torch.cuda.current_stream(device) != stream:
        raise SpecvizError("The capture's stream is still the current stream.")
    return {"passed": True, "failure": failing.failure}


def _require_equal(name: str, difference: float) -> None:
    if not difference <= _EQUAL:
        raise SpecvizError(f"The {name} differ by {difference:.2g} of their range.")


def _difference(plain: Tensor, graphed: Tensor) -> float:
    """The largest difference relative to the range; infinite if a number is not finite."""
    if not graphed.isfinite().all():
        return float("inf")
    return float((plain - graphed).abs().max() / (plain.max() - plain.min()))
