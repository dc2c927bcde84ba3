"""A target, a draft, trained heads and their tokenizer, loaded once and shared."""

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from pathlib import Path
from threading import RLock
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check
from specviz.models.heads.folder import BoundHead
from specviz.models.tokens import TokenText
from specviz.trace.cards import ModelCard, PairCard

Role = Literal["target", "draft"]
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(slots=True)
class PairTurn:
    """The turn with the models of a pair, whose caches store one text at a time.

    Attributes:
        lock: held by the thread that uses the models.
        user: the run that began last and owns the caches.
    """

    lock: RLock = field(default_factory=threading.RLock)
    user: object | None = None


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model as it came out of loading.

    Attributes:
        checks: how far its decoder and its cache are from its own plain pass.
        notes: sentences for the card of a pair.
    """

    model: CachedModel
    card: ModelCard
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The models that a run needs. Nothing of it changes once it is loaded.

    Attributes:
        name: the name or the two sources that it was loaded by.
        target, draft: both read the same ids; `draft` is None for a pair without a draft model.
        text: the target's tokenizer.
        card: the description of the pair that a trace stores.
        heads: trained heads of the target that are in memory, by kind.
        head_folders: the folders of the others, which `specviz.models.checks.first_use.head_of` loads.
        loaded: by role, the outcome of loading; empty for a pair of models that were made in memory.
        why_dtype: why `auto` chose the number format, in a sentence; "" where the format was given.
        turn: shared by the pairs that share a target.
    """

    name: str
    target: CachedModel
    draft: CachedModel | None
    text: TokenText
    card: PairCard
    heads: Mapping[str, BoundHead] = field(default_factory=dict)
    head_folders: Mapping[str, Path] = field(default_factory=dict)
    loaded: Mapping[Role, LoadedModel] = field(default_factory=dict)
    why_dtype: str = ""
    turn: PairTurn = field(default_factory=PairTurn)
    _first_uses: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def models(self) -> tuple[tuple[Role, CachedModel], ...]:
        """The models that are loaded, by what they do: one or two."""
        return (("target", self.target),) if self.draft is None else (("target", self.target), ("draft", self.draft))

    @property
    def head_kinds(self) -> tuple[str, ...]:
        """The kinds of trained heads that the pair has."""
        return tuple({**self.head_folders, **self.heads})

    def require_draft(self) -> CachedModel:
        """The draft model. Raises PairError if the pair has none."""
        if self.draft is None:
            raise PairError(f"{self.name} was loaded without a draft model, and this needs one: give a draft too.")
        return self.draft

    def take(self) -> None:
        """Make the models free for a check or a measurement: no run in progress can continue, and the target's passes return no states, as a run
        with a trained head before it may have asked for."""
        self.turn.user = None
        self.target.tap(())

    def __repr__(self) -> str:
        """One line; the networks themselves fill pages."""
        models = (
            f"{role}={model.name!r}"
            for role, model in (("target", self.card.target), ("draft", self.card.draft))
            if model
        )
        return f"Pair({self.name!r}, {', '.join(models)}, {self.card.dtype} on {self.card.device})"


def at_first_use(compute: Callable[Concatenate[Pair, P], T]) -> Callable[Concatenate[Pair, P], T]:
    """Compute something of a pair when it is first asked for, and return the same as long as the pair lives; an error is not remembered.

    Computing takes the models: a run in progress on the pair cannot continue. Arguments beside the pair are hashable and positional.
    """

    def remembered(pair: Pair, /, *args: P.args, **options: P.kwargs) -> T:
        results, key = pair._first_uses, (compute.__name__, args)
        if key not in results:
            pair.take()
            results[key] = compute(pair, *args, **options)
        result: T = results[key]
        return result

    return update_wrapper(remembered, compute)


def is_first_use(pair: Pair, remembered: Callable[..., Any], *args: Hashable) -> bool:
    """True if a function decorated with `at_first_use` has not computed this yet."""
    return (remembered.__name__, args) not in pair._first_uses
