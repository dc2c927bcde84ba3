"""The studies in the engine process: each finds what the function of the command of the same name finds, and reports it typed."""

import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from specviz.engine import TASKS
from specviz.errors import InputError
from specviz.lab import best_k, drafts, service, study, texts
from specviz.lab.guests import Surface
from specviz.lab.profile import Profile
from specviz.lab.strip import text_in
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.request import PairAsked
from specviz.runs import engine_process
from specviz.runs.engine_process import Engine
from specviz.settings import Settings
from specviz.wire import Event, Failed, Perform, Performed, Reported, decode_event
from tests.lab.making import PROMPTS, surface

PAIR = PairAsked("embedded", device="cpu", dtype="float32")
SHORT = Settings(max_new_tokens=8)


def _events(pair: Pair, asked: str, *, cancel: bool = False) -> list[Event]:
    out = io.StringIO()
    engine = Engine(out, TASKS)
    engine._warm = engine_process._Warm(PAIR, pair, 100.0)
    if cancel:
        engine.cancel("job")
    engine.do(Perform("job", PAIR, study.NAME, asked))
    return [decode_event(line) for line in out.getvalue().splitlines()]


def _found(pair: Pair, asked: study.Asked) -> Sequence[study.Found]:
    """Every report, in order."""
    events = _events(pair, study.written(asked))
    assert events[-1] == Performed("job", cancelled=False), events[-1]
    return [study.found(event.report) for event in events if isinstance(event, Reported)]


def test_the_best_k_is_that_of_the_command(embedded: Pair) -> None:
    """The rounds and counts of every k, and the prediction from the same rounds; reported as soon as there is something, the prediction first."""
    asked = study.BestKAsked(PROMPTS[0], SHORT, (1, 3), 1, template=True)
    first, *_, last = _found(embedded, asked)
    assert isinstance(first, study.BestK)
    assert isinstance(last, study.BestK)
    assert (sorted(first.predicted), first.measured) == ([1, 3], {})
    own = best_k.find(embedded, PROMPTS[0], SHORT, (1, 3), 1, lambda what: None)
    assert last.how == own.how == "rounds exact, times priced"
    for k, row in own.measured.items():
        other = last.measured[k]
        assert (other.rounds, other.judged, other.accepted) == (row.rounds, row.judged, row.accepted)
    assert last.cost_aware is not None
    assert last.costs is not None
    assert "thread" in last.machine


def test_above_temperature_0_the_prediction_is_the_formula(embedded: Pair) -> None:
    """With the α of what was measured so far."""
    asked = study.BestKAsked(PROMPTS[0], replace(SHORT, temperature=1.0), (2,), 1, template=True)
    last = _found(embedded, asked)[-1]
    assert isinstance(last, study.BestK)
    row = last.measured[2]
    assert f"α = {row.accepted / row.judged if row.judged else 0:.2f}" in last.how


def test_kinds_of_text_are_those_of_the_command(embedded: Pair) -> None:
    """A report after every kind, in the order of the prompts; prompts of one kind count together."""
    warm = replace(SHORT, temperature=1.0)
    prompts = (*PROMPTS, ReadyPrompt("three", "code", "import os"))
    reports = _found(embedded, study.TextsAsked(warm, template=True, prompts=prompts))
    counts = [len(each.kinds) for each in reports if isinstance(each, study.TextsFound)]
    assert counts == [1, 2]
    last = reports[-1]
    assert isinstance(last, study.TextsFound)
    code = texts.of_prompts(embedded, "code", (prompts[0], prompts[2]), warm, template=True)
    facts = texts.of_prompts(embedded, "facts", (prompts[1],), warm, template=True)
    assert last.kinds == (code, facts)


def test_an_own_text_comes_back_letter_by_letter(embedded: Pair) -> None:
    """First token and strip together are the text, also where tokens share a letter; the figures are those of the command; a long one is cut."""
    text = "Zażółć <b>jaźń</b> 🙂\nThe quick brown fox"
    asked = study.TextsAsked(replace(SHORT, temperature=1.0), template=True, own=text)
    (found,) = _found(embedded, asked)
    assert isinstance(found, study.TextsFound)
    (kind,) = found.kinds
    assert found.begins + "".join(position.text for position in kind.strip) == text
    assert kind == texts.of_text(embedded, "own text", text, asked.settings, asked.most)
    assert not found.cut
    (cut,) = _found(embedded, replace(asked, most=5))
    assert isinstance(cut, study.TextsFound)
    assert (cut.cut, len(cut.kinds[0].strip)) == (True, 5)
    (failed,) = [each for each in _events(embedded, study.written(replace(asked, own="a"))) if isinstance(each, Failed)]
    assert "fewer than two tokens" in failed.message


