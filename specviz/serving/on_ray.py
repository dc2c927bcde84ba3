"""The processes that speak with a Ray cluster. `python -m specviz.serving.on_ray look ADDRESS` prints the engines that it has room for, or why it
cannot be used; `... serve ADDRESS CPUS GPUS` is one of them.

The page's process starts both and never loads Ray itself: a driver whose cluster is lost ends with it.
"""

import json
import os
import sys

from specviz.errors import WorkerError

QUIET = {"RAY_USAGE_STATS_ENABLED": "0"}
"""Ray reports nothing to its makers."""


def main(arguments: list[str]) -> None:
    """Look or serve."""
    os.environ.update(QUIET)
    from specviz.serving import cluster  # noqa: PLC0415  # Ray reads the environment when it is imported

    if arguments[0] == "serve":
        address, cpus, gpus = arguments[1:]
        cluster.serve(address, int(cpus), int(gpus))
        return
    try:
        answer = {"engines": cluster.look(arguments[1]).written()}
    except WorkerError as error:
        answer = {"problem": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
