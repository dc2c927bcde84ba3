"""Loading a pair: by name, or any two of hub id and local folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers
from huggingface_hub import snapshot_download
from huggingface_hub.errors import GatedRepoError, HFValidationError, LocalEntryNotFoundError, RepositoryNotFoundError
from tqdm import tqdm
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from specviz.errors import CacheError, HubError, ModelFolderError, PairError, UnknownPairError
from specviz.models import catalogue
from specviz.models.cached import CachedModel
from specviz.models.devices import dtype_name, memory_free, pick_device, pick_dtype
from specviz.models.pair import Pair
from specviz.models.tokens import TokenText
from specviz.records import ModelCard, PairCard

Progress = Callable[[str, float | None], None]
"""Told what is being done and, where it is known, how much of it (0 to 1)."""

_FILES = ["*.json", "*.safetensors", "*.model", "*.txt", "*.jinja"]
_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


def load_pair(
    name: str | None = None,
    *,
    target: str | None = None,
    draft: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    progress: Progress | None = None,
) -> Pair:
    """Load a pair by name, or any target and draft, each a hub id or a local folder.

    Args:
        name: "embedded" (the default), or a name of `specviz pairs`.
        target, draft: given together, instead of a name.
        device: auto, cpu, cuda or cuda:N.
        dtype: auto, float32, bfloat16, float16 or float64.
        progress: called with each step.

    Raises:
        PairError: one of its kinds; see `specviz.errors`.
    """
    say = progress or _silence
    target_source, draft_source, asked = _sources(name, target, draft)
    on = pick_device(device)
    say("choosing the number format", None)
    kind = pick_dtype(dtype, on)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    target_folder = _folder(target_source, say)
    draft_folder = _folder(draft_source, say)
    _check_memory(on, kind, target_folder, draft_folder)
    text = _tokenizer(target_folder, target_source)
    text.check_same(_tokenizer(draft_folder, draft_source), _short(target_source), _short(draft_source))
    say(f"loading {_short(target_source)}", None)
    big = _model(target_folder, target_source, on, kind)
    say(f"loading {_short(draft_source)}", None)
    small = _model(draft_folder, draft_source, on, kind)
    say("checking that the caches can be taken back", None)
    pair = Pair(
        name=asked,
        target=CachedModel(big, text.vocabulary, _end_ids(big, text)),
        draft=CachedModel(small, text.vocabulary, _end_ids(big, text)),
        text=text,
        card=PairCard(
            target=_card(big, target_source),
            draft=_card(small, draft_source),
            drafter="draft model",
            device=str(on),
            dtype=dtype_name(kind),
            versions=(("torch", torch.__version__), ("transformers", transformers.__version__)),
        ),
    )
    check_rewind(pair.target)
    check_rewind(pair.draft)
    return pair


def check_rewind(model: CachedModel) -> None:
    """Take back half of a short text and read on: the scores must be those of a model that never saw that half.

    Raises:
        CacheError: they are not.
    """
    device = model.device
    ids = torch.arange(1, 9, device=device) % model.vocabulary
    model.begin(16)
    fresh = model.forward(torch.cat([ids[:3], ids[6:]])).logits[-1].float()
    model.begin(16)
    model.forward(ids[:6])
    model.keep(range(3))
    again = model.forward(ids[6:]).logits[-1].float()
    model.begin(16)
    spread = (fresh[fresh.isfinite()].max() - fresh[fresh.isfinite()].min()).clamp_min(1e-6)
    if not torch.allclose(fresh, again, rtol=0, atol=float(0.1 * spread)):
        raise CacheError(
            f"{type(model.model).__name__} does not forget tokens that are taken back from its cache, and speculation must "
            "take back rejected ones: choose a model with ordinary attention."
        )


def _silence(what: str, share: float | None) -> None:
    """Progress that nobody watches."""


def _sources(name: str | None, target: str | None, draft: str | None) -> tuple[str, str, str]:
    if target or draft:
        if not (target and draft):
            missing = "draft" if target else "target"
            raise UnknownPairError(f"Only one model was given ({target or draft}): name the {missing} too.")
        return target, draft, f"{_short(target)} + {_short(draft)}"
    asked = name or catalogue.EMBEDDED
    found = catalogue.offered(asked)
    if found is None:
        raise UnknownPairError(
            f"No pair is called {asked!r}: choose one of {', '.join(catalogue.names())}, or give a target and a draft."
        )
    return *found, asked


def _short(source: str) -> str:
    """A hub id as it is; a folder by its last two names."""
    return source if _is_hub_id(source) else "/".join(Path(source).parts[-2:])


def _is_hub_id(source: str) -> bool:
    plain = not source.startswith((".", "/", "~", "\\")) and ":" not in source
    return plain and source.count("/") <= 1 and not Path(source).exists()


def _folder(source: str, say: Progress) -> Path:
    """A local folder with the model's files, fetched from the hub where the source is a hub id."""
    if not _is_hub_id(source):
        folder = Path(source).expanduser()
        if not (folder / "config.json").is_file():
            state = "has no config.json" if folder.is_dir() else "does not exist"
            raise ModelFolderError(
                f"The model folder {source} {state}: give a folder saved by transformers, or a hub id."
            )
        return folder
    say(f"fetching {source}", None)

    class Bar(tqdm):  # type: ignore[misc]  # tqdm ships no types
        """Tells the caller instead of a terminal."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": False, "file": _Nowhere()})

        def update(self, n: float | None = 1) -> bool | None:
            moved: bool | None = super().update(n)
            if self.total and self.unit == "B":
                say(f"fetching {source}", min(1.0, self.n / self.total))
            return moved

    try:
        return Path(snapshot_download(source, allow_patterns=_FILES, tqdm_class=Bar))
    except GatedRepoError as error:
        raise HubError(
            f"The hub model {source} asks for its licence to be accepted: do so on its page, then log in."
        ) from error
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise HubError(f"No hub model is called {source}: check the spelling, or give a local folder.") from error
    except (LocalEntryNotFoundError, OSError, RuntimeError) as error:
        raise HubError(
            f"The hub model {source} is not on this machine and could not be fetched (no network?): connect once to "
            "download it, or choose the embedded pair or a local folder."
        ) from error


class _Nowhere:
    """A file that swallows what a progress bar prints."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Nothing is held."""


