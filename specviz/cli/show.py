"""Records as the lines of Rich text that the command line prints. Needs no model, and imports none.

Token text comes from a model or from a file, so it is not trusted: it is passed as `rich.text.Text`, which interprets no
markup, and every character that a terminal would act on is replaced by a visible symbol.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from specviz.known_heads import PublicHead
from specviz.known_pairs import TOKEN_HINT, PairStatus
from specviz.reporting.player.provenance import agreement
from specviz.reporting.player.scripts import STYLES
from specviz.reporting.run_figures import text_check
from specviz.reporting.terminal import token_label, visible
from specviz.setting_labels import NOT_DRAFTING, planned
from specviz.settings import Settings
from specviz.trace.cards import ModelCard, PairCard
from specviz.trace.conditions import Conditions, grounds, verdict
from specviz.trace.metrics import (
    Summary,
    middle_words,
    prompt_seconds,
    speedup,
    speedup_with_prompt,
    summarise,
)
from specviz.trace.plan import Plan
from specviz.trace.records import FROM_COMMITTED, Drafted, Round, Stop, TokenBytes, Trace

if TYPE_CHECKING:
    from specviz.runs.race import Race
    from specviz.runs.run import Run


# The Rich style of each state of a token. Its mark, which needs no colour, and its word are the page's.
_RICH_STYLES = {
    "accepted": "green",
    "rejected": "red",
    "discarded": "dim",
    "corrected": "yellow",
    "bonus": "magenta",
    "own": "cyan",
}

_STOPS = {
    Stop.LENGTH: "length (the limit of new tokens was reached)",
    Stop.END_OF_TEXT: "end_of_text (the model ended the text)",
    Stop.CANCELLED: "cancelled (the run was stopped before its end)",
}
_LABEL_WIDTH = 20


def legend() -> Text:
    """The meaning of the marks and symbols."""
    parts = [Text(f"{STYLES[name].mark} {STYLES[name].word}", style) for name, style in _RICH_STYLES.items()]
    return Text("   ").join([*parts, Text("· space  ⏎ line break  › next level of a tree", "dim")])


def heading(run: "Run | Trace", *, here: bool = True) -> list[Text]:
    """The target, the drafter, the reason of its choice, and the prompt."""
    card, prompt = run.card, run.prompt
    layers = card.drafter.layers
    used = "" if layers is None else f", {len(layers)} of {card.target.layers} layers"
    drafter = f"{card.drafter.label}{used}{f', {_model(card.draft)}' if card.draft else ''}"
    return [
        _row("target", visible(_model(card.target), spaces=False)),
        _row("drafter", visible(drafter, spaces=False)),
        *_notes(card),
        *_plan(run.plan, run.settings, here=here),
        _row("prompt", visible(prompt, spaces=False)),
    ]


def _model(card: ModelCard) -> str:
    """The model's name, and the stored format of its weights if that is another one."""
    return f"{card.name} ({card.weights})" if card.weights else card.name


def round_line(number: int, round_: Round, tokens: Mapping[int, TokenBytes]) -> Text:
    """One round: its number, its milliseconds, every drafted token with its verdict, the target's own token.

    A tree is shown level by level with › between levels, and the children of one token are adjacent. For a copied draft
    the line shows from which token of prompt and text it was copied, counted from 1.
    """
    line = Text(f"{number:>4} {round_.seconds * 1e3:>8.1f} ms ")
    levels = _levels(round_)
    for index, level in enumerate(levels):
        if index and len(levels) < len(round_.drafted):
            line.append(" ›", "dim")
        for drafted in level:
            _mark(line, drafted.token, drafted.verdict.value, tokens)
    if round_.closing is not None:
        _mark(line, round_.closing.token, round_.closing.how.value if round_.drafted else "own", tokens)
    if round_.allowed == 0:
        line.append(f"  ({NOT_DRAFTING[0].lower()}{NOT_DRAFTING[1:-1]})", "dim")
    if round_.source is not None:
        text = "" if round_.source_text is None else f" of earlier text {round_.source_text + 1}"
        line.append(f"  (copied from token {round_.source + 1}{text})", "dim")
    return line


def _mark(line: Text, token: int, name: str, tokens: Mapping[int, TokenBytes]) -> None:
    line.append(" ").append(STYLES[name].mark + token_label(tokens[token]), _RICH_STYLES[name])


