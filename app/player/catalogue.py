"""The drafters as the player needs to know them: name, label, how their work is drawn, and what the stage says of it.

Placeholders: {next} "the next token" or "the next 5 tokens", {count} "one token" or "5 tokens", {all} "it" or "all 5";
{used}, {layers}, {rest}: layers that the draft uses, that the target has, and the others.
"""

from typing import Any

_CHECKS = "checks all of them in one pass"
_VERIFYING = "One pass of the target model reads {all} and scores every position."
_IDLE = "Nothing is drafted in this round."


def _entry(name: str, label: str, explanation: str, does: str, drafting: str, **more: Any) -> dict[str, Any]:
    usual = {
        "shape": "chain",
        "picture": "model",
        "replannable": True,
        "checks": _CHECKS,
        "idle": _IDLE,
        "verifying": _VERIFYING,
    }
    words = {"name": name, "label": label, "explanation": explanation, "does": does, "drafting": drafting}
    return {**usual, **words, **more}


_DRAFTERS = (
    _entry(
        "model",
        "draft model",
        "a small model guesses the next k tokens",
        "types ahead, one token at a time",
        "The draft model guesses {next}, one after the other.",
    ),
    _entry(
        "tree",
        "tree of drafts",
        "a small model makes several guesses for a position",
        "a small model's guesses, several for a position",
        "The draft model guesses {count}, several for a position: a tree.",
        shape="tree",
        replannable=False,
    ),
    _entry(
        "ngram",
        "n-gram lookup",
        "no model: copies what followed in the text before",
        "no model: copies what followed in the text before",
        "This part of the text occurred before: the draft copies {count} that followed it.",
        picture="copy",
        idle="This part of the text has not occurred before: there is nothing to copy.",
    ),
    _entry(
        "early-exit",
        "early exit",
        "the target's own first layers",
        "the target's own first {used} of {layers} layers",
        "The target's own first {used} of {layers} layers guess {next}, one after the other.",
        picture="first layers",
        checks="continues where the draft stopped, in one pass",
        verifying="The other {rest} layers continue from there: one pass over {all}.",
    ),
    _entry(
        "layer-skip",
        "layer skip",
        "the target without some of its layers",
        "the target with {used} of its {layers} layers",
        "The target guesses {next} with only {used} of its {layers} layers, one after the other.",
        picture="some layers",
        checks="checks all of them with all its layers, in one pass",
    ),
)


def catalogue() -> dict[str, dict[str, Any]]:
    """Name -> description."""
    return {entry["name"]: entry for entry in _DRAFTERS}
