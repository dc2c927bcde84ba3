"""One prompt, run once for each value of one or two settings: which runs that are, what was measured in each, the table, what it shows in a
sentence, and its files. The page and `specviz compare` share it. Standard library only."""

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import prod
from typing import Any

from specviz.decoding.drafters import registry
from specviz.errors import InputError, SettingsError
from specviz.folders import ASSETS
from specviz.known_pairs import FAMILY
from specviz.reporting.player import wording
from specviz.reporting.player.grounds import busy, untrusted
from specviz.reporting.prompts import prompt_family, ready_prompts
from specviz.reporting.run_figures import Figures
from specviz.request import Request
from specviz.settings import RANGES, check_closed, check_prompt

AXES = {
    "k": "draft length k",
    "drafter": "drafter",
    "draft": "draft model",
    "temperature": "temperature",
    "kind": "kind of text",
}
"""What can vary, and what it is called."""
FIGURES = {"speedup": "Speedup", "tokens_per_pass": "Tokens a pass", "alpha": "Acceptance rate α"}
"""What is compared. The last two are counts, which a busy machine does not change."""
ALL, MOST_CELLS, MOST_AXES = "all", 24, 2
SCHEMA = "specviz.comparison/1"


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of the comparison.

    Attributes:
        at: the value of every axis, as the command line has it; also of those that do not vary.
        request: what is run; its plain run is its own.
    """

    at: Mapping[str, str]
    request: Request


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The runs of a comparison.

    Attributes:
        varied: the values of the one or two axes that vary, in order; of the drafter where none has several values.
        cells: one for each combination, those of one draft model together.
    """

    varied: Mapping[str, tuple[str, ...]]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """What was measured in one cell; None where there is no such figure.

    Attributes:
        at: see `Cell`.
        speedup: over the cell's own plain run; None where its times are not trusted, and `why` says why.
        low, high: the lowest and the highest speedup of the timed pairs of runs.
        tokens_per_pass, alpha: exact counts of this run.
        text: whether the text is the plain one, see `specviz.reporting.run_figures.Same`.
        why: why a figure is missing; "" where none is.
    """

    at: Mapping[str, str]
    speedup: float | None = None
    low: float | None = None
    high: float | None = None
    tokens_per_pass: float | None = None
    alpha: float | None = None
    tokens: int = 0
    passes: int = 0
    text: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A table of measured runs.

    Attributes:
        varied: see `ComparisonPlan`.
        rows: of the cells that are over, in the order of the plan.
        cells: how many there will be.
        about: where it was measured and what all cells share, in a few words.
    """

    varied: Mapping[str, tuple[str, ...]]
    rows: tuple[ComparisonRow, ...]
    cells: int
    about: str = ""


# ------------------------------------------------------------------ which runs


def values_of(axis: str, text: str) -> tuple[str, ...]:
    """The values that a text names: "1,2,4", "1..8", "all".

    Raises:
        SettingsError: a range has ends that are no whole numbers, or a value is empty.
    """
    found: list[str] = []
    for part in text.split(","):
        first, dots, last = part.strip().partition("..")
        if not dots:
            found.append(first)
        elif first.isdecimal() and last.isdecimal() and int(first) <= int(last) <= RANGES["k"].high:
            found += [str(value) for value in range(int(first), int(last) + 1)]
        else:
            raise SettingsError(f"{axis} was {text!r:.80}: give values such as 1,2,4, or a range such as 1..8.")
    return tuple(found)


def offered(axis: str, base: Request, drafters: Sequence[str]) -> tuple[str, ...]:
    """The values that "all" stands for; those that a page offers.

    Args:
        drafters: those that the pair can use.
    """
    values = {
        "k": tuple(str(k) for k in range(1, int(RANGES["k"].high) + 1)),
        "drafter": tuple(drafters),
        "draft": tuple(FAMILY) if base.pair.name in FAMILY else (_draft_of(base),),
        "temperature": ("0", "0.3", "0.7", "1", "1.5"),
        "kind": tuple(_prompts(base)),
    }
    return values[axis]


def plan_of(
    base: Request, chosen: Mapping[str, Sequence[str]], *, draft: bool, heads: Collection[str] = ()
) -> ComparisonPlan:
    """The runs of a comparison.

    Args:
        base: the run that every cell is, but for its values.
        chosen: the values of each axis that was named; an axis with one value only sets it.
        draft: whether the pair has a draft model.
        heads: the kinds of its trained heads.

    Raises:
        InputError: no such comparison can be run; says what was received.
    """
    drafters = registry.able(draft=draft, heads=heads)
    wanted = {
        axis: tuple(dict.fromkeys(value for each in chosen[axis] for value in (offered(axis, base, drafters) if each == ALL else (each,))))
        for axis in AXES
        if chosen.get(axis)
    }  # fmt: skip
    varied = {axis: values for axis, values in wanted.items() if len(values) > 1}
    if len(varied) > MOST_AXES:
        names = ", ".join(AXES[axis] for axis in varied)
        raise InputError(f"What varies was {names}: a comparison has one or two of them.")
    if (count := prod(map(len, varied.values()))) > MOST_CELLS:
        sizes = " × ".join(f"{len(values)} of {AXES[axis]}" for axis, values in varied.items())
        raise InputError(f"{sizes} are {count} runs: a comparison has at most {MOST_CELLS}, so leave some values out.")
    for name in wanted.get("drafter", ()):
        registry.describe(name)
        if refusal := registry.refusal(name, _draft_of(base), draft=draft, heads=heads):
            raise SettingsError(refusal)
    usual = {axis: (value,) for axis, value in _usual(base).items()}
    combinations = [dict(zip(AXES, at, strict=True)) for at in product(*({**usual, **wanted}[axis] for axis in AXES))]
    drafts = [at["draft"] for at in combinations]
    combinations.sort(key=lambda at: drafts.index(at["draft"]))  # each pair is loaded once
    cells = tuple(_cell(base, at) for at in combinations)
    return ComparisonPlan(varied or {"drafter": wanted.get("drafter", usual["drafter"])}, cells)


def _cell(base: Request, at: Mapping[str, str]) -> Cell:
    usual = _usual(base)
    request = replace(base, settings=registry.fitted(replace(
        base.settings, k=_number("k", at["k"], int), temperature=_number("temperature", at["temperature"], float), drafter=at["drafter"]
    )))  # fmt: skip
    check_closed(request.settings)
    if at["draft"] != usual["draft"]:
        if base.pair.name not in FAMILY or at["draft"] not in FAMILY:
            able = ", ".join(offered("draft", base, ()))
            raise SettingsError(f"draft was {at['draft']!r:.80}: the draft models of this target are {able}.")
        request = replace(request, pair=replace(base.pair, name=at["draft"]))
        if registry.describe(at["drafter"]).needs != "draft model":
            raise SettingsError(
                f"The drafter {at['drafter']!r} uses no draft model, so other draft models would change nothing: choose model or tree."
            )
    if at["kind"] != usual["kind"]:
        prompts = _prompts(base)
        if at["kind"] not in prompts:
            raise InputError(f"kind was {at['kind']!r:.80}: choose from {', '.join(prompts)}.")
        request = replace(request, prompt=prompts[at["kind"]])
    check_prompt(request.prompt)
    return Cell(at, request)


def _number(name: str, value: str, kind: Callable[[str], Any]) -> Any:
    """A number in the range of its setting; a draft length of 0 would leave it open."""
    limits = RANGES[name]
    try:
        found = kind(value)
    except ValueError:
        found = None
    if found is None or not limits.low <= found <= limits.high:
        raise SettingsError(f"{name} was {value!r:.80}: give numbers from {limits.low:g} to {limits.high:g}.")
    return found


def _usual(base: Request) -> dict[str, str]:
    """The values that the cells have where nothing else is named."""
    own = next((kind for kind, text in _prompts(base).items() if text == base.prompt), "own")
    now = base.settings
    return dict(zip(AXES, (str(now.k), now.drafter, _draft_of(base), f"{now.temperature:g}", own), strict=True))


def _draft_of(base: Request) -> str:
    """What the pair, and so its draft model, is called."""
    return str(base.pair.name or base.pair.draft or base.pair.target)


def _prompts(base: Request) -> dict[str, str]:
    """The first ready-made prompt of each kind of text; the base's own prompt where it is one of them."""
    found: dict[str, str] = {}
    for ready in ready_prompts(prompt_family(base.pair.name)):
        if ready.category not in found or ready.text == base.prompt:
            found[ready.category] = ready.text
    return found


