"""One visitor's page: the runs and the opened recording on its stage, the visit's runs, the screen, the menu, and what is wrong."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.server import resources
from app.server.job import Job, Status
from app.stage import recordings, run_description, run_routes
from app.stage.visit import Visit
from app.state import address, choices, request_form, visitor
from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.reporting.prompts import prompt_family
from specviz.request import Request
from specviz.settings import Settings

HIDE, RUN = "hide", "run"
_JOB, _RIVAL_JOB, _VISIT, _PROBLEM = "_job", "_rival_job", "_visit", "_problem"
CATEGORY, TABLE, _LINKED, _LINKED_PROMPT, _UNNAMED = "_category", "_table", "_linked", "_linked_prompt", "_unnamed"
SHARE, _RECORDING, _UPLOAD, _OPENED, _BASIS = "_share", "_recording", "_upload", "_opened", "_basis"
LEARN, WATCH, RACE = "Learn", "Watch", "Race"
"""The titles of the screens that lead to each other."""
_SCREENS, _SCREEN = "_screens", "_screen_title"
_AND = "."
"""Between the run and the run of the third lane, in the address."""
_BOX = 20_000
"""A recording's prompt of more characters is not put into the box."""
_GONE, _RESUMED, _BEGUN = "_run_gone", "_room_resumed", "_begun"


def arrive() -> None:
    """Take what the address says, when a visitor arrives or goes back and forward in the browser's history."""
    visitor.watched()  # a page whose connection was lost has another socket now
    given = st.query_params.to_dict()
    fitting = address.bounded(given)
    if fitting != given:
        st.query_params.from_dict(fitting)
    linked = choices.arrive()
    if linked is None:
        return
    st.session_state[_LINKED] = {
        name: chosen
        for name, chosen in linked.values.items()
        if name in (request_form.DRAFTER, request_form.POLICY, request_form.RULE, request_form.CHILDREN)
    }
    too_long = [] if len(fitting) == len(given) else [address.TOO_LONG]
    set_problem(" ".join([*too_long, *linked.refused]))
    run = job()
    st.session_state[_UNNAMED] = run.id if run is not None and not fitting.get(RUN) else ""
    st.session_state[_LINKED_PROMPT] = request_form.PROMPT in linked.values
    if fitting.get(RUN):
        _show_again(fitting[RUN])


def _show_again(name: str) -> None:
    """Put the run of the address on the stage, where the server still has it: after a reload the page shows what it showed. A live run that
    leaves the stage for it is stopped."""
    first, rival = [*(resources.jobs().find(each) for each in name.split(_AND)[:2]), None][:2]
    if first is None:
        st.session_state[_GONE] = True
    elif first is not job():
        if rival is not None and rival.rival_of != first.id:
            rival = None
        for known in (first, rival):
            if known is not None and not known.over and is_own(known):
                resources.jobs().watch(known, visitor.watched())
        set_job(first, rival)


def write_address() -> None:
    """Write the choices that the page shows into the address, and the run that is on the stage; not where a visitor has gone back to an address
    without it, who could else never go back further."""
    shown = [known.id for known in (job(), rival_job()) if known is not None]
    named = shown and shown[0] != st.session_state.get(_UNNAMED)
    choices.write({RUN: _AND.join(shown) if named else None})


def refused_link() -> str:
    """A sentence on choices in the address that do not go together; empty when all is well, and from then on."""
    linked: dict[str, Any] = st.session_state.get(_LINKED, {})
    if not linked:
        return ""
    now = request_form.drafter()
    try:  # temperature 0 with a lossy rule is reported when Run is pressed
        registry.check(Settings(**{**linked, request_form.DRAFTER: now}, temperature=1.0))
    except SettingsError as error:
        return str(error)
    st.session_state[_LINKED] = {}
    return ""


def set_screens(pages: Iterable[StreamlitPage], now: StreamlitPage) -> None:
    """The screens of the page, and the one that is shown."""
    st.session_state[_SCREENS], st.session_state[_SCREEN] = {page.title: page for page in pages}, now.title


def screens() -> dict[str, StreamlitPage]:
    """The screens that lead to each other, by their titles."""
    known: dict[str, StreamlitPage] = st.session_state[_SCREENS]
    return known


def screen() -> str:
    """The title of the screen that is shown."""
    return str(st.session_state[_SCREEN])


def hidden() -> tuple[str, ...]:
    """The parts that the page's address leaves out, as they are written there: `?hide=pace,why`."""
    return tuple(name.strip() for name in st.query_params.get(HIDE, "").split(",") if name.strip())


