"""The stage of one visitor's page: its runs and the opened recording, the visit's runs, the screen, and what is wrong."""

from dataclasses import replace
from typing import Any

from app.server import resources
from app.server.job import Job, Status
from app.stage import recordings, run_description, run_routes
from app.stage.visit import Visit
from app.state import address, choices, request_form, visitor
from app.state.page_state import (
    SHARE_MENU,
    page_state,
    set_widget_value,
)
from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.reporting.prompts import prompt_family
from specviz.request import Request
from specviz.settings import AUTO, Settings

LEARN, WATCH, RACE = "Learn", "Watch", request_form.RACE  # the titles of the screens that lead to each other
_AND = "."  # between the run and the run of the third lane, in the address
_LONGEST_IN_BOX = 20_000  # a recording's prompt of more characters is not put into the box


def arrive() -> None:
    """Take what the address says, when a visitor arrives or goes back and forward in the browser's history."""
    visitor.watched()  # a page whose connection was lost has another socket now
    query = address.parameters()
    fitting = address.bounded(query)
    if fitting != query:
        address.replace(fitting)
    linked = choices.arrive()
    if linked is None:
        return
    state = page_state()
    pickers = (request_form.DRAFTER, request_form.POLICY, request_form.RULE, request_form.CHILDREN)
    state.linked = {name: chosen for name, chosen in linked.values.items() if name in pickers}
    too_long = [] if len(fitting) == len(query) else [address.TOO_LONG]
    set_problem(" ".join([*too_long, *linked.refused]))
    run = fitting.get(address.RUN, "")
    state.unnamed_run = state.job.id if state.job is not None and not run else ""
    state.prompt_linked = request_form.PROMPT in linked.values
    if run:
        _show_again(run)


def _show_again(name: str) -> None:
    """Put the run of the address on the stage, where the server still has it: after a reload the page shows what it showed. A live run that
    leaves the stage for it is stopped."""
    jobs = resources.jobs()
    job, rival = [*(jobs.find(job_id) for job_id in name.split(_AND)[:2]), None][:2]
    if job is None:
        page_state().run_gone = True
    elif job is not page_state().job:
        if rival is not None and rival.rival_of != job.id:
            rival = None
        for run in (job, rival):
            if run is not None and not run.over and is_own(run):
                jobs.watch(run, visitor.watched())
        set_job(job, rival)


def write_address() -> None:
    """Write the choices that the page shows into the address, and the run that is on the stage; not where a visitor has gone back to an address
    without it, who could else never go back further."""
    ids = [run.id for run in runs()]
    named = ids and ids[0] != page_state().unnamed_run
    choices.write({address.RUN: _AND.join(ids) if named else ""})


def refused_link() -> str:
    """A sentence on choices in the address that do not go together; empty when all is well, and from then on."""
    state = page_state()
    if not state.linked:
        return ""
    drafter = state.linked.get(request_form.DRAFTER, AUTO)
    chosen = choices.value(request_form.DRAFTER, AUTO)  # "auto" once the picker was rendered, which does not have it
    if chosen in (drafter, AUTO) and drafter not in request_form.drafters():
        pair = run_description.models_asked(request_form.chosen_pair())
        return registry.refusal(drafter, pair, draft=request_form.has_draft(), heads=request_form.heads())
    try:  # temperature 0 with a lossy rule is reported when Run is pressed
        registry.check(Settings(**{**state.linked, request_form.DRAFTER: request_form.drafter()}, temperature=1.0))
    except SettingsError as error:
        return str(error)
    state.linked = {}
    return ""


def hidden() -> tuple[str, ...]:
    """The parts that the page's address leaves out, as they are written there: `?hide=pace,why`."""
    return tuple(name.strip() for name in address.parameter(address.HIDE).split(",") if name.strip())


# ------------------------------------------------------------------ the runs on the stage


def runs() -> list[Job]:
    """The run on the stage and its rival, as far as they are there."""
    return [run for run in (page_state().job, page_state().rival) if run is not None]


