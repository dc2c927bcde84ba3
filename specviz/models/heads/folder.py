"""A trained head in a folder: `head.json`, `head.safetensors` and a card. Loading binds it to the very weights that it was trained for. A folder
without a `head.json` is one of another project's formats (`published`)."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from weakref import WeakKeyDictionary

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import PreTrainedModel

from specviz.errors import PairError, brief
from specviz.folders import checked, read_json
from specviz.head_formats import CONFIG, refusal
from specviz.model_choice import HEAD_FILE
from specviz.models.cached_model import CachedModel
from specviz.models.heads import block, eagle, medusa, published
from specviz.models.heads.frozen import Frozen
from specviz.models.heads.spec import Shape, Spec
from specviz.models.networks.layouts import pack
from specviz.models.networks.originals import restore_originals
from specviz.models.networks.packing import Matrix

WEIGHTS = "head.safetensors"
_TOKENS = "tokens"  # the name of the scored ids among the tensors, where a head scores only some
_SAMPLE = 2**16  # so many numbers of each weight, evenly spaced, count for a digest
_DIGESTS: "WeakKeyDictionary[CachedModel, str]" = WeakKeyDictionary()
# Kind -> class or function. It takes the `Spec` alone, and all tensors that it has are weights or buffers that are
# saved.
KINDS: dict[str, Callable[[Spec], nn.Module]] = {
    "medusa": medusa.MedusaHead,
    "eagle3": eagle.Eagle3Head,
    "mtp": eagle.MtpHead,
    "dflash": block.BlockHead,
    "jetspec": block.BlockHead,
    "dspark": block.BlockHead,
}


@dataclass(frozen=True, slots=True, eq=False)
class BoundHead:
    """A head and the parts of its target that it borrows, as a drafter uses them (`specviz.decoding.protocols.TrainedHead`).

    Attributes:
        spec: what its folder says.
        network: in evaluation mode, on the target's device and in its number format.
        frozen: the target's embedding and output layer; of `frozen.tokens` alone where the head scores only some ids.
    """

    spec: Spec
    network: nn.Module
    frozen: Frozen

    @property
    def taps(self) -> tuple[int, ...]:
        """The layers whose states it reads."""
        return self.spec.taps


def digest_of(model: PreTrainedModel) -> str:
    """A digest of a model's weights that does not depend on the number format in which they were loaded.

    It is the SHA-256 of every weight's name, shape and signs, of large weights the signs of 65,536 numbers. Training a model further
    turns some of these signs round.
    """
    restore_originals(model)
    digest = hashlib.sha256()
    for name, weight in sorted(model.named_parameters()):
        flat = weight.detach().reshape(-1)
        signs = torch.signbit(flat[:: max(1, flat.numel() // _SAMPLE)])
        digest.update(f"{name} {tuple(weight.shape)}\n".encode())
        digest.update(signs.to(device="cpu", dtype=torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def read_spec(folder: Path) -> Spec:
    """The spec in the folder's `head.json`. Raises PairError if it is missing or damaged."""
    try:
        value = read_json(folder / HEAD_FILE)
    except (OSError, ValueError) as error:
        raise _damaged(folder, f"{HEAD_FILE} could not be read ({brief(error)})") from error
    try:
        return Spec.from_json(value)
    except ValueError as error:
        raise _damaged(folder, f"{HEAD_FILE} {str(error)[:200]}") from error


def load(folder: Path, target: CachedModel, name: str = "", tokenizer: str = "") -> BoundHead:
    """The head in a folder, bound to the target that it was trained for. Raises PairError if the head was trained for other
    weights or another tokenizer, or the folder is damaged.

    Args:
        name: what people call the target.
        tokenizer: digest of the ids that the target reads, see `specviz.models.tokens.TokenText.digest`; "" to compare none.
    """
    name = name or type(target.model).__name__
    if not (folder / HEAD_FILE).is_file() and (folder / CONFIG).is_file():
        return _published(folder, target, name)
    spec = read_spec(folder)
    _check_target(folder, spec, target, name, tokenizer)
    if max(spec.taps) > target.network.depth:
        raise _damaged(
            folder, f"{HEAD_FILE} reads layer {max(spec.taps)} of a target with {target.network.depth} layers"
        )
    network, tokens = _read(folder, spec)
    return _bound(spec, network, Frozen.of(target, None if tokens is None else tokens.to(target.device)), target)


def _read(folder: Path, spec: Spec) -> tuple[nn.Module, Tensor | None]:
    """The network as it is in the file, and the ids that it scores."""
    tensors, tokens = _tensors(folder, spec)
    try:
        return _network(spec, tensors), tokens
    except ValueError as error:
        raise _damaged(folder, f"{HEAD_FILE} {error}") from error
    except RuntimeError as error:
        raise _damaged(folder, f"{WEIGHTS} does not fit its {HEAD_FILE} ({brief(error, 120)})") from error


