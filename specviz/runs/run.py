"""One run of a pair on one prompt: an iterator over rounds, and a trace at any moment."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from specviz.decoding.checking import check_methods
from specviz.decoding.loop import capacity_for, speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import FULL, Recorder
from specviz.errors import DrafterError, PairError, PromptError, SettingsError
from specviz.models.pair import Pair
from specviz.models.threads import Threads
from specviz.runs.prepare import Prepared, alone, prepare
from specviz.runs.round_threads import SLOW, RoundTimes
from specviz.runs.uncaptured import uncaptured
from specviz.runs.warmup import warm_up
from specviz.settings import Settings
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

# A drafter of somebody's own is tried on these before it is used.
_TRIED_PROMPTS = ("One, two, three, one, two, three, one,", "Once upon a time")
_TRIED_WITH = Settings(k=4, max_new_tokens=16)


class Run(Iterator[Round]):
    """Decode a prompt: iterate for the rounds; `trace()` is valid at any moment. Raises PromptError if the prompt is not a text, or empty,
    or exceeds the models' context together with the new tokens; or the earlier texts have ids that the target's tokenizer does not have;
    SettingsError if these are not `Settings`, or the drafter does not support them, or they are given for what is prepared; PairError if the
    pair lacks what the drafter needs, or, while iterating too, if memory ran out, or another run has begun on the pair.

    Args:
        pair: the pair; or what `specviz.runs.prepare.prepare` gave, and then without settings, plain and drafter, which it has.
        settings, plain, drafter: as in `prepare`.
        template: wrap the prompt in the tokenizer's chat template, if it has one.
        earlier: token ids of earlier texts, oldest first, for a drafter that copies from them too (suffix decoding); the newest are used
            (`specviz.trace.earlier`), and the record has them. The text is the same with and without them.

    Attributes:
        settings: those of the run, with nothing left open.

    Runs of several threads take turns: each round, and `finish` as a whole, waits until no other thread uses the pair.

    On the CPU every round has as many of torch's threads as find a free core (`specviz.models.threads`), at most as many as torch has between
    the rounds, and one for a while after a round that took more than three times its expected time; within a comparison all runs have the
    same number.
    """

    def __init__(
        self,
        pair: Pair | Prepared,
        prompt: str,
        settings: Settings | None = None,
        *,
        plain: bool = False,
        drafter: Drafter | None = None,
        template: bool = True,
        recorder: Recorder = FULL,
        earlier: Sequence[Sequence[int]] = (),
    ) -> None:
        if not isinstance(prompt, str):
            raise PromptError(f"The prompt was {prompt!r:.60} ({type(prompt).__name__}): give a text, as str.")
        if isinstance(pair, Pair):
            prepared = prepare(pair, settings, plain=plain, drafter=drafter)
        elif settings is None and not plain and drafter is None:
            prepared = pair
        else:
            raise SettingsError("The pair was prepared already: give settings, plain and drafter to specviz.prepare.")
        self.prepared, self.pair, self.prompt = prepared, prepared.pair, prompt
        self.settings, self.drafter, self.plan = prepared.settings, prepared.drafter, prepared.plan
        self.prompt_ids = tuple(self.pair.text.encode(prompt, template=template))
        self._tokens = len(self.prompt_ids) + self.settings.max_new_tokens
        if self._tokens > prepared.context:
            raise PromptError(
                f"The prompt has {len(self.prompt_ids)} tokens and {self.settings.max_new_tokens} new tokens were requested, but the "
                f"pair takes at most {prepared.context} in all: shorten the prompt or request fewer new tokens."
            )
        self.card = self._card()
        self.earlier: Texts = ()
        if self.drafter.remembers:
            self.earlier = _readable(newest(earlier), self.pair)
            self.drafter.remember(self.earlier)
        self.rounds: list[Round] = []
        self._threads = Threads(self.pair.target.device.type == "cpu", limit=prepared.threads)
        self._times = RoundTimes(prepared.costs)
        self._warm = False
        self._decoding = speculate(
            self.pair.target, self.drafter, self.prompt_ids, self.settings, recorder=recorder, pace=prepared.pace()
        )

    def warm_up(self) -> None:
        """Make every kind of pass of this run once, on CUDA, where the first of each is slow. The first round does so
        by itself; a caller that times the run does it before. Raises PairError if memory ran out, or the device
        failed."""
        if self._warm or self.pair.target.device.type != "cuda":
            return
        with self._alone():
            self.pair.turn.user = self
            warm_up(self.pair.target, self.drafter, self.settings, capacity_for(self.prompt_ids, self.settings))
        self.card = self._card()  # a kind of pass that cannot be captured is known now
        self._warm = True

    def __next__(self) -> Round:
        with self._alone() as threads:
            turn = self.pair.turn
            if not self.rounds:
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

    def __repr__(self) -> str:
        return f"Run({outline(self.prompt, self.card, self.rounds)}, stop={self.stop})"

    def _alone(self) -> AbstractContextManager[Threads]:
        return alone(self.pair, self._threads, self._tokens)

    def _card(self) -> PairCard:
        return self.prepared.card(uncaptured(self.pair, self.drafter))

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


def _readable(earlier: Texts, pair: Pair) -> Texts:
    """These texts, if the target's tokenizer has all their ids."""
    foreign = next((token for text in earlier for token in text if not 0 <= token < pair.target.vocabulary), None)
    if foreign is not None:
        raise PromptError(
            f"An earlier text has the token {foreign}, but this target's tokens are 0 to {pair.target.vocabulary - 1}: give texts of the "
            "same tokenizer."
        )
    return earlier


def check_drafter(drafter: Drafter, pair: Pair) -> None:
    """Write a few short texts with a drafter of your own, greedy and drawn, and check every draft and, where texts are
    certain, the text. Raises DrafterError if it is no drafter, proposes what is no draft, or changes the text at
    temperature 0; the message says what to do; PairError, see `Run`."""
    check_methods(drafter)
    exact = pair.card.dtype in ("float32", "float64")  # in half precision two scores can tie
    for prompt in _TRIED_PROMPTS:
        plain = Run(pair, prompt, _TRIED_WITH, plain=True).finish()
        for temperature in (0.0, 1.0):
            trace = Run(pair, prompt, replace(_TRIED_WITH, temperature=temperature), drafter=drafter).finish()
            if exact and temperature == 0 and trace.token_ids != plain.token_ids:
                raise DrafterError(
                    f"With the drafter {drafter.name} the text after {prompt!r} is {trace.text!r:.60}, and plain decoding writes "
                    f"{plain.text!r:.60}: give the distribution that each token was really drawn from."
                )
