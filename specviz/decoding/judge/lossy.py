"""Rules that give up the target's distribution for longer accepted runs. They are labelled lossy everywhere."""

from torch import Tensor

from specviz.decoding.constants import DELTA, EPSILON
from specviz.decoding.judge.judgement import leftover
from specviz.decoding.judge.tree import Criterion


def lenient(lenience: float) -> Criterion:
    """Accept when u < p/(l·q) with lenience l below 1 (Leviathan et al., arXiv 2211.17192, appendix A.5).

    A drafted x is emitted with probability min(q, p/l) instead of min(q, p); after a rejection the token is drawn from the same
    norm(max(0, p - q)) as in the exact rule. With l = 1 it is the exact rule.
    """

    def bound(p: Tensor, p_of_token: Tensor, q_of_token: Tensor) -> Tensor:
        return p_of_token / (lenience * q_of_token)

    return Criterion(bound, leftover)


def typical() -> Criterion:
    """Accept when p(x) > min(ε, δ·exp(-H)), with H the entropy of p (Medusa: Cai et al., arXiv 2401.10774).

    A token that the target finds plausible is accepted; the higher the entropy of p, the lower the bar. The decision is
    deterministic and does not use q. A rejection leaves p unchanged: the closing token is drawn from p.
    """

    def bound(p: Tensor, p_of_token: Tensor, q_of_token: Tensor) -> Tensor:
        entropy = -p.xlogy(p).sum()
        return (p_of_token > (DELTA * (-entropy).exp()).clamp_max(EPSILON)).to(p.dtype)

    return Criterion(bound, lambda p, q: p, random=False)