# ------------------------------------------------------------------ what was measured


def row_of(cell: Cell, figures: Figures) -> ComparisonRow:
    """What was measured of a cell's own run and its own plain run."""
    trusted = figures.trusted and figures.speedup is not None
    return ComparisonRow(
        dict(cell.at),
        figures.speedup if trusted else None,
        min(figures.speedups, default=figures.speedup),
        max(figures.speedups, default=figures.speedup),
        figures.tokens / figures.passes if figures.passes else None,
        figures.acceptance_rate,
        figures.tokens,
        figures.passes,
        figures.text.same.value,
        "" if trusted else str(untrusted(figures) or busy(figures)) or "plain decoding was stopped earlier",
    )


def label(axis: str, value: str) -> str:
    """A value with what it is a value of."""
    if axis == "drafter":
        return wording.label(value)
    return f"{axis} = {value}" if axis == "k" else f"temperature {value}" if axis == "temperature" else value


def figure_words(figure: str, value: float | None) -> str:
    """A figure with its unit; "–" where there is none."""
    if value is None:
        return "–"
    return {"speedup": f"{value:.2f}×", "tokens_per_pass": f"{value:.2f}", "alpha": f"{value:.0%}"}[figure]


def table_of(comparison: Comparison) -> list[dict[str, str]]:
    """Every row in words: the values of its axes, then its figures."""
    return [
        {
            **{AXES[axis].capitalize(): label(axis, row.at[axis]) for axis in comparison.varied},
            "Speedup": figure_words("speedup", row.speedup),
            "Timed pairs": "" if row.low is None or row.high is None else f"{row.low:.2f} to {row.high:.2f}",
            "Tokens a pass": figure_words("tokens_per_pass", row.tokens_per_pass),
            "α": figure_words("alpha", row.alpha),
            "Text": row.text or "–",
            "": row.why,
        }
        for row in comparison.rows
    ]


