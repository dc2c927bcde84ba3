"""`specviz doctor`: compare every indirect path of a pair with the models' own plain pass, and every drafter with plain decoding."""

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from rich.text import Text

from specviz.cli.exit_codes import FAILED, STOPPED
from specviz.model_choice import chosen_by_options, heads_here
from specviz.reporting.pair_options import load, pair_options
from specviz.reporting.progress import print_json, print_line, progress_messages
from specviz.reporting.terminal import Screen, visible

if TYPE_CHECKING:
    from specviz.models import Pair
    from specviz.runs.examination import CheckFinding

SAYS = "check that every way of running a pair gives the target's own text"
_ABOUT = """Load a pair and compare everything that could change its text with the plain way: our own decoder, the cache, trees, early exit,
graphed passes with the model's own plain pass (by KL divergence), and the text of every drafter with that of
plain decoding, greedy and with shared noise. What differs and is therefore not used is shown as set aside, with the reason. The exit code is
1 if something that is used gives another text. With --target alone, the target is its own draft model, and is loaded twice."""
_STYLES = {"works": "green", "set aside": "yellow", "DIFFERS": "bold red"}


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz doctor`."""
    parser.description = _ABOUT
    pair_options(parser, "auto", " (default: the target drafts for itself)")


def perform(args: argparse.Namespace) -> int:
    """Try everything, and print what was found; Ctrl-C prints what was found so far.

    Raises:
        SpecvizError: the pair or the head cannot be loaded.
    """
    heads_here(chosen_by_options(args.pair, args.target, args.draft).name, args.head)
    found: list[CheckFinding] = []
    with progress_messages() as say:
        if args.target is not None and args.draft is None:
            print_line("no draft was given: the target is its own draft model")
            args.draft = args.target
        from specviz.models.threads import adapting

        with adapting(say) as step:
            step("loading torch")

            began = perf_counter()
            pair = load(args, step)
            stopped = _collected(found, _examined(pair, perf_counter() - began, step))
    differs = any(finding.outcome.value == "DIFFERS" for finding in found)
    if args.json:
        print_json(_as_object(pair, found, stopped=stopped, differs=differs))
    else:
        Screen().lines(_lines(pair, found, stopped=stopped, differs=differs))
    if stopped:
        print_line("specviz: stopped; this is what was found so far.")
        return STOPPED
    return FAILED if differs else 0


def _examined(pair: "Pair", seconds: float, say: Callable[[str], None]) -> "Iterator[CheckFinding]":
    from specviz.runs.examination import CheckFinding, CheckOutcome, examine

    yield CheckFinding("loading", CheckOutcome.WORKS, seconds, note=f"decoder of the target: {pair.target.decoder}")
    yield from examine(pair, say)


def _collected(found: "list[CheckFinding]", findings: "Iterator[CheckFinding]") -> bool:
    """Add the findings one by one; True if Ctrl-C came before the last."""
    try:
        for finding in findings:
            found.append(finding)
    except KeyboardInterrupt:
        return True
    return False


def _as_object(pair: "Pair", found: "list[CheckFinding]", *, stopped: bool, differs: bool) -> dict[str, Any]:
    return {
        "pair": pair.name,
        "device": pair.card.device,
        "dtype": pair.card.dtype,
        "why_dtype": pair.why_dtype,
        "findings": [
            {
                "name": one.name,
                "outcome": one.outcome.value.lower(),
                "divergence": one.divergence,
                "seconds": one.seconds,
                "note": one.note,
            }
            for one in found
        ],
        "notes": list(pair.card.notes),
        "text_can_differ": differs,
        "stopped": stopped,
    }


def _lines(pair: "Pair", found: "list[CheckFinding]", *, stopped: bool, differs: bool) -> list[Text]:
    """A table with a line for each finding, and the conclusion."""
    width = max((len(one.name) for one in found), default=0)
    lines = [Text(f"{visible(pair.name, spaces=False)}, {pair.card.dtype} on {pair.card.device}", "bold")]
    if pair.why_dtype:
        lines.append(Text(f"{pair.card.dtype}: {visible(pair.why_dtype, spaces=False)}"))
    lines.append(Text(f"{'':{width}}  {'':<9}  {'KL, nats':>8}  {'seconds':>7}", "dim"))
    for one in found:
        divergence = "" if one.divergence is None else f"{one.divergence:.1e}"
        line = Text(f"{one.name:<{width}}  ")
        line.append(f"{one.outcome.value:<9}", _STYLES[one.outcome.value])
        line.append(f"  {divergence:>8}  {one.seconds:>7.2f}")
        lines.append(line.append(f"  {visible(one.note, spaces=False)}" if one.note else ""))
    conclusion = (
        "What is marked DIFFERS gives another text than plain decoding: do not trust it."
        if differs
        else "What was tried before the stop gives the target's own text; the rest was not tried."
        if stopped
        else "Everything that is used gives the target's own text."
    )
    return [*lines, Text(conclusion, "bold")]
