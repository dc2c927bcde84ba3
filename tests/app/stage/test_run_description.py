"""What the page says of the run on the stage, and of one that is asked for again: no browser, no engine."""

import json
from dataclasses import replace
from time import monotonic

import pytest

from app.server import resources
from app.server.job import Job, Status
from app.stage import recordings, run_description
from app.state import visitor
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.reporting.prompts import ready_prompts
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.wire import Lane, Rounds, RunPrompt
from tests.helpers.app_page import run, state_of
from tests.helpers.views import trace_of

ASKED = Request(PairRequest("embedded"), "Say", Settings())


def test_the_settings_of_a_run_are_said_in_words() -> None:
    """What everybody needs comes always, the rest where it is not at its default; a lossy rule is never left out."""
    assert run_description.settings(Settings()) == [
        "draft model",
        "draft length 5",
        "temperature 0",
        "at most 64 tokens",
    ]
    warm = run_description.settings(Settings(temperature=0.7, seed=9, top_p=0.9, rule="lenient", drafter="early-exit"))
    assert {"early exit", "temperature 0.7", "seed 9", "top-p 0.9", "LOSSY: lenient rule, lenience 0.5"} <= set(warm)


def test_what_was_changed_since_the_run_is_named() -> None:
    """Nothing for the same request; else prompt, models and settings, each with what it was. What makes no difference is not named: at temperature 0
    nothing is drawn, a threshold without its policy is not read, and the built-in models have no template."""
    greedy = Settings(seed=7, top_k=5, top_p=0.5, shared_noise=True, threshold=0.9, lenience=0.1)
    warm, policy, chat = (
        Settings(temperature=0.5),
        Settings(policy="confidence"),
        replace(ASKED, pair=PairRequest(CHAT)),
    )
    changed = ["draft length 7 instead of 5", "n-gram lookup instead of draft model"]
    for before, now, named in (
        (ASKED, ASKED, []),
        (
            ASKED,
            replace(chat, prompt="Say it", settings=Settings(k=7, drafter="ngram")),
            ["other models", "another prompt", *changed],
        ),
        (ASKED, replace(ASKED, pair=PairRequest("embedded", dtype="float32")), ["another format"]),
        (ASKED, replace(ASKED, prompt="Say it"), [run_description.OTHER_PROMPT]),
        (ASKED, replace(ASKED, settings=policy), ["drafts: stops when unsure instead of always k tokens"]),
        (ASKED, replace(ASKED, settings=greedy, template=False), []),
        (
            replace(ASKED, settings=warm),
            replace(ASKED, settings=replace(warm, seed=7, top_k=5)),
            ["top-k 5 instead of 0", "seed 7 instead of 0"],
        ),
        (
            replace(ASKED, settings=policy),
            replace(ASKED, settings=replace(policy, threshold=0.9)),
            ["confidence threshold 0.9 instead of 0.4"],
        ),
        (chat, replace(chat, template=False), ["another format"]),
    ):
        assert run_description.changes(before, now) == named


def _job(request: Request = ASKED, name: str = "a") -> Job:
    return Job(RunPrompt(name, request))


def _clicks() -> None:
    from app.state import session
    from tests.app.stage.test_run_description import ASKED

    for _ in range(20):
        session.begin(ASKED)


def test_twenty_clicks_on_run_are_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same request again, while it waits or has just begun, changes nothing; after Stop it is a run again."""
    monkeypatch.setattr(visitor, "name", lambda: "me")
    page, queue = run(_clicks), resources.jobs()
    first = state_of(page).job
    assert first is not None
    assert first.fresh
    assert [job for job in queue.waiting() if job.visitor == "me"] == [first]
    assert [listed.id for listed in state_of(page).visit.runs] == [first.id]
    queue.cancel(first)
    page.run()
    again = state_of(page).job
    assert again is not None
    assert again is not first
    queue.cancel(again)


def test_a_run_is_fresh_until_it_has_played_for_a_moment() -> None:
    """While it waits and in its first seconds; not when it has rounds and time behind it, nor when it is over."""
    job = _job()
    assert job.fresh
    job.sent_at = monotonic() - 60
    assert job.fresh, "the models are still being loaded"
    job.log[Lane.SPECULATIVE].append(Rounds.of(job.id, Lane.SPECULATIVE, trace_of(["a"]).rounds, {}).batch)
    assert not job.fresh
    job.sent_at = monotonic()
    assert job.fresh
    job.status = Status.DONE
    assert not job.fresh


# ------------------------------------------------------------------ recordings of larger models


def test_a_shipped_recording_says_what_to_look_for() -> None:
    """Its own sentence, else the hint of its prompt; the one that opens the page, on its title, gives nothing away."""
    own = next(each for each in json.loads((ASSETS / "recordings.json").read_text("utf-8")) if "look_for" in each)
    assert recordings.read_shipped(own["file"])["look_for"] == own["look_for"]
    hints = {ready.title: ready.look_for for ready in ready_prompts(EMBEDDED)}
    assert recordings.read_shipped("capital.json")["look_for"] == hints["A capital"] != ""
    assert recordings.first(EMBEDDED)["look_for"] == ""
