"""The engine process: holds one pair, does one job at a time, tells what happens. `python -m specviz.runs.engine_process`.

Commands come in and events go out as one JSON object a line, on standard input and output; when the input ends,
so does the process. Whatever else is printed goes to standard error.

Commands   {"do": "load" | "run", "job", "pair": {...}, and for a run "prompt", "settings", "template", "plain"}
           "plain": false leaves the plain run out
           {"do": "pairs", "job"}   {"do": "cancel", "job"}
Events     ready
           progress {what, share}           while loading, or getting ready for a run
           loaded   {card, plain_rate}      the pair is warm; its plain speed on a standard prompt was measured
           started  {drafter, prompt_ids, tokens, prefill}
           rows     {lane, rows, tokens}    rounds as light rows, in order, with the bytes of new ids
           detail   {index, round, tokens}  the latest speculative round, whole, now and then
           ended    {lane, stop}            the run of this lane is over
           done     {recording, speedups, timed, replan}  the trace of each lane, of the median pair of runs or of the median run
                                            where there is no plain one; all pairs' speedups; how often it was timed; what
                                            other draft lengths would have done: {matches, c, v, pass_s}, or null
           pairs    {listings}
           failed   {message}               one sentence for a person
"""

import gc
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from statistics import median
from time import monotonic
from typing import IO, Any

import torch

from specviz.errors import DeviceLostError, SpecvizError
from specviz.models import Pair, listings, load_pair
from specviz.models.devices import device_lost, pick_device
from specviz.runs.prepare import can_replan, costs_of, matches_of, preparation
from specviz.runs.race import Timed, median_pair, plain_rate
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dump, to_json
from specviz.trace.metrics import speedup
from specviz.trace.records import Stop, Trace
from specviz.trace.rows import Row, row_of

_FLUSH_S = 0.04
_DETAIL_S = 0.15
_TIMED_PAIRS = 5
_TIMED_S = 1.5
"""A run that is over in a blink is timed again, up to so many pairs and about so many seconds."""


_SLOW_PASS_S = 0.05
"""Where a pass takes longer than this, measuring what passes cost would keep others waiting for the engine."""


