"""Whether a job is one that the host of this server allows. Makes no Streamlit call.

It is checked where jobs are submitted, whatever the page shows: a visitor can write any address, and send any message.
"""

from typing import assert_never

from specviz.audit.asked import AUDIT, AuditAsked, read
from specviz.errors import SpecvizError
from specviz.request import PairAsked
from specviz.serving.hosting import Hosting
from specviz.wire import JobCommand, ListPairs, Load, Perform, RunPrompt


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
    if command.pair is not None and (sentence := refused_models(hosting, command.pair)):
        return sentence
    if command.task != AUDIT:
        return hosting.prompt_refused(len(command.asked))
    try:
        asked = read(AuditAsked, command.asked)
    except (ValueError, SpecvizError):
        return ""  # the engine says what is wrong with it
    return hosting.tokens_refused(asked.settings.max_new_tokens) or hosting.prompt_refused(len(asked.prompt))
