"""Measures one drafter on one prompt against plain decoding on the same target: warmed up, in alternating turns, one run at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median

from specviz.decoding.loop import capacity_for
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import LIGHT
from specviz.known_pairs import offered
from specviz.lab.contestants import Contestant
from specviz.lab.ledger import ledger
from specviz.lab.rows import MeasuredRow
from specviz.models import Pair, with_draft
from specviz.models.sources import Progress
from specviz.reporting.figures import figure
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.prepare import extra_bytes
from specviz.runs.race import Timed, in_turn, median_pair
from specviz.runs.run import Run
from specviz.runs.uncaptured import uncaptured
from specviz.trace.conditions import Conditions
from specviz.trace.earlier import Texts
from specviz.trace.metrics import speedup, speedup_with_prompt, summarise
from specviz.trace.records import Trace

_WARM_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class CellOutcome:
    """One drafter on one prompt, measured.

    Attributes:
        row: its figures.
        drafter: what drafted.
        timed: every pair of runs that counts.
        kept: the one with the median speedup, of which the counts are.
    """

    row: MeasuredRow
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


def measure_one(
    pair: Pair,
    contestant: Contestant,
    ready: ReadyPrompt,
    repeats: int,
    *,
    template: bool,
    announce: Callable[[str], None],
    earlier: Texts = (),
    reserve: int = 0,
    stop: Callable[[], bool] = lambda: False,
) -> CellOutcome:
    """Measure one contestant on one prompt, warmed up, in turn with plain decoding. Nothing else should run on the machine meanwhile.

    Args:
        repeats: runs of each side, plain and speculative.
        announce: called with the next step, never during a measurement.
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
        earlier=earlier,
        reserve=reserve,
        stop=stop,
    )
    return outcome_of(pair, contestant, ready, drafters[-1], timings.pairs, timings.conditions)


def outcome_of(
    pair: Pair,
    contestant: Contestant,
    ready: ReadyPrompt,
    drafter: Drafter,
    timed: tuple[Timed, ...],
    conditions: Conditions,
) -> CellOutcome:
    """The figures of pairs of runs, speculative and plain, that were timed under these conditions."""
    settings = contestant.settings
    speculative, plain = median_pair(timed)
    figures = summarise(speculative)
    row = MeasuredRow(
        drafter=contestant.name,
        title=ready.title,
        category=ready.category,
        tokens=len(figures.token_ids),
        rounds=figures.rounds,
        judged=figures.judged,
        accepted=figures.accepted,
        c=_cost_ratio(speculative, plain),
        speedup=figure(speedup(reference, own) for own, reference in timed),
        speedup_with_prompt=figure(speedup_with_prompt(reference, own) for own, reference in timed),
        extra_bytes=extra_bytes(pair, drafter, capacity_for(speculative.prompt_ids, settings)),
        same_text=all(s.token_ids == p.token_ids for s, p in timed) if settings.certain else None,
        conditions=conditions,
        ledger=ledger(plain, speculative),
        about=contestant.about,
        uncaptured=uncaptured(pair, drafter),
        prompt_tokens=len(speculative.prompt_ids),
        plain_round_s=_round_s(plain),
        round_s=_round_s(speculative),
    )
    return CellOutcome(row, drafter, timed, (speculative, plain))


def _round_s(trace: Trace) -> float:
    return median(round_.seconds for round_ in trace.rounds)


def _cost_ratio(speculative: Trace, plain: Trace) -> float | None:
    """c: the median seconds of drafting one token over the median seconds of a plain pass, as recorded."""
    drafts = [r.draft_s / len(r.drafted) for r in speculative.rounds if r.drafted]
    return median(drafts) / median(r.verify_s for r in plain.rounds) if drafts else None
