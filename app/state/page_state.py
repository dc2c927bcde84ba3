"""The memory of one page of a visitor between two reruns: one object in `st.session_state`, which only this module reads and writes. Beside the object
it has the values of widgets, by the keys below and those of `app.state.choices`.

A test that needs a page in some state fills a `PageState`, or drives widgets and the address.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.server.job import Job
from app.stage.comparison import VisitComparison
from app.stage.recordings import View
from app.stage.run_routes import StartedRun
from app.stage.visit import Visit
from specviz.request import Request

KEY = "page_state"
PAIR_CARD, LANGUAGE_PICKER = "_card", "language-picker"
AUDIT_PART = "audit-part"
COMPARISON_TABLE, RUNS_TABLE, SHARE_MENU = "compare-table", "runs-table", "share-menu"
RECORDING_PICKER, UPLOAD_BOX = "recording", "upload"  # each with a number: a new widget after every choice
ROOM_QUESTION, ROOM_CHOICES = "room-question", "room-choices"
PLAYER, LEARN, DUEL, PLAN = "player", "learn", "duel", "plan"  # components: what their scripts send
T = TypeVar("T")


@dataclass(slots=True)
class FormState:
    """The choices of the form, see `app.state.choices`.

    Attributes:
        values: of the choices that were made, by their names in the address.
        defaults: with which the widgets were rendered: another pair can have others.
        rendered: the choices that were rendered since the address was written, with their defaults.
        in_address: the choices that were on the page when the address was written.
        key_numbers: of the widget of each choice, and with "" of all: another number is another widget.
        screen: Streamlit's name of the screen that was rendered last.
    """

    values: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, object] = field(default_factory=dict)
    rendered: dict[str, object] = field(default_factory=dict)
    in_address: tuple[str, ...] = ()
    key_numbers: dict[str, int] = field(default_factory=dict)
    screen: str | None = None
    arrived: bool = False


@dataclass(slots=True)
class GuessGame:
    """The game "Guess which one is broken": the number of its pair of runs, 0 for none yet, the side that was named, "" before, and the score."""

    pair: int = 0
    answer: str = ""
    right: int = 0
    answered: int = 0


@dataclass(slots=True)
class RoomState:
    """The room and the plan on a presenter's page.

    Attributes:
        refusal: why the last attempt failed, in a sentence.
        code_enlarged, prompt_used: presses that the next rerun answers, with the large code, and with Watch.
        chosen_part: of the plan, which the next rerun opens; `part` is the one that was opened last, -1 for none.
        begin: room code -> where the room's stage was when this page came to the room.
        resumed: whether the room's stage was brought back to this page.
    """

    refusal: str = ""
    code_enlarged: bool = False
    prompt_used: bool = False
    chosen_part: int | None = None
    part: int = -1
    begin: dict[str, View] = field(default_factory=dict)
    resumed: bool = False


@dataclass(slots=True)
class PageState:
    """The state of one page.

    Attributes:
        job, rival: the run on the stage, and the one in the third lane that races against it.
        opened: the recording that was opened; the stage shows it as long as there is no run.
        basis: what the form requested when the recording was put on the stage.
        started_run: follows the last run before the page is rendered.
        unnamed_run: the id of the run that was on the stage when the visitor went back to an address without one.
        run_gone: whether the run of the address is no longer on the server.
        linked: the pickers that the address set, until another drafter is chosen.
        problem: why a run was not requested, in a sentence.
        loading: the load of the chosen pair that this page requested; also after it was cancelled.
        first_pair: the pair of a visit that chose none.
        all_drafters: whether the picker offers all drafters, not only the best known.
        language: the language that was chosen; "" for none.
        screens, screen: the screens that lead to each other by their titles, and the title of the one that is shown.
        anonymous_id: of a browser without cookies.
        is_host: whether the visitor came with the host's key.
        opening: why the opening of a first visit is shown: "first", "again", "" for not, None before it was decided.
        opening_choice: how the visitor left the opening, which the next rerun takes up.
        share_number: of the widgets in the menu Save and share: each is another one after every choice.
        to_watch, to_try, shared_step: presses that the next rerun answers: go to Watch; leave a lesson to try it; share a step of a lesson.
        whole_page, stage_alone: how much of Watch the next rerun renders.
        audits: the audit of each task; `gone_audits` are the tasks whose address names one that is no longer on the server.
    """

    form: FormState = field(default_factory=FormState)
    room: RoomState = field(default_factory=RoomState)
    job: Job | None = None
    rival: Job | None = None
    opened: View | None = None
    basis: Request | None = None
    visit: Visit = field(default_factory=Visit)
    started_run: StartedRun = field(default_factory=StartedRun)
    unnamed_run: str = ""
    run_gone: bool = False
    linked: dict[str, Any] = field(default_factory=dict)
    prompt_linked: bool = False
    problem: str = ""
    loading: Job | None = None
    first_pair: str = ""
    all_drafters: bool = False
    language: str = ""
    screens: dict[str, StreamlitPage] = field(default_factory=dict)
    screen: str = ""
    is_open: Callable[[], bool] | None = None
    anonymous_id: str = ""
    is_host: bool = False
    opening: str | None = None
    opening_choice: str = ""
    share_number: int = 0
    to_watch: bool = False
    to_try: bool = False
    shared_step: str = ""
    whole_page: bool = False
    stage_alone: bool = False
    comparison: VisitComparison | None = None
    audits: dict[str, Job] = field(default_factory=dict)
    gone_audits: set[str] = field(default_factory=set)
    game: GuessGame = field(default_factory=GuessGame)


def page_state() -> PageState:
    """The state of the page that is rendered."""
    state: PageState = st.session_state.setdefault(KEY, PageState())
    return state


def set_later(name: str, value: object) -> Callable[[], None]:
    """A callback for a widget that sets a field of the page's state."""
    return lambda: setattr(page_state(), name, value)


def widget_value(key: str, default: T) -> T:
    """The value of a widget; the default where there is no widget of this key."""
    value: T = st.session_state.get(key, default)
    return value


def component_value(key: str, name: str) -> Any:
    """A value that the script of a component has sent under this name; None where it has not."""
    return st.session_state.get(key, {}).get(name)


def set_widget_value(key: str, value: object) -> None:
    """Set the value of a widget before it is rendered."""
    st.session_state[key] = value
