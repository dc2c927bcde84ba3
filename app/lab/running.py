"""What a visit asks of the Lab: begun, watched while it is carried out, stopped; what was found is kept for the visit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic

import streamlit as st

from app import request_form, resources, run_description, saved, session, visitor
from app.bell import Bell
from app.following import followed
from app.job import Status
from app.lab import inputs, words
from app.lab.driver import Sitting, Standing
from app.text import plain
from specviz.errors import SpecvizError
from specviz.lab.study import Answer, Asked
from specviz.request import PairAsked

BEST_K, TEXTS, OWN, DRAFTS, PROFILE, SERVER = "best-k", "texts", "own", "drafts", "profile", "server"
_REDRAW_S = 4.0
"""The charts are drawn again so often at most while more is found: drawing takes time that a run in hand would miss."""
_LOOK = """<style>
.st-key-lab .js-plotly-plot :is(.annotation, .infolayer, .textpoint) text { fill: currentColor !important; }
</style>"""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found of a question so far.

    Attributes:
        asked: all requests of it; the answers in `found` are to the first of them.
        pair: the models, as they were requested; None where none were needed.
    """

    asked: Sequence[Asked]
    pair: PairAsked | None
    found: Sequence[Answer]


def result(kind: str) -> Result | None:
    """What was found when this kind was last asked for, as far as it went; None before any."""
    sitting = _sitting(kind)
    if sitting is None or not sitting.found:
        before: Result | None = st.session_state.get(f"_study_before_{kind}")
        return before
    return Result(sitting.asked, sitting.pair, tuple(sitting.found))


def is_live(kind: str) -> bool:
    """Whether one of this kind waits or runs."""
    sitting = _sitting(kind)
    return sitting is not None and not sitting.over


def rerun_if_over(kind: str, *, live: bool) -> None:
    """Rerun the page where it ended while it was rendered: what was found was read before, and the bar, which came after, polls no more.

    Args:
        live: whether it was live before what was found was read.
    """
    if live and not is_live(kind):
        st.rerun()


def begin(kind: str, make: Callable[[], Sequence[Asked]], *, with_pair: bool = True) -> None:
    """Request it; what is wrong with it is shown at its buttons.

    Args:
        make: gives what is asked, or raises a `SpecvizError` with what is wrong.
    """
    problem(kind, "")
    try:
        if with_pair:
            inputs.models()
        asked = make()
    except SpecvizError as error:
        problem(kind, str(error))
        return
    st.session_state[f"_study_before_{kind}"] = result(kind)
    stop(kind)
    pair = request_form.pair_asked() if with_pair else None
    sitting = Sitting(resources.jobs(), asked, pair, watched=visitor.watched(), visitor=visitor.name())
    st.session_state[_key(kind)] = sitting
    sitting.start()


def stop(kind: str) -> None:
    """End it; what was found so far stays."""
    sitting = _sitting(kind)
    if sitting is not None:
        sitting.stop()


def bar(
    kind: str,
    label: str,
    make: Callable[[], Sequence[Asked]],
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
    live = sitting is not None and not sitting.over
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
        if live and sitting is not None:
            going(sitting.standing, sitting.stop, sitting.bell, f"study-{kind}")
    _outcome(kind, sitting)


def going(
    standing: Callable[[], Standing | None],
    stop: Callable[[], None],
    bell: Bell,
    key: str,
    *,
    covered: Callable[[], bool] = bool,
) -> None:
    """Stop, for who began it, and how it goes on.

    Args:
        standing: where it stands; None when it is over: the page is then rendered again.
        bell: is rung when it stands elsewhere.
        covered: whether what is found is not on the page, so that it is not rendered again when there is more.
    """
    now = standing()
    if now is None:
        st.rerun()
    if now.visitor == visitor.name():
        st.button("Stop", icon=":material/stop:", key=f"{key}-stop", on_click=stop, disabled=now.stopping)
    with st.container(width="stretch"):
        followed(partial(_progress, standing, now.done, monotonic(), covered), bell, key)


def watch(recording: Callable[[], bytes], name: str) -> None:
    """Put a recording on the stage of Watch; what is wrong with it is shown instead."""
    try:
        session.open_recording(saved.read_upload(recording(), name))
    except SpecvizError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    st.switch_page(session.screens()[session.WATCH])


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
    failed = sitting is not None and sitting.status is Status.FAILED
    return failed or bool(st.session_state.get(_problem_of(kind)))


def problem(kind: str, sentence: str) -> None:
    """Show what is wrong, until this kind is asked for again."""
    st.session_state[_problem_of(kind)] = sentence


def _outcome(kind: str, sitting: Sitting | None) -> None:
    """What is wrong, or that it was stopped."""
    sentence = str(st.session_state.get(_problem_of(kind), "")) or (sitting.message if sitting else "")
    if sentence:
        st.error(plain(sentence), icon=":material/error:")
    elif sitting is not None and sitting.status is Status.CANCELLED:
        kept = "what was found until then is shown" if sitting.found else "nothing was found until then"
        st.info(plain(f"Stopped: {kept}."), icon=":material/info:")


def _progress(
    standing: Callable[[], Standing | None], drawn: int, drawn_at: float, covered: Callable[[], bool]
) -> None:
    now = standing()
    if now is None:
        st.rerun()
    st.progress(now.done / max(1, now.runs), text=plain(words.progress(now)))
    if now.done != drawn and monotonic() - drawn_at > _REDRAW_S and not covered():
        st.rerun()


def _sitting(kind: str) -> Sitting | None:
    found: Sitting | None = st.session_state.get(_key(kind))
    return found


def _key(kind: str) -> str:
    return f"_study_sitting_{kind}"


def _problem_of(kind: str) -> str:
    return f"_study_{kind}_problem"
