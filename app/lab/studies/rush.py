"""Rush hour: many guests at once. What passes over their texts cost here, what speculation then gains, and a simulated server."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from app import run_description, session, widget_state
from app.lab import answer, inputs, pictures, running
from app.lab.studies import figures, profiles, texts
from app.text import plain
from specviz.errors import InputError
from specviz.lab import guests, service
from specviz.lab.guests import Best, Surface
from specviz.lab.profile import Profile
from specviz.lab.service import ServiceLoad
from specviz.lab.study import ServerAsked, ServerFound, TextsAsked, TextsFound
from specviz.request import PairAsked

_K, _TOKENS, _REQUESTS, _SEED = "_study_r_k", "_study_r_tokens", "_study_r_requests", "_study_r_seed"
_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9, 1.1)
"""Arrival rates, in shares of what plain decoding can serve."""
_CHART_PX = 340
_LATEST = "the latest run of this visit"


def section() -> None:
    """The section."""
    st.markdown("**How many guests at once does speculation still pay for, on this machine?**")
    profile = profiles.chooser()
    if profile is None:
        return
    profiles.about(profile)
    if not profile.target or not profile.draft:
        st.info(
            plain(
                f"The profile of {profile.name} has no passes over several texts: profile a machine whose models can read several at once."
            ),
            icon=":material/info:",
        )
        return
    surface = Surface(profile.target, profile.draft)
    _surface(surface, profile)
    live = running.is_live(running.TEXTS)
    known, how, pair = _alphas()
    with st.container():
        if pair is not None and pair.name != profile.pair:
            st.warning(
                plain(
                    f"Two pairs are mixed: α was measured with {run_description.models_asked(pair)}, and the profile's costs with {profile.pair}. "
                    "Choose the same models under “Models and settings” and measure α again, or profile this machine with them."
                ),
                icon=":material/warning:",
            )
        if not known:
            st.info("The next step needs α, measured: for every kind of text.", icon=":material/info:")
        if live or not known or _LATEST in known:  # while it runs, also after its first kinds: its bar notices its end
            texts.begin_kinds(controls=False, label="Measure α of every kind")
    running.rerun_if_over(running.TEXTS, live=live)
    if not known:
        return
    _guests(surface, profile, known, how)
    if not live:
        _server(surface, profile, known)


def _surface(surface: Surface, profile: Profile) -> None:
    lengths, most = surface.lengths, surface.most_guests
    alt = f"What passes over 1 to {most} texts with {lengths[0]} to {lengths[-1]} tokens of each cost."
    pictures.draw(figures.cost_surface(surface), "surface-chart", alt, height=280)
    running.caption(
        "Measured: median seconds of the target's pass, in passes over one token of one guest; an empty field was not measured",
        f"profile of {profile.name}, {profile.measured_on}",
    )


def _alphas() -> tuple[dict[str, float], str, PairAsked | None]:
    """α by kind of text, how it came about, and with which models; none where nothing was measured."""
    result = running.result(running.TEXTS)
    if result is not None:
        kinds = {each.kind.name: min(1.0, each.kind.alpha) for each in result.found if isinstance(each, TextsFound)}
        warm = next(each.settings.temperature for each in result.asked if isinstance(each, TextsAsked))
        how = f"α of {len(kinds)} kinds of text, measured in this visit at temperature {warm:g}"
        return kinds, how, result.pair
    for run in reversed(session.visit().measured()):
        if run.figures is not None and (rate := run.figures.acceptance_rate) is not None:
            return {_LATEST: rate}, f"α = {rate:.2f} of {_LATEST}", run.pair
    return {}, "", None


def _guests(surface: Surface, profile: Profile, known: Mapping[str, float], how: str) -> None:
    """The speedup by guests, and from how many on it does not pay."""
    mean = sum(known.values()) / len(known)
    lines = {f"mean of all, α {mean:.2f}" if len(known) > 1 else f"α {mean:.2f}": guests.table(surface, mean)}
    if len(known) > 1:
        for name in (max(known, key=lambda each: known[each]), min(known, key=lambda each: known[each])):
            lines[f"{name}, α {known[name]:.2f}"] = guests.table(surface, known[name])
    rows = next(iter(lines.values()))
    if not rows:
        st.info(
            "The profile has too few passes for a speedup: measure it again with more time.", icon=":material/info:"
        )
        return
    off, most = guests.switch_off(rows), rows[-1].guests
    words = (
        f"It pays for every measured number of guests, up to {most}: {rows[-1].speedup:.2f}× there."
        if off is None
        else f"Switch speculation off from {off} guest{'s' * (off > 1)} on."
    )
    notes = (
        "Calculated: the papers' formula at the best k for so many guests, with measured costs of passes",
        how,
        profile.label,
        f"measured up to {most} guests; beyond that nothing is said",
    )
    chart = partial(figures.guests, lines, off)
    if not profile.disturbed:
        answer.show(
            "rush-hour", words, [_row(kind, row) for kind, found in lines.items() for row in found], notes, chart
        )
    pictures.draw(chart(), "guests-chart", words, height=_CHART_PX)
    running.caption(*notes)


def _row(kind: str, row: Best) -> dict[str, object]:
    return {"text": kind, "guests": row.guests, "best k": row.k, "speedup (calculated)": round(row.speedup, 3)}


# ------------------------------------------------------------------ the simulated server


def _server(surface: Surface, profile: Profile, known: Mapping[str, float]) -> None:
    most_k = next((k for k in range(surface.lengths[-1] - 1, 0, -1) if surface.room_for(k)), 0)
    if most_k == 0:
        return
    st.markdown("**A toy server in rush hour** (simulated)")

    def numbers() -> None:
        inputs.number(_K, min(4, most_k), "Draft length k", 1, most_k)
        inputs.number(_TOKENS, 64, "Tokens of a request", 1, 512)
        inputs.number(_REQUESTS, 200, "Requests", 10, 2000)
        inputs.number(_SEED, 0, "Seed", 0, 999_999)

    make = partial(_asked, surface, known, most_k)
    running.bar(running.SERVER, "Simulate", make, with_pair=False, numbers=numbers)
    result = running.result(running.SERVER)
    if result is None:
        return
    asked = next(each for each in result.asked if isinstance(each, ServerAsked))
    load, rows = asked.load, [row for each in result.found if isinstance(each, ServerFound) for row in each.rows]
    if asked.target != profile.target:
        st.info("The simulation below is of another profile: press Simulate.", icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    for column, what, words in ((left, "latency_s", "Mean latency"), (right, "tokens_per_s", "Throughput")):
        with column:
            st.markdown(f"{words}, **{service.LABEL}**")
            alt = f"{words} of the simulated server by arrival rate: off, on, adaptive and routed."
            pictures.draw(figures.server(rows, what), f"server-{what}", alt, height=_CHART_PX)
    running.caption(
        f"Simulated, seed {load.seed}: {load.requests} requests of {load.tokens} tokens at random moments, at most {load.room} guests in "
        f"the batch, k = {load.k}, kinds of text with equal probability ({', '.join(load.alphas)}); costs of passes as measured",
        *(f"{mode}: {meaning}" for mode, meaning in service.MODES.items()),
    )


def _asked(surface: Surface, known: Mapping[str, float], most_k: int) -> list[ServerAsked]:
    """What is simulated.

    Raises:
        InputError: so few passes were measured that no guest can draft.
    """
    k = min(widget_state.value(_K, 4), most_k)
    room, tokens = surface.room_for(k), widget_state.value(_TOKENS, 64)
    one = surface.pass_s(room, 1) if room else None
    if one is None:
        raise InputError(f"k was {k}: the profile has no passes for it; choose a smaller one.")
    full = room / one / tokens
    loads = [
        ServiceLoad(
            float(f"{share * full:.3g}"),
            tokens,
            widget_state.value(_REQUESTS, 200),
            known,
            k,
            room,
            widget_state.value(_SEED, 0),
        )
        for share in _SHARES
    ]
    return [ServerAsked(surface.target, surface.draft, load) for load in loads]
