"""What the config of a published head says, checked against its tensors and against the target."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import CONFIG_MAPPING

from specviz.errors import brief
from specviz.head_formats import CONFIG, refusal
from specviz.models.cached_model import CachedModel
from specviz.models.heads.layer import STRETCHED, Rotation
from specviz.models.heads.spec import Shape, Spec
from specviz.models.heads.tensor_files import Tensors

# Keys whose other values ask for what our networks do not compute, with the values that ask for nothing.
_SAME: dict[str, tuple[object, ...]] = {
    "quantization_config": (None,),
    "hidden_act": (None, "silu"),
    "kv_lora_rank": (None,),
    "num_experts": (None, 0),
    "partial_rotary_factor": (None, 1.0),
    "use_aux_hidden_state": (None, True),
    "logit_scale": (None, 1.0),
    "input_embedding_scale": (None, 1.0),
    "output_multiplier": (None, 1.0),
    "final_logit_softcapping": (None,),
    "projector_type": (None, "dflash", "dspark"),
    "attention_mode": (None, "gqa", "mha"),
    "markov_head_type": (None, "vanilla"),
    "shift_label": (None, False),
    "mlp_bias": (None, False),
    "parallel_drafting": (None, False),
}


_SIZES = ("hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers", "rms_norm_eps", "vocab_size")
# The keys that a speculators config leaves out where they have the value that transformers assumes. The others follow
# from these.
_ASSUMED = {"llama": _SIZES, "qwen3": (*_SIZES, "head_dim", "num_key_value_heads")}


def flattened(config: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """All keys at one level; nested keys take precedence. The sizes that speculators leave out are those that transformers assumes."""
    layer = config.get("transformer_layer_config")
    if isinstance(layer, dict):
        kind = layer.get("model_type", "llama" if config.get("speculators_model_type") == "eagle3" else "qwen3")
        if kind not in ("llama", "qwen3"):
            raise refusal(
                str(folder),
                f"its transformer_layer_config has the model_type {str(kind)[:40]!r}, and read are llama and qwen3",
            )
        defaults = CONFIG_MAPPING[kind]().to_dict()
        layer = {key: defaults[key] for key in _ASSUMED[kind]} | layer
    parts = (layer, config, config.get("eagle_config"), config.get("dflash_config"))
    return {key: value for part in parts if isinstance(part, dict) for key, value in part.items() if value is not None}


@dataclass(slots=True)
class PublishedFolder:
    """A folder with a published head, while it is read.

    Attributes:
        config: see `flattened`.
        target: that it is read for.
        tensors: set once the config is checked.
    """

    folder: Path
    config: Mapping[str, Any]
    target: CachedModel
    tensors: Tensors = field(init=False)

    def refuse(self, reason: str) -> Exception:
        """The error for this reason."""
        return refusal(str(self.folder), reason)

    def check(self, name: str) -> None:
        """Refuse a head of another target, and one that asks for what is not computed here. `name`: what people call
        the target."""
        config, here = self.config, self.shape
        for key, same in _SAME.items():
            if key in config and config[key] not in same:
                raise self.refuse(f"its {key} is {str(config[key])[:60]!r}, which is not computed here")
        sliding = [kind for kind in config.get("layer_types") or () if kind != "full_attention"]
        if sliding:
            raise self.refuse(
                f"its layer_types have {str(sliding[0])[:40]!r}, and only full_attention is computed here"
            )
        own = self.target.model.config.get_text_config(decoder=True)
        expected = {
            "target_hidden_size" if "target_hidden_size" in config else "hidden_size": here.width,
            "num_target_layers": here.depth,
            "vocab_size": int(own.vocab_size),
        }
        for key, value in expected.items():
            if key in config and config[key] != value:
                trained_for = _target_of(config)
                raise self.refuse(
                    f"it was made for the target {trained_for!r}, and the target here is {name!r}: its {key} is {str(config[key])[:20]}, and here "
                    f"it is {value}"
                )

    @property
    def shape(self) -> Shape:
        """Of the target."""
        return Shape.of(self.target.model.config, self.target.vocabulary)

    def number(self, *keys: str, otherwise: int | None = None) -> int:
        """The whole number above 0 that one of these keys has."""
        key = next((name for name in keys if name in self.config), "")
        value = self.config.get(key, otherwise)
        if type(value) is not int or value < 1:
            raise self.refuse(f"its {CONFIG} has no number above 0 as {keys[0]}, but {str(value)[:40]}")
        return value

    def flag(self, key: str) -> bool:
        """True if a key is true; it may be absent."""
        value = self.config.get(key, False)
        if not isinstance(value, bool):
            raise self.refuse(f"its {key} is {str(value)[:40]!r}, neither true nor false")
        return value

    def table(self) -> Tensor | None:
        """[V, width] its own embedding; None where it has none."""
        table = self.tensors.some("embed_tokens.weight")
        if table is not None:
            self.agree(table, (self.number("vocab_size"), self.number("hidden_size")), "vocab_size, hidden_size")
        return table

    def taps(self, ids: object, key: str, offset: int) -> tuple[int, ...]:
        """The layers that its states enter; -1 with an offset of 1 is the embedding."""
        if not isinstance(ids, list) or not ids or any(type(layer) is not int for layer in ids):
            raise self.refuse(f"its {key} is {str(ids)[:60]}, not a list of layers")
        taps = tuple(layer + offset for layer in ids)
        if any(not 0 <= layer <= self.shape.depth for layer in taps):
            raise self.refuse(f"its {key} is {str(ids)[:60]}, and the target has {self.shape.depth} layers")
        return taps

    def layer(self, prefix: str, input_width: int) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """The sizes of a layer, for `options["layer"]`, and its weights by our names. `input_width`: of what its
        attention should read."""
        tensors, config = self.tensors, self.config
        width, heads = self.number("hidden_size"), self.number("num_attention_heads")
        attention = prefix + "self_attn."
        q, k, v = (tensors.take(f"{attention}{part}_proj.weight") for part in "qkv")
        head_width = self.number("head_dim", otherwise=len(q) // heads)
        kv_heads = self.number("num_key_value_heads", otherwise=len(k) // max(1, head_width))
        gate, up = (tensors.take(f"{prefix}mlp.{part}_proj.weight") for part in ("gate", "up"))
        ffn = self.number("intermediate_size")
        for keys, tensor, rows, columns in (
            ("num_attention_heads, head_dim", q, heads * head_width, input_width),
            ("num_key_value_heads, head_dim", k, kv_heads * head_width, input_width),
            ("num_key_value_heads, head_dim", v, kv_heads * head_width, input_width),
            ("intermediate_size", gate, ffn, width),
            ("intermediate_size", up, ffn, width),
        ):
            self.agree(tensor, (rows, columns), keys)
        biases = [tensors.some(f"{attention}{part}_proj.bias") for part in "qkv"]
        norms = {
            f"{ours}.weight": tensors.some(f"{attention}{theirs}_norm.weight")
            for ours, theirs in (("query_norm", "q"), ("key_norm", "k"))
        }
        weights: dict[str, Tensor | None] = {
            "queries_keys_values.weight": torch.cat([q, k, v]),
            "queries_keys_values.bias": None
            if biases[0] is None
            else torch.cat([bias for bias in biases if bias is not None]),
            "out.weight": tensors.take(attention + "o_proj.weight"),
            "out.bias": tensors.some(attention + "o_proj.bias"),
            "ffn_norm.weight": tensors.take(prefix + "post_attention_layernorm.weight"),
            "gate_up.weight": torch.cat([gate, up]),
            "down.weight": tensors.take(prefix + "mlp.down_proj.weight"),
            **norms,
        }
        theta, scaling = self.rope()
        sizes = {
            "width": width,
            "heads": heads,
            "kv_heads": kv_heads,
            "head_width": head_width,
            "ffn": ffn,
            "norm_eps": float(config.get("rms_norm_eps", 1e-6)),
            "rope_theta": theta,
            "rope_scaling": scaling,
            "qk_norm": norms["query_norm.weight"] is not None,
            "bias": biases[0] is not None,
            "out_bias": weights["out.bias"] is not None,
        }
        return sizes, {name: tensor for name, tensor in weights.items() if tensor is not None}

    def agree(self, tensor: Tensor, shape: tuple[int, ...], keys: str) -> None:
        """Refuse a tensor that does not have the shape that the config gives it."""
        if tuple(tensor.shape) != shape:
            raise self.refuse(
                f"a tensor of the shape {tuple(tensor.shape)} contradicts its {CONFIG}, whose {keys} ask for {shape}"
            )

    def rope(self) -> tuple[float, dict[str, Any] | None]:
        """The base of its own rotary embedding, and how that is stretched."""
        parameters = {**(self.config.get("rope_scaling") or {}), **(self.config.get("rope_parameters") or {})}
        theta = parameters.pop("rope_theta", self.config.get("rope_theta", 10_000.0))
        kind = parameters.pop("rope_type", parameters.pop("type", "default"))
        parameters.pop("type", None)
        if not isinstance(theta, int | float) or theta <= 0:
            raise self.refuse(f"its rope_theta is {str(theta)[:40]!r}, not a number above 0")
        if kind == "default":
            return float(theta), None
        if kind not in STRETCHED:
            raise self.refuse(
                f"its rope_scaling is of the type {str(kind)[:40]!r}, and computed are {', '.join(STRETCHED)}"
            )
        if kind == "yarn":
            parameters.setdefault("original_max_position_embeddings", self.config.get("max_position_embeddings", 2048))
        scaling = {**parameters, "rope_type": kind}
        try:
            Rotation.of(float(theta), 2, 1, torch.zeros(1), scaling)
        except Exception as error:  # transformers checks the parameters in its own way
            raise self.refuse(f"its rope_scaling cannot be computed ({brief(error, 120)})") from error
        return float(theta), scaling

    def vocabulary(self) -> tuple[Tensor | None, Tensor | slice]:
        """The ids that it scores, None for the first ones, and which rows of its tables are for them: those of ids that the target's tokenizer
        has."""
        offsets, is_drafted = self.tensors.some("d2t"), self.tensors.some("t2d")
        full, vocabulary = self.number("vocab_size"), self.target.vocabulary
        drafted = self.number("draft_vocab_size", otherwise=full)
        if drafted > full:
            raise self.refuse(f"its draft_vocab_size is {drafted}, more than the {full} ids of its vocab_size")
        if offsets is None or drafted == full:
            if drafted != full:
                raise self.refuse(
                    f"its draft_vocab_size is {drafted} of {full} ids, and it has no tensor 'd2t' that says which"
                )
            return None, slice(0, vocabulary)
        self.agree(offsets, (drafted,), "draft_vocab_size")
        tokens = torch.arange(drafted) + offsets.long()
        if int(tokens.min()) < 0 or int(tokens.max()) >= full or len(set(tokens.tolist())) != drafted:
            raise self.refuse(
                "the offsets in its d2t do not lead to different ids: a d2t of ids instead of offsets is not read"
            )
        if is_drafted is not None and (len(is_drafted) != full or not bool(is_drafted.bool()[tokens].all())):
            raise self.refuse("its d2t and its t2d name different ids")
        readable = tokens < vocabulary
        return tokens[readable], readable

    def rows_of(self, output: Tensor | None, rows: Tensor | slice) -> Tensor | None:
        """These rows of its own output layer, if it has one."""
        if output is None:
            return None
        drafted = self.number("draft_vocab_size", "vocab_size")
        self.agree(output, (drafted, self.number("hidden_size")), "draft_vocab_size, hidden_size")
        return output[rows]

    def spec(self, kind: str, taps: tuple[int, ...], options: Mapping[str, Any]) -> Spec:
        """The description of a head of this kind."""
        return Spec(kind, _target_of(self.config), "", self.shape, taps, options)


def _target_of(config: Mapping[str, Any]) -> str:
    """The target that a config names; "another one" where it names none."""
    verifier = (config.get("speculators_config") or {}).get("verifier") or {}
    return str(verifier.get("name_or_path") or config.get("base_model_name_or_path") or "another one")
