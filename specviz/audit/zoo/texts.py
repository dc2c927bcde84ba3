"""All exhibits of the zoo, for people, read from `assets/zoo.toml`: standard library only. The broken twins are in
`specviz.audit.zoo.exhibits`, under the same names."""

import tomllib
from typing import Any

from specviz.audit.zoo.exhibit import Exhibit, ExhibitSource
from specviz.folders import ASSETS


def _read(entry: dict[str, Any]) -> Exhibit:
    sources = tuple(ExhibitSource(**source) for source in entry["sources"])
    return Exhibit(**{**entry, "sources": sources, "checks": tuple(entry["checks"])})


EXHIBITS: tuple[Exhibit, ...] = tuple(map(_read, tomllib.loads((ASSETS / "zoo.toml").read_text("utf-8"))["exhibits"]))
"""The bugs, then the lossy rules that stand beside them."""


def exhibit(name: str) -> Exhibit:
    """The exhibit of this name; `KeyError` if there is none."""
    return {one.name: one for one in EXHIBITS}[name]
