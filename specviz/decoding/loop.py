"""The one loop: draft, verify, judge, commit.

Plain decoding is the same loop with a drafter that proposes nothing. This module knows nothing of screens, of
tokenizers or of how a model stores its cache, and it never sleeps.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch

from specviz.decoding.checking import check_draft, is_own
from specviz.decoding.clock import Laps, Stopwatch, stopwatch_for, wait
from specviz.decoding.judge.choice import rule_for
from specviz.decoding.judge.judgement import Rule
from specviz.decoding.judge.outcome import Outcome
from specviz.decoding.pace import Pace, RoundCost, pace_for
from specviz.decoding.protocols import Draft, Drafter, LanguageModel, Reading, check_cached
from specviz.decoding.recorder import FULL, HostRound, Recorder
from specviz.decoding.sampling import Draws, draws_for, not_numbers, warp
from specviz.errors import PromptError, ScoresError
from specviz.settings import Settings
from specviz.trace.records import Prefill, Round, Stop

# Until so many tokens are written, the numbers of drafts from outside are checked; their shapes are always.
_CHECKED = 8


@dataclass(slots=True)
class Decoding(Iterator[Round]):
    """A run in progress: an iterator over its rounds, which `speculate` begins.

    Attributes:
        committed: prompt and text so far; the target has read all of it but the last token.
        prefill: seconds to read the prompt; None before the first round.
        stop: why the run ended, set with its last round; None while it is running.
        others: see `speculate`.
    """

    target: LanguageModel
    drafter: Drafter
    committed: list[int]
    settings: Settings
    draws: Draws
    recorder: Recorder
    judge: Rule
    pace: Pace
    prefill: Prefill | None = None
    stop: Stop | None = None
    _rounds: Iterator[Round] = field(init=False)

    def __post_init__(self) -> None:
        self._rounds = self._decode()

    def __next__(self) -> Round:
        return next(self._rounds)

    def _decode(self) -> Iterator[Round]:
        """All rounds. If scores are not numbers, neither is what is cached: the caches are freed, so that no later text reads it."""
        try:
            self._read_prompt()
            watch, count, clock = stopwatch_for(self.target.device), 0, 0.0
            while self.stop is None:
                round_ = self._round(watch, count, clock)
                count, clock = count + len(round_.tokens), round_.ended_s
                self.stop = _stop(round_.tokens[-1], count, self.settings, self.target.end_ids)
                yield round_
        except ScoresError:
            for model in (self.target, self.drafter.model):
                if model is not None:
                    model.release()
            raise

    def _round(self, watch: Stopwatch, count: int, clock: float) -> Round:
        """One round after `count` new tokens: draft, verify, judge, commit."""
        target, drafter, settings = self.target, self.drafter, self.settings
        with torch.inference_mode():
            watch.start()
            last = torch.tensor(self.committed[-1:], device=target.device)  # copied while the device is idle
            # Draft: at most one token fewer than remain, since the target adds one of its own.
            remaining = min(settings.k, settings.max_new_tokens - count - 1)
            limit = self.pace.allow(remaining, drafter.copy_probabilities(self.committed, settings, remaining))
            draft = drafter.propose(self.committed, settings, self.draws, limit)
            if is_own(drafter):
                check_draft(drafter, draft, limit, target, numbers=count < _CHECKED)
            watch.lap()
            # Verify: one pass of the target over the whole draft.
            tokens = torch.cat([last, draft.tokens])
            scores = target.forward(tokens, draft.parents_after_last)
            watch.lap()
            # Judge: follow the draft from its root while tokens are accepted.
            probabilities = warp(scores.logits, settings, [count, *(count + depth for depth in draft.depths)])
            judgement = self.judge(draft, probabilities, self.draws)
            fetched = self.recorder.fetch(draft, scores, probabilities, judgement)
            if fetched.target_broken or fetched.draft_broken:
                raise not_numbers("target" if fetched.target_broken else "draft", scores.logits.dtype)
            outcome = fetched.outcome(target.end_ids)
            # Commit: the accepted tokens and the target's own join the text; the cache drops the rest.
            target.keep(outcome.rows)
            self.committed.extend(outcome.tokens)
            drafter.saw(Reading(tokens, scores, tuple(outcome.rows)))
            laps = watch.stop()
        check_cached(target.length, len(self.committed) - (outcome.closing is not None), "target")
        paced = type(self.pace) is not Pace and remaining > 0
        round_ = _record(count, clock, laps, draft, fetched, outcome, limit if paced else None)
        besides_s = round_.ended_s - round_.began_s - round_.verify_s
        self.pace.note(RoundCost(len(round_.drafted), len(round_.accepted), besides_s, round_.verify_s))
        return round_

    def _read_prompt(self) -> None:
        """Let target and drafter read the prompt except its last token, which the first round reads."""
        target, drafter, prompt = self.target, self.drafter, self.committed
        capacity = capacity_for(prompt, self.settings)
        target.tap(drafter.taps)
        watch, reading = stopwatch_for(target.device), None
        with torch.inference_mode():
            watch.start()
            target.begin(capacity)
            if len(prompt) > 1:
                tokens = torch.tensor(prompt[:-1], device=target.device)
                reading = Reading(tokens, target.forward(tokens, rows=1), tuple(range(len(prompt) - 1)))
                target.keep(reading.kept)
            wait(target.device)
            watch.lap()
            drafter.begin(prompt, capacity)
            if reading is not None:
                drafter.saw(reading)
            wait(target.device)
            watch.lap()
        laps = watch.stop()
        self.prefill = Prefill(target_s=laps.laps_s[0], draft_s=laps.laps_s[1])


def speculate(
    target: LanguageModel,
    drafter: Drafter,
    prompt: Sequence[int],
    settings: Settings | None = None,
    draws: Draws | None = None,
    *,
    recorder: Recorder = FULL,
    rule: Rule | None = None,
    pace: Pace | None = None,
) -> Decoding:
    """Continue `prompt` (at least one id) as the target alone would, with the drafter's help. Raises PromptError if no
    ids, or prompt and new tokens exceed the target's context; ScoresError, while iterating, if a model's scores are not
    numbers; the models' caches are freed then; DrafterError, while iterating, if a drafter from outside proposes what
    is no draft.

    Args:
        settings: the choices of the run; by default those of `Settings()`.
        draws: the random source; by default seeded from the settings, and none where every distribution is one-hot.
        rule: how drafted tokens are judged; by default the settings' rule, for chains and trees.
        pace: how many tokens each round may draft; by default the settings' policy decides with assumed costs.
    """
    settings = settings or Settings()
    _check_length(prompt, settings, target.context)
    random = draws if draws is not None else draws_for(settings, target.device)
    judge = rule if rule is not None else rule_for(settings)
    allowed = pace if pace is not None else pace_for(settings)
    return Decoding(target, drafter, list(prompt), settings, random, recorder, judge, allowed)


def _record(
    start: int, began_s: float, laps: Laps, draft: Draft, fetched: HostRound, outcome: Outcome, allowed: int | None
) -> Round:
    drafted, closing = fetched.records(outcome)
    return Round(
        start=start,
        drafted=drafted,
        accepted=outcome.accepted,
        closing=closing,
        began_s=began_s,
        draft_s=laps.laps_s[0],
        verify_s=laps.laps_s[1],
        ended_s=began_s + laps.total_s,
        source=draft.source,
        source_text=draft.source_text,
        match=draft.match,
        allowed=allowed,
    )


def capacity_for(prompt: Sequence[int], settings: Settings) -> int:
    """The capacity of the caches in tokens: prompt, new tokens, and the largest draft with the token before it."""
    return len(prompt) + settings.max_new_tokens + settings.widest + 1


def _stop(last: int, count: int, settings: Settings, end_ids: frozenset[int]) -> Stop | None:
    """Why the text ends with this token, or None if it does not."""
    if last in end_ids:
        return Stop.END_OF_TEXT
    return Stop.LENGTH if count >= settings.max_new_tokens else None


def _check_length(prompt: Sequence[int], settings: Settings, context: int) -> None:
    if not prompt:
        raise PromptError("The prompt was empty: give at least one token id.")
    if len(prompt) + settings.max_new_tokens > context:
        raise PromptError(
            f"The prompt has {len(prompt)} tokens and {settings.max_new_tokens} new tokens were requested, but the models "
            f"take at most {context} in all: shorten the prompt or request fewer new tokens."
        )
