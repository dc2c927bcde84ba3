"""Measure each drafter against plain decoding on the same target: warmed up, in alternating turns, one run at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median

from specviz.bench.ledger import ledger
from specviz.compare.contestants import Contestant
from specviz.compare.results import LeftOut, Measured
from specviz.decoding.loop import capacity_for
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import LIGHT
from specviz.errors import DeviceLostError, PairError
from specviz.models import Pair, with_draft
from specviz.models.sources import Progress
from specviz.offers import offered
from specviz.reporting.figures import figure
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.calm import Glance
from specviz.runs.prepare import extra_bytes
from specviz.runs.race import Timed, in_turn, median_pair
from specviz.runs.run import Run
from specviz.runs.uncaptured import uncaptured
from specviz.trace.earlier import Texts
from specviz.trace.metrics import speedup, speedup_with_prompt, summarise
from specviz.trace.records import Trace

_WARM_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """One drafter on one prompt, measured.

    Attributes:
        row: its figures.
        drafter: what drafted.
        timed: every pair of runs that counts.
        kept: the one with the median speedup, of which the counts are.
    """

    row: Measured
    drafter: Drafter
    timed: tuple[Timed, ...]
    kept: Timed

    @property
    def text(self) -> tuple[int, ...]:
        """The ids of prompt and text."""
        speculative, _ = self.kept
        return (*speculative.prompt_ids, *speculative.token_ids)


def pairs_for(pair: Pair, chosen: Sequence[Contestant], progress: Progress) -> dict[str, Pair]:
    """The pair that each contestant runs on, by name; all of them share the target of `pair`.

    Raises:
        PairError: a draft cannot be loaded.
    """
    found = {}
    for contestant in chosen:
        source = offered(contestant.draft) if contestant.draft else None
        found[contestant.name] = with_draft(pair, source[1], progress=progress) if source else pair
    return found


def measure(
    pairs: Mapping[str, Pair],
    chosen: Sequence[Contestant],
    prompts: Sequence[ReadyPrompt],
    repeats: int,
    announce: Callable[[str], None],
    *,
    template: bool = True,
    strict: bool = True,
    remember: bool = False,
) -> Iterator[Measured | LeftOut]:
    """Measure every contestant on every prompt, prompt by prompt. Nothing else should run on the machine meanwhile.

    Args:
        pairs: from `pairs_for`.
        repeats: runs of each side, plain and speculative.
        announce: called with the next step, never during a measurement.
        strict: raise if a contestant cannot draft for this target; otherwise yield a `LeftOut` with the reason.
        remember: a drafter that copies from earlier texts gets its own of the prompts before in the same category; otherwise it gets
            none, so that every figure is of one prompt alone.

    Raises:
        PromptError: a prompt and its new tokens do not fit the models' context; nothing was measured.
        PairError: a contestant cannot draft for this target, and `strict` is set; or the device was lost.
    """
    able = []
    for contestant in chosen:
        announce(f"preparing {contestant.name}")
        try:
            for ready in prompts:
                Run(pairs[contestant.name], ready.text, contestant.settings, template=template)
        except PairError as error:
            yield _left_out(contestant, "", error, strict=strict)
        else:
            able.append(contestant)
    said: set[str] = set()
    written: dict[tuple[str, str], list[tuple[int, ...]]] = {}
    for number, ready in enumerate(prompts, 1):
        for contestant in able:
            texts = written.setdefault((contestant.name, ready.category), [])
            step = f"prompt {number} of {len(prompts)}, {ready.title}: {contestant.name}"
            announce(step)

            def busy(what: str, step: str = step) -> None:
                """Say once, and not for every prompt and drafter, that the machine is busy."""
                if what not in said:
                    said.add(what)
                    announce(f"{step}, {what}")

            try:
                outcome = measure_one(
                    pairs[contestant.name],
                    contestant,
                    ready,
                    repeats,
                    template=template,
                    announce=busy,
                    earlier=tuple(texts),
                )
                yield outcome.row
                texts += [outcome.text] * remember
            except PairError as error:
                yield _left_out(contestant, ready.title, error, strict=strict)


def _left_out(contestant: Contestant, title: str, error: PairError, *, strict: bool) -> LeftOut:
    if strict or isinstance(error, DeviceLostError):
        raise error
    return LeftOut(contestant.name, title, str(error))


def measure_one(
    pair: Pair,
    contestant: Contestant,
    ready: ReadyPrompt,
    repeats: int,
    *,
    template: bool,
    announce: Callable[[str], None],
    before: Glance | None = None,
    earlier: Texts = (),
    reserve: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Measure one contestant on one prompt, warmed up, in turn with plain decoding; see `measure`.

    Args:
        before: an earlier look at the machine, which saves one now; see `Watchman`.
        earlier: as in `Run`.
        reserve, stop: as in `specviz.runs.race.in_turn`.
    """
    settings = contestant.settings
    drafters: list[Drafter] = []

    def prepare() -> None:
        """Allocate buffers of this size and capture CUDA graphs."""
        for plain in (True, False):
            run = Run(pair, ready.text, settings, plain=plain, template=template, recorder=LIGHT, earlier=earlier)
            for _ in islice(run, _WARM_ROUNDS):
                pass
            drafters.append(run.drafter)

    timings = in_turn(
        pair,
        ready.text,
        settings,
        repeats,
        prepare=prepare,
        template=template,
        announce=announce,
        before=before,
        earlier=earlier,
        reserve=reserve,
        stop=stop,
    )
    timed = timings.pairs
    speculative, reference = median_pair(timed)
    figures = summarise(speculative)
    tokens = capacity_for(speculative.prompt_ids, settings)
    row = Measured(
        drafter=contestant.name,
        title=ready.title,
        category=ready.category,
        tokens=len(figures.token_ids),
        rounds=figures.rounds,
        judged=figures.judged,
        accepted=figures.accepted,
        c=_cost_ratio(speculative, reference),
        speedup=figure(speedup(plain, other) for other, plain in timed),
        speedup_with_prompt=figure(speedup_with_prompt(plain, other) for other, plain in timed),
        extra_bytes=extra_bytes(pair, drafters[-1], tokens),
        same_text=all(s.token_ids == p.token_ids for s, p in timed) if settings.certain else None,
        conditions=timings.conditions,
        ledger=ledger(reference, speculative),
        about=contestant.about,
        uncaptured=uncaptured(pair, drafters[-1]),
    )
    return Outcome(row, drafters[-1], timed, (speculative, reference))


def _cost_ratio(speculative: Trace, plain: Trace) -> float | None:
    """c: the median seconds of drafting one token over the median seconds of a plain pass, as recorded."""
    drafts = [r.draft_s / len(r.drafted) for r in speculative.rounds if r.drafted]
    return median(drafts) / median(r.verify_s for r in plain.rounds) if drafts else None
