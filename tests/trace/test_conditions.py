"""The verdict on a busy machine, on recorded numbers: no headline from a busy one, no false alarm on a calm one."""

from dataclasses import replace

from specviz.trace.conditions import (
    Conditions,
    Turn,
    beside_others,
    conditions_json,
    counted,
    grounds,
    reason,
    verdict,
)

# Two threads on two cores, one of them taken: the pairs of a real race.
BUSY = (Turn(8.69, 0.71), Turn(0.44, 0.83), Turn(0.49, 0.86))
CALM = (Turn(2.31, 0.004), Turn(2.42, 0.009), Turn(2.53, 0.006))


def conditions(**changes: object) -> Conditions:
    return replace(Conditions(False, 3, 0, True, 0.44, 8.69, 0.8, 1.2, 2, 1, 1), **changes)  # type: ignore[arg-type]


def test_a_calm_machine_gives_a_headline_and_a_busy_one_a_sentence() -> None:
    """Three pairs that agree, none of which waited, are trusted without a word. 8.69, 0.44 and 0.49 give no headline: the range is given, and that the
    machine is busy. Waiting condemns a figure also where all pairs agree: two threads that wait for each other do so again and again."""
    assert counted(CALM, 3) == (True, [0, 1, 2])
    calm = conditions(trusted=True, low=2.31, high=2.53, waited=0.006)
    assert (verdict(calm), grounds(calm)) == ("", "")
    assert counted(BUSY, 3) == (False, [0, 1, 2])
    assert verdict(conditions()) == "this machine is busy: between 0.4× and 8.7×"
    assert "waited for a processor core 80% of the time, and other programs used 1.2 of 2 cores" in grounds(
        conditions()
    )
    assert not counted([Turn(0.49, 0.8), Turn(0.47, 0.82), Turn(0.5, 0.85)], 3)[0]


def test_many_turns_of_one_thread_that_agree_are_a_figure_on_a_busy_machine() -> None:
    """A single thread waits for no other of its own, so a steady load slows both sides down alike. A few turns, turns of several threads, or a
    middle half that is wider than 15% give none; a single outlier does not matter."""
    figures = (1.62, 1.48, 0.7, 1.55, 1.51, 1.6)
    steady = [Turn(figure, 0.5, 4.0, alone=True) for figure in figures]
    assert counted(steady, 3) == (True, [0, 1, 2, 3, 4, 5])
    assert not counted(steady[:4], 3)[0]
    assert not counted([replace(turn, most=None) for turn in steady], 3)[0], "seconds of runs alone"
    assert not counted([Turn(figure, 0.5, 4.0) for figure in figures], 3)[0]
    assert not counted([Turn(figure, 0.5, 4.0, alone=True) for figure in (1.1, 1.9, 0.7, 1.5, 2.4, 1.2)], 3)[0]
    assert not counted([Turn(figure, 0.5, 1.4, alone=True) for figure in figures], 3)[0]
    disturbed = conditions(trusted=True, disturbed=True, turns=6, waited=0.5)
    assert (reason(disturbed), verdict(disturbed)) == ("measured on a busy machine", "")
    assert "waited for a processor core 50% of the time" in grounds(disturbed)
    assert "the middle half of 6 timings lies within 15% of this figure" in grounds(disturbed)


def test_a_wide_spread_is_not_trusted_even_where_nothing_waited() -> None:
    """On a GPU only the spread shows it; with five pairs a single outlier does not count, with three it does."""
    unsteady = [Turn(figure, None) for figure in (8.69, 0.44, 0.49)]
    assert not counted(unsteady, 3)[0]
    outlier = [Turn(figure, None) for figure in (2.4, 2.3, 9.0, 2.5, 2.4)]
    assert counted(outlier, 5) == (True, [0, 1, 2, 3, 4])
    assert not counted(outlier[:3], 3)[0]
    assert verdict(conditions(waited=0.01)) == "the timings do not agree: between 0.4× and 8.7×"
    assert verdict(conditions(waited=None)) == "this machine is busy: between 0.4× and 8.7×"


def test_disturbed_pairs_are_left_out_where_enough_others_are_calm() -> None:
    """More than half of the pairs that were wanted must be calm; then only these count."""
    turns = [*BUSY, *CALM]
    assert counted(turns, 3) == (True, [3, 4, 5])
    assert counted(turns[:5], 3) == (True, [3, 4])
    assert counted(turns[:4], 3) == (False, [0, 1, 2, 3])
    assert "3 of 6 timings were left out" in grounds(conditions(trusted=True, turns=6, left_out=3))
    assert "Timed with 1 of 4 threads, on both sides" in grounds(conditions(trusted=True, usual_threads=4))


def test_a_speedup_that_cannot_be_is_no_headline() -> None:
    """5.36 with 5.2 tokens per pass: something slowed the plain run down, though no wait was seen. Such a turn does not count; where
    no other is left, this is said instead of a figure."""
    impossible, calm = Turn(5.36, 0.01, 5.2), [Turn(3.5, 0.01, 5.2), Turn(3.7, 0.01, 5.2)]
    assert Turn(5.25, 0.01, 5.2).calm
    assert counted([impossible], 1) == (False, [0])
    assert counted([impossible, *calm], 3) == (True, [1, 2])
    for waited in (0.01, None):
        alone = conditions(turns=1, low=5.36, high=5.36, waited=waited, most=5.2)
        assert verdict(alone) == "not possible with 5.20 tokens per pass: about 5.36×"
        assert "more than 5.20× as fast is not possible" in grounds(alone)
    assert reason(conditions(most=5.2)) == "this machine is busy", "a run that waited says so"


def test_a_run_beside_another_engine_is_never_trusted() -> None:
    """However calm its timings look: the reason is said, and the range instead of a figure."""
    marked = beside_others(conditions(trusted=True, low=2.31, high=2.53, waited=0.006))
    assert verdict(marked) == "another engine ran at the same time: between 2.3× and 2.5×"
    assert grounds(marked).startswith("Another engine of this server computed on the same machine meanwhile.")
    assert (conditions_json(marked) or {})["trusted"] is False
