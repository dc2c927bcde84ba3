"""A sweep as tables of text and sentences, for the terminal, Markdown and a page. Standard library only."""

from collections.abc import Iterable, Sequence

from specviz.lab.axes import CATEGORY, DRAFTER
from specviz.lab.report import Table
from specviz.lab.results import HOW, LEFT_OUT, MEASURED, NO_SPEEDUP, REPLANNED, SPEEDUP, Cell, Sweep
from specviz.lab.rows import DrafterLine
from specviz.reporting.figures import Figure
from specviz.trace.conditions import grounds, verdict

_IN_BITS = "quantized"
"""The drafter that some processors do not speed up."""
_COLUMNS = ("α", "tokens per pass", "c", "speedup", "with prompt", "predicted", "extra MB", "same text")
_CAPTION = (
    "α: accepted / checked drafted tokens; in a tree, rejected siblings count as checked. c: time to draft a token / time of a plain pass. "
    "Speedup: time of the plain rounds / time of the speculative rounds, {spread} (lowest–highest); with prompt: the same with the time to read "
    "the prompt on both sides. Predicted: the same rounds at the measured costs of passes. Extra MB: the drafter's own weights and its own cache."
)
_LEDGER_COLUMNS = ("tokens per pass", "− drafting", "− verification", "− overhead", "= speedup")
_LEDGER_CAPTION = (
    "What eats the tokens per pass: the speedup lost to drafting, to verify passes that cost more than a plain pass, and to the rest of a "
    "round. A negative loss is a gain. Means over the prompts, so that every line adds up."
)


def tables(sweep: Sweep, *, stored: bool = False) -> tuple[Table, ...]:
    """The cells: where categories are varied, a table of all prompts together and one for each category; else one table. Then the ledger.

    Args:
        stored: the numbers of the runs stand beside their figures, for the commands that take them.
    """
    axes, cells = sweep.plan.axes, sweep.cells
    if not cells:
        return ()
    if len(axes) < 2 or axes[1].name != CATEGORY:
        title = "all prompts" if len(axes) == 1 else sweep.name
        return (_table(title, [axis.name for axis in axes], cells, stored=stored), *_ledgers(sweep))
    first = [axes[0].name]
    groups = {kind: [cell for cell in cells if cell.at[1] == kind] for kind in axes[1].values}
    groups = {kind: those for kind, those in groups.items() if those}
    found = [_table("all prompts", first, sweep.pooled)] if len(groups) > 1 else []
    found += [_table(kind, first, those, stored=stored) for kind, those in groups.items()]
    return (*found, *_ledgers(sweep))


def runs(sweep: Sweep) -> Table:
    """Every run with its prompt."""
    return _table("every prompt", [*(axis.name for axis in sweep.plan.axes), "prompt"], sweep.singles)


def explanations(sweep: Sweep) -> tuple[str, ...]:
    """Where drafters are compared, a sentence on each; of one that is slower than plain decoding, also what eats most of it."""
    if sweep.plan.axes[0].name != DRAFTER:
        return ()
    lines = [cell.line for cell in sweep.pooled if cell.line is not None]
    return tuple(f"{line.drafter}: {line.about}{_eaten(line)}" for line in lines if line.about)


def notes(sweep: Sweep) -> tuple[str, ...]:
    """Sentences on what was run, where, and what of it can be trusted."""
    plan, settings = sweep.plan, sweep.plan.settings
    noise = ", shared noise" if settings.shared_noise else ""
    found = [
        f"{plan.models.pair or plan.models.target}, {plan.models.dtype}, {sweep.machine}; begun {sweep.created}.",
        f"{len(sweep.found)} of {len(sweep.tasks)} runs; each is {plan.repeats} pairs of runs of up to {settings.max_new_tokens} tokens, "
        f"speculative and plain in turn, each alone and warm; k = {settings.k}, trees of up to {settings.nodes} nodes, temperature {settings.temperature:g}{noise}, unless varied.",
    ]
    if any(cell.how == REPLANNED for cell in sweep.cells):
        found.append(
            "Where a figure says so, its rounds are exact and its times priced: one plain run gives the rounds of every k, "
            "and measured costs of passes give their price. “Measure it” on the page, or `specviz lab measure`, runs such a cell."
        )
    if sweep.within is not None:
        found.append(f"Predicted within 10% of measured: {sweep.within:.0%} of the measured cells.")
    if sweep.decoding_share is not None:
        found.append(f"{sweep.decoding_share:.0%} of the time was decoding that counts.")
    if sweep.usual != SPEEDUP:
        found.append(NO_SPEEDUP)
    if stays := sum(cell.line is not None and bool(cell.why) for cell in sweep.cells):
        found.append(f"Cells that keep an earlier figure, because a newer measurement gave none: {stays}.")
    found += [f"Left out: {', '.join(cell.at)}. {cell.why}" for cell in sweep.cells if cell.line is None]
    return (*found, *_conditions(sweep), *_uncaptured(sweep), *_wrong(sweep))


