"""The options of every command that loads a pair, a check before loading, and loading. Torch is imported inside functions only."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.model_choice import chosen_by_options, heads_here
from specviz.reporting.progress import with_share

if TYPE_CHECKING:
    from specviz.models import Pair


def pair_options(parser: argparse.ArgumentParser, dtype: str, without_draft: str = "") -> None:
    """The options that name target, draft and head, where they run, and the number format, `dtype` where none is given.
    `without_draft`: what happens without --draft, in words."""
    where = "a hub id, id@revision, a folder or a .gguf file"
    parser.add_argument("--pair", help="a name listed by `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help=f"instead of --pair: {where}")
    parser.add_argument("--draft", metavar="MODEL", help=f"with --target: {where}{without_draft}")
    device_option(parser)
    parser.add_argument(
        "--head",
        metavar="HEAD",
        help="a head for this target: a published EAGLE, DFlash or DSpark head, by folder "
        "or hub id; its drafter has the name of its kind",
    )
    formats = f"number format: auto, float32, bfloat16, float16 or float64 (default {dtype})"
    parser.add_argument("--dtype", default=dtype, help=formats)


def device_option(parser: argparse.ArgumentParser) -> None:
    """The option --device."""
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")


def template_option(parser: argparse.ArgumentParser) -> None:
    """The option --no-template."""
    says = "do not wrap the prompt in the chat template"
    parser.add_argument("--no-template", dest="template", action="store_false", help=says)


def usable_drafter(args: argparse.Namespace) -> str:
    """The drafter of --drafter, or else the usual one of the pair that the options name.

    Raises:
        InputError: a pair was given twice.
        SettingsError: the drafter needs a draft model or a trained head, and none was given.
        PairError: the folder that --head names has no head.
        UnknownPairError: no pair has this name, or a draft was given without a target.
    """
    models = chosen_by_options(args.pair, args.target, args.draft)
    has_draft, heads = models.draft is not None, heads_here(models.name, args.head)
    name = args.drafter or registry.usual(draft=has_draft)
    if refusal := registry.refusal(name, models.name or models.target, draft=has_draft, heads=heads):
        raise SettingsError(refusal)
    return name


def load(args: argparse.Namespace, say: Callable[[str], None]) -> "Pair":
    """The pair that the options name; `say` is called with what is being loaded."""
    say("loading torch")
    from specviz.models import load_pair

    return load_pair(
        args.pair,
        target=args.target,
        draft=args.draft,
        head=args.head,
        device=args.device,
        dtype=args.dtype,
        progress=with_share(say),
    )
