"""Claims about drafters that copy, prompt lookup and suffix decoding: what is copied, from where, how it is scored, that the matches keep up with the
text; and about the memory of suffix decoding."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.drafters.hybrid import HybridDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.protocols import Draft, Reading, Scores
from specviz.decoding.sampling import CertainDraws
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.settings import Settings
from specviz.trace.records import Match
from tests.helpers.lossless import TinyModels, error_of
from tests.helpers.rounds import rounds_of, timeless

Copying = NgramDrafter | SuffixDrafter
Growing = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6), min_size=1, max_size=9)


def proposed(drafter: Copying, committed: Sequence[int], limit: int = 4) -> Draft:
    return drafter.propose(committed, Settings(k=max(limit, 1)), CertainDraws(), limit)


def looked_up(text: list[int], limit: int, longest: int) -> tuple[list[int], int | None]:
    """What prompt lookup copies, by searching the full text again."""
    for length in range(min(longest, len(text)), 0, -1):
        for end in range(len(text) - 1, length - 1, -1):
            if text[end - length : end] == text[-length:]:
                return text[end : end + limit], end
    return [], None


def rescanned(text: list[int], limit: int) -> tuple[list[int], int | None]:
    """What suffix decoding copies, by searching the full text for every length of match; tokens copied past the end of the text continue the copy."""
    best: tuple[float, list[int], int | None] = (0.0, [], None)
    for length in range(min(24, len(text) - 1), 0, -1):
        places = [i for i in range(length, len(text)) if text[i - length : i] == text[-length:]]
        grown, likely, score = list(text), 1.0, 0.0
        while places and len(grown) - len(text) < limit:
            offset = len(grown) - len(text)
            counts = Counter(grown[i + offset] for i in places)
            most = max(counts.values())
            token = next(grown[i + offset] for i in reversed(places) if counts[grown[i + offset]] == most)
            likely *= most / len(places) * (length + offset) / (length + offset + 1)
            if likely < 0.15:
                break
            score += likely
            places = [i for i in places if grown[i + offset] == token]
            grown.append(token)
        if score > best[0]:
            best = (score, grown[len(text) :], places[-1])
    return best[1], best[2]


@tries(max_examples=80, deadline=None)
@given(Growing, st.integers(1, 8), st.integers(1, 4))
def test_the_matches_grow_with_the_text(pieces: list[list[int]], limit: int, longest: int) -> None:
    """However the text grows, both find the same as a search through the full text."""
    ngram, suffix, text = NgramDrafter(3, longest=longest), SuffixDrafter(3), list(pieces[0])
    for drafter in (ngram, suffix):
        drafter.begin(text, 99)
    for piece in pieces[1:]:
        text = text + piece
        for drafter, wanted in ((ngram, looked_up(text, limit, longest)), (suffix, rescanned(text, limit))):
            draft = proposed(drafter, text, limit)
            assert (draft.tokens.tolist(), draft.source) == wanted


def test_a_new_text_begins_as_with_a_new_drafter() -> None:
    """With one drafter for several texts, the last of which was left with a pass unread, nothing of one is drafted in the next."""
    target = TableModel.random(9, 5, memory=1)
    for name in ("ngram", "suffix"):
        settings, parts = Settings(drafter=name, temperature=0.8, max_new_tokens=40), TinyModels(target, target)
        used = parts.drafter(settings)
        for prompt in ((1,), (2, 3, 2, 3), (1,)):
            alone = rounds_of(target, parts.drafter(settings), prompt, settings)
            assert timeless(rounds_of(target, used, prompt, settings)) == timeless(alone)
            assert any(round_.accepted for round_ in alone)
            used.saw(Reading(torch.tensor([1]), Scores(torch.eye(9)[8:]), (0,)))


# ---- suffix decoding: its record and its memory


def test_the_match_of_a_copy_is_in_the_record() -> None:
    """How long the end of the text is that was found again, how often it occurred, and how often it went on with the copied token."""
    for text, numbers in (
        ([1, 2, 3, 4, 5, 1, 2, 3], (3, 1, 1)),
        ([1, 2, 5, 1, 2, 5, 1, 2, 7, 1, 2], (2, 3, 2)),
        ([3, 6, 3, 6, 3, 7, 3], (1, 3, 2)),
    ):
        drafter = SuffixDrafter(10)
        drafter.begin(text, 99)
        assert proposed(drafter, text, 1).match == Match(*numbers)


def remembering(vocabulary: int, *earlier: Sequence[int]) -> SuffixDrafter:
    drafter = SuffixDrafter(vocabulary)
    drafter.remember(earlier)
    return drafter


def test_what_is_copied_from_earlier_texts() -> None:
    """The better sum wins, of equals the text's own; a copy neither begins nor goes on across the end of an earlier text."""
    for case, earlier, text, copied, source, source_text in (
        ("from a text", [[1, 2, 3, 4, 5, 6]], [7, 2, 3], [4, 5, 6], 3, 0),
        ("from the second", [[8, 9], [1, 2, 3, 4, 5, 6], [7]], [7, 2, 3], [4, 5, 6], 3, 1),
        ("not into the next", [[1, 2], [3, 4]], [1, 2], [], None, None),
        ("no match across", [[3, 5], [4, 5]], [3, 4], [5], 1, 1),
        ("frequent", [[1, 2, 8], [1, 2, 8], [1, 2, 9]], [3, 1, 2], [8], 2, 1),
        ("longer here", [[2, 8, 8, 8]], [1, 2, 9, 9, 1, 2], [9, 9, 1, 2], 2, None),
        ("longer there", [[1, 2, 9, 9, 9]], [2, 8, 8, 1, 2], [9, 9, 9], 2, 0),
        ("tie", [[5, 6, 7, 8, 9, 1]], [5, 6, 7, 8, 9, 1, 5, 6], [7, 8, 9, 1], 2, None),
    ):
        drafter = remembering(10, *earlier)
        drafter.begin(text[:1], 99)
        draft = proposed(drafter, text)
        assert (draft.tokens.tolist(), draft.source, draft.source_text) == (copied, source, source_text), case


