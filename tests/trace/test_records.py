"""Claims about the records: an impossible round or trace cannot be constructed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.records import (  # fmt: skip
    Closing,
    ClosingToken,
    Drafted,
    Match,
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Top,
    Trace,
    Verdict,
    ids_in,
    text_of,
)

YES, NO, NEVER = Verdict.ACCEPTED, Verdict.REJECTED, Verdict.DISCARDED
CORRECTED, BONUS = ClosingToken(9, Closing.CORRECTED, 0.5), ClosingToken(9, Closing.BONUS, 0.5)


def drafted(verdict: Verdict, parent: int, **changes: Any) -> Drafted:
    fields: dict[str, Any] = {"token": parent + 2, "draft_prob": 0.5, "target_prob": 0.25, "draw": 0.1} | changes
    return Drafted(parent=parent, verdict=verdict, **fields)


def chain(*verdicts: Verdict) -> tuple[Drafted, ...]:
    return tuple(drafted(verdict, index - 1) for index, verdict in enumerate(verdicts))


GOOD = Round(0, chain(YES, NO, NEVER), (0,), CORRECTED, began_s=1.0, draft_s=0.2, verify_s=0.3, ended_s=2.0)
FULL_ACCEPT = replace(GOOD, drafted=chain(YES, YES), accepted=(0, 1), closing=BONUS)
ENDED = replace(GOOD, drafted=chain(YES, NEVER), accepted=(0,), closing=None)


def changed(index: int, **changes: Any) -> tuple[Drafted, ...]:
    """The good chain with one drafted token changed."""
    return tuple(replace(d, **changes) if i == index else d for i, d in enumerate(GOOD.drafted))


NOTHING: dict[str, Any] = {"drafted": (), "accepted": ()}
IMPOSSIBLE: dict[str, tuple[Round, dict[str, Any], str]] = {
    "a parent that comes later": (GOOD, {"drafted": changed(1, parent=1)}, "parent"),
    "q above 1": (GOOD, {"drafted": changed(0, draft_prob=1.01)}, "probability"),
    "p that is no number": (GOOD, {"drafted": changed(0, target_prob=float("nan"))}, "probability"),
    "u of 1": (GOOD, {"drafted": changed(0, draw=1.0)}, "draw"),
    "a path that skips a token": (GOOD, {"accepted": (1,)}, "path"),
    "a path before the draft": (GOOD, {"accepted": (-1,)}, "path"),
    "an accepted token off the path": (GOOD, {"accepted": ()}, "verdicts differ"),
    "a rejection after a rejection": (GOOD, {"drafted": chain(YES, NO, NO)}, "accepted path"),
    "a start before the text": (GOOD, {"start": -1}, "starts at"),
    "no closing token after a rejection": (GOOD, {"closing": None}, "no closing token"),
    "a correction of a fully accepted draft": (FULL_ACCEPT, {"closing": CORRECTED}, "corrected"),
    "a copy from before the text": (GOOD, {"source": -1}, "copied from -1"),
    "a match of nothing": (GOOD, {**NOTHING, "closing": BONUS, "match": Match(1)}, "nothing was copied"),
    "a bonus after a rejection": (GOOD, {"closing": BONUS}, "bonus"),
    "a bonus while the draft went on": (GOOD, {"drafted": chain(YES, NEVER), "closing": BONUS}, "bonus"),
    "a closing draw of 1": (GOOD, {"closing": replace(CORRECTED, draw=1.0)}, "closing draw"),
    "a beginning before the clock": (GOOD, {"began_s": -0.1}, "time"),
    "a time that is no number": (GOOD, {"draft_s": float("nan")}, "time"),
    "parts longer than the round": (GOOD, {"ended_s": 1.4}, "longer"),
}


def test_impossible_round_is_rejected() -> None:
    """An impossible round is rejected, and the message gives the reason."""
    for case, (start, changes, reason) in IMPOSSIBLE.items():
        with pytest.raises(ValueError, match=f"impossible round: .*{reason}"):
            pytest.fail(f"{case}: {replace(start, **changes)}")


def test_possible_rounds_are_accepted() -> None:
    """Corrected, fully accepted, plain, ended inside, and a tree: each has its tokens and its count of judged drafts. A round lasts from its start
    to its end on the engine's clock."""
    assert GOOD.seconds == 1.0
    assert (GOOD.tokens, GOOD.judged) == ((1, 9), 2)
    assert (FULL_ACCEPT.tokens, FULL_ACCEPT.judged) == ((1, 2, 9), 2)
    assert (ENDED.tokens, ENDED.judged) == ((1,), 1)
    plain = replace(GOOD, drafted=(), accepted=(), closing=BONUS)
    assert (plain.tokens, plain.judged) == ((9,), 0)
    tree = (drafted(NO, -1), drafted(YES, -1), drafted(NEVER, 0), drafted(YES, 1), drafted(NO, 3, token=7))
    branched = replace(GOOD, drafted=tree, accepted=(1, 3))
    assert (branched.tokens, branched.judged) == ((1, 3, 9), 4)


