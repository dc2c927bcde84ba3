"""All exhibits of the zoo, for people, read from `assets/zoo.toml`: standard library only. The broken twins are in
`specviz.audit.zoo.exhibits`, under the same names."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from specviz.audit.records import counted
from specviz.folders import ASSETS

# How the figures of the exhibits were measured.
HOW = (
    "The figures were measured on pairs of tiny models with four tokens, whose p and q are known exactly, with two prompts and texts of three tokens "
    "in the sequential checks. A *text* is one text compared token by token or number by number; a *run* is one text with a seed of its own."
)


@dataclass(frozen=True, slots=True)
class ExhibitSource:
    """A source of an exhibit.

    Attributes:
        project: owner and name of the repository; of a paper its short name.
        number: of the issue or pull request, or of the paper at arXiv.
        kind: "issue", "pull request" or "paper".
        note: what became of it, or what the source says beyond the exhibit.
        read: the thread itself was read; otherwise others report it.
    """

    project: str
    number: str
    kind: str = "pull request"
    note: str = ""
    read: bool = True

    @property
    def url(self) -> str:
        """Its address."""
        if self.kind == "paper":
            return f"https://arxiv.org/abs/{self.number}"
        return f"https://github.com/{self.project}/{'issues' if self.kind == 'issue' else 'pull'}/{self.number}"

    @property
    def label(self) -> str:
        """Its name in a list."""
        name = f"{self.project}, arXiv {self.number}" if self.kind == "paper" else f"{self.project} #{self.number}"
        return name if self.read else f"{name} (reported, thread not read)"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One bug of the zoo.

    Attributes:
        name: its key; the broken twin has the same one.
        what: what goes wrong, and why it matters.
        stage: how it looks on the stage.
        part: which part of the loop is replaced.
        checks: the names of the checks of the audit that can catch it, the quickest one first.
        after: by check, after how many texts or runs it caught the bug; a check that is missing had
            not caught it after a few hundred runs.
        settings: the choices with which it shows, beyond a temperature above 0 and a drafted chain.
        head: its drafter stands for a trained head, whose scores no plain pass gives.
    """

    name: str
    title: str
    what: str
    stage: str
    part: str
    sources: tuple[ExhibitSource, ...]
    checks: tuple[str, ...]
    after: Mapping[str, int]
    settings: Mapping[str, str | int | float] = field(default_factory=dict)
    head: bool = False

    @property
    def mark(self) -> str:
        """The label that stands wherever a run with this exhibit is shown."""
        return f"BUG: {self.title}"

    @property
    def caught_by(self) -> list[tuple[str, str]]:
        """The checks that caught it, each with the number of texts or runs until then."""
        return [(check, counted(check, self.after[check])) for check in self.checks if check in self.after]


def _read(entry: dict[str, Any]) -> Exhibit:
    sources = tuple(ExhibitSource(**source) for source in entry["sources"])
    return Exhibit(**{**entry, "sources": sources, "checks": tuple(entry["checks"])})


EXHIBITS: tuple[Exhibit, ...] = tuple(map(_read, tomllib.loads((ASSETS / "zoo.toml").read_text("utf-8"))["exhibits"]))


def exhibit(name: str) -> Exhibit:
    """The exhibit of this name; `KeyError` if there is none."""
    return {entry.name: entry for entry in EXHIBITS}[name]
