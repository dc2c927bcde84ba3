"""What the screens share: the prompt with its ready-made ones, the pair, the settings, the sentence when something is wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from app import drafting, session
from app.jobs import Status
from app.polling import polled
from app.screens import strip
from app.text import plain
from specviz.errors import InputError
from specviz.offers import EMBEDDED, FAMILY, names
from specviz.settings import MAX_DRAFT_LENGTH, MAX_NEW_TOKENS, MAX_NODES, check_prompt

BIND: Final = "query-params"
_POLL_S = 0.4


def sidebar() -> None:
    """Pair and settings, each in a container of its own, so that none moves another when it grows or shrinks."""
    with st.sidebar:
        for part in (_pair_picker, _load_status, _settings):
            with st.container():
                part()


def problem() -> None:
    """What kept a run from being asked for, and what the address asks for in vain."""
    for sentence in filter(None, (session.problem(), strip.problem())):
        st.error(plain(sentence), icon=":material/error:")


def prompt_box(run: Callable[[], None], more: Callable[[], None] = lambda: None) -> None:
    """The prompt, Run and Stop beside it, the ready-made prompts below; `more` writes what else stands in their row."""
    with st.container(key="prompt-box"):
        box, buttons = st.columns([4, 1], vertical_alignment="center", gap="small")
        with box:
            prompt_text()
        with buttons, st.container(horizontal=True, gap="xsmall"):
            run_and_stop(run, "stretch")
    with st.container(key="ready-prompts"):
        ready_made(more)


def folded_prompt_box(controls: Callable[[], None], more: Callable[[], None] = lambda: None) -> None:
    """The same for a talk, in one line: the prompt unfolds, and `more` under it; `controls` are the buttons beside it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        with st.container(key="prompt-box", horizontal=True, gap="small", vertical_alignment="center", width="content"):
            with st.popover("Prompt", icon=":material/edit:", width=150):
                prompt_text()
                with st.container(key="ready-prompts"):
                    ready_made()
                more()
            controls()
        st.button("Leave talk", icon=":material/close_fullscreen:", on_click=session.set_talk, args=(False,))


def begin_talk(meaning: str) -> None:
    """The button that leaves everything away but what is shown to a room."""
    st.button(
        "Talk",
        icon=":material/co_present:",
        help=meaning,
        on_click=session.set_talk,
        args=(True,),
        type="tertiary",
    )


def run_and_stop(run: Callable[[], None], width: Literal["stretch", "content"]) -> None:
    """The two buttons."""
    st.button("Run", type="primary", icon=":material/play_arrow:", on_click=run, width=width)
    st.button("Stop", icon=":material/stop:", on_click=session.stop, disabled=not session.live(), width=width)


def prompt_text() -> None:
    """The box the prompt is written in."""
    st.session_state.setdefault(session.PROMPT, session.FIRST_PROMPT)
    st.text_area(
        "Prompt",
        key=session.PROMPT,
        height=68,
        bind=BIND,
        placeholder="Write the beginning of a text",
        label_visibility="collapsed",
    )


def ready_made(more: Callable[[], None] = lambda: None) -> None:
    """Prompts by category, each with a word on what to look for; `more` writes what stands at the end of their row."""
    prompts = session.ready_prompts()
    chosen = next((ready for ready in prompts if ready["prompt"] == session.prompt()), None)
    kinds = {ready["category"]: ready["kind"] for ready in prompts}
    st.session_state.setdefault(session.CATEGORY, chosen["category"] if chosen else next(iter(kinds)))

    def label(category: str) -> str:
        return f"{category} · {kinds[category]}"

    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        category = st.selectbox(
            "Kinds of prompts",
            [*kinds],
            key=session.CATEGORY,
            format_func=label,
            label_visibility="collapsed",
            persist_state="session",
            width=240,
        )
        for ready in prompts:
            if ready["category"] == category:
                st.button(
                    ready["title"],
                    key=f"ready-{ready['title']}",
                    help=ready["look_for"],
                    on_click=session.choose_prompt,
                    args=(ready["prompt"],),
                    type="tertiary",
                )
        st.space("stretch")
        more()


def asked() -> dict[str, Any] | None:
    """What stands on the page, as `Runs.run` takes it; None where it cannot be run, and then the page says why."""
    session.set_problem("")
    try:
        check_prompt(session.prompt())
        settings = session.settings()
    except InputError as error:
        session.set_problem(str(error))
        return None
    pair = session.pair_asked()
    if not all(pair.get(role, "given") for role in ("target", "draft")):
        session.set_problem("A model is missing: name a target and a draft, each by hub id or folder.")
        return None
    chosen = {name: getattr(settings, name) for name in settings.__slots__}
    return {
        "pair": pair,
        "prompt": session.prompt(),
        "settings": chosen,
        "template": session.template(),
        "watched": session.watched(),
    }


def _pair_picker() -> None:
    st.subheader("Models", anchor=False)
    seen = {row["name"]: row for row in session.runs().listings().listings or []}
    options = [*names(), session.OTHER]

    def label(name: str) -> str:
        row = seen.get(name)
        if row is None:
            return name
        if name in FAMILY:
            return name if name == EMBEDDED else f"{name} · {row['note']}"
        return f"{name} · {row['bytes'] / 1e9:.1f} GB · {'fits' if row['fits'] else 'too large here'}"

    chosen = st.selectbox("Pair", options, key=session.PAIR, format_func=label, bind=BIND)
    if chosen == session.OTHER:
        st.text_input("Target", key=session.TARGET, placeholder="hub id or folder", bind=BIND)
        st.text_input("Draft", key=session.DRAFT, placeholder="hub id or folder, same tokenizer", bind=BIND)
    with st.expander("Device and number format"):
        st.selectbox("Device", ["auto", "cpu", "cuda"], key=session.DEVICE, bind=BIND)
        st.selectbox("Number format", ["auto", "float32", "bfloat16"], key=session.DTYPE, bind=BIND)
        st.toggle("Use the chat template, if the model has one", value=True, key=session.TEMPLATE, bind=BIND)


