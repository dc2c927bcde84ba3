"""Tiny GGUF files made on the fly: a Llama with random weights, stored as llama.cpp's converter stores it."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.tiny_models import built
from tests.models.folders import byte_tokenizer, sentencepiece_tokenizer

PACKAGE = "gguf"
"""What writes and reads these files; tests skip where it is not installed."""
TEMPLATE = "{% for m in messages %}<{{ m.content }}>{% endfor %}"


def tiny_llama(seed: int = 1, vocabulary: int = 0) -> Any:
    """A Llama of two layers; widths are multiples of 32, a block of the simple quantised formats. By default it has the byte tokenizer's ids."""
    sizes: dict[str, Any] = {"vocab_size": vocabulary or len(byte_tokenizer()), "intermediate_size": 96}
    sizes |= {"num_key_value_heads": 2, "rms_norm_eps": 2.0**-17, "tie_word_embeddings": True}
    return built("LlamaForCausalLM", seed, width=64, heads=4, **sizes)


def write_gguf(
    path: Path,
    kind: str = "Q8_0",
    *,
    model: Any = None,
    architecture: str = "llama",
    leave_out: str = "",
    values: dict[str, Any] | None = None,
    sentencepiece: bool = False,
    tokenizer: Any = None,
) -> Path:
    """Write the tiny Llama with its matrices in this format, and its vectors in float32.

    Args:
        leave_out: the GGUF name of a tensor that is not written; "tokenizer" leaves out the tokenizer.
        values: further values of the header: integers, numbers, texts or truths.
        sentencepiece: with the SentencePiece vocabulary of the tests instead of the byte-level one.
        tokenizer: a byte-level one instead of that of the tests.
    """
    import gguf

    vocabulary = len(sentencepiece_tokenizer() if sentencepiece else tokenizer or byte_tokenizer())
    model = model if model is not None else tiny_llama(vocabulary=vocabulary)
    config = model.config
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(config.hidden_size // config.num_attention_heads)
    if leave_out != "tokenizer":
        _write_sentencepiece(writer) if sentencepiece else _write_tokenizer(
            writer, tokenizer or byte_tokenizer(template=TEMPLATE)
        )
    add = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32, str: writer.add_string}
    for key, value in (values or {}).items():
        add[type(value)](key, value)
    quantised = gguf.GGMLQuantizationType[kind]
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in model.model.state_dict().items():
        array = weight.numpy()
        stored = names.get_name(f"model.{name}", try_suffixes=[".weight"])
        if stored.endswith(("attn_q.weight", "attn_k.weight")):
            heads = config.num_attention_heads if "attn_q" in stored else config.num_key_value_heads
            array = array.reshape(heads, 2, -1, array.shape[1]).swapaxes(1, 2).reshape(array.shape)
        if stored == leave_out:
            continue
        if array.ndim == 1 or kind == "F32":
            writer.add_tensor(stored, np.ascontiguousarray(array))
        else:
            writer.add_tensor(stored, gguf.quantize(np.ascontiguousarray(array), quantised), raw_dtype=quantised)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_tokenizer(writer: Any, tokenizer: Any) -> None:
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda row: row[1])
    added = tokenizer.added_tokens_decoder
    merges = json.loads(tokenizer.backend_tokenizer.to_str())["model"]["merges"] or [("e", "d")]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list([piece for piece, _ in vocabulary])
    writer.add_token_types([(3 if added[i].special else 4) if i in added else 1 for _, i in vocabulary])
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_eos_token_id(tokenizer.eos_token_id)
    writer.add_bos_token_id(1 if tokenizer.bos_token_id is None else tokenizer.bos_token_id)
    writer.add_chat_template(tokenizer.chat_template)


def _write_sentencepiece(writer: Any) -> None:
    pieces = [piece for piece, _ in sorted(sentencepiece_tokenizer().get_vocab().items(), key=lambda row: row[1])]
    kinds = {"<unk>": 2, "<s>": 3, "</s>": 3} | {f"<0x{byte:02X}>": 6 for byte in range(256)}
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([-float(index) for index in range(len(pieces))])
    writer.add_token_types([kinds.get(piece, 1) for piece in pieces])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
