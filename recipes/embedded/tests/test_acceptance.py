"""How well a draft follows its target: counted on texts of which every byte is known beforehand."""

from collections.abc import Mapping
from typing import Any

from recipes.embedded.acceptance import by_category, first_rejection_on_answer
from recipes.embedded.marks import Share
from specviz.decoding.testing import ByteTokenizer, TableModel
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.records import Verdict
from specviz.training.examination.positions import Acceptance


def reciting(texts: Mapping[str, str]) -> TableModel:
    """A model sure of what follows each prompt, place by place, whatever was written on the way."""
    whole = {prompt.encode(): (prompt + text).encode() for prompt, text in texts.items()}

    def logits(history: tuple[int, ...]) -> list[float]:
        text = next((text for prompt, text in whole.items() if bytes(history[: len(prompt)]) == prompt), b"")
        following = text[len(history)] if len(history) < len(text) else ByteTokenizer.end_id
        return [20.0 * (token == following) for token in range(ByteTokenizer.vocabulary)]

    return TableModel(ByteTokenizer.vocabulary, logits, end_ids=(ByteTokenizer.end_id,))


def scripted(target: Mapping[str, str], draft: Mapping[str, str]) -> Pair:
    """A pair of which each side recites its own texts; a token is a byte."""
    card = ModelCard("script", "table", 0, 0, 0)
    models: dict[str, Any] = {"target": reciting(target), "draft": reciting(draft), "text": ByteTokenizer()}
    return Pair(
        name="script", card=PairCard(card, card, DrafterCard("model", "draft model"), "cpu", "float64"), **models
    )


def test_acceptance_is_what_was_accepted_of_what_was_judged() -> None:
    """Ten tokens with drafts of five: counts worked out by hand, summed over a category's prompts, category by category.

    With the third byte wrong the first round accepts 2 of 3 judged and is corrected; the next accepts 5 of 5 and adds one
    token; for the last token nothing is drafted. Without a fault: 5 of 5, one more, then 3 of 3, one more. With every
    byte wrong each round but the last rejects its first: 0 of 9.
    """
    target = {"a:": "0123456789", "b:": "abcdefghij", "c:": "ABCDEFGHIJ"}
    pair = scripted(target, {"a:": "01x3456789", "b:": "abcdefghij", "c:": "xxxxxxxxxx"})
    settings = Settings(k=5, max_new_tokens=10)
    found = by_category(pair, {"some": ["a:", "b:"], "none": ["c:"], "one": ["a:"]}, settings)
    assert found == {"some": Acceptance(7 + 8, 8 + 8), "none": Acceptance(0, 9), "one": Acceptance(7, 8)}
    assert [found[name].alpha for name in ("some", "none", "one")] == [15 / 16, 0, 7 / 8]


def test_nothing_judged_has_no_rate() -> None:
    """Where no draft was looked at there is no rate, and a category without prompts is one such."""
    pair = scripted({"a:": "0"}, {"a:": "0"})
    found = by_category(pair, {"none": [], "one token": ["a:"]}, Settings(k=3, max_new_tokens=1))
    assert found == {"none": Acceptance(0, 0), "one token": Acceptance(0, 0)}
    assert found["none"].alpha is None


def test_real_runs_are_counted_verdict_by_verdict() -> None:
    """On a real pair the counts are those of the verdicts in the rounds of the same runs."""
    embedded = load_pair("embedded", device="cpu", dtype="float32")
    for temperature in (0.0, 0.8):
        prompts = {"letters": ["Dear Anna,\n\n", "Hello"], "JSON": ['{"name": "']}
        settings = Settings(k=4, max_new_tokens=10, temperature=temperature, seed=7)
        found = by_category(embedded, prompts, settings)
        assert list(found) == list(prompts)
        for category, texts in prompts.items():
            verdicts = [d.verdict for text in texts for r in Run(embedded, text, settings) for d in r.drafted]
            kept, refused = (verdicts.count(verdict) for verdict in (Verdict.ACCEPTED, Verdict.REJECTED))
            assert found[category] == Acceptance(kept, kept + refused)
            assert kept + refused > 0


ANSWER = " Paris"
BEHIND = ". Yes."


def test_the_first_rejection_counts_where_it_stands() -> None:
    """A draft wrong in one byte is rejected there: on the answer within its bytes, the space before it included, not after it."""
    for place in range(len(ANSWER + BEHIND)):
        text = ANSWER + BEHIND
        wrong = text[:place] + "#" + text[place + 1 :]
        pair = scripted({"Q": text}, {"Q": wrong})
        settings = Settings(k=len(text), max_new_tokens=len(text) + 1)
        assert first_rejection_on_answer(pair, [("Q", "Paris")], settings) == Share(int(place < len(ANSWER)), 1), place


def test_a_rejection_in_a_later_round_has_its_place_in_the_text() -> None:
    """With short drafts the wrong byte comes in a later round; its place is counted from the answer's beginning."""
    settings = Settings(k=2, max_new_tokens=12)
    for place, hit in ((1, 1), (4, 1), (7, 0), (9, 0)):
        text = ANSWER + BEHIND
        pair = scripted({"Q": text}, {"Q": text[:place] + "#" + text[place + 1 :]})
        assert first_rejection_on_answer(pair, [("Q", "Paris")], settings) == Share(hit, 1)


def test_only_the_first_rejection_of_each_question_counts() -> None:
    """Of several questions: one rejected on the answer, one after it and again, one never."""
    target = {"A": " Paris. Yes.", "B": " Rome. Yes.", "C": " Oslo. Yes."}
    draft = {"A": " P#ris. #es.", "B": " Rome# #es.", "C": " Oslo. Yes."}
    asked = [("A", "Paris"), ("B", "Rome"), ("C", "Oslo")]
    settings = Settings(k=5, max_new_tokens=12)
    assert first_rejection_on_answer(scripted(target, draft), asked, settings) == Share(1, 3)
    assert first_rejection_on_answer(scripted(target, draft), [], settings) == Share(0, 0)
