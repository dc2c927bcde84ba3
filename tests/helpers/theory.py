"""The papers' formulas (Leviathan et al., arXiv 2211.17192, section 3). Standard library only.

Letters: alpha is the acceptance rate (the mean over positions of the sum of min(p, q)), k the draft length (their
gamma), c the cost ratio of a draft pass to a target pass, v the ratio of a target pass that verifies k + 1 tokens to one over
a single token, both in seconds. The paper assumes v = 1; on real hardware it is larger, so it is measured.
"""


def tokens_per_pass(alpha: float, k: int) -> float:
    """Expected number of tokens that one pass of the target adds: (1 - alpha^(k+1)) / (1 - alpha)."""
    return float(sum(alpha**i for i in range(k + 1)))


def speedup(alpha: float, k: int, c: float, v: float = 1.0) -> float:
    """Expected speedup over plain decoding: tokens per pass / (kc + v); with v = 1 it is the paper's theorem 3.8."""
    return tokens_per_pass(alpha, k) / (k * c + v)