def view() -> dict[str, Any] | None:
    """The last run for the player: its progress, and where its rounds come from; None before a run."""
    run, jobs, name = page_state().job, resources.jobs(), visitor.name()
    if run is None:
        return None
    if run.over and (run.recording is None or jobs.find(run.id) is not run):
        return jobs.view(run)
    events, recording = (run_routes.address_of("runs", run.id, name, last) for last in ("events", "recording"))
    return {**jobs.state(run), **({} if run.over else {"events": events}), "recorded_at": recording}


def set_job(new: Job | None, rival: Job | None = None, *, own: bool = False) -> None:
    """Put a run on the stage, and its rival; live runs before it are cancelled, and a recording that was opened is closed.
    The run joins the visit's list; if it is the visit's own, later runs may copy from it."""
    stop()
    state = page_state()
    state.job, state.rival, state.basis, state.opened = new, rival, None, None
    if new is not None:
        state.started_run.set(new)
        visit().add(new, rival, own=own)


def begin(request: Request, rival: Request | None = None) -> None:
    """Request a run, and after it one for the third lane. Where the same one was requested a moment ago it goes on instead: many quick
    clicks are one run."""
    state = page_state()
    same_rival = (state.rival and state.rival.request) == rival
    if state.job is not None and state.job.request == request and same_rival and state.job.fresh:
        return
    wanted = [_remembering(new) for new in (request, rival) if new is not None]
    job = request_run(wanted[0])
    set_job(job, request_run(wanted[1], beside=job) if rival else None, own=True)


def request_run(request: Request, *, beside: Job | None = None) -> Job:
    """Request a run of this visitor's page, see `Jobs.run`."""
    return resources.jobs().run(request, watched=visitor.watched(), visitor=visitor.name(), beside=beside)


def _remembering(request: Request) -> Request:
    """The request with what its drafter may copy from; what is chosen for "auto" copies from nothing earlier."""
    description = registry.descriptions().get(request.settings.drafter)
    if description is None or not description.remembers:
        return request
    return replace(request, earlier=visit().remembered(request.pair))


def remembered(request: Request, rival: Request | None) -> int:
    """How many texts of this visit such runs would copy from."""
    return max(len(_remembering(new).earlier) for new in (request, rival) if new is not None)


def basis(request: Request) -> Request:
    """The request that the stage shows, to compare with what would run now: the request of the run, or what the page offered when the recording was
    put there; but with the recording's own prompt where a link brought another."""
    state = page_state()
    if state.job is not None:
        return state.job.request
    if state.basis is None:
        prompt = _opened_trace()["prompt"] if state.prompt_linked else request.prompt
        state.basis = replace(request, prompt=prompt)
    return state.basis


def drafters_of_stage() -> tuple[str, ...]:
    """The drafters that the page offers for the models of what is on the stage; none where it shows other models, or choices that cannot be run."""
    try:
        request = request_form.request()
    except SettingsError:
        return ()
    run = page_state().job
    if run is None:
        family = run_description.family_of(_opened_trace()["card"]["target"]["name"])
        same = bool(family) and family == run_description.family_asked(request.pair)
    else:
        same = run.request.pair == request.pair
    return request_form.drafters() if same else ()


def other_third_lane(request: Request) -> bool:
    """True if the third lane of the screen is not the one of the picker; on Watch there is none."""
    if page_state().screen != RACE:
        return False
    wanted, raced = request_form.rival_request(request), page_state().rival
    shown = raced.request if raced is not None else None
    return (wanted and (wanted.pair, wanted.settings.drafter)) != (shown and (shown.pair, shown.settings.drafter))


def start_word() -> str:
    """The label of the button that starts a run on this screen."""
    if page_state().screen != RACE:
        return "Run"
    return "Race" if page_state().job is None else "Rematch"


def live() -> bool:
    """True if a run on the stage is live."""
    return any(not run.over for run in runs())


