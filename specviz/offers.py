"""The pairs that can be asked for by name. Standard library only, so that the page knows them before the engine does."""

from dataclasses import dataclass
from pathlib import Path

from specviz.folders import ASSETS

EMBEDDED = "embedded"

FAMILY = {
    EMBEDDED: ("draft", "offline, at once"),
    "embedded-undistilled": ("draft-undistilled", "same draft, learnt from text only"),
    "embedded-tiny": ("draft-tiny", "a weak draft, nearly free"),
    "embedded-large": ("draft-large", "a strong draft, slow itself"),
}
"""Pairs of the target that comes with the project: name -> folder of the draft, and what is special about it."""


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


OFFERS = (
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
    """Where the pair is that comes with the project."""
    return ASSETS / "pairs" / EMBEDDED


def offered(name: str) -> tuple[str, str] | None:
    """The sources of target and draft that go by this name, or None."""
    if name in FAMILY:
        return str(embedded_folder() / "target"), str(embedded_folder() / FAMILY[name][0])
    return next(((offer.target, offer.draft) for offer in OFFERS if offer.name == name), None)


def names() -> tuple[str, ...]:
    """Every pair that can be asked for by name."""
    return (*FAMILY, *(offer.name for offer in OFFERS))
