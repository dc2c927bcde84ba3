"""What the built-in lessons say in words about their recordings, where no placeholder keeps it true."""

from functools import cache

import pytest

from specviz.lessons.dots import dot
from specviz.lessons.lesson import Lesson, Recorded
from specviz.trace.metrics import divergence, speedup, summarise
from specviz.trace.records import Top, Trace, Verdict
from tests.lessons.writing import built_in

YES, NO = Verdict.ACCEPTED, Verdict.REJECTED


@cache
def _lesson(name: str) -> Lesson:
    (found,) = (each for each in built_in().lessons if each.name == name and each.language == "en")
    return found


def _recorded(lesson: str, name: str) -> Recorded:
    (found,) = (each for each in _lesson(lesson).recordings if each.name == name)
    return found


def _word(trace: Trace, token: int) -> str:
    return trace.tokens[token].data.decode().strip()


def _two_best(top: Top) -> list[tuple[float, int]]:
    return sorted(zip(top.probabilities, top.tokens, strict=True), reverse=True)[:2]


@pytest.mark.slow
def test_the_letter_alone_is_the_plain_run_of_the_letter() -> None:
    """Chapters 1 and 2 show the plain run itself: the one that the letter's speedup was measured against, in float32."""
    alone, letter = _recorded("checking", "letter-alone"), _recorded("checking", "letter")
    assert alone.run == letter.plain
    assert alone.run.card.dtype == letter.run.card.dtype == "float32"
    assert _word(alone.run, alone.run.rounds[6].closing.token) == "."  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_pass_of_chapter_2_reads_six_tokens() -> None:
    """The last token of the prompt and five drafted ones, which are the first ones of the letter that the target writes alone."""
    alone, letter = _recorded("checking", "letter-alone").run, _recorded("checking", "letter").run
    drafted = [each.token for each in letter.rounds[0].drafted]
    assert len(drafted) == 5
    assert drafted == [each.closing.token for each in alone.rounds[:5]]  # type: ignore[union-attr]


