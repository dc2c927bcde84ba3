"""A layer of multi-token prediction inside the target's own checkpoint. transformers drops these weights when it loads the target, so they are read here.

Layouts, each with the order in which token and state are joined:

* Qwen3-Next, Qwen3.5 (`mtp_num_hidden_layers`): `mtp.pre_fc_norm_embedding`, `mtp.pre_fc_norm_hidden`, `mtp.fc`, `mtp.layers.0.*`, `mtp.norm`; token first.
* DeepSeek-V3, GLM-4.5 (`num_nextn_predict_layers`): `model.layers.N.enorm`, `.hnorm`, `.eh_proj`, `.shared_head.norm`, N the number of the target's layers, and
  beside them a full layer; token first. The copies of embedding and output layer are not read: they are the target's.
* MiMo (`num_nextn_predict_layers`): `model.mtp_layers.0.token_layernorm`, `.hidden_layernorm`, `.input_proj`, `.final_layernorm`, and a full layer; state first.

The layer is one of the target's own class, so its attention and its experts are those of transformers. Of several such layers the first one is used, again and
again: for a further token it reads its own normalised state in place of the target's, as transformers and SGLang do.
"""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn
from transformers import DynamicCache, PreTrainedModel

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.heads.folder import BoundHead
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.spec import Shape, Spec
from specviz.models.memory import Placement
from specviz.mtp_names import KIND, Layout, files_of, layout_in, mtp_layer

_PIECE = 256  # so many pairs are read at once: their scores in the attention are computed in full
_SHARED = ("embed_tokens.weight", "shared_head.head.weight")  # copies of the target's own embedding and output layer


class InsideMtp(nn.Module):
    """The layer with what surrounds it.

    Args:
        model: the target, whose config, classes and rotary embedding it has.
        token_first: whether the token's embedding comes first where token and state are joined.

    Attributes:
        rotary: the target's rotary embedding, set when the layer is bound to it.
    """

    rotary: nn.Module

    def __init__(self, model: PreTrainedModel, *, token_first: bool) -> None:
        super().__init__()
        decoder: Any = model.get_decoder()
        config = deepcopy(decoder.config)
        config._attn_implementation = "eager"
        kinds = getattr(config, "layer_types", None) or ["full_attention"] * config.num_hidden_layers
        index = max(i for i, kind in enumerate(kinds) if kind == "full_attention")
        norm, eps = type(decoder.norm), config.rms_norm_eps
        self.width, self.token_first = int(config.hidden_size), token_first
        self.token_norm, self.state_norm = norm(self.width, eps=eps), norm(self.width, eps=eps)
        self.join = nn.Linear(2 * self.width, self.width, bias=False)
        self.layer = type(decoder.layers[index])(config, index)
        self.norm = norm(self.width, eps=eps)
        for part in self.layer.modules():
            if hasattr(part, "layer_idx"):
                part.layer_idx = 0  # of the only layer in its own cache

    def forward(self, embedded: Tensor, states: Tensor, turns: Any, positions: Tensor, cache: DynamicCache) -> Tensor:
        """[1, width] the normalised state after the last of n pairs, which follow those in the cache. No mask hides later pairs: in a single layer the last
        one, which sees all, does not depend on what the others read.

        Args:
            embedded, states: [n, width] of the tokens, and of the tokens before them.
            turns: what the target's rotary embedding gives for these positions.
            positions: [1, n].
        """
        token, state = self.token_norm(embedded), self.state_norm(states)
        joined = self.join(torch.cat([token, state] if self.token_first else [state, token], dim=-1)).unsqueeze(0)
        output = self.layer(
            joined,
            attention_mask=None,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            position_embeddings=turns,
        )
        normalised: Tensor = self.norm((output[0] if isinstance(output, tuple) else output)[0, -1:])
        return normalised

    def reader(self, borrowed: Frozen) -> "InsideReader":
        """A reader that drafts with this layer, with a cache of its own."""
        return InsideReader(self, borrowed)


class InsideReader:
    """Drafts chains with the layer of a checkpoint; see `specviz.decoding.drafters.eagle.ReadsPairs`.

    Attributes:
        vocabulary: the length of every row of scores.
        length: the number of pairs read, without guesses.
    """

    def __init__(self, network: InsideMtp, borrowed: Frozen) -> None:
        self._network, self._borrowed = network, borrowed
        self.vocabulary, self.device = borrowed.vocabulary, borrowed.device
        self.begin(0)

    def begin(self, capacity: int) -> None:
        """Begin a new text."""
        self.length, self._cache = 0, DynamicCache()

    def drop(self) -> None:
        """Drop all guesses."""
        surplus = self._cache.get_seq_length(0) - self.length
        if surplus > 0:
            self._cache.crop(-surplus)

    @torch.inference_mode()
    def read(self, states: Tensor, following: Tensor) -> Tensor:
        """Drop all guesses and append n pairs of the text: states [n, 1, width], tokens [n]. [V] scores of the token after them."""
        self.drop()
        for piece in range(0, len(following), _PIECE):
            guess = self._pass(following[piece : piece + _PIECE], states[piece : piece + _PIECE, 0])
        self.length += len(following)
        return self._scores(guess)[0]

    @torch.inference_mode()
    def guess(self, tokens: Tensor, parents: Sequence[int]) -> Tensor:
        """[1, V] scores of the token after a guess, which follows the last one that was read."""
        assert list(parents) == [-1], "the layer of a checkpoint drafts chains"
        return self._scores(self._pass(tokens, self._last))

    def _pass(self, tokens: Tensor, states: Tensor) -> Tensor:
        embedded, length = self._borrowed.embed(tokens), self._cache.get_seq_length(0)
        positions = torch.arange(length, length + len(tokens), device=self.device)[None]
        turns = self._network.rotary(embedded[None], positions)
        guess: Tensor = self._network(embedded, states.to(embedded.dtype), turns, positions, self._cache)
        self._last = guess
        return guess

    def _scores(self, states: Tensor) -> Tensor:
        return self._borrowed.full(self._borrowed.score(states))


