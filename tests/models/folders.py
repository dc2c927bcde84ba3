"""Model folders as transformers saves them: real architectures, random weights, small tokenizers, all created on demand."""

# ruff: noqa: S106  # a token here is a piece of text, not a password
import shutil
from pathlib import Path
from typing import Any

import transformers
from tokenizers import AddedToken, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers import models as kinds

from tests.helpers.tiny_models import built

END = "<|end|>"
BEGIN = "<|begin|>"
TURN_END = "<\uff5cturn\u2581end\uff5c>"  # as of DeepSeek, whose letters are none of the alphabet of bytes
USER_DEFINED = ("caf\u00e9", "\u0111em", "\u65e5\u672c", "<think>")
WORDS = (" the", " a", " dog", " cat", " ran", " home", " sun", " sea", " old", " red", "ing", "ed")


def byte_tokenizer(extra: int = 0, *, begin: bool = False, template: str | None = None, words: int = 12) -> Any:
    """A byte-level tokenizer: two special tokens, 256 bytes, a few words (never used: it has no merges)."""
    pieces = [END, BEGIN, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    pieces += [word.replace(" ", "\u0120") for word in WORDS[:words]] + [f"extra{i}" for i in range(extra)]
    backend = Tokenizer(kinds.BPE({piece: i for i, piece in enumerate(pieces)}, []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([END, BEGIN])
    if begin:
        backend.post_processor = processors.TemplateProcessing(single=f"{BEGIN} $A", special_tokens=[(BEGIN, 1)])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token=END, bos_token=BEGIN if begin else None
    )
    tokenizer.chat_template = template
    return tokenizer


def chat_tokenizer() -> Any:
    """A byte-level tokenizer with marks and words that were added to it, whose chat template ends a turn with one of the marks."""
    pieces = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "ca"]
    backend = Tokenizer(kinds.BPE({piece: i for i, piece in enumerate(pieces)}, [("c", "a")]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.add_special_tokens([END, BEGIN, TURN_END])
    backend.add_tokens([AddedToken(word, normalized=False) for word in USER_DEFINED])
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, eos_token=END)
    turn = f"{BEGIN}{{{{ m.role }}}} {{{{ m.content }}}}{TURN_END}\n"
    asks = f"{{% if add_generation_prompt %}}{BEGIN}assistant {{% endif %}}"
    tokenizer.chat_template = f"{{% for m in messages %}}{turn}{{% endfor %}}{asks}"
    return tokenizer


def sentencepiece_tokenizer(*, metaspace: bool = False) -> Any:
    """Pieces with a visible space, and a piece for every byte; decoded in one of the two usual ways."""
    letters = "abcdefghijklmnopqrstuvwxyz\u2581"
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *letters, "\u2581the", "\u2581dog"]
    merges = [("\u2581", "t"), ("\u2581t", "h"), ("\u2581th", "e")]
    pieces += ["\u2581t", "\u2581th"]
    backend = Tokenizer(
        kinds.BPE({p: i for i, p in enumerate(pieces)}, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    )
    if metaspace:
        backend.pre_tokenizer = pre_tokenizers.Metaspace()
        backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    else:
        backend.normalizer = normalizers.Replace(" ", "\u2581")
        backend.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])
    backend.add_tokens([AddedToken("\u2581\u2581", normalized=False)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )


def wordpiece_tokenizer() -> Any:
    """Words and their endings, without any spaces in the pieces."""
    pieces = ["[UNK]", "[SEP]", "hello", "##ing", "world", "\u4f60", "##s", "."]
    backend = Tokenizer(kinds.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.decoder = decoders.WordPiece(cleanup=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]", sep_token="[SEP]")


def save_model(
    folder: Path,
    kind: str = "LlamaForCausalLM",
    *,
    seed: int = 0,
    tokenizer: Any = None,
    head: int | None = None,
    context: int = 128,
    end_ids: int | list[int] | None = 0,
    **options: Any,
) -> Path:
    """Save a tiny model of this class with `head` output rows, by default one for each id of the tokenizer."""
    text = tokenizer if tokenizer is not None else byte_tokenizer()
    model = built(kind, seed, **{"vocab_size": head or len(text), "max_position_embeddings": context, **options})
    if getattr(model, "generation_config", None) is not None:
        model.generation_config.eos_token_id = end_ids
    model.save_pretrained(folder)
    text.save_pretrained(folder)
    return folder


def put_in_hub(cache: Path, folder: Path, revision: str = "main", commit: str = "a" * 40) -> Path:
    """Put a model folder into a cache of the hub, as a download of this revision would."""
    shutil.copytree(folder, cache / "snapshots" / commit)
    (cache / "refs").mkdir(exist_ok=True)
    (cache / "refs" / revision).write_text(commit)
    return cache / "snapshots" / commit
