"""A study of a visit: begun, watched while it runs, stopped; what was found is kept for the visit."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from app import request_form, resources, run_description, session, widget_state
from app.job import Status, TaskState
from app.job_queue import waits
from app.lab.parts import StudyRun
from app.polling import polled
from app.text import plain
from specviz.errors import InputError, SpecvizError
from specviz.lab import study
from specviz.request import PairAsked

BEST_K, TEXTS, OWN, DRAFTS, PROFILE, SERVER = "best-k", "texts", "own", "drafts", "profile", "server"
_POLL_S = 0.5
_REDRAW_S = 3.0
"""The charts are drawn again so often at most while more is found."""
_LOOK = """<style>
.st-key-lab .js-plotly-plot :is(.annotation, .infolayer, .textpoint) text { fill: currentColor !important; }
</style>"""


@dataclass(frozen=True, slots=True)
class Result:
    """What a study found.

    Attributes:
        pair: the models, as they were requested; None for a study without any.
        complete: whether it went to its end.
    """

    asked: study.Asked
    pair: PairAsked | None
    found: study.Found
    complete: bool


@dataclass(slots=True)
class _Sitting:
    """The last study of a kind, and the result before its first report."""

    asked: study.Asked
    pair: PairAsked | None
    parts: StudyRun
    before: Result | None
    report: str | None = None
    found: study.Found | None = None
    failed: str = ""

    def result(self, state: TaskState) -> Result | None:
        """What was found so far."""
        if state.report is not None and state.report is not self.report:
            self.report = state.report
            try:
                self.found = study.found(state.report)
            except SpecvizError as error:
                self.failed = str(error)
        if self.found is None:
            return self.before
        return Result(self.asked, self.pair, self.found, state.status is Status.DONE)


def result(kind: str) -> Result | None:
    """What the last study of this kind found, as far as it went; None before any."""
    sitting = _sitting(kind)
    return None if sitting is None else sitting.result(sitting.parts.state())


def is_live(kind: str) -> bool:
    """Whether one of this kind waits or runs."""
    sitting = _sitting(kind)
    return sitting is not None and not sitting.parts.over


def rerun_if_over(kind: str, *, live: bool) -> None:
    """Rerun the page where a study ended while it was rendered: what was found was read before, and the bar, which came after, polls no more.

    Args:
        live: whether it was live before what was found was read.
    """
    if live and not is_live(kind):
        st.rerun()


def begin(kind: str, make: Callable[[], study.Asked], *, with_pair: bool = True) -> None:
    """Request a study; what is wrong with it is shown at its buttons.

    Args:
        make: gives what is asked, or raises a `SpecvizError` with what is wrong.
    """
    st.session_state[_problem_of(kind)] = ""
    try:
        pair = _pair() if with_pair else None
        asked = make()
    except SpecvizError as error:
        st.session_state[_problem_of(kind)] = str(error)
        return
    before = result(kind)
    stop(kind)
    parts = StudyRun(resources.jobs(), pair, asked, watched=session.watched(), visitor=session.visitor())
    st.session_state[_key(kind)] = _Sitting(asked, pair, parts, before)


def stop(kind: str) -> None:
    """End it; what was found so far stays."""
    sitting = _sitting(kind)
    if sitting is not None:
        sitting.parts.stop()


def bar(
    kind: str,
    label: str,
    make: Callable[[], study.Asked],
    *,
    with_pair: bool = True,
    primary: bool = True,
    numbers: Callable[[], None] | None = None,
) -> None:
    """Start and Stop, how it goes on, and what is wrong.

    Args:
        numbers: renders what can be chosen before the start, in the same row.
    """
    st.html(_LOOK)
    sitting = _sitting(kind)
    live = sitting is not None and not sitting.parts.over
    with st.container(
        horizontal=True, gap="small", vertical_alignment="bottom" if numbers else "center", key=f"study-{kind}"
    ):
        if numbers is not None:
            numbers()
        st.button(
            label,
            type="primary" if primary else "secondary",
            icon=":material/play_arrow:",
            key=f"study-{kind}-start",
            on_click=partial(begin, kind, make, with_pair=with_pair),
            disabled=live,
        )
        if live:
            st.button("Stop", icon=":material/stop:", key=f"study-{kind}-stop", on_click=stop, args=(kind,))
            with st.container(width="stretch"):
                polled(partial(_progress, kind, sitting.parts.report if sitting else None, monotonic()), _POLL_S)
    _outcome(kind, sitting)


def caption(*parts: str) -> None:
    """How figures came about, in small print."""
    st.caption(plain(" · ".join(filter(None, parts))))


def times(count: int) -> str:
    """How often."""
    return "once" if count == 1 else f"{count} times"


def models_said(found: Result) -> str:
    """The models of a result in a few words."""
    return "" if found.pair is None else run_description.models_asked(found.pair)


def has_problem(kind: str) -> bool:
    """Whether something is wrong."""
    sitting = _sitting(kind)
    failed = sitting is not None and sitting.parts.state().status is Status.FAILED
    return failed or bool(st.session_state.get(_problem_of(kind)))


def problem(kind: str, sentence: str) -> None:
    """Show what is wrong, until the next study of this kind."""
    st.session_state[_problem_of(kind)] = sentence


def _outcome(kind: str, sitting: _Sitting | None) -> None:
    """What is wrong, or that it was stopped."""
    sentence = str(st.session_state.get(_problem_of(kind), ""))
    if sitting is not None and not sentence:
        state = sitting.parts.state()
        sitting.result(state)
        sentence = sitting.failed or (state.message if state.over else "")
        if state.status is Status.CANCELLED and not sentence:
            kept = "what was found until then is shown" if sitting.found is not None else "nothing was found until then"
            st.info(plain(f"Stopped: {kept}."), icon=":material/info:")
    if sentence:
        st.error(plain(sentence), icon=":material/error:")


def _progress(kind: str, drawn: str | None, drawn_at: float) -> None:
    """What is being done; the page is rendered again when there is more to show."""
    sitting = _sitting(kind)
    if sitting is None:
        return
    state = sitting.parts.state()
    if state.over:
        st.rerun()
    words = state.what or "starting"
    if state.queue_position:
        words = f"visitors' runs go first: {waits(state.queue_position, state.wait_s)}"
    st.progress(state.share or 0.0, text=plain(words[:1].upper() + words[1:]))
    if state.report is not drawn and monotonic() - drawn_at > _REDRAW_S:
        st.rerun()


def _pair() -> PairAsked:
    pair = request_form.pair_asked()
    if pair.name is None and not pair.target:
        raise InputError("A model is missing: name a target under “Models and settings”, by hub id or folder.")
    return pair


def _sitting(kind: str) -> _Sitting | None:
    found: _Sitting | None = st.session_state.get(_key(kind))
    return found


def _key(kind: str) -> str:
    return f"_study_sitting_{kind}"


def _problem_of(kind: str) -> str:
    return f"_study_{kind}_problem"


def number(name: str, usual: Any, label: str, low: Any, high: Any, meaning: str = "", **more: Any) -> None:
    """A number of a study, kept as `app.widget_state` keeps it."""
    widget_state.show(
        name,
        usual,
        lambda now, **bound: st.number_input(
            label, low, high, min(max(now, low), high), width=150, help=meaning or None, **more, **bound
        ),
    )
