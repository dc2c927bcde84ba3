"""From a GGUF file to a folder of transformers: the weights dequantised, with config, tokenizer, chat template and end ids.

transformers reads the file (`gguf_file=`). The matrices of a quantised file are rounded to the nearest float16: that is the model from then
on, also for transformers, which loads the same folder. A dequantised weight is a product of a 16-bit scale and a small number; rounding
changes it by at most 1/2048 of itself, far less than its quantisation did, and a matrix in half precision is read twice as fast. A file that
quantises nothing keeps its exact numbers, in the smallest format that represents them: bfloat16, float16 or float32.
"""

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers
from torch import Tensor
from transformers import (
    AutoConfig,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PreTrainedTokenizerFast,
)
from transformers.integrations.gguf import get_gguf_tokenizer
from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS

from specviz.errors import ModelFolderError, PairError, brief
from specviz.models.folder import beyond_numbers, beyond_weights, loader_for
from specviz.models.gguf_header import Header, damaged
from specviz.models.limits import memory_available
from specviz.models.networks.packing import narrow
from specviz.models.quiet import quiet
from specviz.models.tokens import MARKS, is_spelled, spelled

# A callback that receives the current step and, where it is known, the share of it that is done (0 to 1).
Progress = Callable[[str, float | None], None]

_SHARD = 2**30  # largest bytes of one weight file: while one is written, it is in memory a second time
_UNQUANTISED = ("F32", "F16", "BF16", "F64")
# Names of GPT-2's way to split text before the merges of a byte-level tokenizer, which transformers uses where it
# knows no other one.
_PLAIN_SPLITS = ("default", "gpt-2")
# Names of the same after every digit was separated. transformers does not read these, and then white space before a
# digit gets other tokens.
_DIGIT_SPLITS = ("smollm", "starcoder", "refact", "command-r")
# Names of splits whose vocabularies take a word that they have as one token, and whose texts begin with BOS unless the
# file says otherwise: llama.cpp knows both by the name alone, and transformers by neither.
_WHOLE_WORDS = (
    *("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1"),
    *("pixtral", "midm-2.0", "lfm2", "jina-v5-nano", "tekken"),
)
_CONTROL, _USER_DEFINED = 3, 4  # types of tokens
# True where a SentencePiece tokenizer puts a space before a text. transformers finds this key, and does not use it.
_SPACE_PREFIX = "tokenizer.ggml.add_space_prefix"
_WIDEST = 4  # bytes of the widest format that weights are stored in
_LOCAL: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}


@quiet()
def dequantise(path: Path, header: Header, folder: Path, report: Progress) -> str:
    """Write the model of a GGUF file into an empty folder. Raises ModelFolderError if the file is damaged or of a kind
    that cannot be read, or the package gguf is missing; PairError if it does not fit into memory; OSError if the folder
    cannot be written to.

    Returns:
        What transformers does not read of this file, as a sentence without its subject, or "".
    """
    source = str(path)
    _check_header(header, source)
    _check_space(header, source, folder)
    # transformers also reads other files beside the GGUF file, which may belong to another model. In the cache a folder that a killed
    # process leaves is deleted with the rest.
    with tempfile.TemporaryDirectory(dir=folder) as alone:
        try:
            (Path(alone) / path.name).symlink_to(path.resolve())
        except OSError:  # a disk without links, as of an SD card, or a Windows that allows none
            shutil.copyfile(path, Path(alone) / path.name)
        model, tokenizer, loading_info = _read(Path(alone) / path.name, header, source, report)
    lacking = sorted({*loading_info["missing_keys"], *(row[0] for row in loading_info["mismatched_keys"])})
    if lacking:
        raise ModelFolderError(
            f"The GGUF file {source} lacks weights of its architecture {header.architecture!r}, such as {lacking[0]}: "
            "choose another file of this model."
        )
    report(f"storing the weights of {path.name}", None)
    with _as_os_errors():
        _save(model, header, folder)
        tokenizer.save_pretrained(folder)
    return _note(header)


