"""What the benchmark found, and its JSON. Standard library only."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from specviz.bench import profile as profiles
from specviz.bench.ledger import Ledger
from specviz.reporting.figures import Figure

SCHEMA = "specviz.bench/1"


@dataclass(frozen=True, slots=True)
class Parting:
    """A decoder that wrote another text than our plain one.

    Attributes:
        decoder: which.
        index: the first new token that differs, counted from 0.
        gap: how far the target's two best logits lay apart there; None where one text merely ends earlier.
    """

    decoder: str
    index: int
    gap: float | None


@dataclass(frozen=True, slots=True)
class PromptResult:
    """One prompt. Spreads are over the repeats.

    Attributes:
        prompt_tokens, tokens: read, and written by our plain decoder.
        rates: new tokens a second of each decoder, on the wall and reading the prompt included.
        plain_vs_transformers, speculative_vs_transformers: our rate over that of transformers, run in the same turn.
        speedup: our plain rounds over our speculative rounds, for the same tokens.
        alpha: accepted over judged.
        papers_speedup: from alpha, k and c, with v = 1.
        predicted_speedup: from the tokens per pass and each round's own number of drafted tokens, with c and v.
        recording_cost: the share of time that keeping every candidate adds to a token.
    """

    title: str
    category: str
    prompt_tokens: int
    tokens: int
    rates: Mapping[str, Figure]
    plain_vs_transformers: Figure
    speculative_vs_transformers: Figure
    speedup: Figure
    alpha: float
    tokens_per_pass: float
    papers_speedup: float
    predicted_speedup: float
    measured_over_predicted: float
    recording_cost: Figure
    ledger: Ledger
    texts_agree: bool
    partings: tuple[Parting, ...]


@dataclass(frozen=True, slots=True)
class ContextResult:
    """The cost of a round behind this many tokens of prompt, in seconds; spreads are over the repeats."""

    context: int
    plain_round_s: Figure
    speculative_round_s: Figure
    tokens_per_round: float
    speedup: Figure


@dataclass(frozen=True, slots=True)
class Result:
    """One number format. Medians are over the prompts' medians, spreads from the lowest prompt to the highest."""

    dtype: str
    plain_vs_transformers: Figure
    speculative_vs_transformers: Figure
    speedup: Figure
    papers_speedup: Figure
    predicted_speedup: Figure
    measured_over_predicted: Figure
    alpha: Figure
    c: Figure
    v: Mapping[int, Figure]
    recording_cost: Figure
    texts_agree: bool
    profile: profiles.Profile
    prompts: tuple[PromptResult, ...]
    contexts: tuple[ContextResult, ...] = ()
    contexts_left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole benchmark. `machine` holds the fields of `specviz.bench.machine.Machine`."""

    pair: str
    target: str
    draft: str
    k: int
    max_new_tokens: int
    repeats: int
    machine: Mapping[str, Any]
    results: tuple[Result, ...]

    @property
    def wrong_texts(self) -> tuple[str, ...]:
        """The number formats in which every text had to be the same and was not."""
        wide = ("float32", "float64")
        return tuple(result.dtype for result in self.results if result.dtype in wide and not result.texts_agree)


def as_json(report: Report) -> dict[str, Any]:
    """The report for programs: a figure is its median, with its low and high beside it under `..._spread`."""
    return {"schema": SCHEMA, **_flat(report)}


def _flat(record: object) -> dict[str, Any]:
    """The fields of a dataclass, with its figures taken apart."""
    assert is_dataclass(record), "only records are taken apart"
    named = {field.name: getattr(record, field.name) for field in fields(record)}
    return _items(named)


def _items(named: Mapping[Any, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in named.items():
        if isinstance(value, Figure):
            flat[str(name)] = value.median
            flat[f"{name}_spread"] = [value.low, value.high]
        elif isinstance(value, Mapping) and all(isinstance(each, Figure) for each in value.values()):
            flat[str(name)] = {str(key): each.median for key, each in value.items()}
            flat[f"{name}_spread"] = {str(key): [each.low, each.high] for key, each in value.items()}
        elif isinstance(value, Ledger):
            flat[str(name)] = asdict(value)
        elif isinstance(value, profiles.Profile):
            flat[str(name)] = profiles.as_json(value)
        elif isinstance(value, tuple):
            flat[str(name)] = [_flat(each) if is_dataclass(each) else each for each in value]
        else:
            flat[str(name)] = value
    return flat
