"""The comparison as plain tables of text, which the terminal and the Markdown share. Standard library only."""

from collections.abc import Sequence

from specviz.bench.tables import Table
from specviz.compare.results import Comparison, Line, by_category, lines

_COLUMNS = ("drafter", "α", "tokens/pass", "c", "speedup", "extra MB", "same text")
_SAYS = "α: accepted / judged; in a tree refused siblings are judged too. c: seconds of drafting a token over those of a plain pass. Speedup: plain rounds over speculative ones, "
_ONE = "from the lowest repeat to the highest. Extra MB: weights beyond the target's, and a cache of its own."
_SEVERAL = "median of the prompts, from the lowest to the highest. Extra MB: weights beyond the target's, and a cache of its own."


def tables(comparison: Comparison) -> list[Table]:
    """All prompts together; then, where there are several, every category."""
    if not comparison.rows:
        return []
    groups = by_category(comparison.rows)
    whole = next(iter(groups)) if len(groups) == 1 else "all prompts"
    found = [_table(whole, lines(comparison.rows))]
    if len(groups) > 1:
        found += [_table(category, each) for category, each in groups.items()]
    return found


def notes(comparison: Comparison) -> list[str]:
    """One sentence each on what ran, and on what is missing or wrong."""
    settings = comparison.settings
    noise = ", shared noise" if settings.shared_noise else ""
    found = [
        f"Pair {comparison.pair}, target {comparison.target}, {comparison.dtype} on {comparison.device}; k = {settings.k}, trees of "
        f"{settings.nodes}, up to {settings.max_new_tokens} new tokens, temperature {settings.temperature:g}{noise}; each drafter "
        f"alone, in turn with plain decoding, runs of each: {comparison.repeats}.",
    ]
    done = len({row.title for row in comparison.rows})
    if done < comparison.asked:
        found.append(f"Stopped in the middle: {done} of {comparison.asked} prompts were begun.")
    found += [
        f"Left out: {each.drafter}{f' on {each.title}' if each.title else ''}. {each.why}"
        for each in comparison.left_out
    ]
    found += [
        f"WRONG: {drafter} wrote another text than plain decoding, which must not be in {comparison.dtype}."
        for drafter in comparison.wrong_texts
    ]
    return found


def _table(title: str, group: Sequence[Line]) -> Table:
    one = all(line.prompts == 1 for line in group)
    return Table(title, _SAYS + (_ONE if one else _SEVERAL), _COLUMNS, tuple(_row(line) for line in group))


def _row(line: Line) -> tuple[str, ...]:
    speed = line.speedup
    same = {True: "yes", False: "NO", None: "chance"}[line.same_text]
    return (
        line.drafter,
        "–" if line.alpha is None else f"{line.alpha:.2f}",
        f"{line.tokens_per_pass:.2f}",
        "–" if line.c is None else f"{line.c:.3f}",
        f"{speed.median:.2f} ({speed.low:.2f}–{speed.high:.2f})",
        f"{line.extra_bytes / 1e6:.1f}",
        same,
    )
