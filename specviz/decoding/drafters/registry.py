"""Every way of drafting: the one list that command line, compare, page, player and refusals read. Standard library only.

The page's process must not import torch, and a drafter's file does. So a description is read from the source of that file,
as setuptools reads a version, and the file is imported only where the drafter is made.
"""

import ast
from dataclasses import asdict, fields, replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import ModuleType
from typing import Any

from specviz.decoding.drafters.description import Description
from specviz.errors import SettingsError
from specviz.settings import Settings

_PACKAGE = "specviz.decoding.drafters"
FILES = (
    "model",
    "ngram",
    "early_exit",
    "layer_skip",
    "tree",
)
"""The files of this folder that describe a drafter, in the order in which they are offered. A new drafter is a line here."""


def names() -> tuple[str, ...]:
    """The names of all drafters, as the command line takes them."""
    return tuple(descriptions())


def descriptions() -> dict[str, Description]:
    """Name -> description, in the order in which they are offered."""
    found = (_described(file) for file in FILES)
    return {description.name: description for description in found}


def catalogue() -> dict[str, dict[str, Any]]:
    """The same as plain JSON values, for the player."""
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


def module_of(name: str) -> ModuleType:
    """The drafter's file, imported; its `make(kit, costs)` makes the drafter.

    Raises:
        SettingsError: no drafter has this name.
    """
    describe(name)
    return import_module(f"{_PACKAGE}.{next(file for file in FILES if _described(file).name == name)}")


def check(settings: Settings) -> None:
    """Refuse settings that their drafter does not take, instead of ignoring them.

    Raises:
        SettingsError: says which setting, and what the drafter takes.
    """
    found = describe(settings.drafter)
    usual = Settings()
    for what, given, taken in (
        ("policy", settings.policy, found.policies),
        ("rule", settings.rule, found.rules),
        ("children", settings.children, found.siblings or (usual.children,)),
    ):
        if given not in taken:
            raise SettingsError(
                f"{what} was {given!r}, which the drafter {found.name!r} does not take: choose {_either(taken)}, or another drafter."
            )
    if found.shape == "chain" and settings.nodes != usual.nodes:
        raise SettingsError(
            f"nodes was {settings.nodes}, but the drafter {found.name!r} drafts no tree: leave it out, or choose another drafter."
        )


def fitted(settings: Settings) -> Settings:
    """The same settings, with whatever their drafter does not take at its default.

    Raises:
        SettingsError: no drafter has this name.
    """
    found, usual = describe(settings.drafter), Settings()
    return replace(
        settings,
        policy=settings.policy if settings.policy in found.policies else usual.policy,
        rule=settings.rule if settings.rule in found.rules else usual.rule,
        children=settings.children if settings.children in found.siblings else usual.children,
        nodes=settings.nodes if found.shape == "tree" else usual.nodes,
    )


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(repr(name) for name in names)


@cache
def _described(file: str) -> Description:
    """The `DESCRIPTION = Description(...)` of a file, whose arguments must be literals.

    Raises:
        ValueError: the file has none, or it is more than literals.
    """
    source = files(_PACKAGE).joinpath(f"{file}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id="DESCRIPTION")],
                value=ast.Call(func=ast.Name(id="Description"), args=[], keywords=given),
            ):
                return _from_literals(file, given)
    raise ValueError(f"{file}.py has no line DESCRIPTION = Description(...): every drafter's file describes itself")


def _from_literals(file: str, given: list[ast.keyword]) -> Description:
    known = {field.name for field in fields(Description)}
    values: dict[str, Any] = {}
    for keyword in given:
        if keyword.arg not in known:
            raise ValueError(f"{file}.py describes {keyword.arg!r}: a description has {', '.join(sorted(known))}")
        try:
            values[keyword.arg] = ast.literal_eval(keyword.value)
        except ValueError as error:
            raise ValueError(
                f"in {file}.py, {keyword.arg} is computed: write it as a literal, it is read without running the file"
            ) from error
    return Description(**values)
