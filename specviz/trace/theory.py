"""The papers' formulas (Leviathan et al., arXiv 2211.17192, section 3). Standard library only.

Letters: alpha is the acceptance rate (the mean over positions of the sum of min(p, q)), k the draft length (their
gamma), c the seconds of a draft pass over those of a target pass, v the seconds of the pass that verifies k + 1 tokens
over those of a pass over one. The paper takes v = 1; on real hardware it is more, so it is measured.
"""

from collections.abc import Callable, Sequence


def tokens_per_pass(alpha: float, k: int) -> float:
    """Expected tokens that one pass of the target adds: (1 - alpha^(k+1)) / (1 - alpha).

    Raises:
        ValueError: alpha lies outside 0 to 1, or k is negative.
    """
    if not 0 <= alpha <= 1 or k < 0:
        raise ValueError(f"alpha was {alpha!r} and k {k!r}: alpha lies between 0 and 1, and k is not negative")
    return float(sum(alpha**i for i in range(k + 1)))


def speedup(alpha: float, k: int, c: float, v: float = 1.0) -> float:
    """Expected speedup over plain decoding: tokens per pass / (kc + v); with v = 1 the paper's theorem 3.8."""
    return tokens_per_pass(alpha, k) / (k * c + v)


def operations(alpha: float, k: int, c: float) -> float:
    """Expected growth of the arithmetic per token (theorem 3.11); here c is the ratio of arithmetic, not of time."""
    return (k * c + k + 1) / tokens_per_pass(alpha, k)


def least_gain(alpha: float, c: float) -> float | None:
    """What some k gains at least, (1 + alpha) / (1 + c), where alpha > c; None where no gain is promised."""
    return (1 + alpha) / (1 + c) if alpha > c else None


def speedup_of_rounds(tokens: int, drafted: Sequence[int], c: float, v: Callable[[int], float]) -> float:
    """The speedup that rounds which really happened should have, from their measured costs.

    Tokens per pass over the mean, round by round, of the drafted tokens times c plus v(drafted + 1).

    Args:
        tokens: how many the rounds made.
        drafted: how many tokens each round proposed.
        c: a draft pass over a target pass.
        v: the cost of a target pass over n tokens, over that of a pass over one.

    Raises:
        ValueError: no round.
    """
    if not drafted:
        raise ValueError("no round was given: a prediction needs at least one")
    return tokens / sum(n * c + v(n + 1) for n in drafted)
