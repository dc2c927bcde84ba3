"""The pairs that are offered by name, their sizes, and whether they fit this machine."""

from dataclasses import dataclass
from pathlib import Path

import torch
from huggingface_hub import try_to_load_from_cache

from specviz.errors import ModelFolderError
from specviz.models.checkpoint import weight_files
from specviz.models.devices import memory_free, pick_dtype

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Offer:
    """A pair known by name; parameters in millions, from the models' own cards."""

    name: str
    target: str
    draft: str
    target_millions: float
    draft_millions: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """An offer, seen from this machine: bytes of weights, whether they are here, whether they fit."""

    name: str
    target: str
    draft: str
    bytes: int
    here: bool
    fits: bool
    note: str


_OFFERS = (
    Offer("smollm2", "HuggingFaceTB/SmolLM2-1.7B-Instruct", "HuggingFaceTB/SmolLM2-135M-Instruct", 1711, 135, "laptop"),
    Offer(
        "qwen2.5-1.5b",
        "Qwen/Qwen2.5-1.5B-Instruct",
        "Qwen/Qwen2.5-0.5B-Instruct",
        1544,
        494,
        "draft has nearly as many layers",
    ),
    Offer("gpt2", "openai-community/gpt2-xl", "openai-community/gpt2", 1558, 124, "no chat template"),
    Offer("qwen2.5-7b", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-0.5B-Instruct", 7616, 494, "GPU"),
    Offer(
        "llama-3.1-8b",
        "meta-llama/Llama-3.1-8B-Instruct",
        "meta-llama/Llama-3.2-1B-Instruct",
        8030,
        1236,
        "GPU; licence to accept",
    ),
    Offer("qwen3-8b", "Qwen/Qwen3-8B", "Qwen/Qwen3-0.6B", 8191, 596, "GPU"),
)


def embedded_folder() -> Path:
    """Where the pair that comes with the project lies, in an installed package or in the source tree."""
    inside = Path(__file__).parents[1] / "assets" / "pairs" / EMBEDDED
    return inside if inside.is_dir() else Path(__file__).parents[2] / "assets" / "pairs" / EMBEDDED


def offered(name: str) -> tuple[str, str] | None:
    """The sources of target and draft that go by this name, or None."""
    if name == EMBEDDED:
        return str(embedded_folder() / "target"), str(embedded_folder() / "draft")
    return next(((offer.target, offer.draft) for offer in _OFFERS if offer.name == name), None)


def names() -> tuple[str, ...]:
    """Every pair that can be asked for by name."""
    return (EMBEDDED, *(offer.name for offer in _OFFERS))


def listings(device: torch.device) -> list[Listing]:
    """All offers as this machine sees them, in the number format that `auto` takes, and a fifth more while running."""
    free, width = memory_free(device), pick_dtype("auto", device).itemsize
    weights = sum(file.stat().st_size for file in embedded_folder().glob("*/*.safetensors"))
    rows = [Listing(EMBEDDED, "target", "draft", weights, weights > 0, weights * 1.2 < free, "offline, at once")]
    for offer in _OFFERS:
        size = int((offer.target_millions + offer.draft_millions) * 1e6 * width)
        here = all(_is_here(source) for source in (offer.target, offer.draft))
        rows.append(Listing(offer.name, offer.target, offer.draft, size, here, size * 1.2 < free, offer.note))
    return rows


def _is_here(source: str) -> bool:
    """Whether the weights were fetched, all parts of them."""
    found = try_to_load_from_cache(source, "config.json")
    if not isinstance(found, str):
        return False
    try:
        names = weight_files(Path(found).parent, source)
    except ModelFolderError:
        return False
    return all((Path(found).parent / name).is_file() for name in names)
