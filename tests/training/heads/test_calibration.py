"""Claims about the calibration of a confidence head: known distortions are found, slot by slot."""

import pytest
import torch

from specviz.training.heads import calibration
from specviz.training.heads.calibration import Sightings

TRUE = (2.0, 0.5, 4.0)
"""By what the odds of each slot were multiplied."""


def seen() -> Sightings:
    """Blocks whose odds are too large or too small by these factors; every slot survives with the right probability."""
    generator = torch.Generator().manual_seed(0)
    right = torch.randn(4000, len(TRUE), generator=generator, dtype=torch.float64) + 1
    survived = (torch.rand(right.shape, generator=generator, dtype=torch.float64) < right.sigmoid()).double().cumprod(1)
    judged = torch.ones_like(right, dtype=torch.bool)
    judged[:2000, 2] = False
    survived[:2000, 2] = 0
    return Sightings(right * torch.tensor(TRUE), survived, judged)


def test_every_slot_gets_its_temperature() -> None:
    """The factors are found, given the slots before them, from judged slots alone, and the error of the products falls."""
    sightings = seen()
    found = calibration.temperatures(sightings)
    assert found == pytest.approx(TRUE, rel=0.25)
    assert calibration.expected_error(sightings, [1.0, 1.0, 1.0]) > 0.04
    assert calibration.expected_error(sightings, found) < 0.02
    nothing = Sightings(sightings.odds[:0], sightings.survived[:0], sightings.judged[:0])
    assert calibration.temperatures(nothing) == [1.0] * len(TRUE)


def test_the_error_is_that_of_a_hand_count() -> None:
    """Four slots said 0.75 of which one half came, and two said 0.25 of which all did: 4/6 of 0.25 and 2/6 of 0.75."""
    odds = torch.tensor([0.75] * 4 + [0.25] * 2).logit()[:, None]
    came = torch.tensor([1.0, 1, 0, 0, 1, 1])[:, None]
    sightings = Sightings(odds, came, torch.ones_like(came, dtype=torch.bool))
    assert calibration.expected_error(sightings, [1.0]) == pytest.approx(4 / 6 * 0.25 + 2 / 6 * 0.75)