class Engine:
    """Does jobs in order; `cancel` may be called from another thread at any time."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._cancelled: set[str] = set()
        self._pair: Pair | None = None
        self._asked: dict[str, Any] | None = None
        self._rate = 0.0

    def tell(self, event: str, job: str | None = None, **what: Any) -> None:
        """Send one event."""
        line = json.dumps({"event": event, "job": job, **what}, separators=(",", ":"))
        with self._lock:
            self._out.write(line + "\n")
            self._out.flush()

    def cancel(self, job: str) -> None:
        """End this job after the round it is in, or before it starts."""
        self._cancelled.add(job)

    def do(self, command: dict[str, Any]) -> None:
        """One job, from command to its last event; a failure is an event too."""
        job = command["job"]
        try:
            if command["do"] == "pairs":
                self.tell("pairs", job, listings=[to_json(row) for row in listings(pick_device())])
            else:
                pair = self._ready(job, command["pair"])
                if command["do"] == "run":
                    self._run(job, pair, command)
        except DeviceLostError as error:
            self.tell("failed", job, message=str(error))
            raise SystemExit(1) from error  # whoever started this process starts another
        except SpecvizError as error:
            self.tell("failed", job, message=str(error))
            give_memory_back()
        except Exception as error:  # whatever a model throws must not end the process
            reason = " ".join(str(error).split())[:200]
            self.tell(
                "failed",
                job,
                message=f"The engine failed ({type(error).__name__}: {reason}). Try again.",
            )
            if device_lost(error):
                raise SystemExit(1) from error
            give_memory_back()
        self._cancelled.discard(job)

    def _ready(self, job: str, asked: dict[str, Any]) -> Pair:
        """The pair that the job asks for, loaded, warm and measured; the one before it is let go first."""
        if self._pair is None or asked != self._asked:
            self._pair = self._asked = None
            give_memory_back()
            pair = load_pair(**asked, progress=lambda what, share: self.tell("progress", job, what=what, share=share))
            self.tell("progress", job, what="measuring plain decoding", share=None)
            self._rate = plain_rate(pair)
            self._pair, self._asked = pair, asked
        self.tell("loaded", job, card=to_json(self._pair.card), plain_rate=self._rate)
        return self._pair

    def _run(self, job: str, pair: Pair, command: dict[str, Any]) -> None:
        """The speculative run, then the plain one on the same prompt: each alone; then both again for the timing."""
        settings = Settings(**command["settings"])
        lanes = ("speculative", "plain") if command.get("plain", True) else ("speculative",)

        if what := preparation(pair, settings):
            self.tell("progress", job, what=what, share=None)

        def new(lane: str) -> Run:
            return Run(pair, command["prompt"], settings, plain=lane == "plain", template=command.get("template", True))

        traces: list[Trace] = []
        for lane in lanes:
            run = new(lane)
            finished = self._follow(job, run, lane)
            if run.rounds:
                traces.append(run.trace())
            if not finished:
                break
            self.tell("ended", job, lane=lane, stop=(run.stop or Stop.CANCELLED).value)
        timed = [tuple(traces)] if finished else []
        while timed and self._may_time_again(job, timed):
            again = timed_again(new, lanes, timed[0])
            timed.extend(again)
            if not again:
                break
        if timed:
            traces = list(median_pair(timed))
        self.tell(
            "done",
            job,
            recording=dump(traces) if traces else None,
            cancelled=job in self._cancelled,
            speedups=[speedup(both[1], both[0]) for both in timed if len(both) > 1],
            timed=len(timed),
            replan=self._replan(job, pair, settings, traces) if timed and len(lanes) > 1 else None,
        )

    def _replan(self, job: str, pair: Pair, settings: Settings, traces: list[Trace]) -> dict[str, Any] | None:
        """Where the draft agrees with the plain text, and what passes cost: enough to plan the run anew for any k.

        None for runs of which that is not the whole story, once nobody waits for it any more, and where the memory does not
        suffice: that must not cost the run that is over.
        """
        plain = traces[1]
        pass_s = median(round_.seconds for round_ in plain.rounds)
        if job in self._cancelled or not can_replan(settings) or pass_s > _SLOW_PASS_S:
            return None
        if traces[0].token_ids != plain.token_ids:
            return None  # half precision has written two texts
        try:
            agreed = matches_of(pair, settings, plain.prompt_ids, plain.token_ids)
            costs = costs_of(pair, settings.drafter)
        except Exception as error:
            if device_lost(error):
                raise
            return None
        return {"matches": agreed, "c": costs.c, "v": costs.v, "pass_s": pass_s}

    def _may_time_again(self, job: str, timed: list[Timed]) -> bool:
        """Whether another pair of runs is short enough, and few enough were made: others wait for the engine."""
        cost = sum(
            trace.rounds[-1].ended_s for trace in timed[0]
        )  # so the repeats, this one too, take cost x len(timed)
        return job not in self._cancelled and len(timed) < _TIMED_PAIRS and cost * len(timed) < _TIMED_S

    def _follow(self, job: str, run: Run, lane: str) -> bool:
        """Send the rounds of one run as they come; False when it was cancelled."""
        rows: list[Row] = []
        sent: set[int] = set()
        flushed = detailed = 0.0
        for round_ in run:
            if not run.rounds[1:] and lane == "speculative":
                table = run.table([])
                sent.update(table)
                self.tell(
                    "started",
                    job,
                    drafter=run.card.drafter.label,
                    prompt_ids=run.prompt_ids,
                    tokens=to_json(table),
                    prefill=to_json(run.prefill),
                )
            rows.append(row_of(round_))
            now = monotonic()
            if now - flushed > _FLUSH_S:
                self._flush(job, run, lane, rows, sent)
                rows, flushed = [], now
            if lane == "speculative" and now - detailed > _DETAIL_S:
                table = run.table([round_], prompt=False)
                self.tell("detail", job, index=len(run.rounds) - 1, round=to_json(round_), tokens=to_json(table))
                detailed = now
            if job in self._cancelled:
                break
        if rows:
            self._flush(job, run, lane, rows, sent)
        return run.stop is not Stop.CANCELLED

    def _flush(self, job: str, run: Run, lane: str, rows: list[Row], sent: set[int]) -> None:
        new = {row[3][0] for row in rows if row[3]} | {drafted[0] for row in rows for drafted in row[1]}
        table = {i: to_json(run.pair.text.bytes_of(i)) for i in sorted(new - sent)}
        sent.update(new)
        self.tell("rows", job, lane=lane, rows=rows, tokens=table)


def timed_again(new: Callable[[str], Run], lanes: Sequence[str], first: Timed) -> list[Timed]:
    """Every lane once more, each alone, plain first this time; nothing where a device that rounds as it likes wrote other
    tokens than those that were watched."""
    again = tuple(reversed([new(lane).finish() for lane in reversed(lanes)]))
    same = all(_steps(now) == _steps(before) for now, before in zip(again, first, strict=True))
    return [again] if same else []


def _steps(trace: Trace) -> list[tuple[tuple[int, ...], ...]]:
    """What was drafted and what was written, round by round."""
    return [(tuple(d.token for d in round_.drafted), round_.tokens) for round_ in trace.rounds]


def give_memory_back() -> None:
    """Let go of what the pair before has left, so that it does not count as taken."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def leave_a_core() -> None:
    """Use every core but one: the page needs that one, and threads that wait for a core taken away cost far more.

    Measured on two cores with the other busy: two threads fell from about 240 tokens a second to about 5, one kept 170.
    """
    torch.set_num_threads(max(1, torch.get_num_threads() - 1))


def main() -> None:
    """Serve until the input ends."""
    leave_a_core()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    engine = Engine(out)
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            command = json.loads(line)
            if command["do"] == "cancel":
                engine.cancel(command["job"])
            else:
                jobs.put(command)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    engine.tell("ready")
    while True:
        engine.do(jobs.get())


if __name__ == "__main__":
    main()
