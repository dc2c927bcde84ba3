"""Loading a pair: by name, or as two models, each a hub id or a local folder."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer, PreTrainedModel

from specviz.errors import ModelFolderError, PairError, UnknownPairError
from specviz.models.cached_model import CachedModel, check_rollback, trusted
from specviz.models.devices import dtype_name, memory_free, memory_of_all_gpus, pick_device, pick_dtype
from specviz.models.folder import broken, check_kind
from specviz.models.memory import Footprint, footprint, peak_of
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
        name: "embedded" (the default), or a name that `specviz pairs` lists.
        target, draft: given together, instead of a name.
        device: auto, cpu, cuda or cuda:N.
        dtype: auto, float32, bfloat16, float16 or float64.
        compiled: compile both models' short passes with torch.compile; the first passes then take a minute or two.
        progress: called before each step.

    Raises:
        PairError: or one of its subclasses; see `specviz.errors`.
    """
    report = progress or _ignore_progress
    target_source, draft_source, pair_name = _sources(name, target, draft)
    on = pick_device(device)
    report("choosing the number format", None)
    kind = pick_dtype(dtype, on)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    target_folder = folder_of(target_source, report)
    draft_folder = folder_of(draft_source, report)
    check_kind(target_folder, target_source)
    check_kind(draft_folder, draft_source)
    spread = _check_memory(
        on, kind, [footprint(target_folder, target_source, kind, on), footprint(draft_folder, draft_source, kind, on)]
    )
    report("reading the tokenizers", None)
    text = _tokenizer(target_folder, target_source)
    draft_text = _tokenizer(draft_folder, draft_source)
    text.check_same(draft_text, short_name(target_source), short_name(draft_source))
    checking = "compiling the passes" if compiled else "checking that the caches can be rolled back"
    report(f"loading {short_name(target_source)}", None)
    big = _model(target_folder, target_source, on, kind, spread=spread)
    text.readable = big.get_input_embeddings().num_embeddings
    report(checking, None)
    # The target's second copy is freed before the draft is loaded, so that both are never in memory together.
    target_model = _checked(
        CachedModel(big, text.vocabulary, _end_ids(big, text), compiled=compiled),
        lambda: _model(target_folder, target_source, on, kind, spread=spread),
    )
    report(f"loading {short_name(draft_source)}", None)
    small = _model(draft_folder, draft_source, on, kind)
    report(checking, None)
    draft_model = _checked(
        CachedModel(small, text.vocabulary, target_model.end_ids, known=draft_text.vocabulary, compiled=compiled),
        lambda: _model(draft_folder, draft_source, on, kind),
    )
    return Pair(
        name=pair_name,
        target=target_model,
        draft=draft_model,
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


def with_draft(pair: Pair, draft: str, *, progress: Progress | None = None) -> Pair:
    """A pair of the same target, which is not loaded again, and another draft: a hub id or a local folder.

    Both pairs share the target's cache, so a run of one must end before a run of the other begins.

    Raises:
        PairError: or one of its subclasses; see `specviz.errors`.
    """
    report = progress or _ignore_progress
    on, kind = pair.target.device, pair.target.model.dtype
    folder = folder_of(draft, report)
    check_kind(folder, draft)
    _check_memory(on, kind, [footprint(folder, draft, kind, on)])
    text = _tokenizer(folder, draft)
    pair.text.check_same(text, pair.card.target.name, short_name(draft))
    report(f"loading {short_name(draft)}", None)
    small = _model(folder, draft, on, kind)
    model = _checked(
        CachedModel(small, pair.target.vocabulary, pair.target.end_ids, known=text.vocabulary),
        lambda: _model(folder, draft, on, kind),
    )
    card = replace(pair.card, draft=_card(small, draft))
    return Pair(f"{pair.card.target.name} + {short_name(draft)}", pair.target, model, pair.text, card)


def _ignore_progress(what: str, share: float | None) -> None:
    """The callback where the caller gave none."""


def _sources(name: str | None, target: str | None, draft: str | None) -> tuple[str, str, str]:
    """Where the target and the draft come from, and the pair's name."""
    if target is not None or draft is not None:
        if not (target and draft):
            missing = "draft" if target else "target"
            raise UnknownPairError(
                f"The target was {target or None} and the draft {draft or None}: name the {missing} too."
            )
        return target, draft, f"{short_name(target)} + {short_name(draft)}"
    pair_name = name or EMBEDDED
    found = offered(pair_name)
    if found is None:
        raise UnknownPairError(
            f"No pair is called {pair_name!r}: choose one of {', '.join(names())}, or give a target and a draft."
        )
    return *found, pair_name


def _check_memory(device: torch.device, dtype: torch.dtype, models: Sequence[Footprint]) -> bool:
    """Check before loading that the weights fit in this format; True if the target must be spread over all GPUs.

    Raises:
        PairError: they do not fit.
    """
    needed, free = peak_of(models), memory_free(device)
    if needed > free:
        free = max(free, memory_of_all_gpus() if device.type == "cuda" else 0)
        if needed < free:
            return True
        after = sum(model.after for model in models)
        raise PairError(
            f"The pair needs up to {needed / 1e9:.1f} GB in {dtype_name(dtype)} while it is loaded ({after / 1e9:.1f} GB after) and "
            f"{device} has {free / 1e9:.1f} GB free: {_smaller(dtype)}."
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
        raise ModelFolderError(f"The tokenizer in {source} has no tokens: save or download it again.")
    return text


def _model(
    folder: Path, source: str, device: torch.device, dtype: torch.dtype, *, spread: bool = False
) -> PreTrainedModel:
    """The model in evaluation mode; with `spread`, accelerate distributes its layers over all GPUs."""
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
        raise PairError(f"The memory of {device} ran out while loading {source}: {_smaller(dtype)}.") from error
    except Exception as error:
        raise broken(source, "model", error) from error
    if found["missing_keys"]:
        first = sorted(found["missing_keys"])[0]
        raise ModelFolderError(
            f"The model folder {source} lacks some weights, such as {first}: save or download it again."
        )
    loaded: PreTrainedModel = model.eval()
    return loaded


def _checked(model: CachedModel, read: Callable[[], PreTrainedModel]) -> CachedModel:
    """The model on a decoder whose scores have been compared, without second copies of its weights.

    Args:
        read: loads the same weights again, if transformers' own modules are needed later.
    """
    checked = trusted(model)
    check_rollback(checked)
    checked.free_originals(read)
    return checked


def _end_ids(model: PreTrainedModel, text: TokenText) -> frozenset[int]:
    """The end-of-text ids of the generation config; without one those of the config, and else the tokenizer's."""
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
