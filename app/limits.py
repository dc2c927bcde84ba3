"""Whether a job is one that the host of this server allows. Makes no Streamlit call.

It is checked where jobs are submitted, whatever the page shows: a visitor can write any address, and send any message.
"""

import json
from collections.abc import Iterator
from typing import Any, assert_never

from specviz.audit.asked import AUDIT, GUESS, ZOO
from specviz.hosting import Hosting
from specviz.wire import JobCommand, ListPairs, Load, Measure, PairAsked, Perform, RunPrompt

_TASKS = (AUDIT, ZOO, GUESS)
"""The tasks that a visitor of a classroom can request."""
MOST_WAITING, MOST_OF_ADDRESS = 400, 200
"""Jobs that wait at a time: of all, and of one address, behind which a whole lecture hall can be."""
NOBODY = "This server cannot tell your browser from others, since it sends no cookie of this page: allow cookies here, then load the page again."
"""The sentence for who has no identity, in a classroom: he would get as many positions in the queue as he opens pages."""


def refusal(hosting: Hosting, command: JobCommand) -> str:
    """Why the host does not allow this job, in one sentence; "" where it is allowed."""
    if not hosting.classroom:
        return ""
    match command:
        case ListPairs():
            return ""
        case Load(pair=pair) | Measure(pair=pair):
            return refused_models(hosting, pair)
        case RunPrompt(request=request):
            tokens = request.settings.max_new_tokens
            return (
                refused_models(hosting, request.pair)
                or hosting.tokens_refused(tokens)
                or hosting.prompt_refused(len(request.prompt))
            )
        case Perform():
            return _refused_task(hosting, command)
        case _:
            assert_never(command)


def refused_models(hosting: Hosting, pair: PairAsked) -> str:
    """Why the host does not allow these models; "" where they are allowed."""
    if hosting.pairs is None:
        return ""
    return "" if any(pair == PairAsked(name) for name in hosting.pairs) else hosting.models_refused


def _refused_task(hosting: Hosting, command: Perform) -> str:
    if command.task not in _TASKS:
        return hosting.lab_refused
    if command.pair is not None and (sentence := refused_models(hosting, command.pair)):
        return sentence
    try:
        asked = json.loads(command.asked)
    except ValueError:
        return ""  # the engine says what is wrong with it
    named = [*_values_in(asked)]
    tokens = [value for name, value in named if name == "max_new_tokens" and isinstance(value, int)]
    longest = max((len(value) for _, value in named if isinstance(value, str)), default=0)
    return hosting.tokens_refused(max(tokens, default=0)) or hosting.prompt_refused(longest)


def _values_in(asked: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every value in a request of whatever room, with its name."""
    if isinstance(asked, list):
        for each in asked:
            yield from _values_in(each, name)
    elif isinstance(asked, dict):
        for inner, each in asked.items():
            yield from _values_in(each, inner)
    else:
        yield name, asked
