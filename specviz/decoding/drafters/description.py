"""What a way of drafting says of itself: everything that command line, page, player and refusals need to know. Standard library only."""

from dataclasses import dataclass
from typing import Literal

from specviz.settings import CHILDREN, POLICIES, RULES

Needs = Literal["draft model", "target layers", "nothing"]
Shape = Literal["chain", "tree"]
Picture = Literal["model", "copy", "first layers", "some layers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One way of drafting. It stands as a literal in the drafter's own file, so that it can be read without importing torch.

    The wording of the stage may hold `{next}` ("the next 5 tokens"), `{count}` ("5 tokens"), `{all}` ("all 5"), `{of}` ("4 of 12 ",
    empty where the layers are not known) and `{rest}` ("8 ", the layers that do not draft).

    Attributes:
        name: the same on the command line, in the page's address and in files.
        label: the name for people, in lower case.
        explanation: one sentence for the help of a picker.
        needs: what it drafts with: the pair's draft model, layers of the target, or nothing but the text.
        shape: whether a draft is a chain or may be a tree.
        policies: the draft length policies that it takes; every drafter takes "fixed".
        rules: the acceptance rules that may judge its drafts.
        siblings: how a tree's siblings may be chosen; empty for a chain.
        replannable: whether the rounds of any k follow from one plain text (`specviz.runs.replan`): a chain with a fixed
            draft length, where temperature 0 or shared noise leaves nothing to draw.
        picture: how the stage draws its work.
        does: what it does, for the stage's title.
        checks: what the target does with its drafts, for the stage's title.
        drafting: the stage's sentence while it drafts.
        idle: the same where it proposes nothing.
        verifying: the stage's sentence while the target reads the draft; empty for the usual one.

    Raises:
        ValueError: a field that no such drafter can have.
    """

    name: str
    label: str
    explanation: str
    needs: Needs = "nothing"
    shape: Shape = "chain"
    policies: tuple[str, ...] = ("fixed",)
    rules: tuple[str, ...] = ("exact", "typical", "lenient")
    siblings: tuple[str, ...] = ()
    replannable: bool = False
    picture: Picture = "model"
    does: str = ""
    checks: str = "checks all of them in one pass"
    drafting: str = "The drafter proposes {next}."
    idle: str = "Nothing is drafted in this round."
    verifying: str = ""

    def __post_init__(self) -> None:
        for what, given, known in (
            ("policies", self.policies, POLICIES),
            ("rules", self.rules, RULES),
            ("siblings", self.siblings, CHILDREN),
        ):
            odd = [name for name in given if name not in known]
            if odd:
                raise ValueError(
                    f"the description of {self.name!r} has {what} {odd[0]!r}: choose from {', '.join(known)}"
                )
        if "fixed" not in self.policies or "exact" not in self.rules:
            raise ValueError(
                f"the description of {self.name!r} leaves out the policy 'fixed' or the rule 'exact': every drafter takes both"
            )
        if (self.shape == "tree") != bool(self.siblings):
            raise ValueError(f"the description of {self.name!r}: a tree has siblings, and a chain has none")
