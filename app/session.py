"""What one visitor has chosen and what all visitors share: the only file that names session_state keys.

Settings and prompt live in the page's address too: each widget is bound to the query parameter of its key.
"""

import gc
import json
from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app import drafting, saved
from app.jobs import Job, Runs
from app.visit import Visit
from specviz.folders import ASSETS
from specviz.offers import EMBEDDED, FAMILY
from specviz.settings import Settings

OTHER = "other models"

PROMPT, PAIR, TARGET, DRAFT, DEVICE, DTYPE, TEMPLATE = (
    "prompt",
    "pair",
    "target",
    "draft",
    "device",
    "dtype",
    "template",
)
K, TEMPERATURE, TOP_K, TOP_P, LENGTH, SEED = "k", "temperature", "top_k", "top_p", "length", "seed"
DRAFTER, NODES, CHILDREN, POLICY, THRESHOLD = "drafter", "nodes", "siblings", "stops", "threshold"
NOISE, RULE, LENIENCE = "noise", "rule", "lenience"
RIVAL, TALK, HIDE = "third", "talk", "hide"
_JOB, _RIVAL_JOB, _VISIT, _LOADING, _PROBLEM = "_job", "_rival_job", "_visit", "_loading", "_problem"
CATEGORY, TABLE = "_category", "_table"
SHARE, _RECORDING, _UPLOAD, _OPENED = "_share", "_recording", "_upload", "_opened"

FIRST_PROMPT = "The capital of Burkina Faso is"


def asset(name: str) -> str:
    """The path of a file that comes with the project."""
    return str(ASSETS / name)


@st.cache_resource(max_entries=1, show_spinner=False, on_release=Runs.close)
def runs() -> Runs:
    """The one queue and engine process of this server.

    It is begun when all modules have been imported, and what they hold is then taken out of the garbage collector's rounds: Streamlit makes
    it go through everything behind every writing of the page and every poll, which kept each of them for a tenth of a second.
    """
    gc.collect()
    gc.freeze()
    return Runs()


@st.cache_data(show_spinner=False)
def ready_prompts() -> list[dict[str, str]]:
    """The ready-made prompts: title, category, kind, prompt, look_for."""
    prompts: list[dict[str, str]] = json.loads((ASSETS / "prompts.json").read_text(encoding="utf-8"))
    return prompts


@st.cache_data(show_spinner=False)
def shipped() -> dict[str, str]:
    """The recordings that come with the project: file -> title."""
    return saved.shipped()


@st.cache_resource(max_entries=1, show_spinner=False)
def first_recording() -> saved.View:
    """What is shown before the first run of a visit."""
    return saved.read_shipped("capital.json")


def pair_asked() -> dict[str, Any]:
    """The pair as the picker stands, as `load_pair` takes it."""
    state = st.session_state
    chosen = state.get(PAIR, EMBEDDED)
    where = {"device": state.get(DEVICE, "auto"), "dtype": state.get(DTYPE, "auto")}
    if chosen == OTHER:
        return {"target": state.get(TARGET, "").strip(), "draft": state.get(DRAFT, "").strip(), **where}
    return {"name": chosen, **where}


def settings() -> Settings:
    """The settings as the widgets stand.

    Raises:
        SettingsError: one of them is out of range.
    """
    state = st.session_state
    usual = Settings()
    chosen = state.get(DRAFTER, usual.drafter)
    return Settings(
        k=state[K],
        temperature=float(state[TEMPERATURE]),
        top_k=state[TOP_K],
        top_p=float(state[TOP_P]),
        max_new_tokens=state[LENGTH],
        seed=state[SEED],
        drafter=chosen,
        nodes=state.get(NODES, usual.nodes),
        children=state.get(CHILDREN, usual.children),
        policy=state.get(POLICY, usual.policy) if chosen in drafting.WITH_POLICY else usual.policy,
        threshold=float(state.get(THRESHOLD, usual.threshold)),
        rule=state.get(RULE, usual.rule),
        lenience=float(state.get(LENIENCE, usual.lenience)),
        shared_noise=bool(state.get(NOISE, usual.shared_noise)),
    )


def drafter() -> str:
    """The way of drafting as the picker stands."""
    return str(st.session_state.get(DRAFTER, Settings().drafter))


def policy() -> str:
    """When a draft stops, as the picker stands."""
    return str(st.session_state.get(POLICY, Settings().policy))


def rule() -> str:
    """The acceptance rule as the picker stands."""
    return str(st.session_state.get(RULE, Settings().rule))


def prompt() -> str:
    """The prompt as it stands."""
    return str(st.session_state.get(PROMPT) or "")


def template() -> bool:
    """Whether the tokenizer's chat template is to be used, where there is one."""
    return bool(st.session_state.get(TEMPLATE, True))


def talk() -> bool:
    """Whether the page is shown to a room: `?talk=1` in its address."""
    return st.query_params.get(TALK) == "1"


def set_talk(on: bool) -> None:
    """Begin or end the talk mode."""
    if on:
        st.query_params[TALK] = "1"
    else:
        st.query_params.pop(TALK, None)


def hidden() -> tuple[str, ...]:
    """The parts that the page's address leaves out, as they are written there: `?hide=pace,why`."""
    return tuple(name.strip() for name in st.query_params.get(HIDE, "").split(",") if name.strip())


def choose_prompt(text: str) -> None:
    """Put a ready-made prompt into the box."""
    st.session_state[PROMPT] = text


