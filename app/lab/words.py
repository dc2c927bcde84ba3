"""What the Lab says of an estimate, of a sweep that is carried out, of its table and of a cell. Makes no Streamlit call."""

from app.lab.driver import Standing
from app.text import plain
from specviz.lab.expected import Expected
from specviz.lab.plan import duration
from specviz.lab.results import HOW, MEASURED, REPLANNED, SPEEDUP, Cell, Found, Sweep, predictions
from specviz.lab.store import Listed
from specviz.trace.conditions import reason


def estimate(found: Expected) -> str:
    """An estimate in Markdown."""
    parts = [f"**{found.runs:,} run{'s' * (found.runs != 1)}**"]
    if found.calculated:
        texts = f"{found.texts} plain run{'s' * (found.texts != 1)}"
        parts.append(f"{found.calculated:,} calculated exactly by replanning, from {texts}")
    if found.left_out:
        parts.append(f"{found.left_out:,} left out: these values do not go together")
    if found.seconds is None:
        parts.append("no run on this machine says yet how long")
    else:
        parts.append(f"about **{duration(max(1.0, found.seconds))}** ({found.source})")
    return " · ".join(parts)


def label(each: Listed) -> str:
    """Nothing in it changes while the sweep goes on: the browser reports the label that it shows, and another label than the page has by then
    is taken for the name of a sweep that is not there."""
    return f"{each.name} · {each.runs:,} runs · {each.created[:16].replace('T', ' ')}"


def conclusion(sweep: Sweep) -> str:
    """What a sweep found, in one sentence: the cell with the highest speedup that can be trusted; "" before anything was made."""
    known = [(cell.line.speedup.median, cell) for cell in sweep.cells if cell.line is not None and cell.line.trusted]
    if not known:
        return "No cell has a speedup that can be trusted yet." if sweep.cells else ""
    speed, best = max(known, key=lambda one: one[0])
    named = zip(sweep.plan.axes, best.at, strict=True)
    where = ", ".join(f"{axis.name} = {value}" if value[:1].isdigit() else value for axis, value in named)
    how = "calculated" if best.how == REPLANNED else "measured"
    if speed >= 1:
        return f"What pays most: {where}, {'≈ ' * (how == 'calculated')}{speed:.2f}× {how}."
    return f"Nothing pays here: the best, {where}, is {speed:.2f}× {how} (slower than plain decoding)."


def predicted(sweep: Sweep) -> str:
    """What the chart of predictions shows, and how well they meet the measurements."""
    share = "" if sweep.within is None else f"{sweep.within:.0%} of {len(predictions(sweep))} cells are within 10%. "
    return f"{share}Predicted: the rounds of the same runs at the measured costs of passes. On the line both are equal."


def progress(now: Standing) -> str:
    """Where a sweep or a study stands, in one line."""
    if now.before:
        return f"Waits for {now.before} other sweep{'s' * (now.before > 1)}"
    words = [f"{'Run' if now.title else 'Part'} {min(now.done + 1, now.runs):,} of {now.runs:,}"]
    if now.stopping:
        words.append("stopping after the run in hand")
    elif now.ahead:
        about = "" if now.wait_s is None else f", about {duration(max(1.0, now.wait_s))} by the latest jobs here"
        words.append(f"waits: {now.ahead} run{'s' * (now.ahead > 1)} of visitors first{about}")
    else:
        words += [each for each in (now.title, now.what) if each]
    if now.left_s is not None and not now.stopping:
        words.append(f"about {duration(max(1.0, now.left_s))} left")
    return " · ".join(words)


def legend(cells: tuple[Cell, ...], places: int, figure: str = SPEEDUP) -> str:
    """What the marks of the table mean, with the number of cells of each kind; kinds that it has none of are not explained."""
    busy = [each for each in cells if each.line is not None and not each.line.trusted]
    known = [each for each in cells if each.line is not None and each.line.trusted]
    exact = 0 if figure == SPEEDUP else len(busy) + len(known)
    if exact:
        busy, known = [], []
    out = sum(each.line is None for each in cells)
    kinds = (
        (exact, "exact: counts of tokens, whatever else the machine does"),
        (sum(each.how == MEASURED for each in known), "measured: real runs, in turn with plain decoding"),
        (sum(each.how == REPLANNED for each in known), "≈ calculated: rounds exact, times priced"),
        (len(busy), "busy: other programs disturbed them, or the timings do not agree"),
        (out, "left out: cannot run"),
        (places - len(cells), "empty: not made yet"),
    )
    words = [f"{count:,} {what}" for count, what in kinds if count]
    return plain(f"{' · '.join(words)}. Click a cell for its runs.")


def figures(cell: Cell | None, found: list[Found]) -> list[str]:
    """What is known of a cell, in lines of Markdown."""
    if cell is None:
        return ["**Not made yet.**"]
    line = cell.line
    if line is None:
        return ["**Left out**", plain(cell.why)]
    speed = line.speedup
    counts = [
        "" if line.alpha is None else f"α {line.alpha:.2f}",
        f"{line.tokens_per_pass:.2f} tokens per pass",
        "" if line.c is None else f"c {line.c:.2f}",
    ]
    known = plain(" · ".join(filter(None, counts)))
    stays = [plain(cell.why)] if cell.why else []
    if not line.trusted:
        why = next(
            (reason(each.row.conditions) for each in found if each.row and each.row.conditions and not each.trusted), ""
        )
        return [
            f"**Busy: {speed.low:.1f} to {speed.high:.1f}×, no figure.** {plain(why[:1].upper() + why[1:])}",
            known,
            *stays,
        ]
    if cell.how == REPLANNED:
        return [f"**≈ {speed.median:.2f}×** over plain decoding, calculated: {HOW[REPLANNED]}", known, *stays]
    spread = f"lowest {speed.low:.2f}, highest {speed.high:.2f}"
    same = {True: "same text as plain decoding", False: "another text than plain decoding", None: ""}[line.same_text]
    predicted = "" if cell.predicted is None else f"predicted {cell.predicted:.2f}×"
    return [
        f"**{speed.median:.2f}×** over plain decoding, measured ({spread})",
        known,
        plain(" · ".join(filter(None, (predicted, same)))),
        *stays,
    ]
