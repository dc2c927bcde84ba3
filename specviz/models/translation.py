"""Between the token ids of two tokenizers: by the bytes of each id, and through text.

Timor et al., "Accelerating LLM Inference with Lossless Speculative Decoding Algorithms for Heterogeneous Vocabularies", arXiv 2502.05202.
Nothing here has to be exact for the text to be the target's own: a bad translation costs acceptance, never a token.
"""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from specviz.models.tokens import TokenText

_BEFORE = 10
"""Tokens before the end of the text that are cut again together with a draft, because a merge may cross the border."""


class Translation:
    """From a target's ids to a draft model's, and back.

    An id is shared when an id of the other tokenizer has the same bytes, ordinary token with ordinary token, special with special; the ends
    of text are paired too. What a tokenizer puts before every text is translated as a whole: the draft model reads its own beginning once,
    whether the target's text has one or not. Special tokens go by this table, never through text, where their names would be read as words.

    Args:
        target, draft: the two tokenizers.
        target_ends, draft_ends: the ids that end a text; the first of each are paired.
    """

    def __init__(
        self,
        target: TokenText,
        draft: TokenText,
        target_ends: Sequence[int] = (),
        draft_ends: Sequence[int] = (),
    ) -> None:
        self._target, self._draft = target, draft
        self._ends = frozenset(draft_ends)
        theirs = _by_bytes(draft)
        self._known, self._longest = theirs[False], max(map(len, theirs[False]), default=0)
        pairs: dict[int, int] = {}
        for index in range(target.vocabulary):
            found = target.bytes_of(index)
            other = theirs[found.special].get(found.data) if found.data else None
            if other is not None:
                pairs[index] = other
        if target_ends and draft_ends:
            pairs |= dict.fromkeys(target_ends, min(draft_ends))
        self._pairs = pairs
        self._back = {theirs: ours for ours, theirs in pairs.items() if theirs not in self._ends}
        self._end = min(target_ends, default=None)
        self.begin, self._first = _beginning(draft), _beginning(target)
        lead = self.begin[-1:] or tuple(sorted(self._ends)[:1])
        self._leads = dict.fromkeys(self._first, lead) if lead else {}
        self.pieces = cache(self._pieces)

    @property
    def shared(self) -> tuple[Tensor, Tensor]:
        """[n] the target's ids that are shared, and [n] the draft model's ids for them."""
        ours = sorted(self._pairs)
        return torch.tensor(ours, dtype=torch.long), torch.tensor([self._pairs[one] for one in ours], dtype=torch.long)

    @property
    def overlap(self) -> float:
        """The share of the target's ids that the draft model has too."""
        return len(self._pairs) / max(1, self._target.vocabulary)

    def to_draft(self, ids: Sequence[int]) -> list[int]:
        """The draft model's ids for a text of the target's: cut again as its own tokenizer does between special tokens."""
        found, text = list(self.begin), bytearray()
        for index in ids[len(self._first) :] if self.begins(ids) else ids:
            spelled = self._target.bytes_of(index)
            if spelled.special:
                found += self._cut(bytes(text))
                text.clear()
                found += self.pieces(index)
            else:
                text += spelled.data
        return [*found, *self._cut(bytes(text))]

    def begins(self, ids: Sequence[int]) -> bool:
        """Whether this text of the target's begins with what its tokenizer puts before every text."""
        return bool(self._first) and tuple(ids[: len(self._first)]) == self._first

    def spelled(self, ids: Sequence[int]) -> tuple[bytes, ...]:
        """The bytes of each of the draft model's ids; none for a special token."""
        found = [self._draft.bytes_of(index) for index in ids]
        return tuple(b"" if one.special else one.data for one in found)

    def to_target(self, ids: Sequence[int], after: Sequence[int]) -> list[int]:
        """The target's ids for what the draft model wrote after this text of the target's: up to the last whole character.

        The end of the text is cut again with it. Where that changes tokens of the text, what was written is cut by itself.
        """
        text, end = bytearray(), []
        for index in ids:
            if index in self._ends:
                end = [] if self._end is None else [self._end]
                break
            spelled = self._draft.bytes_of(index)
            if spelled.special:
                break
            text += spelled.data
        written = _whole(bytes(text))
        if len(written) < len(text):
            end = []
        if not written:
            return end
        tail = self._tail(after)
        before = b"".join(self._target.bytes_of(index).data for index in tail)
        both = _encoded(self._target, before + written) if _whole(before) == before else None
        if both is not None and both[: len(tail)] == tail and len(both) > len(tail):
            return [*both[len(tail) :], *end]
        alone = _encoded(self._target, written)
        return [*alone, *end] if alone is not None else []

    def _tail(self, after: Sequence[int]) -> list[int]:
        """The last tokens of the text that are ordinary ones and begin with a whole character."""
        tail: list[int] = []
        for index in reversed(after[-_BEFORE:]):
            if self._target.bytes_of(index).special:
                break
            tail.insert(0, index)
        while tail and not _starts_character(self._target.bytes_of(tail[0]).data):
            tail.pop(0)
        return tail

    def _cut(self, text: bytes) -> list[int]:
        """The draft model's ids of ordinary text."""
        if not text:
            return []
        whole = _whole(text)
        found = _encoded(self._draft, whole) if whole else []
        return [*(self._greedy(whole) if found is None else found), *self._greedy(text[len(whole) :])]

    def _pieces(self, index: int) -> tuple[int, ...]:
        """The draft model's ids for one id of the target's: the shared one, or several that have its bytes together. The target's beginning
        is the draft model's own, or the end of a text where it has none: there a new text follows."""
        if index in self._leads:
            return self._leads[index]
        if index in self._pairs:
            return (self._pairs[index],)
        return tuple(self._greedy(self._target.bytes_of(index).data))

    def _greedy(self, text: bytes) -> list[int]:
        """Ordinary ids of the draft model whose bytes are this text, the longest first; bytes that it cannot write are left out."""
        found, at = [], 0
        while at < len(text):
            for length in range(min(self._longest, len(text) - at), 0, -1):
                piece = self._known.get(text[at : at + length])
                if piece is not None:
                    found.append(piece)
                    at += length
                    break
            else:
                at += 1
        return found


