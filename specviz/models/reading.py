"""Reading one model from its folder: tokenizer, weights, the ids that end a text, and its card."""

from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer, PreTrainedModel

from specviz.errors import ModelFolderError, PairError
from specviz.models.folder import broken, ignored_processors, loader_of, quantisation
from specviz.models.gguf import origin_of
from specviz.models.kept_ids import kept_ids
from specviz.models.networks.kept_head import parameter_count, trim_head
from specviz.models.sources import commit_of, short_name, weights_of
from specviz.models.tokens import TokenText
from specviz.trace.records import ModelCard

_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


def smaller(dtype: torch.dtype) -> str:
    """What to do where a pair in this number format does not fit."""
    return "choose a smaller pair, or bfloat16" if dtype.itemsize > 2 else "choose a smaller pair"


def read_tokenizer(folder: Path, source: str) -> TokenText:
    """The tokenizer in a model's folder.

    Raises:
        ModelFolderError: it cannot be read, or is empty.
    """
    try:
        text = TokenText(AutoTokenizer.from_pretrained(str(folder), **_LOCAL))
    except Exception as error:
        if not (folder / "tokenizer.json").is_file() and any(folder.glob("*.model")):
            raise ModelFolderError(
                f"The tokenizer in {source} is a SentencePiece model without a tokenizer.json: install the package sentencepiece "
                "(pip install sentencepiece), or choose a version of the model with a tokenizer.json."
            ) from error
        raise broken(source, "tokenizer", error) from error
    if not text.vocabulary:
        raise ModelFolderError(f"The tokenizer in {source} has no tokens: save or download it again.")
    return text


def read_model(
    folder: Path,
    source: str,
    device: torch.device,
    dtype: torch.dtype,
    *,
    spread: bool = False,
    notes: list[str] | None = None,
) -> PreTrainedModel:
    """The model in evaluation mode, with a trimmed head if its folder has kept ids.

    Args:
        spread: accelerate distributes its layers over all GPUs.
        notes: gets one sentence for each thing that a person should know about these weights.

    Raises:
        ModelFolderError: the weights cannot be read, or do not belong to the config.
        PairError: the memory ran out.
    """
    loader = loader_of(folder, source)
    try:
        model, found = loader.from_pretrained(
            str(folder),
            dtype=dtype,
            device_map="auto" if spread else {"": device} if device.type == "cuda" else None,
            use_safetensors=True,
            output_loading_info=True,
            ignore_mismatched_sizes=True,  # they are refused below, with the name of the weight
            **_LOCAL,
        )
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise PairError(f"The memory of {device} ran out while loading {source}: {smaller(dtype)}.") from error
    except Exception as error:
        method = quantisation(folder)
        if method:
            raise ModelFolderError(
                f"The model in {source} is {method}: choose the version that is not quantised."
            ) from error
        raise broken(source, "model", error) from error
    _check_weights(found, source)
    unused = sorted(found["unexpected_keys"])
    if unused and notes is not None:
        notes.append(
            f"{short_name(source)} has {len(unused)} weight{'s' if len(unused) > 1 else ''} that {type(model).__name__} does not use, "
            f"such as {unused[0]}."
        )
    origin = origin_of(folder)
    if origin is not None and origin.note and notes is not None:
        notes.append(f"{short_name(source)} {origin.note}")
    loaded: PreTrainedModel = model.eval()
    kept = kept_ids(folder, source)
    if kept is not None:
        trim_head(loaded, kept.ids)
        if notes is not None:
            notes.append(f"{short_name(source)} {kept.sentence}")
    return loaded


def _check_weights(found: dict[str, Any], source: str) -> None:
    """Check what transformers found in the weight files: every weight of the model, in the shape of the config.

    Raises:
        ModelFolderError: a weight is missing, or has another shape.
    """
    if found["mismatched_keys"]:
        name, stored, wanted = sorted(found["mismatched_keys"])[0]
        raise ModelFolderError(
            f"The weight {name} in {source} has the shape {list(stored)}, and its config.json describes {list(wanted)}: the two belong "
            "to different models, so save or download it again."
        )
    if found["missing_keys"]:
        first = sorted(found["missing_keys"])[0]
        raise ModelFolderError(
            f"The model folder {source} lacks some weights, such as {first}: save or download it again."
        )


def processor_notes(target: PreTrainedModel, source: str) -> tuple[str, ...]:
    """A note if the target's generation config asks for more than sampling."""
    asked = ignored_processors(getattr(target, "generation_config", None))
    if not asked:
        return ()
    return (
        f"The generation config of {short_name(source)} asks for {', '.join(asked)}, which is not applied here: the text is that of "
        "the model's own probabilities.",
    )


def end_ids(model: PreTrainedModel, text: TokenText) -> frozenset[int]:
    """The end-of-text ids of the generation config; without one those of the config, and else the tokenizer's."""
    configs = (model.config, model.config.get_text_config(decoder=True))
    for owner in (getattr(model, "generation_config", None), *configs, text.tokenizer):
        found = getattr(owner, "eos_token_id", None)
        if found is not None:
            return frozenset([found] if isinstance(found, int) else found)
    return frozenset()


def card_of(model: PreTrainedModel, source: str, folder: Path | None = None) -> ModelCard:
    """The card of a model; with its folder, also its revision and how its weights were stored."""
    config = model.config.get_text_config(decoder=True)
    return ModelCard(
        name=short_name(source),
        architecture=type(model).__name__,
        parameters=parameter_count(model),
        layers=config.num_hidden_layers,
        width=config.hidden_size,
        revision=commit_of(folder) if folder else "",
        weights=weights_of(folder) if folder else "",
    )
