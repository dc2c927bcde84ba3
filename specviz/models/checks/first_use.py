"""Every comparison of an indirect path with the plain pass, made when the path is first used on a pair. Where a path differs, the plain way takes
its part, or its check has the sentence that refuses the run."""

from math import isinf

import torch

from specviz.errors import CacheError, PairError, brief
from specviz.models.cached_model import CachedModel
from specviz.models.checks.guesses import check_first_guesses
from specviz.models.checks.measure import Check, alike
from specviz.models.checks.paths import (
    check_cache,
    check_copy,
    check_early_exit,
    check_output,
    check_states,
    check_trees,
)
from specviz.models.checks.reference import Reference, runs_own_decoder, texts_for
from specviz.models.heads import folder as head_folder
from specviz.models.heads.folder import BoundHead
from specviz.models.networks.parts import divergences
from specviz.models.pair import Pair, Role, at_first_use
from specviz.models.quantized import quantized


def checked_model(model: CachedModel, role: str) -> tuple[CachedModel, tuple[Check, ...]]:
    """The model as a run may use it, and the checks: with transformers' own modules where our decoder scores texts differently.
    Raises CacheError if the model cannot read a text in pieces, with tokens dropped in between; PairError if its scores are not
    finite.

    Args:
        role: "target" or "draft", for the checks' names.
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


@at_first_use
def head_of(pair: Pair, kind: str) -> BoundHead:
    """The trained head of this kind. Raises PairError if there is none, its folder is damaged, or it was trained for
    other weights."""
    if kind in pair.heads:
        return pair.heads[kind]
    if kind not in pair.head_folders:
        raise PairError(
            f"{pair.name} has no trained head of the kind {kind}: give its folder, or choose another drafter."
        )
    return head_folder.load(pair.head_folders[kind], pair.target, pair.card.target.name, pair.text.digest)


@at_first_use
def quantized_copy(pair: Pair) -> CachedModel:
    """The target with its weights in 8 bits. Raises PairError if this machine lacks the kernels or the memory, or the model cannot be
    quantised."""
    return quantized(pair.target)


@at_first_use
def tree_check(pair: Pair, role: Role) -> Check:
    """Compare the tree passes of a model; where one differs, trees are read path by path."""
    model = pair.target if role == "target" else pair.require_draft()
    one_pass = model.network
    reason = one_pass.trees_by_path  # the config alone showed that masks cannot read a tree
    check = check_trees(model, f"trees on the {role}")
    if check.passed:
        return check.noted(f"Trees are read path by path on the {role}: {reason.rstrip('.')}.") if reason else check
    if not reason:
        model.read_trees_by_path(check.note)
        again = check_trees(model, check.name)
        if again.passed:
            return again.noted(f"Trees are read path by path on the {role}: in one pass, {check.note}.")
        model.read_trees_by_path("")
        model.network = one_pass  # chains are read as they were when the cache was checked
    model.no_trees = f"A tree of drafts cannot be used on {_name(model)}: {check.note}. Choose another drafter."
    return check.noted(model.no_trees)


@at_first_use
def exit_check(pair: Pair, depth: int) -> Check:
    """Compare the halves of the target at this depth: do they give the target's scores? Raises PairError if it has none."""
    if reason := pair.target.network.split_refusal:
        raise PairError(reason)
    name = f"early exit after {depth} layer{'' if depth == 1 else 's'}"
    refusal = f"An {name} cannot be used on {_name(pair.target)}: {{note}}. Choose another drafter."
    return _refused(check_early_exit(pair.target, depth, name), refusal)


@at_first_use
def copy_check(pair: Pair) -> Check:
    """Compare how the target in 8 bits reads in pieces and at once."""
    copied = quantized_copy(pair)
    refusal = f"A copy of {_name(copied)} in 8 bits cannot be used: {{note}}. Choose another drafter."
    return _refused(check_copy(copied, "quantized copy"), refusal)


def head_checks(pair: Pair, head: BoundHead) -> tuple[Check, ...]:
    """Compare what a trained head reads of the target with the target's own pass, and what it guesses with the target's own choices; the checks
    end with the first that fails."""
    checks = [_states_check(pair, head.taps)]
    if checks[-1].passed and head.frozen.borrowed:
        checks.append(_output_check(pair, head))
    if checks[-1].passed:
        checks.append(_guesses_check(pair, head))
    return tuple(checks)


@at_first_use
def _states_check(pair: Pair, taps: tuple[int, ...]) -> Check:
    name = f"states at layers {', '.join(map(str, taps))}"
    return _refused(check_states(pair.target, taps, name), _head_refusal(pair, name))


@at_first_use
def _output_check(pair: Pair, head: BoundHead) -> Check:
    """The scores that the output layer gives for the last states, called from outside."""
    tokens = head.frozen.tokens
    name = "output layer from outside" + ("" if tokens is None else f", its rows for the head {head.spec.kind}")
    return _refused(check_output(pair.target, head.frozen.score, tokens, name), _head_refusal(pair, name))


@at_first_use
def _guesses_check(pair: Pair, head: BoundHead) -> Check:
    return check_first_guesses(head, pair.target, pair.text)


def _head_refusal(pair: Pair, name: str) -> str:
    return f"A trained head cannot be used on {_name(pair.target)} ({name}: {{note}}): choose another drafter."


def _refused(check: Check, refusal: str) -> Check:
    """The check, with the sentence that refuses a path that differs; it has a gap `{note}` for the reason."""
    return check if check.passed else check.noted(refusal.format(note=check.note))


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
            f"({brief(error)}): choose another number format or another model."
        )
    if not finite:
        half = model.model.dtype != torch.float32
        other = "choose float32, or download the model again" if half else "its weights are damaged, download it again"
        return PairError(f"{name} gives logits that are not finite: {other}.")
    if isinf(check.divergence):
        return CacheError(f"{name} cannot use a cache that is written in place ({check.note}): choose another model.")
    half = (reference.texts.shape[1] + 1) // 2
    with torch.inference_mode():
        alone = model.model(reference.texts[:, :half], use_cache=False).logits[0, :, : model.own_ids]
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
