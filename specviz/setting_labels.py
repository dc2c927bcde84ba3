"""The choices of a setting and the plan of a run in words, for page and command line alike. Standard library only.

The names are those of the settings, and are what an address, a file or a command holds; the labels are free to change.
"""

from dataclasses import dataclass

from specviz.decoding.drafters import registry
from specviz.settings import AUTO, Settings
from specviz.trace.plan import Plan


@dataclass(frozen=True, slots=True)
class SettingLabel:
    """One choice: a short label, and what it does in one sentence."""

    label: str
    explanation: str


LOSSY = "LOSSY"
# Of a round in which "only while it pays" let nothing be drafted.
NOT_DRAFTING = "Not drafting: guesses cost more than they bring here."
AUTO_DRAFTER = SettingLabel(
    "Auto: what is fastest here", "specviz chooses what drafts, by measured costs and known acceptance."
)

# The groups of the drafters' descriptions.
GROUPS = {
    "draft model": SettingLabel("a draft model", "A second, small model drafts."),
    "no model": SettingLabel("no model", "Tokens are copied from the text."),
    "target itself": SettingLabel(
        "the target itself", "It drafts with fewer of its layers, or with its weights in 8 bits."
    ),
    "trained head": SettingLabel(
        "a trained head", "A small network drafts from the states that this target computes anyway."
    ),
    "tree": SettingLabel("a tree", "Several guesses at one position: one rejected guess need not end the round."),
}
POLICIES = {
    "fixed": SettingLabel("always k tokens", "Every draft has k tokens."),
    "confidence": SettingLabel(
        "stops when unsure",
        "A draft stops after the first token to which the draft itself gives a probability below the threshold.",
    ),
    "cost": SettingLabel(
        "adapts to cost",
        "A draft stops where one more token would cost more time than it is expected to save, by costs measured on this machine.",
    ),
    AUTO: SettingLabel(
        "only while it pays",
        "Before each round, measured costs and the acceptance so far decide how many tokens are drafted: none where they cost more than they "
        "bring.",
    ),
}
SIBLINGS = {
    "sampled": SettingLabel("independent draws", "Siblings are drawn independently from the draft's distribution."),
    "distinct": SettingLabel(
        "without replacement", "Siblings are drawn without replacement, so that no two are alike."
    ),
    "top": SettingLabel("top n (no draw)", "Siblings are the n most likely tokens; nothing is drawn."),
}
RULES = {
    "exact": SettingLabel("exact", "Keeps the target's distribution: guess by guess, x is accepted when u < p / q."),
    "block": SettingLabel(
        "exact, as a block",
        "Block verification keeps it too: the chain is judged as a whole; its longest prefix that passes is kept.",
    ),
    "lenient": SettingLabel(
        f"lenient ({LOSSY})",
        f"Accepts when u < p / (lenience · q), so more often than the exact rule. {LOSSY}: the distribution changes.",
    ),
}


def policy_label(policy: str) -> str:
    """The label of a policy; of one that only a recording of an earlier version names, its name."""
    return POLICIES[policy].label if policy in POLICIES else policy


def explained(choices: dict[str, SettingLabel]) -> str:
    """All choices with their explanations, as Markdown for the help of a picker."""
    return " ".join(
        f"**{choice.label[0].upper()}{choice.label[1:]}**: {choice.explanation}" for choice in choices.values()
    )


def planned(plan: Plan, settings: Settings, *, here: bool = True) -> str:
    """Why a run has its drafter, draft length and size of the tree, in one sentence.

    Args:
        settings: those of the run, with nothing left open.
        here: False for a recording, which may be of another machine.
    """
    machine, busy = ("this machine", "this one is") if here else ("the machine of the run", "that of the run was")
    elsewhere = f"another machine{f' ({plan.machine})' if plan.machine else ''}"
    where = f"on {machine}" if plan.measured else f"by the costs of {elsewhere}, because {busy} too busy to measure"
    assumed = "" if plan.known else "; its acceptance on this pair is not known yet and assumed"
    description = registry.descriptions().get(settings.drafter)
    label = description.label if description else settings.drafter
    label = label[:1].upper() + label[1:]
    drafted = plan.checked - 1
    if not drafted:
        who = "No drafter is" if "drafter" in plan.left else f"{label} is not"
        return f"{who} expected to pay {where}: plain decoding, with a guess tried now and then{assumed}."
    size = f", {drafted} token{'s' * (drafted > 1)} a round"
    if description and description.shape == "tree":
        size = f" of {settings.nodes}" if label.endswith("tree") else f", trees of {settings.nodes}"
    slower = " (slower than plain)" if round(plan.predicted, 1) < 1 else ""
    drafting = f", and drafting costs {plan.draft_cost:.1f}" if plan.draft_cost >= 0.05 else ""
    why = f"one pass checks {plan.checked} tokens for the cost of {plan.pass_cost:.1f}{drafting}"
    why = f", because {why}" if plan.measured else f": there, {why}"
    return f"{label}{size}: predicted {plan.predicted:.1f}× {where}{slower}{why}{assumed}."
