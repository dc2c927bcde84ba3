"""`specviz pairs`: list the pairs that can be loaded by name, or fetch one."""

import argparse
from dataclasses import asdict
from pathlib import Path

from rich.text import Text

from specviz.cli import show
from specviz.cli.options import device_option
from specviz.cli.output import print_json, spinner, with_share
from specviz.errors import UnknownPairError
from specviz.known_heads import PUBLIC_HEADS
from specviz.known_pairs import names, sources_of
from specviz.model_choice import is_head_id
from specviz.reporting.terminal import Screen

SAYS = "list the pairs that can be loaded by name"


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz pairs`."""
    device_option(parser)
    parser.add_argument(
        "--get",
        metavar="NAME",
        help="download this pair, or the published head with this hub id, and dequantise its GGUF files, without loading it; stopped with Ctrl-C, it goes on next time",
    )


def perform(args: argparse.Namespace) -> int:
    """Print the pairs, with what is downloaded and what fits on this machine; with --get fetch one first. Raises
    DeviceError if this machine does not have the device; PairError if the pair to fetch is unknown, not available,
    or too large for this machine."""
    if args.get is not None:
        _get(args.get, args.device)
    from specviz.models.catalogue import listings, memory_speed
    from specviz.models.devices import pick_device

    device = pick_device(args.device)
    pairs = [pair for pair in listings(device) if args.get in (None, pair.name)]
    heads = [head for head in PUBLIC_HEADS if args.get in (None, head.head)]
    speed = memory_speed(device)
    if args.json:
        rows = [
            {
                **asdict(pair),
                "fits_disk": pair.fits_disk,
                "computed_cost_ratio": pair.cost_ratio,
                "computed_plain_tokens_per_second": speed / pair.target_bytes if pair.target_bytes else None,
            }
            for pair in pairs
        ]
        heads_json = [asdict(head) for head in heads]
        print_json({"device": str(device), "memory_bytes_per_second": speed, "pairs": rows, "heads": heads_json})
    else:
        lines = show.pair_lines(pairs, speed) if pairs else []
        Screen().lines([*lines, *([Text()] if lines and heads else []), *(show.head_lines(heads) if heads else [])])
    return 0


def fetch_head(source: str) -> str:
    """Download a published head unless it is here; returns its folder. Its format is checked before any model is loaded."""
    with spinner("loading torch") as say:
        from specviz.models.sources import head_folder_of

        return str(head_folder_of(source, with_share(say)))


def _get(name: str, device: str) -> None:
    if is_head_id(name):
        fetch_head(name)
        return
    sources = sources_of(name)
    if sources is None:
        raise UnknownPairError(f"No pair is called {name!r}: choose one of {', '.join(names())}.")
    with spinner("loading torch") as say:
        from specviz.models.devices import pick_device
        from specviz.models.memory import Placement
        from specviz.models.number_format import pick_dtype
        from specviz.models.sources import folder_of

        torch_device = pick_device(device)
        placement = Placement(pick_dtype("auto", torch_device), torch_device)
        for source in sources:
            if not Path(source).is_absolute():  # else it comes with the project
                folder_of(source, with_share(say), placement)
