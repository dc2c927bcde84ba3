"""Every text of a visitor is bounded where it enters: widgets, address, messages of components, jobs; and so is what is kept of it."""

from dataclasses import replace

import pytest

from app.server.job import Job, Status
from app.server.jobs import KEPT_CHARACTERS, KEPT_RUNS
from app.state import address
from specviz.audit.messages import AUDIT
from specviz.errors import PromptError
from specviz.lessons.glossary import glossary_of
from specviz.lessons.learn_data import ui_words
from specviz.request import PairRequest, Request
from specviz.settings import MAX_PROMPT, Settings, check_prompt
from tests.app.server.conftest import Start
from tests.helpers.app_page import run

_ASKED = Request(PairRequest("embedded"), "Once", Settings())


def test_texts_have_a_longest_length() -> None:
    """A prompt, where it is checked on the page, on the command line and in the engine before it is turned into tokens. Of an address long texts, long names
    and too many parameters are left out, and the rest stays. A language that somebody made up gives the English words, and is not remembered."""
    check_prompt("x" * MAX_PROMPT)
    with pytest.raises(PromptError, match="more than 100,000 characters"):
        check_prompt("x" * (MAX_PROMPT + 1))
    kept = {"prompt": "x" * address.LONGEST, "k": "3"}
    assert address.bounded({**kept, "language": "x" * (address.LONGEST + 1), "n" * 41: "1"}) == kept
    assert len(address.bounded({str(number): "" for number in range(10_000)})) <= 80
    for odd in ("xx", "xx-" + "y" * 100_000, "", "é" * 9):
        assert ui_words(odd) == ui_words("en")
        assert glossary_of(odd) == ()


def _page() -> None:
    import streamlit as st

    from app.state import choices
    from app.state.page_state import page_state

    shown = choices.show("prompt", "", lambda now, **bound: st.text_area("prompt", now, **bound))
    st.text(f"{len(shown)} {len(choices.value('prompt', ''))} {len(page_state().form.values['prompt'])}")


def test_a_widget_gives_no_longer_text_than_a_prompt_may_have() -> None:
    """What a browser made up is cut when it comes, so that nothing longer is kept or sent back; it is still too long for a run."""
    page = run(_page, prompt="")
    page.text_area[0].set_value("x" * (3 * MAX_PROMPT)).run()
    assert page.text[0].value == " ".join(3 * [str(MAX_PROMPT + 1)])


def test_a_run_is_found_again_as_long_as_there_is_room(start: Start) -> None:
    """By an id that nobody guesses; the oldest that are over go first, and one that is live stays. Abandoned runs have no recording; their prompts count
    all the same, and so does what a task was asked."""
    (queue, _), long, jobs = start(1), "x" * (KEPT_CHARACTERS // 4), list[Job]()
    live = queue.run(_ASKED)
    assert queue.find(live.id) is live
    assert queue.find("nonsense") is None
    assert len(live.id) >= 16
    for number in range(12):
        job = queue.run(replace(_ASKED, prompt=long)) if number < 6 else queue.perform(None, AUDIT, long)
        queue.cancel(job)
        jobs.append(job)
    kept = [job for job in jobs if queue.find(job.id) or queue.find(job.id, AUDIT)]
    assert kept == jobs[-len(kept) :]
    assert 1 <= len(kept) <= 4
    recorded = queue.run(_ASKED)
    recorded.status, recorded.recording = Status.DONE, "x" * KEPT_CHARACTERS
    queue.run(_ASKED)
    assert queue.find(recorded.id) is None
    assert queue.find(live.id) is live, "it is not over"
    live.status = Status.CANCELLED
    for _ in range(KEPT_RUNS):
        queue.run(_ASKED)
    assert queue.find(live.id) is None