def why_not(folder: Path, name: str) -> str:
    """Why the layer that a target's config promises cannot draft, in a sentence; "" where its files have one, or where nothing is promised."""
    found = mtp_layer(folder)
    return _refusal(name, f"{found.key} promises one, and its files have no {found.missing}") if found.missing else ""


def load(folder: Path, target: CachedModel, name: str) -> BoundHead:
    """The layer of the target's own checkpoint as a trained head. Raises PairError if the layer is incomplete, quantised, has other shapes
    than the target (the message names the tensor), or does not fit into memory.

    Args:
        name: what people call the target.
    """
    network = _network(folder, target, name)
    network = network.to(device=target.device, dtype=target.network.dtype).eval().requires_grad_(False)
    network.rotary = deepcopy(target.model.get_decoder().rotary_emb)  # in its own format, and no weights of the layer
    spec = Spec(KIND, name, "inside", Shape.of(target.model.config, target.vocabulary), (target.network.depth,))
    return BoundHead(spec, network, Frozen.of(target))


def _network(folder: Path, target: CachedModel, name: str) -> InsideMtp:
    names, model = files_of(folder), target.model
    layout = layout_in(names, model.config.get_text_config(decoder=True).num_hidden_layers)
    if layout is None:
        raise PairError(why_not(folder, name) or _refusal(name, "its files have none"))
    try:
        with torch.device("meta"):
            network = InsideMtp(model, token_first=layout.token_first)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise PairError(_refusal(name, f"no layer of {type(model).__name__} can be built here")) from error
    weights = network.state_dict()
    placement = Placement(target.network.dtype, target.device)
    placement.check(
        sum(tensor.numel() for tensor in weights.values()), f"the layer of multi-token prediction of {name}"
    )
    tensors = _renamed(folder, names, layout, name)
    for ours in weights:
        if ours not in tensors:
            raise PairError(_refusal(name, f"its files have no {_theirs(ours, layout)}"))
        if tensors[ours].shape != weights[ours].shape:
            shapes = f"{tuple(tensors[ours].shape)} instead of {tuple(weights[ours].shape)}"
            raise PairError(_refusal(name, f"its {_theirs(ours, layout)} has the shape {shapes}"))
    if surplus := next((ours for ours in tensors if ours not in weights), ""):
        raise PairError(_refusal(name, f"its {_theirs(surplus, layout)} is no part of a layer of this target"))
    network.load_state_dict(tensors, assign=True)
    return network


def _renamed(folder: Path, names: Mapping[str, Path], layout: Layout, target: str) -> dict[str, Tensor]:
    """The tensors under the names of `InsideMtp`."""
    tensors: dict[str, Tensor] = {}
    for name, file in names.items():
        if name in layout.own:
            ours = layout.own[name]
        elif name.startswith(layout.layer) and not name.endswith(_SHARED):
            ours = f"layer.{name.removeprefix(layout.layer)}"
        else:
            continue
        try:
            with safe_open(file, framework="pt") as opened:
                tensors[ours] = opened.get_tensor(name)
        except (OSError, SafetensorError) as error:
            raise PairError(_refusal(target, f"its {name} could not be read")) from error
        if not tensors[ours].is_floating_point() or tensors[ours].element_size() < 2:
            raise PairError(_refusal(target, f"its {name} is quantised to {str(tensors[ours].dtype)[6:]}"))
    return _experts_joined(tensors)


def _experts_joined(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The experts of a layer, which files have one by one and transformers in one tensor each for gate and up, and for down."""
    pattern = re.compile(r"(.*\.experts)\.(\d+)\.(gate|up|down)_proj\.weight")
    experts: dict[str, dict[tuple[int, str], Tensor]] = {}
    for name in list(tensors):
        if match := pattern.fullmatch(name):
            experts.setdefault(match[1], {})[int(match[2]), match[3]] = tensors.pop(name)
    for name, parts in experts.items():
        count = 1 + max(index for index, _ in parts)
        for ours, kinds in (("gate_up_proj", ("gate", "up")), ("down_proj", ("down",))):
            if all((index, kind) in parts for index in range(count) for kind in kinds):
                rows = [torch.cat([parts[index, kind] for kind in kinds]) for index in range(count)]
                tensors[f"{name}.{ours}"] = torch.stack(rows)
    return tensors


def _theirs(name: str, layout: Layout) -> str:
    """The name in the files of a tensor of `InsideMtp`."""
    own = {ours: theirs for theirs, ours in layout.own.items()}
    return own.get(name) or layout.layer + name.removeprefix("layer.")


def _refusal(target: str, why: str) -> str:
    return f"The layer of multi-token prediction in the checkpoint of {target} cannot be used ({why}): choose another drafter."
