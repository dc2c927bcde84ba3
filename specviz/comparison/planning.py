"""The runs of a comparison: one prompt, once for each value of one or two settings. Standard library only."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from specviz.decoding.drafters import registry
from specviz.errors import InputError, SettingsError
from specviz.known_pairs import FAMILY
from specviz.reporting.prompts import prompt_family, ready_prompts
from specviz.request import Request
from specviz.settings import RANGES, check_closed, check_prompt

# The settings that can vary, and their names for people.
AXES = {
    "k": "draft length k",
    "drafter": "drafter",
    "draft": "draft model",
    "temperature": "temperature",
    "kind": "kind of text",
}
ALL, MOST_CELLS, MOST_AXES = "all", 24, 2


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of the comparison.

    Attributes:
        at: the value of every axis, also of those that do not vary, as the command line has it.
        request: the speculative run; the cell has a plain run of its own.
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


def values_of(axis: str, text: str) -> tuple[str, ...]:
    """The values that a text names: "1,2,4", "1..8", "all". Raises SettingsError if a range has ends that are no whole
    numbers, or a value is empty."""
    values: list[str] = []
    for part in text.split(","):
        first, dots, last = part.strip().partition("..")
        if not dots:
            values.append(first)
        elif first.isdecimal() and last.isdecimal() and int(first) <= int(last) <= RANGES["k"].high:
            values += [str(value) for value in range(int(first), int(last) + 1)]
        else:
            raise SettingsError(f"{axis} was {text!r:.80}: give values such as 1,2,4, or a range such as 1..8.")
    return tuple(values)


def axis_values(axis: str, base: Request, drafters: Sequence[str]) -> tuple[str, ...]:
    """The values that "all" stands for, and that a page offers. `drafters`: those that the pair can use."""
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
    """The runs of a comparison. Raises InputError if no such comparison can be run.

    Args:
        base: the run from which every cell differs in its values only.
        chosen: the values of each named axis; an axis with one value only sets it.
        draft: whether the pair has a draft model.
        heads: the kinds of its trained heads.
    """
    drafters = registry.able(draft=draft, heads=heads)
    axes = {
        axis: tuple(dict.fromkeys(value for name in chosen[axis] for value in (axis_values(axis, base, drafters) if name == ALL else (name,))))
        for axis in AXES
        if chosen.get(axis)
    }  # fmt: skip
    varied = {axis: values for axis, values in axes.items() if len(values) > 1}
    if len(varied) > MOST_AXES:
        names = ", ".join(AXES[axis] for axis in varied)
        raise InputError(f"What varies was {names}: a comparison has one or two of them.")
    if (count := prod(map(len, varied.values()))) > MOST_CELLS:
        sizes = " × ".join(f"{len(values)} of {AXES[axis]}" for axis, values in varied.items())
        raise InputError(f"{sizes} are {count} runs: a comparison has at most {MOST_CELLS}, so leave some values out.")
    for name in axes.get("drafter", ()):
        registry.describe(name)
        if refusal := registry.refusal(name, _draft_of(base), draft=draft, heads=heads):
            raise SettingsError(refusal)
    default = {axis: (value,) for axis, value in _values_of(base).items()}
    combinations = [dict(zip(AXES, at, strict=True)) for at in product(*({**default, **axes}[axis] for axis in AXES))]
    drafts = [at["draft"] for at in combinations]
    combinations.sort(key=lambda at: drafts.index(at["draft"]))  # each pair is loaded once
    cells = tuple(_cell(base, at) for at in combinations)
    return ComparisonPlan(varied or {"drafter": axes.get("drafter", default["drafter"])}, cells)


def _cell(base: Request, at: Mapping[str, str]) -> Cell:
    default = _values_of(base)
    request = replace(base, settings=registry.fitted(replace(
        base.settings, k=_number("k", at["k"], int), temperature=_number("temperature", at["temperature"], float), drafter=at["drafter"]
    )))  # fmt: skip
    check_closed(request.settings)
    if at["draft"] != default["draft"]:
        if base.pair.name not in FAMILY or at["draft"] not in FAMILY:
            drafts = ", ".join(axis_values("draft", base, ()))
            raise SettingsError(f"draft was {at['draft']!r:.80}: the draft models of this target are {drafts}.")
        request = replace(request, pair=replace(base.pair, name=at["draft"]))
        if registry.describe(at["drafter"]).needs != "draft model":
            raise SettingsError(
                f"The drafter {at['drafter']!r} uses no draft model, so other draft models would change nothing: choose model or tree."
            )
    if at["kind"] != default["kind"]:
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
        number = kind(value)
    except ValueError:
        number = None
    if number is None or not limits.low <= number <= limits.high:
        raise SettingsError(f"{name} was {value!r:.80}: give numbers from {limits.low:g} to {limits.high:g}.")
    return number


def _values_of(base: Request) -> dict[str, str]:
    kind = next((kind for kind, text in _prompts(base).items() if text == base.prompt), "own")
    settings = base.settings
    values = (str(settings.k), settings.drafter, _draft_of(base), f"{settings.temperature:g}", kind)
    return dict(zip(AXES, values, strict=True))


def _draft_of(base: Request) -> str:
    """The name of the pair, and so of its draft model."""
    return str(base.pair.name or base.pair.draft or base.pair.target)


def _prompts(base: Request) -> dict[str, str]:
    """The first ready-made prompt of each kind of text; the base's own prompt where it is one of them."""
    prompts: dict[str, str] = {}
    for ready in ready_prompts(prompt_family(base.pair.name)):
        if ready.category not in prompts or ready.text == base.prompt:
            prompts[ready.category] = ready.text
    return prompts
