"""The drafter, the policy and the rule of a run in a few words: for settings, race, runs and pages. Makes no Streamlit call."""

from specviz.decoding.drafters import registry
from specviz.request import PairAsked
from specviz.setting_labels import AUTO_DRAFTER, policy_label
from specviz.settings import AUTO, Settings
from specviz.words import Sentence, in_row


def label(name: str) -> str:
    """A drafter's label; its name where no drafter of this project has it (a recording can come from elsewhere)."""
    known = registry.descriptions().get(name)
    return known.label if known else name


def listed(name: str) -> str:
    """A drafter's label in a list of many: with the group that it belongs to, where the label does not say it."""
    if name == AUTO:
        return AUTO_DRAFTER.label
    known = registry.descriptions().get(name)
    if known is None or known.group in known.label:
        return label(name)
    return f"{known.label} · {known.group}"


def drafter(pair: PairAsked, settings: Settings) -> str:
    """The pair alone for its draft model, the usual drafter; else the drafter and the pair."""
    models = str(pair.name or pair.draft or pair.target)
    if settings.drafter == Settings().drafter:
        return models
    known = registry.descriptions().get(settings.drafter)
    size = f" ({settings.nodes})" if known is not None and known.shape == "tree" else ""
    return Sentence("{drafter}{size}, {models}", drafter=Sentence(label(settings.drafter)), size=size, models=models)


def number(value: int) -> str:
    """A draft length or a number of nodes: "auto" where it is left to specviz."""
    return str(value or AUTO)


def policy(settings: Settings) -> str:
    """When the drafts stop, where that is not always at k; empty otherwise."""
    if settings.policy == Settings().policy:
        return ""
    threshold = f"({settings.threshold:g})" if settings.policy == "confidence" else ""
    return in_row((Sentence(policy_label(settings.policy)), threshold))


def rule(settings: Settings) -> str:
    """The acceptance rule where it is a lossy one, labelled so; empty for the exact rule."""
    if not settings.lossy:
        return ""
    if settings.rule == "lenient":
        return Sentence("LOSSY: lenient rule, lenience {lenience}", lenience=f"{settings.lenience:g}")
    return Sentence("LOSSY: typical rule")


def noise(settings: Settings) -> str:
    """That draft and target shared their noise, where there was any."""
    return Sentence("shared noise") if settings.shared_noise and not settings.greedy else ""


def details(settings: Settings) -> list[str]:
    """Draft length, size of a tree, and everything that is not at its default."""
    known = registry.descriptions().get(settings.drafter)
    nodes = Sentence("up to {nodes} tokens", nodes=number(settings.nodes))
    tree = known is not None and known.shape == "tree"
    return [f"k = {number(settings.k)}", *([nodes] if tree else []), *extras(settings)]


def extras(settings: Settings) -> list[str]:
    """Everything that is not at its default, in a few words each: what is lossy comes first."""
    return [words for words in (rule(settings), policy(settings), noise(settings)) if words]
