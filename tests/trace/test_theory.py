"""The papers' formulas give the papers' tables."""

import pytest

from specviz.trace import theory

# Leviathan et al., table 1: alpha, k, speed; c = 0.
TABLE_1 = [(0.6, 2, 1.96), (0.7, 3, 2.53), (0.8, 2, 2.44), (0.8, 5, 3.69), (0.9, 2, 2.71), (0.9, 10, 6.86)]
# Table 2: k, alpha, c and the predicted speedup.
TABLE_2 = [
    (7, 0.75, 0.02, 3.2), (7, 0.80, 0.04, 3.3), (7, 0.82, 0.11, 2.5), (7, 0.62, 0.02, 2.3), (5, 0.68, 0.04, 2.4), (3, 0.71, 0.11, 2.0),
    (5, 0.65, 0.02, 2.4), (5, 0.73, 0.04, 2.6), (3, 0.74, 0.11, 2.0), (5, 0.53, 0.02, 1.9), (3, 0.55, 0.04, 1.8), (3, 0.56, 0.11, 1.6),
]  # fmt: skip


def test_the_tables_of_the_paper() -> None:
    """With a free draft the speed equals the printed one, to the printed digit; the predicted speedups equal the printed ones, within the rounding of
    alpha and c."""
    for alpha, k, speed in TABLE_1:
        assert theory.speedup(alpha, k, 0) == pytest.approx(speed, abs=0.0051)
    for k, alpha, c, predicted in TABLE_2:
        assert theory.speedup(alpha, k, c) == pytest.approx(predicted, abs=0.1)


def test_the_ends_of_the_range() -> None:
    """With alpha = 0 a pass adds one token, with alpha = 1 it adds k + 1; an impossible rate is rejected. v is added to the drafting cost in the denominator."""
    assert theory.tokens_per_pass(0, 5) == 1
    assert theory.tokens_per_pass(1, 5) == 6
    assert theory.tokens_per_pass(0.5, 0) == 1
    for alpha, k in ((1.01, 3), (-0.1, 3), (0.5, -1)):
        with pytest.raises(ValueError, match="alpha"):
            theory.tokens_per_pass(alpha, k)
    assert theory.speedup(0.8, 5, 0.1, v=1.5) == pytest.approx(theory.tokens_per_pass(0.8, 5) / (0.5 + 1.5))
