"""The cost profiles of a visit: measured here, or loaded from a file; and those that come with specviz."""

from functools import cache, partial

import streamlit as st

from app import widget_state
from app.lab import inputs, running
from app.text import plain
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.lab.profile import Profile, profile_in, text_of
from specviz.lab.study import ProfileAsked

_NAME, _BY, _CHOSEN = "_study_machine", "_study_by", "_study_profile"
_KEPT, _UPLOAD, _TAKEN = "_study_profiles", "_study_p_upload", "_study_p_taken"
_SWEEPS, _LIMIT_S = 5, 40.0
_LONGEST = 80
_MOST_KEPT = 8


def chooser() -> Profile | None:
    """Measure this machine, load a file, choose among all that there are; returns the one that is chosen."""
    live = running.is_live(running.PROFILE)
    _take_measured()
    kept = _kept()
    offered = {**kept, **_shipped()}
    if offered:
        inputs.choice(_CHOSEN, "Cost profile", [*offered], next(iter(offered)), width=420)
    unfolded = not offered or running.is_live(running.PROFILE) or running.has_problem(running.PROFILE)
    with st.expander("Profile this machine, or load a profile", expanded=unfolded):
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            widget_state.show(
                _NAME, "", partial(st.text_input, "Name of this machine", placeholder="its processor", width=240)
            )
            widget_state.show(_BY, "", partial(st.text_input, "Measured by", placeholder="a visitor", width=180))
        running.bar(running.PROFILE, "Profile this machine", _asked, primary=not kept)
        label = "or load a profile: a JSON file of this page or of `specviz profile`"
        inputs.upload(_UPLOAD, label, _take, partial(running.problem, running.PROFILE), max_upload_size=1)
    running.rerun_if_over(running.PROFILE, live=live)
    chosen = widget_state.value(_CHOSEN, next(iter(offered), ""))
    return offered.get(chosen) or next(iter(offered.values()), None)


def about(profile: Profile) -> None:
    """Who measured it, where and when; and that it cannot be trusted where that is so."""
    if profile.disturbed:
        st.warning(
            plain(
                f"Busy: {profile.disturbed}. The costs of this profile are no figures: profile the machine again when it is idle."
            ),
            icon=":material/warning:",
        )
    running.caption(
        f"Profile of {profile.name}",
        f"measured by {profile.measured_by} {profile.measured_on}".rstrip(),
        profile.about,
        f"of {' and '.join(profile.models)}",
        f"a pass over one token {profile.pass_s * 1e3:.2f} ms, c = {profile.c:.3f}, {profile.dtype}",
    )


def as_file(profile: Profile) -> bytes:
    """The profile as a file that `chooser` and `specviz profile` read."""
    return text_of(profile).encode()


def _asked() -> list[ProfileAsked]:
    """What is measured.

    Raises:
        InputError: a name cannot be.
    """
    name, by = widget_state.value(_NAME, "").strip(), widget_state.value(_BY, "").strip() or "a visitor"
    for text in (name, by):
        if len(text) > _LONGEST or not text.isprintable():
            raise InputError(f"A name was {text!r:.60}: give at most {_LONGEST} printable characters.")
    return [ProfileAsked(name, by, _SWEEPS, _LIMIT_S)]


def _take_measured() -> None:
    """Keep what was just measured."""
    result = running.result(running.PROFILE)
    made = None if result is None else result.found[0]
    if isinstance(made, Profile) and st.session_state.get(_TAKEN) is not made:
        st.session_state[_TAKEN] = made
        _keep(f"{made.name}, measured here", made)


def _keep(label: str, profile: Profile) -> None:
    kept = _kept()
    kept.pop(label, None)
    st.session_state[_KEPT] = {label: profile, **dict([*kept.items()][: _MOST_KEPT - 1])}
    widget_state.put(_CHOSEN, label)


def _kept() -> dict[str, Profile]:
    """The profiles of the visit by their labels, the latest first."""
    found: dict[str, Profile] = st.session_state.setdefault(_KEPT, {})
    return found


@cache
def _shipped() -> dict[str, Profile]:
    """Those that come with specviz, by their labels: each says who measured what, and when."""
    found = (profile_in(file.read_bytes(), file.name) for file in sorted((ASSETS / "profiles").glob("*.json")))
    return {f"{profile.name}, comes with specviz": profile for profile in found}


def _take(data: bytes, name: str) -> None:
    """Keep the profile of the file that was just chosen."""
    profile = profile_in(data, name)
    _keep(f"{profile.name}, from {name}", profile)
