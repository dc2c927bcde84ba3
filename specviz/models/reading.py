"""Reading one model from its folder: tokenizer, weights, the ids that end a text, and its card."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from transformers import AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase, PreTrainedTokenizerFast
from transformers.utils import is_peft_available

from specviz.errors import ModelFolderError, PairError
from specviz.models.folder import (
    beyond_numbers,
    broken,
    config_of,
    ignored_processors,
    json_object,
    loader_of,
    quantisation,
    stored_weights,
    written_ends,
)
from specviz.models.gguf import origin_of
from specviz.models.kept_ids import kept_ids
from specviz.models.networks.kept_head import parameter_count, trim_head
from specviz.models.sources import commit_of, short_name, weights_of
from specviz.models.tokens import MARKS, TokenText
from specviz.trace.cards import ModelCard

_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
# Where processors of transformers kept a chat template, which its tokenizers do not look for.
_TEMPLATE = "chat_template.json"
_PACKED = 16  # quantised weights that a stored number has at most
# Texts on which a tokenizer is compared with its file: words, digits, white space, line breaks, code, accents, other
# alphabets.
_EXAMINED = (
    "The cat  sat on a mat, didn't it? IT'S 1234567.5 %\n\n3\n",
    " \tif x_1 != 22:\r\n        return {'a': [0x1F, -2]}  # ...\n\n\n",
    "\u00dcber na\u00efve caf\u00e9s, e\u0301t\u00e9 \u4f60\u597d\uff0c\u4e16\u754c \u0645\u0631\u062d\u0628\u0627 \U0001f680\u00a0",
)


_MOST_IDS = 10_000_000  # the largest tokenizers have some hundred thousand


def smaller(dtype: torch.dtype) -> str:
    """The advice where a pair in this number format does not fit."""
    return "choose a smaller pair, or bfloat16" if dtype.itemsize > 2 else "choose a smaller pair"


def read_tokenizer(folder: Path, source: str) -> TokenText:
    """The tokenizer in a model's folder; where it has a tokenizer.json, with the ids and the text of that file. Raises
    ModelFolderError if it cannot be read, or is empty."""
    try:
        tokenizer = _tokenizer(folder, source)
        if not tokenizer.chat_template and (folder / _TEMPLATE).is_file():
            tokenizer.chat_template = json_object(folder / _TEMPLATE, source).get("chat_template")
        text = TokenText(tokenizer)
    except ModelFolderError:
        raise
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


def _tokenizer(folder: Path, source: str) -> PreTrainedTokenizerBase:
    file_tokenizer = Tokenizer.from_file(str(file)) if (file := folder / "tokenizer.json").is_file() else None
    if file_tokenizer and (highest := max(file_tokenizer.get_vocab().values(), default=0)) > _MOST_IDS:
        # transformers writes such a tokenizer out again, one id after the other
        raise ModelFolderError(
            f"The tokenizer of {source} has ids up to {highest}, and no model has so many: download it again."
        )
    # transformers can rebuild a tokenizer from the class that the folder names; the general class takes the file, and then changes what
    # the folder says beside it. Where that changes ids too, only the marks and the template are taken from the folder.
    for kind in (AutoTokenizer, PreTrainedTokenizerFast):
        tokenizer: PreTrainedTokenizerBase = kind.from_pretrained(str(folder), **_LOCAL)
        if file_tokenizer is None or _as_written(tokenizer, file_tokenizer):
            return tokenizer
    marks = {name: tokenizer.special_tokens_map.get(name) for name in MARKS}
    return PreTrainedTokenizerFast(tokenizer_object=file_tokenizer, chat_template=tokenizer.chat_template, **marks)


def _as_written(tokenizer: PreTrainedTokenizerBase, file_tokenizer: Tokenizer) -> bool:
    """True if a tokenizer gives the ids and the text of its tokenizer.json; what a folder adds to the file, tokens or a begin, is no difference."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if not isinstance(backend, Tokenizer):
        return False
    file_tokenizer.no_truncation()
    file_tokenizer.no_padding()
    marks = tokenizer.init_kwargs.keys().isdisjoint(("add_bos_token", "add_eos_token"))
    for text in _EXAMINED:
        ids = file_tokenizer.encode(text, add_special_tokens=marks).ids
        if tokenizer(text, add_special_tokens=marks, verbose=False)["input_ids"] != ids:
            return False
        if backend.decode(ids, skip_special_tokens=False) != file_tokenizer.decode(ids, skip_special_tokens=False):
            return False
    return True


