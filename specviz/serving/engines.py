"""The engines of a server on a Ray cluster: how a person asks for them, how many there are, how each is started.

A server that nobody gave a cluster has one engine, a process of its machine. The command line writes the record into the environment, the
page's process reads it there. Standard library only.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from specviz.errors import InputError, TraceError
from specviz.trace.files import from_json, to_json

VARIABLE = "SPECVIZ_ENGINES"  # the environment variable that carries the record, as JSON
RAY, AUTO = "ray", "auto"
"""What asks for a Ray cluster without an address; the cluster that this machine belongs to."""
LOOK_S = 60.0  # a cluster that answers has to list its machines within so long
_ADDRESS = re.compile(r"(ray://)?[A-Za-z0-9_.-]+:[0-9]{1,5}|(ray://)?\[[0-9a-fA-F:]+\]:[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class RayEngines:
    """Engines as actors of a Ray cluster.

    Attributes:
        address: of the cluster, as Ray takes it.
        cpus, gpus: what an engine claims of a machine of the cluster; a claim is met by one machine alone.
    """

    address: str
    count: int = 1
    cpus: int = 1
    gpus: int = 0

    def written(self) -> str:
        """The record as text, for the environment."""
        return json.dumps(to_json(self))

    def about(self) -> tuple[str, ...]:
        """The engines in sentences for the host."""
        claim = f"{self.cpus} processor{'s' * (self.cpus > 1)}" + (f" and {self.gpus} GPU" if self.gpus else "")
        sentence = f"{self.count} engine{'s' * (self.count > 1)} on the Ray cluster {self.address}, each with {claim}."
        if self.count == 1:
            return (sentence,)
        return (sentence, "Runs that overlap on one machine are marked, and their speedups count for nothing.")

    def command(self) -> tuple[str, ...]:
        """The command of the process here that stands for each of them: it asks Ray for the actor, and passes its lines on."""
        serve = ("specviz.serving.on_ray", "serve", self.address, str(self.cpus), str(self.gpus))
        return (sys.executable, "-P", "-m", *serve)


def find(text: str) -> RayEngines:
    """The engines that a person asked for: "ray", or the address of a Ray cluster. Raises InputError if it is neither,
    Ray is not installed, or the cluster cannot be used."""
    if text != RAY and not (_ADDRESS.fullmatch(text) and 1 <= int(text.rsplit(":", 1)[1]) <= 65535):
        raise InputError(
            f"engines was {text!r:.80}: leave it out for the one engine of this machine, or give ray or the address of a Ray cluster, such as "
            "ray://HOST:10001, for several."
        )
    if find_spec("ray") is None:
        raise InputError(f"engines was {text!r:.80}, which needs Ray: install with \"pip install 'specviz[ray]'\".")
    return _looked(AUTO if text == RAY else text)


def _looked(address: str) -> RayEngines:
    """Ask a process that can be ended for the engines of a cluster: Ray waits long for one that is gone."""
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
    return _read(answer["engines"])


def _read(text: str) -> RayEngines:
    """The record that `RayEngines.written` wrote. Raises InputError if the text is not such a record."""
    try:
        engines: RayEngines = from_json(RayEngines, json.loads(text), VARIABLE)
    except (ValueError, TraceError):
        raise InputError(
            f"{VARIABLE} was {text!r:.80}, which cannot be read: start with specviz app --engines."
        ) from None
    return engines


def current() -> RayEngines | None:
    """The engines of the server of this process; None: one, a process of this machine. Raises InputError if the
    environment has a record that cannot be read."""
    text = os.environ.get(VARIABLE, "")
    return _read(text) if text else None