def job() -> Job | None:
    """The last run that this visitor requested."""
    found: Job | None = st.session_state.get(_JOB)
    return found


def view() -> dict[str, Any] | None:
    """What the player shows of the last run: how it goes with it, and where its rounds come from; None before a run."""
    run = job()
    if run is None:
        return None
    if not run.over:
        return {
            **resources.jobs().state(run),
            "events": run_routes.events_of(run, visitor.name()),
            "recorded_at": run_routes.recording_of(run, visitor.name()),
        }
    if run.recording is not None and resources.jobs().find(run.id) is run:
        return {**resources.jobs().state(run), "recorded_at": run_routes.recording_of(run, visitor.name())}
    return resources.jobs().view(run)


def rival_job() -> Job | None:
    """The run in the third lane that races against it, if there is one."""
    found: Job | None = st.session_state.get(_RIVAL_JOB)
    return found


def set_job(new: Job | None, rival: Job | None = None, *, own: bool = False) -> None:
    """Remember the run, and its rival; live runs before it are cancelled, and a recording that was opened is closed.
    The run joins the visit's list; if it is the visit's own, later runs may copy from it."""
    stop()
    st.session_state.pop(_BASIS, None)
    st.session_state[_JOB], st.session_state[_RIVAL_JOB] = new, rival
    st.session_state[_OPENED] = None
    if new is not None:
        started_run().set(new)
        visit().add(new, rival, own=own)


def started_run() -> run_routes.StartedRun:
    """What tells the script of this page of a run that it has begun."""
    found: run_routes.StartedRun = st.session_state.setdefault(_BEGUN, run_routes.StartedRun())
    return found


def begin(request: Request, rival: Request | None = None) -> None:
    """Request a run, and after it one for the third lane. Where the same one was requested a moment ago it goes on instead: many quick
    clicks are one run."""
    known, beside = job(), rival_job()
    same = known is not None and known.request == request and (beside and beside.request) == rival
    if known is not None and same and known.fresh:
        return
    first, second = _remembering(request), _remembering(rival) if rival else None
    run = resources.jobs().run(first, watched=visitor.watched(), visitor=visitor.name())
    beside = (
        resources.jobs().run(second, watched=visitor.watched(), visitor=visitor.name(), beside=run) if second else None
    )
    set_job(run, beside, own=True)


def _remembering(request: Request) -> Request:
    """The same request with what its drafter may copy from."""
    known = registry.descriptions().get(
        request.settings.drafter
    )  # what is chosen for "auto" copies from nothing earlier
    if known is None or not known.remembers:
        return request
    return replace(request, earlier=visit().remembered(request.pair))


def remembered(request: Request, rival: Request | None) -> int:
    """How many texts of this visit such runs would copy from."""
    return max(len(_remembering(each).earlier) for each in (request, rival) if each is not None)


def basis(request: Request) -> Request:
    """What the stage shows, to compare with what would run now: the request of the run, or what the page offered when the recording was
    put there; but with the recording's own prompt where a link brought another."""
    run = job()
    if run is not None:
        return run.request
    if st.session_state.get(_LINKED_PROMPT):
        request = replace(request, prompt=opened()["recording"]["traces"][0]["prompt"])
    found: Request = st.session_state.setdefault(_BASIS, request)
    return found


def drafters_of_stage() -> tuple[str, ...]:
    """The drafters that the page offers for the models of what is on the stage; none where it shows other models, or choices that cannot be run."""
    try:
        now = request_form.request()
    except SettingsError:
        return ()
    run = job()
    if run is None:
        family = run_description.family_of(opened()["recording"]["traces"][0]["card"]["target"]["name"])
        same = bool(family) and family == run_description.family_asked(now.pair)
    else:
        same = run.request.pair == now.pair
    return request_form.drafters() if same else ()


def other_third_lane(request: Request) -> bool:
    """Whether the third lane of the screen is not the one of the picker; on Watch there is none."""
    if screen() != "Race":
        return False
    wanted, raced = request_form.rival_asked(request), rival_job()
    shown = raced.request if raced is not None else None
    return (wanted and (wanted.pair, wanted.settings.drafter)) != (shown and (shown.pair, shown.settings.drafter))


def start_word() -> str:
    """What the button that starts a run is called on this screen."""
    if screen() != "Race":
        return "Run"
    return "Race" if job() is None else "Rematch"


def live() -> bool:
    """Whether a run of this visitor is live."""
    return any(known is not None and not known.over for known in (job(), rival_job()))