def read_model(
    folder: Path,
    source: str,
    device: torch.device,
    dtype: torch.dtype,
    *,
    spread: bool = False,
    notes: list[str] | None = None,
) -> PreTrainedModel:
    """The model in evaluation mode, with a trimmed head if its folder has kept ids. Raises ModelFolderError if the
    weights cannot be read, or do not belong to the config; PairError if the memory ran out.

    Args:
        spread: accelerate distributes its layers over all GPUs.
        notes: gets one sentence for each thing that a person should know about these weights.
    """
    loader, config, method = loader_of(folder, source), config_of(folder, source), quantisation(folder)
    numbers = sum(weight.count for weight in stored_weights(folder, source))
    if beyond := beyond_numbers(loader, config, numbers * (_PACKED if method else 1)):
        raise ModelFolderError(
            f"The config.json in {source} {beyond}: the two belong to different models, so save or download it again."
        )
    try:
        model, loading_info = loader.from_pretrained(
            str(folder),
            config=config,
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
        if method:
            raise ModelFolderError(
                f"The model in {source} is {method}: choose the version that is not quantised."
            ) from error
        raise broken(source, "model", error) from error
    _check_weights(loading_info, source)
    unused = sorted(loading_info["unexpected_keys"])
    if unused and notes is not None:
        notes.append(
            f"{short_name(source)} has {len(unused)} weight{'s' if len(unused) > 1 else ''} that {type(model).__name__} does not use, "
            f"such as {unused[0]}."
        )
    if notes is not None and (folder / "adapter_config.json").is_file() and not is_peft_available():
        notes.append(
            f"{short_name(source)} has an adapter beside its weights (adapter_config.json), which is not applied: the text is the base "
            "model's. Merge the adapter into the weights to see its own."
        )
    origin = origin_of(folder)
    if origin is not None and origin.note and notes is not None:
        notes.append(f"{short_name(source)} {origin.note}")
    loaded: PreTrainedModel = model.eval()
    head_ids = kept_ids(folder, source)
    if head_ids is not None:
        trim_head(loaded, head_ids.ids)
        if notes is not None:
            notes.append(f"{short_name(source)} {head_ids.sentence}")
    return loaded


def _check_weights(loading_info: dict[str, Any], source: str) -> None:
    """Check what transformers found in the weight files: every weight of the model, in the shape of the config. Raises
    ModelFolderError if a weight is missing, or has another shape."""
    if loading_info["mismatched_keys"]:
        name, stored, expected = sorted(loading_info["mismatched_keys"])[0]
        raise ModelFolderError(
            f"The weight {name} in {source} has the shape {list(stored)}, and its config.json describes {list(expected)}: the two belong "
            "to different models, so save or download it again."
        )
    if loading_info["missing_keys"]:
        first = sorted(loading_info["missing_keys"])[0]
        raise ModelFolderError(
            f"The model folder {source} lacks some weights, such as {first}: save or download it again."
        )


def processor_notes(target: PreTrainedModel, source: str) -> tuple[str, ...]:
    """A note if the target's generation config asks for more than sampling."""
    processors = ignored_processors(getattr(target, "generation_config", None))
    if not processors:
        return ()
    return (
        f"The generation config of {short_name(source)} asks for {', '.join(processors)}, which is not applied here: the text is that of "
        "the model's own probabilities.",
    )


def end_ids(model: PreTrainedModel, text: TokenText, folder: Path | None = None) -> frozenset[int]:
    """The end-of-text ids: all that the generation config, the config or the tokenizer names, and the end of a turn in the chat template.

    Args:
        folder: the model's; then a value that no file names, as a class of transformers can have one, does not count.
    """
    return frozenset[int]().union(*_named_ends(model, text, folder).values())


def _named_ends(model: PreTrainedModel, text: TokenText, folder: Path | None) -> dict[str, frozenset[int]]:
    """The end-of-text ids by who names them."""
    configs = (model.config, model.config.get_text_config(decoder=True))
    owners = {"generation config": (getattr(model, "generation_config", None),), "config": configs}
    ends: dict[str, frozenset[int]] = {}
    for name, group in owners.items():
        ids = frozenset[int]().union(*(_ids(getattr(owner, "eos_token_id", None)) for owner in group))
        ends[name] = ids if folder is None else ids & written_ends(folder / f"{name.replace(' ', '_')}.json")
    return ends | {"tokenizer": _ids(getattr(text.tokenizer, "eos_token_id", None)), "chat template": text.turn_ends}


def _ids(value: object) -> frozenset[int]:
    """The ids of a config's value: one, several or none."""
    return frozenset(
        token for token in (value if isinstance(value, list) else [value]) if isinstance(token, int) and token >= 0
    )


def text_notes(model: PreTrainedModel, text: TokenText, source: str, folder: Path | None = None) -> tuple[str, ...]:
    """Sentences for people about where the target's texts begin and end."""
    name, ends_by_owner, notes = short_name(source), _named_ends(model, text, folder), []
    ends = end_ids(model, text, folder)
    if ends not in ends_by_owner.values():
        by_id = (
            f"{text.piece_of(end)} ({', '.join(where for where, ids in ends_by_owner.items() if end in ids)})"
            for end in sorted(ends)
        )
        notes.append(
            f"The files of {name} name several tokens that end a text, and each of them does: {'; '.join(by_id)}."
        )
    if ends.intersection(text.tokenizer("a", verbose=False)["input_ids"][-1:]):
        notes.append(
            f"The tokenizer of {name} ends every prompt with an end-of-text token, unless a chat template writes it."
        )
    return tuple(notes)


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
