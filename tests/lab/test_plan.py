"""Plans: which runs, in which order, how long, and what is refused before anything is loaded."""

from time import perf_counter

import pytest

from specviz.cli.main import main
from specviz.decoding.costs import Costs
from specviz.errors import InputError, SettingsError
from specviz.lab.axes import Axis, axis_of, contestant
from specviz.lab.plan import check_size, duration, run_seconds, tasks, time_left, values_at
from specviz.settings import Settings
from tests.lab.making import plan_of

CATEGORIES = ("code", "facts")


def test_a_plan_lists_every_run_once() -> None:
    """Two axes with two prompts: every cell on every prompt; with an axis of categories each cell has its own prompts."""
    both = plan_of(Axis("k", ("1", "2", "3")), Axis("temperature", ("0", "1")))
    listed = tasks(both)
    assert both.size == len(listed) == 12
    assert [task.index for task in listed] == list(range(12))
    assert {(task.at, task.prompt) for task in listed} == {
        ((k, t), p) for k in ("1", "2", "3") for t in ("0", "1") for p in (0, 1)
    }
    assert [task.prompt for task in listed] == [0] * 6 + [1] * 6, "the cells of one prompt are measured close together"
    by_kind = plan_of(Axis("category", CATEGORIES), Axis("k", ("1", "2")))
    assert by_kind.size == len(tasks(by_kind)) == 4
    assert all(by_kind.prompts[task.prompt].category == values_at(by_kind, task)["category"] for task in tasks(by_kind))
    formats = plan_of(Axis("k", ("1", "2")), Axis("dtype", ("float32", "bfloat16")))
    assert [task.at[1] for task in tasks(formats)] == ["float32"] * 4 + ["bfloat16"] * 4, "each format is loaded once"


def test_a_million_cells_are_refused_with_the_number_and_an_estimate() -> None:
    """At once, without a list of them, and with the seconds that earlier runs took."""
    length = Axis("prompt-length", tuple(map(str, range(1, 1001))))
    huge = plan_of(length, Axis("temperature", tuple(f"0.{i:04}" for i in range(1, 1001))))
    began = perf_counter()
    with pytest.raises(InputError, match=r"2,000,000 runs, about 46 days at 2 s each \(a guess\)"):
        check_size(huge)
    with pytest.raises(InputError, match=r"about 12 days at 0\.5 s each \(the median of earlier ones\)"):
        check_size(huge, 0.5)
    assert perf_counter() - began < 1
    with pytest.raises(InputError, match="at most 10,000"):
        tasks(huge)


def test_the_estimate_follows_the_costs() -> None:
    """By hand for one run; the time left is the mean of what was measured."""
    plan = plan_of(Axis("k", ("1", "4")), repeats=3, tokens=50)
    first = tasks(plan)[0]
    costs = Costs(c=0.2, v=(1.0, 1.1, 1.2, 1.3, 1.4))
    round_ = 1 * 0.2 + 1.1
    by_hand = (3 * (50 + 50 / 1.7 * round_) + 4 * (1 + round_)) * 0.01 + 0.1
    assert run_seconds(plan, first, costs, 0.01) == pytest.approx(by_hand)
    assert time_left([], 4, 2.0) == 8.0
    assert time_left([1.0, 3.0], 3, 100.0) == 6.0
    assert [duration(s) for s in (40, 200, 7200, 10**6)] == ["40 s", "3 min", "2 hours", "12 days"]


def test_axes_are_read_and_wrong_values_refused() -> None:
    """Ranges, all, lists; every wrong value in one sentence."""

    def read(text: str, pair: str | None = "embedded") -> tuple[str, ...]:
        return axis_of(text, pair=pair, categories=CATEGORIES).values

    assert read("k=1..4") == ("1", "2", "3", "4")
    assert read("k=2,2,5") == ("2", "5")
    assert read("category") == read("category=all") == CATEGORIES
    assert "embedded-tiny" in read("draft=all")
    for wrong in ("colour=red", "k=0", "k=17", "k=x", "k=4..1", "k=1..99999", "temperature=nan", "temperature=-1", "prompt-length=0",
                  "prompt-length", "dtype=int8", "category=poems", "policy=lazy", "drafter=nobody", "draft=other"):  # fmt: skip
        with pytest.raises((InputError, SettingsError)):
            read(wrong)
    with pytest.raises(InputError, match="can be varied only"):
        read("draft=embedded-tiny", pair="smollm2")
    with pytest.raises(InputError, match="one or two different"):
        plan_of(Axis("k", ("1",)), Axis("k", ("2",)))


def test_values_become_settings() -> None:
    """k, temperature, drafter and draft reach the run; what a drafter does not support is left out, not ignored."""
    found = contestant({"k": "3", "temperature": "0.5", "drafter": "ngram"}, Settings(), "embedded", ())
    assert (found.settings.k, found.settings.temperature, found.settings.drafter) == (3, 0.5, "ngram")
    assert contestant({"draft": "embedded-tiny"}, Settings(), "embedded", ()).draft == "embedded-tiny"
    assert contestant({"draft": "embedded"}, Settings(), "embedded", ()).draft is None
    with pytest.raises(InputError, match="does not support the policy"):
        contestant({"drafter": "suffix", "policy": "confidence"}, Settings(), "embedded", ())
    with pytest.raises(InputError, match="uses no draft model"):
        contestant({"draft": "embedded-tiny", "drafter": "ngram"}, Settings(), "embedded", ())


def test_a_plan_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """`lab sweep --plan` prints what it was asked for on stdout, also without --json."""
    assert main(["lab", "sweep", "--over", "k=1..3", "--plan"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("3 runs, ")
    assert printed.err == ""
