"""Words for who drafts, when a draft stops and what is accepted: one table for settings, race, runs and pages.

Makes no Streamlit call. A choice is written in the page's address by its words, so they are not to be changed lightly.
"""

from collections.abc import Mapping
from typing import Any

DRAFTERS = {
    "model": "draft model",
    "ngram": "n-gram lookup",
    "early-exit": "early exit",
    "layer-skip": "layer skip",
    "tree": "tree of drafts",
}
DRAFTERS_HELP = (
    "**Draft model**: a small model guesses the next k tokens. **N-gram lookup**: no model at all; what followed the last "
    "words earlier in the text is copied. **Early exit**: the target's own first layers guess, the others check. **Layer "
    "skip**: the target guesses with some of its layers left out. **Tree of drafts**: the draft model makes several "
    "guesses at a place, so that one refused guess need not end the round."
)
CHILDREN = {"sampled": "drawn independently", "distinct": "drawn, none twice", "top": "the likeliest few"}
CHILDREN_HELP = (
    "How the guesses at one place come above temperature 0. All three keep the target's distribution. At temperature 0 "
    "and with shared noise they are always the likeliest few."
)
POLICIES = {"fixed": "always at k", "confidence": "when unsure", "history": "by history", "cost": "by cost"}
POLICIES_HELP = (
    "**Always at k**: every draft has k tokens. **When unsure**: behind the first token that the draft itself gives less "
    "than the threshold. **By history**: one longer after a whole draft, one shorter after an early refusal. **By cost**: "
    "where one token more would cost more than it promises, by costs measured on this machine."
)
RULES = {"exact": "exact", "typical": "typical (LOSSY)", "lenient": "lenient (LOSSY)"}
RULES_HELP = (
    "**Exact** keeps the target's distribution. **Typical** and **lenient** accept more and are LOSSY: the text is no "
    "longer what the target alone would write. They need a temperature above 0."
)
NOISE_HELP = (
    "Above temperature 0 draft and target choose with the same noise at the same place: both lanes write the same text, "
    "whoever drafts, and still follow the target's distribution. At temperature 0 there is no noise to share."
)
WITH_POLICY = ("model", "early-exit", "layer-skip")
"""Drafters that draft token by token, so that a draft can stop before k."""
WITH_DRAFT_MODEL = ("model", "tree")
LOSSY = "LOSSY"


def key_of(words: str) -> str | None:
    """The drafter that goes by these words, or None."""
    return next((key for key, known in DRAFTERS.items() if known == words), None)


def drafter(pair: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Who drafted: the pair alone for its draft model, as it was before there were others; else the way of drafting too."""
    name = str(pair.get("name") or pair.get("draft"))
    chosen = settings.get("drafter", "model")
    if chosen == "model":
        return name
    words = f"{DRAFTERS[chosen]} ({settings['nodes']})" if chosen == "tree" else DRAFTERS[chosen]
    return f"{words}, {name}"


def policy(settings: Mapping[str, Any]) -> str:
    """When the drafts stopped, where that was not always at k; empty otherwise."""
    chosen = settings.get("policy", "fixed")
    if chosen == "fixed" or settings.get("drafter", "model") not in WITH_POLICY:
        return ""
    return f"stops {POLICIES[chosen]}" + (f" ({settings['threshold']:g})" if chosen == "confidence" else "")


def rule(settings: Mapping[str, Any]) -> str:
    """The acceptance rule where it is a lossy one, labelled so; empty for the exact rule."""
    chosen = settings.get("rule", "exact")
    if chosen == "exact":
        return ""
    return f"{LOSSY}: {chosen} rule" + (f", lenience {settings['lenience']:g}" if chosen == "lenient" else "")


def noise(settings: Mapping[str, Any]) -> str:
    """That the noise was shared, where there was any."""
    return "shared noise" if settings.get("shared_noise") and settings["temperature"] > 0 else ""


def extras(settings: Mapping[str, Any]) -> list[str]:
    """All that is not as usual, in a few words each: what is lossy comes first."""
    return [words for words in (rule(settings), policy(settings), noise(settings)) if words]
