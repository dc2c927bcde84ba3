"""What the benchmark adds to a sweep over number formats: transformers' decoders beside ours, what passes cost, rounds after long prompts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from specviz.lab.charts import LOOK, middle_ledger, spread, waterfall
from specviz.lab.profile import Profile
from specviz.lab.profile import as_json as profile_json
from specviz.lab.report import Report, Table
from specviz.lab.results import Sweep, as_json
from specviz.lab.rows import MeasuredRow, flat
from specviz.lab.tables import notes, runs, speed, tables
from specviz.reporting.figures import CostCurve, Figure, figure
from specviz.trace import theory

SCHEMA = "specviz.bench/3"
_EXACT = ("float32", "float64")


@dataclass(frozen=True, slots=True)
class TextDivergence:
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
class Contenders:
    """All decoders on one prompt; spreads are over the turns.

    Attributes:
        rates: new tokens per second of each decoder, by wall clock, including the prefill.
        plain_vs_transformers, speculative_vs_transformers: our rate / the rate of transformers in the same turn.
        recording_cost: the relative extra time per token when every candidate is recorded.
        divergences: of the decoders with a text other than our plain one's.
    """

    dtype: str
    title: str
    rates: Mapping[str, Figure]
    plain_vs_transformers: Figure
    speculative_vs_transformers: Figure
    recording_cost: Figure
    divergences: tuple[TextDivergence, ...]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A complete benchmark.

    Attributes:
        machine: the fields of `specviz.reporting.machine.Machine`.
        sweep: over the number formats.
        contenders: on every prompt in every format.
        curves, profiles: what passes cost in each format.
        contexts: a sweep over formats and lengths of the prompt; None where none was asked for.
    """

    machine: Mapping[str, Any]
    sweep: Sweep
    contenders: tuple[Contenders, ...]
    curves: Mapping[str, CostCurve]
    profiles: Mapping[str, Profile]
    contexts: Sweep | None = None

    @property
    def wrong_texts(self) -> tuple[str, ...]:
        """The number formats in which texts differ although this is an error (float32 and float64)."""
        differing = (each.dtype for each in self.contenders if each.divergences and each.dtype in _EXACT)
        return tuple(dict.fromkeys(differing))


def report_of(found: Benchmark) -> Report:
    """What is said of a benchmark."""
    longer = () if found.contexts is None else (_contexts(found.contexts),)
    rates = [_rates(dtype, _of(found, dtype)) for dtype in found.curves]
    costs = [_costs(dtype, curve) for dtype, curve in found.curves.items()]
    return Report(
        stem="bench",
        title="specviz: the benchmark",
        tables=(_headline(found), *rates, *tables(found.sweep), runs(found.sweep), *costs, *longer),
        notes=(*notes(found.sweep), *_divergences(found.contenders), *(notes(found.contexts)[2:] if found.contexts else ())),
        value={
            "schema": SCHEMA,
            "machine": dict(found.machine),
            "sweep": as_json(found.sweep),
            "contenders": flat(found.contenders),
            "costs": {dtype: flat(curve) for dtype, curve in found.curves.items()},
            "profiles": {dtype: profile_json(profile) for dtype, profile in found.profiles.items()},
            "contexts": None if found.contexts is None else as_json(found.contexts),
        },
        charts=lambda: _charts(found),
    )  # fmt: skip


def _of(found: Benchmark, dtype: str) -> list[Contenders]:
    return [each for each in found.contenders if each.dtype == dtype]


def _headline(found: Benchmark) -> Table:
    k = found.sweep.plan.settings.k
    columns = []
    for cell in found.sweep.cells:
        dtype, line = cell.at[0], cell.line
        beside, curve, profile = _of(found, dtype), found.curves[dtype], found.profiles[dtype]
        assert line is not None, "every run was measured"
        rows = _measured(found.sweep, dtype)
        predicted = [each for each, _ in rows]
        columns.append(
            (
                _over(each.plain_vs_transformers.median for each in beside),
                _over(each.speculative_vs_transformers.median for each in beside),
                speed(line.speedup, trusted=line.trusted),
                speed(line.speedup_with_prompt, trusted=line.trusted),
                _over(predicted),
                _over(row.speedup.median / each for each, row in rows),
                _over(theory.speedup(_alpha(row), k, profile.c) for _, row in rows),
                _over(_alpha(row) for _, row in rows),
                speed(curve.c),
                f"{profile.v_at(k + 1):.2f}",
                f"{figure(each.recording_cost.median for each in beside).median:+.1%}",
                "NO" if any(each.divergences for each in beside) else "yes",
            )
        )
    names = (
        *("plain vs transformers", "speculative vs transformers assisted", "speedup, rounds only", "speedup with the prompt"),
        *("predicted from measured c, v and tokens per pass", "measured / predicted", "papers' formula with v = 1"),
        *("acceptance rate α", "cost ratio c", f"v({k + 1})", "recording everything adds", "all texts agree"),
    )  # fmt: skip
    return Table(
        "Figures",
        "Medians over the prompts (lowest–highest prompt); c: lowest to highest sweep. Ratios to transformers are by wall clock and include the "
        "prefill; the speedup is over the rounds alone, or with the time that plain and speculative decoding take to read the prompt.",
        ("", *found.curves),
        tuple((name, *row) for name, row in zip(names, zip(*columns, strict=True), strict=True)),
    )


