"""Parts that several screens show: the prompt with the ready-made prompts, the settings, the sentence when something is wrong."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Literal

import streamlit as st

from app.classroom import presenter
from app.components.widgets import plain
from app.screens import models, settings
from app.server import limits
from app.stage import run_description
from app.state import choices, language, pairs, request_form, session
from app.state.page_state import page_state
from specviz.decoding.drafters import registry
from specviz.errors import InputError, PairError
from specviz.model_choice import heads_here
from specviz.reporting.prompts import first_prompt
from specviz.request import PairRequest, Request
from specviz.serving import hosting
from specviz.setting_labels import planned
from specviz.settings import Settings, check_prompt
from specviz.trace.files import from_json
from specviz.trace.plan import Plan
from specviz.wire import RunPrompt

_PAGE = frozenset({"sidebar", "prompt", "prompts", "menu"})
"""Parts of the page around the stage that an address may hide, each by a rule of page.css. Hidden settings still apply: they are in the address."""
STAGE = frozenset({"dial", "lanes", "transport", "pace", "predict", "keys", "legend", "caption", "why", "title", "end"})
"""Parts of the stage that an address may hide."""
_EDITS = "edits"  # the kind of a prompt whose answer copies from it


def sidebar(length: Callable[[], None] = settings.draft_length, more: Callable[[], None] = lambda: None) -> None:
    """Pair, settings and language, folded away until somebody wants them; each in a container of its own, so that none moves another when its size
    changes. `length` renders the draft length, or nothing where the screen has it elsewhere; `more` what only this screen has."""
    with st.sidebar:
        parts = (
            models.picker,
            models.load_button,
            partial(settings.settings, length),
            more,
            language.picker,
            models.load_status,
        )
        for part in parts:
            with st.container(key="load-status" if part is models.load_status else None):
                part()


def problem() -> None:
    """Why a run was not started, and what in the address the page does not have; in another colour, what is nobody's mistake."""
    for sentence in filter(None, (session.problem(), session.refused_link(), _not_hidden(), language.refused())):
        st.error(plain(sentence), icon=":material/error:")
    if session.notice() and not stage_says():
        st.info(plain(session.notice()), icon=":material/info:")


def stage_says() -> bool:
    """True where a sentence on Watch's stage says that nothing has run with the prompt of the link."""
    return (
        page_state().screen == session.WATCH
        and page_state().job is None
        and session.awaits_run()
        and presenter.led() is None
    )


def _not_hidden() -> str:
    """A sentence about what the address hides and the page does not have; empty when all is well."""
    parts = _PAGE | STAGE
    unknown = next((name for name in session.hidden() if name not in parts), None)
    if unknown is None:
        return ""
    return f"The address hides {unknown!r}, which is not a part of the page: it can hide {', '.join(sorted(parts))}."


def prompt_box(run: Callable[[], None], more: Callable[[], None] = lambda: None) -> None:
    """The prompt, Run beside it, the ready-made prompts below; `more` renders the rest of their row."""
    with st.container(key="prompt-box"):
        box, buttons = st.columns([6, 2.5], vertical_alignment="top", gap="small")
        with box:
            prompt_text()
            changed()
        with buttons, st.container(horizontal=True, gap="xsmall"):
            run_and_stop(run, "stretch")

    with st.container(key="ready-prompts"):
        ready_made(more)


def folded_prompt_box(controls: Callable[[], None]) -> None:
    """The prompt box where the page teaches, in one line: the prompt unfolds; `controls` are the buttons beside it."""
    with st.container(key="prompt-box", horizontal=True, gap="xsmall", vertical_alignment="center", width="content"):
        with st.popover("Prompt", width="content"):
            prompt_text()
            with st.container(key="ready-prompts", gap=None):
                examples()
        controls()
        changed(short=True)


def prompt_notes() -> str:
    """A hint on the run of the prompt in the box; "" where none is known."""
    chosen = next((ready for ready in pairs.ready() if ready.text == request_form.prompt()), None)
    return plain(request_form.hints()(chosen)) if chosen is not None else ""


def changed(*, short: bool = False) -> None:
    """That the stage does not show what the page says, and what differs; `short` leaves the words to the mark's tooltip. Where another sentence
    says it, nothing."""
    if stage_says() or session.notice():
        return
    try:
        request = request_form.request()
    except InputError:
        return
    differs = run_description.changes(session.basis(request), request) + [
        "another third lane"
    ] * session.other_third_lane(request)
    if differs:
        what = "Prompt" if differs == [run_description.OTHER_PROMPT] else "Settings"
        with st.container(key="changed", width="content"):
            words = "" if short else f" {what} changed: press {session.start_word()}"
            st.markdown(
                f":orange-badge[:material/sync:{words}]",
                help=f"The next run has {'; '.join(plain(difference) for difference in differs)}.",
            )


