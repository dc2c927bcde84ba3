"""What the audience of a room is told: nothing that the presenter's stage has not shown."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

from app.classroom import polls, room
from app.classroom.feed import Feed
from app.classroom.moment import Moment, Page
from app.classroom.rooms import Rooms
from app.server.updates import LiveState
from app.stage.race_source import recorded_source
from tests.helpers.views import shipped_view


class Told:
    """A room of "presenter", and what its audience is told."""

    def __init__(self, view: dict[str, Any] | None = None) -> None:
        self.rooms = Rooms()
        self.code = self.rooms.open("presenter").code
        self.feed = Feed(self.code, self.rooms, lambda: SimpleNamespace(find=lambda name: None))  # type: ignore[arg-type,return-value]
        if view is not None:
            self.rooms.show(self.code, view)

    def step(self, **moment: Any) -> None:
        self.rooms.change(self.code, lambda now, when: room.steer(now, "presenter", Moment(**moment), when))

    def now(self) -> LiveState:
        return self.feed.state()

    def slot(self, name: str) -> Any:
        return json.loads(self.now().slots[name])


@pytest.fixture
def view() -> dict[str, Any]:
    """A recording as a page takes it: of a shipped run, with plain decoding beside it."""
    return shipped_view("capital", asked={"prompt": "a"}, speedups=[1.0], new_field="what somebody may add")


def test_of_a_round_before_its_verdicts_only_the_draft_is_there(view: dict[str, Any]) -> None:
    """The rounds before it are whole but for the alternatives; nothing of the later ones is there, and no token that only they have."""
    told, trace = Told(view), view["recording"]["traces"][0]
    rounds = trace["rounds"]
    for at in range(len(rounds)):
        told.step(run=view["id"], round=at)
        now = told.now()
        shown = [json.loads(each) for each in now.logs["rounds"]]
        assert len(shown) == at
        for one, whole in zip((each["round"] for each in shown), rounds, strict=False):
            assert [each["verdict"] for each in one["drafted"]] == [each["verdict"] for each in whole["drafted"]]
            assert (one["accepted"], one["closing"]["token"]) == (whole["accepted"], whole["closing"]["token"])
        covered = told.slot("covered")
        last = covered["round"]
        assert last["covered"]
        assert [each["token"] for each in last["drafted"]] == [each["token"] for each in rounds[at]["drafted"]]
        assert {(each["verdict"], each["target_prob"], each["draw"]) for each in last["drafted"]} <= {
            ("discarded", None, None)
        }
        assert (last["accepted"], last["closing"]) == ([], None)
        seen = {each["token"] for one in (*shown, covered) for each in one["round"]["drafted"]} | {
            one["round"]["closing"]["token"] for one in shown
        }
        about = told.slot("stage")["about"]
        tables = [about["tokens"], covered["tokens"], *(one["tokens"] for one in shown)]
        assert {int(key) for table in tables for key in table} == seen | set(trace["prompt_ids"])
        text = json.dumps([dict(now.slots), {name: [*entries] for name, entries in now.logs.items()}])
        for secret in ("target_top", "residual_top", "new_field", "speedups", f'"{view["id"]}"'):
            assert secret not in text, "nothing new in a view goes to the audience unnoticed"
        assert told.feed.whole(told.slot("stage")["run"]) is None


def test_another_run_begins_anew(view: dict[str, Any]) -> None:
    """A follower forgets the rounds of the run before; a lesson has none."""
    told = Told(view)
    told.step(run=view["id"], round=2)
    first = told.now().epoch
    told.rooms.show(told.code, {**view, "id": "other"})
    told.step(run="other", round=1)
    assert told.now().epoch != first
    assert len(told.now().logs["rounds"]) == 1
    told.step(page=Page("rule", "en", 3))
    assert (told.slot("stage"), dict(told.now().logs)) == ({"lesson": "rule", "language": "en"}, {})
    assert told.slot("moment")["page"]["number"] == 3


def test_plain_decoding_is_known_by_its_times_alone(view: dict[str, Any]) -> None:
    """The time of each token is there from the first moment on; the tokens would answer questions."""
    plain = view["recording"]["traces"][1]["rounds"]
    assert [json.loads(end) for end in Told(view).now().logs["plain"]] == [round(each["ended_s"], 6) for each in plain]


def test_a_race_is_there_with_all_its_lanes(view: dict[str, Any]) -> None:
    """Under another name than its own; until it is known what the presenter's page shows there is nothing, and back on a run it is gone."""
    told = Told(view)
    told.step(run="race-secret", clock=1.0, factor=8.0)
    assert told.slot("stage") is None
    told.rooms.show_race(told.code, "race-secret", recorded_source({"id": "race-secret", "lanes": ["all"]}))
    assert told.slot("race") == {"lanes": ["all"]}
    assert told.slot("stage")["race"] == told.slot("moment")["run"] != "race-secret"
    assert "secret" not in f"{told.now()}"
    told.step(run=view["id"], round=1)
    assert "race" not in told.now().slots


def test_what_others_chose_is_told_once_nobody_can_vote() -> None:
    """How many have voted is; and the answer, once it is known."""
    told = Told()
    about = polls.about(polls.how_many(1, [0.5]), "secret run", 0, 1)
    told.rooms.change(told.code, lambda now, when: room.ask(now, "presenter", about, when))
    told.rooms.change(told.code, lambda now, when: room.vote(now, "somebody", 1, when))
    poll = told.slot("poll")
    assert (poll["voted"], poll["counts"], poll["claimed"], poll["answer"]) == (1, None, [], None)
    assert poll["run"] != "secret run"
    told.rooms.change(told.code, lambda now, when: room.resolve(now, "presenter", 1, when))
    poll = told.slot("poll")
    assert (poll["state"], poll["counts"], poll["claimed"], poll["answer"]) == ("resolved", [0, 1], [0.5, 0.5], 1)
    assert "somebody" not in told.now().slots["poll"]
    told.rooms.change(told.code, lambda now, when: room.close(now, "presenter", when))
    assert told.now().over
    assert told.slot("room")["closed"]


def test_the_audience_hears_of_what_was_played_and_keeps_it() -> None:
    """The presenter may go back: what the audience has seen stays. Another run begins from its start."""
    told = Told()
    notifier, code, rooms = told.rooms.notifier(told.code), told.code, told.rooms
    for round_, reached in ((1, 1), (3, 3), (2, 3), (0, 3)):
        before = notifier.count
        told.step(run="a", round=round_, clock=float(round_))
        assert rooms.reached(code, "a") == reached
        assert notifier.count == before + 1
    told.step(run="b", round=1)
    told.step(run="a k=3", round=2)
    told.step(run="a", round=0)
    assert (rooms.reached(code, "b"), rooms.reached(code, "a")) == (1, 3), (
        "also after another run, and one at another draft length"
    )
    for number in range(30):
        told.step(run=f"{number}", round=1)
    assert rooms.reached(code, "a") == 0, "nothing grows without end"


def test_of_an_opened_file_the_run_with_drafts_is_shown_and_held_back(view: dict[str, Any]) -> None:
    """As the player chooses it, wherever it stands in the file."""
    first, plain = view["recording"]["traces"]
    view["recording"]["traces"] = [plain, first]
    covered = Told(view).slot("covered")["round"]
    assert [each["token"] for each in covered["drafted"]] == [each["token"] for each in first["rounds"][0]["drafted"]]
