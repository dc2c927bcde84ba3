"""The description of an exhibit, for people. Standard library only, so that a page can show it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ExhibitSource:
    """Where a bug happened.

    Attributes:
        project: owner and name of the repository; of a paper its short name.
        number: of the issue or pull request, or of the paper at arXiv.
        kind: "issue", "pull request" or "paper".
        note: what became of it, or what the source says beyond the exhibit.
        read: whether the thread itself was read; otherwise others report it.
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
    """One bug of the zoo, or one lossy rule beside them.

    Attributes:
        name: its key; the broken twin has the same one.
        title: the bug in a few words.
        what: what goes wrong, and why it matters.
        stage: how it looks on the stage.
        part: which part of the loop is replaced.
        sources: where it happened.
        checks: the names of the checks of the audit that can catch it, the quickest one first.
        settings: the choices with which it shows, beyond a temperature above 0 and a drafted chain.
        head: whether its drafter stands for a trained head, whose scores no plain pass gives.
        lossy: not a bug but a rule that gives up the target's distribution on purpose.
    """

    name: str
    title: str
    what: str
    stage: str
    part: str
    sources: tuple[ExhibitSource, ...]
    checks: tuple[str, ...]
    settings: Mapping[str, str | int | float] = field(default_factory=dict)
    head: bool = False
    lossy: bool = False

    @property
    def mark(self) -> str:
        """The label that stands wherever a run with this exhibit is shown."""
        return f"{'LOSSY' if self.lossy else 'BUG'}: {self.title}"
