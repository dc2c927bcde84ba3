"""The tree rule: try the children of a node one after the other, and continue from the first that is accepted.

A child x is accepted when u < p(x)/q(x). If it is rejected, p becomes norm(max(0, p - q)) for its next sibling. At a node
without children, or whose children were all rejected, the round's closing token is drawn from the p that remains.

q is by contract the distribution that the child was drawn from, given its earlier siblings, so one rule covers three methods:
children drawn independently, each from the same q (SpecInfer: Miao et al., arXiv 2305.09781); drawn without
replacement, each from a q without its earlier siblings, renormalised (Sequoia: Chen et al., arXiv 2402.12374);
selected as the top n, q = 1, so that rejecting x leaves p without x (EAGLE-2: Li et al., arXiv 2406.16858). All of them
keep the target's distribution: by the one-step identity, accepting x or continuing with the residual emits p, at every step.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.decoding.judge.judgement import Judgement, leftover
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws

_LOOKS = ("cpu",)  # devices on which looking at a result costs nothing


@dataclass(frozen=True, slots=True)
class Criterion:
    """When a token is accepted, and which distribution remains after its rejection.

    Attributes:
        bound: from p [V], p(x) [1] and q(x) [1] to [1]: x is accepted when u lies below.
        after_rejection: from p [V] and q [V] to the [V] distribution for its next sibling.
    """

    bound: Callable[[Tensor, Tensor, Tensor], Tensor]
    after_rejection: Callable[[Tensor, Tensor], Tensor]


# The criterion that keeps the target's distribution.
EXACT = Criterion(bound=lambda p, p_of_token, q_of_token: p_of_token / q_of_token, after_rejection=leftover)


def lenient(lenience: float) -> Criterion:
    """The criterion that accepts when u < p/(l·q) with lenience l below 1, and so gives up the target's distribution (Leviathan et al.,
    arXiv 2211.17192, appendix A.5): a drafted x is emitted with probability min(q, p/l) instead of min(q, p). With l = 1 it is the exact one."""
    return Criterion(lambda p, p_of_token, q_of_token: p_of_token / (lenience * q_of_token), leftover)


def judge_tree(draft: Draft, target: Tensor, draws: Draws, criterion: Criterion = EXACT) -> Judgement:
    """Walk down a tree, level by level, without waiting for the device.

    The current node is a tensor. At every level the walk takes as many steps as the widest node of the level has children;
    steps for children that do not exist, or after the walk has ended, change nothing. On the CPU, where looking at a result is no waiting,
    they are left out.
    """
    walk = _Walk(draft, target, draws, criterion)
    for widest in _widths(draft):
        walk.descend(widest)
        if walk.looks and bool(walk.ended):
            break
    closing = draws.token(walk.p)
    count = draft.tokens.shape[0]
    return Judgement(
        accepted=walk.accepted[:count],
        rejected=walk.rejected[:count],
        draft_prob=walk.draft_prob[:count],
        target_prob=walk.target_prob[:count],
        draws=None if walk.uniform is None else walk.uniform[:count],
        closing=closing.token,
        closing_draw=closing.uniform,
        closing_from=walk.p,
        closing_row=walk.row[0],
        judged_by=walk.judged_by[:count],
    )


class _Walk:
    """The state of the walk and its results so far.

    Node i of the draft is child i; its own row of the target is i + 1. One extra child, the last one, means "none": results
    for it are discarded.

    Attributes:
        row: [1] the row of the target at the current node.
        p: [V] what remains of that row.
        ended: [1] bool, whether no child of the last level was accepted.
        looks: whether the walk looks at its results to leave out steps that change nothing.
    """

    def __init__(self, draft: Draft, target: Tensor, draws: Draws, criterion: Criterion) -> None:
        device, count = target.device, draft.tokens.shape[0]
        target = target.to(torch.promote_types(target.dtype, draft.probabilities.dtype))
        self._target, self._criterion = target, criterion
        self._none = count
        self.looks = device.type in _LOOKS
        self._children = torch.tensor(_children(draft.parents), device=device)
        self._tokens = torch.cat([draft.tokens, draft.tokens.new_zeros(1)])
        self._q = torch.cat([draft.probabilities.to(target.dtype), torch.ones_like(target[:1])])
        rows = torch.tensor([*(parent + 1 for parent in draft.parents), 0], device=device)
        self.judged_by = target[rows]
        self.target_prob = self.judged_by.gather(-1, self._tokens.unsqueeze(-1))[:, 0]
        self.draft_prob = self._q.gather(-1, self._tokens.unsqueeze(-1))[:, 0]
        self.accepted = torch.zeros(count + 1, dtype=torch.bool, device=device)
        self.rejected = torch.zeros(count + 1, dtype=torch.bool, device=device)
        self.uniform = draws.uniform(count + 1)
        self.row = torch.zeros(1, dtype=torch.long, device=device)
        self.p = target[0]
        self.ended = torch.zeros(1, dtype=torch.bool, device=device)

    def descend(self, widest: int) -> None:
        """Judge the children of the current node, and step to the accepted one."""
        children = self._children.index_select(0, self.row)[0]
        next_row = torch.zeros_like(self.row)
        for index in range(widest):
            if self.looks and (int(next_row) or int(children[index]) == self._none):
                break
            next_row = self._judge(children[index : index + 1], next_row)
        self.ended = next_row == 0
        self.row = torch.where(self.ended, self.row, next_row)
        self.p = torch.where(self.ended, self.p, self._target.index_select(0, self.row)[0])

    def _judge(self, child: Tensor, next_row: Tensor) -> Tensor:
        """The row of the accepted child, 0 for none: `next_row` where one was accepted already, else this child's if it is accepted."""
        open_ = (child < self._none) & (next_row == 0) & ~self.ended
        token = self._tokens[child]
        p_of_token = self.p[token]
        bound = torch.where(open_, self._criterion.bound(self.p, p_of_token, self.draft_prob[child]), 0.0)
        passed = bound > 0 if self.uniform is None else self.uniform[child] < bound
        rejected = open_ & ~passed
        self.accepted[child] |= passed
        self.rejected[child] |= rejected
        self.target_prob[child] = torch.where(open_, p_of_token, self.target_prob[child])
        self.judged_by[child] = torch.where(open_, self.p, self.judged_by[child])
        if not self.looks or bool(rejected):
            self.p = torch.where(rejected, self._criterion.after_rejection(self.p, self._q[child][0]), self.p)
        return torch.where(passed, child + 1, next_row)


def _children(parents: tuple[int, ...]) -> list[list[int]]:
    """For every row of the target the nodes that follow it, padded to one length with the node that means "none"."""
    lists: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for node, parent in enumerate(parents):
        lists[parent + 1].append(node)
    longest = max(map(len, lists))
    return [[*nodes, *[len(parents)] * (longest - len(nodes))] for nodes in lists]


def _widths(draft: Draft) -> list[int]:
    """For every level the number of children of its widest node."""
    counts: dict[int, int] = {}
    for parent in draft.parents:
        counts[parent] = counts.get(parent, 0) + 1
    widths: list[int] = [0] * max(draft.depths, default=0)
    for parent, count in counts.items():
        level = draft.depths[parent] if parent >= 0 else 0
        widths[level] = max(widths[level], count)
    return widths
