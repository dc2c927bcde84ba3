"""Medians and spreads."""

import pytest

from tools.gpu.spread import Figure, figure, ratios


def test_a_figure_is_the_median_with_its_ends() -> None:
    """A figure has the median, the lowest and the highest value; without values there is none."""
    assert figure([3.0, 1.0, 2.0, 10.0]) == Figure(2.5, 1.0, 10.0)
    with pytest.raises(ValueError, match="No values were given"):
        figure([])


def test_ratios_are_of_what_was_measured_side_by_side() -> None:
    """Each turn has its own ratio, and the figure is of these ratios, not of the two medians."""
    assert ratios([1.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == Figure(3.0, 1.0, 4.0)
    with pytest.raises(ValueError, match="longer"):
        ratios([1.0], [1.0, 2.0])
