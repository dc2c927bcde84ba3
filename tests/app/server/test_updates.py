"""Which updates a follower still needs: pure, and over a server's events. What a browser puts together of them, whatever was lost on the way, is in specviz/web/shared/live_run.test.ts."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from app.server import events, visitors
from app.server.events import EventSource, respond
from app.server.notifier import Notifier
from app.server.updates import LONGEST_CURSOR, LiveState, update
from app.server.visitors import MOST_OF_VISITOR, Visitors

NAMES = ("state", "moment")
LOGS = ("rounds", "plain")


@given(some.lists(some.tuples(some.sampled_from((*NAMES, *LOGS, *LOGS, "anew")), some.integers(0, 3))))
def test_each_entry_is_sent_once(steps: Sequence[tuple[str, int]]) -> None:
    """Everything is sent in one line, and nothing at all where nothing has happened."""
    slots, logs, epoch, known, sent = dict[str, str](), {name: list[str]() for name in LOGS}, 0, "", 0
    for what, value in steps:
        if what in NAMES:
            slots[what] = json.dumps({"value": value})
        elif what in LOGS:
            logs[what].append(json.dumps(value))
        else:
            slots, logs, epoch = {}, {name: [] for name in LOGS}, epoch + 1
        state = LiveState(slots, logs, f"e{epoch}")
        found = update(state, known)
        if found is not None:
            assert "\n" not in found.text
            sent += sum(len(entries) for _, entries in json.loads(found.text).get("add", {}).values())
            known = found.cursor
        assert update(state, known) is None
    assert sent == sum(what in LOGS for what, _ in steps)


@given(some.text())
def test_whatever_is_claimed_to_be_known_all_of_it_comes(claimed: str) -> None:
    """A mark that nobody was given is no reason to hold anything back, or to fail."""
    state = LiveState({"state": "1"}, {"rounds": ["1", "2"], "plain": []}, "e0")
    found = update(state, claimed)
    assert found is not None
    assert json.loads(found.text)["add"] == {"rounds": [0, [1, 2]]}
    assert update(state, "e0/rounds=3/" + "x" * LONGEST_CURSOR) == update(state, "")


# ------------------------------------------------------------------ over a server


def _client(source: EventSource) -> TestClient:
    async def answer(request: Request) -> Response:
        return await respond(request, source, clock=lambda: 7.0)

    return TestClient(Starlette(routes=[Route("/events", answer)]))


def test_a_browser_comes_back_with_the_last_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events carry what is known after them; with that the rest comes, and no more. A poll gets the same; where nothing happens for long it is told so, and
    asks again."""
    monkeypatch.setattr(events, "BEAT_S", 0.05)
    rounds = ["1"]
    state = LiveState({"state": '"begun"'}, {"rounds": rounds, "plain": []}, "e0", over=True)
    client = _client(EventSource(Notifier(), lambda: state))
    first = client.get("/events")
    assert first.headers["content-type"].startswith("text/event-stream")
    assert (first.headers["x-accel-buffering"], first.headers["cache-control"]) == ("no", "no-store")
    assert "event: clock\ndata: 7.000\n" in first.text
    known = next(line.removeprefix("id: ") for line in first.text.splitlines() if line.startswith("id: "))
    rounds.append("2")
    again = client.get("/events", headers={"last-event-id": known})
    assert '"add":{"rounds":[1,[2]]}' in again.text
    assert "begun" not in again.text
    polled = client.get("/events", params={"poll": "1", "from": known}).json()
    assert polled["message"] == {"add": {"rounds": [1, [2]]}, "over": True}
    assert polled["clock"] == 7.0
    state = replace(state, over=False)
    nothing = client.get("/events", params={"poll": "1", "from": polled["known"]}).json()
    assert (nothing["known"], nothing["message"]) == (polled["known"], {})


def test_a_follower_counts_as_an_open_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the answer lasts, and no longer; a route without events counts nobody, and who asks for the head alone gets an end."""
    here = Visitors()
    monkeypatch.setattr(visitors, "HERE", here)
    client = _client(EventSource(Notifier(), lambda: LiveState({"state": "1"}, over=True)))
    for _ in range(MOST_OF_VISITOR - 1):
        here.enter("", "testclient")
    for query in ({}, {"poll": "1"}):
        for _ in range(2):
            assert client.get("/events", params=query).status_code == 200
    here.enter("", "testclient")
    for query in ({}, {"poll": "1"}):
        answer = client.get("/events", params=query)
        assert (answer.status_code, answer.text) == (503, visitors.FULL)
    assert client.head("/events").status_code == 200
    assert client.get("/x/events").status_code == 404
    assert here.fits("", "elsewhere")


def test_a_follower_is_here_however_much_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signs of life come by the clock: news that come sooner than the next one do not put it off."""
    monkeypatch.setattr(events, "BEAT_S", 0.05)
    notifier, beats, waits = Notifier(), list[int](), list[float]()
    wait = notifier.wait

    async def waiting(count: int, seconds: float) -> bool:
        waits.append(seconds)
        return await wait(count, seconds)

    monkeypatch.setattr(notifier, "wait", waiting)

    async def follow() -> None:
        slots = {"state": "1"}
        stream = events._stream(
            EventSource(notifier, lambda: LiveState(slots)), "", lambda: beats.append(1), lambda: 0.0
        )
        for number in range(20):
            slots["state"] = str(number)
            notifier.notify()
            await anext(stream)
            await asyncio.sleep(0.01)
        await stream.aclose()  # type: ignore[attr-defined]

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, follow()).result()
    assert beats
    assert min(waits) < 0.05, "a wait ends with the beat that is due, not a beat after the last news"


def test_a_notifier_wakes_all_from_any_thread_and_notifies_apart() -> None:
    """Who waits after a change is woken at once; changes that may wait are one; another notifier notifies with it. Two that notify each other, as two runs
    that were named as each other's rivals, or one that notifies itself, do so once."""

    async def hear() -> list[bool]:
        notifier, other = Notifier(), Notifier()
        notifier.pass_on(other, 0.0)
        waiting = [asyncio.create_task(each.wait(0, 5.0)) for each in (notifier, notifier, other)]
        await asyncio.sleep(0)
        await asyncio.to_thread(notifier.notify)
        heard = [await each for each in waiting]
        heard.append(await notifier.wait(0, 5.0))
        heard.append(not await notifier.wait(1, 0.01))
        for _ in range(5):
            notifier.notify(1.0)
        heard += [notifier.count == 1, await notifier.wait(1, 5.0), notifier.count == 2]
        return heard

    with ThreadPoolExecutor(1) as thread:  # the loop of a browser's test can be in this one
        assert all(thread.submit(asyncio.run, hear()).result())
    one, other = Notifier(), Notifier()
    for source, follower in ((one, other), (other, one), (one, one)):
        source.pass_on(follower, 0.0)
    one.notify()
    assert (one.count, other.count) == (1, 1)
