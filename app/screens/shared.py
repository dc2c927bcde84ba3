"""What the screens share: the prompt with the ready-made prompts, the settings, the sentence when something is wrong."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from app import limits, pairs, request_form, run_description, session, widget_state
from app.player.k_curve import k_curve
from app.screens import look, models, strip
from app.text import plain
from specviz import hosting
from specviz.decoding.drafters import registry
from specviz.errors import InputError, PairError
from specviz.model_choice import heads_here
from specviz.reporting.player import wording
from specviz.reporting.prompts import first_prompt
from specviz.request import PairAsked, Request
from specviz.setting_labels import (
    AUTO_DRAFTER,
    GROUPS,
    LOSSY,
    POLICIES,
    RULES,
    SIBLINGS,
    SettingLabel,
    explained,
    planned,
)
from specviz.settings import AUTO, RANGES, Settings, check_prompt
from specviz.trace.files import from_json
from specviz.trace.plan import Plan
from specviz.wire import RunPrompt


def draft_length() -> None:
    """The slider for the draft length."""
    _open_slider("k", "Draft length k", "Tokens drafted per round.")


def sidebar(length: Callable[[], None] = draft_length) -> None:
    """Pair and settings, folded away until somebody wants them; each in a container of its own, so that none moves another when its size
    changes. `length` renders the draft length, or nothing where the screen has it elsewhere."""
    look.wear()
    with st.sidebar:
        for part in (models.picker, models.load_status, partial(_settings, length)):
            with st.container():
                part()


def problem() -> None:
    """Why a run was not started, and what in the address the page does not have; in another colour, what is nobody's mistake."""
    for sentence in filter(None, (session.problem(), session.refused_link(), strip.problem())):
        st.error(plain(sentence), icon=":material/error:")
    if session.notice():
        st.info(plain(session.notice()), icon=":material/info:")


def prompt_box(run: Callable[[], None], more: Callable[[], None] = lambda: None) -> None:
    """The prompt, Run and Stop beside it, the ready-made prompts below; `more` renders the rest of their row."""
    with st.container(key="prompt-box"):
        box, buttons = st.columns([6, 2.5], vertical_alignment="top", gap="small")
        with box:
            prompt_text()
        with buttons, st.container(horizontal=True, gap="xsmall"):
            run_and_stop(run, "stretch")
            _length_beside_run()

    def end() -> None:
        changed()
        remembers()
        st.space("stretch")
        more()

    with st.container(key="ready-prompts"):
        ready_made(end)


def folded_prompt_box(controls: Callable[[], None], more: Callable[[], None] = lambda: None) -> None:
    """The same for a talk, in one line: the prompt unfolds, with `more` under it; `controls` are the buttons beside it."""
    with st.container(key="talk-bar", horizontal=True, gap="small", vertical_alignment="center"):
        with st.container(key="prompt-box", horizontal=True, gap="small", vertical_alignment="center", width="content"):
            with st.popover("Prompt", icon=":material/edit:", width="content"):
                prompt_text()
                with st.container(key="ready-prompts"):
                    ready_made()
                more()
            controls()
        changed()
        st.space("stretch")
        _other_screen()
        leave, icon = partial(session.set_talk, False), ":material/close_fullscreen:"
        st.button("Leave talk", key="leave-talk", icon=icon, on_click=leave)


def _other_screen() -> None:
    """The way from Watch to Race within a talk, and back; Learn has a talk of its own."""
    for title, screen in session.screens().items():
        if title not in (session.screen(), session.LEARN):
            st.page_link(screen, label=title, icon=screen.icon, query_params=st.query_params.to_dict())


def changed() -> None:
    """That the stage does not show what the page says, and what differs."""
    try:
        now = request_form.request()
    except InputError:
        return
    differs = run_description.changes(session.basis(now), now) + ["another third lane"] * session.other_third_lane(now)
    if differs:
        with st.container(key="changed", width="content"):
            st.markdown(
                f":orange-badge[:material/sync: Settings changed: press {session.start_word()}]",
                help=f"The next run has {'; '.join(plain(each) for each in differs)}.",
            )


def remembers() -> None:
    """How many texts of this visit the next run may copy from, and a button that forgets them; nothing for drafters that copy from none."""
    try:
        now = request_form.request()
    except InputError:
        return
    count = session.remembered(now, request_form.rival_asked(now) if session.screen() == session.RACE else None)
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
    run = session.job()
    if run is not None:
        models_said, settings, plan = run_description.models_asked(run.request.pair), run.ran.settings, run.plan
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


