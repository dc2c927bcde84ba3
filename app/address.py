"""The page's address: its parameters and values are the names of the command line, whatever the labels on the page say.

Links that were made when the address still held labels are translated. Makes no Streamlit call.
"""

from collections.abc import Mapping

OTHER = "other"
"""The value of `pair` for models that are given by hub id or folder."""

PICKERS = ("pair", "drafter", "children", "policy", "rule", "rival")
"""The parameters whose values are names of choices."""

_RENAMED = {
    "length": "max_new_tokens",
    "siblings": "children",
    "stops": "policy",
    "noise": "shared_noise",
    "third": "rival",
}
_DRAFTERS = {
    "draft model": "model",
    "n-gram lookup": "ngram",
    "early exit": "early-exit",
    "layer skip": "layer-skip",
    "tree of drafts": "tree",
}
_VALUES: dict[str, dict[str, str]] = {
    "drafter": _DRAFTERS,
    "rival": _DRAFTERS,
    "children": {"drawn independently": "sampled", "drawn, none twice": "distinct", "the likeliest few": "top"},
    "policy": {
        "always at k": "fixed",
        "when unsure": "confidence",
        "by history": "history",
        "by cost": "cost",
    },
    "rule": {"typical (LOSSY)": "typical", "lenient (LOSSY)": "lenient"},
    "pair": {"other models": OTHER},
}
_NOTE = " · "
"""What separated the name of a pair from the rest of its label."""


def translated(query: Mapping[str, str]) -> dict[str, str]:
    """The same parameters under today's names, with names as values; where a link has a parameter twice, today's name wins."""
    renamed = {_RENAMED[name]: value for name, value in query.items() if name in _RENAMED}
    return {name: _value(name, value) for name, value in {**renamed, **query}.items() if name not in _RENAMED}


def _value(name: str, value: str) -> str:
    if name == "pair":
        value = value.split(_NOTE, 1)[0]
    return _VALUES.get(name, {}).get(value, value)
