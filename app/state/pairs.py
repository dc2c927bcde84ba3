"""Which pair a visitor has chosen: the cards, loading it, and what to say to a prompt that it was not made for."""

import os

from app.server import resources
from app.server.job import Job
from app.stage.run_description import OTHER
from app.state import choices, request_form, session, visitor
from app.state.page_state import page_state
from specviz.known_pairs import CHAT, EMBEDDED, FAMILY, chat_is_here, names
from specviz.reporting.prompts import ReadyPrompt, first_prompt, prompt_family, ready_prompts
from specviz.serving import hosting
from specviz.wire import Load

CARDS = (CHAT, EMBEDDED)  # the pairs that are offered before all others
OPENING = "SPECVIZ_PAIR"  # the environment variable that names the pair with which the page opens


def opening() -> str:
    """The pair of a visit that chose none: the chat model where it is on this machine; the same for the whole visit."""
    state = page_state()
    state.first_pair = state.first_pair or _first()
    return state.first_pair


def _first() -> str:
    wanted, allowed = os.environ.get(OPENING, ""), hosting.current().pairs
    if wanted in (allowed or names()):
        return wanted
    if allowed is not None:
        return allowed[0]
    return CHAT if chat_is_here() else EMBEDDED


def arrive() -> None:
    """Take what the address says, and the pair that the page opens with where it names none."""
    session.arrive()
    page_state().form.values.setdefault(request_form.PAIR, opening())


def cards() -> tuple[str, ...]:
    """The pairs with a card: what the host of a classroom chose, else those that are offered before all others."""
    return hosting.current().pairs or CARDS


def chosen() -> str:
    """The name of the pair, or `OTHER`."""
    return choices.value(request_form.PAIR, opening())


def take(name: str) -> None:
    """Change to this pair and load it."""
    choose(name)
    load()


def choose_head(target: str, head: str) -> None:
    """Change to a published head and its target, without a draft."""
    for name, source in ((request_form.TARGET, target), (request_form.DRAFT, ""), (request_form.HEAD, head)):
        choices.put(name, source)
    choose(OTHER)


def choose(name: str) -> None:
    """Change to this pair: a load of another one that this visitor asked for ends, and the prompt becomes the one that the pair
    begins with, unless the visitor wrote one."""
    if name == chosen():
        return
    cancel_load()
    page_state().loading = None
    own = is_own_prompt()
    choices.put(request_form.PAIR, name)
    if not own:
        choices.put(request_form.PROMPT, first_prompt(ready()).text)


def ready() -> tuple[ReadyPrompt, ...]:
    """The ready-made prompts of the chosen pair."""
    return ready_prompts(prompt_family(chosen()))


def is_own_prompt() -> bool:
    """True if the visitor wrote the prompt: it is not one of the chosen pair's ready-made ones."""
    written = request_form.prompt()
    return bool(written.strip()) and written not in (prompt.text for prompt in ready())


def beyond() -> bool:
    """True if the prompt is one that the built-in tiny model was not made for."""
    return chosen() in FAMILY and is_own_prompt()


def loading() -> Job | None:
    """The job that loaded the chosen pair, or loads it: this visitor's run or load, or the last one of anybody.

    A pair that loads quickly is loaded without a request, unless one that does not would be dropped for it: no visitor loses a slow one,
    and no link starts a download.
    """
    pair, state = request_form.chosen_pair(), page_state()
    for job in (state.job, state.loading, resources.jobs().loaded(pair)):
        if job is not None and job.pair == pair and (job.card or isinstance(job.command, Load)):
            return job
    dropped = resources.jobs().next_dropped()
    free = dropped is None or (dropped.pair is not None and _quick(dropped.pair.name))
    if pair.name in CARDS and _quick(pair.name) and free and state.loading is None:
        load()
        return loading()
    return None


def _quick(name: str | None) -> bool:
    """True if a pair is loaded in seconds, without a download."""
    return name in FAMILY or (name == CHAT and chat_is_here())


def load() -> None:
    """Request the chosen pair."""
    page_state().loading = resources.jobs().load(request_form.chosen_pair(), watched=visitor.watched())


def cancel_load() -> None:
    """End the load that this visitor requested, if it goes on; what has been downloaded is kept."""
    job = page_state().loading
    if job is not None and not job.over:
        resources.jobs().leave(job, visitor.watched())


def is_slow_load() -> bool:
    """True if a load that this visitor requested goes on, and may take long."""
    job = page_state().loading
    return job is not None and not job.over and not (job.pair and _quick(job.pair.name))
