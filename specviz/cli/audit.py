"""`specviz audit`: its options, and the command itself. What loads torch is imported inside functions, so that --help is fast."""

import argparse
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from rich.text import Text

from specviz.audit.records import (
    SCHEMA,
    AuditReport,
    AuditVerdict,
    Evidence,
    Finding,
    evidence_sentence,
)
from specviz.cli.options import (
    load,
    pair_options,
    positive,
    setting_options,
    settings_from,
    template_option,
    usable_drafter,
)
from specviz.cli.output import FAILED, STOPPED, print_json, print_line, progress_messages
from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.model_choice import chosen_by_options, heads_here
from specviz.reporting.terminal import Screen, visible
from specviz.settings import Settings, check_closed, check_prompt

if TYPE_CHECKING:
    from specviz.audit.every_way import CheckFinding
    from specviz.models import Pair

SAYS = "does this pair, run in every way that we know, write the target's own text?"
_SHOWN_EVERY = 20
_ABOUT = """First every way of running the pair: our own decoder, the cache, trees, early exit, heads and graphed passes against the model's own plain
pass (by KL divergence), and the text of every drafter against plain decoding, greedy and with shared noise. What differs and is therefore not
used is shown as set aside, with the reason. Then one drafter and rule in depth: its texts at temperature 0; recorded probabilities against fresh
passes; what was drafted against the q that was recorded for it; and at a temperature above 0 the distribution of the first tokens against the exact
p, by a sequential test. An audit of an honest decoder reports something less than once in 1,000 times, and it says how large a bias it would have
found. The exit code is 1 if something is caught or gives another text; lossy rules are caught. Ctrl-C prints what was found so far."""
_STYLES = {
    AuditVerdict.PASSED: "green",
    AuditVerdict.CAUGHT: "bold red",
    AuditVerdict.FAILED: "bold red",
    AuditVerdict.NOT_APPLICABLE: "dim",
}
_WAY_STYLES = {"works": "green", "set aside": "yellow", "DIFFERS": "bold red"}


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz audit`."""
    parser.description = _ABOUT
    parser.add_argument("prompts", nargs="*", metavar="PROMPT", help="texts to continue (default: four short ones)")
    pair_options(parser, "float32; auto with --quick", " (with --quick the target drafts for itself by default)")
    parser.set_defaults(dtype=None)
    parser.add_argument(
        "--quick", action="store_true", help="only every way of running the pair, and no drafter in depth"
    )
    setting_options(
        parser,
        Settings(k=4, temperature=1.0, max_new_tokens=32),
        drafter=f"only this one, in depth: one of {', '.join(registry.names())}",
        k="draft length (default 4)",
        nodes="size of a tree (default 12)",
        temperature="of the tested distribution (default 1)",
        max_new_tokens="new tokens of each text that is compared (default 32)",
        seed="the first seed (default 0)",
    )
    parser.set_defaults(drafter=None)
    for option, number, meaning in (
        ("--texts", 4, "texts that are compared at temperature 0 and with fresh passes"),
        ("--samples", 400, "runs whose first tokens are tested"),
        ("--sampled-tokens", 6, "new tokens of each of these"),
    ):
        parser.add_argument(option, type=positive, default=number, metavar="N", help=f"{meaning} (default {number})")
    says = "seconds for one text, after which the decoder has failed (default 120)"
    parser.add_argument("--limit", type=float, default=120.0, metavar="N", help=says)
    template_option(parser)


def perform(args: argparse.Namespace) -> int:
    """Audit, and print the report; Ctrl-C prints what was found so far. Raises SpecvizError if the request cannot be
    carried out; nothing was audited."""
    settings = None if args.quick else _settings(args)
    heads_here(chosen_by_options(args.pair, args.target, args.draft).name, args.head)
    for prompt in args.prompts:
        check_prompt(prompt)
    args.dtype = args.dtype or ("auto" if args.quick else "float32")
    ways: list[CheckFinding] = []
    report: AuditReport | None = None
    stopped = False
    with progress_messages() as say:
        if args.quick and args.target is not None and args.draft is None:
            print_line("no draft was given: the target is its own draft model")
            args.draft = args.target
        from specviz.models.threads import adapting

        with adapting(say) as step:
            pair = load(args, step)
            if args.drafter is None:
                stopped = _try_every_way(pair, ways, step)
            if settings is not None and not stopped:
                report = _audit_in_depth(args, pair, settings, step)
    differs = any(way.outcome.value == "DIFFERS" for way in ways)
    stopped = stopped or (report is not None and report.stopped)
    if args.json:
        print_json(_as_object(pair, ways, report, stopped=stopped, differs=differs))
    else:
        lines = _lines_of_ways(pair, ways, stopped=stopped, differs=differs) if ways else []
        Screen().lines([*lines, *([] if report is None else _lines(report))])
    if stopped:
        print_line("specviz: stopped; this is what was found so far.")
        return STOPPED
    return FAILED if differs or (report is not None and report.caught) else 0


def _try_every_way(pair: "Pair", ways: "list[CheckFinding]", say: Callable[[str], None]) -> bool:
    """Add what every way of running the pair shows, one by one; True if Ctrl-C came before the last."""
    from specviz.audit.every_way import every_way

    try:
        for finding in every_way(pair, say):
            ways.append(finding)
    except KeyboardInterrupt:
        return True
    return False


def _settings(args: argparse.Namespace) -> Settings:
    if not 0 < args.limit < math.inf:
        raise InputError(f"--limit was {args.limit}: give a number of seconds above 0.")
    settings = settings_from(argparse.Namespace(**{**vars(args), "drafter": usable_drafter(args)}))
    check_closed(settings)
    return replace(settings, max_new_tokens=max(settings.max_new_tokens, args.sampled_tokens))


def _audit_in_depth(
    args: argparse.Namespace, pair: "Pair", settings: Settings, say: Callable[[str], None]
) -> AuditReport:
    from specviz.audit.full_audit import report
    from specviz.audit.pairs import PROMPTS, prompts_of, subject_of
    from specviz.audit.subject import Budget

    budget = Budget(
        texts=args.texts,
        tokens=args.max_new_tokens,
        samples=args.samples,
        sampled_tokens=args.sampled_tokens,
        seconds_a_text=args.limit,
        first_seed=args.seed,
    )

    def show(event: Evidence | Finding) -> None:
        if isinstance(event, Evidence) and (event.done % _SHOWN_EVERY == 0 or event.done in (1, event.total)):
            say(f"{event.check}: {evidence_sentence(event)}")

    say("preparing the drafter")
    prompts = prompts_of(pair, args.prompts or PROMPTS, template=args.template)
    return report(subject_of(pair, settings), prompts, budget, show=show)


def _lines(report: AuditReport) -> list[Text]:
    """A line for each check, and the conclusion."""
    lines = [Text(visible(report.subject, spaces=False), "bold")]
    for finding in report.findings:
        line = Text(f"{finding.check:<12}  ").append(f"{finding.verdict.value:<14}", _STYLES[finding.verdict])
        lines.append(line.append(f"  {finding.seconds:>6.1f} s  {visible(finding.sentence, spaces=False)}"))
        if finding.verdict is AuditVerdict.PASSED and finding.power:
            powers = ", ".join(f"{power.bias:.0%} {power.probability:.0%}" for power in finding.power)
            lines.append(Text(f"{'':<12}  bias of the first token, and probability of catching it: {powers}", "dim"))
    if report.caught:
        lines.append(Text("What was caught changes the text: it is not the target's own.", "bold"))
    elif not report.stopped:
        lines.append(Text("Nothing was caught: as far as these checks can see, the text is the target's own.", "bold"))
    return lines


def _as_object(
    pair: "Pair", ways: "list[CheckFinding]", report: AuditReport | None, *, stopped: bool, differs: bool
) -> dict[str, Any]:
    tried = [{**asdict(way), "outcome": way.outcome.value.lower()} for way in ways]
    return {
        "schema": SCHEMA,
        "pair": pair.name,
        "device": pair.card.device,
        "dtype": pair.card.dtype,
        "why_dtype": pair.why_dtype,
        "notes": list(pair.card.notes),
        **({} if report is None else report.as_object()),
        "ways": tried,
        "clean": not differs and (report is None or report.clean),
        "stopped": stopped,
    }


def _lines_of_ways(pair: "Pair", ways: "list[CheckFinding]", *, stopped: bool, differs: bool) -> list[Text]:
    """A table with a line for each way, and the conclusion."""
    width = max(len(way.name) for way in ways)
    lines = [Text(f"{visible(pair.name, spaces=False)}, {pair.card.dtype} on {pair.card.device}", "bold")]
    if pair.why_dtype:
        lines.append(Text(f"{pair.card.dtype}: {visible(pair.why_dtype, spaces=False)}"))
    lines.append(Text(f"{'':{width}}  {'':<9}  {'KL, nats':>8}  {'seconds':>7}", "dim"))
    for way in ways:
        divergence = "" if way.divergence is None else f"{way.divergence:.1e}"
        line = Text(f"{way.name:<{width}}  ")
        line.append(f"{way.outcome.value:<9}", _WAY_STYLES[way.outcome.value])
        line.append(f"  {divergence:>8}  {way.seconds:>7.2f}")
        lines.append(line.append(f"  {visible(way.note, spaces=False)}" if way.note else ""))
    conclusion = (
        "What is marked DIFFERS gives another text than plain decoding: do not trust it."
        if differs
        else "What was tried before the stop gives the target's own text; the rest was not tried."
        if stopped
        else "Everything that is used gives the target's own text."
    )
    return [*lines, Text(conclusion, "bold")]
