"""`specviz lab best-k`, `texts`, `drafts`, `rush` and `reprice`: one question each, answered with real runs and measured costs."""

import argparse
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.text import Text

from specviz.errors import InputError
from specviz.lab import asking, best_k, frontier, guests, service
from specviz.lab.plan import SweepPlan
from specviz.lab.pricing import reprice
from specviz.lab.profile import Profile, read
from specviz.lab.strip import read_text
from specviz.lab.study import Answer, Asked, TextsAsked, TextsFound, texts_of, title
from specviz.model_choice import heads_here
from specviz.reporting.pair_options import load, pair_options
from specviz.reporting.progress import print_json, progress_messages
from specviz.reporting.prompts import chosen_prompts, own_prompt
from specviz.reporting.terminal import Screen, visible
from specviz.trace.files import read_file

_BUSY = "not trusted: the machine is busy, or the timings do not agree"


def add(works: Any) -> None:
    """Add the subcommands."""
    best = asking.work(
        works, "best-k", "the best draft length for a prompt: predicted, measured, and cost-aware", _best_k
    )
    best.add_argument("prompt", metavar="PROMPT", help="the text to continue")
    best.add_argument(
        "--lengths", metavar="N,N", help=f"draft lengths to try (default {','.join(map(str, best_k.USUAL_LENGTHS))})"
    )
    asking.repeats_option(best, "pairs of runs of each")
    pair_options(best, "float32")
    asking.run_options(best)
    texts = asking.work(works, "texts", "acceptance by kind of text: categories, and your own texts", _texts)
    texts.add_argument("files", nargs="*", type=Path, metavar="FILE", help="texts of your own, in UTF-8")
    texts.add_argument(
        "--categories", nargs="*", metavar="WORD", help="ready-made prompts too: categories (default all), a number"
    )
    texts.add_argument(
        "--most", type=int, default=2000, metavar="N", help="tokens read of each own text (default 2000)"
    )
    pair_options(texts, "float32")
    asking.run_options(texts)
    drafts = asking.work(works, "drafts", "the drafts of the embedded target, and its heads: α against c", _drafts)
    drafts.add_argument(
        "--categories", nargs="*", default=[], metavar="WORD", help="prompts: categories (default all), a number"
    )
    asking.repeats_option(drafts, "pairs of runs of each")
    pair_options(drafts, "float32")
    asking.run_options(drafts)
    rush = asking.work(works, "rush", "speedup for 1 to 64 guests, and a simulated server, from a cost profile", _rush)
    rush.add_argument("profile", type=Path, metavar="PROFILE", help="a file of `specviz profile`")
    rush.add_argument(
        "--alpha",
        action="append",
        required=True,
        metavar="KIND=N",
        help="a kind of text and its α as `specviz lab texts` measured it, as code=0.9; once for each kind",
    )
    rush.add_argument("--k", type=int, default=4, metavar="N", help="draft length of the server (default 4)")
    rush.add_argument(
        "--rate", type=float, metavar="N", help="requests a second (default: half of what plain decoding can serve)"
    )
    rush.add_argument("--tokens", type=int, default=64, metavar="N", help="tokens of a request (default 64)")
    rush.add_argument("--requests", type=int, default=400, metavar="N", help="how many come (default 400)")
    rush.add_argument(
        "--room", type=int, metavar="N", help="guests in the batch at most (default: as many as were measured)"
    )
    rush.add_argument("--seed", type=int, default=0, metavar="N", help="of the simulation")
    reprice = asking.work(works, "reprice", "a recording as if it had been made on another machine", _reprice)
    reprice.add_argument("recording", type=Path, metavar="FILE", help="a recording with its plain run")
    reprice.add_argument("--profile", type=Path, required=True, metavar="PROFILE", help="a file of `specviz profile`")


def _best_k(args: argparse.Namespace) -> int:
    prompt, settings, models = own_prompt(args.prompt), asking.settings_of(args), asking.models_of(args)
    lengths = best_k.USUAL_LENGTHS if args.lengths is None else best_k.lengths_of(args.lengths)
    asked = best_k.requests(models, prompt, settings, lengths, args.repeats, template=args.template)
    found = best_k.found(asked, _answers(args, asked))
    if not found.measured:
        raise InputError(*found.left_out)
    if args.json:
        print_json(found.as_json())
        return 0
    lines = [f"Predicted: {found.how}."]
    for k, row in found.measured.items():
        predicted = f"{found.predicted[k]:.2f}×" if k in found.predicted else "–"
        measured = f"{row.speedup.median:.2f}×" if row.trusted else _BUSY
        lines.append(f"k = {k:2}  predicted {predicted}  measured {measured}")
    aware = found.cost_aware
    if aware is not None:
        lines.append(f"cost-aware policy: {f'{aware.speedup.median:.2f}×' if aware.trusted else 'not trusted'}")
    lines.append(f"Best k: predicted {found.best_predicted or '–'}, measured {found.best_measured or '–'}.")
    _print([*lines, *found.left_out])
    return 0


def _texts(args: argparse.Namespace) -> int:
    settings = asking.settings_of(args)
    if args.most < 2:
        raise InputError(f"most was {args.most}: give at least 2 tokens.")
    wanted = [] if not args.files and args.categories is None else args.categories
    chosen = () if wanted is None else chosen_prompts(wanted, asking.ready_of(args))
    asked = texts_of(chosen, settings, template=args.template)
    asked += [
        TextsAsked(path.name, settings, args.template, own=read_text(path), most=args.most) for path in args.files
    ]
    found = [each.kind for each in _answers(args, asked) if isinstance(each, TextsFound)]
    if args.json:
        print_json({"temperature": settings.temperature, "texts": [asdict(each) for each in found]})
        return 0
    for each in found:
        often = ", ".join(f"{one.text!r} {one.times:.1f}" for one in each.rejected[:5])
        _print([f"{each.name}: α {each.alpha:.2f} ({each.low:.2f}–{each.high:.2f}) over {len(each.strip)} tokens"])
        _print([f"  most often rejected: {often}"], "dim")
    return 0


