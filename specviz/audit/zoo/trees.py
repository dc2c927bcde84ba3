"""Broken rules for trees, and a lossy one."""

from dataclasses import replace

import torch
from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo.rules import closed
from specviz.decoding.judge import Judgement, judge
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws, token_at


def bonus_of_sibling(parts: DecoderParts) -> DecoderParts:
    """Where a sibling was rejected before the last accepted token, the bonus token comes from what that rejection left over."""

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        judged = judge(draft, target, draws)
        last = int(judged.closing_row) - 1
        if last < 0 or judged.draws is None or judged.judged_by is None or last in draft.parents:
            return judged
        sibling = any(
            bool(no) and draft.parents[node] == draft.parents[last] for node, no in enumerate(judged.rejected.tolist())
        )
        return closed(judged, judged.judged_by[last], judged.closing_draw) if sibling else judged

    return replace(parts, rule=rule)


def drawn_for_every_path(parts: DecoderParts) -> DecoderParts:
    """The target draws its own token at every node of every path, each path by itself, and the path that matches longest wins.

    A token that two paths share is drawn twice, so it has two chances. After the best path the next token is drawn from p.
    """

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        paths = _paths(draft)
        numbers = draws.uniform(sum(map(len, paths)))
        if numbers is None or not paths:
            return judge(draft, target, draws)
        best: list[int] = []
        used = 0
        for path in paths:
            matched: list[int] = []
            for node in path:
                drawn = token_at(target[draft.parents[node] + 1], numbers[used + len(matched)].reshape(1))
                if int(drawn) != int(draft.tokens[node]):
                    break
                matched.append(node)
            used += len(path)
            best = max(best, matched, key=len)
        return _walked(draft, target, draws, best)

    return replace(parts, rule=rule)


def _paths(draft: Draft) -> list[list[int]]:
    """Every path of a draft from its first token to a leaf."""
    inner = set(draft.parents)
    paths = []
    for leaf in range(len(draft.parents)):
        if leaf not in inner:
            path = [leaf]
            while draft.parents[path[-1]] >= 0:
                path.append(draft.parents[path[-1]])
            paths.append(path[::-1])
    return paths


def _walked(draft: Draft, target: Tensor, draws: Draws, path: list[int]) -> Judgement:
    """The judgement that accepts this path, rejects the children of its end, and draws the closing token from p."""
    count, device = len(draft.parents), target.device
    end = path[-1] if path else -1
    accepted = torch.zeros(count, dtype=torch.bool, device=device)
    accepted[path] = True
    rows = torch.tensor([parent + 1 for parent in draft.parents], device=device)
    p = target[end + 1]
    closing = draws.token(p)
    return Judgement(
        accepted=accepted,
        rejected=torch.tensor([parent == end for parent in draft.parents], device=device),
        draft_prob=draft.probabilities.gather(-1, draft.tokens.unsqueeze(-1))[:, 0],
        target_prob=target[rows, draft.tokens],
        draws=None,
        closing=closing.token,
        closing_draw=closing.uniform,
        closing_from=p,
        closing_row=torch.tensor(end + 1, device=device),
    )
