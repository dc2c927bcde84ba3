"""Other machines: profile this one, save the profile, load another's; and a run of here as if it had been made there."""

from functools import partial

import streamlit as st

from app import session, widget_state
from app.lab import answer, inputs, running
from app.lab.studies import profiles
from app.text import plain
from specviz.errors import InputError, SpecvizError
from specviz.lab.pricing import Priced, reprice
from specviz.lab.profile import Profile
from specviz.trace.files import dumps, loads
from specviz.trace.records import Trace

_RUN, _RECORDING, _UPLOAD, _PROBLEM = "_study_m_run", "_study_m_recording", "_study_m_upload", "_study_m_problem"
_TITLE = 40


def section() -> None:
    """The section."""
    st.markdown("**What would this run be on another machine?** The same rounds, at that machine's costs of passes.")
    profile = profiles.chooser()
    if profile is None:
        return
    profiles.about(profile)
    st.download_button(
        "Save this profile",
        partial(profiles.as_file, profile),
        "profile.json",
        "application/json",
        icon=":material/download:",
        key="profile-save",
        on_click="ignore",
    )
    runs = _runs()
    label = "Price an uploaded recording instead of a run of this visit"
    inputs.upload(_UPLOAD, label, _take, partial(st.session_state.__setitem__, _PROBLEM))
    if problem := str(st.session_state.get(_PROBLEM, "")):
        st.error(plain(problem), icon=":material/error:")
    if not runs:
        st.info(
            "There is no run yet: press Run on Watch, then come back; or upload a recording.", icon=":material/info:"
        )
        return
    name = inputs.choice(_RUN, "Run", [*runs], next(iter(runs)))
    traces, trusted = runs.get(name) or next(iter(runs.values()))
    _price(traces, profile, name, trusted=trusted)


def _runs() -> dict[str, tuple[tuple[Trace, ...], bool]]:
    """The recordings that can be priced, by their labels, the uploaded one first and then the latest; and whether their times are trusted."""
    found: dict[str, tuple[tuple[Trace, ...], bool]] = {}
    uploaded: tuple[str, tuple[Trace, ...]] | None = st.session_state.get(_RECORDING)
    if uploaded is not None:
        found[f"Uploaded: {uploaded[0]}"] = (uploaded[1], True)
    for run in reversed(session.visit().measured()):
        traces = run.traces()
        if len(traces) > 1 and run.figures is not None:
            title = " ".join(run.prompt.split())[:_TITLE]
            found[f"Run {run.number}: {title}"] = (traces, run.figures.trusted)
    return found


def _price(traces: tuple[Trace, ...], profile: Profile, name: str, *, trusted: bool) -> None:
    """The run at that machine's costs; every figure says so."""
    try:
        priced = reprice(traces[0], traces[1], profile)
    except SpecvizError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    rows = [
        {
            "": name,
            "seconds where it was recorded": _seconds(recorded),
            f"seconds, {priced.label}": _seconds(there),
        }
        for name, recorded, there in (
            ("plain decoding", traces[1], priced.plain),
            ("speculative", traces[0], priced.speculative),
        )
    ]
    notes = (
        f"{priced.label[:1].upper()}{priced.label[1:]}: the rounds are those of the run; a round that drafted n tokens costs n · c, and its check v(n + 1), as measured there",
        f"{profile.measured_by} {profile.measured_on}".strip(),
        "the time to read the prompt is left out",
    )
    if profile.disturbed:
        st.markdown(f"#### {plain(f'Busy: no figure, {priced.label}.')}")
    else:
        answer.show("other-machine", words(priced, trusted=trusted), rows, notes, None)
        st.dataframe(rows, hide_index=True)
    running.caption(*notes)
    if not profile.disturbed and st.button(
        "Open the priced run on Watch", icon=":material/visibility:", key="priced-watch"
    ):
        recording = dumps((priced.speculative, priced.plain)).encode()
        running.watch(lambda: recording, f"{name}, {priced.label}")


def words(priced: Priced, *, trusted: bool) -> str:
    """The two speedups in one sentence."""
    slower = " (slower than plain decoding)" if priced.speedup < 1 else ""
    recorded = (
        f"{priced.measured:.2f}× as recorded" if trusted else "no figure as recorded, because that machine was busy"
    )
    return f"{priced.speedup:.2f}×{slower}, {priced.label}; {recorded}."


def _seconds(trace: Trace) -> float:
    return round(trace.rounds[-1].ended_s, 3) if trace.rounds else 0.0


def _take(data: bytes, name: str) -> None:
    """Keep the recording of the file that was just chosen."""
    st.session_state[_RECORDING] = (name, _pair_of(loads(data), name))
    widget_state.put(_RUN, f"Uploaded: {name}")


def _pair_of(traces: tuple[Trace, ...], name: str) -> tuple[Trace, ...]:
    """Both runs of a recording.

    Raises:
        InputError: it has no plain run.
    """
    if len(traces) < 2:
        raise InputError(
            f"The recording {name!r:.80} has no plain run, so nothing can be compared: record one with it."
        )
    return traces
