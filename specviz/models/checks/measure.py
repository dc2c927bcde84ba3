"""How far two passes' scores are apart, and how far they may be.

The measure is the Kullback-Leibler divergence KL(p || q) of each token's distribution: p from the model's own plain pass, q from the path
under test, both at temperature 1. It is compared with the *spread* of the plain pass: the mean divergence of its rows from their average,
that is, how much the text says about the next token at all. Leaving out a layer costs a few hundredths of that; rounding costs a
thousandth in 16-bit formats, and far less in float32. Some random models amplify rounding (a near tie in a router sends a token to other
experts). Then the limit is set by the model itself: every module's output is moved by a random share of one rounding step, and the path may
be as far away as that, times a factor.

Measured on tiny random models of 74 architectures and the embedded pair (limits: 173 configurations, recurrent ones included):

| | share of the spread | times the rounding noise |
|---|---|---|
| correct path, float32 | 1e-13 to 5e-12 | 0.1 to 1 |
| correct path, bfloat16 | 0 to 2e-3; to 0.3 with random routers | 0 to 0.87 |
| least fault, bfloat16 (MPT's trees, BioGPT's halves) | 4e-3 | 1.7 |
| attention scale 20% off, embedded pair | 3e-3 | |
| rotary base 1,000 or 500,000 for 10,000, embedded pair | 1e-2 to 0.15 | |
| the least important layer missing | 2e-2 to 1 | 2 to 1,000; 1e7 and more in float32 |
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import isfinite

import torch
from torch import Tensor, nn

# Shares of the spread that are accepted at once, in formats of 32 bits and more, and of 16 bits. The first means
# scores that differ by about 1e-5 of their range.
_FULL, _HALF = 1e-10, 1e-3
# Times the rounding noise. In float32 a fault is 1e7 times further away than this, so there is no need to be strict.
# In 16-bit formats the noise itself is an upper estimate: no rounding error is as large as the steps that it makes.
_FULL_FACTOR, _HALF_FACTOR = 100.0, 1.25
_QUANTILE = 0.75
# The shares for models that keep a state: a scan over a text and single steps are two algorithms, whose results
# differ in transformers' own passes too (Zamba 2: 1e-4 in float32).
_SCAN_FULL, _SCAN_HALF = 1e-3, 1e-2
# Nats: what is left of float32 logits in a divergence of two equal distributions, for models whose rows are all the
# same.
_TINY = 1e-13


@dataclass(frozen=True, slots=True)
class Check:
    """One path, compared with the plain pass.

    Attributes:
        divergence: mean KL(plain || path) in nats per token; infinite if the path failed or gave no numbers.
        note: one sentence if the path was set aside, else empty.
        measured: another figure than the divergence, in words; "" where there is none.
    """

    name: str
    passed: bool
    divergence: float
    seconds: float
    note: str = ""
    measured: str = ""

    def noted(self, sentence: str) -> "Check":
        """This check with a sentence for people."""
        return replace(self, note=sentence)


def spread(plain: Tensor) -> float:
    """How much a text says about the next token: the mean divergence of the rows [m, V] from their average, in nats."""
    p = plain.double().softmax(dim=-1)
    average = p.mean(dim=0).clamp_min(torch.finfo(p.dtype).tiny).log()
    return float(torch.where(p > 0, p * (p.log() - average), 0.0).sum(dim=-1).mean())


def alike(
    groups: Sequence[Tensor], spread: float, noise: Callable[[], Tensor], dtype: torch.dtype, *, scans: bool = False
) -> bool:
    """True if a path is as close to the plain pass as rounding explains.

    In 16-bit formats the upper quartile of each group counts, because a near tie in a router can move single rows far in the plain pass
    too. So a fault must move a quarter of the rows of a group.

    Args:
        groups: divergences [m] of the path, rows that one fault would move together.
        spread: of the plain pass.
        noise: computes the divergences [n] of a plain pass under `rounded`; called only if the path is not accepted at once.
        scans: whether the model keeps a state that a long pass computes by a scan.
    """
    factor, share = (_FULL_FACTOR, _FULL) if dtype.itemsize > 2 else (_HALF_FACTOR, _HALF)
    if scans:
        share = _SCAN_FULL if dtype.itemsize > 2 else _SCAN_HALF

    def typical(rows: Tensor) -> float:
        return float(rows.mean() if dtype.itemsize > 2 else rows.quantile(_QUANTILE))

    distance = typical(torch.cat(list(groups))) if dtype.itemsize > 2 else max(typical(group) for group in groups)
    return isfinite(distance) and (distance <= max(_TINY, share * spread) or distance <= factor * typical(noise()))


@contextmanager
def rounded(model: nn.Module, dtype: torch.dtype, seed: int = 0) -> Iterator[None]:
    """Within it, the output of every module without submodules is moved by up to one step of this format (of float32, if wider)."""
    step = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    generators: dict[torch.device, torch.Generator] = {}

    def move(module: nn.Module, inputs: object, result: object) -> object:
        if not isinstance(result, Tensor) or not result.is_floating_point():
            return None  # leaves the result as it is
        if result.device not in generators:
            generators[result.device] = torch.Generator(result.device).manual_seed(seed)
        wide = torch.promote_types(result.dtype, torch.float32)
        share = torch.rand(result.shape, generator=generators[result.device], device=result.device, dtype=wide)
        return (result.to(wide) * (1 + step * (2 * share - 1))).to(result.dtype)

    hooks = [
        module.register_forward_hook(move)
        for module in model.modules()
        if next(module.children(), None) is None and next(module.parameters(recurse=False), None) is not None
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
