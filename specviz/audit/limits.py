"""A decoder that hangs or raises ends its check with one sentence, not the audit."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from queue import Empty, Queue
from threading import Event, Thread
from time import perf_counter
from typing import Any

from specviz.audit.records import CATCHES, AuditVerdict, Evidence, Finding
from specviz.audit.subject import Budget, DecodedRun, Subject
from specviz.errors import SpecvizError
from specviz.settings import Settings

Check = Callable[[Subject, Sequence[tuple[int, ...]], Budget], Iterator[Evidence | Finding]]
"""One check of the audit: evidence while it runs, and its `Finding`, which is the last one but for `Budget.drawn`. Whoever stops iterating
stops the check. It uses the caches of the subject's models: a run in progress on them cannot continue."""


_GRACE_S = 10.0
"""How long a decoder may take to its next round after Ctrl-C."""


class DecoderError(SpecvizError):
    """The decoder under audit raised an error, did not come back in time, or returned something that is not a text."""


def decoded(
    subject: Subject, prompt: Sequence[int], settings: Settings, budget: Budget, *, light: bool = False
) -> DecodedRun:
    """One run of the subject to its end, or to the first round after which it has more new tokens than the settings allow.

    It runs in a thread of its own. One that does not come back is left behind, and ends with its next round. Where Ctrl-C comes first, the
    thread is waited for: a program that ends while a thread is inside torch is aborted.

    Args:
        light: without candidates, which not every check reads; such a run is not made twice in one audit.

    Raises:
        DecoderError: see there.
    """
    key = (tuple(prompt), settings)
    if light and subject.runs is not None and key in subject.runs:
        return subject.runs[key]
    found = _performed(subject, prompt, settings, budget.seconds_a_text, light)
    wrong = next((i for i in found.ids if not 0 <= i < subject.plain.vocabulary), None)
    if wrong is not None:
        raise DecoderError(
            f"The decoder returned the id {wrong} with seed {settings.seed}, and the target has the ids 0 to {subject.plain.vocabulary - 1}."
        )
    if light and subject.runs is not None:
        subject.runs[key] = found
    return found


def _performed(subject: Subject, prompt: Sequence[int], settings: Settings, seconds: float, light: bool) -> DecodedRun:
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
        found = results.get(timeout=seconds)
    except KeyboardInterrupt:
        given_up.set()
        thread.join(_GRACE_S)
        raise
    except Empty:
        given_up.set()
        raise DecoderError(
            f"The decoder did not finish a text of {settings.max_new_tokens} tokens in {seconds:g} s (seed {settings.seed})."
        ) from None
    if isinstance(found, Exception):
        reason = " ".join(str(found).split())[:200].rstrip(".") or "no message"
        raise DecoderError(f"The decoder raised {type(found).__name__} with seed {settings.seed}: {reason}.")
    return found


def finding(check: str, verdict: AuditVerdict, sentence: str, **more: Any) -> Finding:
    """A check's conclusion."""
    return Finding(check, CATCHES[check], verdict, sentence, **more)


def concluding(name: str) -> Callable[[Check], Check]:
    """A check that ends in a finding also where the decoder fails, and whose finding has its seconds and its last evidence."""

    def decorated(check: Check) -> Check:
        @wraps(check)
        def concluded(
            subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget
        ) -> Iterator[Evidence | Finding]:
            began, last = perf_counter(), None
            try:
                for one in check(subject, prompts, budget):
                    if isinstance(one, Finding):
                        yield replace(one, seconds=perf_counter() - began, evidence=one.evidence or last)
                    else:
                        last = one
                        yield one
            except DecoderError as error:
                seconds = perf_counter() - began
                yield replace(finding(name, AuditVerdict.FAILED, str(error)), seconds=seconds, evidence=last)

        return concluded

    return decorated
