"""Everything of a run but its prompt: settings with nothing left open, the drafter, why it was chosen, and the checks at first use."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.pace import Pace, ReplayPace, pace_for
from specviz.decoding.protocols import Drafter
from specviz.errors import DeviceLostError, PairError, SettingsError, brief
from specviz.models.devices import device_lost, memory_free, out_of_memory
from specviz.models.pair import Pair
from specviz.models.threads import Threads
from specviz.runs.build import build_drafter, default_settings, first_step, first_use
from specviz.runs.choose import choose
from specviz.runs.costs import copy_cost, limit_threads
from specviz.settings import AUTO, Settings
from specviz.trace.cards import DrafterCard, PairCard
from specviz.trace.plan import Plan
from specviz.trace.records import Round

_CHOOSING = "choosing drafter and draft length by what passes cost here"


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything of a run but its prompt, for any number of runs, one after the other.

    Attributes:
        settings: nothing is left open.
        drafter: every run begins a new text with it.
        plan: why; None where a person left nothing open, and for plain decoding.
        costs, rates: what its pace begins with (`specviz.decoding.pace`); None and () where the policy does not need them.
        notes: sentences on paths of this drafter that were set aside, and on what it costs here.
        allowed: how many tokens each round of an earlier run was allowed, for one that is to draft as it did; else None.
        threads: the most of torch's threads that passes of the target gain from; None for all of them.
    """

    pair: Pair
    settings: Settings
    drafter: Drafter
    plan: Plan | None = None
    costs: Costs | None = None
    rates: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    allowed: tuple[int, ...] | None = None
    threads: int | None = None

    def plain(self) -> "Prepared":
        """The target alone, by the same loop, with the same settings."""
        return _plain(self.pair, self.settings, self.threads)

    def repeating(self, rounds: Sequence[Round]) -> "Prepared":
        """For a run that is timed again: it drafts as these rounds did, although costs on the clock differ."""
        if self.settings.policy != AUTO:
            return self
        return replace(self, allowed=tuple(round_.allowed or 0 for round_ in rounds))

    def pace(self) -> Pace:
        """A pace for one text."""
        if isinstance(self.drafter, NoDrafter):
            return Pace()
        if self.allowed is not None:
            return ReplayPace(self.allowed)
        described = registry.descriptions().get(self.settings.drafter)
        tree = described is not None and described.shape == "tree"
        return pace_for(self.settings, self.costs, self.rates, tree=tree)

    @property
    def context(self) -> int:
        """The largest number of tokens that all models of such a run can read."""
        target, model = self.pair.target, self.drafter.model
        return target.context if model is None else min(target.context, model.context)

    def card(self, notes: Sequence[str] = ()) -> PairCard:
        """The card of such a run, with these notes too; a drafter outside the registry is shown under its own name."""
        drafter, card = self.drafter, self.pair.card
        described = registry.descriptions().get(drafter.name)
        label = described.label if described else drafter.name
        return replace(
            card,
            draft=card.draft if drafter.model is not None and drafter.model is self.pair.draft else None,
            drafter=DrafterCard(drafter.name, label, drafter.layers or None, tuple(sorted(set(drafter.taps))) or None),
            versions=(*card.versions, ("decoder", self.pair.target.decoder)),
            notes=tuple(dict.fromkeys((*card.notes, *self.notes, *notes))),
        )


def prepare(
    pair: Pair,
    settings: Settings | None = None,
    *,
    plain: bool = False,
    drafter: Drafter | None = None,
    announce: Callable[[str], None] = lambda step: None,
) -> Prepared:
    """Choose what the settings leave open, build the drafter, and compare the paths that it needs when they are first used on the pair.

    Costs are measured unless they are noted. Uses the pair's caches where something is measured or compared: a run in progress on the pair
    cannot continue then. Raises SettingsError if these are not `Settings`, or the drafter does not support them; PairError if the pair
    lacks what the drafter needs, a path differs, or memory ran out.

    Args:
        settings: by default those of `Settings()`, with n-gram lookup on a pair without a draft model.
        plain: the target alone; a drafter is chosen only for the settings that the record shows.
        drafter: one of your own (`specviz.decoding.protocols.Drafter`) instead of the one that the settings name.
        announce: called before each step that takes a while.
    """
    settings = default_settings(pair) if settings is None else settings
    if not isinstance(settings, Settings):
        raise SettingsError(
            f"The settings were {settings!r:.60} ({type(settings).__name__}): give specviz.Settings(k=4), or leave them out."
        )
    with alone(pair, Threads(pair.target.device.type == "cpu")) as threads:
        if settings.open or (settings.policy in (AUTO, "cost") and not plain):
            announce("measuring what passes cost" if settings.policy == "cost" else _CHOOSING)
        limit_threads(threads, pair)
        if plain:
            return _plain(pair, choose(pair, settings).settings if settings.open else settings, threads.limit)
        return _usable(pair, settings, drafter, announce, threads.limit)


def _plain(pair: Pair, settings: Settings, threads: int | None) -> Prepared:
    return Prepared(pair, settings, NoDrafter(pair.target.vocabulary, pair.target.device), threads=threads)


def _usable(
    pair: Pair, settings: Settings, own: Drafter | None, announce: Callable[[str], None], threads: int | None
) -> Prepared:
    """Choose until the drafter can be used; one that a person named ends in the refusal."""
    notes: list[str] = []
    without: set[str] = set()
    while True:
        choice = choose(pair, settings, without)
        name = choice.settings.drafter
        try:
            if own is None:
                registry.check(choice.settings)
                if step := first_step(pair, name):
                    announce(step)
            drafter = own or build_drafter(pair, name, choice.costs)
            notes += choice.notes
            notes += [check.note for check in first_use(pair, drafter) if check.note]
            break
        except PairError as error:
            if own is not None or settings.drafter != AUTO:
                raise
            without.add(name)
            notes.append(str(error))
    if drafter.name == "quantized" and (cost := copy_cost(pair)) >= 1:
        notes.append(
            f"A pass of the copy in 8 bits takes {cost:.2f} of the target's own pass here, so drafting with it cannot pay: it pays for larger targets."
        )
    return Prepared(
        pair, choice.settings, drafter, choice.plan, choice.costs, choice.rates, tuple(notes), threads=threads
    )


@contextmanager
def alone(pair: Pair, threads: Threads, tokens: int = 0) -> Iterator[Threads]:
    """Within it no other thread uses the models, and torch has as many threads as find a core. Raises DeviceLostError
    if the device failed; PairError if memory ran out; the caches are released then.

    Args:
        tokens: of the text, for the sentence where memory runs out; 0 where there is none yet.
    """
    with pair.turn.lock, threads.used() as active:
        try:
            yield active
        except (MemoryError, RuntimeError) as error:
            if failure := _failure(pair, error, tokens):
                raise failure from error
            raise


def _failure(pair: Pair, error: Exception, tokens: int) -> PairError | None:
    device = pair.target.device
    if device_lost(error):
        return DeviceLostError(
            f"The device {device} failed while decoding ({brief(error, 120)}): run again, and the pair is reloaded."
        )
    if not out_of_memory(error):
        return None
    models = [model for _, model in pair.models]
    needed = tokens * sum(model.bytes_per_token for model in models) / 1e6
    for model in models:
        model.release()
    text = f"the keys and values of {tokens} tokens alone need {needed:.0f} MB, and " if tokens else ""
    advice = "request fewer new tokens, or choose" if tokens else "choose another drafter or"
    return PairError(
        f"The memory of {device} ran out: {text}{memory_free(device) / 1e6:.0f} MB are free now: {advice} a smaller pair."
    )
