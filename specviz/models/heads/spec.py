"""What a trained head is: the kind of network, the target it was made for, and what it reads of it. Saved as `head.json`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Self

FORMAT = 1  # the version of `head.json` that is read


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of a target that its heads depend on.

    Attributes:
        width: of a state.
        vocabulary: the number of real ids of the tokenizer.
        depth: the number of layers.
        head_width: of an attention head.
        rope_theta: the base of the rotary embedding; 10,000 where the target has none.
        norm_eps: the epsilon of the final normalisation.
        ffn: the width inside a feed-forward block.
    """

    width: int
    vocabulary: int
    depth: int
    head_width: int
    rope_theta: float
    norm_eps: float
    ffn: int

    def __post_init__(self) -> None:
        for size in fields(self):
            value = getattr(self, size.name)
            number = int if size.type in (int, "int") else (int, float)
            if not isinstance(value, number) or isinstance(value, bool) or not 0 < value < 2**40:
                raise ValueError(f"{size.name} is {value!r:.40}, not a number above 0")

    @classmethod
    def of(cls, config: Any, vocabulary: int) -> Self:
        """The shape of a target.

        Args:
            config: of a model of transformers.
            vocabulary: the number of real ids of its tokenizer.
        """
        text = config.get_text_config(decoder=True) if hasattr(config, "get_text_config") else config
        width = int(text.hidden_size)
        heads = _first(text, 1, "num_attention_heads")
        return cls(
            width=width,
            vocabulary=vocabulary,
            depth=int(text.num_hidden_layers),
            head_width=int(_first(text, max(1, width // heads), "head_dim")),
            rope_theta=_rope_theta(text),
            norm_eps=_first(text, 1e-5, "rms_norm_eps", "layer_norm_epsilon", "layer_norm_eps", "norm_epsilon"),
            ffn=int(_first(text, 4.0 * width, "intermediate_size", "n_inner", "ffn_dim")),
        )


@dataclass(frozen=True, slots=True)
class Spec:
    """A head, as its folder describes it.

    Attributes:
        kind: of network: see `specviz.models.heads.folder`.
        target: the name of the target that it was trained for.
        digest: of this target's weights, see `specviz.models.heads.folder.digest_of`.
        shape: of this target.
        taps: the layers whose states it reads, as `specviz.decoding.protocols.LanguageModel.tap` counts them.
        options: what else its network or its drafter must know, as JSON values.
        tokenizer: digest of the ids that the target reads, see `specviz.models.tokens.TokenText.digest`; "" where the file does not say.
    """

    kind: str
    target: str
    digest: str
    shape: Shape
    taps: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    tokenizer: str = ""

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """The head that a JSON object describes. Raises ValueError if it does not describe one; the message goes on
        after "its head.json"."""
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise ValueError(f"is not an object of format {FORMAT}")
        value = {"tokenizer": "", **value}
        for name in ("kind", "target", "digest", "tokenizer"):
            text = value.get(name)
            if not isinstance(text, str) or not (text or name == "tokenizer"):
                raise ValueError(f"has no text {name!r}")
        shape, taps, options = (value.get(name) for name in ("shape", "taps", "options"))
        if not isinstance(shape, dict) or shape.keys() != {size.name for size in fields(Shape)}:
            raise ValueError("does not describe the shape of a target")
        if not isinstance(taps, list) or not taps or any(type(tap) is not int or tap < 0 for tap in taps):
            raise ValueError("has no list of layers 'taps'")
        if type(options) is not dict:
            raise ValueError("has no object 'options'")
        described, options = Shape(**shape), MappingProxyType(options)
        return cls(value["kind"], value["target"], value["digest"], described, tuple(taps), options, value["tokenizer"])


def _first(config: Any, otherwise: float, *names: str) -> float:
    values = (_field(config, name) for name in names)
    return float(next((value for value in values if isinstance(value, int | float) and value > 0), otherwise))


def _field(config: Any, name: str) -> Any:
    """A field of a config; None where it has none, or where each layer has its own."""
    try:
        return getattr(config, name, None)
    except Exception:  # noqa: BLE001  # transformers' own error for the latter is no AttributeError
        return None


def _rope_theta(config: Any) -> float:
    """The base of the rotary embedding; where kinds of layers have their own, that of the layers without a window."""
    parameters = getattr(config, "rope_parameters", None) or {}
    nested = [kind for kind in parameters.values() if isinstance(kind, dict)]
    if nested:
        parameters = parameters.get("full_attention") or nested[0]
    theta = parameters.get("rope_theta") or getattr(config, "rope_theta", None)
    return float(theta) if isinstance(theta, int | float) and theta > 0 else 10_000.0