def _levels(round_: Round) -> list[list[Drafted]]:
    """The drafted tokens by depth, within a level in the order of their parents; a chain has one per level."""
    levels: list[list[int]] = [[FROM_COMMITTED]]
    while levels[-1]:
        levels.append(
            [i for parent in levels[-1] for i, drafted in enumerate(round_.drafted) if drafted.parent == parent]
        )
    return [[round_.drafted[i] for i in level] for level in levels[1:-1]]


def summary_lines(trace: Trace, *, here: bool = True) -> list[Text]:
    """The plan of a run, its text and its figures."""
    figures = summarise(trace)
    return [
        *_lossy(trace),
        *_plan(trace.plan, trace.settings, here=here),
        _row("text", _indented(figures.text)),
        _row("tokens", str(len(figures.token_ids))),
        _row("rounds", str(figures.rounds)),
        _row("accepted / checked", _acceptance(figures)),
        _row("tokens per round", f"{figures.tokens_per_round:.2f}"),
        _row("seconds", f"{figures.seconds:.3f} (plus {prompt_seconds(trace):.3f} to read the prompt)"),
        _row("tokens per second", f"{figures.tokens_per_second:.1f}{_rate_with_prompt(trace, figures)}"),
        _row("stop", _STOPS[figures.stop]),
        _row("dtype", visible(figures.dtype, spaces=False)),
        _row("device", visible(trace.card.device, spaces=False)),
    ]


def trace_lines(trace: Trace) -> Iterator[Text]:
    """A saved run, from heading to summary."""
    yield from heading(trace, here=False)
    yield legend()
    for number, round_ in enumerate(trace.rounds, 1):
        yield round_line(number, round_, trace.tokens)
    yield from summary_lines(trace, here=False)


def pair_of_runs_lines(traces: Sequence[Trace]) -> list[Text]:
    """The speedup of a recording that has a speculative run and the plain one of the same prompt; nothing of any other."""
    if (
        [trace.drafts for trace in traces] != [True, False]
        or traces[0].prompt_ids != traces[1].prompt_ids
        or not traces[1].token_ids
    ):
        return []
    speculative, plain = traces
    once = "of these two runs; a recording does not show whether the machine was busy"
    return [
        _row("speedup", f"{_pace(speedup(plain, speculative))}; {once}"),
        _with_prompt(speedup_with_prompt(plain, speculative)),
    ]


def race_lines(race: "Race") -> list[Text]:
    """Both sides next to each other, the measured speedup, and whether the texts are equal."""
    sides, (run, plain) = (race.plain, race.speculative), race.recorded
    same, how = agreement(text_check(plain, run), run.card.dtype, run.settings)
    return [
        *_lossy(run),
        *_notes(run.card),
        *_plan(run.plan, run.settings),
        _columns("", "plain", "speculative"),
        _columns("tokens per second", *(f"{side.tokens_per_second:.1f}" for side in sides)),
        _columns("seconds", *(f"{side.seconds:.3f}" for side in sides)),
        _columns("tokens", *(str(len(side.token_ids)) for side in sides)),
        _columns("target passes", *(str(side.rounds) for side in sides)),
        _columns("accepted / checked", *(_acceptance(side) for side in sides)),
        *_speedup(race),
        _row("same text", visible(f"{same}. {how}", spaces=False)),
        _row("text", _indented(race.speculative.text)),
        _row("dtype", race.speculative.dtype),
    ]


def pair_lines(listings: Sequence[PairStatus], memory_speed: float) -> list[Text]:
    """The pairs as a table; each column is as wide as its longest entry. Then what is computed in it, and how to give a token, where a pair needs one.

    Args:
        memory_speed: in bytes a second.
    """
    rows = [("name", "target", "draft", "size", "here?", "fits?", "plain", "c", "licence", "note")]
    rows += [
        (
            pair.name,
            pair.target,
            pair.draft,
            f"{pair.bytes / 1e9:.2f} GB",
            _here(pair),
            "no memory" if not pair.fits else "yes" if pair.fits_disk else "no disk",
            f"≤ {memory_speed / pair.target_bytes:.3g}/s" if pair.target_bytes else "",
            f"{pair.cost_ratio:.2f}",
            pair.licence,
            pair.note,
        )
        for pair in listings
    ]
    lines = table(rows)
    gated = [pair.name for pair in listings if pair.token]
    computed = (
        f"plain: tokens a second of plain decoding at most, and c: what a guess of the draft costs in passes of the target. Both are computed: a pass reads "
        f"every weight once, and this machine's memory gives {memory_speed / 1e9:.0f} GB/s now. They are measured when a pair is loaded."
    )
    lines.append(Text(computed, "dim"))
    return [*lines, Text(f"{', '.join(gated)}: {TOKEN_HINT}.", "dim")] if gated else lines


