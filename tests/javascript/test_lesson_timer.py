"""The timer of a lesson and how it stands to the plan, without a browser."""

from tests.helpers.node import Node

MODULES = ("classroom/lesson_timer",)


def test_a_timer_counts_without_its_pauses(js: Node) -> None:
    """Started, halted and started again it has the seconds in which it ran; whole seconds are shown."""
    ran = """(at) => {
        let timer = { counted: 0, since: null };
        for (const now of [100, 160, 1000]) timer = pressed(timer, now);
        return [secondsOf(timer, at), clockText(secondsOf(timer, at))];
    }"""
    assert js.call(ran, 1005.5) == [65.5, "1:05"]
    assert js.call("() => clockText(3599.9)") == "59:59"


def test_it_says_how_late_the_open_part_is(js: Node) -> None:
    """Within the minutes of its part nothing is said; before them and after them how many minutes; without a part, or not begun, nothing."""
    part = {"begins": 8, "ends": 15}
    said = {
        minutes: js.call("(part, s) => lateness(part, s)", part, 60 * minutes + 1) for minutes in (5, 8, 14, 15, 17)
    }
    assert said == {5: "3 min early", 8: "", 14: "", 15: "1 min late", 17: "3 min late"}
    assert js.call("(part) => lateness(part, 0)", part) == ""
    assert js.call("() => lateness(undefined, 99)") == ""


def test_a_timer_of_yesterday_begins_anew(js: Node) -> None:
    """What a browser kept is taken up where it is of this lesson, and nothing else breaks it."""
    kept = """(text, now) => {
        globalThis.localStorage = { getItem: () => text };
        return keptTimer(now);
    }"""
    assert js.call(kept, '{"counted": 60, "since": 900}', 1000) == {"counted": 60, "since": 900}
    for text in ('{"counted": 60, "since": 900}', "nonsense", None, '{"counted": -5, "since": null}'):
        assert js.call(kept, text, 90_000) == {"counted": 0, "since": None}, text
