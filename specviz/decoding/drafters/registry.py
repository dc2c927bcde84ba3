"""What the command line, the page, the player and error messages ask about drafters. Standard library only: a drafter's module, which imports
torch, is imported when the drafter is made."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from importlib import import_module
from types import ModuleType
from typing import Any

from specviz.decoding.drafters.catalogue import CATALOGUE
from specviz.decoding.drafters.description import Description
from specviz.errors import SettingsError
from specviz.settings import AUTO, POLICIES, Settings

_PACKAGE = "specviz.decoding.drafters"
# Drafters that are made in the module of another one, by their names.
_MADE_IN = {
    **{"quantized": "model", "mtp": "eagle", "eagle-tree": "eagle"},
    **dict.fromkeys(("dflash", "dspark", "dspark-tree", "jetspec"), "block"),
}
_DESCRIPTIONS = {description.name: description for description in CATALOGUE}


def names() -> tuple[str, ...]:
    """The names of all drafters, as used on the command line."""
    return tuple(descriptions())


def descriptions() -> Mapping[str, Description]:
    """Name -> description, in display order."""
    return _DESCRIPTIONS


def catalogue() -> dict[str, dict[str, Any]]:
    """All descriptions as plain JSON values, for the player."""
    return {name: asdict(description) for name, description in descriptions().items()}


def describe(name: str) -> Description:
    """The description of a drafter. Raises SettingsError if no drafter has this name."""
    description = descriptions().get(name)
    if description is None:
        raise SettingsError(f"drafter was {name!r}: choose one of {', '.join(names())}.")
    return description


def guesser(name: str) -> str:
    """The name of the drafter that drafts where this one has nothing to copy: its own, unless it copies besides. Raises
    SettingsError if no drafter has this name."""
    return describe(name).otherwise or name


def able(*, draft: bool, heads: Collection[str] = ()) -> tuple[str, ...]:
    """The names of the drafters that can be used on a pair, in display order.

    Args:
        draft: whether it has a draft model.
        heads: the kinds of its trained heads.
    """
    return tuple(name for name, description in descriptions().items() if not _lacks(description, draft, heads))


def usual(*, draft: bool) -> str:
    """The drafter that is used where none is named, on a pair with or without a draft model."""
    return Settings().drafter if draft else able(draft=False)[0]


def refusal(name: str, pair: str, *, draft: bool, heads: Collection[str] = ()) -> str:
    """The sentence that refuses this drafter on a pair that lacks what it needs; "" if the pair has it.

    Args:
        pair: what people call the pair, or its target.
        draft, heads: as in `able`.
    """
    description = descriptions().get(name)  # "auto" lacks nothing: it finds one that the pair can use
    if description is None or not (lacking := _lacks(description, draft, heads)):
        return ""
    if lacking == "draft model":
        return (
            f"The drafter {name!r} needs a draft model, and {pair} comes without one: name a draft too, or choose the drafter "
            f"{_either(able(draft=False))}, which need none."
        )
    return (
        f"The drafter {name!r} needs a head of the kind {description.head} that was trained for this target, and {pair} comes without one: give "
        "one with --head, or choose another drafter."
    )


def _lacks(description: Description, draft: bool, heads: Collection[str]) -> str:
    """The part that such a pair lacks for this drafter; "" if it lacks nothing."""
    if description.needs == "draft model":
        return "" if draft else description.needs
    return description.needs if description.head and description.head not in heads else ""


def make(name: str, parts: Any) -> Any:
    """The drafter of this name (`specviz.decoding.protocols.Drafter`) from the `Parts` that its description names.
    Raises SettingsError if no drafter has this name."""
    guesses = guesser(name)
    module, named = _MADE_IN.get(guesses, guesses), (guesses,) if guesses in _MADE_IN else ()
    drafter = _module(module).make(parts, *named)
    if guesses == name:
        return drafter
    return _module("hybrid").HybridDrafter(name, _module("suffix").make(parts), drafter, parts.costs)


def _module(name: str) -> ModuleType:
    return import_module(f"{_PACKAGE}.{name.replace('-', '_')}")


def check(settings: Settings) -> None:
    """Reject settings that their drafter does not support, instead of ignoring them. A drafter that is left to specviz
    supports all that some drafter does. Raises SettingsError, which names the setting and what the drafter supports."""
    if settings.policy not in POLICIES:
        raise SettingsError(f"policy was {settings.policy!r}: choose one of {', '.join(POLICIES)}.")
    if settings.drafter == AUTO:
        return
    description = describe(settings.drafter)
    default = Settings()
    for field, value, supported in (
        ("policy", settings.policy, (*description.policies, AUTO)),
        ("rule", settings.rule, description.able_rules),
        ("children", settings.children, _ways(description)),
    ):
        if value not in supported:
            raise SettingsError(
                f"{field} was {value!r}, which the drafter {description.name!r} does not support: choose {_either(supported)}, or another drafter."
            )
    if description.shape == "chain" and settings.nodes not in (0, default.nodes):
        raise SettingsError(
            f"nodes was {settings.nodes}, but the drafter {description.name!r} drafts chains, not trees: leave it out, or choose another drafter."
        )


def fitted(settings: Settings) -> Settings:
    """These settings, with everything that their drafter does not support set to its default, or to the only way that
    it supports. Raises SettingsError if no drafter has this name."""
    if settings.drafter == AUTO:
        return settings
    description, default = describe(settings.drafter), Settings()
    return replace(
        settings,
        policy=settings.policy if settings.policy in (*description.policies, AUTO) else default.policy,
        rule=settings.rule if settings.rule in description.able_rules else default.rule,
        children=settings.children
        if settings.children in description.siblings
        else (*description.siblings, default.children)[0],
        nodes=settings.nodes if description.shape == "tree" else default.nodes,
    )


def _ways(description: Description) -> tuple[str, ...]:
    """The ways of choosing siblings that settings may name. With a single way there is nothing to choose, so the default passes too."""
    default = Settings().children
    return description.siblings if len(description.siblings) > 1 else (*description.siblings, default)


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(repr(name) for name in names)
