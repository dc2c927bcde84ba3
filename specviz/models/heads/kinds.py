"""The kinds of trained heads: each is one class in a file of this folder. A new kind is a line here."""

from collections.abc import Callable

from torch import nn

from specviz.errors import brief
from specviz.models.heads import block, eagle, medusa, mtp
from specviz.models.heads.spec import Spec

# Kind -> class or function. It takes the `Spec` alone, and all tensors that it has are weights or buffers that are
# saved.
KINDS: dict[str, Callable[[Spec], nn.Module]] = {
    "medusa": medusa.head_of,
    "eagle3": eagle.Eagle3Head,
    "mtp": mtp.MtpHead,
    "dflash": block.BlockHead,
    "jetspec": block.BlockHead,
    "dspark": block.BlockHead,
}


def network_of(spec: Spec) -> nn.Module:
    """The network of a head, with new weights. Raises ValueError if the kind is unknown, or the options do not fit it;
    the message goes on after "its head.json"."""
    if spec.kind not in KINDS:
        raise ValueError(f"describes a head of the kind {spec.kind[:40]!r}, and the kinds are {', '.join(KINDS)}")
    try:
        return KINDS[spec.kind](spec)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"has options that no head of the kind {spec.kind} has ({brief(error)})") from error