def _read(path: Path, header: Header, source: str, report: Progress) -> tuple[PreTrainedModel, Any, dict[str, Any]]:
    """The model in float32, its tokenizer, and what transformers reports about the weights. Raises ModelFolderError if
    transformers does not read this file; PairError if the memory ran out."""
    folder, options = str(path.parent), {"gguf_file": path.name, **_LOCAL}
    try:
        report(f"reading the configuration in {path.name}", None)
        config = AutoConfig.from_pretrained(folder, **options)
        loader = _loader_for(config, header)
        report(f"reading the tokenizer in {path.name}", None)
        tokenizer = AutoTokenizer.from_pretrained(folder, **options)
        if header.values.get("tokenizer.ggml.model") == "llama" and header.values.get(_SPACE_PREFIX) is False:
            _without_space_prefix(tokenizer.backend_tokenizer)
        if header.values.get("tokenizer.ggml.model") == "gpt2":
            tokenizer = _as_described(tokenizer, path, header)
        if header.word_split in _DIGIT_SPLITS:
            tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
                [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
            )
        report(f"dequantising {path.name}, once", None)
        model, loading_info = loader.from_pretrained(
            folder,
            config=config,
            dtype=torch.float32,
            device_map="cpu",
            quantization_config=transformers.GgufConfig(dequantize=True),
            output_loading_info=True,
            **options,
        )
    except (MemoryError, torch.OutOfMemoryError) as error:
        raise PairError(f"The memory ran out while {source} was dequantised: choose a smaller model.") from error
    except Exception as error:
        raise _not_read(header, source, error) from error
    return model, tokenizer, loading_info


def _loader_for(config: PreTrainedConfig, header: Header) -> Any:
    loader = loader_for(config)
    if loader is None:
        raise ValueError(f"a model of the type {config.model_type!r} does not continue a text token by token")
    if beyond := beyond_numbers(loader, config, header.parameters):
        raise ValueError(f"its header {beyond}")
    return loader


def weights_in_words(header: Header) -> str:
    """How most of the weights are stored in the file, as "4-bit weights, dequantised to float16"; "" where they are not quantised."""
    counts: Counter[str] = Counter()
    for tensor in header.tensors:
        counts[tensor.dtype] += tensor.count
    name = counts.most_common(1)[0][0]
    bits = re.search(r"\d+", name)
    return "" if name in _UNQUANTISED or bits is None else f"{bits.group()}-bit weights, dequantised to float16"


def _check_header(header: Header, source: str) -> None:
    """Check what can be seen without the weights: one whole file, with a tokenizer, and no more layers than it has
    weights for. Raises ModelFolderError if something is missing."""
    parts = header.values.get("split.count")
    if isinstance(parts, int) and parts > 1:
        raise ModelFolderError(
            f"{source} is one of {parts} parts of a model: join them with `llama-gguf-split --merge`, and give the result."
        )
    if not header.tensors or not header.architecture:
        raise damaged(source, "it holds no model")
    counts = ((name.rpartition(".")[2], value) for name, value in header.values.items())
    if beyond := beyond_weights(counts, [tensor.shape for tensor in header.tensors]):
        raise damaged(source, f"its header says {beyond}")
    if "tokenizer.ggml.tokens" not in header.values:
        raise ModelFolderError(
            f"The GGUF file {source} has no tokenizer, as a file with an adapter or a vision encoder: choose the language model."
        )


def _check_space(header: Header, source: str, folder: Path) -> None:
    """Check before loading that the dequantised weights fit into memory and on the disk. Raises PairError if they do
    not."""
    largest = max(tensor.count for tensor in header.tensors)
    weights = _WIDEST * header.parameters
    needed, free = weights + 2 * _WIDEST * largest, memory_available()
    if needed > free:
        raise PairError(
            f"{source} needs {needed / 1e9:.1f} GB of memory while it is dequantised, and this machine has {free / 1e9:.1f} GB free: "
            "choose a smaller model."
        )
    spare = shutil.disk_usage(folder).free
    if weights > spare:
        raise PairError(
            f"The dequantised weights of {source} need up to {weights / 1e9:.1f} GB on the disk of the cache, which has "
            f"{spare / 1e9:.1f} GB free: free some space there, or set SPECVIZ_CACHE to another folder."
        )


def _not_read(header: Header, source: str, error: Exception) -> ModelFolderError:
    return ModelFolderError(
        f"The GGUF file {source} (architecture {header.architecture!r}) is not one that transformers {transformers.__version__} reads "
        f"({brief(error, 160)}): choose another model or quantisation, or the folder of the original model."
    )


