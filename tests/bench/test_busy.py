"""What the benchmark reports of a machine on which other programs took the cores."""

from dataclasses import replace

from specviz.lab.ledger import Ledger
from specviz.bench.profile import Profile
from specviz.bench.results import PromptResult, Report, Result
from specviz.bench.tables import notes, tables
from specviz.reporting.figures import Figure

ONE = Figure(1.0, 0.9, 1.1)
SPEEDUP = Figure(0.49, 0.44, 8.69)
MACHINE = dict.fromkeys(("device_name", "device", "cores", "threads", "torch", "transformers", "python", "system"), "x")
PROMPT = PromptResult(
    "A capital", "facts", 5, 8, {"plain": ONE}, ONE, ONE, SPEEDUP, Figure(0.45, 0.4, 8.0), 0.8, 2.0, 1.0, 1.0, 1.0, ONE,
    Ledger(2.0, 0.1, 0.1, 0.1, 1.7), texts_agree=True, divergences=(), trusted=False, waited=0.5,
)  # fmt: skip
PROFILE = Profile("pair", "float32", "cpu", "x", 1, 10, 0.001, 0.1, ((1, 1.0), (4, 1.1)))


def _report(row: PromptResult) -> Report:
    result = Result(
        "float32", ONE, ONE, row.speedup, row.speedup_with_prompt, ONE, ONE, ONE, ONE, ONE, {1: ONE}, ONE, texts_agree=True,
        profile=PROFILE, prompts=(row,),
    )  # fmt: skip
    return Report("pair", "target", "draft", 3, 8, 3, MACHINE, (result,))


def test_a_busy_machine_gives_a_range_and_a_warning() -> None:
    """Neither the prompt nor the headline has a speedup, and the notes say why; on a calm machine both have it."""
    busy, calm = _report(PROMPT), _report(replace(PROMPT, trusted=True, waited=0.0))
    headline = {row[0]: row[1] for row in tables(busy)[0].rows}
    assert headline["speedup, rounds only"] == "busy: 0.4 to 8.7"
    assert headline["speedup with the prompt"] == "busy: 0.4 to 8.0"
    (row,) = tables(busy)[2].rows
    assert row[:3] == ("A capital", "busy: 0.4 to 8.7", "–")
    (warning,) = [note for note in notes(busy) if "busy" in note]
    assert "while 1 of 1 prompts were measured" in warning
    assert "waited for a processor core up to 50% of its time" in warning
    headline = {row[0]: row[1] for row in tables(calm)[0].rows}
    assert headline["speedup with the prompt"] == "0.45 (0.40 to 8.00)"
    assert tables(calm)[2].rows[0][1:3] == ("0.49 (0.44 to 8.69)", "0.45")
    assert not [note for note in notes(calm) if "busy" in note]