def _published(folder: Path, target: CachedModel, name: str) -> BoundHead:
    head = published.read(folder, target, name)
    borrowed = head.tokens if head.output is None else None
    frozen = Frozen.of(target, None if borrowed is None else borrowed.to(target.device))
    frozen = frozen.with_own(head.table, head.output, head.tokens)
    weights = dict(head.weights)
    if head.mask is not None:
        weights["mask"] = frozen.embed(torch.tensor(head.mask, device=target.device))
    try:
        network = _network(head.spec, weights)
    except (ValueError, RuntimeError) as error:
        raise refusal(str(folder), f"its tensors do not fit its {CONFIG}: {brief(error, 120)}") from error
    return _bound(head.spec, network, frozen, target)


def _network(spec: Spec, weights: Mapping[str, Tensor]) -> nn.Module:
    """The network with these weights. Raises ValueError if the spec does not describe a head; RuntimeError if the
    weights do not fit it."""
    with torch.device("meta"):  # a damaged description must not allocate memory
        network = network_of(spec)
    network.load_state_dict(weights, assign=True)
    return network


def _bound(spec: Spec, network: nn.Module, frozen: Frozen, target: CachedModel) -> BoundHead:
    network = network.to(device=target.device, dtype=target.network.dtype).eval().requires_grad_(False)
    _pack_linears(network)
    return BoundHead(spec, network, frozen)


def _tensors(folder: Path, spec: Spec) -> tuple[dict[str, Tensor], Tensor | None]:
    try:
        tensors = load_file(checked(folder / WEIGHTS, inf))
    except (OSError, SafetensorError, ValueError, RuntimeError) as error:
        raise _damaged(folder, f"{WEIGHTS} could not be read ({brief(error, 120)})") from error
    tokens = tensors.pop(_TOKENS, None)
    for name, tensor in tensors.items():
        if not tensor.is_floating_point() or not bool(tensor.isfinite().all()):
            raise _damaged(folder, f"{WEIGHTS} has values that are not numbers in the weight {name[:60]!r}")
    if tokens is not None:
        ascending = tokens.dtype == torch.int64 and tokens.dim() == 1 and bool((tokens.diff() > 0).all())
        if not ascending or not len(tokens) or not 0 <= int(tokens[0]) <= int(tokens[-1]) < spec.shape.vocabulary:
            raise _damaged(folder, f"{WEIGHTS} has a list of ids that are not ascending ids of the target")
    return tensors, tokens


def _check_target(folder: Path, spec: Spec, target: CachedModel, name: str, tokenizer: str) -> None:
    """Refuse a head that was trained for other weights or another tokenizer, with both names and the reason."""
    here = Shape.of(target.model.config, target.vocabulary)
    reason = ""
    for size, its, ours in (
        ("states of {:,} numbers", spec.shape.width, here.width),
        ("{:,} layers", spec.shape.depth, here.depth),
        ("{:,} token ids", spec.shape.vocabulary, here.vocabulary),
    ):
        if its != ours and not reason:
            reason = f"that one has {size.format(its)}, this one {ours:,}"
    if not reason and spec.tokenizer and tokenizer and spec.tokenizer != tokenizer:
        reason = "their tokenizers are not the same"
    if not reason and spec.digest != _digest(target):
        reason = "the weights are not the same"
    if reason:
        raise PairError(
            f"The trained head in {folder} was made for the target {spec.target[:80]!r}, and the target here is {name!r} ({reason}): get "
            "a head for this target, or choose another drafter."
        )


def _digest(target: CachedModel) -> str:
    if target not in _DIGESTS:
        try:
            _DIGESTS[target] = digest_of(target.model)
        finally:
            target.free_again()
    return _DIGESTS[target]


def _damaged(folder: Path, fault: str) -> PairError:
    return PairError(
        f"The trained head in {folder} cannot be used (its {fault}): get it again, or choose another drafter."
    )


class _Product(nn.Module):
    """The product of a packed matrix with states [..., width], in place of the layer's own."""

    def __init__(self, matrix: Matrix) -> None:
        super().__init__()
        self.matrix = matrix

    def forward(self, states: Tensor) -> Tensor:
        product = self.matrix(states.reshape(-1, states.shape[-1]))
        return product.view(*states.shape[:-1], product.shape[-1])


@torch.no_grad()
def _pack_linears(network: nn.Module) -> None:
    """Pack each linear layer into the fastest layout that represents its weights exactly. The layers keep their weights
    too: parts of a head that read a weight themselves still find it."""
    for layer in network.modules():
        if type(layer) is not nn.Linear:
            continue
        matrix = pack(layer.weight, layer.bias)
        if type(matrix) is not Matrix:
            layer.__dict__["forward"] = _Product(matrix).forward


def network_of(spec: Spec) -> nn.Module:
    """The network of a head, with new weights. Raises ValueError if the kind is unknown, or the options do not fit it;
    the message goes on after "its head.json"."""
    if spec.kind not in KINDS:
        raise ValueError(f"describes a head of the kind {spec.kind[:40]!r}, and the kinds are {', '.join(KINDS)}")
    try:
        return KINDS[spec.kind](spec)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"has options that no head of the kind {spec.kind} has ({brief(error)})") from error
