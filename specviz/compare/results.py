"""The results of a comparison, and their JSON. Standard library only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from statistics import fmean, median
from typing import Any

from specviz.bench.ledger import Ledger
from specviz.reporting.figures import Figure, figure
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.trace.files import MAY_BE_LEFT_OUT

SCHEMA = "specviz.compare/1"


@dataclass(frozen=True, slots=True)
class Measured:
    """One drafter on one prompt. The counts come from the pair of runs with the median speedup.

    Attributes:
        tokens, rounds: new tokens, and target passes.
        judged, accepted: numbers of drafted tokens.
        c: cost ratio: median seconds to draft a token over median seconds of a plain pass; None where nothing was drafted.
        speedup: time of the plain rounds over time of the speculative rounds for the same tokens; the spread is over the repeats.
        speedup_with_prompt: the same with the time to read the prompt on both sides, a draft's own reading included.
        extra_bytes: the drafter's own weights, and its own cache for this prompt.
        same_text: whether all runs gave the text of plain decoding; None where sampling may give another text.
        conditions: whether other programs disturbed the runs; None where not watched.
        ledger: what reduces the tokens per pass to the speedup, from the pair of runs with the median speedup; None where not known.
        about: one sentence on how it drafts.
        uncaptured: on a GPU, a sentence for each kind of its passes that ran without CUDA graphs.
    """

    drafter: str
    title: str
    category: str
    tokens: int
    rounds: int
    judged: int
    accepted: int
    c: float | None
    speedup: Figure
    speedup_with_prompt: Figure
    extra_bytes: int
    same_text: bool | None
    conditions: Conditions | None = None
    ledger: Ledger | None = None
    about: str = ""
    uncaptured: tuple[str, ...] = field(default=(), metadata=MAY_BE_LEFT_OUT)  # stored sweeps may be older than it

    @property
    def trusted(self) -> bool:
        """Whether the speedup is a figure, and not what a busy machine made of it."""
        return self.conditions is None or self.conditions.trusted


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A drafter that could not be measured on the prompt with this title, or on any prompt (title "")."""

    drafter: str
    title: str
    why: str


@dataclass(frozen=True, slots=True)
class Line:
    """One drafter on several prompts together: one line of a table.

    Attributes:
        alpha: acceptance rate: accepted over judged, summed over the prompts; None where nothing was judged.
        tokens_per_pass: tokens over rounds, summed over the prompts.
        c: cost ratio: the median over the prompts.
        speedup: of one prompt, with the spread over its repeats; of several, the median of the prompts, with the lowest and the
            highest. Prompts whose speedup is not trusted are left out, unless there is no other.
        speedup_with_prompt: the same with the time to read the prompt on both sides.
        extra_bytes: the largest of the prompts.
        same_text: whether it holds for every prompt; None where sampling may give another text.
        trusted: whether at least one prompt has a speedup that is trusted.
        ledger: the means over these prompts, so that it still adds up; its speedup is a mean too, and not the median above.
        about: one sentence on how it drafts.
        uncaptured: the sentences of all prompts, each once.
    """

    drafter: str
    prompts: int
    alpha: float | None
    tokens_per_pass: float
    c: float | None
    speedup: Figure
    speedup_with_prompt: Figure
    extra_bytes: int
    same_text: bool | None
    trusted: bool
    ledger: Ledger | None = None
    about: str = ""
    uncaptured: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, complete or stopped early.

    Attributes:
        repeats: runs of each side.
        asked: number of prompts to measure; fewer are in `rows` if it was stopped.
        remembers: whether drafters that can copied from their texts of the prompts before, too.
    """

    pair: str
    target: str
    device: str
    dtype: str
    settings: Settings
    repeats: int
    asked: int
    rows: tuple[Measured, ...]
    left_out: tuple[LeftOut, ...] = ()
    remembers: bool = False

    @property
    def wrong_texts(self) -> tuple[str, ...]:
        """The drafters that wrote a text other than plain decoding's in a number format where this is an error."""
        exact = self.dtype in ("float32", "float64")
        return tuple(dict.fromkeys(row.drafter for row in self.rows if exact and row.same_text is False))