def test_impossible_matches_and_tops_are_rejected() -> None:
    """A match of no tokens, with occurrences without those that were followed, none of them or more than there are; a top with a column too short. The most
    likely token is that of the rule, by its logit among equal ones; an empty top has none."""
    for numbers in ((0,), (2, 3), (2, None, 1), (2, 3, 0), (2, 3, 4), (2, 0, 0)):
        with pytest.raises(ValueError, match=r"match|followed"):
            Match(*numbers)
    assert Match(2, 3, 3).followed == 3
    with pytest.raises(ValueError, match="different lengths"):
        Top((1, 2), (0.5,), (0.6, 0.4), (1.0, 0.0))
    assert Top((1, 2), (0.5, 0.1), (0.6, 0.4), (0.0, 1.0)).most_likely == 2
    assert Top((1, 2), (0.1, 0.5), (0.4, 0.6), (0.5, 0.5)).most_likely == 2
    with pytest.raises(ValueError, match="no alternatives"):
        _ = Top().most_likely


BYTES = {i: TokenBytes(bytes([97 + i])) for i in range(10)}


def trace(*rounds: Round, tokens: dict[int, TokenBytes] | None = None, prompt_ids: tuple[int, ...] = (0,)) -> Trace:
    card = PairCard(ModelCard("t", "T", 1, 1, 1), None, DrafterCard("none", "none"), "cpu", "float32")
    return Trace(card, "a", prompt_ids, Settings(), Prefill(), rounds, Stop.LENGTH, BYTES if tokens is None else tokens)


def test_rounds_that_do_not_follow_are_rejected() -> None:
    """A round must start at the token and at the time where the one before it ended."""
    for start, began, reason in ((3, 2.0, "starts at token 3, not at 2"), (1, 2.0, "not at 2"), (2, 1.5, "before")):
        with pytest.raises(ValueError, match=reason):
            trace(GOOD, replace(FULL_ACCEPT, start=start, began_s=began, ended_s=3.0))


def test_a_trace_needs_the_bytes_of_every_id() -> None:
    """Prompt, drafts, closings and alternatives: an id without bytes is rejected by name."""
    top = Top((8,), (0.0,), (1.0,), (1.0,))
    seen = replace(
        GOOD,
        drafted=(replace(GOOD.drafted[0], draft_top=top, target_top=replace(top, tokens=(7,))), *GOOD.drafted[1:]),
        closing=replace(CORRECTED, residual_top=replace(top, tokens=(6,))),
    )
    assert ids_in((0,), [seen]) == {0, 1, 2, 3, 6, 7, 8, 9}
    for missing in (0, 1, 2, 3, 6, 7, 8, 9):
        with pytest.raises(ValueError, match=f"token {missing} appears"):
            trace(seen, tokens={i: b for i, b in BYTES.items() if i != missing})
    assert trace(seen, tokens={i: b for i, b in BYTES.items() if i not in (4, 5)}).token_ids == (1, 9)


LETTERS = "a\x00\né\u0301ß€中\ufffd\U0001f680\U0010ffff"


@pytest.mark.slow
@tries(max_examples=100)
@given(st.text(LETTERS, max_size=12), st.data())
def test_split_characters_join(text: str, data: st.DataObject) -> None:
    """However the bytes of a text are split into tokens, the text is intact."""
    raw = text.encode("utf-8", errors="ignore")
    pieces: list[bytes] = []
    while raw:
        cut = data.draw(st.integers(1, len(raw)))
        pieces, raw = [*pieces, raw[:cut]], raw[cut:]
    table = {i: TokenBytes(piece) for i, piece in enumerate(pieces)}
    assert text_of(range(len(pieces)), table) == text.encode("utf-8", errors="ignore").decode()


def test_a_text_cut_inside_a_character() -> None:
    """Half a character becomes the replacement character; a special token is not part of the text."""
    euro = "€".encode()
    table = {0: TokenBytes(euro[:1]), 1: TokenBytes(euro[1:]), 2: TokenBytes(b"<end>", special=True)}
    assert text_of((0, 1, 2), table) == "€"
    assert text_of((0,), table) == "\ufffd"
