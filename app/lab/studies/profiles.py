"""The cost profiles of a visit: measured here, or loaded from a file; and those that come with specviz."""

from functools import cache, partial

import streamlit as st

from app import widget_state
from app.lab.studies import running
from app.text import plain
from specviz.errors import InputError, ProfileError
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
        widget_state.show(
            _CHOSEN,
            next(iter(offered)),
            lambda now, **bound: st.selectbox(
                "Cost profile", [*offered], index=[*offered].index(now) if now in offered else 0, width=420, **bound
            ),
        )
    unfolded = not offered or running.is_live(running.PROFILE) or running.has_problem(running.PROFILE)
    with st.expander("Profile this machine, or load a profile", expanded=unfolded):
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            widget_state.show(
                _NAME, "", partial(st.text_input, "Name of this machine", placeholder="its processor", width=240)
            )
            widget_state.show(_BY, "", partial(st.text_input, "Measured by", placeholder="a visitor", width=180))
        running.bar(running.PROFILE, "Profile this machine", _asked, primary=not kept)
        st.file_uploader(
            "or load a profile: a JSON file of this page or of `specviz profile`",
            key=_upload_key(),
            on_change=_take_upload,
            max_upload_size=1,
        )
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


def _asked() -> ProfileAsked:
    """What is measured.

    Raises:
        InputError: a name cannot be.
    """
    name, by = widget_state.value(_NAME, "").strip(), widget_state.value(_BY, "").strip() or "a visitor"
    for text in (name, by):
        if len(text) > _LONGEST or not text.isprintable():
            raise InputError(f"A name was {text!r:.60}: give at most {_LONGEST} printable characters.")
    return ProfileAsked(name, by, _SWEEPS, _LIMIT_S)


def _take_measured() -> None:
    """Keep what was just measured."""
    found = running.result(running.PROFILE)
    if found is None or not isinstance(found.found, Profile) or st.session_state.get(_TAKEN) is found.found:
        return
    st.session_state[_TAKEN] = found.found
    _keep(f"{found.found.name}, measured here", found.found)


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


def _take_upload() -> None:
    """Keep the profile of the file that was just chosen, or say what is wrong with it."""
    file = st.session_state.get(_upload_key())
    if file is None:
        return
    running.problem(running.PROFILE, "")
    try:
        profile = profile_in(file.getvalue(), file.name)
    except ProfileError as error:
        running.problem(running.PROFILE, str(error))
    else:
        _keep(f"{profile.name}, from {file.name}", profile)
    st.session_state[_UPLOAD] = st.session_state.get(_UPLOAD, 0) + 1


def _upload_key() -> str:
    """A new one for every file, so that none is kept once it was read."""
    return f"{_UPLOAD}-{st.session_state.get(_UPLOAD, 0)}"