def watched() -> Callable[[], bool]:
    """Whether this visitor's page is still open, to be asked later and from any thread."""
    context, server = get_script_run_ctx(), get_instance()
    name = context.session_id if context else ""
    return lambda: server.is_active_session(name)


def job() -> Job | None:
    """The run this visitor asked for last."""
    found: Job | None = st.session_state.get(_JOB)
    return found


def rival_job() -> Job | None:
    """The run of another draft that races against it, if there is one."""
    found: Job | None = st.session_state.get(_RIVAL_JOB)
    return found


def set_job(new: Job | None, rival: Job | None = None) -> None:
    """Remember the run, and its rival; those before, if they still go on, are ended, and a recording that was opened is
    left. A run joins the visit's list."""
    stop()
    st.session_state[_JOB], st.session_state[_RIVAL_JOB] = new, rival
    st.session_state[_OPENED] = None
    if new is not None:
        visit().add(new, rival)


def live() -> bool:
    """Whether a run of this visitor still goes on."""
    return any(known is not None and not known.over for known in (job(), rival_job()))


def stop() -> None:
    """End what still goes on."""
    for known in (rival_job(), job()):
        if known is not None and not known.over:
            runs().cancel(known)


def visit() -> Visit:
    """The list of this visit's runs, brought up to date."""
    known: Visit = st.session_state.setdefault(_VISIT, Visit())
    known.settle()
    return known


def rivals() -> list[str]:
    """What the third lane may be: other drafts for the same target, and other ways of drafting with the same pair."""
    name, drafter_now = pair_asked().get("name"), drafter()
    others = [other for other in FAMILY if other != name] if name in FAMILY else []
    return others + [words for key, words in drafting.DRAFTERS.items() if key != drafter_now]


def rival_asked(asked: dict[str, Any]) -> dict[str, Any] | None:
    """What the third lane is to run: all as for the first, but another draft or another way of drafting; None for none."""
    chosen = st.session_state.get(RIVAL)
    if chosen not in rivals():
        return None
    pair, settings_now = asked["pair"], asked["settings"]
    drafter_now = drafting.key_of(chosen)
    if drafter_now is None:
        pair = {**pair, "name": chosen}
        drafter_now = settings_now["drafter"] if settings_now["drafter"] in drafting.WITH_DRAFT_MODEL else "model"
    policy = settings_now["policy"] if drafter_now in drafting.WITH_POLICY else "fixed"
    return {**asked, "pair": pair, "settings": {**settings_now, "drafter": drafter_now, "policy": policy}}


def opened() -> saved.View:
    """The recording that was opened, or the one that a visit begins with; on the stage as long as there is no run."""
    view: saved.View | None = st.session_state.get(_OPENED)
    return view or first_recording()


def open_recording(view: saved.View) -> None:
    """Put a recording on the stage, in the place of a run."""
    set_job(None)
    st.session_state[_OPENED] = view
    set_problem("")
    _close_menu()


def shown() -> saved.View | None:
    """What is on the stage, if it can be saved: the recording of a run that is over, or one that was opened."""
    run = job()
    if run is None:
        return opened()
    if not run.over or run.recording is None:
        return None
    origin = "A real run, recorded with specviz"
    return {"origin": origin, "recording": run.recording, "speedups": run.speedups, "replan": run.replan}


def chosen_recording() -> str | None:
    """The recording that was just chosen in the menu."""
    file: str | None = st.session_state.get(recording_key())
    return file


def recording_key() -> str:
    """The key of the choice of recordings: a new one after each, so that the same can be chosen again, and so that a page
    that is slow to hear of a run does not choose it by itself."""
    return f"{_RECORDING}-{st.session_state.get(_UPLOAD, 0)}"


def upload_key() -> str:
    """The key of the upload box: a new one for every file, so that none is held once it was read."""
    return f"{_UPLOAD}-{st.session_state.get(_UPLOAD, 0)}"


def uploaded() -> UploadedFile | None:
    """The file that was just uploaded."""
    file: UploadedFile | None = st.session_state.get(upload_key())
    return file


def refuse_upload(sentence: str) -> None:
    """Say why a file was not opened."""
    set_problem(sentence)
    _close_menu()


def _close_menu() -> None:
    st.session_state[SHARE] = False
    st.session_state[_UPLOAD] = st.session_state.get(_UPLOAD, 0) + 1


def loading() -> Job | None:
    """The job that knows of the chosen pair: this visitor's run or load of it, or what is loaded already.

    The embedded pair is loaded without being asked for, if nothing else is but another of its family, which loads as
    quickly again: no visitor takes another's pair away, and no link starts a download.
    """
    asked = pair_asked()
    for known in (job(), st.session_state.get(_LOADING), runs().loaded):
        if known is not None and known.command.get("pair") == asked and (known.card or known.command["do"] == "load"):
            found: Job = known
            return found
    held = runs().loaded
    free = held is None or held.command["pair"].get("name") in FAMILY
    if asked.get("name") == EMBEDDED and free and _LOADING not in st.session_state:
        load()
        return loading()
    return None


def load() -> None:
    """Ask for the pair as the picker stands now."""
    st.session_state[_LOADING] = runs().load(pair_asked(), watched=watched())


def problem() -> str:
    """The sentence to show instead of a run that could not be asked for."""
    return str(st.session_state.get(_PROBLEM, ""))


def set_problem(sentence: str) -> None:
    """Remember it until the next run is asked for."""
    st.session_state[_PROBLEM] = sentence
