"""What one pass of a model reads and computes, counted from its weights and its cache."""

from torch import Tensor, nn

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks.lean import LeanDecoder

_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")


def check_dense(model: CachedModel) -> None:
    """Refuse a model that does not read all of its weights in a pass.

    Raises:
        PairError: the model is a mixture of experts.
    """
    text = model.model.config.get_text_config(decoder=True)
    if any((getattr(text, name, None) or 0) > 1 for name in _EXPERTS):
        raise PairError(
            f"{type(model.model).__name__} is a mixture of experts and reads only some of its weights in a pass, so what it reads is not "
            "known: measure another pair."
        )


def weight_bytes(model: CachedModel) -> int:
    """Bytes of the weights that a pass reads: every matrix once, as it is stored. Of an embedding only one row for each token is read; tied
    to the head, it is read once, as the head."""
    network = model.network.innermost
    return network.weight_bytes if isinstance(network, LeanDecoder) else sum(w.nbytes for w in _matrices(model))


def operations(model: CachedModel, tokens: int, cached: int, guests: int = 1) -> int:
    """Additions and multiplications of a pass over `tokens` tokens of each of `guests` texts with `cached` tokens in each cache: two for every
    weight and token, and attention's own."""
    weights = sum(weight.numel() for weight in _matrices(model))
    pairs = tokens * cached + tokens * (tokens + 1) // 2  # of a token and one that it attends to
    return guests * (2 * weights * tokens + 4 * _heads_width(model) * model.network.depth * pairs)


def pass_bytes(model: CachedModel, tokens: int, cached: int, guests: int = 1) -> int:
    """Bytes that such a pass reads: the weights once, and the keys and values of every text."""
    return weight_bytes(model) + guests * (cached + tokens) * model.bytes_per_token


def _matrices(model: CachedModel) -> list[Tensor]:
    """The weights that every token is multiplied by. Freed ones still have their shape."""
    head = model.model.get_output_embeddings()
    tables = {id(m.weight) for m in model.model.modules() if isinstance(m, nn.Embedding)}
    tables.discard(id(getattr(head, "weight", None)))
    return [weight for weight in model.model.parameters() if weight.dim() > 1 and id(weight) not in tables]


def _heads_width(model: CachedModel) -> int:
    """The numbers in the queries of one token, over all heads; 0 without attention."""
    text = model.model.config.get_text_config(decoder=True)
    heads = getattr(text, "num_attention_heads", 0)
    if not isinstance(heads, int) or not heads:
        return 0
    return heads * int(getattr(text, "head_dim", None) or text.hidden_size // heads)
