"""A run's models and settings in words, and what has been changed since it was asked for. Makes no Streamlit call."""

from dataclasses import fields, replace
from typing import Any

from specviz.known_pairs import CHAT, CHAT_TARGET, EMBEDDED, FAMILY
from specviz.reporting.player import wording
from specviz.request import PairRequest, Request
from specviz.setting_labels import policy_label
from specviz.settings import AUTO, OPEN, Settings

OTHER = "other"  # the name of models that are given by hub id or folder, in the form and in the address
NAMES = {CHAT: "Chat model", EMBEDDED: "Built-in tiny model", OTHER: "Your own models"}
"""How the page calls the pairs that it offers first."""
OTHER_PROMPT = "another prompt"
_CAUTIONS = {
    EMBEDDED: "The built-in tiny model continues English text and often gets facts wrong: watch the speed, not the answers.",
    CHAT: "The small chat model answers a prompt and often gets facts wrong: watch the speed, not the answers.",
}
_LABELS = {
    "k": "draft length",
    "temperature": "temperature",
    "top_k": "top-k",
    "top_p": "top-p",
    "max_new_tokens": "length",
    "seed": "seed",
    "nodes": "tokens in the tree",
    "children": "siblings in the tree",
    "threshold": "confidence threshold",
    "rule": "acceptance rule",
    "lenience": "lenience",
    "shared_noise": "shared noise",
}


def caution(family: str) -> str:
    """A caution about the models of a family of pairs, in a sentence; "" where none is needed."""
    return _CAUTIONS.get(family, "")


def family_of(target: str) -> str:
    """The family of a target by the name on its card."""
    if target.startswith(f"{EMBEDDED}/"):
        return EMBEDDED
    return CHAT if short(CHAT_TARGET) in target else ""


def family_asked(pair: PairRequest) -> str:
    """The family of the pair of a request."""
    return EMBEDDED if pair.name in FAMILY else pair.name or ""


def short(model: str) -> str:
    """The name of a model without its owner or folder."""
    return model.rstrip("/").rsplit("/", 1)[-1]


def models_asked(pair: PairRequest) -> str:
    """The models of a request in a few words."""
    if pair.name is None:
        return short(pair.target or "")
    return NAMES.get(pair.name, pair.name)


def models_of(card: dict[str, Any]) -> str:
    """The models of a recording's card in a few words."""
    family = family_of(card["target"]["name"])
    if family:
        return NAMES[family]
    draft = card.get("draft")
    return short(card["target"]["name"]) + (f" with {short(draft['name'])}" if draft else "")


def settings(chosen: Settings) -> list[str]:
    """The settings in a few words each: those that everybody needs, and what is not at its default."""
    words = [
        "drafter auto" if chosen.drafter == AUTO else wording.label(chosen.drafter),
        f"draft length {'up to ' if chosen.k and chosen.policy == AUTO else ''}{wording.number(chosen.k)}",
        f"temperature {chosen.temperature:g}",
        f"at most {chosen.max_new_tokens} tokens",
    ]
    if not chosen.greedy:
        words.append(f"seed {chosen.seed}")
    kept = [(name, getattr(chosen, name)) for name in ("top_k", "top_p")]
    words += [f"{_LABELS[name]} {value:g}" for name, value in kept if value != getattr(Settings(), name)]
    return words + wording.extras(chosen)


def changes(run: Request, wanted: Request) -> list[str]:
    """The differences of another run from the one on the stage, in a few words each; nothing that has no effect."""
    words = []
    template = wanted.template != run.template and wanted.pair.name not in FAMILY  # the built-in models have none
    if wanted.pair != run.pair or template:
        words.append(
            "other models" if wanted.pair.name != run.pair.name or wanted.pair.name is None else "another format"
        )
    if wanted.prompt != run.prompt:
        words.append(OTHER_PROMPT)
    before, after = _effective(run.settings), _effective(wanted.settings)
    for field in fields(Settings):
        new, old = getattr(after, field.name), getattr(before, field.name)
        if field.name == "drafter" and new != old:
            words.append(f"{wording.label(new)} instead of {wording.label(old)}")
        elif field.name == "policy" and new != old:
            words.append(f"drafts: {policy_label(new)} instead of {policy_label(old)}")
        elif new != old:
            word = wording.number if field.name in OPEN else _word
            words.append(f"{_LABELS[field.name]} {word(new)} instead of {word(old)}")
    return words


def _effective(chosen: Settings) -> Settings:
    """The settings with everything that has no effect beside the others at its default: at temperature 0 nothing is drawn."""
    idle: list[str] = []
    if chosen.greedy:
        idle += ["top_k", "top_p", "seed", "children", "shared_noise"]
    if chosen.policy != "confidence":
        idle.append("threshold")
    if chosen.rule != "lenient":
        idle.append("lenience")
    defaults = Settings()
    return replace(chosen, **{name: getattr(defaults, name) for name in idle})


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
