"""The page's address. Its parameters and values are the names of the command line, whatever the labels on the page say. Of the app only this module
reads and writes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from app.stage.run_description import OTHER
from specviz.audit.messages import SAMPLES
from specviz.decoding.drafters import registry
from specviz.known_pairs import FAMILY, names
from specviz.serving.hosting import Hosting
from specviz.settings import AUTO, CHILDREN, OPEN, POLICIES, RANGES, RULES, Settings

PICKERS = ("pair", "drafter", "children", "policy", "rule", "rival")  # their values are names of choices
TEXTS, TOGGLES = ("prompt", "target", "draft", "head"), ("shared_noise", "template")
DEVICES, FORMATS = ("auto", "cpu", "cuda"), ("auto", "float32", "bfloat16")
NUMBERS = {**RANGES, "samples": SAMPLES}
CHOICES = (*PICKERS, *TEXTS, *TOGGLES, "device", "dtype", *NUMBERS)  # every parameter that is a choice of the visitor
# The run on the stage, the listed runs while their drawer is open, the parts that are left out.
RUN, RUNS, HIDE = "run", "runs", "hide"
LESSON, STEP = "lesson", "step"
LANGUAGE = "lang"
TEACH, NOTES = "teach", "notes"
HOST_KEY = "host"
# Of Audit: the part, where no other names it; the exhibit; the pair of runs of the game.
AUDIT_PART, EXHIBIT, GUESS = "part", "exhibit", "guess"
LONGEST = 4000  # a longer text is neither written nor read: a server refuses an address of 64 kB, and then a reload loses the page
TOO_LONG = (
    f"The address has a text of more than {LONGEST:,} characters, which was left out: paste it into the box instead."
)
_MOST_PARAMETERS, _LONGEST_NAME, _LONGEST_REPEATED = 80, 40, 40


def parameters() -> dict[str, str]:
    """All parameters; one that was removed in this script run is an empty list of Streamlit's, and not among them."""
    return {name: value for name, value in st.query_params.to_dict().items() if value}


def parameter(name: str) -> str:
    """The value of a parameter; "" where the address has none."""
    return st.query_params.get(name, "")


def change(new: Mapping[str, str]) -> None:
    """Change some parameters; "" removes one. All in one message, so that the browser's history has one entry for it."""
    changes: dict[str, str | list[str]] = {
        name: value or [] for name, value in new.items() if value != st.query_params.get(name, "")
    }
    if changes:
        st.query_params.update(changes)


def replace(new: Mapping[str, str]) -> None:
    """Change all parameters: to these, and no others."""
    st.query_params.from_dict(dict(new))


# ------------------------------------------------------------------ the choices in it


@dataclass(frozen=True, slots=True)
class LinkedChoices:
    """The choices of an address, and a sentence for each that the page does not have."""

    values: dict[str, Any]
    refused: list[str]


def bounded(query: Mapping[str, str]) -> dict[str, str]:
    """The parameters without those that are too long or too many: nothing of those is kept, shown or sent on."""
    fitting = [(name, value) for name, value in query.items() if len(name) <= _LONGEST_NAME and len(value) <= LONGEST]
    return dict(fitting[:_MOST_PARAMETERS])


def read(query: Mapping[str, str], hosting: Hosting | None = None) -> LinkedChoices:
    """The choices of an address. An empty parameter counts as none; a value that the page does not have is left out, and so is what the host
    of the server does not allow."""
    values: dict[str, Any] = {}
    refused: list[str] = []
    for name in CHOICES:
        text = query.get(name, "")
        if not text:
            continue
        parse, wanted = _parser(name)
        try:
            values[name] = parse(text)
        except ValueError:
            short = text if len(text) <= _LONGEST_REPEATED else text[:_LONGEST_REPEATED] + "…"
            refused.append(f"The address sets {name} to {short!r}, which the page does not have: it takes {wanted}.")
    for name, sentence in _forbidden(values, hosting or Hosting()).items():
        del values[name]
        if sentence not in refused:
            refused.append(sentence)
    return LinkedChoices(values, refused)


def _forbidden(values: Mapping[str, Any], hosting: Hosting) -> dict[str, str]:
    """The choices that the host does not allow, each with the sentence that says so."""
    if hosting.pairs is None:
        return {}
    allowed = {"pair": hosting.pairs, "device": ("auto",), "dtype": ("auto",), "target": (), "draft": (), "head": ()}
    forbidden = {
        name: hosting.models_refused
        for name, options in allowed.items()
        if name in values and values[name] not in options
    }
    too_many = hosting.tokens_refused(values.get("max_new_tokens", 0))
    return forbidden | ({"max_new_tokens": too_many} if too_many else {})


def written(name: str, value: object) -> str:
    """The value of a choice as the address has it."""
    if name in OPEN and value == 0:
        return AUTO
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _parser(name: str) -> tuple[Callable[[str], Any], str]:
    """How the value of a parameter is read (ValueError: it cannot be), and what it may be, in words."""
    if name in NUMBERS:
        low, high = NUMBERS[name].page_range
        kind = type(getattr(Settings(), name)) if name in RANGES else int
        word = "a whole number" if kind is int else "a number"
        auto, auto_or = (AUTO, f"{AUTO} or ") if name in OPEN else (None, "")
        parse = lambda text: 0 if text == auto else _within(kind(text), low, high)  # noqa: E731
        return parse, f"{auto_or}{word} from {low:g} to {high:.12g}"
    if name in TOGGLES:
        return lambda text: {"true": True, "false": False}[_one_of(text.lower(), ("true", "false"))], "true or false"
    if name in TEXTS:
        return str, "any text"
    options = _options(name)
    return lambda text: _one_of(text, options), f"one of {', '.join(options)}"


def _options(name: str) -> tuple[str, ...]:
    return {
        "pair": (*names(), OTHER),
        "drafter": (AUTO, *registry.names()),
        "children": CHILDREN,
        "policy": POLICIES,
        "rule": RULES,
        "rival": (*FAMILY, *registry.names()),
        "device": DEVICES,
        "dtype": FORMATS,
    }[name]


def _within(number: float, low: float, high: float) -> float:
    if not low <= number <= high:
        raise ValueError
    return number


def _one_of(text: str, options: tuple[str, ...]) -> str:
    if text not in options:
        raise ValueError
    return text
