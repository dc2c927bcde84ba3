"""The one loop: draft, verify, judge, commit.

Plain decoding is the same loop with a drafter that proposes nothing. Nothing here knows of screens, of
tokenizers or of how a model stores its cache; nothing here sleeps.
"""

from collections.abc import Iterator, Sequence

import torch

from specviz.decoding.clock import stopwatch_for, wait
from specviz.decoding.judge.choice import rule_for
from specviz.decoding.judge.judgement import Rule
from specviz.decoding.protocols import Drafter, LanguageModel
from specviz.decoding.recorder import FULL, Recorder
from specviz.decoding.sampling import Draws, draws_for, warp
from specviz.errors import PromptError
from specviz.settings import Settings
from specviz.trace.records import Prefill, Round, Stop


class Decoding(Iterator[Round]):
    """A run in progress: an iterator of rounds, and what is known beside them.

    Attributes:
        prefill: seconds to read the prompt; None until the first round has been asked for.
        stop: why the run ended, known with its last round; None while it is running.
    """

    def __init__(self) -> None:
        self.prefill: Prefill | None = None
        self.stop: Stop | None = None
        self._rounds: Iterator[Round] = iter(())

    def __next__(self) -> Round:
        return next(self._rounds)

    def over(self, rounds: Iterator[Round]) -> "Decoding":
        """This run, over these rounds."""
        self._rounds = rounds
        return self


def speculate(
    target: LanguageModel,
    drafter: Drafter,
    prompt: Sequence[int],
    settings: Settings,
    draws: Draws | None = None,
    *,
    recorder: Recorder = FULL,
    rule: Rule | None = None,
) -> Decoding:
    """Continue `prompt` (at least one id) as the target alone would, with the drafter's help.

    Args:
        draws: the random source; by default seeded from the settings, and none where every distribution is one-hot.
        recorder: what of each round is kept.
        rule: how drafted tokens are judged; by default the settings' rule, for chains and trees.

    Raises:
        PromptError: no ids, or more than the target can hold together with the new tokens.
    """
    _check_room(prompt, settings, target.context)
    random = draws if draws is not None else draws_for(settings, target.device)
    decoding = Decoding()
    judge = rule if rule is not None else rule_for(settings)
    return decoding.over(_rounds(decoding, target, drafter, list(prompt), settings, random, recorder, judge))


def _rounds(
    decoding: Decoding,
    target: LanguageModel,
    drafter: Drafter,
    committed: list[int],
    settings: Settings,
    draws: Draws,
    recorder: Recorder,
    judge: Rule,
) -> Iterator[Round]:
    """`committed` is prompt and text so far; its last token is the only one the target has not read yet."""
    decoding.prefill = _read_prompt(target, drafter, committed, settings)
    watch = stopwatch_for(target.device)
    made, clock, hidden = 0, 0.0, None
    while decoding.stop is None:
        with torch.inference_mode():
            watch.start()
            last = torch.tensor(committed[-1:], device=target.device)  # copied while the device has nothing else to do
            # Draft: at most one token fewer than remain, since the target adds one of its own.
            room = min(settings.k, settings.max_new_tokens - made - 1)
            draft = drafter.propose(committed, hidden, settings, draws, room)
            watch.lap()
            # Verify: one pass of the target over all of it.
            scores = target.forward(torch.cat([last, draft.tokens]), draft.parents_after_last)
            watch.lap()
            # Judge: from the root, up to the first rejection.
            probabilities = warp(scores.logits, settings, [made, *(made + depth for depth in draft.depths)])
            fetched = recorder.fetch(draft, scores, probabilities, judge(draft, probabilities, draws))
            outcome = fetched.outcome(target.end_ids)
            # Commit: the accepted tokens and the target's own join the text, the rest leaves the cache.
            target.keep(outcome.rows)
            committed.extend(outcome.tokens)
            hidden = None if scores.hidden is None else scores.hidden[outcome.rows[-1]]
            laps = watch.stop()
        assert target.length == len(committed) - (outcome.closing is not None), "the target's cache and the text differ"
        drafted, closing = fetched.records(outcome)
        round_ = Round(
            start=made,
            drafted=drafted,
            accepted=outcome.accepted,
            closing=closing,
            began_s=clock,
            draft_s=laps.laps_s[0],
            verify_s=laps.laps_s[1],
            ended_s=clock + laps.total_s,
            source=draft.source,
        )
        made, clock = made + len(outcome.tokens), round_.ended_s
        decoding.stop = _stop(outcome.tokens[-1], made, settings, target.end_ids)
        yield round_


def capacity_for(prompt: Sequence[int], settings: Settings) -> int:
    """How many tokens the caches must have room for: prompt, new tokens, and the widest draft with the token before it."""
    return len(prompt) + settings.max_new_tokens + settings.widest + 1


def _read_prompt(target: LanguageModel, drafter: Drafter, prompt: list[int], settings: Settings) -> Prefill:
    """Let both sides read all of the prompt but its last token, which the first round reads."""
    capacity = capacity_for(prompt, settings)
    watch = stopwatch_for(target.device)
    with torch.inference_mode():
        watch.start()
        target.begin(capacity)
        if len(prompt) > 1:
            target.forward(torch.tensor(prompt[:-1], device=target.device), rows=1)
            target.keep(range(len(prompt) - 1))
        wait(target.device)
        watch.lap()
        drafter.begin(prompt, capacity)
        wait(target.device)
        watch.lap()
    laps = watch.stop()
    return Prefill(target_s=laps.laps_s[0], draft_s=laps.laps_s[1])


def _stop(last: int, made: int, settings: Settings, end_ids: frozenset[int]) -> Stop | None:
    """Why the text ends with this token, or None where it does not."""
    if last in end_ids:
        return Stop.END_OF_TEXT
    return Stop.LENGTH if made >= settings.max_new_tokens else None


def _check_room(prompt: Sequence[int], settings: Settings, context: int) -> None:
    if not prompt:
        raise PromptError("The prompt was empty: give at least one id to continue.")
    if len(prompt) + settings.max_new_tokens > context:
        raise PromptError(
            f"The prompt has {len(prompt)} tokens and {settings.max_new_tokens} more were asked for, but the models hold "
            f"{context}: shorten the prompt or ask for fewer new tokens."
        )
