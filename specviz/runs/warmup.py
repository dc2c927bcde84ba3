"""Makes every kind of pass of a run once, before its clock starts."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter, LanguageModel, Reading
from specviz.decoding.sampling import draws_for
from specviz.models.cached_model import CachedModel
from specviz.models.networks.graphs import LONGEST
from specviz.settings import AUTO, Settings


def warm_up(target: LanguageModel, drafter: Drafter, settings: Settings, capacity: int) -> None:
    """Let target and drafter make their passes on a meaningless text, in caches of the run's size.

    For GPUs, where the first pass of a kind is captured as a graph, which takes longer than the pass itself: passes over every number of
    tokens that a round may verify, with the states that the drafter reads, and drafts after one unread token and after two. Longer texts
    use other graphs, so all of this is repeated for every length of text at which other graphs come into use.
    """
    drafter = drafter.other or drafter  # copies take no pass of their own
    target.tap(drafter.taps)
    prompt = max(1, capacity - settings.max_new_tokens - settings.widest - 1)
    model = drafter.model
    with torch.inference_mode():
        for length in _lengths(target, model, prompt, prompt + settings.max_new_tokens):
            reading = _start(target, max(1, length - 1), capacity)  # a pass that reads a prompt is not captured
            if model is None:
                text = [0] * (len(reading.kept) + 1)
                drafter.begin(text, capacity)
                drafter.saw(reading)
                drafter.propose(text, settings, draws_for(settings, target.device), settings.k)
            for count in range(1 if isinstance(drafter, NoDrafter) else settings.k + 1, 0, -1):
                _pass(target, count)
            if _grows_trees(drafter):
                for count in _sizes(settings.nodes + 1):
                    _pass(target, count, [-1, *[0] * (count - 1)])
            if model is not None:
                _drafts(target, drafter, model, settings, [0] * max(2, length), capacity)


def _lengths(target: LanguageModel, model: LanguageModel | None, first: int, last: int) -> list[int]:
    """The lengths of text at which other graphs come into use in the target or in the drafter's own model."""
    boundaries = [reader.boundaries(first, last) for reader in (target, model) if isinstance(reader, CachedModel)]
    return sorted({first, *(length for lengths in boundaries for length in lengths)})


def _grows_trees(drafter: Drafter) -> bool:
    """True if the target verifies trees."""
    described = registry.descriptions().get(drafter.name)
    return described is not None and described.shape == "tree"


def _drafts(
    target: LanguageModel, drafter: Drafter, model: LanguageModel, settings: Settings, text: list[int], capacity: int
) -> None:
    """Drafts after this text, after one unread token and after two; by a drafter that shares the target's cache, drafts of every length
    and the passes that verify them."""
    fixed, draws = replace(settings, policy="fixed"), draws_for(settings, target.device)
    if model is target:
        drafter.begin(text, capacity)
        last = torch.tensor(text[-1:], device=target.device)
        for limit in range(settings.k, 0, -1):
            draft = drafter.propose(text, fixed, draws, limit)
            target.forward(torch.cat([last, draft.tokens]), draft.parents_after_last)
            target.keep(())
        return
    for prefix in (text, text[:-1]):
        drafter.begin(prefix, capacity)
        if prefix is text:
            _pass(model, 1)
            for count in range(1, 1 + (LONGEST if settings.policy == AUTO else 2)):
                _pass(model, count, rows=1)
            if isinstance(drafter, TreeDrafter):
                _levels(model, settings.nodes)
            drafter.begin(prefix, capacity)  # what it had read without keeping went with these passes
        drafter.propose(text, fixed, draws, settings.k)
        for limit in range(settings.k - 1, 0, -1) if settings.policy == AUTO else ():
            drafter.begin(prefix, capacity)
            drafter.propose(text, settings, draws, limit)


def _levels(model: LanguageModel, most: int) -> None:
    """Passes over the levels of trees of up to `most` tokens: the first level, and one after all other tokens of the tree."""
    for count in _sizes(most):
        _pass(model, count, [-1] * count)
        others = most - count
        if others > 1:
            model.forward(_zeros(model, others), [-1] * others)
            _pass(model, count, [-1 - others] * count)


def _sizes(most: int) -> list[int]:
    """The powers of two from 2 up to `most`, and `most`."""
    return sorted({*(1 << power for power in range(1, most.bit_length())), max(2, most)})


def _start(model: LanguageModel, length: int, capacity: int) -> Reading:
    """Let the model read a text of this length."""
    model.begin(capacity)
    tokens = _zeros(model, length)
    reading = Reading(tokens, model.forward(tokens, rows=1), tuple(range(length)))
    model.keep(reading.kept)
    return reading


def _pass(model: LanguageModel, count: int, parents: Sequence[int] | None = None, rows: int | None = None) -> None:
    """A pass over this many tokens, rolled back together with everything pending."""
    model.forward(_zeros(model, count), parents, rows)
    model.keep(())


def _zeros(model: LanguageModel, count: int) -> Tensor:
    return torch.zeros(count, dtype=torch.long, device=model.device)
