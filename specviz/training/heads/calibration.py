"""Sequential temperature scaling of a confidence head (DSpark): the scheduler multiplies the confidences of the slots from left to right, so each
slot's odds are divided by a temperature that makes the product up to it as often right as it says."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

_BINS = 10
_TEMPERATURES = torch.logspace(-1, 1, 81, dtype=torch.float64)


@dataclass(frozen=True, slots=True)
class Sightings:
    """What a confidence head said of blocks, and what came of them.

    Attributes:
        odds: [blocks, slots] log odds that a slot is accepted where those before it were.
        survived: [blocks, slots] the probability, from 0 to 1, that all slots up to this one are accepted.
        judged: [blocks, slots] bool, where `survived` is known.
    """

    odds: Tensor
    survived: Tensor
    judged: Tensor

    def only(self, blocks: Tensor) -> "Sightings":
        """Of these blocks [blocks] bool."""
        return Sightings(self.odds[blocks], self.survived[blocks], self.judged[blocks])


def joined(parts: Sequence[Sightings]) -> Sightings:
    """All of these, in order."""
    return Sightings(
        torch.cat([part.odds for part in parts]),
        torch.cat([part.survived for part in parts]),
        torch.cat([part.judged for part in parts]),
    )


def temperatures(seen: Sightings) -> list[float]:
    """[slots] temperatures, fitted from left to right: each has the lowest cross-entropy of the products up to its slot, given those before it."""
    before = torch.ones(len(seen.odds), dtype=torch.float64)
    found = []
    for slot in range(seen.odds.shape[1]):
        here = seen.judged[:, slot]
        choices = before * torch.sigmoid(seen.odds[:, slot].double() / _TEMPERATURES[:, None])
        wanted = seen.survived[:, slot].double().clamp(0, 1).expand_as(choices)
        missed = functional.binary_cross_entropy(
            choices[:, here].clamp(1e-9, 1 - 1e-9), wanted[:, here], reduction="none"
        )
        best = int(missed.sum(dim=1).argmin()) if bool(here.any()) else len(_TEMPERATURES) // 2
        found.append(round(float(_TEMPERATURES[best]), 4))
        before = choices[best]
    return found


def expected_error(seen: Sightings, divisors: Sequence[float]) -> float:
    """The expected calibration error of the products with these temperatures: over ten equal bins, how far the mean product is from the mean
    share that survived, weighted by how many slots are in the bin."""
    said = torch.sigmoid(seen.odds.double() / torch.tensor(divisors, dtype=torch.float64)).cumprod(dim=1)[seen.judged]
    came = seen.survived.double()[seen.judged]
    bins = (said * _BINS).long().clamp(max=_BINS - 1)
    apart = torch.zeros(_BINS, dtype=torch.float64).index_add_(0, bins, said - came)
    return float(apart.abs().sum()) / max(1, len(said))
