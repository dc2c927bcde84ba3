"""`specviz pairs`: list the pairs that can be loaded by name."""

import argparse
from dataclasses import asdict

from specviz.cli import show
from specviz.cli.output import print_json
from specviz.reporting.terminal import Screen


def perform(args: argparse.Namespace) -> int:
    """Print the pairs, with what is downloaded and what fits on this machine.

    Raises:
        DeviceError: this machine does not have the device.
    """
    from specviz.models.catalogue import listings
    from specviz.models.devices import pick_device

    device = pick_device(args.device)
    found = listings(device)
    if args.json:
        print_json({"device": str(device), "pairs": [asdict(pair) for pair in found]})
    else:
        Screen().lines(show.pair_lines(found))
    return 0
