"""What the commands of the lab share: settings of runs, prompts and the database."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.lab.plan import MOST_REPEATS, Models
from specviz.lab.store import Store
from specviz.model_choice import chosen_by_options
from specviz.reporting.pair_options import able_drafter, template_option
from specviz.reporting.progress import print_line
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts, own_prompt, prompt_family, ready_prompts
from specviz.settings import POLICIES, Settings, check_closed


def work(
    works: Any, name: str, says: str, perform: Callable[[argparse.Namespace], int], names: Sequence[str] = ()
) -> Any:
    """Add a subcommand with --json and these positional texts; returns its parser."""
    parser = works.add_parser(name, help=says, description=says, allow_abbrev=False)
    for each in names:
        parser.add_argument(each.lower(), metavar=each, help="the name of a sweep" if each != "NEW" else "its new name")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.set_defaults(work_of=perform)
    return parser


def run_options(parser: argparse.ArgumentParser) -> None:
    """The settings of the runs."""
    parser.add_argument("--drafter", metavar="NAME", help=f"the drafting method: {', '.join(registry.names())}")
    parser.add_argument("--policy", default=Settings().policy, metavar="NAME", help=f"{', '.join(POLICIES)} (fixed)")
    length_options(parser)


def length_options(parser: argparse.ArgumentParser) -> None:
    """The settings that all drafters share."""
    k = Settings().k
    parser.add_argument("--k", type=int, default=k, metavar="N", help=f"draft length (default {k})")
    parser.add_argument("--tokens", type=int, default=64, metavar="N", help="new tokens of a run (default 64)")
    parser.add_argument("--temperature", type=float, default=0.0, metavar="N", help="0 is greedy decoding (default 0)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed draws the same numbers")
    template_option(parser)


def repeats_option(parser: argparse.ArgumentParser, what: str, usual: int = 3) -> None:
    """How often each is run."""
    parser.add_argument(
        "--repeats", type=int, default=usual, metavar="N", help=f"{what}, 1 to {MOST_REPEATS} (default {usual})"
    )


def prompt_options(parser: argparse.ArgumentParser) -> None:
    """The prompts: typed ones, or ready-made ones by category."""
    parser.add_argument("prompts", nargs="*", metavar="PROMPT", help="the texts to continue")
    parser.add_argument(
        "--categories",
        nargs="*",
        metavar="WORD",
        help="ready-made prompts instead: categories (default all), a number of prompts of each (default 1), or both",
    )


def models_of(args: argparse.Namespace) -> Models:
    """The models that the options name; nothing is loaded."""
    chosen = chosen_by_options(args.pair, args.target, args.draft)
    pair = "" if args.target else chosen.name or ""
    return Models(pair, args.target or "", args.draft or "", args.head or "", args.device, args.dtype)


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings that the options name, checked.

    Raises:
        InputError: one of them cannot be used, or the pair lacks what the drafter needs.
    """
    settings = Settings(
        k=args.k,
        temperature=args.temperature,
        max_new_tokens=args.tokens,
        seed=args.seed,
        drafter=able_drafter(args),
        policy=args.policy,
    )
    check_closed(settings)
    registry.check(settings)
    return registry.fitted(settings)


def ready_of(args: argparse.Namespace) -> tuple[ReadyPrompt, ...]:
    """Every ready-made prompt of the pair."""
    return ready_prompts(prompt_family(chosen_by_options(args.pair, args.target, args.draft).name))


def prompts_of(args: argparse.Namespace, categories: Sequence[str] | None) -> tuple[ReadyPrompt, ...]:
    """The typed prompts, or the ready-made ones.

    Raises:
        InputError: both, neither, or an unknown category.
    """
    if bool(args.prompts) == (categories is not None):
        given = "both" if args.prompts else "neither"
        raise InputError(f"PROMPT and --categories: {given} given: give prompts, or --categories for ready-made ones.")
    if categories is not None:
        return chosen_prompts(categories, ready_of(args))
    return tuple(own_prompt(text) for text in args.prompts)


def opened_store() -> Store:
    """The lab's database; if an earlier one was set aside, a sentence on stderr says so."""
    store = Store()
    if store.note:
        print_line(f"specviz: {store.note}")
    return store
