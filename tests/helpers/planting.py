"""Bugs planted in the shipped code: one line of a function's source is edited while a test runs."""

import inspect
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from specviz.decoding import loop as engine


@dataclass(frozen=True)
class Plant:
    """A bug: in the source of `owner.name`, `old` becomes `new`, and `check` must detect it."""

    bug: str
    check: Callable[[], object]
    owner: Any
    name: str
    old: str
    new: str

    def __str__(self) -> str:
        return self.bug


def caught(
    bugs: Sequence[Plant],
    claim: str,
    *,
    errors: tuple[type[BaseException], ...] = (AssertionError,),
    first: bool = False,
) -> Callable[..., None]:
    """A test: with each bug in the code its check fails, or a guard of the package raises one of these errors.

    Args:
        claim: its docstring.
        first: whether the check is made without the bug before; otherwise another test makes it.
    """

    @pytest.mark.parametrize("bug", bugs, ids=str)
    def test(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
        if first:
            bug.check()
        plant(bug, monkeypatch)
        with pytest.raises(errors):
            bug.check()

    test.__doc__ = claim
    return test


def plant(plant: Plant, patch: pytest.MonkeyPatch) -> None:
    """Edit the shipped source of one function or property, and replace it everywhere in the package."""
    original = getattr(plant.owner, plant.name)
    function: Any = original.fget if isinstance(original, property) else original
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(plant.old) == 1, f"the line to edit was not found in {plant.name}: update the plant"
    made: dict[str, Any] = {}
    exec(source.replace(plant.old, plant.new), inspect.unwrap(function).__globals__, made)  # noqa: S102  # our own source
    patch.setattr(plant.owner, plant.name, made[plant.name])
    for module in [module for name, module in sorted(sys.modules.items()) if name.startswith("specviz")]:
        for name, value in list(vars(module).items()):
            if value is original:
                patch.setattr(module, name, made[plant.name])
    defaults = engine.speculate.__kwdefaults__ or {}
    for name, value in list(defaults.items()):
        if value is original:
            patch.setitem(defaults, name, made[plant.name])