def _by_bytes(text: TokenText) -> dict[bool, dict[bytes, int]]:
    """The lowest id for every sequence of bytes, of ordinary tokens (False) and of special ones (True)."""
    found: dict[bool, dict[bytes, int]] = {False: {}, True: {}}
    for index in range(text.vocabulary):
        spelled = text.bytes_of(index)
        if spelled.data:
            found[spelled.special].setdefault(spelled.data, index)
    return found


def _beginning(text: TokenText) -> tuple[int, ...]:
    """The special ids that this tokenizer puts before every text."""
    ids = list(text.tokenizer("a", verbose=False)["input_ids"])
    first = next((i for i, index in enumerate(ids) if not text.bytes_of(index).special), 0)
    return tuple(ids[:first])


def _encoded(text: TokenText, written: bytes) -> list[int] | None:
    """The ids of ordinary text without special tokens; None where they do not spell it, as with tokenizers that change blanks or letters."""
    ids = list(
        text.tokenizer(written.decode(), add_special_tokens=False, split_special_tokens=True, verbose=False)[
            "input_ids"
        ]
    )
    spelled = [text.bytes_of(index) for index in ids]
    if any(one.special for one in spelled) or b"".join(one.data for one in spelled) != written:
        return None
    return ids


def _whole(text: bytes) -> bytes:
    """The text without bytes of an unfinished character at its end; all of it up to the first bytes that are no text at all."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return text[: error.start]
    return text


def _starts_character(value: bytes) -> bool:
    """Whether these bytes do not begin in the middle of a character."""
    return not value or not 0x80 <= value[0] < 0xC0
