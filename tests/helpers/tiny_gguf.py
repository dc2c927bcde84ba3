"""Tiny GGUF files made on the fly: a Llama with random weights, stored as llama.cpp's converter stores it."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tests.helpers.tiny_models import built
from tests.models.folders import byte_tokenizer

PACKAGE = "gguf"
"""What writes and reads these files; tests skip where it is not installed."""
_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}
TEMPLATE = "{% for m in messages %}<{{ m.content }}>{% endfor %}"


def tiny_llama(seed: int = 1) -> Any:
    """A Llama of two layers with the byte tokenizer's ids; widths are multiples of 32, a block of the simple quantised formats."""
    sizes: dict[str, Any] = {"vocab_size": len(byte_tokenizer()), "intermediate_size": 96}
    sizes |= {"num_key_value_heads": 2, "rms_norm_eps": 2.0**-17, "tie_word_embeddings": True}
    return built("LlamaForCausalLM", seed, width=64, heads=4, **sizes)


def write_gguf(path: Path, model: Any = None) -> Path:
    """Write the tiny Llama with its matrices in Q4_1, and its vectors in float32."""
    import gguf

    model = model if model is not None else tiny_llama()
    config = model.config
    writer = gguf.GGUFWriter(path, "llama")
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
    _write_tokenizer(writer, byte_tokenizer(template=TEMPLATE))
    for name, weight in model.model.state_dict().items():
        array = weight.numpy()
        stored = _stored_name(name)
        if stored.endswith(("attn_q.weight", "attn_k.weight")):
            heads = config.num_attention_heads if "attn_q" in stored else config.num_key_value_heads
            array = array.reshape(heads, 2, -1, array.shape[1]).swapaxes(1, 2).reshape(array.shape)
        if array.ndim == 1:
            writer.add_tensor(stored, np.ascontiguousarray(array))
        else:
            kind = gguf.GGMLQuantizationType.Q4_1
            writer.add_tensor(stored, gguf.quantize(np.ascontiguousarray(array), kind), raw_dtype=kind)
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


def _stored_name(name: str) -> str:
    if name == "embed_tokens.weight":
        return "token_embd.weight"
    if name == "norm.weight":
        return "output_norm.weight"
    _, layer, part = name.removesuffix(".weight").split(".", 2)
    return f"blk.{layer}.{_NAMES[part]}.weight"
