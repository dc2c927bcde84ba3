"""How a drafter describes itself: all that the command line, the page, the player and error messages need. Standard library only."""

from dataclasses import dataclass
from typing import Literal

from specviz.settings import CHAIN_RULES, RULES

Needs = Literal["draft model", "target layers", "trained head", "nothing"]
Shape = Literal["chain", "tree"]
Group = Literal["draft model", "no model", "target itself", "trained head", "tree"]
Picture = Literal[
    "model",
    "fewer bits",
    "copy",
    "first layers",
    "heads",
    "fed layer",
    "joined layer",
    "open block",
    "causal block",
    "linked block",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """One drafting method. It is written as a literal in the drafter's own file, so that it can be read without importing torch.

    The stage's sentences may contain `{next}` ("the next 5 tokens"), `{count}` ("5 tokens"), `{all}` ("all 5"), `{of}` ("4 of 12 ", empty
    if the layers are not known), `{rest}` ("8 ", the layers that do not draft) and `{reads}` ("layers 2, 6 and 9 of the target", the states
    that a trained head reads).

    Attributes:
        name: used on the command line, in the page's address and in files.
        label: the name shown to people, in lower case.
        explanation: one sentence for the help text of a picker.
        needs: what it drafts with: the pair's draft model, layers of the target, a head that was trained for
            it, or only the text.
        head: the kind of this head; empty for a drafter that needs none.
        shape: whether a draft is a chain or may be a tree.
        policies: the draft length policies that it supports; every drafter supports "fixed", and "auto", which the loop applies.
        siblings: the ways of choosing siblings that it supports; empty for a chain, and for a tree that leaves no choice.
        remembers: whether it can also copy from earlier texts of a visit (`specviz.decoding.protocols.Drafter.remember`).
        picture: how the stage draws its work. Of trained heads: several that guess at once from one state; one layer that goes on from its
            own guesses; one that joins the last state and the next token; a block that one pass fills, whose slots see each other, those before them, or are linked by the token before each.
        otherwise: of a drafter that copies where the text repeats itself, the name of the one that drafts elsewhere.
        itself: whether it drafts with the target's own weights, for one that needs no layers of it.
        does: what it does, for the stage's title.
        checks: what the target does with its drafts, for the stage's title.
        drafting: the stage's sentence while it drafts.
        idle: the same for a round in which it proposes nothing.
        verifying: the stage's sentence while the target reads the draft; empty for the default one.
    """

    name: str
    label: str
    explanation: str
    needs: Needs = "nothing"
    head: str = ""
    shape: Shape = "chain"
    policies: tuple[str, ...] = ("fixed",)
    siblings: tuple[str, ...] = ()
    remembers: bool = False
    picture: Picture = "model"
    otherwise: str = ""
    itself: bool = False
    does: str = ""
    checks: str = "checks all of them in one pass"
    drafting: str = "The drafter proposes {next}."
    idle: str = "Nothing is drafted in this round."
    verifying: str = ""

    @property
    def able_rules(self) -> tuple[str, ...]:
        """The rules that may judge its drafts: a tree has none that judges chains only."""
        return tuple(rule for rule in RULES if self.shape == "chain" or rule not in CHAIN_RULES)

    @property
    def group(self) -> Group:
        """With which other drafters it is listed: by what drafts, and those that a model or a head grows into a tree by themselves."""
        if self.needs == "nothing":
            return "target itself" if self.itself else "no model"
        if self.shape == "tree":
            return "tree"
        if self.needs == "target layers":
            return "target itself"
        return "trained head" if self.needs == "trained head" else "draft model"
