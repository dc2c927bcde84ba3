"""Which models a person chose: a pair by its name, or a target with or without a draft. Standard library only, and nothing is loaded."""

from dataclasses import dataclass
from pathlib import Path

from specviz.errors import InputError, UnknownPairError
from specviz.offers import CHAT, EMBEDDED, FAMILY, names, offered
from specviz.settings import Settings


@dataclass(frozen=True, slots=True)
class Chosen:
    """The sources of a pair's models.

    Attributes:
        name: of an offered pair; None where the models were given.
        target, draft: hub ids or paths; `draft` is None for a pair without a draft model.
        missing: the folder of an offered pair's draft that is not there, so that the pair goes without one; else empty.
    """

    name: str | None
    target: str
    draft: str | None
    missing: str = ""

    @property
    def note(self) -> str:
        """One sentence for people where the draft is missing; else empty."""
        if not self.missing:
            return ""
        return f"{self.name} was loaded without a draft model: this copy of specviz has none for it."


def chosen_by_options(pair: str | None, target: str | None, draft: str | None) -> Chosen:
    """The models that the options --pair, --target and --draft name.

    Raises:
        InputError: --pair was given together with one of the others.
        UnknownPairError: see `chosen_models`.
    """
    if pair is not None and (target is not None or draft is not None):
        raise InputError(
            "--pair was given together with --target or --draft: give a pair, or a target, with or without a draft."
        )
    return chosen_models(pair, target, draft)


def chosen_models(name: str | None = None, target: str | None = None, draft: str | None = None) -> Chosen:
    """The models that these choices name; the embedded pair where there are none.

    A draft is a hub id or comes with the project. One that comes with the project can be made later than its pair: until then the
    pair has no draft model.

    Raises:
        UnknownPairError: no pair has this name, or a draft was given without a target.
    """
    if target:
        return Chosen(None, target, draft or None)
    if draft or target is not None:
        raise UnknownPairError(f"The target was {target!r} and the draft {draft!r}: name the target too.")
    name = name or EMBEDDED
    found = offered(name)
    if found is None:
        raise UnknownPairError(
            f"No pair is called {name!r}: choose one of {', '.join(names())}, or give a target, with or without a draft."
        )
    own, drafts = found
    if name not in FAMILY and Path(drafts).is_absolute() and not Path(drafts, "config.json").is_file():
        return Chosen(name, own, None, missing=drafts)
    return Chosen(name, own, drafts)


def page_settings(name: str | None) -> Settings:
    """The settings with which the page opens for this pair.

    The chat model's draft is either sure or wrong: where a draft stops after a token of low confidence, more of it is accepted.
    """
    return Settings(policy="confidence") if name == CHAT else Settings()
