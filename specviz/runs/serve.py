"""The process of an engine: it reads commands on standard input and writes events on standard output, a line each (`specviz.wire`).

When the input ends, so does the process. Whatever else is printed goes to standard error. `python -m specviz.engine` starts it.
"""

import os
import queue
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from specviz.known_pairs import PairStatus
from specviz.models import listings
from specviz.models.devices import pick_device
from specviz.models.threads import LOAD, leave_free
from specviz.runs.engine_process import IDLE_S, KEPT_CORES, Engine
from specviz.wire import Cancel, JobCommand, Ready, decode_command

_BOOT = Path("/proc/sys/kernel/random/boot_id")


def machine_name() -> str:
    """The name of this machine, the same for every process and every container on it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()


def _listings() -> tuple[PairStatus, ...]:
    """The pairs that are offered; none where this machine cannot tell."""
    try:
        return tuple(listings(pick_device()))
    except Exception as error:  # noqa: BLE001  # an engine without the list runs all the same
        sys.stderr.write(f"specviz: {error}\n")
        return ()


def serve(tasks: Mapping[str, str]) -> None:
    """Serve until the input ends."""
    leave_free(KEPT_CORES)
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    engine = Engine(out, tasks)
    jobs: queue.Queue[JobCommand] = queue.Queue()

    def listen() -> None:
        try:
            for line in sys.stdin:
                match command := decode_command(line):
                    case Cancel():
                        engine.cancel(command.job)
                    case _:
                        jobs.put(command)
        except Exception as error:  # noqa: BLE001  # nothing would read commands any more: the page starts another process
            sys.stderr.write(f"specviz: {type(error).__name__}: {error}\n")
            os._exit(1)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    engine.send(Ready(machine_name(), _listings()))
    while True:
        try:
            command = jobs.get(timeout=IDLE_S)
        except queue.Empty:
            LOAD.look()
        else:
            engine.do(command)
