"""Tiny models of real architectures with random weights: the rows of the architecture matrix."""

from copy import deepcopy
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch
import transformers
from transformers import PreTrainedModel

WINDOW = 16
"""The attention window of the windowed rows, in tokens."""
PROMPT_LENGTH = 38
"""Tokens of a prompt: more than two windows."""
NEW_TOKENS = 60
CONTEXT = 512
VOCABULARY = 270
"""As many tokens as `tests.models.folders.byte_tokenizer` has."""
NOISE = 0.04
"""Share of each weight tensor's standard deviation that `near` adds as noise."""


class Kind(Enum):
    """What an architecture keeps of the text that it has read."""

    ORDINARY = "keys and values of the full text"
    WINDOWED = "some layers attend to a window only"
    HYBRID = "some or all layers keep a state that cannot be cut"
    NOT_CAUSAL = "not a causal language model"


ORDINARY, WINDOWED, HYBRID, NOT_CAUSAL = Kind


@dataclass(frozen=True, slots=True)
class Architecture:
    """One row: how to build a tiny model of one architecture."""

    name: str
    class_name: str
    """The model class in transformers."""
    kind: Kind
    options: dict[str, Any]
    """Passed to the config, after `BASE`."""


BASE: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "max_position_embeddings": CONTEXT,
    "initializer_range": 0.3,
    "bos_token_id": None,
    "eos_token_id": None,
    "pad_token_id": None,
}
GROUPED: dict[str, Any] = {"num_key_value_heads": 2}
LATENT: dict[str, Any] = {
    "num_key_value_heads": 4,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 8,
    "v_head_dim": 8,
}
ROUTED: dict[str, Any] = {
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "moe_intermediate_size": 32,
    "first_k_dense_replace": 1,
}
ALTERNATING = ["sliding_attention", "full_attention"] * 2
ALTERNATING_LINEAR = ["linear_attention", "full_attention"] * 2
MOSTLY_SLIDING = ["sliding_attention"] * 3 + ["full_attention"]


def _row(name: str, class_name: str, kind: Kind, **options: Any) -> Architecture:
    return Architecture(name, class_name, kind, options)


