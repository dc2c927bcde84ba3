"""The broken twins, by the names of their texts."""

from collections.abc import Callable
from dataclasses import replace

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo import drafting, numbers, rules, targets, trees
from specviz.audit.zoo.texts import exhibit
from specviz.audit.zoo.twins import DrafterTwin

Break = Callable[[DecoderParts], DecoderParts]
"""From the honest parts of the loop to the same parts with one of them replaced."""

BROKEN: dict[str, Break] = {
    "always-accepted": rules.always_accepted,
    "inclusive-coin": rules.inclusive_coin,
    "first-unchecked": rules.first_unchecked,
    "always-greedy": rules.always_greedy,
    "redrawn-from-p": rules.redrawn_from_p,
    "only-one-subtracted": rules.only_one_subtracted,
    "block-token-residual": rules.block_then_token_residual,
    "coin-used-twice": rules.coin_used_twice,
    "typical": rules.typical_acceptance,
    "lenient": rules.lenience,
    "number-reused": numbers.number_reused,
    "one-stream": numbers.one_stream,
    "argmax-as-drawn": drafting.argmax_as_drawn,
    "q-before-filters": drafting.q_before_filters,
    "q-rounded": drafting.q_rounded,
    "q-in-other-numbering": drafting.q_in_other_numbering,
    "offsets-misread": drafting.offsets_misread,
    "layers-off-by-one": drafting.layers_off_by_one,
    "one-id-too-many": drafting.one_id_too_many,
    "looks-back": drafting.looks_back,
    "stale-siblings": drafting.stale_siblings,
    "separator-again": drafting.separator_again,
    "cut-too-far": drafting.cut_too_far,
    "last-never-read": drafting.last_never_read,
    "rejected-kept": targets.rejected_kept,
    "emptied": targets.emptied,
    "branches-see-each-other": targets.branches_see_each_other,
    "kept-by-count": targets.kept_by_count,
    "target-by-default": targets.target_by_default,
    "end-inside-missed": targets.end_inside_missed,
    "longer-than-asked": targets.longer_than_asked,
    "bonus-of-sibling": trees.bonus_of_sibling,
    "drawn-for-every-path": trees.drawn_for_every_path,
}


def broken(name: str, parts: DecoderParts) -> DecoderParts:
    """These parts with the exhibit's bug. The drafter carries its mark, which the card of a trace and the stage show.

    Raises:
        PairError: this exhibit needs another drafter.
    """
    changed = BROKEN[name](parts)
    return replace(changed, drafter=DrafterTwin(changed.drafter, exhibit(name).mark))
