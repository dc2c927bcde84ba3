"""What the audience of a room holds of a run: nothing that the presenter's stage has not shown."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.room.played import played, shown_of
from app.room.rooms import Rooms, stage
from specviz.rooms import room
from specviz.rooms.errors import RoomError
from specviz.rooms.moment import Moment
from tests.helpers.views import shipped_view


def opened() -> dict[str, Any]:
    """A recording as a page takes it: of a shipped run, with plain decoding beside it."""
    return shipped_view("capital", asked={"prompt": "a"}, speedups=[1.0], new_field="what somebody may add")


def test_of_a_round_before_its_verdicts_only_the_draft_is_there() -> None:
    """The rounds before it are whole but for the alternatives; nothing of the later ones is there, and no token that only they have."""
    view = opened()
    rounds = view["recording"]["traces"][0]["rounds"]
    for at in range(len(rounds)):
        found = played(view, at)
        shown = found["live"]["rounds"]
        assert (len(shown), False) == (at + 1, False) == shown_of(view, at)
        for one, whole in zip(shown[:at], rounds, strict=False):
            assert [each["verdict"] for each in one["drafted"]] == [each["verdict"] for each in whole["drafted"]]
            assert (one["accepted"], one["closing"]["token"]) == (whole["accepted"], whole["closing"]["token"])
        last = shown[-1]
        assert last["covered"]
        assert [each["token"] for each in last["drafted"]] == [each["token"] for each in rounds[at]["drafted"]]
        assert {(each["verdict"], each["target_prob"], each["draw"]) for each in last["drafted"]} <= {
            ("discarded", None, None)
        }
        assert (last["accepted"], last["closing"]) == ([], None)
        seen = {each["token"] for one in shown for each in one["drafted"]} | {
            one["closing"]["token"] for one in shown[:at]
        }
        assert {int(key) for key in found["live"]["tokens"]} == seen | set(view["recording"]["traces"][0]["prompt_ids"])
        assert "target_top" not in json.dumps(found)
        assert not found["live"]["plain_rounds"]
    assert set(played(view, 0)) <= {"id", "status", "live", "asked", "plain_rate"}, (
        "nothing new in a view goes to the audience unnoticed"
    )


def test_a_run_that_was_shown_to_its_end_is_there_whole() -> None:
    """Then everybody may look at its alternatives; and of a run that has not begun there is nothing to hold back."""
    view = opened()
    count = len(view["recording"]["traces"][0]["rounds"])
    assert played(view, count) is view
    waiting = {"id": "a", "status": "queued"}
    assert played(waiting, 0) is waiting
    assert shown_of(waiting, 0) == (0, True)
    assert shown_of(view, count) == shown_of(view, count + 3) == (count, True)


def test_a_live_run_is_held_back_too() -> None:
    """Of its plain run, which is decoded while the presenter plays, the audience has nothing."""
    trace = opened()["recording"]["traces"][0]
    whole = played(opened(), 2)["live"]
    live = {
        **whole,
        "rounds": trace["rounds"],
        "tokens": trace["tokens"],
        "plain_rounds": [1, 2],
        "ended": {"speculative": "length"},
    }
    view = {
        "id": "run",
        "status": "running",
        "live": live,
        "recording": None,
        "replan": [True],
        "asked": {"prompt": "x"},
    }
    assert played(view, 2)["live"] == whole
    assert played(view, len(live["rounds"])) != view, "it is not over"


def test_a_page_hears_of_what_was_played_and_keeps_it(tmp_path: Path) -> None:
    """The presenter may go back: what the audience has seen stays. Another run begins from its start."""
    heard: list[tuple[str, float]] = []
    rooms = Rooms(tmp_path, notify=lambda topic, apart: heard.append((topic, apart)))
    code = rooms.open("presenter").code

    def step(**moment: Any) -> None:
        rooms.change(code, lambda now, when: room.steer(now, "presenter", Moment(**moment), when))

    step(run="a", round=0)
    heard.clear()
    for round_, reached in ((1, 1), (3, 3), (2, 3), (0, 3)):
        step(run="a", round=round_, clock=float(round_))
        assert rooms.reached(code, "a") == reached
    assert [topic for topic, _ in heard].count(stage(code)) == 2
    step(run="b", round=1)
    step(run="a k=3", round=2)
    step(run="a", round=0)
    assert (rooms.reached(code, "b"), rooms.reached(code, "a")) == (1, 3), (
        "also after another run, and one at another draft length"
    )
    for number in range(30):
        step(run=f"{number}", round=1)
    assert rooms.reached(code, "a") == 0, "nothing grows without end"


@pytest.mark.parametrize("wrong", [{"within": -1.0}, {"within": float("nan")}, {"index": -1}])
def test_where_a_stage_is_must_be_somewhere(wrong: dict[str, Any]) -> None:
    """As its clock and its round."""
    with pytest.raises(RoomError, match="clock"):
        Moment(**wrong)


def test_of_an_opened_file_the_run_with_drafts_is_shown_and_held_back() -> None:
    """As the player chooses it, wherever it stands in the file."""
    view = opened()
    first, plain = view["recording"]["traces"]
    view["recording"]["traces"] = [plain, first]
    assert [each["token"] for each in played(view, 0)["live"]["rounds"][0]["drafted"]] == [
        each["token"] for each in first["rounds"][0]["drafted"]
    ]
    view["recording"]["traces"] = [{**plain, "rounds": []}, first]
    assert "recording" not in played(view, 0)


def test_a_room_that_was_saved_before_is_read(tmp_path: Path) -> None:
    """Its moment has no place within a round."""
    rooms = Rooms(tmp_path)
    code = rooms.open("presenter").code
    rooms.save()
    path = tmp_path / f"{code}.json"
    old = json.loads(path.read_text())
    del old["moment"]["index"], old["moment"]["within"]
    path.write_text(json.dumps(old))
    again = Rooms(tmp_path)
    assert (again.note, again.led_by("presenter") is not None) == ("", True)