def _check_memory(device: torch.device, dtype: torch.dtype, *folders: Path) -> None:
    """Refuse before loading what cannot fit: the weights files, widened or narrowed to the chosen format."""
    stored = sum(f.stat().st_size for folder in folders for f in folder.glob("*.safetensors"))
    needed = stored * (2 if dtype.itemsize > 2 else 1)
    free = memory_free(device)
    if needed > free:
        raise PairError(
            f"The pair needs about {needed / 1e9:.1f} GB and {device} has {free / 1e9:.1f} GB free: "
            "choose a smaller pair, or bfloat16."
        )


def _tokenizer(folder: Path, source: str) -> TokenText:
    try:
        return TokenText(AutoTokenizer.from_pretrained(str(folder), **_LOCAL))
    except Exception as error:
        raise _broken(source, "tokenizer", error) from error


def _model(folder: Path, source: str, device: torch.device, dtype: torch.dtype) -> PreTrainedModel:
    try:
        model, found = AutoModelForCausalLM.from_pretrained(
            str(folder),
            dtype=dtype,
            device_map={"": device} if device.type == "cuda" else None,
            use_safetensors=True,
            output_loading_info=True,
            **_LOCAL,
        )
    except Exception as error:
        raise _broken(source, "model", error) from error
    if found["missing_keys"]:
        first = sorted(found["missing_keys"])[0]
        raise ModelFolderError(
            f"The model folder {source} lacks weights ({first} among them): save or download it again."
        )
    loaded: PreTrainedModel = model.eval()
    return loaded


def _broken(source: str, what: str, error: Exception) -> ModelFolderError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelFolderError(f"The {what} in {source} could not be read ({reason}): save or download it again.")


def _end_ids(model: PreTrainedModel, text: TokenText) -> frozenset[int]:
    """The generation config's end-of-text ids; where it names none, the config's, then the tokenizer's."""
    for owner in (getattr(model, "generation_config", None), model.config, text.tokenizer):
        found = getattr(owner, "eos_token_id", None)
        if found is not None:
            return frozenset([found] if isinstance(found, int) else found)
    return frozenset()


def _card(model: PreTrainedModel, source: str) -> ModelCard:
    config = model.config.get_text_config(decoder=True)
    return ModelCard(
        name=_short(source),
        architecture=type(model).__name__,
        parameters=sum(p.numel() for p in model.parameters()),
        layers=config.num_hidden_layers,
        width=config.hidden_size,
    )
