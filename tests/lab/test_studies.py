"""The questions of the Lab in the engine process: what the answers to their requests say together, and what is refused."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from specviz.decoding.costs import Costs
from specviz.errors import InputError
from specviz.lab import best_k, frontier, measuring, profiling, service, study, texts
from specviz.lab.axes import Axis
from specviz.lab.best_k import BestK
from specviz.lab.guests import Surface
from specviz.lab.profile import Profile
from specviz.lab.results import LEFT_OUT, MEASURED, Found
from specviz.lab.strip import text_in
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.wire import Failed, Performed
from tests.lab.making import CALM, EMBEDDED, PROMPTS, answers, asked_of, events_of, plan_of, surface

SHORT = Settings(max_new_tokens=8)
WARM = replace(SHORT, temperature=1.0)


@pytest.fixture(autouse=True)
def _known_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes cost this."""
    known = study.Watched(Costs(0.25, tuple(1 + 0.1 * n for n in range(17))), CALM)
    for module in (measuring, profiling):
        monkeypatch.setattr(module, "watched_costs", lambda pair, drafter: known)


def _best_k(lengths: Sequence[int] = (1, 3), settings: Settings = SHORT) -> tuple[study.Asked, ...]:
    return best_k.requests(EMBEDDED, PROMPTS[0], settings, lengths, 1, template=True)


def _server(*rates: float) -> list[study.ServerAsked]:
    costs, alphas = surface(), {"code": 0.9, "verse": 0.3}
    return [
        study.ServerAsked(costs.target, costs.draft, service.ServiceLoad(rate, 20, 30, alphas, 3, 4, 7))
        for rate in rates
    ]


def test_the_best_k_is_predicted_first_and_then_measured(embedded: Pair) -> None:
    """The rounds and counts of every k are those of the run by hand; the prediction, from the same rounds, is there before any measurement;
    the cost-aware policy comes last."""
    asked = _best_k()
    made = asked_of(embedded, asked)
    first, last = best_k.found(asked, made[:1]), best_k.found(asked, made)
    assert (sorted(first.predicted), first.measured) == ([1, 3], {})
    assert (first.how, first.predicted) == ("rounds exact, times priced", last.predicted)
    for k, row in last.measured.items():
        by_hand = Run(embedded, PROMPTS[0].text, replace(SHORT, k=k)).finish()
        judged, accepted = sum(r.judged for r in by_hand.rounds), sum(len(r.accepted) for r in by_hand.rounds)
        assert (row.rounds, row.judged, row.accepted) == (len(by_hand.rounds), judged, accepted)
    assert sorted(last.measured) == [1, 3]
    assert last.cost_aware is not None
    assert last.costs is not None
    assert "thread" in last.machine


def test_above_temperature_0_each_length_is_predicted_from_its_own_rounds(embedded: Pair) -> None:
    """Where the costs of passes can be trusted; nothing is calculated before it is measured."""
    asked = _best_k((2,), WARM)
    assert all(isinstance(each, study.RunAsked) for each in asked)
    made = asked_of(embedded, asked)
    found = best_k.found(asked, made)
    assert isinstance(made[0], study.RunMade)
    predicted = made[0].found.predicted
    assert found.predicted == ({} if predicted is None else {2: predicted})
    assert found.how.startswith("the rounds of these runs")


def test_in_half_precision_nothing_is_calculated(embedded: Pair) -> None:
    """A text can depend there on how many tokens a pass reads: the answer has no run, and lengths are predicted from their own rounds."""
    half = replace(embedded, card=replace(embedded.card, dtype="bfloat16"))
    asked = _best_k((2,))
    assert isinstance(asked[0], study.CalculationAsked)
    (found,) = answers(events_of(half, study.request(asked[0], "half")))
    assert found == study.Calculated(())
    assert best_k.found(asked, [found]) == best_k.found(asked, [])


def test_a_length_that_cannot_run_says_why() -> None:
    """Its reason, once; the others count."""
    asked = _best_k((1, 3))[1:]
    left_out = Found(0, LEFT_OUT, None, None, None, "no such drafter", 0.0, 0.0)
    found = best_k.found(asked, [study.RunMade(left_out, None, "here")] * 2)
    assert (found.left_out, found.measured) == (("no such drafter",), {})


def test_kinds_of_text_are_those_of_the_prompts(embedded: Pair) -> None:
    """An answer for every kind, in the order of the prompts; prompts of one kind count together."""
    prompts = (*PROMPTS, ReadyPrompt("three", "code", "import os"))
    found = asked_of(embedded, study.texts_of(prompts, WARM, template=True))
    code = texts.of_prompts(embedded, "code", (prompts[0], prompts[2]), WARM, template=True)
    facts = texts.of_prompts(embedded, "facts", (prompts[1],), WARM, template=True)
    assert [each.kind for each in found if isinstance(each, study.TextsFound)] == [code, facts]