def head_lines(heads: Sequence[PublicHead]) -> list[Text]:
    """Published heads as a table, and how to use one."""
    rows = [("published head", "for the target", "kind", "size", "licence", "revision", "note")]
    rows += [(h.head, h.target, h.kind, h.size, h.licence, h.short_revision, h.note) for h in heads]
    use = "With --target and --head; a head is measured when it is first used, and set aside if it does not guess this target's text."
    return [*table(rows), Text(use, "dim")]


def table(rows: Sequence[Sequence[str]]) -> list[Text]:
    """Rows of cells, the first one their heads; each column is as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        Text("  ".join(map(str.ljust, row, widths)).rstrip(), "" if index else "bold") for index, row in enumerate(rows)
    ]


def _here(pair: PairStatus) -> str:
    """The revision of a pair that is here; else the bytes to write to the disk."""
    if not pair.here:
        return f"no: {pair.disk / 1e9:.1f} GB"
    return f"yes ({pair.revision[:7]})" if pair.revision else "yes"


def _notes(card: PairCard) -> list[Text]:
    return [_row("set aside", visible(note, spaces=False)) for note in card.notes]


def _plan(plan: Plan | None, settings: Settings, *, here: bool = True) -> list[Text]:
    return [] if plan is None else [_row("auto", visible(planned(plan, settings, here=here), spaces=False))]


def _lossy(trace: Trace) -> list[Text]:
    if not trace.settings.lossy:
        return []
    return [
        _row(
            "LOSSY",
            f"the {trace.settings.rule} rule accepts tokens that the exact rule would reject: the text does not follow the target's distribution",
        )
    ]


def _row(label: str, value: str) -> Text:
    return Text.assemble((f"{label:<{_LABEL_WIDTH}}", "bold"), value)


def _columns(label: str, plain: str, speculative: str) -> Text:
    return _row(label, f"{plain:<18}{speculative}".rstrip())


def _indented(text: str) -> str:
    """A text of several lines: line breaks are shown, and every further line is indented so that it cannot look like a row."""
    return ("⏎\n" + " " * _LABEL_WIDTH).join(visible(line, spaces=False) for line in text.split("\n"))


def _acceptance(figures: Summary) -> str:
    if figures.acceptance_rate is None:
        return "nothing checked"
    return f"{figures.accepted} / {figures.judged} ({figures.acceptance_rate:.0%})"


def _rate_with_prompt(trace: Trace, figures: Summary) -> str:
    seconds = prompt_seconds(trace) + figures.seconds
    return f" ({len(figures.token_ids) / seconds:.1f} with the prompt)" if figures.token_ids and seconds > 0 else ""


def _speedup(race: "Race") -> list[Text]:
    """The speedup, without and with the prompt; where it is not trusted only the range, and the reason."""
    why = grounds(race.conditions) if race.conditions is not None else ""
    if race.conditions is not None and not race.trusted:
        return [_row("speedup", busy_line(race.conditions)), _row("machine", why)]
    count = len(race.speedups)
    spread = f"{middle_words(count)} of runs, {min(race.speedups):.2f}× to {max(race.speedups):.2f}×"
    lines = [_row("speedup", f"{_pace(race.speedup)}; {spread if count > 1 else 'one pair of runs'}")]
    if race.speedup_with_prompt is not None:
        lines.append(_with_prompt(race.speedup_with_prompt))
    return [*lines, _row("machine", why)] if why else lines


def busy_line(conditions: Conditions) -> str:
    """The words in place of a speedup that is not trusted."""
    return f"not trusted: {verdict(conditions)} ({conditions.turns} pairs of runs)"


def _pace(speedup: float) -> str:
    ratio = round(speedup, 2)
    pace = "the same speed as plain" if ratio == 1 else "faster than plain" if ratio > 1 else "slower than plain"
    return f"{ratio:.2f}× ({pace})"


def _with_prompt(speedup: float) -> Text:
    return _row("with the prompt", f"{speedup:.2f}× (the same, with the time to read the prompt on both sides)")
