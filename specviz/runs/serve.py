"""The process of an engine: it reads commands on standard input and writes events on standard output, a line each (`specviz.wire`).

When the input ends, so does the process. Whatever else is printed goes to standard error. `python -m specviz.engine` starts it.
"""

import os
import queue
import sys
import threading
from collections.abc import Mapping

import torch

from specviz.runs.engine_process import IDLE_S, KEPT_CORES, Engine
from specviz.serving.sharing import engines_here, machine, threads_of
from specviz.wire import Cancel, JobCommand, Ready, decode_command


def share_cores() -> None:
    """Use every core but one, or this engine's share of them: the page needs that one, and threads that wait for a busy core cost far more.

    Measured on two cores with the other busy: two threads fell from about 240 tokens a second to about 5, one kept 170.
    """
    torch.set_num_threads(threads_of(torch.get_num_threads(), KEPT_CORES, engines_here()))


def serve(tasks: Mapping[str, str]) -> None:
    """Serve until the input ends."""
    share_cores()
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
    engine.tell(Ready(machine()))
    while True:
        try:
            command = jobs.get(timeout=IDLE_S)
        except queue.Empty:
            engine.look_around()
        else:
            engine.do(command)