def test_parts_find_what_the_complete_study_finds(embedded: Pair) -> None:
    """One part after the other, each with what those before it found, also where nothing else of them is left: as after another pair was loaded."""
    warm = replace(SHORT, temperature=1.0)
    for asked in (
        study.TextsAsked(warm, template=True, prompts=PROMPTS),
        study.BestKAsked(PROMPTS[0], SHORT, (1, 3), 1, template=True),
        study.BestKAsked(PROMPTS[0], warm, (2,), 1, template=True),
    ):
        found: study.Found | None = None
        for number in range(study.parts(asked)):
            wanted = study.StudyPart(asked, found, f"sitting {number % 2}")
            events = _events(embedded, study.part(wanted))
            assert events[-1] == Performed("job", cancelled=False), events[-1]
            found = [study.found(event.report) for event in events if isinstance(event, Reported)][-1]
            assert study.made(found) == number + 1
        complete = _found(embedded, asked)[-1]
        if isinstance(found, study.BestK) and isinstance(complete, study.BestK):
            assert found.how == complete.how
            counts = [(k, row.rounds, row.judged, row.accepted) for k, row in found.measured.items()]
            assert counts == [(k, row.rounds, row.judged, row.accepted) for k, row in complete.measured.items()]
        else:
            assert found == complete


def test_what_is_no_text_is_refused() -> None:
    """Bytes, and emptiness; a mark at the beginning of the file is not part of the text."""
    assert text_in(b"\xef\xbb\xbfabc", "a file") == "abc"
    for data in (b"\xff\xfe\x00", b"a\0b", b"  \n"):
        with pytest.raises(InputError, match="save it as plain text"):
            text_in(data, "a file")


@pytest.mark.slow
def test_drafts_are_those_of_the_command(embedded: Pair) -> None:
    """α of every draft of the target, a report after each prompt."""
    asked = study.DraftsAsked("embedded", (), PROMPTS[:1], SHORT, 1, template=True)
    (found,) = _found(embedded, asked)
    assert isinstance(found, study.DraftsFound)
    (own,) = drafts.compare(embedded, asked, lambda what: None)
    assert [(each.name, each.alpha) for each in found.drafts] == [(each.name, each.alpha) for each in own.drafts]
    assert found.drafts[0].name == "model"
    (again,) = drafts.further(
        drafts.prepared(embedded, asked, lambda what: None),
        replace(asked, prompts=PROMPTS),
        found,
        lambda what: None,
    )
    assert (again.prompts, again.rows[: len(found.rows)]) == (2, found.rows)
    assert len(again.rows) == 2 * len(found.rows)
    assert [level.label for level in found.levels] == ["1×", "1.5×", "2×", "3×"]


@pytest.mark.slow
def test_a_profile_comes_back_from_the_engine(embedded: Pair) -> None:
    """With its name, and passes that were measured."""
    (found,) = _found(embedded, study.ProfileAsked("a desk", "Ada", 1, 1.0))
    assert isinstance(found, Profile)
    assert (found.name, found.measured_by, found.label) == ("a desk", "Ada", "priced with the profile of a desk")
    assert found.target


def test_the_server_is_the_simulation(embedded: Pair) -> None:
    """Every way to serve at every rate, seeded; a report after each rate."""
    costs = surface()
    asked = study.ServerAsked(
        costs.target,
        costs.draft,
        (0.5, 4.0),
        ("code", "verse"),
        (0.9, 0.3),
        tokens=20,
        requests=30,
        k=3,
        room=4,
        seed=7,
    )
    first, last = _found(embedded, asked)
    assert isinstance(first, study.ServerFound)
    assert isinstance(last, study.ServerFound)
    assert last.rows[: len(first.rows)] == first.rows
    load = service.ServiceLoad(4.0, 20, 30, {"code": 0.9, "verse": 0.3}, 3, 4, 7)
    assert last.rows[-4:] == tuple(study.AtRate(4.0, service.simulate(costs, load, mode)) for mode in service.MODES)


def test_stop_ends_every_study(embedded: Pair) -> None:
    """The job is cancelled; nothing that would come later is reported."""
    costs = surface()
    warm = replace(SHORT, temperature=1.0)
    for asked in (
        study.BestKAsked(PROMPTS[0], SHORT, (1,), 1, template=True),
        study.TextsAsked(warm, template=True, prompts=PROMPTS),
        study.DraftsAsked("embedded", (), PROMPTS[:1], SHORT, 1, template=True),
        study.ProfileAsked("", "", 1, 1.0),
        study.ServerAsked(costs.target, costs.draft, (1.0,), ("code",), (0.9,), tokens=5, requests=5, k=2, room=2),
    ):
        events = _events(embedded, study.written(asked), cancel=True)
        assert events[-1] == Performed("job", cancelled=True)
        found = [study.found(event.report) for event in events if isinstance(event, Reported)]
        assert not [each for each in found if not isinstance(each, study.BestK) or each.measured]


def test_what_is_no_study_is_one_sentence(embedded: Pair) -> None:
    """An unknown name, a damaged record, lengths that cannot be."""
    for text in (json.dumps({"Nothing": {}}), json.dumps([1]), json.dumps({"BestKAsked": {"k": 3}})):
        assert isinstance(_events(embedded, text)[-1], Failed)
    for lengths in ("", "0", "1,x", "99"):
        with pytest.raises(InputError, match="give draft lengths from 1"):
            study.lengths_of(lengths)
    assert study.lengths_of("3, 1,3") == (1, 3)


def test_only_measured_corners_have_room() -> None:
    """Who can draft k tokens: as many guests as were measured with k + 1 tokens, and with a draft pass."""
    full = surface()
    assert full.room_for(4) == 8
    short = Surface(tuple(each for each in full.target if each.guests * each.tokens <= 12), full.draft)
    assert (short.room_for(1), short.room_for(8), short.room_for(9)) == (4, 1, 0)
