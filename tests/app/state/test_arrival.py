"""What a link, the browser's history and another visitor's run do to the stage: no browser, no engine."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from app.server import resources
from app.server.job import Job, Status
from app.state import choices, session, visitor
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.files import dumps
from specviz.wire import RunPrompt
from tests.helpers.app_page import run
from tests.helpers.views import MIXED, plain_of, trace_of

pytestmark = pytest.mark.slow

ASKED = Request(PairRequest("embedded"), "Say", Settings())


class _Queue:
    """A queue with a live run of each of two visitors; a run is over at once when it is cancelled."""

    def __init__(self) -> None:
        self.mine, self.other, self.later = (Job(RunPrompt(name, ASKED)) for name in ("mine", "other", "later"))
        self.mine.visitor = self.later.visitor = "me"
        self.other.visitor = "you"
        self.kept: list[Job] = []

    def find(self, name: str) -> Job | None:
        return next((job for job in (self.mine, self.other, self.later) if job.id == name), None)

    def watch(self, job: Job, _: Callable[[], bool]) -> None:
        self.kept.append(job)

    def cancel(self, job: Job) -> None:
        job.status = Status.CANCELLED


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> _Queue:
    queue = _Queue()
    monkeypatch.setattr(resources, "jobs", lambda: queue)
    monkeypatch.setattr(visitor, "name", lambda: "me")
    return queue


def _page(screen: str) -> None:
    """What a screen says of its address and of its run; with the picker of drafters, Run and Stop, and a Stop that is always there."""
    import streamlit as st

    from app.screens import shared
    from app.state import choices, request_form, session
    from app.state.page_state import page_state

    page_state().screen = screen
    session.arrive()
    offered = request_form.drafters()
    choices.show(  # as on the page, where the picker comes before what a link is refused for
        request_form.DRAFTER,
        offered[0],
        lambda now, **bound: st.selectbox("Drafter", offered, offered.index(now) if now in offered else 0, **bound),
    )
    shared.problem()
    session.write_address()
    run = page_state().job
    st.text(run.id if run else "")

    def begin() -> None:
        shared.requested_run()

    shared.run_and_stop(begin, "content")
    st.button("Stop", key="always", on_click=session.stop)


def _open(screen: str = session.WATCH, **address: str) -> AppTest:
    return run(_page, screen, address=address)


def test_stop_ends_ones_own_run_and_no_other(queue: _Queue) -> None:
    """Who follows a link with a live run sees it, and can neither stop it nor keep it going; a page that is loaded again can do both. Stop is no dead
    button: it is there where it ends something."""
    queue.later.status = Status.DONE
    for screen in (session.WATCH, session.RACE):
        for name, ends in (("", False), ("other", False), ("later", False), ("mine", True)):
            page = _open(screen, run=name)
            assert page.text[0].value == name
            assert ("stop" in [button.key for button in page.button]) == ends, (screen, name)
    assert {job.id for job in queue.kept} == {"mine"}
    _open(run="other").button("always").click().run()
    assert not queue.other.over
    page.button("stop").click().run()
    assert queue.mine.over


def test_back_is_a_way_out_and_leaves_no_live_run_behind(queue: _Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Back at an address without a run the page writes none into it, which would be a new entry of the history, again and again; at the
    address of another run the live one is stopped, since no button of the page would reach it any more."""
    moved = SimpleNamespace(is_history_navigation=False, page_script_hash="")
    monkeypatch.setattr(choices, "get_script_run_ctx", lambda: moved)
    page = _open(run="mine")
    moved.is_history_navigation = True
    page.query_params.clear()
    page.run()
    assert page.text[0].value == "mine"
    assert "run" not in page.query_params
    page.query_params["run"] = "later"
    page.run()
    assert page.text[0].value == "later"
    assert queue.mine.over
    assert not queue.later.over


def _prompts() -> None:
    import streamlit as st

    from app.state import request_form, session

    session.arrive()
    now = request_form.request()
    st.text(session.basis(now).prompt)
    st.text(now.prompt)


def test_a_prompt_of_a_link_is_not_what_plays() -> None:
    """Before the first run the recording's prompt is the one to compare with; without a link both are the same."""
    page = run(_prompts, address={"prompt": "My own", "pair": "embedded"})
    assert page.text[1].value == "My own"
    assert page.text[0].value not in ("", "My own")
    page = run(_prompts, address={"pair": "embedded"})
    assert page.text[0].value == page.text[1].value


