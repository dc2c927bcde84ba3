"""The checks themselves: each path reads a few texts in the way that runs use it, and its scores are compared with the plain pass."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from specviz.decoding.protocols import Scores
from specviz.errors import DeviceLostError, brief
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check, alike
from specviz.models.checks.reference import (
    LENGTH,
    SHORT,
    Reference,
    ScoresReference,
    StatesReference,
    keeps_states,
    narrowed,
    texts_for,
)
from specviz.models.devices import device_lost, out_of_memory
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.parts import divergences

Reads = Callable[[CachedModel, Tensor], Reference]  # the reference for these texts
Rows = tuple[Tensor, Tensor]  # logits [m, K] of the plain pass and of a path, for the same tokens
# Reads the reference's texts in its own way, and returns groups of rows that one fault would move together.
Path = Callable[[CachedModel, Reference], list[Rows]]
# The parents of the tree that is read: the last token of the text, two children, two grandchildren each.
TREES = (-1, 0, 0, 1, 1, 2, 2)
_LEAVES = ((1, 3), (1, 4), (2, 5), (2, 6))  # the nodes after the root on each of the four paths
_PIECE = 4  # tokens of a pass of several tokens after a prefix
_AFTER_TREE = 4
_MOST_AHEAD = 4


def check_cache(model: CachedModel, name: str = "cache") -> Check:
    """Reading in pieces after a prefix, with a piece rolled back: the cache, and the decoder that fills it."""
    return _confirmed(name, model, 1, _pieces, first=SHORT)


def check_trees(model: CachedModel, name: str = "tree") -> Check:
    """A tree in one pass and level by level, and the text that continues one of its paths."""
    if model.context < 1 + len(_LEAVES[0]) + _AFTER_TREE:
        return Check(name, False, inf, 0.0, f"the context of {model.context} tokens is too short for a tree")
    return _confirmed(name, model, len(_LEAVES), _tree)


def check_early_exit(model: CachedModel, depth: int, name: str = "early exit") -> Check:
    """Tokens that the first `depth` layers read ahead, one by one and two at once, and the pass that continues from their states."""
    return _confirmed(name, model, 1, lambda model, reference: _ahead(model, reference, depth))


def check_copy(copied: CachedModel, name: str) -> Check:
    """A changed copy of a model reads in pieces what it reads at once, as closely as a model in 16 bits: its states are whole numbers.

    There is no plain pass to compare it with; and as a draft its scores only decide how often the target agrees.
    """

    def pieces(model: CachedModel, reference: Reference) -> list[Rows]:
        text = reference.texts[0]
        prefix = _beginning(text.shape[0])
        model.begin(text.shape[0])
        at_once = model.forward(text).logits
        model.keep(range(prefix))
        return [(at_once[prefix:], _rest(model, text, prefix))]

    return _confirmed(name, copied, 1, pieces, dtype=torch.float16)


def check_states(model: CachedModel, taps: Sequence[int], name: str = "states") -> Check:
    """The states at these layers, read in pieces, and in trees where the model reads trees."""

    def path(model: CachedModel, reference: Reference) -> list[Rows]:
        assert isinstance(reference, StatesReference), "that is what is compared"
        model.tap(taps)
        states_model: Any = _StatesModel(model, reference.standardised)
        return [*(_tree(states_model, reference) if trees else []), *_pieces(states_model, reference)]

    long_enough = model.context >= 1 + len(_LEAVES[0]) + _AFTER_TREE
    trees = long_enough and not model.no_trees and not model.network.tree_refusal
    return _confirmed(name, model, len(_LEAVES) if trees else 1, path, reads=partial(StatesReference, taps=tuple(taps)))


def check_output(
    model: CachedModel, score: Callable[[Tensor], Tensor], ids: Tensor | None = None, name: str = "output layer"
) -> Check:
    """The scores that the output layer gives for the states after the final normalisation, when it is called from
    outside. `score`: from states [m, width] to the scores of all ids, or of `ids`."""

    def path(model: CachedModel, reference: Reference) -> list[Rows]:
        model.tap((model.network.depth,))
        states_model: Any = _StatesModel(model, lambda states: score(states[:, 0]))
        return _pieces(states_model, reference)

    return _confirmed(name, model, 1, path, reads=Reference if ids is None else partial(ScoresReference, ids=ids))


class _StatesModel:
    """A model as the paths below read it, with something made of its states in place of its scores. `score`: from
    states [m, taps, width] to rows [m, K]."""

    def __init__(self, model: CachedModel, score: Callable[[Tensor], Tensor]) -> None:
        self._model, self._score = model, score

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None) -> Scores:
        """A pass of the model, with rows made of its states."""
        states = self._model.forward(tokens, parents).states
        assert states is not None, "the model was tapped"
        return Scores(self._score(states))


def _confirmed(
    name: str,
    model: CachedModel,
    count: int,
    path: Path,
    first: int = LENGTH,
    reads: Reads = Reference,
    dtype: torch.dtype | None = None,
) -> Check:
    """The outcome on one set of texts of `first` tokens; where that differs, on another set, because 16-bit formats can be unlucky once.

    `dtype` is the format whose rounding is allowed, the model's own by default. The model's cache is empty afterwards, and its passes return
    no states. Raises DeviceLostError or MemoryError or RuntimeError if the device failed or the memory ran out, so the path is not judged.
    """
    began = perf_counter()
    check = Check(name, False, inf, 0.0)
    try:
        for seed, length in enumerate((first, LENGTH)):
            if not check.passed:
                texts = texts_for(model, count, seed, length)
                check = _compared(name, model, reads(model, texts), path, dtype or model.model.dtype)
    finally:
        model.tap(())
        model.free_again()
    return replace(check, seconds=perf_counter() - began)


def _compared(name: str, model: CachedModel, reference: Reference, path: Path, dtype: torch.dtype) -> Check:
    try:
        with narrowed(model), torch.inference_mode():
            groups = [divergences(*rows) for rows in path(model, reference)]
            scans = keeps_states(model)
            passed = alike(groups, reference.spread, lambda: reference.noise, dtype, scans=scans)
    except Exception as error:  # whatever a path raises, it is set aside
        if isinstance(error, DeviceLostError) or device_lost(error) or out_of_memory(error):
            raise
        return Check(name, False, inf, 0.0, brief(error))
    finally:
        model.begin(0)
    divergence = float(torch.cat(groups).mean())
    apart = f"differ from the plain pass by {divergence:.2g} nats per token" if divergence < inf else "are not numbers"
    return Check(name, passed, divergence, 0.0, "" if passed else f"its scores {apart}")


def _pieces(model: CachedModel, reference: Reference) -> list[Rows]:
    """The beginning of the text and a wrong continuation in one pass; then, once that is dropped, the rest in pieces."""
    text, plain, cut = reference.texts[0], reference.scores[0], reference.scores.shape[-1]
    prefix = _beginning(text.shape[0])
    wrong = text.flip(0)[: min(_PIECE, text.shape[0] - prefix)]
    model.begin(text.shape[0])
    before = model.forward(torch.cat([text[:prefix], wrong])).logits[:prefix]
    groups = [(plain[:prefix], before[:, :cut])]
    model.keep(range(prefix))
    after = _rest(model, text, prefix)
    return [*groups, (plain[prefix:], after[:, :cut])] if prefix < text.shape[0] else groups


def _beginning(count: int) -> int:
    """How many tokens come before the pieces."""
    return max(1, count - 2 * _PIECE - 2)


def _rest(model: CachedModel, text: Tensor, begin: int) -> Tensor:
    """[m, V] logits of the text from `begin` on: all but the last token in one pass, then that one.

    Where passes are captured, those of one length come twice: made in the first, replayed in the other.
    """
    count, at = text.shape[0], begin
    lengths = [max(1, count - begin - 1)]
    if isinstance(model.network.innermost, GraphedDecoder):
        lengths = [_PIECE, _PIECE] if count - begin >= 2 * _PIECE else []
    rows: list[Tensor] = []
    while at < count:
        length = lengths.pop(0) if lengths else 1
        rows.append(model.forward(text[at : at + length]).logits)
        model.keep(range(length))
        at += length
    return torch.cat(rows) if rows else torch.empty(0)


def _tree(model: CachedModel, reference: Reference) -> list[Rows]:
    """Four texts that share a prefix and then branch twice."""
    texts = reference.texts.clone()
    root = texts.shape[1] - 1 - len(_LEAVES[0]) - _AFTER_TREE
    texts[:, : root + 1] = texts[0, : root + 1]
    texts[1, root + 1], texts[3, root + 1] = texts[0, root + 1].clone(), texts[2, root + 1].clone()
    reference.texts = texts
    tokens, plain = texts.new_zeros(len(TREES)), [reference.scores[0, root]] * len(TREES)
    tokens[0] = texts[0, root]
    for leaf, nodes in enumerate(_LEAVES):
        for depth, node in enumerate(nodes, 1):
            tokens[node], plain[node] = texts[leaf, root + depth], reference.scores[leaf, root + depth]
    cut, expected, groups = reference.scores.shape[-1], torch.stack(plain), []
    for levels in (((0, 7),), ((0, 1), (1, 3), (3, 7))):  # as a target verifies; as a draft model grows it
        model.begin(texts.shape[1] + len(TREES))
        if root:
            model.forward(texts[0, :root])
            model.keep(range(root))
        rows = [model.forward(tokens[first:end], [p - first for p in TREES[first:end]]).logits for first, end in levels]
        groups.append((expected, torch.cat(rows)[:, :cut]))
        model.keep([0, *_LEAVES[2]])
        after = model.forward(texts[2, -_AFTER_TREE:]).logits
        groups.append((reference.scores[2, -_AFTER_TREE:], after[:, :cut]))
    return groups


def _ahead(model: CachedModel, reference: Reference, depth: int) -> list[Rows]:
    text, plain, cut = reference.texts[0], reference.scores[0], reference.scores.shape[-1]
    count = text.shape[0]
    prefix = max(0, count - 3 * _MOST_AHEAD)
    model.begin(count)
    if prefix:
        model.forward(text[:prefix])
        model.keep(range(prefix))
    rows, at = [], prefix
    # As many read ahead as verified, fewer, and none: a pass of the full model must not notice that its halves were made.
    for ahead, length in ((4, 4), (3, 4), (0, 4)):
        end = min(at + length, count)
        for begin, stop in ((at, at + 1), (at + 1, at + 2), (at + 2, at + ahead)):
            if begin < stop <= end and ahead:
                model.look_ahead(text[begin:stop], depth, rows=1)
        if at < end:
            rows.append((plain[at:end], model.forward(text[at:end]).logits[:, :cut]))
            model.keep(range(end - at))
        at = end
    return rows
