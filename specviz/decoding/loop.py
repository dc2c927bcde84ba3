"""The one loop: draft, verify, judge, commit.

Plain decoding is the same loop with a drafter that proposes nothing. Nothing here knows of screens, of
tokenizers or of how a model keeps its cache; nothing here sleeps.
"""

from collections.abc import Iterator, Sequence

import torch

from specviz.decoding.clock import stopwatch_for, wait
from specviz.decoding.judge import Rule, rule_for
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
        stop: why the run ended, known with its last round; CANCELLED as long as it has not.
    """

    def __init__(self) -> None:
        self.prefill: Prefill | None = None
        self.stop = Stop.CANCELLED
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
        draws: where chance comes from; by default seeded from the settings, and none where every distribution is one-hot.
        recorder: what of each round is kept.
        rule: how drafted tokens are judged; by default as the settings say, whatever the shape of the draft.

    Raises:
        PromptError: no ids, or more than the target can hold together with the new tokens.
    """
    _check_room(prompt, settings, target.context)
    chance = draws if draws is not None else draws_for(settings, target.device)
    decoding = Decoding()
    judge = rule if rule is not None else rule_for(settings)
    return decoding.over(_rounds(decoding, target, drafter, list(prompt), settings, chance, recorder, judge))


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
    while decoding.stop is Stop.CANCELLED:
        with torch.inference_mode():
            watch.start()
            last = torch.tensor(committed[-1:], device=target.device)  # copied while the device has nothing else to do
            room = min(settings.k, settings.max_new_tokens - made - 1)
            draft = drafter.propose(committed, hidden, settings, draws, room)
            watch.lap()
            scores = target.forward(torch.cat([last, draft.tokens]), _behind_last(draft.parents))
            watch.lap()
            probabilities = warp(scores.logits, settings, [made, *(made + depth for depth in draft.depths)])
            judgement = judge(draft, probabilities, draws)
            fetched = recorder.fetch(draft, scores, probabilities, judgement)
            accepted, ended = _up_to_end(fetched.tokens, fetched.accepted, target.end_ids)
            target.keep([0, *(i + 1 for i in accepted)])
            new = [fetched.tokens[i] for i in accepted] + ([] if ended else [fetched.closing_token])
            committed.extend(new)
            hidden = scores.hidden[accepted[-1] + 1 if accepted else 0] if scores.hidden is not None else None
            laps = watch.stop()
        assert target.length == len(committed) - (0 if ended else 1), "the target's cache lost step with the text"
        start, began = made, clock
        made, clock = made + len(new), clock + laps.total_s
        if new[-1] in target.end_ids:
            decoding.stop = Stop.END_OF_TEXT
        elif made >= settings.max_new_tokens:
            decoding.stop = Stop.LENGTH
        findings = fetched.findings(accepted, ended)
        yield Round(
            start=start,
            drafted=findings.drafted,
            accepted=findings.accepted,
            closing=None if ended else findings.closing,
            began_s=began,
            draft_s=laps.laps_s[0],
            verify_s=laps.laps_s[1],
            ended_s=clock,
            source=draft.source,
        )


def capacity_for(prompt: Sequence[int], settings: Settings) -> int:
    """How many tokens the caches must have room for."""
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


def _behind_last(parents: tuple[int, ...]) -> tuple[int, ...] | None:
    """The drafted tokens' parents, counted in a pass that reads the last committed token first; None is a chain."""
    whole = (-1, *(parent + 1 for parent in parents))
    return None if whole == tuple(range(-1, len(parents))) else whole


def _up_to_end(
    tokens: Sequence[int], accepted: tuple[int, ...], end_ids: frozenset[int]
) -> tuple[tuple[int, ...], bool]:
    """Cut the accepted path behind the first end-of-text token, exactly where plain decoding stops."""
    for place, index in enumerate(accepted):
        if tokens[index] in end_ids:
            return accepted[: place + 1], True
    return accepted, False


def _check_room(prompt: Sequence[int], settings: Settings, context: int) -> None:
    if not prompt:
        raise PromptError("The prompt was empty: give at least one id to continue.")
    if len(prompt) + settings.max_new_tokens > context:
        raise PromptError(
            f"The prompt has {len(prompt)} tokens and {settings.max_new_tokens} more were asked for, but the models hold "
            f"{context}: shorten the prompt or ask for fewer new tokens."
        )