def _save(model: PreTrainedModel, header: Header, folder: Path) -> None:
    quantised = any(tensor.dtype not in _UNQUANTISED for tensor in header.tensors)
    for weight in model.parameters():
        if weight.dim() > 1:  # the rest is small
            weight.data = rounded(weight.data) if quantised else narrow(weight.data)
    for config in (model.config, model.config.get_text_config(decoder=True)):
        if hasattr(config, "quantization_config"):
            del config.quantization_config
    model.hf_quantizer, model.is_quantized = None, False
    if header.end_ids and model.generation_config is not None:
        ids = header.end_ids
        model.generation_config.eos_token_id = ids[0] if len(ids) == 1 else ids
    model.save_pretrained(folder, max_shard_size=_SHARD)


def rounded(weight: Tensor) -> Tensor:
    """A float32 matrix in 16 bits: exactly where bfloat16 or float16 holds it, else rounded to the nearest float16. One with a number beyond
    float16's range stays as it is."""
    exact = narrow(weight)
    beyond = exact.dtype == torch.float32 and float(weight.abs().max()) > torch.finfo(torch.float16).max
    return exact if exact.dtype != torch.float32 or beyond else weight.half()


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """Where a file cannot be written, safetensors raises an error of its own, and tokenizers a bare Exception: OSError here."""
    try:
        yield
    except Exception as error:
        if isinstance(error, SafetensorError) or type(error) is Exception:
            raise OSError(str(error)) from error
        raise


def _without_space_prefix(backend: Tokenizer) -> None:
    """Let a SentencePiece tokenizer begin a text as it is written."""
    space = "\u2581"
    backend.normalizer, backend.pre_tokenizer = normalizers.Replace(" ", space), None
    backend.decoder = decoders.Sequence([decoders.Replace(space, " "), decoders.ByteFallback(), decoders.Fuse()])


def _as_described(tokenizer: PreTrainedTokenizerBase, path: Path, header: Header) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer whose control and user-defined tokens are the texts that the file has. transformers takes their letters for bytes,
    and passes over those that have other letters."""
    _, described, marks = get_gguf_tokenizer(str(path))
    kinds = described.get("token_type") or [0] * len(described["tokens"])
    tokens = list(zip(range(len(kinds)), described["tokens"], kinds, strict=True))
    literal = [row for row in tokens if row[2] in (_CONTROL, _USER_DEFINED) or row[1] in marks.values()]
    vocabulary = {text if is_spelled(text) else spelled(text): i for i, text, _ in sorted({*tokens} - {*literal})}
    state = json.loads(tokenizer.backend_tokenizer.to_str())
    merged = {"".join(pair) for pair in state["model"]["merges"]} - vocabulary.keys()
    added = []
    for i, text, kind in literal:
        if text in vocabulary or spelled(text) in merged:  # a letter of the alphabet of bytes, or a part of other words
            vocabulary.setdefault(spelled(text), i)
        else:
            vocabulary[text] = i
            entry = {"id": i, "content": text, "special": kind != _USER_DEFINED}
            added.append(entry | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False))
    whole_words = header.word_split in _WHOLE_WORDS
    state["model"] |= {"vocab": vocabulary, "ignore_merges": whole_words}
    state["added_tokens"] = added
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(json.dumps(state)),
        chat_template=tokenizer.chat_template,
        add_bos_token=marks.get("add_bos_token", whole_words),
        add_eos_token=marks.get("add_eos_token", False),
        **{name: marks[name] for name in MARKS},
    )


def _note(header: Header) -> str:
    notes = []
    if header.own_rotary:
        notes.append(
            f"has rotary frequencies of its own ({header.own_rotary}), which transformers does not read from GGUF files: at long "
            "contexts the text can differ from that of the original model."
        )
    if header.word_split and header.word_split not in {*GGUF_PRE_TOKENIZER_SPLITS, *_PLAIN_SPLITS, *_DIGIT_SPLITS}:
        notes.append(
            f"splits text into words in its own way ({header.word_split}), which transformers does not read from GGUF files: some "
            "prompts may get other tokens than with the original tokenizer."
        )
    return " It also ".join(notes)
