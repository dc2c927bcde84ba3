"""One run of a pair on one prompt: an iterator over rounds, and a trace at any moment."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import capacity_for, speculate
from specviz.decoding.pace import Steady
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import FULL, Recorder
from specviz.errors import DeviceLostError, PairError, PromptError, SettingsError
from specviz.models.devices import device_lost, memory_free, out_of_memory
from specviz.models.pair import Pair
from specviz.models.threads import Threads, is_fixed
from specviz.runs.auto import Chosen, chosen
from specviz.runs.pass_costs import useful_threads
from specviz.runs.prepare import (
    check_paths,
    context_of,
    draft_card,
    drafter_card,
    drafter_for,
    notes_of,
    usual_settings,
)
from specviz.runs.round_threads import SLOW, RoundTimes
from specviz.runs.warmup import warm_up
from specviz.settings import AUTO, Settings
from specviz.trace.cards import PairCard
from specviz.trace.earlier import Texts, newest
from specviz.trace.records import (
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Trace,
    ids_in,
    outline,
)


class Run(Iterator[Round]):
    """Decode a prompt with a pair: iterate for the rounds; `trace()` is valid at any moment.

    Args:
        settings: the choices of the run; by default those of `Settings()`, with n-gram lookup on a pair without a draft model.
        plain: the target alone, by the same loop.
        template: wrap the prompt in the tokenizer's chat template, if it has one.
        recorder: decides what is recorded of each round.
        drafter: a drafter of your own (`specviz.decoding.protocols.Drafter`); by default the one that the settings name.
        earlier: token ids of earlier texts, oldest first, for a drafter that copies from them too (suffix decoding); the newest are used
            (`specviz.trace.earlier`), and the record has them. The text is the same with and without them.
        choice: what was chosen for these settings before (`specviz.runs.auto.chosen`), for several runs that shall have the same.

    Attributes:
        settings: those of the run, with nothing left open.
        plan: how what was left open was chosen; None where nothing was, and for a plain run.

    Raises:
        PromptError: the prompt is not a text, or empty, or exceeds the models' context together with the new tokens; or the earlier
            texts have ids that the target's tokenizer does not have.
        SettingsError: these are not `Settings`, or the drafter does not support them.
        PairError: the pair lacks what the drafter needs, or memory ran out; while iterating, another run has begun on the pair.

    Runs of several threads take turns: each round, and `finish` as a whole, waits until no other thread uses the pair.

    On the CPU every round has as many of torch's threads as find a free core (`specviz.models.threads`), at most as many as torch has between
    the rounds, and one for a while after a round that took more than three times its expected time; within a comparison all runs have the
    same number.
    """

    def __init__(
        self,
        pair: Pair,
        prompt: str,
        settings: Settings | None = None,
        *,
        plain: bool = False,
        template: bool = True,
        recorder: Recorder = FULL,
        drafter: Drafter | None = None,
        earlier: Sequence[Sequence[int]] = (),
        choice: Chosen | None = None,
    ) -> None:
        settings = usual_settings(pair) if settings is None else settings
        check_kinds(prompt, settings)
        self.pair, self.prompt = pair, prompt
        self.prompt_ids = tuple(pair.text.encode(prompt, template=template))
        self._threads = Threads(pair.target.device.type == "cpu")
        if choice is None:
            with self._alone():
                if settings.open or settings.policy in (
                    AUTO,
                    "cost",
                ):  # else the caches may be those of another run still
                    self._limit_threads()
                choice = chosen(pair, settings) if settings.open or not plain else Chosen(settings)
        settings = self.settings = choice.settings
        self.plan = None if plain else choice.plan
        if plain:
            drafter = NoDrafter(pair.target.vocabulary, pair.target.device)
        with self._alone():
            if drafter is not None:
                check_paths(pair, drafter)
            self.drafter: Drafter = drafter or drafter_for(pair, settings, choice.costs)
        context = context_of(pair, self.drafter)
        if len(self.prompt_ids) + settings.max_new_tokens > context:
            raise PromptError(
                f"The prompt has {len(self.prompt_ids)} tokens and {settings.max_new_tokens} new tokens were requested, but the "
                f"pair takes at most {context} in all: shorten the prompt or request fewer new tokens."
            )
        self.card = _card(pair, self.drafter)
        self.earlier: Texts = ()
        if self.drafter.remembers:
            self.earlier = _known(newest(earlier), pair)
            self.drafter.remember(self.earlier)
        self.rounds: list[Round] = []
        self._times = RoundTimes(choice.costs)
        self._warm = False
        self._decoding = speculate(
            pair.target,
            self.drafter,
            self.prompt_ids,
            settings,
            recorder=recorder,
            pace=Steady() if plain else choice.pace(),
        )

    def warm_up(self) -> None:
        """Make every kind of pass of this run once, on CUDA, where the first of each is slow. The first round does so by itself; a caller
        that times the run does it before.

        Raises:
            PairError: memory ran out, or the device failed.
        """
        if self._warm or self.pair.target.device.type != "cuda":
            return
        with self._alone():
            self.pair.turn.user = self
            warm_up(self.pair.target, self.drafter, self.settings, capacity_for(self.prompt_ids, self.settings))
        self.card = _card(self.pair, self.drafter)  # a kind of pass that cannot be captured is known now
        self._warm = True

    def __next__(self) -> Round:
        with self._alone() as threads:
            turn = self.pair.turn
            if not self.rounds:
                self._limit_threads()
                turn.user = self
            elif turn.user is not self and self.stop is None:
                raise PairError(
                    "Another run has begun on this pair, whose caches store one text at a time: finish one run before starting the next."
                )
            self.warm_up()
            round_ = next(self._decoding)
            self.rounds.append(round_)
            if self._times.is_slow(len(round_.drafted), round_.seconds) and threads.drop():
                note = f"Round {len(self.rounds)} took more than {SLOW:g} times its expected time: one thread from there on, for a while."
                self.card = replace(self.card, notes=(*self.card.notes, note))
        return round_

    def _limit_threads(self) -> None:
        """No more threads than passes gain from; within a comparison that is decided already."""
        if self._threads.limit is None and not is_fixed():
            self._threads.limit = useful_threads(self.pair)
            self._threads.fit()

    def __repr__(self) -> str:
        return f"Run({outline(self.prompt, self.card, self.rounds)}, stop={self.stop})"

    @contextmanager
    def _alone(self) -> Iterator[Threads]:
        """Use the models while no other thread does, on threads that fit; raise what `_failure` says instead of torch's own errors."""
        with self.pair.turn.lock, self._threads.used() as threads:
            try:
                yield threads
            except (MemoryError, RuntimeError) as error:
                if failure := self._failure(error):
                    raise failure from error
                raise

    def _failure(self, error: Exception) -> PairError | None:
        """A readable error if memory ran out (the caches are released then) or the device failed; None for anything else."""
        device = self.pair.target.device
        if device_lost(error):
            return DeviceLostError(
                f"The device {device} failed while decoding ({' '.join(str(error).split())[:120]}): run again, and the pair is reloaded."
            )
        if not out_of_memory(error):
            return None
        tokens = len(self.prompt_ids) + self.settings.max_new_tokens
        models = [model for _, model in self.pair.models]
        bytes_per_token = sum(model.bytes_per_token for model in models)
        for model in models:
            model.release()
        return PairError(
            f"The memory of {device} ran out: the keys and values of {tokens} tokens alone need {tokens * bytes_per_token / 1e6:.0f} MB, and "
            f"{memory_free(device) / 1e6:.0f} MB are free now: request fewer new tokens, or choose a smaller pair."
        )

    @property
    def prefill(self) -> Prefill:
        """Seconds to read the prompt; zero before the first round."""
        return self._decoding.prefill or Prefill()

    @property
    def stop(self) -> Stop | None:
        """Why the run ended; None while it is running."""
        return self._decoding.stop

    def table(self, rounds: list[Round] | None = None, *, prompt: bool = True) -> dict[int, TokenBytes]:
        """The bytes of every id in these rounds (all of them by default) and in the prompt."""
        return self._bytes_of(ids_in(self.prompt_ids if prompt else (), self.rounds if rounds is None else rounds))

    def _bytes_of(self, ids: set[int]) -> dict[int, TokenBytes]:
        return {i: self.pair.text.bytes_of(i) for i in sorted(ids)}

    def trace(self) -> Trace:
        """Everything so far; the stop reason of a run that has not ended is "cancelled"."""
        return Trace(
            card=self.card,
            prompt=self.prompt,
            prompt_ids=self.prompt_ids,
            settings=self.settings,
            prefill=self.prefill,
            rounds=tuple(self.rounds),
            stop=self.stop or Stop.CANCELLED,
            tokens=self._bytes_of(ids_in(self.prompt_ids, self.rounds, self.earlier)),
            earlier=self.earlier,
            plan=self.plan,
        )

    def finish(self) -> Trace:
        """Decode to the end."""
        with self.pair.turn.lock:
            for _ in self:
                pass
        return self.trace()


