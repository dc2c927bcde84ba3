"""`specviz profile`: what passes cost on this machine, in a file that can be shipped."""

import argparse
import getpass
from pathlib import Path

from rich.text import Text

from specviz.errors import InputError
from specviz.lab.profile import Profile, as_json, read, write
from specviz.reporting.pair_options import load, pair_options
from specviz.reporting.progress import print_json, print_line, progress_messages
from specviz.reporting.terminal import Screen, visible

SAYS = "measure what passes cost on this machine, and save it as a cost profile"
_ABOUT = """Measure passes of a pair over one text and over several texts, and what each way of drafting costs. The profile can be taken to
another machine: runs can be priced with it there, and every such figure says so. Nothing else should run on the machine meanwhile."""


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz profile`."""
    parser.description = _ABOUT
    parser.add_argument("--out", type=Path, metavar="FILE", help="save the profile here")
    parser.add_argument("--read", type=Path, metavar="FILE", help="show a profile instead of making one")
    parser.add_argument("--name", default="", help="what to call this machine (default: its processor)")
    parser.add_argument("--by", default="", metavar="NAME", help="who measures (default: the user's name)")
    parser.add_argument(
        "--sweeps", type=int, default=5, metavar="N", help="sweeps over all lengths, 1 to 50 (default 5)"
    )
    parser.add_argument(
        "--limit", type=float, default=60.0, metavar="SECONDS", help="for the passes over several texts (default 60)"
    )
    pair_options(parser, "float32")


def perform(args: argparse.Namespace) -> int:
    """Measure, save with --out, and print; or print the profile that --read names.

    Raises:
        SpecvizError: the options cannot be used, or the file is no profile.
    """
    if args.read is not None:
        _show(read(args.read), as_object=args.json)
        return 0
    if not 1 <= args.sweeps <= 50 or not 1 <= args.limit <= 3600:
        raise InputError(
            f"sweeps was {args.sweeps} and limit {args.limit:g}: give 1 to 50 sweeps, and 1 to 3600 seconds."
        )
    with progress_messages() as say:
        pair = load(args, say)
        from specviz.lab.profiling import profile_of

        made = profile_of(pair, args.name, args.by or _user(), say, sweeps=args.sweeps, limit_s=args.limit)
    try:
        if args.out is not None:
            write(args.out, made)
            print_line(f"The profile is in {args.out}.")
    except OSError as error:
        raise InputError(
            f"The profile could not be written to {str(args.out)!r} ({error.strerror}): choose another file."
        ) from None
    finally:
        _show(made, as_object=args.json)
    return 0


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"


def _show(profile: Profile, *, as_object: bool) -> None:
    if as_object:
        print_json(as_json(profile))
        return
    lines = [
        f"{profile.name}: measured by {profile.measured_by} {profile.measured_on}".rstrip(),
        profile.about,
        f"{profile.pair}, {profile.dtype}: a pass over one token {profile.pass_s * 1e3:.2f} ms, c = {profile.c:.3f}",
        "v(n): " + ", ".join(f"{n}: {cost:.2f}" for n, cost in profile.v),
        f"passes over several texts: {len(profile.target)} of the target, {len(profile.draft)} of the draft",
    ]
    if profile.disturbed:
        lines.append(f"Cannot be trusted: {profile.disturbed}.")
    Screen().lines(Text(visible(line, spaces=False)) for line in lines)
