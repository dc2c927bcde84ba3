"""Loading a pair: by name, or any two of hub id and local folder."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from specviz.errors import ModelFolderError, PairError, UnknownPairError
from specviz.models.cached_model import CachedModel, check_rewind, trusted
from specviz.models.devices import dtype_name, memory_free, memory_of_all_gpus, pick_device, pick_dtype
from specviz.models.folder import broken, check_kind, count_parameters
from specviz.models.pair import Pair
from specviz.models.sources import Progress, folder_of, short_name
from specviz.models.tokens import TokenText
from specviz.offers import EMBEDDED, names, offered
from specviz.trace.records import DrafterCard, ModelCard, PairCard

_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


def load_pair(
    name: str | None = None,
    *,
    target: str | None = None,
    draft: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    compiled: bool = False,
    progress: Progress | None = None,
) -> Pair:
    """Load a pair by name, or any target and draft, each a hub id or a local folder.

    Args:
        name: "embedded" (the default), or a name of `specviz pairs`.
        target, draft: given together, instead of a name.
        device: auto, cpu, cuda or cuda:N.
        dtype: auto, float32, bfloat16, float16 or float64.
        compiled: let torch.compile work on both models' short passes, which takes a minute or two at the first ones.
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
    target_folder = folder_of(target_source, say)
    draft_folder = folder_of(draft_source, say)
    check_kind(target_folder, target_source)
    check_kind(draft_folder, draft_source)
    parameters = count_parameters(target_folder, target_source) + count_parameters(draft_folder, draft_source)
    spread = _check_memory(on, kind, parameters)
    say("reading the tokenizers", None)
    text = _tokenizer(target_folder, target_source)
    draft_text = _tokenizer(draft_folder, draft_source)
    text.check_same(draft_text, short_name(target_source), short_name(draft_source))
    say(f"loading {short_name(target_source)}", None)
    big = _model(target_folder, target_source, on, kind, spread=spread)
    say(f"loading {short_name(draft_source)}", None)
    small = _model(draft_folder, draft_source, on, kind)
    text.readable = big.get_input_embeddings().num_embeddings
    say("compiling the passes" if compiled else "checking that the caches can be taken back", None)
    pair = Pair(
        name=asked,
        target=trusted(CachedModel(big, text.vocabulary, _end_ids(big, text), compiled=compiled)),
        draft=trusted(
            CachedModel(small, text.vocabulary, _end_ids(big, text), known=draft_text.vocabulary, compiled=compiled)
        ),
        text=text,
        card=PairCard(
            target=_card(big, target_source),
            draft=_card(small, draft_source),
            drafter=DrafterCard("model", "draft model"),
            device=str(on),
            dtype=dtype_name(kind),
            versions=(("torch", torch.__version__), ("transformers", transformers.__version__)),
        ),
    )
    check_rewind(pair.target)
    check_rewind(pair.draft)
    return pair


def with_draft(pair: Pair, draft: str, *, progress: Progress | None = None) -> Pair:
    """The same target, not loaded again, with another draft: a hub id or a local folder.

    The two pairs share the target's cache, so a run of one has to end before a run of the other begins.

    Raises:
        PairError: one of its kinds; see `specviz.errors`.
    """
    say = progress or _silence
    on, kind = pair.target.device, pair.target.model.dtype
    folder = folder_of(draft, say)
    check_kind(folder, draft)
    _check_memory(on, kind, count_parameters(folder, draft))
    text = _tokenizer(folder, draft)
    pair.text.check_same(text, pair.card.target.name, short_name(draft))
    say(f"loading {short_name(draft)}", None)
    small = _model(folder, draft, on, kind)
    model = trusted(CachedModel(small, pair.target.vocabulary, pair.target.end_ids, known=text.vocabulary))
    check_rewind(model)
    card = replace(pair.card, draft=_card(small, draft))
    return Pair(f"{pair.card.target.name} + {short_name(draft)}", pair.target, model, pair.text, card)


def _silence(what: str, share: float | None) -> None:
    """Progress that nobody watches."""


def _sources(name: str | None, target: str | None, draft: str | None) -> tuple[str, str, str]:
    if target is not None or draft is not None:
        if not (target and draft):
            missing = "draft" if target else "target"
            raise UnknownPairError(
                f"The models given were {target or None} and {draft or None}: name the {missing} too."
            )
        return target, draft, f"{short_name(target)} + {short_name(draft)}"
    asked = name or EMBEDDED
    found = offered(asked)
    if found is None:
        raise UnknownPairError(
            f"No pair is called {asked!r}: choose one of {', '.join(names())}, or give a target and a draft."
        )
    return *found, asked


def _check_memory(device: torch.device, dtype: torch.dtype, parameters: int) -> bool:
    """Refuse before loading what cannot fit in the chosen format; whether the target must be spread over all GPUs."""
    needed, free = parameters * dtype.itemsize, memory_free(device)
    if needed > free:
        free = max(free, memory_of_all_gpus() if device.type == "cuda" else 0)
        if needed < free:
            return True
        raise PairError(
            f"The pair needs about {needed / 1e9:.1f} GB in {dtype_name(dtype)} and {device} has {free / 1e9:.1f} GB free: "
            f"{_smaller(dtype)}."
        )
    return False


def _smaller(dtype: torch.dtype) -> str:
    return "choose a smaller pair, or bfloat16" if dtype.itemsize > 2 else "choose a smaller pair"


def _tokenizer(folder: Path, source: str) -> TokenText:
    try:
        text = TokenText(AutoTokenizer.from_pretrained(str(folder), **_LOCAL))
    except Exception as error:
        raise broken(source, "tokenizer", error) from error
    if not text.vocabulary:
        raise ModelFolderError(f"The tokenizer in {source} knows no tokens: save or download it again.")
    return text


def _model(
    folder: Path, source: str, device: torch.device, dtype: torch.dtype, *, spread: bool = False
) -> PreTrainedModel:
    """The model in evaluation mode; `spread` lets accelerate lay its layers over all GPUs."""
    try:
        model, found = AutoModelForCausalLM.from_pretrained(
            str(folder),
            dtype=dtype,
            device_map="auto" if spread else {"": device} if device.type == "cuda" else None,
            use_safetensors=True,
            output_loading_info=True,
            **_LOCAL,
        )
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise PairError(f"The memory of {device} ran out while {source} was loaded: {_smaller(dtype)}.") from error
    except Exception as error:
        raise broken(source, "model", error) from error
    if found["missing_keys"]:
        first = sorted(found["missing_keys"])[0]
        raise ModelFolderError(
            f"The model folder {source} lacks weights ({first} among them): save or download it again."
        )
    loaded: PreTrainedModel = model.eval()
    return loaded


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
        name=short_name(source),
        architecture=type(model).__name__,
        parameters=sum(p.numel() for p in model.parameters()),
        layers=config.num_hidden_layers,
        width=config.hidden_size,
    )
