"""Claims that the built-in lessons make in words about their recordings, where no placeholder keeps them true."""

from statistics import median_high

import pytest

from specviz.lessons.learn_data import formula_dot
from specviz.lessons.lesson import LessonRecording
from specviz.trace.metrics import divergence, speedup
from specviz.trace.records import ClosingToken, Round, Trace, Verdict
from tests.helpers.hints import contradicted
from tests.helpers.lessons import lesson_of

YES, NO = Verdict.ACCEPTED, Verdict.REJECTED


def of(lesson: str, *names: str) -> list[LessonRecording]:
    recordings = {recording.name: recording for recording in lesson_of(lesson).recordings}
    return [recordings[name] for name in names]


def plain_of(recording: LessonRecording) -> Trace:
    assert recording.plain is not None
    return recording.plain


def speed(recording: LessonRecording) -> float:
    return speedup(plain_of(recording), recording.run)


def closing(round_: Round) -> ClosingToken:
    assert round_.closing is not None
    return round_.closing


def word(trace: Trace, token: int) -> str:
    return trace.tokens[token].data.decode().strip()


def verdicts(round_: Round) -> list[Verdict]:
    return [drafted.verdict for drafted in round_.drafted]


@pytest.mark.slow
def test_the_letter_alone_is_the_plain_run_of_the_letter() -> None:
    """The chapters on a pass show the plain run that the letter's speedup was measured against, in float32. The pass of the second one reads the last token of
    the prompt and five drafted ones, which are the first tokens that the target writes alone."""
    alone, letter = of("checking", "letter-alone", "letter")
    assert alone.run == letter.plain
    assert alone.run.card.dtype == letter.run.card.dtype == "float32"
    assert word(alone.run, closing(alone.run.rounds[6]).token) == "."
    tokens = [drafted.token for drafted in letter.run.rounds[0].drafted]
    assert tokens == [closing(round_).token for round_ in alone.run.rounds[:5]]


@pytest.mark.slow
def test_the_typist_and_the_editor_do_what_their_chapter_says() -> None:
    """A pass over several tokens costs more than one and less than one for each. The draft writes Friday, the target Thursday, which the subject of the e-mail
    names; the draft knows no capital: it spells Brazil where the target writes Paris. The letter's marked name is the target's."""
    letter, meeting, france = of("editor", "letter", "meeting", "france")
    single = median_high(round_.verify_s for round_ in plain_of(letter).rounds)
    round_ = letter.run.rounds[0]
    assert single < round_.verify_s < single * len(round_.drafted) / 2
    first = meeting.run.rounds[0]
    assert [word(meeting.run, drafted.token) for drafted in first.drafted[:3]] == ["moved", "to", "Friday"]
    assert verdicts(first)[1:4] == [YES, NO, Verdict.DISCARDED]
    assert word(meeting.run, closing(first).token) == "Thursday"
    assert meeting.run.prompt.splitlines()[0].endswith("Thursday")
    assert "Friday" not in meeting.run.prompt
    assert contradicted({"first_guess": "rejected", "text_begins": "Paris."}, france.run) == []
    spelt = [france.run.tokens[drafted.token].data.decode() for drafted in france.run.rounds[0].drafted]
    assert "".join(spelt) == " Brazil."
    name = letter.run.rounds[8].drafted[3]
    assert (name.verdict, word(letter.run, name.token)) == (NO, "Pedro")
    assert closing(letter.run.rounds[8]).token == letter.run.token_ids[46]


def test_the_rule_rejects_and_accepts_what_the_chapter_says() -> None:
    """The rule: q above p and u not below p/q, then p above q."""
    first, second = (round_.drafted[0] for round_ in of("rule", "lighthouse")[0].run.rounds[:2])
    q, p = first.qp
    assert first.draw is not None
    assert q > p
    assert (first.draw >= p / q, first.verdict) == (True, NO)
    q, p = second.qp
    assert (p > q, second.verdict) == (True, YES)


def test_the_texts_are_the_same_where_a_chapter_says_so() -> None:
    """Faster: greedy runs write the plain text, the wrong name included, whoever drafts; the story, drawn at random, is another one. With shared
    noise two drafters and the plain runs beside them wrote one text at a temperature above 0."""
    shells, weak, strong, story = of("faster", "shells-exit", "letter-ngram", "letter", "lighthouse")
    for recording in (shells, weak, strong):
        assert recording.run.text == plain_of(recording).text
    assert story.run.text != plain_of(story).text
    assert "Maya" in shells.run.prompt
    assert "= 40. Hana" in shells.run.text
    assert {*verdicts(shells.run.rounds[0]), *verdicts(shells.run.rounds[1])} == {YES}
    assert strong.run.text == weak.run.text
    assert len(weak.run.rounds) > 3 * len(strong.run.rounds)
    assert speed(weak) < speed(strong)
    model, copies = of("faster", "boat", "boat-ngram")
    runs = [model.run, plain_of(model), copies.run, plain_of(copies)]
    assert len({run.token_ids for run in runs}) == 1
    assert all(run.settings.shared_noise and run.settings.temperature > 0 for run in runs)
    assert (model.run.card.drafter.name, copies.run.card.drafter.name) == ("model", "ngram")
    assert model.run.settings.seed == copies.run.settings.seed


