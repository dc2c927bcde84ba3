"""What the built-in lessons say in words about their recordings, where no placeholder keeps it true."""

from specviz.lessons.folder import check_folder
from specviz.lessons.lesson import Lesson, Recorded
from specviz.lessons.places import BUILT_IN
from specviz.trace.metrics import speedup
from specviz.trace.records import Top, Trace, Verdict


def _lesson(name: str) -> Lesson:
    (found,) = (each for each in check_folder(BUILT_IN).lessons if each.name == name and each.language == "en")
    return found


def _recorded(lesson: str, name: str) -> Recorded:
    (found,) = (each for each in _lesson(lesson).recordings if each.name == name)
    return found


def _word(trace: Trace, token: int) -> str:
    return trace.tokens[token].data.decode().strip()


def _two_best(top: Top) -> list[tuple[float, int]]:
    return sorted(zip(top.probabilities, top.tokens, strict=True), reverse=True)[:2]


def test_the_letter_alone_is_the_plain_run_of_the_letter() -> None:
    """Chapters 1 and 2 show the plain run itself: the one that the letter's speedup was measured against, in float32."""
    alone, letter = _recorded("checking", "letter-alone"), _recorded("checking", "letter")
    assert alone.run == letter.plain
    assert alone.run.card.dtype == letter.run.card.dtype == "float32"
    assert _word(alone.run, alone.run.rounds[6].closing.token) == "."  # type: ignore[union-attr]


def test_a_pass_over_several_tokens_costs_more_than_one_and_less_than_one_for_each() -> None:
    """Chapter 2, of both recordings that it shows, and chapter 9."""
    for name, index in (("letter", 0), ("products-tree", 4)):
        recorded = _recorded("checking", name)
        assert recorded.plain is not None
        costs = sorted(round_.verify_s for round_ in recorded.plain.rounds)
        one = costs[len(costs) // 2]
        round_ = recorded.run.rounds[index]
        assert one < round_.verify_s < one * len(round_.drafted) / 2


def test_the_rule_rejects_and_accepts_what_the_chapter_says() -> None:
    """Chapter 5: q above p and u not below p/q, then p above q; in chapter 10 the target finds the rejected token likely."""
    rounds = _recorded("rule", "lighthouse").run.rounds
    first, second, seventh = rounds[0].drafted[0], rounds[1].drafted[0], rounds[6].drafted[0]
    assert first.draft_prob > first.target_prob
    assert first.draw is not None
    assert first.draw >= first.target_prob / first.draft_prob
    assert first.verdict is Verdict.REJECTED
    assert second.target_prob > second.draft_prob
    assert second.verdict is Verdict.ACCEPTED
    assert seventh.target_prob > 1 / 3
    assert seventh.verdict is Verdict.REJECTED


def test_the_texts_are_the_same_where_a_chapter_says_so() -> None:
    """Greedy runs write the plain text, the wrong name included; the story, drawn at random, is another one."""
    for name in ("shells-exit", "eights-ngram"):
        recorded = _recorded("faster", name)
        assert recorded.plain is not None
        assert recorded.run.text == recorded.plain.text
    shells, story = _recorded("faster", "shells-exit"), _recorded("faster", "lighthouse")
    assert "Maya" in shells.run.prompt
    assert "= 40. Hana" in shells.run.text
    assert all(drafted.verdict is Verdict.ACCEPTED for round_ in shells.run.rounds[:2] for drafted in round_.drafted)
    assert story.plain is not None
    assert story.run.text != story.plain.text
    letter = _recorded("wrong", "letter")
    assert letter.plain is not None
    assert letter.run.text == letter.plain.text


def test_only_the_branch_that_the_chapter_names_survives() -> None:
    """Chapter 8: the digits before the 7 are rejected, the draft's first choice among them."""
    recorded = _recorded("family", "products-tree")
    digits = recorded.run.rounds[4].drafted[2:7]
    assert [_word(recorded.run, each.token) for each in digits] == ["1", "6", "2", "3", "7"]
    assert [each.verdict for each in digits] == [Verdict.REJECTED] * 4 + [Verdict.ACCEPTED]
    best = max(zip(digits[0].draft_top.probabilities, digits[0].draft_top.tokens, strict=True))[1]
    assert best == digits[0].token


def test_the_runs_are_ordered_as_the_chapters_say() -> None:
    """Chapter 7: letter before JSON and code, the story last; chapter 8: early exit accepts more than the letter and gains less."""
    speeds = {
        each.name: speedup(each.plain, each.run)
        for lesson in ("pays", "family")
        for each in _lesson(lesson).recordings
        if each.plain is not None
    }
    assert speeds["letter"] > max(speeds["people"], speeds["vowels"])
    assert min(speeds["people"], speeds["vowels"]) > speeds["lighthouse"] > 1
    assert 1 < speeds["shells-exit"] < speeds["letter"]
    assert speeds["eights-ngram"] > 1


def test_two_names_are_nearly_a_tie() -> None:
    """Chapter 10: where the letter is signed, the target's two best names are within a twentieth of each other."""
    drafted = _recorded("wrong", "letter").run.rounds[8].drafted[3]
    (best, _), (second, _) = _two_best(drafted.target_top)
    assert second < best < 1.05 * second
