"""The figures of one run and of several together, and their JSON. Standard library only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from statistics import fmean, median
from typing import Any

from specviz.lab.ledger import Ledger
from specviz.reporting.figures import Figure, figure
from specviz.trace.conditions import Conditions
from specviz.trace.files import MAY_BE_LEFT_OUT


@dataclass(frozen=True, slots=True)
class MeasuredRow:
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
        prompt_tokens: of the prompt.
        plain_round_s, round_s: seconds of the median plain and the median speculative round; 0 where not known.
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
    prompt_tokens: int = field(default=0, metadata=MAY_BE_LEFT_OUT)
    plain_round_s: float = field(default=0.0, metadata=MAY_BE_LEFT_OUT)
    round_s: float = field(default=0.0, metadata=MAY_BE_LEFT_OUT)

    @property
    def trusted(self) -> bool:
        """Whether the speedup is a figure, and not what a busy machine made of it."""
        return self.conditions is None or self.conditions.trusted


@dataclass(frozen=True, slots=True)
class DrafterLine:
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


def lines(rows: Iterable[MeasuredRow]) -> tuple[DrafterLine, ...]:
    """One line for each drafter, in the order of measurement."""
    by_drafter: dict[str, list[MeasuredRow]] = {}
    for row in rows:
        by_drafter.setdefault(row.drafter, []).append(row)
    return tuple(pooled(each) for each in by_drafter.values())


def pooled(rows: Sequence[MeasuredRow]) -> DrafterLine:
    """One drafter's runs together."""
    judged = sum(row.judged for row in rows)
    costs = [row.c for row in rows if row.c is not None]
    compared = [row.same_text for row in rows if row.same_text is not None]
    timed = [row for row in rows if row.trusted] or rows
    return DrafterLine(
        drafter=rows[0].drafter,
        prompts=len({row.title for row in rows}),
        alpha=sum(row.accepted for row in rows) / judged if judged else None,
        tokens_per_pass=sum(row.tokens for row in rows) / sum(row.rounds for row in rows),
        c=median(costs) if costs else None,
        speedup=_over_prompts([row.speedup for row in timed], trusted=timed[0].trusted),
        speedup_with_prompt=_over_prompts([row.speedup_with_prompt for row in timed], trusted=timed[0].trusted),
        extra_bytes=max(row.extra_bytes for row in rows),
        same_text=all(compared) if compared else None,
        trusted=timed[0].trusted,
        ledger=mean_of([row.ledger for row in timed if row.ledger is not None]),
        about=rows[0].about,
        uncaptured=tuple(dict.fromkeys(sentence for row in rows for sentence in row.uncaptured)),
    )


def mean_of(ledgers: Sequence[Ledger]) -> Ledger | None:
    """The mean of every amount, which still adds up; None of none."""
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


def flat(value: Any) -> Any:
    """A record as plain JSON values: a figure in it is its median, and its lowest and highest value are under `..._spread`; beside conditions
    stands whether the figures are trusted."""
    if is_dataclass(value) and not isinstance(value, type):
        value = {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, tuple | list):
        return [flat(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[str, Any] = {}
    for name, each in value.items():
        if isinstance(each, Figure):
            found |= {str(name): each.median, f"{name}_spread": [each.low, each.high]}
        elif isinstance(each, Mapping) and each and all(isinstance(one, Figure) for one in each.values()):
            found[str(name)] = {str(key): one.median for key, one in each.items()}
            found[f"{name}_spread"] = {str(key): [one.low, one.high] for key, one in each.items()}
        elif isinstance(each, Conditions):
            found |= {"trusted": each.trusted, str(name): flat(each)}
        else:
            found[str(name)] = flat(each)
    return found