def _load_status() -> None:
    """How the chosen pair stands: a button to load it, or what its load is doing, polled until it is over."""
    loading = session.loading()
    with st.container():
        if loading is None:
            st.button("Load", on_click=session.load, width="stretch", icon=":material/download:")
    waiting = not _settled()
    with st.container():
        polled(partial(_show_load, waiting=waiting), _POLL_S if waiting else None)


def _settled() -> bool:
    """Whether both the load and the list of pairs have come, or failed; a run goes on long after its pair has been loaded."""
    return all(job is None or job.over or job.card for job in (session.loading(), session.runs().listings()))


def _show_load(*, waiting: bool) -> None:
    """What the load is doing; when it and the list of pairs have come, the page settles."""
    loading = session.loading()
    if loading is None:
        st.caption("Not loaded yet: press Load, or Run.")
    else:
        _say_load(session.runs().standing(loading))
    if waiting and _settled():
        st.rerun()


def _say_load(standing: dict[str, Any]) -> None:
    card = standing["card"]
    if card is not None:
        target, draft = card["target"], card["draft"]
        st.caption(
            f"**Target** {_size(target)}, {target['layers']} layers · **draft** {_size(draft)}, {draft['layers']} "
            f"{'layer' if draft['layers'] == 1 else 'layers'} · {card['dtype']} on {card['device']} · plain decoding "
            f"measured at load: {standing['plain_rate']:.0f} tokens a second"
        )
    elif standing["status"] is Status.FAILED:
        st.error(plain(standing["message"]), icon=":material/error:")
    elif standing["status"] is Status.CANCELLED:
        st.caption(plain(standing["message"]))
    else:
        place = f"waiting in line, {standing['place']} before you" if standing["place"] else ""
        what = place or standing["what"] or "starting the engine"
        st.progress(standing["share"] or 0.0, text=plain(what.capitalize()) + " …")


def _size(model: dict[str, int]) -> str:
    millions = model["parameters"] / 1e6
    return f"{millions / 1e3:.1f} B" if millions >= 1000 else f"{millions:.1f} M"


def _settings() -> None:
    st.subheader("Settings", anchor=False)
    st.slider("Draft length k", 1, MAX_DRAFT_LENGTH, 5, key=session.K, bind=BIND, help="Tokens drafted a round.")
    with st.container():
        _drafter()
    st.slider(
        "Temperature",
        0.0,
        2.0,
        0.0,
        0.1,
        key=session.TEMPERATURE,
        bind=BIND,
        help="0 always takes the likeliest token.",
    )
    left, right = st.columns(2)
    with left:
        st.number_input(
            "Top-k", 0, 1000, 0, key=session.TOP_K, bind=BIND, help="Keep only so many tokens; 0 keeps all."
        )
        st.number_input("Length", 1, MAX_NEW_TOKENS, 64, key=session.LENGTH, bind=BIND, help="New tokens at most.")
    with right:
        st.number_input(
            "Top-p", 0.05, 1.0, 1.0, 0.05, key=session.TOP_P, bind=BIND, help="Keep the likeliest up to this sum."
        )
        st.number_input("Seed", 0, 2**31, 0, key=session.SEED, bind=BIND, help="Same seed, same text.")
    with st.expander("Shared noise and acceptance rule"):
        _rule()


def _drafter() -> None:
    """Who drafts, and what this way of drafting asks for."""
    _choice("Drafter", drafting.DRAFTERS, session.DRAFTER, drafting.DRAFTERS_HELP)
    if session.drafter() == "tree":
        st.slider(
            "Tokens in the tree",
            1,
            MAX_NODES,
            12,
            key=session.NODES,
            bind=BIND,
            help="The most guesses a round. The tree is at most k deep.",
        )
        _choice("Guesses at one place", drafting.CHILDREN, session.CHILDREN, drafting.CHILDREN_HELP)
    if session.drafter() in drafting.WITH_POLICY:
        _choice("When the draft stops", drafting.POLICIES, session.POLICY, drafting.POLICIES_HELP)
        if session.policy() == "confidence":
            st.slider(
                "Unsure below",
                0.0,
                1.0,
                0.4,
                0.05,
                key=session.THRESHOLD,
                bind=BIND,
                help="The draft's own probability of a token, at temperature 1.",
            )


def _rule() -> None:
    """What chance and the rule do: the exact rule keeps the target's distribution, the others say that they do not."""
    st.toggle("Shared noise", key=session.NOISE, bind=BIND, help=drafting.NOISE_HELP)
    _choice("Acceptance rule", drafting.RULES, session.RULE, drafting.RULES_HELP)
    if session.rule() == "lenient":
        st.slider(
            "Lenience",
            0.05,
            1.0,
            0.5,
            0.05,
            key=session.LENIENCE,
            bind=BIND,
            help="1 asks as much as the exact rule, near 0 accepts nearly everything.",
        )
    if session.rule() != "exact":
        st.warning("LOSSY: the text is no longer what the target alone would write.", icon=":material/warning:")


def _choice(label: str, words: dict[str, str], key: str, meaning: str) -> None:
    """One of several, by its words; the address has the words too."""
    st.selectbox(label, [*words], format_func=words.__getitem__, key=key, bind=BIND, help=meaning)
