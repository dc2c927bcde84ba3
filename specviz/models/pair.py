"""A target, a draft and their tokenizer, loaded once and shared."""

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import RLock
from typing import Literal

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check
from specviz.models.heads.folder import BoundHead
from specviz.models.tokens import TokenText
from specviz.trace.cards import PairCard

Role = Literal["target", "draft"]


@dataclass(slots=True)
class PairTurn:
    """Whose turn it is with the models, whose caches store one text at a time.

    Attributes:
        lock: of whoever uses the models now, in any thread.
        user: the run that began last and owns the caches.
    """

    lock: RLock = field(default_factory=threading.RLock)
    user: object | None = None


@dataclass(slots=True)
class Pair:
    """The models that a run needs.

    Attributes:
        name: the name or the two sources that it was loaded by.
        target, draft: both read the same ids; `draft` is None for a pair without a draft model.
        text: the target's tokenizer.
        quantized: the target in 8 bits, made when a run first needs it.
        quantized_cost: what a pass of `quantized` over one token takes, in passes of the target; None before it is measured.
        card: the description of the pair that a trace stores.
        turn: shared by the pairs that share a target.
        head_folders: where the trained heads of the target are, by kind.
        head_faults: by kind, why a head that was to be there cannot be used, in a sentence.
        heads: those that a run has used, by kind.
        checks: by name, how far each path that was used so far is from the models' own plain pass.
        draft_checks: the names of those that are about the draft; the others are about the target.
        notes: the sentences on the card, by the model that each is about.
        why_dtype: why `auto` chose the number format, in a sentence; "" where the format was given.
        kept: by name, what a task keeps for the next one with the same pair; dropped with the pair.
    """

    name: str
    target: CachedModel
    draft: CachedModel | None
    text: TokenText
    card: PairCard
    turn: PairTurn = field(default_factory=PairTurn)
    quantized: CachedModel | None = None
    quantized_cost: float | None = None
    why_dtype: str = ""
    head_folders: dict[str, Path] = field(default_factory=dict)
    head_faults: dict[str, str] = field(default_factory=dict)
    heads: dict[str, BoundHead] = field(default_factory=dict)
    checks: dict[str, Check] = field(default_factory=dict)
    draft_checks: set[str] = field(default_factory=set)
    kept: dict[str, object] = field(default_factory=dict)
    notes: dict[Role, list[str]] = field(default_factory=lambda: {"target": [], "draft": []})

    @property
    def models(self) -> tuple[tuple[Role, CachedModel], ...]:
        """The models that are loaded, by what they do: one or two."""
        return (("target", self.target),) if self.draft is None else (("target", self.target), ("draft", self.draft))

    def require_draft(self) -> CachedModel:
        """The draft model.

        Raises:
            PairError: the pair has none.
        """
        if self.draft is None:
            raise PairError(f"{self.name} was loaded without a draft model, and this needs one: give a draft too.")
        return self.draft

    def take(self) -> None:
        """Make the models free for a check or a measurement: no run in progress can continue, and the target's passes return no states, as a run
        with a trained head before it may have asked for."""
        self.turn.user = None
        self.target.tap(())

    def remember(self, check: Check, role: Role = "target") -> None:
        """Keep the outcome of a check of this model, and put its sentence on the card if a path was set aside."""
        self.checks[check.name] = check
        if role == "draft":
            self.draft_checks.add(check.name)
        if check.note:
            self.add_note(check.note, role)

    def add_note(self, sentence: str, role: Role) -> None:
        """Put a sentence about this model on the card, where every sentence is shown once."""
        if sentence not in self.notes[role]:
            self.notes[role].append(sentence)
        if sentence not in self.card.notes:
            self.card = replace(self.card, notes=(*self.card.notes, sentence))

    def __repr__(self) -> str:
        """One line; the networks themselves fill pages."""
        models = (
            f"{role}={model.name!r}"
            for role, model in (("target", self.card.target), ("draft", self.card.draft))
            if model
        )
        return f"Pair({self.name!r}, {', '.join(models)}, {self.card.dtype} on {self.card.device})"