def conclusion(comparison: Comparison, figure: str) -> str:
    """What the table shows of a figure, in a sentence or two."""
    rows = [row for row in comparison.rows if _value(row, figure) is not None]
    rows.sort(key=lambda row: -(_value(row, figure) or 0.0))
    over = len(comparison.rows)
    begun = "" if over == comparison.cells else f"So far, {over} of {comparison.cells} runs. "
    if not rows:
        return f"{begun}There is no {FIGURES[figure].lower()} yet.{_missing(comparison, figure)}"
    best, worst = rows[0], rows[-1]
    top, bottom, tied = _SAYS[figure]
    most = figure_words(figure, _value(best, figure))
    said = top.format(name=_named(comparison, best), value=most)
    if figure == "speedup" and (best.speedup or 0.0) <= 1:
        said = f"Nothing is faster than plain decoding: the best is {_named(comparison, best)}, {most}"
    close = [
        row
        for row in rows[1:]
        if figure_words(figure, _value(row, figure)) == most or _may_be_faster(row, best, figure)
    ]
    if close:
        said += tied.format(names=_listed([_named(comparison, row) for row in close]))
    if worst is not best and worst not in close:
        said += bottom.format(name=_named(comparison, worst), value=figure_words(figure, _value(worst, figure)))
    return f"{begun}{said}.{_best_of_each(comparison, figure)}{_missing(comparison, figure)}"


