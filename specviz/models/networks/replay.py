"""Going back by reading again: for states that cannot be cut, and for trees that no mask can express.

The tokens that were read are remembered. To go back, the newest saved state from before the dropped tokens is restored, and the tokens
between it and the new end of the text are read again, in front of the next pass. A tree is read path by path: each path from its root
to a leaf as a chain after the text.
"""

from collections.abc import Hashable, Sequence
from itertools import takewhile
from typing import Any

import torch
from torch import Tensor

from specviz.models.networks.network import DraftStep, Network
from specviz.models.networks.positions import Positions
from specviz.models.networks.recurrent import RecurrentNetwork

# Up to this many tokens are read again in one pass with the new ones. More get a pass of their own, after which a
# state is saved.
_MERGED = 8
_SAVED_EVERY = 64  # a text that grows by single tokens, as in plain decoding, saves a state once for this many tokens


class ReplayNetwork(Network):
    """A network that wraps another one and lets it read chains only.

    The text and the pending tokens have slots, as `Positions` numbers them. The wrapped network has read a line of them: the full text
    and after it a branch of pending tokens, or only the beginning of the text.

    Args:
        network: reads chains; a `RecurrentNetwork` also saves and restores its states.
        reason: why trees are read path by path; "" where they are not, because a mask can express them.
        boundary: a longrope model's `rotary_boundary`. A line that is longer than this is read again from the start in one pass, so
            that all keys are rotated alike, as in a pass without a cache.

    Attributes:
        replayed: tokens that were read again since `begin`.
    """

    def __init__(self, network: Network, reason: str = "", boundary: int | None = None) -> None:
        self.network, self.boundary = network, boundary
        self.dtype, self.taps = network.dtype, network.taps
        self.tree_refusal, self.trees_by_path = "" if reason else network.tree_refusal, reason
        self._states = network if isinstance(network, RecurrentNetwork) and network.states.must_be_saved else None
        self._stepwise = isinstance(network, RecurrentNetwork) and network.stepwise
        self._ids = torch.empty(0, dtype=torch.int64)
        self._capacity = self._text = self._at = self.replayed = 0
        self._branch: list[int] = []
        self._saved: dict[int, Any] = {}
        self._direct = self._attention = self._long = False
        self._clear()

    @property
    def depth(self) -> int:
        return self.network.depth

    @property
    def split_refusal(self) -> str:
        return self.network.split_refusal

    @property
    def kind(self) -> str:
        if self._states:
            return f"{self.network.kind}, its state saved and replayed"
        return f"{self.network.kind}, trees path by path" if self.trees_by_path else self.network.kind

    @property
    def innermost(self) -> Network:
        return self.network.innermost

    def show(self, taps: tuple[int, ...]) -> None:
        self.taps = taps
        self.network.show(taps)

    @property
    def drafts_at_once(self) -> bool:
        return self.network.drafts_at_once

    def boundaries(self, first: int, last: int) -> list[int]:
        return self.network.boundaries(first, last)

    def begin(self, capacity: int) -> None:
        self.network.begin(capacity)
        self._capacity = capacity
        self._clear()

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if self._direct:
            return self.network.read(tokens, positions, rows)
        self._write(tokens, positions)
        new = [*range(positions.begin, positions.end)]
        if positions.attends is not None:
            return self._read_tree(new, positions.attends, rows)
        if self._is_next(positions.begin):
            self._follows(positions.end)
            return self.network.read(tokens, positions, rows)
        # Only the end of a prompt is scored.
        prompt = positions.begin == 0 and rows is not None
        path = [*range(self._text, positions.begin), *new]
        return self._score(path, len(new), len(new) if rows is None else min(rows, len(new)), prompt=prompt)

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        if not self._direct:
            self._go_back(0)
            self._catch_up()
        return self.network.lower(tokens, positions, depth, rows)

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        if not self._direct:
            self._write(tokens, positions)
            self._follows(positions.end)
        return self.network.upper(tokens, states, positions, depth, rows)

    def draft(
        self, tokens: Tensor, begin: int, count: int, step: DraftStep, kind: Hashable, numbers: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """See `Network.draft`; `drafted` must follow."""
        if not self._direct:
            self._go_back(_common(self._branch, range(self._text, begin)))
            if self._at < begin:
                self._read_line([*range(self._at, begin)], 1)
        return self.network.draft(tokens, begin, count, step, kind, numbers)

    def drafted(self, tokens: Tensor, begin: int) -> None:
        if not self._direct:
            positions = Positions(begin, tokens.shape[0])
            self._write(tokens, positions)
            self._follows(positions.end)

    @torch.inference_mode()
    def keep(self, begin: int, slots: Sequence[int]) -> None:
        assert begin == self._text, "the pending tokens follow the text"
        path = list(slots)
        end = self._text + len(path)
        if self._direct:
            self.network.keep(begin, path)
        else:
            self._go_back(_common(self._branch, path))
            if path != [*range(self._text, end)]:
                self._ids[self._text : end] = self._ids[path]
            newest = max(self._saved, default=0)
            self._saved = {length: state for length, state in self._saved.items() if length == newest}
        self._text, self._branch = end, []

    def by_path(self, reason: str) -> None:
        """Read trees path by path from the next `begin` on."""
        self.tree_refusal, self.trees_by_path = "", reason
        self._clear()

    def release(self) -> None:
        self.network.release()
        self._ids, self._capacity = self._ids[:0], 0
        self._clear()

    def buffers(self) -> list[Tensor]:
        return self.network.buffers()

    def _clear(self) -> None:
        self._text = self._at = self.replayed = 0
        self._branch, self._saved = [], {}
        crosses = self.boundary is not None and self._capacity > self.boundary
        self._long = False
        self._attention = not (isinstance(self.network, RecurrentNetwork) or crosses)
        self._direct = not (self._states or self.trees_by_path or crosses)

    def _is_next(self, begin: int) -> bool:
        """True if the cache already holds all tokens before `begin`, in their own slots, so that a chain is read as without this wrapper."""
        return self._attention and self._at == begin and self._branch == [*range(self._text, begin)]

    def _follows(self, end: int) -> None:
        """Note that the line is the text and all pending tokens up to `end`, as one chain."""
        self._at, self._branch = end, [*range(self._text, end)]

    def _write(self, tokens: Tensor, positions: Positions) -> None:
        if self._ids.shape[0] < self._capacity or self._ids.device != tokens.device:
            self._ids = torch.zeros(self._capacity, dtype=torch.int64, device=tokens.device)
        self._ids[positions.begin : positions.end] = tokens

    def _score(self, path: list[int], count: int, rows: int, *, prompt: bool = False) -> tuple[Tensor, Tensor]:
        """The logits of the last `rows` tokens of a path of pending slots after the text, and the states of the last `count`."""
        end = self._text + len(path)
        if prompt or self.boundary is None or not end - count < self.boundary < end:
            return self._follow(path, count, rows, prompt=prompt)
        following = end - self.boundary
        before = self._follow(path[: len(path) - following], count - following, max(1, rows - following))
        after = self._follow(path, following, min(rows, following))
        return torch.cat([before[0], after[0]])[-rows:], torch.cat([before[1], after[1]])

    def _follow(self, path: list[int], count: int, rows: int, *, prompt: bool = False) -> tuple[Tensor, Tensor]:
        """Follow tokens on one side of the boundary. Reads at least the last `count` tokens."""
        self._go_back(min(_common(self._branch, path), len(path) - count))
        self._rotate_for(self._text + len(path))
        if self._text - self._at > _MERGED and not self._long:
            self._catch_up()
        begin = self._at
        slots = [*range(begin, self._text), *path[max(0, begin - self._text) :]]
        self.replayed += len(slots) - count
        logits, states = self._read_line(slots, rows, prompt=prompt)
        self._branch = path
        return logits, states[-count:]

    def _read_tree(self, new: list[int], attends: Tensor, rows: int | None) -> tuple[Tensor, Tensor]:
        """Read every path to a leaf of a tree; a token that several paths share is scored once."""
        self._go_back(len(self._branch))
        pending: list[list[bool]] = attends[:, self._text :].tolist()
        paths = [[self._text + index for index, attended in enumerate(row) if attended] for row in pending]
        inner = {path[-2] for path in paths if len(path) > 1}
        results: dict[int, tuple[Tensor, Tensor]] = {}
        for path in sorted(path for path in paths if path[-1] not in inner):
            unread = [slot for slot in path if slot >= new[0] and slot not in results]
            logits, states = self._score(path, len(unread), len(unread))
            states = states if states.numel() else logits[:, :0]
            results.update(zip(unread, zip(logits, states, strict=True), strict=True))
        scored = new if rows is None else new[-rows:]
        return torch.stack([results[slot][0] for slot in scored]), torch.stack([results[slot][1] for slot in new])

    def _read_line(self, slots: list[int], rows: int, *, prompt: bool = False) -> tuple[Tensor, Tensor]:
        """Read these slots after everything in the line so far, in one pass, or one by one where the model needs that; the last `rows` are
        scored."""
        begin, count = self._at, len(slots)
        contiguous = slots == [*range(slots[0], slots[0] + count)]
        ids = self._ids[slots[0] : slots[0] + count] if contiguous else self._ids[slots]
        self._at = begin + count
        self._long = self._is_long(self._at)
        if prompt or not self._stepwise:
            return self._read_part(ids, Positions(begin, count), rows)
        logits, states = [], []
        for first in range(count):
            scores, hidden = self._read_part(ids[first : first + 1], Positions(begin + first, 1), 1)
            if first >= count - rows:
                logits.append(scores)
            states.append(hidden)
        return torch.cat(logits), torch.cat(states)

    def _read_part(self, ids: Tensor, positions: Positions, rows: int) -> tuple[Tensor, Tensor]:
        newest = max(self._saved, default=0)
        alone = positions.count == 1 and positions.begin == self._text
        if not (alone and newest > 0 and positions.begin - newest < _SAVED_EVERY):
            self._save(positions.begin)
        return self.network.read(ids, positions, rows)

    def _is_long(self, length: int) -> bool:
        return self.boundary is not None and length > self.boundary

    def _rotate_for(self, length: int) -> None:
        """Start the line again if its keys are rotated for the other side of the boundary than a line of this length needs."""
        if self._is_long(length) != self._long:
            self.network.begin(self._capacity)
            self._at, self._long = 0, self._is_long(length)
            self._branch, self._saved = [], {}

    def _catch_up(self) -> None:
        if self._at < self._text:
            self.replayed += self._text - self._at
            self._read_line([*range(self._at, self._text)], 1)

    def _go_back(self, common: int) -> None:
        """Shorten the line to the text and the first `common` tokens of the branch, or further where no state was saved there."""
        target = min(self._at, self._text + common)
        if target == self._at:
            return
        if self._states:
            target = max(length for length in self._saved if length <= target)
            self._saved = {length: state for length, state in self._saved.items() if length <= target}
            self._states.restore(self._saved[target])
        self._at, self._branch = target, self._branch[: max(0, target - self._text)]

    def _save(self, length: int) -> None:
        """Save the state after `length` tokens of the line, which the network has just read."""
        if self._states and length not in self._saved:
            self._saved[length] = self._states.save()


def _common(first: Sequence[int], second: Sequence[int]) -> int:
    """The number of leading slots that two paths have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def rotary_boundary(config: Any) -> int | None:
    """The position from which a model with longrope frequencies uses other ones; None for all other models.

    Ding et al., "LongRoPE", arXiv 2402.13753. transformers chooses one set of frequencies for all tokens of a pass.
    """
    parameters = getattr(config, "rope_parameters", None) or {}
    kinds = [parameters, *(kind for kind in parameters.values() if isinstance(kind, dict))]
    stated = getattr(config, "original_max_position_embeddings", None)
    limits = [
        kind.get("original_max_position_embeddings", stated) for kind in kinds if kind.get("rope_type") == "longrope"
    ]
    return min((limit for limit in limits if limit), default=None)
