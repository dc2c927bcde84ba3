"""The page's address: its parameters and values are the names of the command line, whatever the labels on the page say.

Makes no Streamlit call.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.stage.run_description import OTHER
from specviz.audit.asked import SAMPLES
from specviz.decoding.drafters import registry
from specviz.known_pairs import FAMILY, names
from specviz.serving.hosting import Hosting
from specviz.settings import AUTO, CHILDREN, OPEN, POLICIES, RANGES, RULES, Settings

PICKERS = ("pair", "drafter", "children", "policy", "rule", "rival")
"""The parameters whose values are names of choices."""

TEXTS, TOGGLES = ("prompt", "target", "draft", "head"), ("shared_noise", "template")
DEVICES, FORMATS = ("auto", "cpu", "cuda"), ("auto", "float32", "bfloat16")
NUMBERS = {**RANGES, "samples": SAMPLES}
CHOICES = (*PICKERS, *TEXTS, *TOGGLES, "device", "dtype", *NUMBERS)
"""Every parameter that is a choice of the visitor."""
LONGEST = 4000
"""A longer text is not written into the address, and not read from it: a server refuses an address of 64 kB, and then a reload loses the page."""
TOO_LONG = (
    f"The address has a text of more than {LONGEST:,} characters, which was left out: paste it into the box instead."
)
_MOST, _LONGEST_NAME = 80, 40
"""Parameters of an address, and letters of the name of one."""
_LONGEST = 40
"""How much of a bad value is repeated."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What an address says: the values of its choices, and a sentence for each that the page does not have."""

    values: dict[str, Any]
    refused: list[str]


def bounded(query: Mapping[str, str]) -> dict[str, str]:
    """The same without what is too long: nothing of that is kept, shown or sent on."""
    fitting = [(name, value) for name, value in query.items() if len(name) <= _LONGEST_NAME and len(value) <= LONGEST]
    return dict(fitting[:_MOST])


def read(query: Mapping[str, str], hosting: Hosting | None = None) -> Linked:
    """The choices of an address. An empty parameter counts as none; a value that the page does not have is left out, and so is what the host
    of the server does not allow."""
    values: dict[str, Any] = {}
    refused: list[str] = []
    for name in CHOICES:
        given = query.get(name, "")
        if not given:
            continue
        parse, wanted = _understood(name)
        try:
            values[name] = parse(given)
        except ValueError:
            short = given if len(given) <= _LONGEST else given[:_LONGEST] + "…"
            refused.append(f"The address sets {name} to {short!r}, which the page does not have: it takes {wanted}.")
    for name, sentence in _forbidden(values, hosting or Hosting()).items():
        del values[name]
        if sentence not in refused:
            refused.append(sentence)
    return Linked(values, refused)


def _forbidden(values: Mapping[str, Any], hosting: Hosting) -> dict[str, str]:
    """The choices that the host does not allow, each with the sentence that says so."""
    if hosting.pairs is None:
        return {}
    allowed = {"pair": hosting.pairs, "device": ("auto",), "dtype": ("auto",), "target": (), "draft": (), "head": ()}
    found = {
        name: hosting.models_refused for name, able in allowed.items() if name in values and values[name] not in able
    }
    too_many = hosting.tokens_refused(values.get("max_new_tokens", 0))
    return found | ({"max_new_tokens": too_many} if too_many else {})


def written(name: str, value: object) -> str:
    """The value of a choice as the address has it."""
    if name in OPEN and value == 0:
        return AUTO
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _understood(name: str) -> tuple[Callable[[str], Any], str]:
    """How the value of a parameter is read (ValueError: it cannot be), and what it may be, in words."""
    if name in NUMBERS:
        low, high = NUMBERS[name].offered
        kind = type(getattr(Settings(), name)) if name in RANGES else int
        word = "a whole number" if kind is int else "a number"
        either, said = (AUTO, f"{AUTO} or ") if name in OPEN else (None, "")
        parse = lambda text: 0 if text == either else _within(kind(text), low, high)  # noqa: E731
        return parse, f"{said}{word} from {low:g} to {high:.12g}"
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
