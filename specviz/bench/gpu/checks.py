"""Whether graphs change neither scores nor texts."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor

from specviz.bench.gpu.book import Book
from specviz.bench.gpu.timed import K, decode, graphed_network, prompt_of, refuse_refusal
from specviz.bench.synthetic import SHAPES, shape_named, synthetic_model
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter
from specviz.errors import SpecvizError
from specviz.models import CachedModel
from specviz.models.networks.graphs import LONGEST, GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.positions import Place
from specviz.settings import Settings

_EQUAL = 1e-4
"""How far two float32 scores may lie apart, in parts of the range of all scores: sums over buffers of other lengths round otherwise."""


class Stubborn(GraphedDecoder):
    """A `GraphedDecoder` that cannot be captured, because its passes wait for the device."""

    def read_at(self, tokens: Tensor, length: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        assert int(length) >= 0, "the device was asked"
        return super().read_at(tokens, length, rows)


def check(book: Book, device: torch.device) -> bool:
    """Whether graphs change neither scores nor texts; in float32, where they must not."""
    passed = [
        book.enter(("checks", f"passes of {name} are the same"), partial(check_passes, name, device))
        for name in ("tiny", "tiny-qwen2", "tiny-qwen3")
    ]
    passed.append(book.enter(("checks", "texts are the same"), partial(check_texts, device)))
    return all(passed)


def check_passes(name: str, device: torch.device) -> dict[str, object]:
    """Every pass over 1 to 17 tokens, at two places, with all rows and with the last one.

    Raises:
        SpecvizError: a pass scores otherwise, or graphs were refused.
    """
    model = synthetic_model(shape_named(name), device, torch.float32)
    ordinary, graphed = LeanDecoder(model), graphed_network(model)
    worst = 0.0
    ids = torch.arange(100, device=device) * 7 % model.config.vocab_size
    for capacity in (64, 128):  # larger buffers are captured again
        for decoder in (ordinary, graphed):
            decoder.begin(capacity)
            decoder.read(ids[:20], Place(0, 20))
        for count in range(1, LONGEST + 1):
            for begin in (20, 20 + count):
                for rows in (None, 1):
                    place, tokens = Place(begin, count), ids[begin : begin + count]
                    one, other = (decoder.read(tokens, place, rows) for decoder in (ordinary, graphed))
                    if one[0].shape != other[0].shape or one[1].shape != other[1].shape:
                        raise SpecvizError(f"a pass over {count} tokens gave {tuple(other[0].shape)} scores")
                    worst = max(worst, *(_apart(a, b) for a, b in zip(one, other, strict=True)))
    refuse_refusal(graphed)
    if not worst <= _EQUAL:
        raise SpecvizError(f"scores lie {worst:.2g} of their range apart")
    return {"passed": True, "largest_difference": worst}


def check_texts(device: torch.device) -> dict[str, object]:
    """Texts with graphs and without: after growth, after a tree, after a run; in float32 greedy ones, which are plain decoding's.

    Sampled ones are compared in float64: where two tokens meet, rounding in float32 decides now and then which of them is drawn.

    Raises:
        SpecvizError: a text differs, or graphs were refused.
    """
    short, long = Settings(k=K, max_new_tokens=30), Settings(k=K, max_new_tokens=120)
    tree = Settings(k=3, max_new_tokens=30, drafter="tree", nodes=8)
    sampled = Settings(k=K, max_new_tokens=40, temperature=1.0, seed=5)
    cut = replace(sampled, temperature=0.8, top_k=100, top_p=0.9)
    told: list[str] = []
    for dtype in (torch.float32, torch.float64):
        big, small = (
            synthetic_model(SHAPES[name], device, dtype, seed) for seed, name in enumerate(("tiny", "tiny-draft"))
        )
        target, draft, quick, quick_draft = (
            CachedModel(model, SHAPES["tiny"].vocabulary) for model in (big, small) * 2
        )
        target.network, draft.network = LeanDecoder(big), LeanDecoder(small)
        quick.network, quick_draft.network = graphs = graphed_network(big), graphed_network(small)
        prompt = prompt_of(19, target)
        nothing, other = NoDrafter(target.vocabulary, device), ModelDrafter(quick_draft)
        greedy: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("plain", short, nothing, nothing),
            ("speculative", short, nothing, other),
            ("in larger buffers", long, nothing, other),
            ("by a tree", tree, nothing, TreeDrafter(quick_draft)),
            ("behind a tree", long, nothing, other),
        ]
        drawn: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("sampled", sampled, ModelDrafter(draft), other),
            ("sampled from the likeliest", cut, ModelDrafter(draft), other),
            ("sampled again", sampled, ModelDrafter(draft), other),
        ]
        for words, settings, drafter, graphed in greedy if dtype == torch.float32 else drawn:
            wanted, found = decode(target, drafter, prompt, settings)[0], decode(quick, graphed, prompt, settings)[0]
            if wanted != found:
                index = next(i for i, (a, b) in enumerate(zip(wanted, found, strict=True)) if a != b)
                raise SpecvizError(f"the text {words} differs from its token {index} on")
            told.append(words)
        for graph in graphs:
            refuse_refusal(graph)
    return {"passed": True, "texts": told}


def check_refusal(device: torch.device) -> dict[str, object]:
    """A pass that cannot be captured runs uncaptured, and so do those behind it, on the stream that was current before.

    Raises:
        SpecvizError: its scores differ, or nothing was refused.
    """
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, refused = LeanDecoder(model), Stubborn(model)
    stream = torch.cuda.current_stream(device) if device.type == "cuda" else None
    ids = torch.arange(40, device=device)
    for begin, end in pairwise((0, 20, 21, 25)):
        for decoder in (ordinary, refused):
            decoder.begin(64)
        one, other = (decoder.read(ids[begin:end], Place(begin, end - begin))[0] for decoder in (ordinary, refused))
        if not _apart(one, other) <= _EQUAL:
            raise SpecvizError(f"the scores at {begin} differ")
    if not refused.refusal:
        raise SpecvizError("nothing was refused")
    if stream is not None and torch.cuda.current_stream(device) != stream:
        raise SpecvizError("the capture's stream was not left")
    return {"passed": True, "refusal": refused.refusal}


def _apart(one: Tensor, other: Tensor) -> float:
    """The largest difference, in parts of the range; infinite where a number is none."""
    if not other.isfinite().all():
        return float("inf")
    return float((one - other).abs().max() / (one.max() - one.min()))
