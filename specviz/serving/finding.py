"""What `specviz app --engines` was asked for, found: a number of processes here, or a Ray cluster that answers."""

import json
import subprocess
import sys
from importlib.util import find_spec

from specviz.errors import InputError
from specviz.serving.engines import ANSWER_S, AUTO, RAY, Engines, answers, asked, read

LOOK_S = 60.0
"""How long a cluster that answers has to say what it has."""


def find(text: str) -> Engines:
    """The engines that a person asked for.

    Raises:
        InputError: it is no number and no address, Ray is not installed, or the cluster cannot be used.
    """
    wanted = asked(text)
    if isinstance(wanted, int):
        return Engines(wanted)
    if find_spec("ray") is None:
        raise InputError(f"engines was {text!r:.80}, which needs Ray: install with \"pip install 'specviz[ray]'\".")
    if wanted != RAY and not answers(wanted):
        raise InputError(
            f"The Ray cluster at {wanted} does not answer within {ANSWER_S:g} seconds: check the address, and that it runs."
        )
    return _looked(AUTO if wanted == RAY else wanted)


def _looked(address: str) -> Engines:
    """What the cluster has, by a process that can be ended: Ray waits long for one that is gone."""
    command = [sys.executable, "-P", "-m", "specviz.serving.on_ray", "look", address]
    try:
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=LOOK_S, check=False)  # noqa: S603  # our own program
    except subprocess.TimeoutExpired:
        raise InputError(f"The Ray cluster at {address} says nothing for {LOOK_S:g} seconds: is it one?") from None
    lines = ran.stdout.splitlines()
    try:
        answer = json.loads(lines[-1])
    except (IndexError, ValueError):
        raise InputError(
            f"The Ray cluster at {address} cannot be used: Ray ended with exit code {ran.returncode}."
        ) from None
    if "problem" in answer:
        raise InputError(answer["problem"])
    return read(answer["engines"])
