"""Which jobs a server takes: what its host allows, and how many may wait. Makes no Streamlit call.

It is checked where jobs are submitted, whatever the page shows: a visitor can write any address, and send any message.
"""

from typing import assert_never

from specviz.audit.messages import AUDIT, AuditRequest, decode
from specviz.errors import SpecvizError
from specviz.request import PairRequest
from specviz.serving.hosting import Hosting
from specviz.wire import JobCommand, ListPairs, Load, Perform, RunPrompt

MOST_WAITING, WAITING_OF_ADDRESS = 400, 200  # jobs that wait at a time: of all, and of one address


def refusal(hosting: Hosting, command: JobCommand) -> str:
    """Why the host does not allow this job, in one sentence; "" where it is allowed."""
    if not hosting.classroom:
        return ""
    match command:
        case ListPairs():
            return ""
        case Load(pair=pair):
            return refused_models(hosting, pair)
        case RunPrompt(request=request):
            limited = _refused_length(hosting, request.settings.max_new_tokens, request.prompt)
            return refused_models(hosting, request.pair) or limited
        case Perform():
            models = "" if command.pair is None else refused_models(hosting, command.pair)
            return models or _refused_task(hosting, command)
        case _:
            assert_never(command)


def refused_models(hosting: Hosting, pair: PairRequest) -> str:
    """Why the host does not allow these models; "" where they are allowed."""
    allowed = hosting.pairs is None or pair in map(PairRequest, hosting.pairs)
    return "" if allowed else hosting.models_refused


def _refused_task(hosting: Hosting, command: Perform) -> str:
    if command.task != AUDIT:
        return hosting.prompt_refused(len(command.asked))
    try:
        audit = decode(AuditRequest, command.asked)
    except (ValueError, SpecvizError):
        return ""  # the engine says what is wrong with it
    return _refused_length(hosting, audit.settings.max_new_tokens, audit.prompt)


def _refused_length(hosting: Hosting, tokens: int, prompt: str) -> str:
    return hosting.tokens_refused(tokens) or hosting.prompt_refused(len(prompt))


def full_queue(waiting: int, of_address: int) -> str:
    """Why another job gets no position in the queue, where so many wait, so many of them from the same address; "" where it gets one."""
    full = waiting >= MOST_WAITING or of_address >= WAITING_OF_ADDRESS
    return f"{waiting} jobs wait on this server, which is too many: try again in a minute." if full else ""
