"""The results of the benchmark, and their JSON. Standard library only."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from specviz.bench import profile as profiles
from specviz.bench.ledger import Ledger
from specviz.reporting.figures import Figure

SCHEMA = "specviz.bench/2"


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where the text of a decoder first differs from that of our plain one.

    Attributes:
        decoder: its name.
        index: of the first new token that differs, counted from 0.
        gap: difference of the target's two best logits there; None where one text only ends earlier.
    """

    decoder: str
    index: int
    gap: float | None


@dataclass(frozen=True, slots=True)
class PromptResult:
    """One prompt. Spreads are over the repeats.

    Attributes:
        prompt_tokens, tokens: numbers of prompt tokens and of new tokens of our plain decoder.
        rates: new tokens per second of each decoder, by wall clock, including the prefill.
        plain_vs_transformers, speculative_vs_transformers: our rate / the rate of transformers in the same turn.
        speedup: time of our plain rounds / time of our speculative rounds, for the same tokens.
        speedup_with_prompt: the same with the time to read the prompt on both sides.
        alpha: acceptance rate: accepted / judged.
        papers_speedup: predicted from alpha, k and c, with v = 1.
        predicted_speedup: predicted from the tokens per pass and each round's own number of drafted tokens, with c and v.
        recording_cost: the relative extra time per token when every candidate is recorded.
        divergences: of the decoders with a text other than our plain one's.
        trusted: whether our two decoders had the cores in enough turns, and these agree.
        waited: the largest share of its time in which one of our runs had no core; None on a GPU.
    """

    title: str
    category: str
    prompt_tokens: int
    tokens: int
    rates: Mapping[str, Figure]
    plain_vs_transformers: Figure
    speculative_vs_transformers: Figure
    speedup: Figure
    speedup_with_prompt: Figure
    alpha: float
    tokens_per_pass: float
    papers_speedup: float
    predicted_speedup: float
    measured_over_predicted: float
    recording_cost: Figure
    ledger: Ledger
    texts_agree: bool
    divergences: tuple[Divergence, ...]
    trusted: bool = True
    waited: float | None = None


@dataclass(frozen=True, slots=True)
class ContextResult:
    """The cost of a round in seconds after a prompt of `context` tokens; spreads are over the repeats."""

    context: int
    plain_round_s: Figure
    speculative_round_s: Figure
    tokens_per_round: float
    speedup: Figure


@dataclass(frozen=True, slots=True)
class Result:
    """One number format. Medians are over the prompts' medians; spreads are the lowest and the highest prompt."""

    dtype: str
    plain_vs_transformers: Figure
    speculative_vs_transformers: Figure
    speedup: Figure
    speedup_with_prompt: Figure
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
    """A complete benchmark. `machine` has the fields of `specviz.bench.machine.Machine`."""

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
        """The number formats in which texts differ although this is an error (float32 and float64)."""
        wide = ("float32", "float64")
        return tuple(result.dtype for result in self.results if result.dtype in wide and not result.texts_agree)


def as_json(report: Report) -> dict[str, Any]:
    """The report as JSON: a figure is its median, and its lowest and highest value are under `..._spread`."""
    return {"schema": SCHEMA, **_flat(report)}


def _flat(record: object) -> dict[str, Any]:
    """The fields of a dataclass; each figure is split into median and spread."""
    assert is_dataclass(record), "only dataclasses have fields"
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