def _drafts(args: argparse.Namespace) -> int:
    settings, models = asking.settings_of(args), asking.models_of(args)
    axis = frontier.axis(models.pair or None, heads_here(models.pair or None, args.head))
    prompts = chosen_prompts(args.categories, asking.ready_of(args))
    asked = frontier.requests(SweepPlan(models, settings, (axis,), prompts, args.repeats, args.template, False))
    found = frontier.found(asked, _answers(args, asked))
    assert found is not None, "there is a prompt"
    if args.json:
        print_json({"drafts": [asdict(each) for each in found.drafts], "levels": found.levels})
        return 0
    for each in found.drafts:
        measured = "not trusted" if each.measured is None else f"{each.measured:.2f}×"
        formula = f"best k {each.best_k} gives {each.speedup:.2f}× (formula)"
        _print(
            [
                f"{each.name}: α {each.alpha:.2f}, c {each.c:.3f}, {each.verdict}: {formula}; at k = {settings.k} measured: {measured}"
            ]
        )
    _print(f"Left out: {sentence}" for sentence in found.left_out)
    return 0


def _answers(args: argparse.Namespace, asked: Sequence[Asked]) -> list[Answer]:
    """Load the pair, and ask one thing after the other of it."""
    with progress_messages() as say:
        pair = load(args, say)
        from specviz.lab.measuring import Bench
        from specviz.lab.task import answer

        bench, found = Bench(pair, say), []
        for number, each in enumerate(asked, 1):
            say(f"{number} of {len(asked)} {title(each)}".rstrip())
            found.append(answer(each, bench))
        return found


def _print(lines: Iterable[str], style: str = "") -> None:
    Screen().lines(Text(visible(line, spaces=False), style) for line in lines)


def _rush(args: argparse.Namespace) -> int:
    profile = read(args.profile)
    alphas = _alphas(args.alpha)
    if not profile.target:
        raise InputError(
            f"The profile of {profile.name} has no passes over several texts: make it again with `specviz profile`."
        )
    surface = guests.Surface(profile.target, profile.draft)
    mean = sum(alphas.values()) / len(alphas)
    rows = guests.table(surface, mean)
    one = surface.pass_s(surface.most_guests, 1)
    assert one is not None, "measured"
    room = surface.most_guests if args.room is None else args.room
    rate = 0.5 * surface.most_guests / one / args.tokens if args.rate is None else args.rate
    load = service.ServiceLoad(rate, args.tokens, args.requests, alphas, args.k, room, args.seed)
    served = [service.simulate(surface, load, mode) for mode in service.MODES]
    off = guests.switch_off(rows)
    if args.json:
        print_json(
            {
                "profile": profile.label,
                "disturbed": profile.disturbed,
                "alphas": alphas,
                "speedups": [asdict(row) for row in rows],
                "switch_off": off,
                "rate": rate,
                "simulated": [asdict(each) for each in served],
            }
        )
        return 0
    _print(_rush_lines(profile, rows, off, rate, served))
    return 0


def _rush_lines(
    profile: Profile, rows: Sequence[guests.Best], off: int | None, rate: float, served: Sequence[service.Served]
) -> list[str]:
    shown = [row for row in rows if row.guests & (row.guests - 1) == 0]
    lines = [f"Speedup by guests, {profile.label}: α as given, costs measured, speedup calculated."]
    if profile.disturbed:
        lines.append(f"The profile cannot be trusted: {profile.disturbed}.")
    lines += [f"{row.guests:3} guests: best k {row.k}, {row.speedup:.2f}×" for row in shown]
    lines.append(
        "It pays for every measured number of guests." if off is None else f"Switch it off from {off} guests on."
    )
    lines.append(f"A server with {rate:.2f} requests a second, {service.LABEL}:")
    lines += [
        f"{each.mode:9} latency {each.latency_s:.2f} s (median {each.median_s:.2f}, slowest twentieth {each.slow_s:.2f}), "
        f"{each.tokens_per_s:.0f} tokens a second, {each.guests:.1f} guests"
        for each in served
    ]
    return lines


def _alphas(given: Sequence[str]) -> dict[str, float]:
    found = {}
    for text in given:
        name, _, value = text.rpartition("=")
        try:
            alpha = float(value)
        except ValueError:
            alpha = math.nan
        if not 0 <= alpha <= 1:
            raise InputError(f"alpha was {text!r:.60}: give a kind of text and its α from 0 to 1, as code=0.9.")
        found[name or "all"] = alpha
    return found


def _reprice(args: argparse.Namespace) -> int:
    profile, traces = read(args.profile), read_file(args.recording)
    if len(traces) < 2:
        raise InputError(
            f"The recording {str(args.recording)!r} has no plain run, so nothing can be compared: record one with it."
        )
    found = reprice(traces[0], traces[1], profile)
    if args.json:
        print_json({"label": found.label, "speedup": found.speedup, "measured_here": found.measured})
    else:
        _print([f"{found.speedup:.2f}×, {found.label}; measured here: {found.measured:.2f}×"])
    return 0
