"""The draft's network: a small Llama whose embedding begins as the best low-rank part of the target's own."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedModel

from specviz.errors import TokenizerMismatchError, TrainingError
from specviz.models.kept_ids import kept_ids
from specviz.models.loading import Target
from specviz.models.quiet import quiet
from specviz.models.reading import read_model, read_tokenizer

_HEAD = 48
_STEP, _MOST_LAYERS = 16, 8
_STANDARD_DEVIATION = 0.02


@dataclass(frozen=True, slots=True)
class Size:
    """Shape of a draft: hidden states of `width` numbers, `layers` layers; heads and feed-forward follow from the width.

    Raises:
        TrainingError: it is no shape of a network.
    """

    width: int
    layers: int

    def __post_init__(self) -> None:
        if self.width < _STEP or self.width % _STEP or not 1 <= self.layers <= _MOST_LAYERS:
            raise TrainingError(
                f"The size of the draft was {self}: give a width that is a multiple of {_STEP}, and 1 to {_MOST_LAYERS} layers, such as 192x2."
            )

    def __str__(self) -> str:
        return f"{self.width}x{self.layers}"

    @classmethod
    def of(cls, text: str) -> "Size":
        """The size that is written as WIDTHxLAYERS.

        Raises:
            TrainingError: it is not written like that, or is no shape of a network.
        """
        width, _, layers = text.lower().partition("x")
        if not (width.isascii() and width.isdigit() and layers.isascii() and layers.isdigit()):
            raise TrainingError(f"The size of the draft was {text!r:.40}: give auto, or WIDTHxLAYERS such as 192x2.")
        return cls(int(width), int(layers))

    @property
    def heads(self) -> int:
        """Query heads, each of about 48 numbers, an even count."""
        possible = [heads for heads in range(1, self.width // 2 + 1) if self.width % (2 * heads) == 0]
        return min(possible, key=lambda heads: abs(self.width / heads - _HEAD))

    @property
    def groups(self) -> int:
        """Key-value heads: a third of the query heads where that divides them (grouped-query attention), else one."""
        return self.heads // 3 if self.heads % 3 == 0 else 1

    @property
    def feed_forward(self) -> int:
        """Width of the feed-forward network: 8/3 of the width, rounded to 32."""
        return max(32, round(self.width * 8 / 3 / 32) * 32)

    def weights(self, head: int) -> int:
        """How many weights a pass reads, with `head` rows in the output head."""
        attention = 2 * self.width**2 + 2 * self.width * self.groups * (self.width // self.heads)
        return self.layers * (attention + 3 * self.width * self.feed_forward) + head * self.width


def network(size: Size, vocabulary: int, positions: int, ends: Collection[int]) -> LlamaForCausalLM:
    """A Llama of this size in float32 with random weights."""
    config = LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=size.width,
        intermediate_size=size.feed_forward,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.groups,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=sorted(ends) or None,
        pad_token_id=None,  # the embedding of a padding id would never learn, and it is often the end mark too
        attn_implementation="sdpa",
    )
    return LlamaForCausalLM(config)


def student(
    target: PreTrainedModel,
    size: Size,
    counts: Tensor,
    seed: int,
    *,
    ends: Collection[int] = (),
    positions: int = 2048,
) -> LlamaForCausalLM:
    """A new draft in float32 on the CPU, with random layers and the target's embedding in `size.width` dimensions.

    Args:
        counts: [ids], how often each id was written: the projection loses least where the target writes most.
        seed: of the layers.
        ends: the ids that end a text.
        positions: how many tokens it may read.
    """
    table = target.get_input_embeddings().weight.detach().float().cpu()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = network(size, len(table), positions, ends)
        projected = table @ _principal(table, counts, size.width)
    with torch.no_grad():
        for layer in model.model.layers:
            for matrix in (layer.self_attn.o_proj.weight, layer.mlp.down_proj.weight):
                matrix.mul_((2 * size.layers) ** -0.5)
        model.model.embed_tokens.weight.copy_(projected * (_STANDARD_DEVIATION / projected.std()))
    return model


@quiet()
def begun(folder: Path, target: Target) -> tuple[LlamaForCausalLM, Size, Tensor]:
    """A draft that `train draft` made and that is trained further: in float32 on the CPU, its size, and [K] the ids that it may write, ascending.

    Raises:
        PairError: the folder is damaged.
        TrainingError: its tokenizer is not the target's, it is a network of another kind, or a weight is no number.
    """
    source = str(folder.resolve())
    another = f"The draft in {source} has another tokenizer than the target {target.card.name}: give a draft for a target with this tokenizer."
    try:
        target.text.check_same(read_tokenizer(folder, source), target.card.name, source)
    except TokenizerMismatchError:
        raise TrainingError(another) from None
    read = read_model(folder, source, torch.device("cpu"), torch.float32)
    config, kept = read.config, kept_ids(folder, source)
    try:
        size = Size(config.hidden_size, config.num_hidden_layers)
        model = network(size, config.vocab_size, config.max_position_embeddings, target.ends)
        model.model.load_state_dict(read.base_model.state_dict())
    except (AttributeError, RuntimeError, TrainingError) as error:
        raise TrainingError(
            f"The model in {source} is a {type(read).__name__} of another shape than the drafts that `train draft` makes: give one of these."
        ) from error
    if config.vocab_size < target.text.vocabulary:
        raise TrainingError(another)
    if not all(bool(weight.isfinite().all()) for weight in model.parameters()):
        raise TrainingError(f"The draft in {source} has weights that are not numbers: give another one.")
    return model, size, torch.arange(config.vocab_size) if kept is None else torch.tensor(kept.ids)


def _principal(table: Tensor, counts: Tensor, width: int) -> Tensor:
    """The projection [target width, width] onto the directions in which the rows differ most, each row weighted by the root of its count."""
    known = torch.zeros(len(table))
    known[: len(counts)] = counts[: len(table)].float()
    weighted = table * (known + 1).pow(0.25)[:, None]
    _, vectors = torch.linalg.eigh(weighted.T @ weighted)
    if width <= table.shape[1]:
        best: Tensor = vectors[:, -width:]
        return best
    extra = torch.randn(table.shape[1], width - table.shape[1]) / table.shape[1] ** 0.5
    return torch.cat([vectors, extra], 1)
