"""Shares, and how sure one can be of them."""

from math import sqrt

import pytest

from recipes.embedded.marks import Share

Z = 1.96
COUNTS = [(0, 1), (1, 1), (0, 20), (3, 20), (10, 20), (19, 20), (20, 20), (87, 100), (1, 1000), (233, 240)]


def wilson(right: int, asked: int) -> tuple[float, float]:
    """Both shares p that lie exactly Z standard errors from what was found: the roots of a quadratic in p."""
    found = right / asked
    a, b, c = 1 + Z**2 / asked, -(2 * found + Z**2 / asked), found**2
    root = sqrt(max(0.0, b * b - 4 * a * c))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_the_interval_solves_its_definition() -> None:
    """Both ends are the shares from which what was found lies 1.96 of their own standard errors away."""
    for right, asked in COUNTS:
        low, high = Share(right, asked).interval
        assert (low, high) == pytest.approx(wilson(right, asked), abs=1e-9)
        for end in (low, high):
            if 1e-9 < end < 1 - 1e-9:
                assert abs(right / asked - end) == pytest.approx(Z * sqrt(end * (1 - end) / asked))


def test_the_interval_is_the_published_one() -> None:
    """Newcombe's worked examples (Statistics in Medicine 17, 1998, table I, method 3) come out to four places."""
    published = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0.0, 0.1611)}
    for (right, asked), interval in published.items():
        assert Share(right, asked).interval == pytest.approx(interval, abs=6e-5)


def test_the_interval_holds_the_share_within_0_and_1() -> None:
    """Whatever was found lies within its own interval, up to rounding, and the interval within 0 and 1."""
    for right, asked in COUNTS:
        share = Share(right, asked)
        low, high = share.interval
        assert share.value == right / asked
        assert 0 <= low <= share.value + 1e-12
        assert share.value - 1e-12 <= high <= 1


def test_more_questions_narrow_the_interval() -> None:
    """The same share of more questions is known more closely."""
    for tenths in range(11):
        widths = [high - low for low, high in (Share(tenths * n, 10 * n).interval for n in (1, 2, 5, 10, 100))]
        assert widths == sorted(widths, reverse=True)
        assert widths[0] > 4 * widths[-1]


def test_nothing_asked_tells_nothing() -> None:
    """No question: a share of 0 that may as well be 1."""
    assert Share(0, 0).value == 0
    assert Share(0, 0).interval == (0, 1)
