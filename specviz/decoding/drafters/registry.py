"""All drafters: the one list that the command line, compare, the page, the player and error messages read. Standard library only.

The page's process must not import torch, but a drafter's file does. So descriptions are read from the source of these files,
as setuptools reads a version, and a file is imported only when its drafter is made.
"""

import ast
from collections.abc import Collection
from dataclasses import asdict, fields, replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from threading import Lock
from types import ModuleType
from typing import Any

from specviz.decoding.drafters.description import Description
from specviz.errors import SettingsError
from specviz.settings import AUTO, Settings

_PACKAGE = "specviz.decoding.drafters"
_PARSING = Lock()
FILES = (
    "model",
    "tli",
    "slem",
    "ngram",
    "suffix",
    "recycling",
    "early_exit",
    "layer_skip",
    "quantized",
    "medusa",
    "eagle",
    "eagle1",
    "dflash",
    "dspark",
    "tree",
    "medusa_tree",
    "eagle_tree",
    "jetspec",
    "dspark_tree",
)
"""The files of this folder that describe a drafter, in display order, group by group. A new drafter is a line here."""


def names() -> tuple[str, ...]:
    """The names of all drafters, as used on the command line."""
    return tuple(descriptions())


def descriptions() -> dict[str, Description]:
    """Name -> description, in display order."""
    found = (_described(file) for file in FILES)
    return {description.name: description for description in found}


def catalogue() -> dict[str, dict[str, Any]]:
    """All descriptions as plain JSON values, for the player."""
    return {name: asdict(description) for name, description in descriptions().items()}


def describe(name: str) -> Description:
    """The description of a drafter.

    Raises:
        SettingsError: no drafter has this name.
    """
    found = descriptions().get(name)
    if found is None:
        raise SettingsError(f"drafter was {name!r}: choose one of {', '.join(names())}.")
    return found


def able(*, draft: bool, heads: Collection[str] = (), other: bool = False) -> tuple[str, ...]:
    """The names of the drafters that can be used on a pair, in display order.

    Args:
        draft: whether it has a draft model.
        heads: the kinds of its trained heads.
        other: whether its draft model may have another tokenizer.
    """
    found = {name: _lacks(one, draft, heads) for name, one in descriptions().items()}
    return tuple(name for name, lacking in found.items() if not lacking and (other or not _translates(name)))


def usual(*, draft: bool) -> str:
    """The drafter that is used where none is named, on a pair with or without a draft model."""
    return Settings().drafter if draft else able(draft=False)[0]


def translating() -> tuple[str, ...]:
    """The names of the drafters that work with a draft model of another tokenizer; they work with one of the same, too."""
    return tuple(name for name in names() if _translates(name))


def _translates(name: str) -> bool:
    return descriptions()[name].needs == "other tokenizer"


def refusal(name: str, pair: str, *, draft: bool, heads: Collection[str] = ()) -> str:
    """The sentence that refuses this drafter on a pair that lacks what it needs; "" if the pair has it.

    Args:
        pair: what people call the pair, or its target.
        draft, heads: as in `able`.
    """
    found = descriptions().get(name)  # "auto" lacks nothing: it finds one that the pair can use
    if found is None or not (lacking := _lacks(found, draft, heads)):
        return ""
    if lacking in ("draft model", "other tokenizer"):
        return (
            f"The drafter {name!r} needs a draft model, and {pair} comes without one: name a draft too, or choose the drafter "
            f"{_either(able(draft=False))}, which need none."
        )
    return (
        f"The drafter {name!r} needs a head of the kind {found.head} that was trained for this target, and {pair} comes without one: train "
        f"it with `specviz train head --kind {found.head}` and give its folder with --head, or choose another drafter."
    )


def _lacks(found: Description, draft: bool, heads: Collection[str]) -> str:
    """What such a pair lacks for this drafter; "" if it lacks nothing."""
    if found.needs in ("draft model", "other tokenizer"):
        return "" if draft else found.needs
    return found.needs if found.head and found.head not in heads else ""


def module_of(name: str) -> ModuleType:
    """The imported module of a drafter; its `make(kit, costs)` makes the drafter.

    Raises:
        SettingsError: no drafter has this name.
    """
    describe(name)
    return import_module(f"{_PACKAGE}.{next(file for file in FILES if _described(file).name == name)}")


def check(settings: Settings) -> None:
    """Reject settings that their drafter does not support, instead of ignoring them. A drafter that is left to specviz supports all that some
    drafter does.

    Raises:
        SettingsError: names the setting, and what the drafter supports.
    """
    if settings.drafter == AUTO:
        return
    found = describe(settings.drafter)
    default = Settings()
    for what, given, supported in (
        ("policy", settings.policy, (*found.policies, AUTO)),
        ("rule", settings.rule, found.rules),
        ("children", settings.children, _ways(found)),
    ):
        if given not in supported:
            raise SettingsError(
                f"{what} was {given!r}, which the drafter {found.name!r} does not support: choose {_either(supported)}, or another drafter."
            )
    if found.shape == "chain" and settings.nodes not in (0, default.nodes):
        raise SettingsError(
            f"nodes was {settings.nodes}, but the drafter {found.name!r} drafts chains, not trees: leave it out, or choose another drafter."
        )


def fitted(settings: Settings) -> Settings:
    """The same settings, with everything that their drafter does not support set to its default, or to the only way that it supports.

    Raises:
        SettingsError: no drafter has this name.
    """
    if settings.drafter == AUTO:
        return settings
    found, default = describe(settings.drafter), Settings()
    return replace(
        settings,
        policy=settings.policy if settings.policy in (*found.policies, AUTO) else default.policy,
        rule=settings.rule if settings.rule in found.rules else default.rule,
        children=settings.children if settings.children in found.siblings else (*found.siblings, default.children)[0],
        nodes=settings.nodes if found.shape == "tree" else default.nodes,
    )


def _ways(found: Description) -> tuple[str, ...]:
    """The ways of choosing siblings that settings may name. With a single way there is nothing to choose, so the default passes too."""
    default = Settings().children
    return found.siblings if len(found.siblings) > 1 else (*found.siblings, default)


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(repr(name) for name in names)


def _described(file: str) -> Description:
    """Read once, by one thread at a time: two that call Python's parser together can both fail (CPython 3.11, "AST constructor recursion depth
    mismatch")."""
    with _PARSING:
        return _parsed(file)


@cache
def _parsed(file: str) -> Description:
    """The `DESCRIPTION = Description(...)` of a file, whose arguments must be literals.

    Raises:
        ValueError: the file has none, or an argument is not a literal.
    """
    source = files(_PACKAGE).joinpath(f"{file}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id="DESCRIPTION")],
                value=ast.Call(func=ast.Name(id="Description"), args=[], keywords=given),
            ):
                return _from_literals(file, given)
    raise ValueError(f"{file}.py has no line DESCRIPTION = Description(...): every drafter's file needs one")


def _from_literals(file: str, given: list[ast.keyword]) -> Description:
    known = {field.name for field in fields(Description)}
    values: dict[str, Any] = {}
    for keyword in given:
        if keyword.arg not in known:
            raise ValueError(
                f"{file}.py sets {keyword.arg!r}, which no description has: choose from {', '.join(sorted(known))}"
            )
        try:
            values[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError as error:
            raise ValueError(
                f"in {file}.py, {keyword.arg} is computed: write it as a literal, because it is read without running the file"
            ) from error
    return Description(**values)