def test_a_pass_over_several_tokens_costs_more_than_one_and_less_than_one_for_each() -> None:
    """Chapters 2 and 10."""
    for lesson, name, index in (("checking", "letter", 0), ("rush", "products-tree", 4)):
        recorded = _recorded(lesson, name)
        assert recorded.plain is not None
        costs = sorted(round_.verify_s for round_ in recorded.plain.rounds)
        one = costs[len(costs) // 2]
        round_ = recorded.run.rounds[index]
        assert one < round_.verify_s < one * len(round_.drafted) / 2


def test_the_rule_rejects_and_accepts_what_the_chapter_says() -> None:
    """Chapter 5: q above p and u not below p/q, then p above q."""
    rounds = _recorded("rule", "lighthouse").run.rounds
    first, second = rounds[0].drafted[0], rounds[1].drafted[0]
    q, p = first.qp
    assert q > p
    assert first.draw is not None
    assert first.draw >= p / q
    assert first.verdict is NO
    q, p = second.qp
    assert p > q
    assert second.verdict is YES


def test_the_texts_are_the_same_where_a_chapter_says_so() -> None:
    """Greedy runs write the plain text, the wrong name included, whoever drafts; the story, drawn at random, is another one."""
    for name in ("shells-exit", "letter-ngram", "letter"):
        recorded = _recorded("faster", name)
        assert recorded.plain is not None
        assert recorded.run.text == recorded.plain.text
    shells, story = _recorded("faster", "shells-exit"), _recorded("faster", "lighthouse")
    assert "Maya" in shells.run.prompt
    assert "= 40. Hana" in shells.run.text
    assert all(drafted.verdict is YES for round_ in shells.run.rounds[:2] for drafted in round_.drafted)
    assert story.plain is not None
    assert story.run.text != story.plain.text
    strong, weak = _recorded("faster", "letter"), _recorded("faster", "letter-ngram")
    assert strong.run.text == weak.run.text
    assert len(weak.run.rounds) > 3 * len(strong.run.rounds)
    assert speedup(weak.plain, weak.run) < speedup(strong.plain, strong.run)  # type: ignore[arg-type]


def test_with_shared_noise_the_story_is_the_same_whoever_drafts() -> None:
    """Chapter 6: two drafters and the plain runs beside them wrote one text, at a temperature above 0."""
    model, copies = _recorded("faster", "boat"), _recorded("faster", "boat-ngram")
    runs = [model.run, model.plain, copies.run, copies.plain]
    assert len({run.token_ids for run in runs if run is not None}) == 1
    assert all(run is not None and run.settings.shared_noise and run.settings.temperature > 0 for run in runs)
    assert (model.run.card.drafter.name, copies.run.card.drafter.name) == ("model", "ngram")
    assert model.run.settings.seed == copies.run.settings.seed


def test_the_editor_takes_the_day_from_the_subject() -> None:
    """Chapter 3: the draft writes Friday, the target Thursday, which the subject of the e-mail names."""
    run = _recorded("editor", "meeting").run
    assert [_word(run, each.token) for each in run.rounds[0].drafted[:3]] == ["moved", "to", "Friday"]
    assert [each.verdict for each in run.rounds[0].drafted[1:4]] == [YES, NO, Verdict.DISCARDED]
    assert _word(run, run.rounds[0].closing.token) == "Thursday"  # type: ignore[union-attr]
    assert run.prompt.splitlines()[0].endswith("Thursday")
    assert "Friday" not in run.prompt


def test_the_draft_knows_no_capital() -> None:
    """Chapter 4: it spells Brazil where the target writes Paris; of Ouagadougou it misses the first piece only."""
    france, burkina = _recorded("disagree", "france").run, _recorded("disagree", "capital").run
    assert "".join(france.tokens[each.token].data.decode() for each in france.rounds[0].drafted) == " Brazil."
    assert france.text.startswith(" Paris.")
    first, second, third = france.rounds[:3]
    assert (first.judged, len(second.accepted), len(second.drafted)) == (1, 5, 5)
    assert [each.verdict for each in third.drafted[:2]] == [YES, NO]
    assert burkina.rounds[0].drafted[0].verdict is NO
    assert len(burkina.rounds[1].accepted) == len(burkina.rounds[1].drafted)
    assert burkina.text.strip().startswith("Ouagadougou")


def test_the_lenient_rule_accepts_what_the_exact_one_rejects() -> None:
    """Chapter 11: the first token of both stories has the same p, q and u, and only the rules differ."""
    exact, lenient = _recorded("wrong", "lighthouse").run, _recorded("wrong", "story-lenient").run
    ours, theirs = exact.rounds[0].drafted[0], lenient.rounds[0].drafted[0]
    for name in ("target_prob", "draft_prob", "draw", "token"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-4)
    assert ours.qp[1] > 1 / 2
    assert (ours.verdict, theirs.verdict) == (NO, YES)
    assert lenient.settings.lossy


def test_half_precision_signs_with_another_name_at_a_tie() -> None:
    """Chapter 11: in bfloat16 the two letters differ first in the name, where the two best logits are nearly equal."""
    half = _recorded("wrong", "letter-bfloat16")
    assert half.plain is not None
    assert half.run.card.dtype == half.plain.card.dtype == "bfloat16"
    found = divergence(half.plain, half.run)
    assert found is not None
    assert half.run.rounds[8].closing is not None
    assert found.speculative_token == half.run.rounds[8].closing.token
    letter = _recorded("wrong", "letter").run
    assert _word(half.plain, found.plain_token) == _word(letter, letter.rounds[8].closing.token)  # type: ignore[union-attr]
    assert found.gap is not None
    assert found.gap < 0.1


def test_three_drafts_of_one_text_are_weak_good_and_strong() -> None:
    """Chapter 7: the larger the draft, the more is accepted, and the more a drafted token costs; the text stays the same."""
    weak, good, strong = (_recorded("pays", name) for name in ("threes-tiny", "threes", "threes-large"))
    assert weak.run.token_ids == good.run.token_ids == strong.run.token_ids
    first, second, third = (dot(each) or {} for each in (weak, good, strong))
    assert first["alpha"] < second["alpha"] < third["alpha"]
    assert third["c"] > 2 * second["c"]


def test_only_the_branch_that_the_chapter_names_survives() -> None:
    """Chapter 9: the digits before the 7 are rejected, the draft's first choice among them."""
    recorded = _recorded("heads", "products-tree")
    digits = recorded.run.rounds[4].drafted[2:7]
    assert [_word(recorded.run, each.token) for each in digits] == ["1", "6", "2", "3", "7"]
    assert [each.verdict for each in digits] == [NO] * 4 + [YES]
    best = max(zip(digits[0].draft_top.probabilities, digits[0].draft_top.tokens, strict=True))[1]
    assert best == digits[0].token


def test_each_member_of_the_family_shows_what_its_chapter_says() -> None:
    """Chapter 8: short copies are often right, and a quantized copy is right and slower than the target."""
    suffix = summarise(_recorded("family", "email-suffix").run)
    copied = summarise(_recorded("family", "eights-ngram").run)
    assert suffix.acceptance_rate > 0.6 > copied.acceptance_rate  # type: ignore[operator]
    quantized = _recorded("family", "capital-quantized").run
    assert summarise(quantized).acceptance_rate == 1
    assert quantized.rounds[0].draft_s > quantized.rounds[0].verify_s


def test_the_heads_do_what_their_chapter_says() -> None:
    """Chapter 9: Medusa's second guess does not fit its first; EAGLE is right in all of a round, for more time; DSpark's second guess fits its first; a tree has several tokens at one place; and
    all five wrote one text; MTP is right in all of the round in which EAGLE is."""
    names = ("medusa", "eagle", "mtp", "jetspec", "dspark")
    runs = {name: _recorded("heads", f"coffee-{name}").run for name in names}
    assert len({run.token_ids for run in runs.values()} | {_recorded("heads", "coffee").run.token_ids[:40]}) == 1
    for name, second in (("medusa", NO), ("dspark", YES)):
        first, then = runs[name].rounds[0].drafted[:2]
        assert (first.verdict, then.verdict) == (YES, second)
        assert _word(runs[name], first.token) == "That"
    for name in ("eagle", "mtp"):
        assert all(each.verdict is YES for each in runs[name].rounds[1].drafted)
    assert runs["eagle"].rounds[1].draft_s > 2 * runs["medusa"].rounds[1].draft_s
    parents = [each.parent for each in runs["jetspec"].rounds[3].drafted]
    assert len(set(parents)) < len(parents)


def test_the_runs_are_ordered_as_the_chapters_say() -> None:
    """Chapter 7: letter before JSON and code, the story last; chapter 8: early exit accepts more than the letter and gains less."""
    every = (*_lesson("pays").recordings, *_lesson("family").recordings)
    speeds = {each.name: speedup(each.plain, each.run) for each in every if each.plain is not None}
    assert speeds["letter"] > max(speeds["people"], speeds["vowels"])
    assert min(speeds["people"], speeds["vowels"]) > speeds["lighthouse"] > 1
    assert 1 < speeds["shells-exit"] < speeds["letter"]
    assert speeds["eights-ngram"] > 1


def test_two_names_are_nearly_a_tie() -> None:
    """Chapter 11: where the letter is signed, the target's two best names are within a twentieth of each other."""
    drafted = _recorded("wrong", "letter").run.rounds[8].drafted[3]
    (best, _), (second, _) = _two_best(drafted.target_top)
    assert second < best < 1.05 * second
