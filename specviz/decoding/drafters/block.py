"""Drafting with a block head: one pass gives the scores of several slots at once.

DFlash (Chen et al., arXiv 2602.06036) drafts a chain from a bidirectional block; without a confidence head the top probability of a slot takes
its part. JetSpec (arXiv 2606.18394) grows a tree from a causal block. DSpark (in DeepSpec) corrects each slot by the token drafted before it, its
Markov bias, and stops where its confidence head is unsure; in its tree every node's distribution is conditioned on its parent's token.

Each slot has a distribution of its own, given the text and, with a Markov bias, the token before the slot. Tokens are drawn from these
distributions from left to right, so q is exactly what each token was drawn from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Any

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.best_first import best_first
from specviz.decoding.drafters.certain import selected
from specviz.decoding.drafters.growing import LevelReader, grown, ranked
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.policies import policy_for
from specviz.decoding.protocols import Draft, Drafter, Reading, TrainedHead, check_cached
from specviz.decoding.sampling import Draws, warp, widen
from specviz.settings import Settings


def make(parts: Parts, name: str) -> "BlockChain | BlockTree":
    """The chain or the tree of this name, with the block head that was trained for the pair's target."""
    if name in ("jetspec", "dspark-tree"):
        return BlockTree(parts.head, name=name)
    return BlockChain(parts.head, parts.costs, name=name)


class BlockDrafter(Drafter):
    """The part that chains and trees share: a context that follows the text.

    The states of a pass are stored when it was judged, and read when the next draft begins: only the tokens that joined the text, so the
    context never has a token of a draft that was rejected. The text's last token is never in it, because the target has not read it yet.
    """

    def __init__(self, head: TrainedHead, name: str = "block") -> None:
        self.name, self.head = name, head
        self.taps = head.taps
        self._slots = head.network.reader(head.frozen)  # a `specviz.models.heads.block.BlockReader`
        self._prompt = 0
        self._waiting: list[Reading] = []

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._slots.begin(capacity)
        self._prompt, self._waiting = len(prompt), []

    def saw(self, reading: Reading) -> None:
        """Store a round's states; read those of the prompt at once."""
        self._waiting.append(reading)
        if self._slots.length < self._prompt - 1:
            self._read()

    def _read(self) -> None:
        for reading in self._waiting:
            self._slots.extend(reading.kept_states())
        self._waiting = []

    def _block(self, committed: Sequence[int], count: int) -> "_Block":
        self._read()
        check_cached(self._slots.length, len(committed) - 1, "trained head")
        anchor = torch.tensor(committed[-1:], device=self._slots.device)
        states = self._slots.block(anchor, count)
        return _Block(self._slots, anchor, states, self._slots.score(states))


@dataclass(frozen=True, slots=True)
class _Block:
    """A block that was filled: for every slot its state, and its scores before the Markov bias."""

    head: Any
    anchor: Tensor
    states: Tensor
    scores: Tensor

    def rows(self, slot: int, previous: Tensor) -> Tensor:
        """[n, V] scores of a slot after each of these n tokens. An id that the head cannot draft keeps the lowest finite number."""
        row = self.scores[slot : slot + 1]
        if not self.head.conditioned:
            return row.expand(len(previous), -1)
        biased: Tensor = row + self.head.bias(previous)
        # In float16 a bias can change the lowest number, or make it infinite; and the bias can be in a wider format than the scores.
        lacking = row == torch.finfo(row.dtype).min
        return biased.masked_fill(lacking, torch.finfo(biased.dtype).min)


