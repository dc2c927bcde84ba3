"""Our decoders and transformers' own on one prompt, each timed alone from the prompt's ids to the last token, in turn.

Transformers' models are copies that share nothing with ours: what any user would run with `generate()`, plain and assisted.
"""

import gc
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch
from transformers import AutoModelForCausalLM, GenerationConfig, PreTrainedModel

from specviz.adapters.transformers import Assisted
from specviz.decoding.clock import wait
from specviz.decoding.recorder import FULL, LIGHT, Recorder
from specviz.lab.contenders import Contenders, TextDivergence
from specviz.models import Pair
from specviz.models.quiet import quiet
from specviz.reporting.figures import Figure, figure, ratios
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.load_watch import CoreTime, Watchman
from specviz.runs.race import Timed
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.conditions import Conditions, counted
from specviz.trace.metrics import best_gap, most_possible, speedup
from specviz.trace.records import Trace

PLAIN, SPECULATIVE, RECORDED = "plain", "speculative", "all recorded"
LIBRARY_PLAIN, LIBRARY_ASSISTED = "transformers", "transformers assisted"


@dataclass(frozen=True, slots=True)
class Decoded:
    """One run of one decoder.

    Attributes:
        time: by wall clock, including the prefill, and how much of it the thread computed.
        token_ids: the new tokens.
        trace: of our own decoders only.
    """

    time: CoreTime
    token_ids: tuple[int, ...]
    trace: Trace | None = None

    @property
    def rate(self) -> float:
        """New tokens per second, including the prefill."""
        return len(self.token_ids) / self.time.wall_s

    @property
    def decoding_rate(self) -> float:
        """New tokens per second without the prefill; of our own decoders only."""
        assert self.trace is not None, "only our own runs measure the prefill"
        prefill = self.trace.prefill
        return len(self.token_ids) / (self.time.wall_s - prefill.target_s - prefill.draft_s)


Decoder = Callable[[], Decoded]
"""Decodes one prompt once and returns the timed run."""


class Library:
    """A target and its assistant as transformers loads them; only their generation defaults are changed.

    They use the same ids, number format, device, limit, draft length and end-of-text ids as ours. Penalties and sampling defaults of the
    checkpoints are removed.

    Args:
        target, draft: model folders.
        end_ids: every id that ends a text.
    """

    def __init__(
        self, target: Path, draft: Path, device: torch.device, dtype: torch.dtype, end_ids: frozenset[int]
    ) -> None:
        self.target, self.assistant = (_stock(folder, device, dtype) for folder in (target, draft))
        ends = sorted(end_ids) or None
        for model in (self.target, self.assistant):
            model.generation_config = GenerationConfig(
                do_sample=False, eos_token_id=ends, pad_token_id=ends[0] if ends else None
            )
        # transformers requires equal numbers of output rows. Only the tokenizers must match, and loading has checked them.
        rows = self.target.config.get_text_config().vocab_size
        self.assistant.config.get_text_config().vocab_size = rows
        self._assisted = Assisted(self.target, self.assistant, end_ids=end_ids)

    def decoders(self, prompt_ids: tuple[int, ...], settings: Settings) -> dict[str, Decoder]:
        """Plain and assisted generation from these ids."""
        ids = torch.tensor([prompt_ids], device=self.target.device)

        def plain() -> tuple[int, ...]:
            with torch.inference_mode():
                text = self.target.generate(
                    ids, attention_mask=torch.ones_like(ids), max_new_tokens=settings.max_new_tokens, do_sample=False
                )
            return tuple(text[0, len(prompt_ids) :].tolist())

        def decoder(generate: Callable[[], tuple[int, ...]]) -> Decoder:
            def decode() -> Decoded:
                written: list[int] = []
                time = timed(lambda: written.extend(generate()), self.target.device)
                return Decoded(time, tuple(written))

            return decode

        return {
            LIBRARY_PLAIN: decoder(plain),
            LIBRARY_ASSISTED: decoder(lambda: self._assisted.generate(prompt_ids, settings)),
        }


@dataclass(frozen=True, slots=True)
class Together:
    """All decoders on one prompt.

    Attributes:
        pairs: our speculative and plain runs of the turns that count, with their conditions.
        contenders: all decoders beside one another.
    """

    pairs: tuple[Timed, ...]
    conditions: Conditions
    contenders: Contenders


