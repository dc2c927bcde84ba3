"""`specviz bench`: its options and what it does. What loads torch is imported inside, so that --help never waits."""

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.bench.profile import write_profile
from specviz.bench.results import Report, Result, as_json
from specviz.chosen import chosen_by_options
from specviz.errors import InputError
from specviz.reporting.files import open_folder
from specviz.reporting.prompts import chosen_prompts, prompt_family, ready_prompts
from specviz.settings import Settings, check_closed

if TYPE_CHECKING:
    import torch

    from specviz.bench.machine import Machine
    from specviz.bench.measure import Plan
    from specviz.models.pair import Role

SAYS = "measure this machine: our decoders against transformers' own, and where the speedup goes"
MAX_REPEATS = 50
_WRONG = 1
_ABOUT = """Time plain and speculative decoding against transformers' own generate(), plain and assisted, on separate copies of the same pair;
measure the cost of passes; compare the measured speedup with the formulas. Nothing else should run on the machine meanwhile. In float32 and
float64 all texts must be the same; if they are not, the exit code is 1."""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `specviz bench`."""
    parser.description = _ABOUT
    parser.add_argument("--pair", help="a name of `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help="with --draft, instead of --pair: a hub id or a folder")
    parser.add_argument("--draft", metavar="MODEL", help="with --target: a hub id or a folder")
    parser.add_argument(
        "--dtype", nargs="+", default=["float32"], help="one or more of auto, float32, bfloat16, float16 and float64"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument("--k", type=int, default=5, metavar="N", help="draft length (default 5)")
    parser.add_argument("--tokens", type=int, default=96, metavar="N", help="new tokens of a run (default 96)")
    parser.add_argument(
        "--prompts",
        nargs="+",
        default=["1"],
        metavar="WORD",
        help="prompts per category (default 1), names of categories (default all), or both",
    )
    parser.add_argument(
        "--repeats", type=int, default=5, metavar="N", help=f"turns of each decoder, 1 to {MAX_REPEATS} (default 5)"
    )
    parser.add_argument(
        "--contexts",
        type=int,
        nargs="+",
        default=[],
        metavar="N",
        help="also measure a round after prompts of N tokens",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder of the report (default: in specviz's cache folder)"
    )


def perform(args: argparse.Namespace) -> int:
    """Measure, save the report and the profiles, and print; the exit code is 1 if texts differ that must not.

    Raises:
        SpecvizError: the options cannot be used; nothing was measured.
    """
    _check_arguments(args)
    settings = Settings(k=args.k, max_new_tokens=args.tokens)
    check_closed(settings)
    family = prompt_family(chosen_by_options(args.pair, args.target, args.draft).name)
    chosen = chosen_prompts(args.prompts, ready_prompts(family))
    if args.out is not None:
        open_folder(args.out)
    from specviz.bench.measure import Plan
    from specviz.models.machine_notes import notes_file
    from specviz.reporting.markup import can_draw
    from specviz.reporting.progress import print_line, progress_messages

    notes = notes_file().parent
    folder = notes / "bench" if args.out is None else args.out
    open_folder(folder)
    plan = Plan(chosen, settings, args.repeats, tuple(args.contexts))
    with progress_messages() as announce:
        report = _measured(args, plan, announce)
    try:
        written = _save(report, notes, folder)
    finally:  # print the figures even if saving failed
        _print(report, as_object=args.json)
    if not can_draw():
        print_line("The page with charts was left out, because plotly is not installed: pip install plotly.")
    print_line(f"The report is in {', '.join(path.name for path in written)} in {folder}.")
    if report.wrong_texts:
        print_line(
            f"The texts differ in {' and '.join(report.wrong_texts)}, which is an error: see the notes in the report."
        )
        return _WRONG
    return 0


def _save(report: Report, notes: Path, folder: Path) -> list[Path]:
    """Write the report and the profiles to `folder`, and the profiles to `notes` too, if it is writable."""
    from specviz.bench.report import write_report

    try:
        for result in report.results:
            write_profile(folder, result.profile)
        written = write_report(folder, report)
    except OSError as error:
        raise InputError(
            f"The report could not be written to {str(folder)!r} ({error.strerror}): free some space, or choose another folder."
        ) from None
    with suppress(OSError):  # a read-only home only means that no copy of the profile is cached
        notes.mkdir(parents=True, exist_ok=True)
        for result in report.results:
            write_profile(notes, result.profile)
    return written


def _print(report: Report, *, as_object: bool) -> None:
    if as_object:
        sys.stdout.write(json.dumps(as_json(report), allow_nan=False) + "\n")
    else:
        from specviz.bench.show import show

        show(report)


def _measured(args: argparse.Namespace, plan: "Plan", announce: Callable[[str], None]) -> Report:
    """Load and measure one number format after the other; only one is in memory at a time."""
    announce("loading torch")
    from dataclasses import asdict

    from specviz.bench.machine import this_machine
    from specviz.models.devices import pick_device

    device = pick_device(args.device)
    machine = this_machine(device)
    results: list[Result] = []
    names: tuple[str, str, str] | None = None
    for dtype in _formats(args, device, announce):
        result, names = _one(args, dtype, plan, machine, announce)
        results.append(result)
    assert names is not None, "argparse requires at least one number format"
    return Report(
        pair=names[0],
        target=names[1],
        draft=names[2],
        k=plan.settings.k,
        max_new_tokens=plan.settings.max_new_tokens,
        repeats=plan.repeats,
        machine=asdict(machine),
        results=tuple(results),
    )


def _formats(args: argparse.Namespace, device: "torch.device", announce: Callable[[str], None]) -> list[str]:
    """The number formats to measure, each once; `auto` is the one in which the pair would be loaded."""
    from specviz.models.loading import format_of
    from specviz.models.number_format import dtype_name, pick_dtype
    from specviz.models.sources import folder_of

    def resolved(name: str) -> str:
        if name != "auto":
            return dtype_name(pick_dtype(name, device))
        models = chosen_by_options(args.pair, args.target, args.draft)
        assert models.draft is not None, "checked with the arguments"
        sources: dict[Role, str] = {"target": models.target, "draft": models.draft}
        folders = {role: folder_of(source, lambda what, share: announce(what)) for role, source in sources.items()}
        return dtype_name(format_of(name, device, sources, folders).dtype)

    return list(dict.fromkeys(resolved(name) for name in args.dtype))


def _one(
    args: argparse.Namespace, dtype: str, plan: "Plan", machine: "Machine", announce: Callable[[str], None]
) -> tuple[Result, tuple[str, str, str]]:
    """The result of one number format, and the names of the pair, the target and the draft."""
    import gc

    import torch

    from specviz.bench.measure import measure
    from specviz.bench.reference import Library
    from specviz.models import load_pair
    from specviz.models.number_format import pick_dtype
    from specviz.models.sources import folder_of

    def progress(step: str, share: float | None = None) -> None:
        announce(f"{dtype}, {step}" if share is None else f"{dtype}, {step} ({share:.0%})")

    pair = load_pair(
        args.pair,
        target=args.target,
        draft=args.draft,
        device=args.device,
        dtype=dtype,
        progress=progress,
    )
    models = chosen_by_options(args.pair, args.target, args.draft)
    assert models.draft is not None, "checked with the arguments"
    device = pair.target.device
    target, draft = (folder_of(source, progress) for source in (models.target, models.draft))
    progress("loading copies for transformers")
    library = Library(target, draft, device, pick_dtype(dtype, device), pair.target.end_ids, plan.settings.k)
    result = measure(pair, library, plan, machine, progress)
    assert pair.card.draft is not None, "a pair has a draft"
    names = (pair.name, pair.card.target.name, pair.card.draft.name)
    del pair, library
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    return result, names


def _check_arguments(args: argparse.Namespace) -> None:
    """Check the options before minutes are spent on loading.

    Raises:
        InputError: an option cannot be used.
    """
    models = chosen_by_options(args.pair, args.target, args.draft)
    if models.draft is None:
        given = f"--target {models.target}" if models.name is None else f"--pair {models.name}"
        raise InputError(
            f"The benchmark compares a draft model with transformers' own assisted decoding, and {given} comes without a draft model: "
            f"give --target and --draft, or measure the drafters that need none with specviz compare {given} --categories."
        )
    if not 1 <= args.repeats <= MAX_REPEATS:
        raise InputError(f"repeats was {args.repeats}: give a whole number from 1 to {MAX_REPEATS}.")
    if args.tokens < 2:
        raise InputError(f"tokens was {args.tokens}: give at least 2, since nothing is drafted for a single one.")
    if any(length < 1 for length in args.contexts):
        raise InputError(f"contexts was {args.contexts}: give lengths of at least 1 token.")
