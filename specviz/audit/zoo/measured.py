"""After how many texts or runs each check caught each exhibit: the figures of `python -m specviz.audit.zoo`. Standard library only."""

from collections.abc import Sequence

HOW = (
    "The figures were measured on pairs of tiny models with four tokens, whose p and q are known exactly, with two prompts and texts of three tokens "
    "in the sequential checks. A *text* is one text compared token by token or number by number; a *run* is one text with a seed of its own."
)
"""How they were measured."""

AFTER: dict[str, dict[str, int]] = {
    "always-accepted": {"drafts": 6, "distribution": 7},
    "inclusive-coin": {"distribution": 9},
    "first-unchecked": {"greedy text": 1, "distribution": 9},
    "always-greedy": {"caches": 1, "distribution": 14},
    "redrawn-from-p": {"distribution": 250},
    "only-one-subtracted": {"distribution": 471},
    "block-token-residual": {"distribution": 825},
    "coin-used-twice": {"drafts": 26},
    "number-reused": {"distribution": 875},
    "one-stream": {"drafts": 5, "distribution": 12},
    "bonus-of-sibling": {"distribution": 190},
    "argmax-as-drawn": {"drafts": 14, "distribution": 36},
    "q-before-filters": {"drafts": 1},
    "q-rounded": {"drafts": 106},
    "q-in-other-numbering": {"drafts": 1, "distribution": 7},
    "offsets-misread": {"drafts": 1},
    "layers-off-by-one": {"acceptance": 342},
    "one-id-too-many": {"greedy text": 1, "caches": 1, "drafts": 1, "distribution": 1},
    "looks-back": {"drafts": 79},
    "stale-siblings": {"drafts": 9},
    "separator-again": {"drafts": 1},
    "cut-too-far": {"drafts": 1},
    "last-never-read": {"drafts": 3},
    "rejected-kept": {"caches": 1, "greedy text": 2, "distribution": 30},
    "emptied": {"caches": 1, "distribution": 105},
    "branches-see-each-other": {"caches": 1, "greedy text": 2},
    "kept-by-count": {"caches": 2},
    "target-by-default": {"caches": 1, "distribution": 88},
    "end-inside-missed": {"distribution": 5},
    "longer-than-asked": {"distribution": 1},
    "typical": {"distribution": 178},
    "lenient": {"distribution": 249},
    "drawn-for-every-path": {"distribution": 167},
}
"""By exhibit and check. A check that is missing had not caught it when the table was made, with a few hundred runs."""


def caught_by(exhibit: str, checks: Sequence[str]) -> list[tuple[str, str]]:
    """Which of these checks catch an exhibit, each with after how many texts or runs."""
    found = AFTER[exhibit]
    return [(check, _count(check, found[check])) for check in checks if check in found]


def _count(check: str, after: int) -> str:
    unit = "text" if check in ("greedy text", "caches") else "run"
    return f"{after} {unit}{'' if after == 1 else 's'}"