def measure_together(
    pair: Pair, library: Library, ready: ReadyPrompt, settings: Settings, repeats: int, say: Callable[[str], None]
) -> Together:
    """Time all decoders on a prompt. Where other programs take the cores, all of them use fewer threads, and a few disturbed turns are repeated."""
    detailed = Run(pair, ready.text, settings, plain=True, recorder=FULL).finish()
    decoders = our_decoders(pair, ready.text, settings) | library.decoders(detailed.prompt_ids, settings)
    with Watchman(pair.target.device.type == "cpu") as watchman:
        every = in_turn(decoders, repeats, watchman, say)
        conditions = watchman.conditions(repeats)
        _, indices = counted(watchman.turns, repeats)
    runs = {name: [each[index] for index in indices] for name, each in every.items()}
    rates = {name: [run.rate for run in each] for name, each in runs.items()}
    return Together(
        pairs=tuple(zip(traces_of(runs[SPECULATIVE]), traces_of(runs[PLAIN]), strict=True)),
        conditions=conditions,
        contenders=Contenders(
            dtype=pair.card.dtype,
            title=ready.title,
            rates={name: figure(each) for name, each in rates.items()},
            plain_vs_transformers=ratios(rates[PLAIN], rates[LIBRARY_PLAIN]),
            speculative_vs_transformers=ratios(rates[SPECULATIVE], rates[LIBRARY_ASSISTED]),
            recording_cost=_recording_cost(runs[SPECULATIVE], runs[RECORDED]),
            divergences=divergences(every, detailed),
        ),
    )


def our_decoders(pair: Pair, prompt: str, settings: Settings) -> dict[str, Decoder]:
    """Our plain decoding, our speculative decoding, and our speculative decoding with every candidate recorded."""

    def decoder(*, plain: bool, recorder: Recorder) -> Decoder:
        def decode() -> Decoded:
            run = Run(pair, prompt, settings, plain=plain, recorder=recorder)
            run.warm_up()
            time = timed(lambda: deque(run, maxlen=0), pair.target.device)
            trace = run.trace()
            return Decoded(time, trace.token_ids, trace)

        return decode

    return {
        PLAIN: decoder(plain=True, recorder=LIGHT),
        SPECULATIVE: decoder(plain=False, recorder=LIGHT),
        RECORDED: decoder(plain=False, recorder=FULL),
    }


def in_turn(
    decoders: Mapping[str, Decoder], repeats: int, watchman: Watchman, say: Callable[[str], None]
) -> dict[str, list[Decoded]]:
    """Warm up each decoder once, then run all of them in turn; a different one goes first in each turn."""
    names = list(decoders)
    for name in names:
        decoders[name]()
    found: dict[str, list[Decoded]] = {name: [] for name in names}
    while watchman.may_repeat(repeats):
        if watchman.turns and not watchman.turns[-1].calm:
            say("this machine is busy: waiting for free cores, then timing again")
            watchman.settle()
        first = len(watchman.turns) % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(decoders[name]())
        plain, own = (found[name][-1].trace for name in (PLAIN, SPECULATIVE))
        assert plain is not None, "ours have traces"
        assert own is not None, "ours have traces"
        watchman.took(speedup(plain, own), [found[name][-1].time for name in names], most_possible(plain, own))
    return found


def timed(work: Callable[[], object], device: torch.device) -> CoreTime:
    """The time of this work alone; the device is synchronised before and after it."""
    gc.collect()
    wait(device)
    with CoreTime() as time:
        work()
        wait(device)
    return time


def divergences(runs: Mapping[str, Sequence[Decoded]], detailed: Trace) -> tuple[TextDivergence, ...]:
    """For each decoder whose text differs from that of our plain one in any run, the first token that differs.

    Args:
        runs: the runs of each decoder, by name.
        detailed: our plain run with every candidate recorded.
    """
    ours = detailed.token_ids
    found = []
    for name, each in runs.items():
        other = next((run.token_ids for run in each if run.token_ids != ours), None)
        if other is None:
            continue
        index = next((i for i, (a, b) in enumerate(zip(ours, other, strict=False)) if a != b), None)
        gap = None if index is None else best_gap(detailed.rounds[index])
        found.append(TextDivergence(name, min(len(ours), len(other)) if index is None else index, gap))
    return tuple(found)


def traces_of(runs: Sequence[Decoded]) -> list[Trace]:
    """The traces of runs of one of our own decoders."""
    return [run.trace for run in runs if run.trace is not None]


def _recording_cost(light: Sequence[Decoded], full: Sequence[Decoded]) -> Figure:
    """The extra time per token when every candidate is recorded: a ratio of medians minus 1, with the spread over the turns."""
    slow, fast = [run.decoding_rate for run in full], [run.decoding_rate for run in light]
    turns = ratios(fast, slow)
    return Figure(median(fast) / median(slow) - 1, turns.low - 1, turns.high - 1)


@quiet()
def _stock(folder: Path, device: torch.device, dtype: torch.dtype) -> PreTrainedModel:
    """The model, loaded as in transformers' readme, but from safetensors only and without code from the folder."""
    model: PreTrainedModel = AutoModelForCausalLM.from_pretrained(
        str(folder), dtype=dtype, use_safetensors=True, local_files_only=True, trust_remote_code=False
    )
    return model.to(device).eval()