def remembers() -> None:
    """How many texts of this visit the next run may copy from, and a button that forgets them; nothing for drafters that copy from none."""
    try:
        request = request_form.request()
    except InputError:
        return
    count = session.remembered(
        request, request_form.rival_request(request) if page_state().screen == session.RACE else None
    )
    if count:
        texts = f"{count} text{'s' * (count > 1)}"
        st.button(
            f"Remembers {texts}: forget",
            key="forget",
            type="tertiary",
            icon=":material/history:",
            on_click=session.visit().forget,
            help=f"Suffix decoding also copies from the last {texts} that you wrote in this visit with this target. No other visitor's text is "
            "ever used. A run's recording and its link have those texts that it did copy from. Click to forget them.",
        )


def plays() -> None:
    """The models and the settings of what is on the stage, and what a viewer should not expect of the models."""
    run = page_state().job
    if run is not None:
        models_said, settings, plan = (
            run_description.models_asked(run.request.pair),
            run.request_as_run.settings,
            run.plan,
        )
        family, kind = run_description.family_asked(run.request.pair), "a run of this visit"
    else:
        trace = session.opened()["recording"]["traces"][0]
        models_said, settings = run_description.models_of(trace["card"]), Settings(**trace["settings"])
        plan = from_json(Plan, trace["plan"], "plan") if trace.get("plan") else None
        family, kind = run_description.family_of(trace["card"]["target"]["name"]), "a recorded run"
    facts = [f"On the stage: {kind}", models_said, *run_description.settings(settings)]
    with st.container(key="plays"):
        if run_description.caution(family):
            st.caption(run_description.caution(family))
        st.caption(" · ".join(plain(fact) for fact in facts))
        if plan is not None:
            st.caption(plain(planned(plan, settings, here=run is not None)))


def run_and_stop(run: Callable[[], None], width: Literal["stretch", "content"]) -> None:
    """The button that starts a run on this screen; beside it Stop while one is live, else the draft length."""
    race = page_state().screen == session.RACE
    key, icon = ("race", "sports_score") if race else ("run", "play_arrow")
    st.button(session.start_word(), key=key, type="primary", icon=f":material/{icon}:", on_click=run, width=width)
    if session.stoppable():
        st.button("Stop", key="stop", icon=":material/stop:", on_click=session.stop, width=width)
        choices.note("k", request_form.default_settings().k)  # it stays in the address
    else:
        settings.length_beside_run(width)


def prompt_text() -> None:
    """The box for the prompt."""
    choices.show(
        request_form.PROMPT,
        first_prompt(pairs.ready()).text,
        partial(
            st.text_area,
            "Prompt",
            height="content",
            placeholder="Write the beginning of a text",
            label_visibility="collapsed",
        ),
    )


def ready_made(end: Callable[[], None] = lambda: None) -> None:
    """The ready-made prompts, in a popover that closes when one is chosen; beside it what to try with a prompt of one's own. `end` renders
    the end of their row."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        key = f"examples-{choices.key(request_form.PROMPT)}"
        with st.popover("Example prompts", key=key), st.container(gap=None):
            examples()
        edit = next((ready for ready in pairs.ready() if ready.category == _EDITS), None)
        if (pairs.is_own_prompt() or choices.value(request_form.OWN_PROMPT, False)) and edit is not None:
            st.button(
                "Paste a paragraph and say what to change",
                key="an-edit",
                help="An edit copies most of its text: here speculation is fastest. This one is an example.",
                on_click=_put,
                args=(edit.text,),
                type="tertiary",
            )
        models.own_prompt_line()
        st.space("stretch")
        end()


def examples() -> None:
    """A row for each kind of text, a button for each prompt, with a sentence on what to look for while the settings are those it was checked at."""
    hint = request_form.hints()
    for (category, kind), ready_ones in groupby(pairs.ready(), key=lambda ready: (ready.category, ready.kind)):
        name = f"{category[0].upper()}{category[1:]}" + (f" ({kind})" if kind else "")
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key=f"kind-{category}"):
            st.caption(name, width=190 if kind else 96)
            for ready in ready_ones:
                st.button(
                    ready.title,
                    key=f"ready-{ready.title}",
                    help=hint(ready) or None,
                    on_click=_put,
                    args=(ready.text,),
                    type="tertiary",
                )


def _put(prompt: str) -> None:
    choices.put(request_form.PROMPT, prompt)
    choices.put(request_form.OWN_PROMPT, False)


def requested_run() -> Request | None:
    """The run that the page shows; None where it cannot be run, and then the page shows why."""
    session.set_problem("")
    try:
        check_prompt(request_form.prompt())
        request = request_form.request()
    except InputError as error:
        session.set_problem(str(error))
        return None
    if not_allowed := limits.refusal(hosting.current(), RunPrompt("", request)):
        session.set_problem(not_allowed)
        return None
    pair = request.pair
    if pair.name is None and not pair.target:
        session.set_problem(
            "A model is missing: name a target, by hub id or folder; a draft is needed by some drafters."
        )
        return None
    refusal = _refusal(pair, request.settings.drafter) if pair.name is None else ""
    if refusal:
        session.set_problem(refusal)
        return None
    return request


def _refusal(pair: PairRequest, drafter: str) -> str:
    """Why models of a visitor's own cannot make this run, as far as it is known before they are loaded; "" if they can."""
    try:
        heads = heads_here(None, pair.head)
    except PairError as error:
        return str(error)
    return registry.refusal(drafter, pair.target or "", draft=bool(pair.draft), heads=heads)
