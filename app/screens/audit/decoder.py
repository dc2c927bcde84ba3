"""Does the decoder that the page has chosen write what its target alone would write?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from app.components.widgets import plain
from app.screens import shared
from app.screens.audit.board import board, stop_button
from app.server.job import Job
from app.stage import run_description
from app.state import audits, choices, request_form, session
from specviz.audit.messages import AUDIT, SAMPLES, USUAL_SAMPLES, AuditRequest
from specviz.errors import InputError
from specviz.request import PairRequest
from specviz.settings import Settings

_ABOUT = (
    "Speculative decoding promises the target's own text. The audit runs the real decoder many times and compares it, from outside, with "
    "plain passes of the target. A bug that no single text shows is seen here."
)


def screen() -> None:
    """This part of the screen."""
    audits.arrive(AUDIT)
    shared.sidebar()
    with st.container(gap="xsmall"):
        form, problem, result = (st.container(gap="xsmall") for _ in range(3))
    with form:
        _asks()
    with problem:
        shared.problem()
        if notice := audits.notice(AUDIT):
            st.info(notice, icon=":material/info:")
    with result:
        if audits.current(AUDIT) is None:
            st.markdown(_ABOUT)
        board(AUDIT, audits.current(AUDIT))
    session.write_address()


def _asks() -> None:
    """The prompt, the button, and in a line what is audited."""
    with st.container(key="prompt-box"):
        box, buttons = st.columns([5, 6], vertical_alignment="center", gap="small")
        with box:
            shared.prompt_text()
        with buttons, st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button("Audit this decoder", key="audit", type="primary", icon=":material/fact_check:", on_click=_audit)
            stop_button(AUDIT)
            _runs()
    _decoder()


def _runs() -> None:
    """How many runs with a seed of their own are made."""
    choices.show(
        "samples",
        USUAL_SAMPLES,
        lambda now, **bound: st.number_input(
            "Runs",
            int(SAMPLES.low),
            int(SAMPLES.high),
            now,
            int(SAMPLES.step),
            label_visibility="collapsed",
            width=140,
            **bound,
        ),
    )
    st.markdown("runs", width="content", help="Each has a seed of its own. More runs find smaller biases.")


def _warm_up() -> None:
    """At temperature 0 nothing is random, and two of the four checks have nothing to test."""
    try:
        certain = _settings().certain
    except InputError:
        return
    if certain:
        st.button(
            "Temperature 0: nothing is random. Use 1",
            key="audit-temperature",
            type="tertiary",
            icon=":material/thermostat:",
            on_click=partial(choices.put, "temperature", 1.0),
            help="At temperature 0 the texts and the caches are checked, and there is no distribution to test.",
        )


def _decoder() -> None:
    """The decoder that an audit would test now, and the one that the shown audit has tested, where that is another one."""
    try:
        wanted = _request()
    except InputError:
        return
    job, pair_now = audits.current(AUDIT), request_form.chosen_pair()
    if job is None or _of(job) == (pair_now, wanted):
        _line(pair_now, wanted.settings)
        return
    pair, audited = _of(job)
    with st.container(key="changed", width="content"):
        st.markdown(
            ":orange-badge[:material/sync: Settings changed: press Audit this decoder]",
            help=f"The next audit has: {_in_words(pair_now, wanted.settings)}",
        )
    _line(pair, audited.settings)


def _line(pair: PairRequest, settings: Settings) -> None:
    """The audited decoder, and what an audit means."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption(f"Audited: {_in_words(pair, settings)}", width="content", help=_ABOUT)
        _warm_up()


def _in_words(pair: PairRequest, settings: Settings) -> str:
    facts = [fact for fact in run_description.settings(settings) if not fact.startswith("at most ")]
    return " · ".join(plain(fact) for fact in (run_description.models_asked(pair), *facts))


def _of(job: Job) -> tuple[PairRequest, AuditRequest]:
    assert job.pair is not None, "an audit names its pair"
    return job.pair, audits.request_of(job, AuditRequest)


def _settings() -> Settings:
    """Those of the page; where nobody chose a temperature, 1: at 0 there is no distribution, which is half of what an audit tests."""
    settings = request_form.explicit()
    return settings if choices.is_made("temperature") else replace(settings, temperature=1.0)


def _request() -> AuditRequest:
    runs = int(choices.value("samples", USUAL_SAMPLES))
    return AuditRequest(_settings(), request_form.prompt(), request_form.template(), runs)


def _audit() -> None:
    """Request an audit of what the page shows; where that is impossible the page shows why."""
    request = shared.requested_run()
    if request is not None:
        audits.begin(AUDIT, request.pair, _request())
