"""`specviz bench`: a sweep over number formats, with transformers' decoders in every turn. Torch is imported inside functions only."""

import argparse
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from specviz.errors import InputError
from specviz.lab import asking
from specviz.lab.axes import DTYPE, LENGTH, Axis
from specviz.lab.contenders import report_of
from specviz.lab.plan import Models, SweepPlan
from specviz.lab.profile import Profile, write
from specviz.lab.report import finish
from specviz.model_choice import chosen_by_options
from specviz.reporting.files import open_folder
from specviz.reporting.pair_options import model_options
from specviz.reporting.progress import print_line, progress_messages
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts
from specviz.settings import Settings, check_closed

SAYS = "measure this machine: our decoders against transformers' own, and where the speedup goes"
_WRONG = 1
_TOKENS_AFTER_CONTEXT = 32
_ABOUT = """Time plain and speculative decoding against transformers' own generate(), plain and assisted, on separate copies of the same pair;
measure the cost of passes; compare the measured speedup with the formulas. Nothing else should run on the machine meanwhile. In float32 and
float64 all texts must be the same; if they are not, the exit code is 1."""


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz bench`."""
    parser.description = _ABOUT
    model_options(parser)
    parser.add_argument(
        "--dtype", nargs="+", default=["float32"], help="one or more of auto, float32, bfloat16, float16 and float64"
    )
    parser.add_argument("--k", type=int, default=5, metavar="N", help="draft length (default 5)")
    parser.add_argument("--tokens", type=int, default=96, metavar="N", help="new tokens of a run (default 96)")
    parser.add_argument(
        "--prompts",
        nargs="+",
        default=["1"],
        metavar="WORD",
        help="prompts per category (default 1), names of categories (default all), or both",
    )
    asking.repeats_option(parser, "turns of each decoder", usual=5)
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
    plan, contexts = plans_of(args)
    if args.out is not None:
        open_folder(args.out)
    from specviz.models.machine_notes import notes_file

    cache = notes_file().parent
    folder = cache / "bench" if args.out is None else args.out
    open_folder(folder)
    with progress_messages() as say:
        say("loading torch")
        from specviz.lab.benchmark import measure

        found = measure(plan, contexts, say)
    profiles = tuple(found.profiles.values())
    finish(report_of(found), folder, as_object=args.json, further=lambda folder: _save(folder, profiles))
    with suppress(OSError):  # a read-only home only means that no copy of the profile is cached
        cache.mkdir(parents=True, exist_ok=True)
        _save(cache, profiles)
    if found.wrong_texts:
        differing = " and ".join(found.wrong_texts)
        print_line(f"The texts differ in {differing}, which is an error: see the notes in the report.")
        return _WRONG
    return 0


def plans_of(args: argparse.Namespace) -> tuple[SweepPlan, SweepPlan | None]:
    """The sweep over number formats, and the one over lengths of the prompt; nothing is loaded.

    Raises:
        InputError: an option cannot be used.
    """
    chosen = chosen_by_options(args.pair, args.target, args.draft)
    if chosen.draft is None:
        given = f"--target {chosen.target}" if chosen.name is None else f"--pair {chosen.name}"
        raise InputError(
            f"The benchmark compares a draft model with transformers' own assisted decoding, and {given} comes without a draft model: "
            f"give --target and --draft, or measure the drafters that need none with specviz compare {given} --categories."
        )
    if any(length < 1 for length in args.contexts):
        raise InputError(f"contexts was {args.contexts}: give lengths of at least 1 token.")
    settings = Settings(k=args.k, max_new_tokens=args.tokens)
    check_closed(settings)
    models = Models("" if args.target else chosen.name or "", args.target or "", args.draft or "", "", args.device, "")
    prompts = chosen_prompts(args.prompts, asking.ready_of(args))
    formats = Axis(DTYPE, tuple(dict.fromkeys(args.dtype)))
    plan = SweepPlan(models, settings, (formats,), prompts, args.repeats, template=True, shortcut=False)
    if not args.contexts:
        return plan, None
    words = ReadyPrompt("long context", "long context", " ".join(each.text for each in prompts))
    lengths = Axis(LENGTH, tuple(str(n) for n in sorted(set(args.contexts))))
    short = replace(settings, max_new_tokens=_TOKENS_AFTER_CONTEXT)
    return plan, replace(plan, settings=short, axes=(formats, lengths), prompts=(words,))


def _save(folder: Path, profiles: tuple[Profile, ...]) -> list[Path]:
    for profile in profiles:
        write(folder / profile.file_name, profile)
    return [folder / profile.file_name for profile in profiles]
