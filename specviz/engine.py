"""The engine process of the page, with every task that it can perform. `python -m specviz.engine`.

A task lives in its own package, which reads what is asked and writes what it reports; the engine process below knows only their names. To
add one, write a function of a `Work` and a line here.
"""

from specviz.runs.serve import serve

TASKS: dict[str, str] = {
    "audit": "specviz.audit.task:audit_pair",
    "zoo": "specviz.audit.task:audit_exhibit",
}
"""The function of each task, as module:name. Its module is imported when the task is first asked for."""


if __name__ == "__main__":
    serve(TASKS)