def begin_talk(meaning: str) -> None:
    """The button that hides everything but what is shown to a room."""
    st.button(
        "Talk mode",
        icon=":material/co_present:",
        help=meaning,
        on_click=session.set_talk,
        args=(True,),
    )


def run_and_stop(run: Callable[[], None], width: Literal["stretch", "content"]) -> None:
    """The two buttons."""
    st.button("Run", type="primary", icon=":material/play_arrow:", on_click=run, width=width)
    st.button("Stop", icon=":material/stop:", on_click=session.stop, disabled=not session.stoppable(), width=width)


def prompt_text() -> None:
    """The box for the prompt."""
    widget_state.show(
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
    """Prompts by category, each with a sentence on what to look for while the settings are those it was checked at; `end` renders the end of their row."""
    prompts = pairs.ready()
    chosen = next((ready for ready in prompts if ready.text == request_form.prompt()), None)
    kinds = {ready.category: ready.kind for ready in prompts}
    known = [*kinds]
    usual = chosen.category if chosen else next(iter(kinds))

    def label(category: str) -> str:
        kind = f" ({kinds[category]})" if kinds[category] else ""
        return f"{category[0].upper()}{category[1:]}{kind}"

    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        category = widget_state.show(
            session.CATEGORY,
            usual,
            lambda now, **bound: st.selectbox(
                "Kinds of prompts",
                known,
                index=known.index(now if now in known else usual),
                format_func=label,
                label_visibility="collapsed",
                width=240,
                **bound,
            ),
        )
        for ready in prompts:
            if ready.category == category:
                st.button(
                    ready.title,
                    key=f"ready-{ready.title}",
                    help=request_form.hint(ready) or None,
                    on_click=request_form.choose_prompt,
                    args=(ready.text,),
                    type="tertiary",
                )
        end()
    models.own_prompt_line()


def asked() -> Request | None:
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


def _refusal(pair: PairAsked, drafter: str) -> str:
    """Why models of a visitor's own cannot make this run, as far as it is known before they are loaded; "" if they can."""
    try:
        heads = heads_here(None, pair.head)
    except PairError as error:
        return str(error)
    return registry.refusal(drafter, pair.target or "", draft=bool(pair.draft), heads=heads)


def picker(
    label: str,
    options: Sequence[str],
    name: str,
    default: str | None,
    label_of: Callable[[str], str],
    *,
    meaning: str | None = None,
    placeholder: str | None = None,
    label_visibility: Literal["visible", "collapsed"] = "visible",
) -> None:
    """One of several names, shown by their labels; the address has the name (`session.write_address`). Without a default nothing need be chosen."""
    widget_state.show(
        name,
        default,
        lambda now, **bound: st.selectbox(
            label,
            options,
            index=options.index(now) if now in options else None if default is None else options.index(default),
            format_func=label_of,
            help=meaning,
            placeholder=placeholder,
            label_visibility=label_visibility,
            **bound,
        ),
    )


def _length_beside_run() -> None:
    """The draft length as a button that shows it, and opens its slider with what each length is predicted to bring."""
    now = widget_state.value("k", request_form.usual().k)
    meaning = "Draft length: tokens drafted per round, and what each is predicted to bring."
    with st.popover(f"k = {wording.number(now)}", help=meaning, width="stretch"):
        draft_length()
        k_curve(now)


def _settings(length: Callable[[], None] = draft_length) -> None:
    st.subheader("Settings", anchor=False)
    with st.container():
        _drafter(length)
    _slider("temperature", "Temperature", "0 always takes the most likely token.")
    left, right = st.columns(2)
    with left:
        _number("top_k", "Top-k", "Keep only the k most likely tokens; 0 keeps all.")
        _number("max_new_tokens", "Length", "The largest number of new tokens.")
    with right:
        _number("top_p", "Top-p", "Keep the most likely tokens up to this sum of probabilities.")
        _number("seed", "Seed", "The same seed gives the same text.")
    with st.expander("Shared noise and acceptance rule"):
        _rule()


def _slider(name: str, label: str, meaning: str) -> None:
    """A slider for a setting, over its range."""
    low, high = RANGES[name].offered
    usual = getattr(request_form.usual(), name)
    step = RANGES[name].step
    widget_state.show(name, usual, lambda now, **bound: st.slider(label, low, high, now, step, help=meaning, **bound))


def _open_slider(name: str, label: str, meaning: str) -> None:
    """A slider for a number that may be left to specviz."""
    usual = getattr(request_form.usual(), name)
    low, high = (int(end) for end in RANGES[name].offered)
    widget_state.show(
        name,
        usual,
        lambda now, **bound: st.select_slider(
            label,
            [0, *range(low, high + 1)],
            now,
            format_func=lambda number: str(number or AUTO),
            help=f"{meaning} “{AUTO}”: what is fastest by what passes cost here and how often guesses are right.",
            **bound,
        ),
    )


def _left(name: str) -> bool:
    """Whether this number is left to specviz together with the drafter."""
    return request_form.drafter() == AUTO and not widget_state.value(name, getattr(request_form.usual(), name))


def _number(name: str, label: str, meaning: str) -> None:
    """A box with a number for a setting, within its range, and what the host of the server allows."""
    low, high = RANGES[name].offered
    most = hosting.current().most_tokens
    if name == "max_new_tokens" and most is not None:
        high = most
    usual = getattr(request_form.usual(), name)
    step = RANGES[name].step
    widget_state.show(
        name, usual, lambda now, **bound: st.number_input(label, low, high, now, step, help=meaning, **bound)
    )


def _drafter(length: Callable[[], None]) -> None:
    """The drafter, and the settings that it takes; the numbers that are left to specviz only where the drafter is not left to it too."""
    known, able = registry.descriptions(), request_form.drafters()
    groups = {
        group: meaning for group, meaning in GROUPS.items() if any(known[name].group == group for name in able[1:])
    }
    picker("Drafter", able, request_form.DRAFTER, AUTO, wording.listed, meaning=f"What drafts. {explained(groups)}")
    chosen = known.get(request_form.drafter())
    st.caption(chosen.explanation if chosen else AUTO_DRAFTER.explanation)
    if not _left("k"):
        length()
    if (chosen is None or chosen.shape == "tree") and not _left("nodes"):
        meaning = "The largest number of drafted tokens per round. The tree is at most k deep."
        _open_slider("nodes", "Tokens in the tree", meaning)
    meaning = (
        f"How the tokens that follow the same token are chosen above temperature 0. {explained(SIBLINGS)} All three keep the "
        "target's distribution. At temperature 0 and with shared noise they are always the top n."
    )
    siblings = chosen.siblings if chosen else ()
    _choice("Siblings in the tree", SIBLINGS, siblings, request_form.CHILDREN, request_form.usual().children, meaning)
    _choice("Draft length policy", POLICIES, request_form.policies(), request_form.POLICY, AUTO, explained(POLICIES))
    if request_form.policy() == "confidence":
        _slider("threshold", "Confidence threshold", "The draft's own probability of a token, at temperature 1.")


def _rule() -> None:
    """Randomness and the rule: the exact rule keeps the target's distribution, the others are labelled as lossy."""
    meaning = (
        "Above temperature 0, draft and target choose with the same random noise at the same position: both lanes write the "
        "same text with every drafter, and still follow the target's distribution. At temperature 0 there is no noise to share."
    )
    widget_state.show(
        "shared_noise", request_form.usual().shared_noise, partial(st.toggle, "Shared noise", help=meaning)
    )
    rules = request_form.rules()
    meaning = f"{explained(RULES)} The lossy rules need a temperature above 0."
    _choice("Acceptance rule", RULES, rules, request_form.RULE, request_form.usual().rule, meaning)
    if len(rules) > 1 and request_form.rule() == "lenient":
        _slider("lenience", "Lenience", "1 is as strict as the exact rule, near 0 accepts nearly everything.")
    if len(rules) > 1 and request_form.rule() != request_form.usual().rule:
        st.warning(f"{LOSSY}: the text is no longer what the target alone would write.", icon=":material/warning:")


def _choice(
    label: str, known: dict[str, SettingLabel], offered: Sequence[str], name: str, default: str, meaning: str
) -> None:
    """A picker for the choices that the drafter takes; nothing where it leaves none."""
    if len(offered) > 1:
        picker(label, offered, name, default, lambda one: known[one].label, meaning=meaning)