def test_with_a_memory_the_texts_keep_their_distribution() -> None:
    """Over all possible random draws, texts with a memory have exactly the target's joint distribution, warped or not."""
    target = TableModel.random(3, 11)
    for memory, settings in (
        ([[1, 2]], Settings(k=1, temperature=1.5, top_p=0.8, max_new_tokens=3)),
        ([[0, 1, 2, 0, 1, 1, 2], [2, 2, 1, 0]], Settings(k=3, temperature=0.7, top_k=2, max_new_tokens=4)),
    ):
        assert error_of(target, partial(remembering, 3, *memory), (1,), settings) < 1e-10
        assert any(r.source_text is not None for r in rounds_of(target, remembering(3, *memory), (1,), settings))


def test_nobody_elses_text_is_copied() -> None:
    """A drafter that remembered texts copies nothing of them once it is given others, or none."""
    target, used = TableModel.random(6, 5, memory=1), SuffixDrafter(6)
    settings = Settings(temperature=0.8, max_new_tokens=40)
    for memory in ([[1, 3, 5, 1, 3, 5]], [], [[2, 2, 4]], []):
        used.remember(memory)
        alone = rounds_of(target, remembering(6, *memory), (1,), settings)
        assert timeless(rounds_of(target, used, (1,), settings)) == timeless(alone)


@tries(max_examples=60, deadline=None)
@given(Growing, st.integers(0, 4))
def test_which_of_two_drafts_follows_from_the_text_alone(pieces: list[list[int]], limit: int) -> None:
    """With another drafter besides, a copy is proposed where it promises more than guesses did, however many tokens the round may draft; elsewhere
    the other drafts, and it hears of every round."""
    asked: list[int] = []
    other = ScriptedDrafter(3, lambda committed: [2] * (len(asked.append(len(committed)) or "....")))  # type: ignore[func-returns-value]
    both, alone, text = HybridDrafter("both", SuffixDrafter(3), other), SuffixDrafter(3), list(pieces[0])
    for drafter in (both, alone):
        drafter.begin(text, 99)
    for piece in pieces[1:]:
        text = text + piece
        copied = alone.copy_probabilities(text, Settings(k=4), 4)
        better = 1 + sum(copied) > 2 / 1.2
        assert both.copy_probabilities(text, Settings(k=4), 4) == (copied if better else ())
        draft = both.propose(text, Settings(k=4), CertainDraws(), limit)
        assert draft.tokens.tolist() == (proposed(alone, text, 4).tokens.tolist()[:limit] if better else [2] * limit)
        assert asked[-1] == len(text)


def test_copies_that_were_wrong_give_way_to_guesses() -> None:
    """What rounds before accepted of copies and of guesses decides which is tried next, and a new text begins anew."""
    both, text = (
        HybridDrafter("both", SuffixDrafter(9), ScriptedDrafter(9, lambda committed: [7, 7])),
        [1, 2, 3, 1, 2, 4, 1, 2],
    )
    read = partial(Reading, torch.tensor([1, 7, 7]), Scores(torch.eye(9)[6:]))
    for _ in range(2):
        both.begin(text, 99)
        copied = []
        for _ in range(9):
            copied.append(both.propose(text, Settings(), CertainDraws(), 2).source is not None)
            both.saw(read((0,) if copied[-1] else (0, 1, 2)))
        assert copied[0]
        assert copied == sorted(copied, reverse=True)
        assert not copied[-1]
