"""What a sweep can vary: the name of each axis, its values as text, and what a value changes in a run. Standard library only."""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from specviz.decoding.drafters import registry
from specviz.errors import InputError, SettingsError
from specviz.known_pairs import EMBEDDED, FAMILY
from specviz.lab.contestants import Contestant, contestants
from specviz.settings import POLICIES, RULES, Settings, check_closed

K, TEMPERATURE, DRAFTER, DRAFT = "k", "temperature", "drafter", "draft"
POLICY, RULE, CATEGORY, LENGTH, DTYPE = "policy", "rule", "category", "prompt-length", "dtype"
AXES = (K, TEMPERATURE, DRAFTER, DRAFT, POLICY, RULE, CATEGORY, LENGTH, DTYPE)
MOST_VALUES = 10_000
_ALL = "all"
_DTYPES = ("float32", "bfloat16", "float16", "float64")
_EACH = {
    K: tuple(map(str, range(1, 9))),
    TEMPERATURE: ("0", "0.5", "1"),
    POLICY: POLICIES,
    RULE: RULES,
    DTYPE: _DTYPES[:2],
}
"""The values that `all` means, where they do not depend on the pair."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a sweep.

    Attributes:
        name: one of `AXES`.
        values: as they are written on the command line, each once.

    Raises:
        InputError: there is no such axis, or it has no values.
    """

    name: str
    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.name not in AXES:
            raise InputError(f"The axis was {self.name!r:.60}: choose one of {', '.join(AXES)}.")
        if not self.values:
            raise InputError(f"The axis {self.name} has no values: give some, as in {self.name}=1,2,4.")


def axis_of(text: str, *, pair: str | None, categories: Collection[str], heads: Collection[str] = ()) -> Axis:
    """The axis that a text like `k=1,2,4`, `k=1..8`, `category=all` or `drafter` names.

    Args:
        pair: the name of the pair, None for one without a name.
        categories: those of the pair's ready-made prompts.
        heads: the kinds of its trained heads.

    Raises:
        InputError: no such axis, or a value that it cannot have.
    """
    name, _, listed = text.partition("=")
    if name not in AXES:
        raise InputError(f"The axis was {name!r:.60}: choose one of {', '.join(AXES)}.")
    known = _known(name, pair, categories, heads)
    if listed in ("", _ALL):
        if not known:
            raise InputError(f"The axis {name} has no usual values: give some, as in {name}=64,256.")
        return Axis(name, known)
    values: list[str] = []
    for part in listed.split(","):
        values += _range(name, part.strip())
    for value in values:
        _check(name, value, known)
    return Axis(name, tuple(dict.fromkeys(values)))


def contestant(value_of: dict[str, str], settings: Settings, pair: str | None, heads: Collection[str]) -> Contestant:
    """What runs at these values of the axes: settings, drafter and draft.

    Raises:
        InputError: the values cannot go together, as a policy that the drafter does not support.
    """
    chosen = replace(
        settings,
        k=int(value_of.get(K, settings.k)),
        temperature=float(value_of.get(TEMPERATURE, settings.temperature)),
        policy=value_of.get(POLICY, settings.policy),
        rule=value_of.get(RULE, settings.rule),
    )
    drafter = value_of.get(DRAFTER, chosen.drafter)
    if DRAFT in value_of and value_of[DRAFT] != pair:
        if registry.describe(drafter).needs != "draft model":
            raise InputError(f"The drafter {drafter} uses no draft model, so its draft cannot be varied.")
        found = Contestant(value_of[DRAFT], registry.fitted(replace(chosen, drafter=drafter)), value_of[DRAFT])
    else:
        found = contestants((drafter,), pair, chosen, heads)[0]
    if POLICY in value_of and found.settings.policy != chosen.policy:
        raise InputError(f"The drafter {drafter} does not support the policy {chosen.policy}.")
    return found


def _known(name: str, pair: str | None, categories: Collection[str], heads: Collection[str]) -> tuple[str, ...]:
    """Every value that `all` means."""
    if name == CATEGORY:
        return tuple(categories)
    if name == DRAFT:
        return tuple(FAMILY) if pair in FAMILY else ()
    if name == DRAFTER:
        return registry.able(draft=True, heads=heads)
    return _EACH.get(name, ())


def _range(name: str, part: str) -> list[str]:
    """The values of `1..8`, or the one value.

    Raises:
        InputError: the range is empty or too long.
    """
    low, dots, high = part.partition("..")
    if not dots or name not in (K, LENGTH):
        return [part]
    if not (low.isdecimal() and high.isdecimal() and len(high) <= 9 and int(low) <= int(high)):
        raise InputError(f"The range was {part!r:.60}: give two whole numbers, as in 1..8.")
    count = int(high) - int(low) + 1
    if count > MOST_VALUES:
        raise InputError(f"The range {part} has {count:,} values: give at most {MOST_VALUES:,}.")
    return [str(number) for number in range(int(low), int(high) + 1)]


def _check(name: str, value: str, known: tuple[str, ...]) -> None:
    if name == K:
        _settled(name, value, "a whole number", lambda: check_closed(Settings(k=int(value))))
    elif name == TEMPERATURE:
        _settled(name, value, "a number", lambda: Settings(temperature=_finite(value)))
    elif name == LENGTH:
        if not (value.isdecimal() and int(value[:9]) > 0 and len(value) <= 9):
            raise InputError(f"prompt-length was {value!r:.60}: give whole numbers of tokens, from 1 on.")
    elif name == DTYPE:
        if value not in _DTYPES:
            raise InputError(f"dtype was {value!r:.60}: choose from {', '.join(_DTYPES)}.")
    elif name == DRAFT and not known:
        raise InputError(f"The draft can be varied only for the pairs {', '.join(FAMILY)}: leave --pair at {EMBEDDED}.")
    elif value not in known and not (name == DRAFTER and value in (*registry.names(), *FAMILY)):
        raise InputError(f"{name} was {value!r:.60}: choose from {', '.join(known)}.")


def _settled(name: str, value: str, what: str, make: Callable[[], object]) -> None:
    try:
        make()
    except SettingsError:
        raise
    except (ValueError, OverflowError):
        raise InputError(f"{name} was {value!r:.60}: give {what}.") from None


def _finite(value: str) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(value)
    return number
