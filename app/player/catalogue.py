"""The drafters as the player needs to know them: name, label, how their work is drawn, and what the stage says of it.

Placeholders: {next} "the next token" or "the next 5 tokens", {count} "one token" or "5 tokens", {all} "it" or "all 5"; {of}
"4 of 12 ", empty where the layers are not known, and {rest} "8 ", the layers that do not draft.
"""

from typing import Any

_CHECKS = "checks all of them in one pass"
_IDLE = "Nothing is drafted in this round."


def _entry(name: str, label: str, does: str, drafting: str, **more: Any) -> dict[str, Any]:
    usual = {
        "shape": "chain",
        "picture": "model",
        "replannable": True,
        "checks": _CHECKS,
        "idle": _IDLE,
        "verifying": "",
    }
    words = {"name": name, "label": label, "does": does, "drafting": drafting}
    return {**usual, **words, **more}


_DRAFTERS = (
    _entry(
        "model",
        "draft model",
        "types ahead, one token at a time",
        "The draft model guesses {next}, one after the other.",
    ),
    _entry(
        "tree",
        "tree of drafts",
        "a small model's guesses, several for a position",
        "The draft model guesses {count}, several for a position: a tree.",
        shape="tree",
        replannable=False,
    ),
    _entry(
        "ngram",
        "n-gram lookup",
        "no model: copies what followed in the text before",
        "This part of the text occurred before: the draft copies {count} that followed it.",
        picture="copy",
        idle="This part of the text has not occurred before: there is nothing to copy.",
    ),
    _entry(
        "early-exit",
        "early exit",
        "the target's own first {of}layers",
        "The target's own first {of}layers guess {next}, one after the other.",
        picture="first layers",
        checks="continues where the draft stopped, in one pass",
        verifying="The other {rest}layers continue from there: one pass over {all}.",
    ),
    _entry(
        "layer-skip",
        "layer skip",
        "the target with {of}layers",
        "The target guesses {next} with only {of}layers, one after the other.",
        picture="some layers",
        checks="checks all of them with all its layers, in one pass",
    ),
)


def catalogue() -> dict[str, dict[str, Any]]:
    """Name -> description."""
    return {entry["name"]: entry for entry in _DRAFTERS}