def stoppable() -> bool:
    """Whether Stop would end something: not where only somebody else's run is shown, whose link was followed."""
    return any(known is not None and not known.over and is_own(known) for known in (job(), rival_job()))


def stop() -> None:
    """Cancel the live runs; not one of somebody else, whose link was followed."""
    for known in (rival_job(), job()):
        if known is not None and not known.over and is_own(known):
            resources.jobs().cancel(known)


def is_own(known: Job) -> bool:
    """Whether this visitor requested the run."""
    return known.visitor == visitor.name()


def visit() -> Visit:
    """The list of this visit's runs, brought up to date."""
    known: Visit = st.session_state.setdefault(_VISIT, Visit())
    known.settle()
    return known


def resume(view: recordings.View | None) -> None:
    """When a presenter comes to the room's page, also by a reload: what was on the room's stage is there again, where the page has nothing
    of its own."""
    first = not st.session_state.get(_RESUMED)
    st.session_state[_RESUMED] = True
    if view is None or not first or job() is not None or st.session_state.get(_OPENED) is not None:
        return
    run = resources.jobs().find(view["id"])
    if run is not None and is_own(run):
        if not run.over:
            resources.jobs().watch(run, visitor.watched())
        set_job(run)
    elif view.get("recording"):
        st.session_state[_OPENED] = view


def opened() -> recordings.View:
    """The recording that was opened, or the one that a visit begins with; on the stage as long as there is no run."""
    view: recordings.View | None = st.session_state.get(_OPENED)
    return view or recordings.first(prompt_family(request_form.pair_asked().name))


def awaits_run() -> bool:
    """Whether a link brought another prompt than that of the recording that a visit begins with: its text on the stage would be read as the answer."""
    brought = request_form.prompt() if st.session_state.get(_LINKED_PROMPT) else None
    return brought not in (None, opened()["recording"]["traces"][0]["prompt"])


def open_recording(view: recordings.View) -> None:
    """Put a recording on the stage, instead of a run."""
    set_job(None)
    st.session_state[_OPENED], st.session_state[_LINKED_PROMPT] = view, False
    prompt = view["recording"]["traces"][0]["prompt"]
    if len(prompt) <= _BOX:
        request_form.choose_prompt(prompt)
    set_problem("")
    _close_menu()


def shown() -> recordings.View | None:
    """What is on the stage, if it can be saved: the recording of a run that is over, or one that was opened."""
    run = job()
    if run is None:
        return None if awaits_run() else opened()
    view = resources.jobs().view(run)
    if not run.over or view["recording"] is None:
        return None
    return {**view, "origin": "A real run, recorded with specviz"}


def chosen_recording() -> str | None:
    """The recording that was just chosen in the menu."""
    file: str | None = st.session_state.get(recording_key())
    return file


def recording_key() -> str:
    """The key of the picker of recordings: a new one after each choice, so that the same can be chosen again, and so that a
    page that learns late of a run does not choose it by itself."""
    return f"{_RECORDING}-{st.session_state.get(_UPLOAD, 0)}"


def upload_key() -> str:
    """The key of the upload box: a new one for every file, so that none is kept once it was read."""
    return f"{_UPLOAD}-{st.session_state.get(_UPLOAD, 0)}"


def uploaded() -> UploadedFile | None:
    """The file that was just uploaded."""
    file: UploadedFile | None = st.session_state.get(upload_key())
    return file


def refuse_upload(sentence: str) -> None:
    """Show why a file was not opened."""
    set_problem(sentence)
    _close_menu()


def _close_menu() -> None:
    st.session_state[SHARE] = False
    st.session_state[_UPLOAD] = st.session_state.get(_UPLOAD, 0) + 1


def problem() -> str:
    """The sentence to show instead of a run that could not be requested."""
    return str(st.session_state.get(_PROBLEM, ""))


def failures() -> list[str]:
    """Why the runs of the stage failed; nothing where something newer is wrong, which stands above the stage."""
    known = [each for each in (job(), rival_job()) if each is not None and each.status is Status.FAILED]
    return [] if problem() else [each.message for each in known]


def notice() -> str:
    """What a visitor should know that is no mistake: the run of the link is gone. Empty from the next run or recording on."""
    if not st.session_state.get(_GONE):
        return ""
    return (
        "The run of this link is no longer on the server, which keeps the latest runs only. "
        f"Press {start_word()} for a new one with the prompt and the settings of the link."
    )


def set_problem(sentence: str) -> None:
    """Remember it until the next run is requested."""
    st.session_state[_PROBLEM], st.session_state[_GONE] = sentence, False