def _measured(sweep: Sweep, dtype: str) -> list[tuple[float, MeasuredRow]]:
    """The prediction and the figures of every run in this format."""
    those = [each for each in sweep.found if sweep.tasks[each.task].at == (dtype,)]
    return [(each.predicted, each.row) for each in those if each.row is not None and each.predicted is not None]


def _alpha(row: MeasuredRow) -> float:
    return row.accepted / row.judged if row.judged else 0.0


def _over(values: Iterable[float]) -> str:
    return speed(figure(values))


def _rates(dtype: str, contenders: Sequence[Contenders]) -> Table:
    names = list(contenders[0].rates)
    return Table(
        f"Tokens per second in {dtype}",
        "New tokens per second by wall clock, including the prefill. all recorded: speculative, with every candidate recorded.",
        ("prompt", *names),
        tuple((each.title, *(f"{each.rates[name].median:.1f}" for name in names)) for each in contenders),
    )


def _costs(dtype: str, curve: CostCurve) -> Table:
    return Table(
        f"Cost of a pass in {dtype}",
        f"v(n): time of a target pass over n tokens / time of one over one token ({curve.pass_s.median * 1e3:.2f} ms), with "
        f"{curve.cache_length} tokens in the cache (lowest–highest sweep).",
        ("n", "v(n)"),
        tuple((str(n), speed(cost)) for n, cost in curve.v.items()),
    )


def _contexts(sweep: Sweep) -> Table:
    rows = [(sweep.tasks[each.task].at[0], each.row) for each in sweep.found if each.row is not None]
    return Table(
        "Long contexts",
        "Milliseconds per round after a prompt of this many tokens.",
        ("dtype", "context", "plain round", "speculative round", "tokens per round", "speedup"),
        tuple(
            (dtype, str(row.prompt_tokens), f"{row.plain_round_s * 1e3:.2f}", f"{row.round_s * 1e3:.2f}", f"{row.tokens / row.rounds:.2f}",
             speed(row.speedup, trusted=row.trusted))
            for dtype, row in rows
        ),
    )  # fmt: skip


def _divergences(contenders: Sequence[Contenders]) -> list[str]:
    return [
        f"{each.dtype}, {each.title}: the text of {one.decoder} differs from our plain text from new token {one.index + 1} on, where "
        + (
            "one of the two texts ends."
            if one.gap is None
            else f"the gap between the target's two best logits is {one.gap:.4g}."
        )
        for each in contenders
        for one in each.divergences
    ]


def _charts(found: Benchmark) -> list[Any]:
    """Tokens per second and the cost curve in each number format, and a ledger."""
    drawn = []
    for dtype, curve in found.curves.items():
        drawn += [_rates_chart(dtype, _of(found, dtype)), _curve_chart(dtype, curve)]
    steps = middle_ledger(found.sweep)
    return [*drawn, *([waterfall(*steps)] if steps else [])]


def _rates_chart(dtype: str, contenders: Sequence[Contenders]) -> Any:
    from plotly import graph_objects

    chart = graph_objects.Figure()
    for name in contenders[0].rates:
        rates = [each.rates[name] for each in contenders]
        titles = [escape(each.title) for each in contenders]
        chart.add_bar(name=name, x=titles, y=[rate.median for rate in rates], error_y=spread(rates))
    return chart.update_layout(title=f"Tokens per second in {dtype}, including the prefill", yaxis={"title": "tokens per second"}, **LOOK)  # fmt: skip


def _curve_chart(dtype: str, curve: CostCurve) -> Any:
    from plotly import graph_objects

    chart, costs = graph_objects.Figure(), list(curve.v.values())
    chart.add_scatter(name="v(n)", x=list(curve.v), y=[cost.median for cost in costs], mode="lines+markers", error_y=spread(costs))  # fmt: skip
    chart.add_hline(y=curve.c.median, line_dash="dot", annotation_text=f"a draft pass, c = {curve.c.median:.2f}")
    return chart.update_layout(
        title=f"Cost of a target pass over n tokens in {dtype}",
        xaxis={"title": "n", "type": "log", "tickvals": list(curve.v)},
        yaxis={"title": "cost relative to a pass over one token", "rangemode": "tozero"},
        **LOOK,
    )