def test_the_runs_are_ordered_as_the_chapters_say() -> None:
    """When it pays: letter before JSON and code, the story last; other drafts: early exit accepts more than the letter and gains less."""
    every = (*lesson_of("pays").recordings, *lesson_of("family").recordings)
    speeds = {recording.name: speed(recording) for recording in every if recording.plain is not None}
    assert speeds["letter"] > max(speeds["people"], speeds["vowels"])
    assert min(speeds["people"], speeds["vowels"]) > speeds["lighthouse"] > 1
    assert 1 < speeds["shells-exit"] < speeds["letter"]
    assert speeds["eights-ngram"] > 1


def test_stronger_drafts_and_copies_do_what_the_chapters_say() -> None:
    """When it pays: the larger the draft, the more is accepted, and the more a drafted token costs; the text stays the same. Other drafts: short copies are
    often right, and a quantized copy is right and slower than the target."""
    recordings = of("pays", "threes-tiny", "threes", "threes-large")
    assert len({recording.run.token_ids for recording in recordings}) == 1
    weak, good, strong = (formula_dot(recording) or {} for recording in recordings)
    assert weak["alpha"] < good["alpha"] < strong["alpha"]
    assert strong["c"] > 2 * good["c"]
    names = {"email-suffix": [0.6, 1], "eights-ngram": [0, 0.6], "capital-quantized": 1}
    for recording, share in zip(of("family", *names), names.values(), strict=True):
        assert contradicted({"share": share}, recording.run) == []
    assert recording.run.rounds[0].draft_s > recording.run.rounds[0].verify_s


def test_the_heads_do_what_their_chapter_says() -> None:
    """Heads: Medusa's second guess does not fit its first; EAGLE is right in all of a round, for more time; DSpark's second guess fits its first; a tree
    has several tokens at one index; all five wrote one text; MTP is right in all of the round in which EAGLE is. Of the products' tree the branch with
    the 7 survives, and the digits before it are rejected, the draft's first choice among them."""
    names = ("medusa", "eagle", "mtp", "jetspec", "dspark")
    runs = {name: of("heads", f"coffee-{name}")[0].run for name in names}
    assert len({run.token_ids for run in runs.values()} | {of("heads", "coffee")[0].run.token_ids[:40]}) == 1
    for name, second in (("medusa", NO), ("dspark", YES)):
        assert verdicts(runs[name].rounds[0])[:2] == [YES, second]
        assert word(runs[name], runs[name].rounds[0].drafted[0].token) == "That"
    for name in ("eagle", "mtp"):
        assert set(verdicts(runs[name].rounds[1])) == {YES}
    assert runs["eagle"].rounds[1].draft_s > 2 * runs["medusa"].rounds[1].draft_s
    parents = [drafted.parent for drafted in runs["jetspec"].rounds[3].drafted]
    assert len(set(parents)) < len(parents)
    tree = of("heads", "products-tree")[0].run
    assert contradicted({"accepted_beside": {"7": ["1", "6", "2", "3"]}}, tree) == []
    first = tree.rounds[4].drafted[2]
    assert max(zip(first.draft_top.probabilities, first.draft_top.tokens, strict=True))[1] == first.token


def test_a_lossy_rule_and_half_precision_write_other_texts() -> None:
    """What can go wrong: the first token of both stories has the same p, q and u, and only the rules differ. In bfloat16 the two letters differ first in the name
    that signs them, where the two best logits are nearly equal; in float32 the two best names are within a twentieth of each other."""
    exact, lenient, half, letter = of("wrong", "lighthouse", "story-lenient", "letter-bfloat16", "letter")
    ours, theirs = (recording.run.rounds[0].drafted[0] for recording in (exact, lenient))
    for name in ("target_prob", "draft_prob", "draw", "token"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=1e-4)
    assert ours.qp[1] > 1 / 2
    assert (ours.verdict, theirs.verdict) == (NO, YES)
    assert lenient.run.settings.lossy
    plain = plain_of(half)
    assert half.run.card.dtype == plain.card.dtype == "bfloat16"
    first = divergence(plain, half.run)
    assert first is not None
    assert first.gap is not None
    assert first.gap < 0.1
    assert first.speculative_token == closing(half.run.rounds[8]).token
    assert word(plain, first.plain_token) == word(letter.run, closing(letter.run.rounds[8]).token)
    best, second = sorted(letter.run.rounds[8].drafted[3].target_top.probabilities, reverse=True)[:2]
    assert second < best < 1.05 * second