def _conditions(sweep: Sweep) -> list[str]:
    """What other programs did to the figures, and what was done about it."""
    rows = [row for row in sweep.rows if row.conditions is not None]
    busy = [row for row in rows if not row.trusted]
    found = [f"{row.title}, {row.drafter}: {verdict(row.conditions)}. {grounds(row.conditions)}".strip() for row in busy[:1] if row.conditions is not None]  # fmt: skip
    if len(busy) > 1:
        found.append(f"{len(busy)} of {len(rows)} runs are not trusted: the machine was busy, or the timings do not agree.")  # fmt: skip
    known = [row.conditions for row in rows if row.trusted and row.conditions is not None]
    if left_out := sum(each.left_out for each in known):
        found.append(f"{left_out} timings were left out, because other programs had taken the cores.")
    if fewer := [each for each in known if each.threads < each.usual_threads]:
        threads = min(each.threads for each in fewer)
        found.append(
            f"{len(fewer)} of {len(rows)} speedups were timed with fewer threads on both sides (down to {threads} of "
            f"{fewer[0].usual_threads}), because other programs used the other cores."
        )
    return found


def _uncaptured(sweep: Sweep) -> list[str]:
    """Which drafters' passes ran without CUDA graphs, a sentence once for all drafters that it holds for."""
    whose: dict[str, dict[str, None]] = {}
    for row in sweep.rows:
        for sentence in row.uncaptured:
            whose.setdefault(sentence, {})[row.drafter] = None
    return [f"{', '.join(names)}: {sentence}" for sentence, names in whose.items()]


def _wrong(sweep: Sweep) -> list[str]:
    return [f"WRONG: {each} wrote another text than plain decoding, which is an error." for each in sweep.wrong_texts]


def _table(title: str, axes: Sequence[str], cells: Iterable[Cell], *, stored: bool = False) -> Table:
    cells = tuple(cells)
    several = any(cell.line is not None and cell.line.prompts > 1 for cell in cells)
    predicted = any(cell.predicted is not None for cell in cells)
    how = any(cell.how != MEASURED for cell in cells)
    columns = [name for name in _COLUMNS if predicted or name != "predicted"]
    columns += ["how"] * how + ["runs"] * stored
    rows = [(*cell.at[: len(axes)], *_figures(cell, columns)) for cell in cells]
    spread = "median of the prompts" if several else "median of the repeats"
    return Table(title, _CAPTION.format(spread=spread), (*axes, *columns), tuple(rows))


def _figures(cell: Cell, columns: Sequence[str]) -> tuple[str, ...]:
    known = {"runs": ", ".join(map(str, cell.tasks)), "how": cell.how if cell.how == LEFT_OUT else HOW[cell.how].partition(":")[0]}  # fmt: skip
    if cell.line is not None:
        line, trusted = cell.line, cell.line.trusted
        known |= {
            "tokens per pass": f"{line.tokens_per_pass:.2f}",
            "speedup": speed(line.speedup, trusted=trusted) if cell.how == MEASURED else f"{line.speedup.median:.2f}",
            "extra MB": f"{line.extra_bytes / 1e6:.1f}",
            "same text": {True: "yes", False: "NO", None: "sampled" if cell.how == MEASURED else "–"}[line.same_text],
        }
        if line.alpha is not None:
            known["α"] = f"{line.alpha:.2f}"
        if line.c is not None:
            known["c"] = f"{line.c:.3f}"
        if trusted and cell.how == MEASURED:
            known["with prompt"] = f"{line.speedup_with_prompt.median:.2f}"
        if cell.predicted is not None:
            known["predicted"] = f"{cell.predicted:.2f}"
    return tuple(known.get(name, "–") for name in columns)


def speed(figure: Figure, *, trusted: bool = True) -> str:
    """A speedup with its spread; the range alone where it is not trusted."""
    if not trusted:
        return f"busy: {figure.low:.1f}–{figure.high:.1f}"
    return f"{figure.median:.2f} ({figure.low:.2f}–{figure.high:.2f})"


def _ledgers(sweep: Sweep) -> tuple[Table, ...]:
    """The ledger of every value of the first axis whose speedup is a figure; no table where there is none."""
    known = [(cell.at[0], cell.line.ledger) for cell in sweep.pooled if cell.line is not None and cell.line.trusted]
    rows = tuple(
        (name, *(f"{amount:.2f}" for amount in (steps.tokens_per_pass, steps.drafting, steps.verification, steps.overhead, steps.speedup)))
        for name, steps in known
        if steps is not None
    )  # fmt: skip
    columns = (sweep.plan.axes[0].name, *_LEDGER_COLUMNS)
    return (Table("where the speedup goes", _LEDGER_CAPTION, columns, rows),) if rows else ()


def _eaten(line: DrafterLine) -> str:
    if line.ledger is None or not line.trusted:
        return ""
    found = ""
    if line.drafter == _IN_BITS and line.c is not None and line.c >= 1:
        found = f" This processor does not speed 8 bits up: drafting a token takes {line.c:.2f} of a plain pass."
    if line.speedup.median >= 1:
        return found
    losses = {"drafting": line.ledger.drafting, "verify passes": line.ledger.verification, "the rest of a round": line.ledger.overhead}  # fmt: skip
    return f"{found} Here it is slower than plain decoding: {max(losses, key=lambda name: losses[name])} cost most."
