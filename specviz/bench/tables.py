"""The report as tables of text, for the terminal, Markdown and HTML. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass

from specviz.bench.results import PromptResult, Report, Result
from specviz.reporting.figures import Figure


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text; each row has as many cells as there are columns."""

    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(report: Report) -> list[Table]:
    """Every table of a report, the main figures first."""
    found = [_headline(report)]
    for result in report.results:
        found += [_rates(result), _speedups(result), _ledgers(result), _costs(result)]
        if result.contexts:
            found.append(_contexts(result))
    return found


def notes(report: Report) -> list[str]:
    """Sentences on what was run, and on texts that differ or contexts that were left out."""
    machine = report.machine
    found = [
        f"Pair {report.pair}: target {report.target}, draft {report.draft}; k = {report.k}, up to {report.max_new_tokens} "
        f"new tokens, temperature 0, turns of each decoder: {report.repeats}.",
        f"{machine['device_name']} ({machine['device']}), {machine['cores']} cores, {machine['threads']} torch threads, "
        f"torch {machine['torch']}, transformers {machine['transformers']}, Python {machine['python']}, {machine['system']}.",
    ]
    for result in report.results:
        found += _disturbed(result)
        found += [sentence for row in result.prompts for sentence in _divergences(row, result.dtype)]
        if result.contexts_left_out:
            lengths = ", ".join(map(str, result.contexts_left_out))
            found.append(
                f"{result.dtype}: contexts of {lengths} tokens were left out, because the pair's context is too short."
            )
    return found


def _headline(report: Report) -> Table:
    rows: list[tuple[str, ...]] = []
    for name, field in (
        ("plain vs transformers", "plain_vs_transformers"),
        ("speculative vs transformers assisted", "speculative_vs_transformers"),
        ("speedup, rounds only", "speedup"),
        ("speedup with the prompt", "speedup_with_prompt"),
        ("predicted from measured c, v and tokens per pass", "predicted_speedup"),
        ("measured / predicted", "measured_over_predicted"),
        ("papers' formula with v = 1", "papers_speedup"),
        ("acceptance rate α", "alpha"),
        ("cost ratio c", "c"),
    ):
        rows.append((name, *(_main_figure(result, field) for result in report.results)))
    at = report.k + 1
    rows.append((f"v({at})", *(f"{result.profile.v_at(at):.2f}" for result in report.results)))
    rows.append(("recording everything adds", *(f"{result.recording_cost.median:+.1%}" for result in report.results)))
    rows.append(("all texts agree", *("yes" if result.texts_agree else "NO" for result in report.results)))
    return Table(
        "Figures",
        "Medians over the prompts (lowest to highest prompt); c: lowest to highest sweep. "
        "Ratios to transformers are by wall clock and include the prefill; the speedup is over the rounds alone, or with the time that plain and "
        "speculative decoding take to read the prompt.",
        ("", *(result.dtype for result in report.results)),
        tuple(rows),
    )


def _main_figure(result: Result, field: str) -> str:
    """A figure over all prompts; of the speedups only the range where a prompt was measured on a busy machine."""
    found: Figure = getattr(result, field)
    if field.startswith("speedup") and not all(row.trusted for row in result.prompts):
        return f"busy: {found.low:.1f} to {found.high:.1f}"
    return _spread(found)


def _rates(result: Result) -> Table:
    names = list(result.prompts[0].rates)
    return Table(
        f"Tokens per second in {result.dtype}",
        "New tokens per second by wall clock, including the prefill. all recorded: speculative, with every candidate recorded.",
        ("prompt", "tokens", *names),
        tuple(
            (
                row.title,
                str(row.tokens),
                *(f"{row.rates[name].median:.1f}" for name in names),
            )
            for row in result.prompts
        ),
    )


def _speedups(result: Result) -> Table:
    return Table(
        f"Speedups in {result.dtype}",
        "Speedup: time of the plain rounds / time of the speculative rounds (lowest to highest turn); with prompt: the same with the time to read the prompt. Predicted: from the measured costs.",
        ("prompt", "speedup", "with prompt", "predicted", "α", "tokens per pass", "same text"),
        tuple(
            (
                row.title,
                _spread(row.speedup) if row.trusted else f"busy: {row.speedup.low:.1f} to {row.speedup.high:.1f}",
                f"{row.speedup_with_prompt.median:.2f}" if row.trusted else "–",
                f"{row.predicted_speedup:.2f}",
                f"{row.alpha:.2f}",
                f"{row.tokens_per_pass:.2f}",
                "yes" if row.texts_agree else "NO",
            )
            for row in result.prompts
        ),
    )


def _ledgers(result: Result) -> Table:
    return Table(
        f"Ledger in {result.dtype}",
        "From tokens per pass to the speedup, for the pair of runs with the median speedup.",
        ("prompt", "tokens per pass", "drafting", "longer verify pass", "overhead", "= speedup"),
        tuple(
            (
                row.title,
                f"{row.ledger.tokens_per_pass:.2f}",
                f"{-row.ledger.drafting:+.2f}",
                f"{-row.ledger.verification:+.2f}",
                f"{-row.ledger.overhead:+.2f}",
                f"{row.ledger.speedup:.2f}",
            )
            for row in result.prompts
        ),
    )


def _costs(result: Result) -> Table:
    profile = result.profile
    return Table(
        f"Cost of a pass in {result.dtype}",
        f"v(n): time of a target pass over n tokens / time of one over one token ({profile.pass_s * 1e3:.2f} ms), with "
        f"{profile.cache_length} tokens in the cache (lowest to highest sweep).",
        ("n", "v(n)"),
        tuple((str(n), _spread(cost)) for n, cost in result.v.items()),
    )


def _contexts(result: Result) -> Table:
    return Table(
        f"Long contexts in {result.dtype}",
        "Milliseconds per round after a prompt of this many tokens.",
        ("context", "plain round", "speculative round", "tokens per round", "speedup"),
        tuple(
            (
                str(row.context),
                f"{row.plain_round_s.median * 1e3:.2f}",
                f"{row.speculative_round_s.median * 1e3:.2f}",
                f"{row.tokens_per_round:.2f}",
                _spread(row.speedup),
            )
            for row in result.contexts
        ),
    )


def _disturbed(result: Result) -> list[str]:
    """A warning where other programs took the cores."""
    rows = [row for row in result.prompts if not row.trusted]
    if not rows:
        return []
    waited = max((row.waited for row in rows if row.waited is not None), default=None)
    why = "" if waited is None else f" A run waited for a processor core up to {waited:.0%} of its time."
    return [
        f"{result.dtype}: this machine was busy while {len(rows)} of {len(result.prompts)} prompts were measured, so that neither "
        f"their figures nor the medians can be trusted.{why} Close other programs and run again: "
        "all figures of a benchmark are measured with the same number of threads, so none are given up for other programs."
    ]


def _divergences(row: PromptResult, dtype: str) -> Sequence[str]:
    return [
        f"{dtype}, {row.title}: the text of {found.decoder} differs from our plain text from new token {found.index + 1} on, where "
        + (
            "one of the two texts ends."
            if found.gap is None
            else f"the gap between the target's two best logits is {found.gap:.4g}."
        )
        for found in row.divergences
    ]


def _spread(figure: Figure) -> str:
    return f"{figure.median:.2f} ({figure.low:.2f} to {figure.high:.2f})"
