"""What a vLLM server reports of a request, as our trace: the drafted and accepted counts of every step, shown as rounds without tokens.

vLLM returns them with `--per-request-spec-decode-metrics detailed`, in `metrics.speculative_decoding` of a response or of the last chunk of a
stream (vllm-project/vllm#48915). Tokens, probabilities and settings are not in it and stay blank. Nor are the times of steps: with
`--enable-per-request-metrics` there is the time of the full generation, of which every step gets the same share. Standard library only.
"""

import json
from collections.abc import Iterator
from typing import Any

from specviz.errors import TraceError
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.files import loads
from specviz.trace.records import (
    Closing,
    ClosingToken,
    Drafted,
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Trace,
    Verdict,
)

BLANK = 0
"""The id that stands for every token, since a log has none."""
_TOKENS = {BLANK: TokenBytes(" ▢".encode())}
MAX_STEPS = 4096
_NOTE = (
    "From a server's log: it has the counts of every step, but neither tokens nor probabilities nor settings. "
    "The first token, which the pass over the prompt gives, is not counted."
)
_SHARED = "The time of a step is calculated: that of the full generation, divided by the steps."
_UNTIMED = "The log has no times."
_OURS, _TOTALS = '"specviz.trace', ("spec_verify_ct", "spec_accept_length")
_DETAILED = "start vLLM with --per-request-spec-decode-metrics detailed"


def read(content: bytes) -> tuple[Trace, ...]:
    """A recording of ours, or the traces of a server's log: a JSON response, or a stream or a file with one JSON object in each line.

    Raises:
        TraceError: it is neither, or the log has no counts of steps.
    """
    text = content.decode("utf-8", errors="replace")
    if _OURS in text[:4096] or not any(word in text for word in ("speculative_decoding", *_TOTALS)):
        return loads(content)
    found = [(whole, counts) for whole in _objects(text) if isinstance(counts := _counts(whole), dict)]
    if found:
        return tuple(_trace(whole, counts) for whole, counts in found)
    if any(word in text for word in _TOTALS):
        raise TraceError(
            "This log of SGLang has totals of a request and not its steps, so there are no rounds to show."
        )
    raise TraceError(f"This log has no metrics.speculative_decoding with counts: {_DETAILED}, and ask for one text.")


def _objects(text: str) -> Iterator[Any]:
    """The JSON objects of a file, or of its lines, which a stream begins with `data:`."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        for line in text.splitlines():
            try:
                yield json.loads(line.removeprefix("data:"))
            except (ValueError, RecursionError):
                continue


def _counts(whole: Any) -> Any:
    metrics = whole.get("metrics") if isinstance(whole, dict) else None
    return metrics.get("speculative_decoding") if isinstance(metrics, dict) else None


def _trace(whole: dict[str, Any], counts: dict[str, Any]) -> Trace:
    accepted, drafted = counts.get("per_step_accepted"), counts.get("per_step_drafted")
    if accepted is None or drafted is None:
        raise TraceError(f"This log has totals of a request and not its steps: {_DETAILED}.")
    steps = _steps(accepted, drafted)
    seconds = whole["metrics"].get("generation_time_ms")
    timed = isinstance(seconds, int | float) and 0 < seconds < 1e9
    share = seconds / 1000 / len(steps) if timed else 0.0
    ended = [one.get("finish_reason") for one in whole.get("choices") or () if isinstance(one, dict)]
    rounds, start = [], 0
    for index, (kept, count) in enumerate(steps):
        rounds.append(_round(start, kept, count, index * share, (index + 1) * share))
        start += kept + 1
    return Trace(
        card=_card(str(whole.get("model", "a model of the server"))[:80], _SHARED if timed else _UNTIMED),
        prompt=str(whole.get("id", "a request"))[:80],
        prompt_ids=(),
        settings=Settings(
            k=max(1, *(count for _, count in steps)), temperature=1.0, max_new_tokens=start, drafter="model"
        ),
        prefill=Prefill(),
        rounds=tuple(rounds),
        stop=Stop.LENGTH if "length" in ended else Stop.END_OF_TEXT,
        tokens=_TOKENS,
    )


def _steps(accepted: Any, drafted: Any) -> list[tuple[int, int]]:
    """(accepted, drafted) of every step."""
    if not isinstance(accepted, list) or not isinstance(drafted, list) or len(accepted) != len(drafted):
        raise TraceError("In this log, per_step_accepted and per_step_drafted are not two lists of one length.")
    if not 0 < len(drafted) <= MAX_STEPS:
        raise TraceError(f"This log has {len(drafted):,} steps: from 1 to {MAX_STEPS:,} can be shown.")
    steps = list(zip(accepted, drafted, strict=True))
    for index, (kept, count) in enumerate(steps):
        if not (type(kept) is type(count) is int and 0 <= kept <= count <= MAX_DRAFT_LENGTH):
            raise TraceError(
                f"In this log, step {index + 1} accepts {kept!s:.20} of {count!s:.20} drafted tokens: "
                f"it must be a whole number of at most {MAX_DRAFT_LENGTH}."
            )
    return steps


def _round(start: int, kept: int, count: int, began_s: float, ended_s: float) -> Round:
    verdicts = [Verdict.ACCEPTED] * kept + [Verdict.REJECTED, *[Verdict.DISCARDED] * count][: count - kept]
    return Round(
        start=start,
        drafted=tuple(Drafted(BLANK, index - 1, None, None, None, verdict) for index, verdict in enumerate(verdicts)),
        accepted=tuple(range(kept)),
        closing=ClosingToken(BLANK, Closing.CORRECTED if kept < count else Closing.BONUS, None),
        began_s=began_s,
        draft_s=0.0,
        verify_s=0.0,
        ended_s=ended_s,
    )


def _card(model: str, times: str) -> PairCard:
    target = ModelCard(model, "on a server", 0, 0, 0)
    return PairCard(
        target, None, DrafterCard("server", "the server's drafter"), "a server", "not reported", notes=(_NOTE, times)
    )
