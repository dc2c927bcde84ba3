"""The comparison as tables of text, for the terminal and for Markdown. Standard library only."""

from collections.abc import Sequence

from specviz.bench.ledger import Ledger
from specviz.bench.tables import Table
from specviz.compare.results import Comparison, Line, by_category, lines
from specviz.trace.conditions import grounds, verdict

_IN_BITS = "quantized"
"""The drafter that some processors do not speed up."""
_COLUMNS = ("drafter", "α", "tokens/pass", "c", "speedup", "with prompt", "extra MB", "same text")
_CAPTION = (
    "α: accepted / judged drafted tokens; in a tree, rejected siblings count as judged. c: time to draft a token / time of a plain pass. "
    "Speedup: time of the plain rounds / time of the speculative rounds, {spread}; with prompt: the same with the time to read the "
    "prompt on both sides. "
    "Extra MB: the drafter's own weights and its own cache."
)
_LEDGER_COLUMNS = ("drafter", "tokens/pass", "− drafting", "− verification", "− overhead", "= speedup")
_LEDGER_CAPTION = (
    "What eats the tokens per pass: the speedup lost to drafting, to verify passes that cost more than a plain pass, and to the rest of a "
    "round. A negative loss is a gain. Means over the prompts, so that every line adds up."
)
_ONE = "median of the repeats (lowest–highest)"
_SEVERAL = "median of the prompts (lowest–highest)"


def tables(comparison: Comparison) -> list[Table]:
    """A table of all prompts together; with several categories, then one table for each."""
    if not comparison.rows:
        return []
    groups = by_category(comparison.rows)
    title = next(iter(groups)) if len(groups) == 1 else "all prompts"
    found = [_table(title, lines(comparison.rows))]
    if len(groups) > 1:
        found += [_table(category, each) for category, each in groups.items()]
    return found


def where_it_goes(comparison: Comparison) -> list[Table]:
    """The ledger of every drafter whose speedup is a figure, all prompts together; no table where there is none."""
    rows = tuple(
        (line.drafter, *(f"{amount:.2f}" for amount in _amounts(line.ledger)))
        for line in lines(comparison.rows)
        if line.ledger is not None and line.trusted
    )
    return [Table("where the speedup goes", _LEDGER_CAPTION, _LEDGER_COLUMNS, rows)] if rows else []


def _amounts(ledger: Ledger) -> tuple[float, ...]:
    return ledger.tokens_per_pass, ledger.drafting, ledger.verification, ledger.overhead, ledger.speedup


def explanations(comparison: Comparison) -> list[str]:
    """A sentence on each drafter; of one that is slower than plain decoding, also what eats most of it."""
    return [f"{line.drafter}: {line.about}{_eaten(line)}" for line in lines(comparison.rows) if line.about]


def _eaten(line: Line) -> str:
    if line.ledger is None or not line.trusted:
        return ""
    found = ""
    if line.drafter == _IN_BITS and line.c is not None and line.c >= 1:
        found = f" This processor does not speed 8 bits up: drafting a token takes {line.c:.2f} of a plain pass."
    if line.speedup.median >= 1:
        return found
    losses = {
        "drafting": line.ledger.drafting,
        "verify passes": line.ledger.verification,
        "the rest of a round": line.ledger.overhead,
    }
    return f"{found} Here it is slower than plain decoding: {max(losses, key=lambda name: losses[name])} cost most."


def notes(comparison: Comparison) -> list[str]:
    """Sentences on what was run, and on anything missing or wrong."""
    settings = comparison.settings
    noise = ", shared noise" if settings.shared_noise else ""
    found = [
        f"Pair {comparison.pair}, target {comparison.target}, {comparison.dtype} on {comparison.device}; k = {settings.k}, trees of "
        f"{settings.nodes} nodes, up to {settings.max_new_tokens} new tokens, temperature {settings.temperature:g}{noise}; each drafter "
        f"alternates with plain decoding, one run at a time, runs of each: {comparison.repeats}.",
    ]
    if comparison.remembers:
        found.append("Suffix decoding also copied from its texts of the prompts before, in the same category.")
    done = len({row.title for row in comparison.rows})
    if done < comparison.asked:
        found.append(f"Stopped early: {done} of {comparison.asked} prompts were started.")
    found += [
        f"Left out: {each.drafter}{f' on {each.title}' if each.title else ''}. {each.why}"
        for each in comparison.left_out
    ]
    found += [
        f"{row.title}, {row.drafter}: {verdict(row.conditions)}. {grounds(row.conditions)}".strip()
        for row in comparison.rows
        if row.conditions is not None and not row.conditions.trusted
    ]
    found += _uncaptured(comparison)
    found += _settled(comparison)
    found += [
        f"WRONG: {drafter} wrote another text than plain decoding, which is an error in {comparison.dtype}."
        for drafter in comparison.wrong_texts
    ]
    return found


def _uncaptured(comparison: Comparison) -> list[str]:
    """Which drafters' passes ran without CUDA graphs, a sentence once for all drafters that it holds for."""
    whose: dict[str, list[str]] = {}
    for line in lines(comparison.rows):
        for sentence in line.uncaptured:
            whose.setdefault(sentence, []).append(line.drafter)
    return [f"{', '.join(names)}: {sentence}" for sentence, names in whose.items()]


def _settled(comparison: Comparison) -> list[str]:
    """What was done about other programs where the figures can be trusted all the same."""
    known = [row.conditions for row in comparison.rows if row.conditions is not None and row.conditions.trusted]
    found = []
    if left_out := sum(each.left_out for each in known):
        found.append(f"{left_out} timings were left out, because other programs had taken the cores.")
    if fewer := [each for each in known if each.threads < each.usual_threads]:
        threads = min(each.threads for each in fewer)
        found.append(
            f"{len(fewer)} of {len(comparison.rows)} speedups were timed with fewer threads on both sides (down to {threads} of "
            f"{fewer[0].usual_threads}), because other programs used the other cores."
        )
    return found


def _table(title: str, group: Sequence[Line]) -> Table:
    spread = _ONE if all(line.prompts == 1 for line in group) else _SEVERAL
    return Table(title, _CAPTION.format(spread=spread), _COLUMNS, tuple(_row(line) for line in group))


def _row(line: Line) -> tuple[str, ...]:
    speed = line.speedup
    same = {True: "yes", False: "NO", None: "sampled"}[line.same_text]
    return (
        line.drafter,
        "–" if line.alpha is None else f"{line.alpha:.2f}",
        f"{line.tokens_per_pass:.2f}",
        "–" if line.c is None else f"{line.c:.3f}",
        f"{speed.median:.2f} ({speed.low:.2f}–{speed.high:.2f})"
        if line.trusted
        else f"busy: {speed.low:.1f}–{speed.high:.1f}",
        f"{line.speedup_with_prompt.median:.2f}" if line.trusted else "–",
        f"{line.extra_bytes / 1e6:.1f}",
        same,
    )
