"""What is checked when, and what happens where a path differs: the plain way takes its part, or the run is refused with the reason."""

from collections.abc import Callable
from functools import partial
from math import isinf

import torch

from specviz.errors import CacheError, PairError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check, alike
from specviz.models.checks.paths import (
    check_cache,
    check_copy,
    check_early_exit,
    check_output,
    check_states,
    check_trees,
    failure,
)
from specviz.models.checks.reference import Reference, runs_own_decoder, texts_for
from specviz.models.heads.folder import BoundHead
from specviz.models.networks.divergence import divergences
from specviz.models.pair import Pair, Role


def loaded(model: CachedModel, role: str) -> tuple[CachedModel, tuple[Check, ...]]:
    """The model as a run may use it, and the checks: with transformers' own modules where our decoder scores texts differently.

    Args:
        role: "target" or "draft", for the checks' names.

    Raises:
        CacheError: the model cannot read a text in pieces, with tokens dropped in between.
        PairError: its scores are not finite.
    """
    checks: tuple[Check, ...] = ()
    if runs_own_decoder(model):
        own = check_cache(model, f"own decoder of the {role}")
        if own.passed:
            return model, (own,)
        decoder, model = model.decoder, model.stock()
        sentence = f"The {role} runs on transformers' own modules, because in our decoder ({decoder}) {own.note}."
        checks = (own.noted(sentence),)
    cache = check_cache(model, f"cache of the {role}")
    if not cache.passed:
        raise _reason(model, cache)
    return model, (*checks, cache)


def ready_for_trees(pair: Pair, *, draft: bool = True) -> None:
    """Compare the tree passes of the pair's models, once for each pair; where one differs, trees are read path by path.

    Uses the pair's caches: a run in progress on the pair cannot continue.

    Args:
        draft: whether the draft model reads trees too, if there is one.

    Raises:
        PairError: trees cannot be read on this pair.
    """
    for role, model in pair.models[: 1 + draft]:
        name = f"trees on the {role}"
        compare_once(pair, name, partial(_trees, model, name, role), role=role)
        _require(pair.checks[name])


def trees_are_checked(pair: Pair, *, draft: bool = True) -> bool:
    """Whether `ready_for_trees` has nothing left to compare."""
    return all(f"trees on the {role}" in pair.checks for role, _ in pair.models[: 1 + draft])


def ready_for_early_exit(pair: Pair, depth: int) -> None:
    """Compare the halves of the target at this depth, once for each pair and depth.

    Uses the pair's caches: a run in progress on the pair cannot continue.

    Raises:
        PairError: the halves do not give the target's scores.
    """
    name = f"early exit after {depth} layer{'' if depth == 1 else 's'}"
    refusal = f"An {name} cannot be used on {_name(pair.target)}: {{note}}. Choose another drafter."
    _require(compare_once(pair, name, partial(check_early_exit, pair.target, depth, name), refusal))


def ready_for_quantized(pair: Pair, copied: CachedModel) -> None:
    """Compare how the target in 8 bits reads in pieces and at once, once for each pair.

    Raises:
        PairError: it cannot read at all.
    """
    name = "quantized copy"
    refusal = f"A copy of {_name(copied)} in 8 bits cannot be used: {{note}}. Choose another drafter."
    _require(compare_once(pair, name, partial(check_copy, copied, name), refusal))


def ready_for_states(pair: Pair, head: BoundHead) -> None:
    """Compare what a trained head reads of the target with the target's own pass, once for each pair and set of layers: the states at its
    layers, and the scores that the output layer gives for the last states, if the head has none of its own.

    Uses the target's cache: a run in progress on the pair cannot continue.

    Raises:
        PairError: these states or scores are not the target's own.
    """
    tokens = head.frozen.tokens
    states = f"states at layers {', '.join(map(str, head.taps))}"
    output = "output layer from outside" + ("" if tokens is None else f", its rows for the head {head.spec.kind}")
    checks: dict[str, Callable[[], Check]] = {states: lambda: check_states(pair.target, head.taps, states)}
    if head.borrows_output:
        checks[output] = lambda: check_output(pair.target, head.frozen.score, tokens, output)
    for name, check in checks.items():
        refusal = f"A trained head cannot be used on {_name(pair.target)} ({name}: {{note}}): choose another drafter."
        _require(compare_once(pair, name, check, refusal))


def compare_once(
    pair: Pair, name: str, compare: Callable[[], Check], refusal: str = "", *, role: Role = "target"
) -> Check:
    """The outcome of comparing this path with the plain pass, which is done once for each pair and goes on its card.

    Args:
        compare: uses the models' caches, so a run in progress on the pair cannot continue.
        refusal: the sentence of a path that differs, with a gap `{note}` for the reason.
    """
    if name not in pair.checks:
        pair.take()
        found = compare()
        pair.remember(found if found.passed or not refusal else found.noted(refusal.format(note=found.note)), role)
    return pair.checks[name]


def _trees(model: CachedModel, name: str, role: str) -> Check:
    """The check of a tree in one pass; if it fails, that of a tree path by path."""
    one_pass = model.network
    known = one_pass.trees_by_path  # the config alone showed that masks cannot read a tree
    found = check_trees(model, name)
    if found.passed:
        return found.noted(f"Trees are read path by path on the {role}: {known.rstrip('.')}.") if known else found
    if not known:
        model.read_trees_by_path(found.note)
        again = check_trees(model, name)
        if again.passed:
            return again.noted(f"Trees are read path by path on the {role}: in one pass, {found.note}.")
        model.read_trees_by_path("")
        model.network = one_pass  # chains are read as they were when the cache was checked
    model.no_trees = f"A tree of drafts cannot be used on {_name(model)}: {found.note}. Choose another drafter."
    return found.noted(model.no_trees)


def _require(check: Check) -> None:
    if not check.passed:
        raise PairError(check.note)


def _name(model: CachedModel) -> str:
    return type(model.model).__name__


def _reason(model: CachedModel, check: Check) -> PairError:
    """Why a model whose own modules fill our cache cannot be used."""
    name = _name(model)
    reference = Reference(model, texts_for(model, 1, seed=0))
    try:
        finite = bool(reference.scores.isfinite().all())
    except Exception as error:  # noqa: BLE001  # whatever the model itself raises
        return PairError(
            f"{name} cannot read a text in {str(model.model.dtype).removeprefix('torch.')} on {model.device} "
            f"({failure(error)}): choose another number format or another model."
        )
    if not finite:
        return PairError(f"{name} gives logits that are not finite: choose float32, or download the model again.")
    if isinf(check.divergence):
        return CacheError(f"{name} cannot use a cache that is written in place ({check.note}): choose another model.")
    half = (reference.texts.shape[1] + 1) // 2
    with torch.inference_mode():
        alone = model.model(reference.texts[:, :half], use_cache=False).logits[0, :, : model.known]
    groups = [divergences(reference.scores[0, :half], alone)]
    if not alike(groups, reference.spread, lambda: reference.noise, model.model.dtype):
        return CacheError(
            f"In {name} the score of a token depends on the tokens after it, so it cannot continue a text: choose a causal "
            "language model."
        )
    return CacheError(
        f"{name} still attends to tokens that were dropped from its cache, and speculative decoding drops rejected "
        "tokens: choose a model with ordinary attention."
    )