def _known(earlier: Texts, pair: Pair) -> Texts:
    """These texts, if the target's tokenizer has all their ids."""
    foreign = next((token for text in earlier for token in text if not 0 <= token < pair.target.vocabulary), None)
    if foreign is not None:
        raise PromptError(
            f"An earlier text has the token {foreign}, but this target's tokens are 0 to {pair.target.vocabulary - 1}: give texts of the "
            "same tokenizer."
        )
    return earlier


def check_kinds(prompt: object, settings: object) -> None:
    """Reject arguments of another type in a sentence, before they fail somewhere deep.

    Raises:
        PromptError, SettingsError: the prompt is not a text, or these are not `Settings`.
    """
    if not isinstance(prompt, str):
        raise PromptError(f"The prompt was {prompt!r:.60} ({type(prompt).__name__}): give a text, as str.")
    if not isinstance(settings, Settings):
        raise SettingsError(
            f"The settings were {settings!r:.60} ({type(settings).__name__}): give specviz.Settings(k=4), or leave them out."
        )


def _card(pair: Pair, drafter: Drafter) -> PairCard:
    card = pair.card
    versions = (*card.versions, ("decoder", pair.target.decoder))
    notes = (*card.notes, *notes_of(pair, drafter))
    return replace(card, draft=draft_card(pair, drafter), drafter=drafter_card(drafter), versions=versions, notes=notes)