_SAYS = {
    "speedup": ("The fastest is {name}: {value}", "; the slowest is {name}: {value}", ", and {names} may be as fast"),
    "tokens_per_pass": ("The most tokens a pass, {value}, come from {name}", "; the fewest, {value}, from {name}", " and {names}"),
    "alpha": ("The most guesses, {value}, are accepted at {name}", "; the fewest, {value}, at {name}", " and {names}"),
}  # fmt: skip
"""For each figure: the best cell, the worst one, and those that cannot be told from the best."""


def _value(row: ComparisonRow, figure: str) -> float | None:
    found: float | None = getattr(row, figure)
    return found


def _missing(comparison: Comparison, figure: str) -> str:
    """How many cells have no such figure, and why."""
    reasons = Counter(
        "nothing was guessed" if row.passes and figure != "speedup" else row.why.rstrip(".")
        for row in comparison.rows
        if _value(row, figure) is None
    )
    return "".join(f" {count} of {comparison.cells} without: {why}." for why, count in reasons.items())


def _best_of_each(comparison: Comparison, figure: str) -> str:
    """Where two axes vary: for each value of the second one, the best of the first."""
    if len(comparison.varied) < MOST_AXES:
        return ""
    first, second = comparison.varied
    found = []
    for value in comparison.varied[second]:
        rows = [row for row in comparison.rows if row.at[second] == value and _value(row, figure) is not None]
        best = max(rows, key=lambda row: _value(row, figure) or 0.0, default=None)
        if best is not None:
            figured = figure_words(figure, _value(best, figure))
            found.append(f"{label(second, value)}: {label(first, best.at[first])} ({figured})")
    return f" Best {AXES[first]} for each {AXES[second]}: {', '.join(found)}."


def _may_be_faster(row: ComparisonRow, best: ComparisonRow, figure: str) -> bool:
    """Whether a timed pair of another row was as fast as the best row's median: then which is faster is not known."""
    return figure == "speedup" and row.high is not None and row.high >= (best.speedup or 0.0)


def _named(comparison: Comparison, row: ComparisonRow) -> str:
    return " with ".join(label(axis, row.at[axis]) for axis in comparison.varied)


def _listed(names: Sequence[str]) -> str:
    if len(names) > 3:
        return f"{len(names)} others"
    return " and ".join(names) if len(names) < 3 else f"{names[0]}, {names[1]} and {names[2]}"


# ------------------------------------------------------------------ files


def as_object(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values."""
    return {
        "schema": SCHEMA,
        "about": comparison.about,
        "cells": comparison.cells,
        "varied": {axis: list(values) for axis, values in comparison.varied.items()},
        "rows": [{**row.at, **{name: value for name, value in asdict(row).items() if name != "at"}} for row in comparison.rows],
        "conclusions": {figure: conclusion(comparison, figure) for figure in FIGURES},
    }  # fmt: skip


def as_json(comparison: Comparison) -> str:
    """The same as a text."""
    return json.dumps(as_object(comparison), indent=1, allow_nan=False)


def as_csv(comparison: Comparison) -> str:
    """One line for each row, with unrounded figures."""
    out = io.StringIO()
    columns = [*AXES, *(name for name in ComparisonRow.__slots__ if name != "at")]
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_object(comparison)["rows"])
    return out.getvalue()


def read(text: str) -> Comparison:
    """A comparison that `as_object` wrote."""
    found = json.loads(text)
    rows = [ComparisonRow({axis: each.pop(axis) for axis in AXES}, **each) for each in found["rows"]]
    return Comparison({axis: tuple(values) for axis, values in found["varied"].items()}, tuple(rows), found["cells"], found["about"])  # fmt: skip


def example(kinds: Sequence[str] = ("letters", "code", "verse")) -> Comparison:
    """The comparison that comes with the project, of these kinds of text."""
    whole = read((ASSETS / "comparison.json").read_text(encoding="utf-8"))
    rows = tuple(row for row in whole.rows if row.at["kind"] in kinds)
    return replace(whole, varied={**whole.varied, "kind": tuple(kinds)}, rows=rows, cells=len(rows))
