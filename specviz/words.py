"""The choices of a setting in words, for page and command line alike. Standard library only.

The names are those of the settings, and are what an address, a file or a command holds; the labels are free to change.
"""

from dataclasses import dataclass

from specviz.settings import AUTO


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: a short label, and what it does in one sentence."""

    label: str
    explanation: str


LOSSY = "LOSSY"

GROUPS = {
    "draft model": Choice("a draft model", "A second, small model drafts."),
    "no model": Choice("no model", "Tokens are copied from the text, or from what the target found likely earlier."),
    "target itself": Choice("the target itself", "It drafts with fewer of its layers, or with its weights in 8 bits."),
    "trained head": Choice(
        "a trained head", "A small network drafts from the states that this target computes anyway."
    ),
    "tree": Choice("a tree", "Several guesses at one position: one rejected guess need not end the round."),
}
"""What drafts, by the groups of the drafters' descriptions."""
POLICIES = {
    "fixed": Choice("always k tokens", "Every draft has k tokens."),
    "confidence": Choice(
        "stops at low confidence",
        "A draft stops after the first token whose draft probability is below the threshold.",
    ),
    "history": Choice(
        "adapts to acceptance",
        "The draft is one token longer after a fully accepted draft, and one shorter after an early rejection.",
    ),
    AUTO: Choice(
        "only while it pays",
        "Before each round, measured costs and the acceptance so far decide how many tokens are drafted: none where they cost more than they "
        "bring.",
    ),
    "cost": Choice(
        "adapts to cost",
        "A draft stops where one more token would cost more time than it is expected to save, by costs measured on this machine.",
    ),
}
SIBLINGS = {
    "sampled": Choice("independent draws", "Siblings are drawn independently from the draft's distribution."),
    "distinct": Choice("without replacement", "Siblings are drawn without replacement, so that no two are alike."),
    "top": Choice("top n (no draw)", "Siblings are the n most likely tokens; nothing is drawn."),
}
RULES = {
    "exact": Choice("exact", "Keeps the target's distribution."),
    "typical": Choice(
        f"typical ({LOSSY})",
        f"Accepts every drafted token that the target itself finds plausible. {LOSSY}: the distribution changes.",
    ),
    "lenient": Choice(
        f"lenient ({LOSSY})",
        f"Accepts when u < p / (lenience · q), so more often than the exact rule. {LOSSY}: the distribution changes.",
    ),
}


def explained(choices: dict[str, Choice]) -> str:
    """All choices with their explanations, as Markdown for the help of a picker."""
    return " ".join(
        f"**{choice.label[0].upper()}{choice.label[1:]}**: {choice.explanation}" for choice in choices.values()
    )