def lines(rows: Iterable[Measured]) -> tuple[Line, ...]:
    """One line for each drafter, in the order of measurement."""
    by_drafter: dict[str, list[Measured]] = {}
    for row in rows:
        by_drafter.setdefault(row.drafter, []).append(row)
    return tuple(_line(name, each) for name, each in by_drafter.items())


def by_category(rows: Iterable[Measured]) -> dict[str, tuple[Line, ...]]:
    """The lines of every category of prompts."""
    found: dict[str, list[Measured]] = {}
    for row in rows:
        found.setdefault(row.category, []).append(row)
    return {category: lines(each) for category, each in found.items()}


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON: a figure is its median, and its lowest and highest value are under `..._spread`."""
    return {
        "schema": SCHEMA,
        "pair": comparison.pair,
        "target": comparison.target,
        "device": comparison.device,
        "dtype": comparison.dtype,
        "settings": asdict(comparison.settings),
        "repeats": comparison.repeats,
        "asked": comparison.asked,
        "remembers": comparison.remembers,
        "drafters": [_flat(line) for line in lines(comparison.rows)],
        "categories": {name: [_flat(line) for line in each] for name, each in by_category(comparison.rows).items()},
        "prompts": [_flat(row) for row in comparison.rows],
        "left_out": [asdict(each) for each in comparison.left_out],
    }


def _line(drafter: str, rows: Sequence[Measured]) -> Line:
    judged = sum(row.judged for row in rows)
    costs = [row.c for row in rows if row.c is not None]
    compared = [row.same_text for row in rows if row.same_text is not None]
    timed = [row for row in rows if row.trusted] or rows
    return Line(
        drafter=drafter,
        prompts=len({row.title for row in rows}),
        alpha=sum(row.accepted for row in rows) / judged if judged else None,
        tokens_per_pass=sum(row.tokens for row in rows) / sum(row.rounds for row in rows),
        c=median(costs) if costs else None,
        speedup=_over_prompts([row.speedup for row in timed], trusted=timed[0].trusted),
        speedup_with_prompt=_over_prompts([row.speedup_with_prompt for row in timed], trusted=timed[0].trusted),
        extra_bytes=max(row.extra_bytes for row in rows),
        same_text=all(compared) if compared else None,
        trusted=timed[0].trusted,
        ledger=_mean([row.ledger for row in timed if row.ledger is not None]),
        about=rows[0].about,
        uncaptured=tuple(dict.fromkeys(sentence for row in rows for sentence in row.uncaptured)),
    )


def _mean(ledgers: Sequence[Ledger]) -> Ledger | None:
    """The mean of every amount; None of none."""
    if not ledgers:
        return None
    return Ledger(**{each.name: fmean(getattr(one, each.name) for one in ledgers) for each in fields(Ledger)})


def _over_prompts(figures: Sequence[Figure], *, trusted: bool) -> Figure:
    """One figure of several prompts; where none is trusted, with the lowest and the highest value of all."""
    if len(figures) == 1:
        return figures[0]
    whole = figure(each.median for each in figures)
    if trusted:
        return whole
    return Figure(whole.median, min(each.low for each in figures), max(each.high for each in figures))


def _flat(row: Measured | Line) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    values: Mapping[str, Any] = {name: getattr(row, name) for name in row.__slots__}
    for name, value in values.items():
        if isinstance(value, Ledger):
            flat[name] = asdict(value)
        elif isinstance(value, Conditions):
            flat |= {"trusted": value.trusted, name: asdict(value)}
        elif isinstance(value, Figure):
            flat |= {name: value.median, f"{name}_spread": [value.low, value.high]}
        else:
            flat[name] = value
    return flat