def test_an_own_text_comes_back_letter_by_letter(embedded: Pair) -> None:
    """First token and strip together are the text, also where tokens share a letter; a long one is cut."""
    text = "Zażółć <b>jaźń</b> 🙂\nThe quick brown fox"
    asked = study.TextsAsked("own text", WARM, template=True, own=text)
    found, cut = asked_of(embedded, [asked, replace(asked, most=5)])
    assert isinstance(found, study.TextsFound)
    assert found.begins + "".join(position.text for position in found.kind.strip) == text
    assert found.kind == texts.of_text(embedded, "own text", text, asked.settings, asked.most)
    assert not found.cut
    assert isinstance(cut, study.TextsFound)
    assert (cut.cut, len(cut.kind.strip)) == (True, 5)
    failed = events_of(embedded, study.request(replace(asked, own="a"), ""))[-1]
    assert isinstance(failed, Failed)
    assert "fewer than two tokens" in failed.message


def test_what_is_no_text_is_refused() -> None:
    """Bytes, and emptiness; a mark at the beginning of the file is not part of the text."""
    assert text_in(b"\xef\xbb\xbfabc", "a file") == "abc"
    for data in (b"\xff\xfe\x00", b"a\0b", b"  \n"):
        with pytest.raises(InputError, match="save it as plain text"):
            text_in(data, "a file")


@pytest.mark.slow
def test_drafts_are_compared_prompt_by_prompt(embedded: Pair) -> None:
    """α of every draft of the target is that of its own runs, also after the first of two prompts."""
    every = frontier.axis("embedded", ())
    axis = Axis(every.name, every.values[:3])
    asked = frontier.requests(replace(plan_of(axis), settings=SHORT))
    made = asked_of(embedded, asked)
    found, first = frontier.found(asked, made), frontier.found(asked, made[: 1 + len(axis.values)])
    assert found is not None
    assert first is not None
    assert (found.prompts, first.prompts, found.left_out) == (2, 1, ())
    assert [each.name for each in found.drafts] == [*axis.values]
    runs = [r.found for r in made if isinstance(r, study.RunMade)]
    for each in found.drafts:
        rows = [r.row for r in runs if r.row and r.row.drafter == each.name]
        assert each.alpha == sum(row.accepted for row in rows) / sum(row.judged for row in rows)
    assert [*found.levels] == ["1×", "1.5×", "2×", "3×"]
    assert {run.how for run in runs} == {MEASURED}
    assert frontier.found(asked, made[:1]) is None


@pytest.mark.slow
def test_a_profile_comes_back_from_the_engine(embedded: Pair) -> None:
    """With its name, and passes that were measured."""
    (found,) = asked_of(embedded, [study.ProfileAsked("a desk", "Ada", 1, 1.0)])
    assert isinstance(found, Profile)
    assert (found.name, found.measured_by, found.label) == ("a desk", "Ada", "priced with the profile of a desk")
    assert found.target


def test_the_server_is_the_simulation(embedded: Pair) -> None:
    """Every way to serve at every rate, seeded."""
    for asked, found in zip(_server(0.5, 4.0), asked_of(embedded, _server(0.5, 4.0)), strict=True):
        rows = tuple(service.simulate(surface(), asked.load, mode) for mode in service.MODES)
        assert found == study.ServerFound(rows)
        assert {row.rate for row in rows} == {asked.load.rate}


def test_stop_ends_every_request(embedded: Pair) -> None:
    """The job is cancelled; nothing that would come later is reported."""
    (own, *_) = study.texts_of(PROMPTS, WARM, template=True)
    plan = plan_of(Axis("k", ("1",)))
    costs, profile, calculation = study.CostsAsked(), study.ProfileAsked("", "", 1, 1.0), study.CalculationAsked(plan)
    every: list[study.Asked] = [own, costs, profile, calculation, *_server(1.0), *_best_k((1,), WARM)]
    for asked in every:
        events = events_of(embedded, study.request(asked, f"{type(asked)}"), cancel=True)
        assert events[-1] == Performed("job", cancelled=True)
        assert not answers(events)


def test_lengths_that_cannot_be_are_one_sentence() -> None:
    """None, 0, words, and too many."""
    for lengths in ("", "0", "1,x", "99"):
        with pytest.raises(InputError, match="give draft lengths from 1"):
            best_k.lengths_of(lengths)
    assert best_k.lengths_of("3, 1,3") == (1, 3)
    assert BestK("", {1: 1.0, 2: 1.0}, {}, None).best_predicted == 1


def test_only_measured_corners_have_room() -> None:
    """Who can draft k tokens: as many guests as were measured with k + 1 tokens, and with a draft pass."""
    full = surface()
    assert full.room_for(4) == 8
    short = Surface(tuple(each for each in full.target if each.guests * each.tokens <= 12), full.draft)
    assert (short.room_for(1), short.room_for(8), short.room_for(9)) == (4, 1, 0)
