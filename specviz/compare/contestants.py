"""Who may be compared, by name: the pair's own draft, the family's other drafts, and those that need no second model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specviz.errors import InputError
from specviz.offers import FAMILY
from specviz.settings import CHILDREN, Settings

ALL = "all"
_ALONE = ("ngram", "early-exit", "layer-skip")
_TREE = "tree"
_USUAL_TREES = ("tree-sampled", "tree-top")


@dataclass(frozen=True, slots=True)
class Contestant:
    """A drafter to be measured.

    Attributes:
        name: what it is called.
        settings: the run's, with its drafter.
        draft: the family's pair whose draft model it uses; None for the pair's own, and where none is used.
    """

    name: str
    settings: Settings
    draft: str | None = None


def contestants(asked: Sequence[str], pair: str | None, settings: Settings) -> tuple[Contestant, ...]:
    """The drafters that these names ask for, each once.

    Args:
        asked: names, or "all". "tree" above temperature 0 without shared noise is several: children drawn, and the top few.
        pair: the name of the pair that is loaded, None for one without a name.

    Raises:
        InputError: a name that is none.
    """
    others = tuple(name for name in FAMILY if name != pair) if pair in FAMILY else ()
    trees = () if settings.certain else tuple(f"{_TREE}-{children}" for children in CHILDREN)
    known = ("model", *others, *_ALONE, _TREE)
    chosen: list[str] = []
    for name in asked:
        if name != ALL and name not in (*known, *trees):
            raise InputError(f"drafters was {name!r}: give all, or some of {', '.join((*known, *trees))}, with commas.")
        chosen.extend(known if name == ALL else (name,))
    if not settings.certain:
        chosen = [each for name in chosen for each in (_USUAL_TREES if name == _TREE else (name,))]
    return tuple(_contestant(name, settings) for name in dict.fromkeys(chosen))


def _contestant(name: str, settings: Settings) -> Contestant:
    if name in FAMILY:
        return Contestant(name, replace(settings, drafter="model"), name)
    if name.startswith(f"{_TREE}-"):
        return Contestant(name, replace(settings, drafter=_TREE, children=name.removeprefix(f"{_TREE}-")))
    return Contestant(name, replace(settings, drafter=name))