# DBRX is not among them: its own config lacks a field that its model in this version of transformers reads.
_ROWS = (
    _row("llama", "LlamaForCausalLM", ORDINARY, **GROUPED, tie_word_embeddings=False),
    _row("llama_tied", "LlamaForCausalLM", ORDINARY, **GROUPED, tie_word_embeddings=True),
    _row("qwen2", "Qwen2ForCausalLM", ORDINARY, **GROUPED),
    _row(
        "qwen2_sliding",
        "Qwen2ForCausalLM",
        WINDOWED,
        **GROUPED,
        use_sliding_window=True,
        sliding_window=WINDOW,
        max_window_layers=2,
    ),
    _row("qwen3", "Qwen3ForCausalLM", ORDINARY, **GROUPED, head_dim=16),
    _row(
        "qwen3_moe",
        "Qwen3MoeForCausalLM",
        ORDINARY,
        **GROUPED,
        head_dim=8,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=32,
        decoder_sparse_step=1,
    ),
    _row(
        "qwen2_moe",
        "Qwen2MoeForCausalLM",
        ORDINARY,
        **GROUPED,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=32,
        shared_expert_intermediate_size=32,
        decoder_sparse_step=1,
    ),
    _row("mistral_sliding", "MistralForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW),
    _row("mistral_full", "MistralForCausalLM", ORDINARY, **GROUPED, sliding_window=None),
    _row(
        "ministral",
        "MinistralForCausalLM",
        WINDOWED,
        **GROUPED,
        sliding_window=WINDOW,
        head_dim=8,
        layer_types=ALTERNATING,
    ),
    _row(
        "mixtral",
        "MixtralForCausalLM",
        ORDINARY,
        **GROUPED,
        num_local_experts=4,
        num_experts_per_tok=2,
        sliding_window=None,
    ),
    _row(
        "mixtral_sliding",
        "MixtralForCausalLM",
        WINDOWED,
        **GROUPED,
        num_local_experts=4,
        num_experts_per_tok=2,
        sliding_window=WINDOW,
    ),
    _row("gemma", "GemmaForCausalLM", ORDINARY, num_key_value_heads=1, head_dim=8),
    _row(
        "gemma2", "Gemma2ForCausalLM", WINDOWED, **GROUPED, head_dim=8, sliding_window=WINDOW, query_pre_attn_scalar=8
    ),
    _row(
        "gemma3_text",
        "Gemma3ForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        sliding_window=WINDOW,
        query_pre_attn_scalar=8,
        layer_types=["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
    ),
    _row(
        "gemma3n_text",
        "Gemma3nForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        sliding_window=WINDOW,
        layer_types=ALTERNATING,
        num_kv_shared_layers=2,
        hidden_size_per_layer_input=8,
        vocab_size_per_layer_input=VOCABULARY,
        laurel_rank=4,
        altup_num_inputs=2,
        intermediate_size=[64, 64, 64, 64],
        activation_sparsity_pattern=[0.0, 0.0, 0.0, 0.0],
    ),
    _row(
        "gemma4_text",
        "Gemma4ForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        global_head_dim=16,
        sliding_window=WINDOW,
        layer_types=ALTERNATING,
        num_kv_shared_layers=2,
        hidden_size_per_layer_input=8,
        vocab_size_per_layer_input=VOCABULARY,
    ),
    _row(
        "gemma4_text_noshare",
        "Gemma4ForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        global_head_dim=16,
        sliding_window=WINDOW,
        layer_types=ALTERNATING,
        num_kv_shared_layers=0,
        hidden_size_per_layer_input=0,
        vocab_size_per_layer_input=VOCABULARY,
    ),
    _row("phi", "PhiForCausalLM", ORDINARY, partial_rotary_factor=0.5),
    _row("phi3", "Phi3ForCausalLM", ORDINARY, **GROUPED, sliding_window=None),
    _row("phi3_sliding", "Phi3ForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW),
    _row("phimoe", "PhimoeForCausalLM", ORDINARY, **GROUPED, num_local_experts=4, num_experts_per_tok=2),
    _row("olmo", "OlmoForCausalLM", ORDINARY, **GROUPED),
    _row("olmo2", "Olmo2ForCausalLM", ORDINARY, **GROUPED),
    _row("olmo3", "Olmo3ForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW, layer_types=MOSTLY_SLIDING),
    _row("olmoe", "OlmoeForCausalLM", ORDINARY, **GROUPED, num_experts=4, num_experts_per_tok=2),
    _row("smollm3", "SmolLM3ForCausalLM", ORDINARY, **GROUPED),
    _row(
        "granite",
        "GraniteForCausalLM",
        ORDINARY,
        **GROUPED,
        embedding_multiplier=12.0,
        attention_multiplier=0.35,
        residual_multiplier=0.22,
        logits_scaling=8.0,
    ),
    _row(
        "granitemoe",
        "GraniteMoeForCausalLM",
        ORDINARY,
        **GROUPED,
        num_local_experts=4,
        num_experts_per_tok=2,
        embedding_multiplier=12.0,
        residual_multiplier=0.22,
    ),
    _row("cohere", "CohereForCausalLM", ORDINARY, **GROUPED),
    _row("cohere2", "Cohere2ForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW, layer_types=MOSTLY_SLIDING),
    _row("starcoder2", "Starcoder2ForCausalLM", ORDINARY, **GROUPED),
    _row("starcoder2_sliding", "Starcoder2ForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW),
    _row("stablelm", "StableLmForCausalLM", ORDINARY, **GROUPED),
    _row(
        "falcon",
        "FalconForCausalLM",
        ORDINARY,
        alibi=False,
        multi_query=True,
        new_decoder_architecture=False,
        parallel_attn=True,
    ),
    _row("falcon_new", "FalconForCausalLM", ORDINARY, alibi=False, new_decoder_architecture=True, num_kv_heads=2),
    _row(
        "falcon_alibi",
        "FalconForCausalLM",
        ORDINARY,
        alibi=True,
        multi_query=False,
        new_decoder_architecture=False,
        parallel_attn=False,
    ),
    _row("gpt2", "GPT2LMHeadModel", ORDINARY),
    _row(
        "gpt_neo",
        "GPTNeoForCausalLM",
        WINDOWED,
        num_layers=4,
        num_heads=4,
        window_size=WINDOW,
        attention_types=[[["global", "local"], 2]],
    ),
    _row("gpt_neox", "GPTNeoXForCausalLM", ORDINARY),
    _row("gptj", "GPTJForCausalLM", ORDINARY, n_embd=32, n_layer=4, n_head=4, rotary_dim=4, n_positions=CONTEXT),
    _row(
        "codegen",
        "CodeGenForCausalLM",
        ORDINARY,
        n_embd=32,
        n_layer=4,
        n_head=4,
        rotary_dim=4,
        n_positions=CONTEXT,
        n_ctx=CONTEXT,
    ),
    _row("gpt_bigcode", "GPTBigCodeForCausalLM", ORDINARY),
    _row("opt", "OPTForCausalLM", ORDINARY, ffn_dim=64, word_embed_proj_dim=32, init_std=0.3, pad_token_id=1),
    _row("bloom", "BloomForCausalLM", ORDINARY),
    _row("mpt", "MptForCausalLM", ORDINARY, d_model=32, n_heads=4, n_layers=4, expansion_ratio=2, max_seq_len=CONTEXT),
    _row(
        "xglm",
        "XGLMForCausalLM",
        ORDINARY,
        d_model=32,
        ffn_dim=64,
        num_layers=4,
        attention_heads=4,
        init_std=0.3,
        pad_token_id=1,
    ),
    _row("biogpt", "BioGptForCausalLM", ORDINARY, pad_token_id=1),
    _row(
        "gpt_oss",
        "GptOssForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        sliding_window=WINDOW,
        layer_types=ALTERNATING,
        num_local_experts=4,
        num_experts_per_tok=2,
    ),
    _row(
        "deepseek_v2",
        "DeepseekV2ForCausalLM",
        ORDINARY,
        **LATENT,
        **ROUTED,
        n_group=1,
        topk_group=1,
        topk_method="greedy",
    ),
    _row("deepseek_v3", "DeepseekV3ForCausalLM", ORDINARY, **LATENT, **ROUTED, n_group=2, topk_group=1),
    _row("glm", "GlmForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row("glm4", "Glm4ForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row("glm4_moe", "Glm4MoeForCausalLM", ORDINARY, **GROUPED, **ROUTED, head_dim=8, n_group=1, topk_group=1),
    _row("exaone4", "Exaone4ForCausalLM", WINDOWED, **GROUPED, sliding_window=WINDOW, layer_types=MOSTLY_SLIDING),
    _row("ernie4_5", "Ernie4_5ForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row(
        "ernie4_5_moe",
        "Ernie4_5_MoeForCausalLM",
        ORDINARY,
        **GROUPED,
        moe_num_experts=4,
        moe_k=2,
        moe_intermediate_size=32,
        moe_layer_start_index=1,
        moe_num_shared_experts=1,
    ),
    _row("hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row("hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", ORDINARY, **GROUPED, head_dim=8, num_experts=4, moe_topk=2),
    _row("seed_oss", "SeedOssForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row("arcee", "ArceeForCausalLM", ORDINARY, **GROUPED),
    _row("apertus", "ApertusForCausalLM", ORDINARY, **GROUPED),
    _row("nemotron", "NemotronForCausalLM", ORDINARY, **GROUPED),
    _row("persimmon", "PersimmonForCausalLM", ORDINARY),
    _row("helium", "HeliumForCausalLM", ORDINARY, **GROUPED, head_dim=8),
    _row("bitnet", "BitNetForCausalLM", ORDINARY, **GROUPED),
    _row("diffllama", "DiffLlamaForCausalLM", ORDINARY, **GROUPED),
    _row("nanochat", "NanoChatForCausalLM", ORDINARY, **GROUPED),
    _row(
        "dots1",
        "Dots1ForCausalLM",
        WINDOWED,
        **GROUPED,
        **ROUTED,
        head_dim=8,
        n_group=1,
        topk_group=1,
        sliding_window=WINDOW,
        layer_types=["full_attention", "sliding_attention", "full_attention", "sliding_attention"],
    ),
    _row(
        "minimax_m2",
        "MiniMaxM2ForCausalLM",
        ORDINARY,
        **GROUPED,
        head_dim=8,
        num_local_experts=4,
        num_experts_per_tok=2,
    ),
    _row(
        "llama4_text",
        "Llama4ForCausalLM",
        WINDOWED,
        **GROUPED,
        head_dim=8,
        intermediate_size_mlp=64,
        num_local_experts=2,
        num_experts_per_tok=1,
        attention_chunk_size=WINDOW,
        no_rope_layers=[1, 1, 1, 0],
        layer_types=["chunked_attention", "chunked_attention", "chunked_attention", "full_attention"],
        moe_layers=[1, 3],
    ),
    _row(
        "lfm2", "Lfm2ForCausalLM", HYBRID, **GROUPED, layer_types=["conv", "full_attention", "conv", "full_attention"]
    ),
    _row("mamba", "MambaForCausalLM", HYBRID, state_size=4),
    _row(
        "mamba2", "Mamba2ForCausalLM", HYBRID, state_size=8, num_heads=8, head_dim=8, n_groups=1, expand=2, chunk_size=8
    ),
    _row("falcon_mamba", "FalconMambaForCausalLM", HYBRID, state_size=4),
    _row(
        "falcon_h1",
        "FalconH1ForCausalLM",
        HYBRID,
        **GROUPED,
        mamba_d_ssm=32,
        mamba_n_heads=4,
        mamba_d_head=8,
        mamba_d_state=8,
        mamba_n_groups=1,
    ),
    _row(
        "jamba",
        "JambaForCausalLM",
        HYBRID,
        **GROUPED,
        num_experts=2,
        attn_layer_period=2,
        attn_layer_offset=1,
        mamba_d_state=4,
        use_mamba_kernels=False,
    ),
    _row(
        "qwen3_next",
        "Qwen3NextForCausalLM",
        HYBRID,
        **GROUPED,
        head_dim=8,
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=32,
        shared_expert_intermediate_size=32,
        linear_num_key_heads=2,
        linear_num_value_heads=4,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
        layer_types=ALTERNATING_LINEAR,
    ),
    _row("rwkv", "RwkvForCausalLM", HYBRID, context_length=CONTEXT),
    _row(
        "recurrent_gemma",
        "RecurrentGemmaForCausalLM",
        HYBRID,
        **GROUPED,
        head_dim=8,
        attention_window_size=WINDOW,
        lru_width=32,
        num_hidden_layers=3,
    ),
    _row(
        "bamba",
        "BambaForCausalLM",
        HYBRID,
        **GROUPED,
        attn_layer_indices=[1, 3],
        mamba_n_heads=8,
        mamba_d_head=8,
        mamba_d_state=8,
        mamba_expand=2,
        mamba_n_groups=1,
    ),
    _row(
        "zamba2",
        "Zamba2ForCausalLM",
        HYBRID,
        layers_block_type=["mamba", "hybrid", "mamba", "hybrid"],
        mamba_d_state=8,
        mamba_headdim=16,
        n_mamba_heads=4,
        mamba_ngroups=1,
        num_mem_blocks=1,
        use_mamba_kernels=False,
    ),
    _row(
        "granitemoehybrid",
        "GraniteMoeHybridForCausalLM",
        HYBRID,
        **GROUPED,
        layer_types=["mamba", "attention", "mamba", "attention"],
        mamba_n_heads=8,
        mamba_d_head=8,
        mamba_d_state=8,
        mamba_expand=2,
        mamba_n_groups=1,
        num_local_experts=2,
        num_experts_per_tok=1,
    ),
    _row(
        "minimax",
        "MiniMaxForCausalLM",
        HYBRID,
        **GROUPED,
        head_dim=8,
        num_local_experts=4,
        layer_types=ALTERNATING_LINEAR,
    ),
    _row("xlstm", "xLSTMForCausalLM", HYBRID, num_blocks=2, num_heads=2),
    _row("t5", "T5ForConditionalGeneration", NOT_CAUSAL, d_model=32, d_kv=8, d_ff=32, num_layers=2, num_heads=4),
    _row(
        "bart",
        "BartForConditionalGeneration",
        NOT_CAUSAL,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
    ),
    _row(
        "bart_causal",
        "BartForCausalLM",
        ORDINARY,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        is_decoder=True,
        is_encoder_decoder=False,
        pad_token_id=1,
    ),
    _row("bert_decoder", "BertLMHeadModel", ORDINARY, is_decoder=True, pad_token_id=0),
    _row("roberta_decoder", "RobertaForCausalLM", ORDINARY, is_decoder=True, pad_token_id=1),
    _row("xlnet", "XLNetLMHeadModel", NOT_CAUSAL, d_model=32, n_layer=2, n_head=4, d_inner=32),
    _row("ctrl", "CTRLLMHeadModel", ORDINARY, n_embd=32, dff=64, n_layer=4, n_head=4, n_positions=CONTEXT),
    _row("openai-gpt", "OpenAIGPTLMHeadModel", ORDINARY, n_embd=32, n_layer=4, n_head=4, n_positions=CONTEXT),
)
ARCHITECTURES: dict[str, Architecture] = {row.name: row for row in _ROWS}


def build(name: str, seed: int = 0) -> PreTrainedModel:
    """The tiny model of this row with random weights: float32, on the CPU, in evaluation mode."""
    row = ARCHITECTURES[name]
    chosen = getattr(transformers, row.class_name)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model: PreTrainedModel = chosen(chosen.config_class(**{**BASE, **row.options})).eval()
    return model


def near(model: PreTrainedModel, seed: int = 0) -> PreTrainedModel:
    """The same model with a little noise on every weight: a draft that is sometimes accepted and sometimes not."""
    moved = deepcopy(model)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in moved.parameters():
            scale = weight.std() if weight.numel() > 1 else weight.abs().mean()
            weight.add_(NOISE * scale * torch.randn(weight.shape, generator=generator))
    return moved


def prompt(seed: int = 0) -> list[int]:
    """`PROMPT_LENGTH` token ids without the two special ones."""
    generator = torch.Generator().manual_seed(seed)
    return [int(i) for i in torch.randint(2, VOCABULARY, (PROMPT_LENGTH,), generator=generator)]
