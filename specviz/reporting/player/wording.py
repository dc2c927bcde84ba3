"""The drafter, the policy and the rule of a run in a few words."""

from specviz.decoding.drafters import registry
from specviz.request import PairRequest
from specviz.setting_labels import AUTO_DRAFTER, policy_label
from specviz.settings import AUTO, Settings
from specviz.words import Sentence, in_row


def label(name: str) -> str:
    """A drafter's label; its name where no drafter of this project has it (a recording can come from elsewhere)."""
    description = registry.descriptions().get(name)
    return description.label if description else name


def listed(name: str) -> str:
    """A drafter's label in a list of many: with the group that it belongs to, where the label does not say it."""
    if name == AUTO:
        return AUTO_DRAFTER.label
    description = registry.descriptions().get(name)
    if description is None or description.group in description.label:
        return label(name)
    return f"{description.label} · {description.group}"


def drafter(pair: PairRequest, settings: Settings) -> str:
    """The pair alone for its draft model, the usual drafter; else the drafter and the pair."""
    models = str(pair.name or pair.draft or pair.target)
    if settings.drafter == Settings().drafter:
        return models
    size = f" ({settings.nodes})" if _is_tree(settings) else ""
    return Sentence("{drafter}{size}, {models}", drafter=Sentence(label(settings.drafter)), size=size, models=models)


def number(value: int) -> str:
    """A draft length or a number of nodes: "auto" where it is left to specviz."""
    return str(value or AUTO)


def policy(settings: Settings) -> str:
    """The policy, where drafts do not always stop at k; else ""."""
    if settings.policy == Settings().policy:
        return ""
    threshold = f"({settings.threshold:g})" if settings.policy == "confidence" else ""
    return in_row((Sentence(policy_label(settings.policy)), threshold))


def rule(settings: Settings) -> str:
    """A lossy acceptance rule, labelled so; "" for the exact ones."""
    if not settings.lossy:
        return ""
    if settings.rule == "lenient":
        return Sentence("LOSSY: lenient rule, lenience {lenience}", lenience=f"{settings.lenience:g}")
    return Sentence("LOSSY: {rule} rule", rule=settings.rule)


def noise(settings: Settings) -> str:
    """Draft and target shared their noise; "" where there was none."""
    return Sentence("shared noise") if settings.shared_noise and not settings.greedy else ""


def details(settings: Settings) -> list[str]:
    """Draft length, size of a tree, and everything that is not at its default."""
    nodes = [Sentence("up to {nodes} tokens", nodes=number(settings.nodes))] if _is_tree(settings) else []
    return [f"k = {number(settings.k)}", *nodes, *extras(settings)]


def _is_tree(settings: Settings) -> bool:
    description = registry.descriptions().get(settings.drafter)
    return description is not None and description.shape == "tree"


def extras(settings: Settings) -> list[str]:
    """Everything that is not at its default, in a few words each: what is lossy comes first."""
    return [words for words in (rule(settings), policy(settings), noise(settings)) if words]
