"""Shares of right answers, with confidence intervals."""

from dataclasses import dataclass
from math import sqrt

_Z = 1.96


@dataclass(frozen=True, slots=True)
class Share:
    """How many answers were right, of how many that were asked."""

    right: int
    asked: int

    @property
    def value(self) -> float:
        """right / asked; 0 if nothing was asked."""
        return self.right / self.asked if self.asked else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of the share (score interval, Wilson 1927)."""
        if not self.asked:
            return 0.0, 1.0
        n, p = self.asked, self.value
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(0.0, middle - half), min(1.0, middle + half)