def test_what_is_wrong_with_a_link_is_said_and_a_run_that_is_gone_is_only_mentioned(queue: _Queue) -> None:
    """Values that the page does not have are errors, named with what it takes; that the server has the run no longer is nobody's mistake:
    an information with what to do, which goes with the next run. Neither stays in the address."""
    gone = "The run of this link is no longer on the server"
    odd = {"k": "999", "temperature": "abc", "hide": "x", "lang": "xx"}
    for link, errors, infos in (
        ({"run": "mine"}, [], []),
        ({"run": "nothere"}, [], [gone]),
        ({"run": "nothere.mine"}, [], [gone]),
        (
            {**odd, "run": "nothere"},
            ["The address sets k to '999'", "The address hides 'x'", "The address names the language 'xx'"],
            [gone],
        ),
    ):
        page = _open(pair="embedded", **link)
        assert [error.value[: len(says)] for error, says in zip(page.error, errors, strict=True)] == errors
        assert all("temperature to 'abc'" in error.value for error in page.error[:1])
        assert [info.value.startswith(gone) for info in page.info] == [True] * len(infos)
        assert all("Press Run for a new one" in info.value for info in page.info)
        assert set(page.query_params) & {"k", "temperature", "run"} == ({"run"} if link["run"] == "mine" else set())
        page.button("run").click().run()
        assert not page.info
        assert [error.value.split()[2] for error in page.error] == ["hides", "names"] * ("hide" in link)
    assert not queue.mine.over
    for nonsense in ("..", "a.b.c.d", "../../etc/passwd", "x" * 100_000):
        assert _open(run=nonsense).text[0].value == "", "nonsense finds nothing"


def test_what_does_not_go_together_is_said_and_goes_with_another_choice(queue: _Queue) -> None:
    """In one sentence: the policy of a link that its drafter does not support, or a drafter that its pair lacks, until the page has another drafter;
    and, when Run is pressed, a rule that needs a temperature."""
    for link, says in (
        ({"drafter": "tree", "policy": "cost"}, "policy was 'cost', which the drafter 'tree' does not support"),
        ({"drafter": "dflash"}, "The drafter 'dflash' needs a head of the kind dflash"),
    ):
        page = _open(pair="embedded", **link)
        (refusal,) = [error.value for error in page.error]
        assert says in refusal
        page.selectbox[0].select("early-exit").run()
        assert not page.error
    page = _open(pair="embedded", prompt="Say", rule="lenient")
    assert not page.error
    page.button("run").click().run()
    assert not page.exception
    assert "choose the exact rule, or a temperature above 0" in page.error[0].value


def _begins() -> None:
    """A run with suffix decoding, one without a memory, and one after all is forgotten, in a visit that has written a text."""
    from dataclasses import replace

    import streamlit as st

    from app.stage.visit import VisitRun
    from app.state import session
    from specviz.settings import Settings
    from tests.app.state.test_arrival import ASKED

    session.visit().runs.append(VisitRun(1, "before", ASKED, None, packed=b"-", own=True, text=(5, 6)))
    suffix = replace(ASKED, settings=Settings(drafter="suffix"))
    st.text(session.remembered(suffix, None))
    session.begin(suffix)
    session.begin(ASKED)
    session.begin(ASKED, replace(suffix, prompt="Another"))
    session.visit().forget()
    st.text(session.remembered(suffix, None))
    session.begin(replace(suffix, prompt="Last"))


def test_a_run_gets_what_its_drafter_may_copy_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drafter that remembers, also of the third lane, gets the texts of the visit; others get none, and nobody once they are forgotten."""
    got: list[Request] = []

    def begin(request: Request, **_: object) -> Job:
        got.append(request)
        return Job(RunPrompt(f"run{len(got)}", request))

    monkeypatch.setattr(resources, "jobs", lambda: SimpleNamespace(run=begin, cancel=lambda job: None))
    monkeypatch.setattr(visitor, "name", lambda: "me")
    page = run(_begins)
    assert [text.value for text in page.text] == ["1", "0"]
    assert [request.earlier for request in got] == [((5, 6),), (), (), ((5, 6),), ()]


def _list() -> None:
    import streamlit as st

    from app.screens import runs
    from app.state import session

    runs.list_again()
    st.text(" ".join(run.id for run in session.visit().measured()))


def test_a_reload_lists_the_visitors_runs_again(queue: _Queue) -> None:
    """Those of the address that are this visitor's, are over and are kept; a run of a third lane comes with the run that it raced against."""
    trace = trace_of(MIXED)
    for job in (queue.mine, queue.other, queue.later):
        job.status, job.recording = Status.DONE, dumps((trace, plain_of(trace)))
    queue.later.recording, queue.later.rival_of = dumps((trace,)), "mine"
    page = run(_list, address={"runs": "gone.mine.other.later"})
    assert page.text[0].value == "mine later"
    assert page.query_params["runs"] == "mine.later"
