"""Engines as actors of a Ray cluster: the only module that imports Ray. It runs in processes of its own, one an engine, see `on_ray`.

An actor starts the very engine that runs without Ray, on a machine that Ray chooses, and passes its lines on as they are: commands go in as
calls of the actor, events come back as results. Where the actor or its machine dies, so does the process here, and the page's process
reports it like any engine that died.
"""

import os
import queue
import re
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError

from specviz import __version__, wire
from specviz.errors import WorkerError
from specviz.serving.engines import AUTO, RayEngines
from specviz.serving.process import EngineLines

_ANSWER_S = 5.0  # an address has to answer within so long
_ROOM_S = 60.0  # an engine waits so long for a machine that has room for it
_PATIENCE_S = 90.0
"""How long it takes to be connected and started, at most. Ray would try for ever to reach a cluster that is lost meanwhile."""
_QUIET_S = 5.0  # an actor whose engine writes nothing answers so often, as a sign of life
_CALLS = 4  # concurrent calls of an actor: one waits for events while commands come in
_VERSIONS = re.compile(r"Ray: (\S+).*?Python: (\S+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that an engine has written since the last call, and why it ended; "" while it lives."""

    written: tuple[str, ...]
    over: str = ""


class Host:
    """The actor: an engine on the machine that Ray chose."""

    def __init__(self) -> None:
        self._events: queue.Queue[Lines] = queue.Queue()
        self._engine: EngineLines | None = None

    def begin(self, version: str) -> str:
        """Start the engine; why that is not possible, "" where it is. `version`: of the server's specviz."""
        if version != __version__:
            return "the specviz of the cluster's machine is of another version: install the server's version there"
        self._engine = EngineLines(
            lambda line: self._events.put(Lines((line,))), lambda why: self._events.put(Lines((), why))
        )
        return ""

    def send(self, line: str) -> None:
        """Pass a command on."""
        assert self._engine is not None, "begun"
        try:
            self._engine.send_line(line)
        except WorkerError:
            return  # its exit is reported with the events

    def events(self) -> Lines:
        """The next lines of the engine: at once those that are there, else whatever comes within some seconds."""
        try:
            first = self._events.get(timeout=_QUIET_S)
        except queue.Empty:
            return Lines(())
        written, over = [*first.written], first.over
        while not over and not self._events.empty():
            more = self._events.get()
            written += more.written
            over = more.over
        return Lines(tuple(written), over)


def look(address: str) -> RayEngines:
    """The engines that a cluster has room for: one a GPU where it has any, else one a machine with processors. Raises WorkerError if the
    cluster cannot be reached, is of another version, or has no such machine.

    Args:
        address: as Ray takes it; `auto` for the cluster that this machine belongs to.
    """
    try:
        _connect(address)
    except ConnectionError:
        why = (
            "this machine belongs to none: begin one with `ray start --head`"
            if address == AUTO
            else "it does not answer: check the address, and that it runs"
        )
        raise _problem(address, why) from None
    except (RuntimeError, ValueError, ImportError, RayError) as error:
        raise _problem(address, reason(error)) from error
    engines = claims([machine["Resources"] for machine in ray.nodes() if machine["Alive"]])
    ray.shutdown()
    if engines is None:
        raise _problem(address, "none of its machines offers a processor or a GPU")
    count, cpus, gpus = engines
    return RayEngines(address, count, cpus, gpus)


def claims(machines: Sequence[dict[str, float]]) -> tuple[int, int, int] | None:
    """How many engines these machines have room for, and the processors and GPUs that each claims; None where there is no room.

    A claim is the same for all engines, and small enough for the smallest machine. Without GPUs it is as many processors as that machine
    has, so that an engine has it for itself.
    """
    with_gpu = [
        (int(machine["CPU"]), int(machine["GPU"]))
        for machine in machines
        if machine.get("GPU", 0) >= 1 <= machine.get("CPU", 0)
    ]
    if with_gpu:
        return sum(gpus for _, gpus in with_gpu), max(1, min(cpus // gpus for cpus, gpus in with_gpu)), 1
    cpus = [int(machine["CPU"]) for machine in machines if machine.get("CPU", 0) >= 1]
    return (len(cpus), min(cpus), 0) if cpus else None


def serve(address: str, cpus: int, gpus: int) -> None:
    """Be an engine for whoever started this process: commands from standard input, events on standard output, until the input ends."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed goes to standard error

    def write(lines: Sequence[str]) -> None:
        out.writelines(lines)
        out.flush()

    def give_up() -> None:
        write([wire.encode(wire.Unavailable("the Ray cluster does not answer")) + "\n"])
        os._exit(1)

    threading.Thread(target=_ends_with_input, args=(commands := queue.Queue[str](),), daemon=True).start()
    patience = threading.Timer(_PATIENCE_S, give_up)
    patience.daemon = True
    patience.start()
    try:
        actor = _started(address, cpus, gpus)
        patience.cancel()
        threading.Thread(target=_pass_on, args=(commands, actor), daemon=True).start()
        lines = Lines(())
        while not lines.over:
            lines = ray.get(actor.events.remote())
            write(lines.written)
        why = lines.over
    except (RuntimeError, ValueError, ConnectionError, ImportError, RayError, WorkerError) as error:
        why = reason(error)
    write([wire.encode(wire.Unavailable(why)) + "\n"])
    os._exit(1)


def _ends_with_input(commands: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        commands.put(line.rstrip("\n"))
    os._exit(0)  # Ray ends what this process has begun


def _pass_on(commands: "queue.Queue[str]", actor: Any) -> None:
    while True:
        actor.send.remote(commands.get())


def _started(address: str, cpus: int, gpus: int) -> Any:
    """The actor, with its engine started. Raises WorkerError if no machine has room, or the one that Ray chose has no
    specviz of this version; RayError if it died."""
    _connect(address)
    kind = ray.remote(Host)
    actor = kind.options(
        num_cpus=cpus, num_gpus=gpus, max_concurrency=_CALLS, max_restarts=0, scheduling_strategy="SPREAD"
    ).remote()
    try:
        problem: str = ray.get(actor.begin.remote(__version__), timeout=_ROOM_S)
    except GetTimeoutError:
        needs = f"{cpus} processor{'s' * (cpus > 1)}" + (f" and {gpus} GPU" if gpus else "")
        raise WorkerError(f"no machine of the Ray cluster has room for it now: an engine needs {needs}") from None
    if problem:
        raise WorkerError(problem)
    return actor


def answers(address: str) -> bool:
    """True if anything listens at the address of a cluster: Ray itself waits for minutes where nothing does."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_S).close()
    except OSError:
        return False
    return True


def _connect(address: str) -> None:
    """Connect this process to a cluster; Ray's own prints are left out."""
    if address != AUTO and not answers(address):
        raise ConnectionError("the Ray cluster does not answer")
    ray.init(address, log_to_driver=False, configure_logging=False)


def reason(error: Exception) -> str:
    """Why Ray could not do it, in a few words."""
    text = " ".join(str(error).split())
    if isinstance(error, WorkerError):
        return text.rstrip(".")
    if "ersion mismatch" in text:
        versions = [
            f"Ray {ray_version} with Python {python_version}"
            for ray_version, python_version in _VERSIONS.findall(str(error))
        ]
        both = f"it runs {versions[0]}, and this server {versions[1]}" if len(versions) == 2 else text[:200]
        return f"{both}: install the same versions on both"
    if "No module named 'specviz" in text:
        return "a machine of the cluster has no specviz of this version: install it there"
    if isinstance(error, RayActorError):
        return "its machine was lost, or Ray ended it there"
    if "ray[client]" in text:
        return "an address that begins with ray:// needs the Ray client: install with \"pip install 'specviz[ray]'\""
    return text[:200].rstrip(".")


def _problem(address: str, why: str) -> WorkerError:
    return WorkerError(f"The Ray cluster at {address} cannot be used: {why}.")
