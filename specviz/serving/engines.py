"""How many engines a server has, and where. The command line writes it into the environment, the page's process reads it there.

Standard library only.
"""

import json
import os
import re
import socket
import sys
from dataclasses import asdict, dataclass

from specviz.errors import InputError
from specviz.serving import sharing
from specviz.serving.process import Launch

VARIABLE = "SPECVIZ_ENGINES"
"""The environment variable that carries the record, as JSON."""
MOST = 64
"""Engines of one machine, at most: each loads models of its own."""
RAY, AUTO, LOCAL = "ray", "auto", "local"
"""What asks for a Ray cluster without an address; the cluster that this machine belongs to; one that is begun for this server."""
ANSWER_S = 5.0
"""How long an address has to answer."""
_ADDRESS = re.compile(r"(ray://)?[A-Za-z0-9_.-]+:[0-9]{1,5}|(ray://)?\[[0-9a-fA-F:]+\]:[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Engines:
    """How many engines a server has, and where.

    Attributes:
        count: how many.
        cluster: the address of the Ray cluster whose machines they run on; None: processes of this machine.
        cpus, gpus: what an engine claims of a machine of the cluster; a claim is met by one machine alone.
    """

    count: int = 1
    cluster: str | None = None
    cpus: int = 1
    gpus: int = 0

    def written(self) -> str:
        """The record as text, for the environment."""
        return json.dumps(asdict(self))

    def about(self) -> tuple[str, ...]:
        """What the host should know of them, in sentences."""
        if self.cluster is None:
            said = f"{self.count} engine{'s share' if self.count > 1 else ' has'} this machine."
        else:
            where = (
                "a Ray cluster of this machine alone" if self.cluster == LOCAL else f"the Ray cluster {self.cluster}"
            )
            claim = f"{self.cpus} processor{'s' * (self.cpus > 1)}" + (f" and {self.gpus} GPU" if self.gpus else "")
            said = f"{self.count} engine{'s' * (self.count > 1)} on {where}, each with {claim}."
        if self.count == 1:
            return (said,)
        return (said, "Runs that overlap on one machine are marked, and their speedups count for nothing.")

    def launches(self) -> list[Launch]:
        """How each of them is started."""
        if self.cluster is not None:
            command = (sys.executable, "-P", "-m", "specviz.serving.on_ray", "serve", self.cluster)
            return [Launch((*command, str(self.cpus), str(self.gpus)))] * self.count
        gpus = sharing.gpus_here() if self.count > 1 else ()
        here = sharing.machine()
        return [
            Launch(variables=sharing.variables_of(index, self.count, gpus), machine=here) for index in range(self.count)
        ]


def asked(text: str) -> int | str:
    """A number of engines of this machine, "ray", or the address of a Ray cluster, as a person gave it.

    Raises:
        InputError: it is none of these.
    """
    if text == RAY or (_ADDRESS.fullmatch(text) and 1 <= int(text.rsplit(":", 1)[1]) <= 65535):
        return text
    if text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST:
        return int(text)
    raise InputError(
        f"engines was {text!r:.80}: give how many this machine runs, from 1 to {MOST}, or ray, or the address of a Ray cluster, "
        "such as ray://HOST:10001."
    )


def answers(address: str) -> bool:
    """Whether anything listens at the address of a cluster: Ray itself waits for minutes where nothing does."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_S).close()
    except OSError:
        return False
    return True


def read(text: str) -> Engines:
    """The record that `Engines.written` wrote; "" is one engine on this machine.

    Raises:
        InputError: the text is not such a record.
    """
    if not text:
        return Engines()
    try:
        found = Engines(**json.loads(text))
    except (ValueError, TypeError):
        found = None
    if found is None or not _sound(found):
        raise InputError(f"{VARIABLE} was {text!r:.80}, which cannot be read: start with specviz app --engines.")
    return found


def current() -> Engines:
    """The engines of the server of this process.

    Raises:
        InputError: see `read`.
    """
    return read(os.environ.get(VARIABLE, ""))


def _sound(found: Engines) -> bool:
    whole = all(isinstance(value, int) for value in (found.count, found.cpus, found.gpus))
    return whole and found.count >= 1 and (found.cluster is None or isinstance(found.cluster, str))
