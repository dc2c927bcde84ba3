"""What can be compared, by name: the pair's own draft model, the other drafts of its family, and every other drafter of the registry."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.known_pairs import FAMILY
from specviz.settings import Settings

ALL = "all"
_MODEL = Settings().drafter
_SHOWN_SIBLINGS = ("sampled", "top")
"""Above temperature 0, the plain name of a tree stands for these two ways of choosing siblings."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A drafter to be measured.

    Attributes:
        name: the name shown in the tables.
        settings: the settings of its runs, including the drafter.
        draft: the pair of the family whose draft model it uses; None for the pair's own, and if none is used.
    """

    name: str
    settings: Settings
    draft: str | None = None

    @property
    def about(self) -> str:
        """One sentence on how it drafts."""
        if self.draft is not None:
            return f"{registry.describe(self.settings.drafter).explanation[:-1]}: {FAMILY[self.draft][1]}."
        return registry.describe(self.settings.drafter).explanation


def contestants(
    requested: Sequence[str], pair: str | None, settings: Settings, heads: Collection[str] = ()
) -> tuple[Contestant, ...]:
    """The drafters with these names, without repeats.

    Args:
        requested: names, or "all". Above temperature 0 without shared noise, the name of a tree stands for two: sampled siblings and the top n.
        pair: the name of the loaded pair, None for one without a name.
        heads: the kinds of trained heads that its target has. Drafters that need another one are not among "all".

    Raises:
        InputError: an unknown name.
    """
    others = tuple(name for name in FAMILY if name != pair) if pair in FAMILY else ()
    rest = tuple(name for name in registry.names() if name != _MODEL)
    trees = {} if settings.certain else _trees(settings)
    known = (_MODEL, *others, *rest)
    able = registry.able(draft=True, heads=heads)
    every = tuple(name for name in known if name in others or name in able)
    chosen: list[str] = []
    for name in requested:
        if name != ALL and name not in (*known, *trees):
            raise InputError(
                f"drafters was {name!r}: give all, or some of {', '.join((*known, *trees))}, separated by commas."
            )
        chosen.extend(every if name == ALL else (name,))
    if trees:
        chosen = [each for name in chosen for each in _shown(name)]
    return tuple(trees.get(name) or _contestant(name, settings) for name in dict.fromkeys(chosen))


def _shown(name: str) -> tuple[str, ...]:
    described = registry.descriptions().get(name)
    siblings = described.siblings if described else ()
    return tuple(f"{name}-{one}" for one in _SHOWN_SIBLINGS if one in siblings) or (name,)


def _trees(settings: Settings) -> dict[str, Contestant]:
    """Every tree with every way of choosing siblings, under a name made of both."""
    found = {}
    for described in registry.descriptions().values():
        for one in described.siblings:
            chosen = replace(settings, drafter=described.name, children=one)
            found[f"{described.name}-{one}"] = Contestant(f"{described.name}-{one}", chosen)
    return found


def _contestant(name: str, settings: Settings) -> Contestant:
    drafter = _MODEL if name in FAMILY else name
    chosen = registry.fitted(replace(settings, drafter=drafter))
    return Contestant(name, chosen, name if name in FAMILY else None)