def stoppable() -> bool:
    """True if Stop would end something: not where only somebody else's run is shown, whose link was followed."""
    return any(not run.over and is_own(run) for run in runs())


def stop() -> None:
    """Cancel the live runs; not one of somebody else, whose link was followed."""
    for run in reversed(runs()):
        if not run.over and is_own(run):
            resources.jobs().cancel(run)


def is_own(run: Job) -> bool:
    """True if this visitor requested the run."""
    return run.visitor == visitor.name()


def visit() -> Visit:
    """The list of this visit's runs, brought up to date."""
    page_state().visit.settle()
    return page_state().visit


def resume(view: recordings.View | None) -> None:
    """When a presenter comes to the room's page, also by a reload: what was on the room's stage is there again, where the page has nothing
    of its own."""
    state = page_state()
    first, state.room.resumed = not state.room.resumed, True
    if view is None or not first or state.job is not None or state.opened is not None:
        return
    run = resources.jobs().find(view["id"])
    if run is not None and is_own(run):
        if not run.over:
            resources.jobs().watch(run, visitor.watched())
        set_job(run)
    elif view.get("recording"):
        state.opened = view


# ------------------------------------------------------------------ the recording on the stage


def opened() -> recordings.View:
    """The recording that was opened, or the one that a visit begins with; on the stage as long as there is no run."""
    return page_state().opened or recordings.first(prompt_family(request_form.chosen_pair().name))


def _opened_trace() -> dict[str, Any]:
    trace: dict[str, Any] = opened()["recording"]["traces"][0]
    return trace


def awaits_run() -> bool:
    """True if a link brought another prompt than that of the recording that a visit begins with: its text on the stage would be read as the answer."""
    return page_state().prompt_linked and request_form.prompt() != _opened_trace()["prompt"]


def open_recording(view: recordings.View) -> None:
    """Put a recording on the stage, instead of a run."""
    set_job(None)
    page_state().opened, page_state().prompt_linked = view, False
    prompt = view["recording"]["traces"][0]["prompt"]
    if len(prompt) <= _LONGEST_IN_BOX:
        choices.put(request_form.PROMPT, prompt)
    set_problem("")
    _close_menu()


def saveable() -> recordings.View | None:
    """The view on the stage, if it can be saved: the recording of a run that is over, or one that was opened."""
    run = page_state().job
    if run is None:
        return None if awaits_run() else opened()
    view = resources.jobs().view(run)
    if not run.over or view["recording"] is None:
        return None
    return {**view, "origin": "A real run, recorded with specviz"}


def share_key(name: str) -> str:
    """The key of a widget in the menu Save and share: a new one after each choice, so that the same can be chosen again, and so that a
    page that learns late of a run does not choose by itself. No file is kept once it was read."""
    return f"{name}-{page_state().share_number}"


def refuse_upload(sentence: str) -> None:
    """Show why a file was not opened."""
    set_problem(sentence)
    _close_menu()


def _close_menu() -> None:
    set_widget_value(SHARE_MENU, False)
    page_state().share_number += 1


# ------------------------------------------------------------------ what is wrong


def problem() -> str:
    """The sentence to show instead of a run that could not be requested."""
    return page_state().problem


def failures() -> list[str]:
    """Why the runs of the stage failed; nothing where something newer is wrong, which stands above the stage."""
    return [] if problem() else [run.message for run in runs() if run.status is Status.FAILED]


def notice() -> str:
    """A sentence that is no mistake of the visitor: the run of the link is gone. Empty from the next run or recording on."""
    if not page_state().run_gone:
        return ""
    return (
        "The run of this link is no longer on the server, which keeps the latest runs only. "
        f"Press {start_word()} for a new one with the prompt and the settings of the link."
    )


def set_problem(sentence: str) -> None:
    """Remember it until the next run is requested."""
    page_state().problem, page_state().run_gone = sentence, False