class BlockChain(BlockDrafter):
    """Drafts a chain: each slot's token is drawn from the slot's distribution, given the token drawn before it.

    All slots are drawn first, and the settings' policy may then cut the draft, with one transfer from the device. Whether slot j stays depends
    on what was known before its token was drawn: its state and the token before it. So the text keeps the target's distribution.

    Args:
        head: one of a block head's kinds.
        costs: what passes cost on this machine, for the cost-aware policy; None uses the defaults.
    """

    def __init__(self, head: TrainedHead, costs: Costs | None = None, name: str = "block") -> None:
        super().__init__(head, name)
        self._costs = costs or Costs()

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` tokens, and at most as many as the head has slots."""
        policy = policy_for(settings, self._costs)
        count = min(limit, self._slots.slots)
        if policy.blind:
            count = policy.begin(count)
        if count == 0:
            return nothing(self._slots.vocabulary, self._slots.device)
        block = self._block(committed, count)
        draft = _drawn_chain(block, settings, draws, len(committed) - self._prompt)
        return draft if policy.blind else self._worth(block, draft, settings)

    def _worth(self, block: _Block, draft: Draft, settings: Settings) -> Draft:
        """The slots that are worth a verification, with what a confidence head estimated of them."""
        assert draft.logits is not None
        previous = torch.cat([block.anchor, draft.tokens[:-1]])
        estimated = self._slots.confidence(block.states, previous, greedy=settings.temperature == 0)
        sure = widen(draft.logits).softmax(dim=-1).amax(dim=-1) if estimated is None else estimated
        confidence: list[float] = sure.tolist()
        by_threshold = settings.policy == "confidence"
        count = above(confidence, settings.threshold) if by_threshold else scheduled(confidence, self._costs)
        return _first(replace(draft, confidence=estimated), count)


def above(confidence: Sequence[float], threshold: float) -> int:
    """How many slots come before the first one whose confidence is below the threshold."""
    return next((slot for slot, sure in enumerate(confidence) if not sure >= threshold), len(confidence))


def scheduled(confidence: Sequence[float], costs: Costs) -> int:
    """How many slots to verify: as many as raise the expected tokens per cost of the round, up to the first that lowers it.

    With confidences c_1, c_2, ... a round of n slots yields 1 + c_1 + c_1·c_2 + ... tokens on average and costs one draft pass and v(n), as in
    DSpark's scheduler for a single text. It must stop at the first drop: the confidence of a later slot depends on the tokens before it, so
    searching further ahead for the best n would let tokens decide about themselves.
    """
    reach, expected, count = 1.0, 1.0, 0
    for sure in confidence:
        reach *= sure
        cost, longer = costs.c + costs.verify(count), costs.c + costs.verify(count + 1)
        if not (expected + reach) * cost > expected * longer:
            break
        expected, count = expected + reach, count + 1
    return count


def _drawn_chain(block: _Block, settings: Settings, draws: Draws, offset: int) -> Draft:
    """One token for every slot, from left to right."""
    count = block.scores.shape[0]
    tokens: list[Tensor] = []
    if not block.head.conditioned:
        logits = block.scores
        probabilities = warp(logits, settings, range(offset, offset + count))
        tokens = [draws.token(q).token for q in probabilities]
        return Draft(torch.stack(tokens), tuple(range(-1, count - 1)), probabilities, logits)
    rows: list[Tensor] = []
    drawn_from: list[Tensor] = []
    previous = block.anchor
    for slot in range(count):
        row = block.rows(slot, previous)[0]
        q = warp(row, settings, (offset + slot,))
        token = draws.token(q).token
        tokens.append(token)
        rows.append(row)
        drawn_from.append(q)
        previous = token.reshape(1)
    return Draft(torch.stack(tokens), tuple(range(-1, count - 1)), torch.stack(drawn_from), torch.stack(rows))


def _first(draft: Draft, count: int) -> Draft:
    assert draft.logits is not None
    sure = None if draft.confidence is None else draft.confidence[:count]
    rows = draft.probabilities[:count], draft.logits[:count]
    return Draft(draft.tokens[:count], draft.parents[:count], *rows, confidence=sure)


class BlockTree(BlockDrafter):
    """Drafts a tree of at most `settings.nodes` tokens from one pass, at most as deep as the head has slots.

    It takes the paths with the highest products of probabilities (JetSpec). Without a Markov bias the nodes of one depth share
    one distribution, whatever their parents; with one, each node's distribution is conditioned on its parent's token. The tokens are selected,
    not drawn, so the rule takes them as certain, whatever `settings.children` says.
    """

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree. Selecting top tokens waits for the device once, with a Markov bias once per level."""
        depth = min(limit, self._slots.slots)
        if depth == 0:
            return nothing(self._slots.vocabulary, self._slots.device)
        block = self._block(committed, depth)
        offset = len(committed) - self._prompt
        return (_conditioned_tree if block.head.conditioned else _marginal_tree)(block, settings, offset)


def _marginal_tree(block: _Block, settings: Settings, offset: int) -> Draft:
    """The best paths where the nodes of one depth share one distribution."""
    depth = block.scores.shape[0]
    tops = ranked(block.scores, settings, range(offset, offset + depth), settings.nodes)
    tree = best_first([[exp(top.log_q) for top in tokens] for tokens in tops], settings.nodes)
    device = block.scores.device
    tokens = [tops[slot][rank].token for slot, rank in zip(tree.depths, tree.ranks, strict=True)]
    return selected(
        torch.tensor(tokens, device=device), tree.parents, block.scores[torch.tensor(tree.depths, device=device)]
    )


def _conditioned_tree(block: _Block, settings: Settings, offset: int) -> Draft:
    """The best paths where a node's distribution is conditioned on its parent's token."""
    root, depth = block.rows(0, block.anchor), block.scores.shape[0]
    slots = iter(range(1, depth))
    reader = LevelReader(lambda tokens, _: block.rows(next(slots), tokens))
    return grown(root, reader, settings, depth, offset, sparing=False)
