"""The decoders to compare, ours and transformers' own, each timed alone from the prompt's ids to the last token."""

import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch

from specviz.decoding.clock import wait
from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.models import Pair
from specviz.runs.calm import CoreTime
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Trace

PLAIN, SPECULATIVE, RECORDED = "plain", "speculative", "all recorded"
LIBRARY_PLAIN, LIBRARY_ASSISTED = "transformers", "transformers assisted"


@dataclass(frozen=True, slots=True)
class Timed:
    """One run of one decoder.

    Attributes:
        seconds: wall-clock time, including the prefill.
        token_ids: the new tokens.
        trace: of our own decoders only.
        waited: the share of this time in which the decoding thread had no core; None on a GPU.
    """

    seconds: float
    token_ids: tuple[int, ...]
    trace: Trace | None = None
    waited: float | None = None

    @property
    def rate(self) -> float:
        """New tokens per second, including the prefill."""
        return len(self.token_ids) / self.seconds

    @property
    def decoding_rate(self) -> float:
        """New tokens per second without the prefill; of our own decoders only."""
        assert self.trace is not None, "only our own runs measure the prefill"
        prefill = self.trace.prefill
        return len(self.token_ids) / (self.seconds - prefill.target_s - prefill.draft_s)


Decoder = Callable[[], Timed]
"""Decodes one prompt once and returns the timed run."""


def our_decoders(pair: Pair, prompt: str, settings: Settings, *, template: bool = True) -> dict[str, Decoder]:
    """Our plain decoding, our speculative decoding, and our speculative decoding with every candidate recorded."""

    def decoder(*, plain: bool, recorder: Recorder) -> Decoder:
        def decode() -> Timed:
            run = Run(pair, prompt, settings, plain=plain, template=template, recorder=recorder)
            run.warm_up()
            time = CoreTime()
            seconds = timed(lambda: _drive(run), pair.target.device, time)
            trace = run.trace()
            return Timed(seconds, trace.token_ids, trace, time.waited if pair.target.device.type == "cpu" else None)

        return decode

    return {
        PLAIN: decoder(plain=True, recorder=LIGHT),
        SPECULATIVE: decoder(plain=False, recorder=LIGHT),
        RECORDED: decoder(plain=False, recorder=FULL),
    }


def in_turn(decoders: Mapping[str, Decoder], repeats: int) -> dict[str, tuple[Timed, ...]]:
    """Warm up each decoder once, then run all of them `repeats` times in turn; a different one goes first in each turn."""
    names = list(decoders)
    for name in names:
        decoders[name]()
    found: dict[str, list[Timed]] = {name: [] for name in names}
    for turn in range(repeats):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(decoders[name]())
    return {name: tuple(runs) for name, runs in found.items()}


def timed(work: Callable[[], object], device: torch.device, time: CoreTime | None = None) -> float:
    """Wall-clock seconds of this work alone; the device is synchronised before and after it.

    Args:
        time: takes up how much of it this thread computed.
    """
    gc.collect()
    wait(device)
    with time or CoreTime() as watched:
        before = watched.wall_s
        work()
        wait(device)
    return watched.wall_s - before


def same_texts(runs: Mapping[str, Sequence[Timed]]) -> bool:
    """Whether every run of every decoder wrote the same tokens."""
    return len({run.token_ids for each in runs.values() for run in each}) == 1


def traces_of(runs: Sequence[Timed]) -> list[Trace]:
    """The traces of runs of one of our own decoders."""
    return [run.trace for run in runs if run.trace is not None]


def _drive(run: Run) -> None:
    for _ in run:
        pass
