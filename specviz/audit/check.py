"""The frame of every check: one run of the decoder within its time limit, and a finding also where the decoder hangs or raises."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from queue import Empty, Queue
from threading import Event, Thread
from time import perf_counter

from specviz.audit.records import CATCHES, AuditVerdict, Evidence, Finding, Power
from specviz.audit.subject import Budget, DecodedRun, Subject
from specviz.errors import SpecvizError
from specviz.settings import Settings
from specviz.trace.records import Round

# One check of the audit: evidence while it runs, and its `Finding`, which is the last one but for `Budget.drawn`.
# Whoever stops iterating stops the check. It uses the caches of the subject's models: a run in progress on them
# cannot continue.
Check = Callable[[Subject, Sequence[tuple[int, ...]], Budget], Iterator[Evidence | Finding]]
_ONLY_IDS = "A function gives ids only, and this check needs the rounds: audit the parts of our loop instead."
_GRACE_S = 10.0  # how long a decoder may take to its next round after Ctrl-C


class DecoderError(SpecvizError):
    """The decoder under audit raised an error, did not come back in time, or returned something that is not a text."""


class NotApplicableError(SpecvizError):
    """A check has nothing to compare in this subject."""


def decode_run(
    subject: Subject, prompt: Sequence[int], settings: Settings, budget: Budget, *, light: bool = False
) -> DecodedRun:
    """One run of the subject to its end, or to the first round after which it has more new tokens than the settings allow.

    It runs in a thread of its own. One that does not come back is left behind, and ends with its next round. Where Ctrl-C comes first, the
    thread is waited for: a program that ends while a thread is inside torch is aborted. Raises DecoderError if the decoder failed.

    Args:
        light: without candidates, which not every check reads; such a run is not made twice in one audit.
    """
    key = (tuple(prompt), settings)
    if light and key in subject.runs:
        return subject.runs[key]
    run = _decode_in_thread(subject, prompt, settings, budget.seconds_a_text, light)
    wrong = next((i for i in run.ids if not 0 <= i < subject.plain.vocabulary), None)
    if wrong is not None:
        raise DecoderError(
            f"The decoder returned the id {wrong} with seed {settings.seed}, and the target has the ids 0 to {subject.plain.vocabulary - 1}."
        )
    if light:
        subject.runs[key] = run
    return run


def sampled_rounds(
    subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget
) -> Iterator[tuple[tuple[int, ...], Sequence[Round]]]:
    """The prompt and the rounds of each run with a seed of its own; the prompts take turns."""
    tokens = min(budget.sampled_tokens, subject.settings.max_new_tokens)
    for number in range(budget.samples):
        prompt = prompts[number % len(prompts)]
        settings = replace(subject.settings, seed=budget.first_seed + number, max_new_tokens=tokens)
        yield prompt, decode_run(subject, prompt, settings, budget, light=True).rounds or ()


def _decode_in_thread(
    subject: Subject, prompt: Sequence[int], settings: Settings, seconds: float, light: bool
) -> DecodedRun:
    results: Queue[DecodedRun | Exception] = Queue()
    given_up = Event()

    def perform() -> None:
        last = DecodedRun(())
        try:
            for last in subject.decode(prompt, settings, light=light):
                if given_up.is_set() or len(last.ids) > settings.max_new_tokens:
                    break
        except Exception as error:  # noqa: BLE001  # whatever somebody's decoder raises is a finding
            results.put(error)
        else:
            results.put(last)

    thread = Thread(target=perform, daemon=True)
    thread.start()
    try:
        result = results.get(timeout=seconds)
    except KeyboardInterrupt:
        given_up.set()
        thread.join(_GRACE_S)
        raise
    except Empty:
        given_up.set()
        raise DecoderError(
            f"The decoder did not finish a text of {settings.max_new_tokens} tokens in {seconds:g} s (seed {settings.seed})."
        ) from None
    if isinstance(result, Exception):
        reason = " ".join(str(result).split())[:200].rstrip(".") or "no message"
        raise DecoderError(f"The decoder raised {type(result).__name__} with seed {settings.seed}: {reason}.")
    return result


def caught(sentence: str) -> Finding:
    """The conclusion that a check found something; `audit_check` adds its name, its seconds and its evidence."""
    return Finding(AuditVerdict.CAUGHT, sentence)


def passed(sentence: str, power: tuple[Power, ...] = ()) -> Finding:
    """The conclusion that a check found nothing, likewise."""
    return Finding(AuditVerdict.PASSED, sentence, power=power)


def audit_check(name: str, *, needs_rounds: bool = True) -> Callable[[Check], Check]:
    """Decorate a check: it ends in a finding also where the decoder fails or the check does not apply.

    Args:
        needs_rounds: it does not apply to a function, which gives ids only.
    """

    def decorated(check: Check) -> Check:
        @wraps(check)
        def check_to_finding(
            subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget
        ) -> Iterator[Evidence | Finding]:
            began, last = perf_counter(), None
            if needs_rounds and subject.parts is None:
                yield Finding(AuditVerdict.NOT_APPLICABLE, _ONLY_IDS, name, CATCHES[name])
                return

            def complete(finding: Finding) -> Finding:
                seconds = perf_counter() - began
                return replace(finding, check=name, catches=CATCHES[name], seconds=seconds, evidence=last)

            try:
                for event in check(subject, prompts, budget):
                    if isinstance(event, Finding):
                        yield complete(event)
                    else:
                        last = event
                        yield event
            except NotApplicableError as error:
                yield complete(Finding(AuditVerdict.NOT_APPLICABLE, str(error)))
            except DecoderError as error:
                yield complete(Finding(AuditVerdict.FAILED, str(error)))

        return check_to_finding

    return decorated
