"""Between two tokenizers: the same text comes out, special tokens go by a table, and half a character is held back."""

from functools import cache
from typing import Any

import pytest
import transformers
from tokenizers import Tokenizer, decoders, pre_tokenizers, processors, trainers
from tokenizers import models as kinds

from specviz.models.tokens import TokenText
from specviz.models.translation import Translation
from tests.models.folders import sentencepiece_tokenizer, wordpiece_tokenizer

LEARNED = "the dog ran home and the cat sat on the old red sofa, while a boy sang of the sea and the sun " * 4
TEXTS = (
    "the dog ran home",
    "  two blanks,\ttabs and\n\nlines ",
    "naïve café, 東京 and 👩‍👩‍👧 the end",
    "x",
    "the sun! the sea? " * 6,
)


@cache
def tokenizer(size: int, *, begin: str = "", specials: tuple[str, ...] = ("<end>",)) -> TokenText:
    """A byte-level tokenizer that learned some merges."""
    backend = Tokenizer(kinds.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    backend.train_from_iterator([LEARNED], trainer)
    if begin:
        backend.post_processor = processors.TemplateProcessing(single=f"{begin} $A", special_tokens=[(begin, 1)])
    return TokenText(transformers.PreTrainedTokenizerFast(tokenizer_object=backend, eos_token=specials[0]))


SMALL, LARGE = tokenizer(270), tokenizer(320)
WITH_BEGIN = tokenizer(290, begin="<begin>", specials=("<end>", "<begin>"))
RENAMED = tokenizer(290, begin="<s>", specials=("<end>", "<s>"))
CHAT = tokenizer(300, specials=("<stop>", "<user>", "<model>"))


def spelled(text: TokenText, ids: list[int]) -> str:
    return b"".join(text.bytes_of(i).data for i in ids).decode()


def ids_of(text: TokenText, written: str) -> list[int]:
    return list(text.tokenizer(written, add_special_tokens=False)["input_ids"])


def other(kind: str) -> TokenText:
    return {"small": SMALL, "large": LARGE, "begin": WITH_BEGIN}[kind]


@pytest.mark.parametrize("written", TEXTS)
@pytest.mark.parametrize("pair", [(SMALL, LARGE), (LARGE, SMALL), (SMALL, WITH_BEGIN), (WITH_BEGIN, LARGE)])
def test_a_text_is_cut_as_the_other_tokenizer_cuts_it(pair: tuple[TokenText, TokenText], written: str) -> None:
    """The draft model reads what its own tokenizer makes of the text, with its beginning once."""
    ours, theirs = pair
    found = Translation(ours, theirs).to_draft(ids_of(ours, written))
    assert found == list(theirs.tokenizer(written)["input_ids"])


@pytest.mark.parametrize(
    "pair", [(WITH_BEGIN, LARGE), (WITH_BEGIN, WITH_BEGIN), (WITH_BEGIN, RENAMED), (RENAMED, SMALL)]
)
def test_the_targets_beginning_is_the_drafts_own(pair: tuple[TokenText, TokenText]) -> None:
    """A text that begins with the target's special beginning is read with the draft model's own, once, whatever their names; the beginning as a
    single id is the draft model's too, or the end of a text where it has none."""
    ours, theirs = pair
    translation = Translation(ours, theirs, [0], [0])
    for written in TEXTS:
        ids = list(ours.tokenizer(written)["input_ids"])
        assert translation.begins(ids)
        assert translation.to_draft(ids) == list(theirs.tokenizer(written)["input_ids"])
        assert not translation.begins(ids[1:])
    assert translation.pieces(1) == (translation.begin or (0,))


@pytest.mark.parametrize("written", TEXTS)
@pytest.mark.parametrize("pair", [(SMALL, LARGE), (LARGE, SMALL), (WITH_BEGIN, LARGE), (LARGE, WITH_BEGIN)])
def test_what_was_written_comes_back_as_the_same_text(pair: tuple[TokenText, TokenText], written: str) -> None:
    """Wherever the text is divided, the target's tokens of what followed spell it, without a beginning and without lost blanks."""
    ours, theirs = pair
    translation = Translation(ours, theirs)
    for at in range(0, len(written), 3):
        before, after = written[:at], written[at:]
        found = translation.to_target(ids_of(theirs, after), ids_of(ours, before))
        assert spelled(ours, found) == after


def test_the_end_of_the_text_is_cut_again_with_the_draft() -> None:
    """A draft after "the do" continues as the target writes the whole words, where the text itself stays as it is."""
    translation = Translation(LARGE, SMALL)
    whole = ids_of(LARGE, "the dog ran home")
    found = translation.to_target(ids_of(SMALL, " ran home"), ids_of(LARGE, "the dog"))
    assert [*ids_of(LARGE, "the dog"), *found] == whole
    inside = translation.to_target(ids_of(SMALL, "g ran home"), ids_of(LARGE, "the do"))
    assert spelled(LARGE, inside) == "g ran home"


def test_half_a_character_is_held_back() -> None:
    """What the draft model wrote counts up to its last whole character, also where the target's text ends inside one."""
    translation = Translation(LARGE, SMALL)
    written = ids_of(SMALL, "a 東")
    for cut in range(1, len(written)):
        found = translation.to_target(written[:cut], ids_of(LARGE, "so "))
        assert spelled(LARGE, found) == b"".join(SMALL.bytes_of(i).data for i in written[:cut]).decode(errors="ignore")
    half = ids_of(LARGE, "東")[:-1]
    assert translation.to_draft(half) == half_ids(half)
    assert translation.to_target(ids_of(SMALL, "x"), half) == ids_of(LARGE, "x")


def half_ids(half: list[int]) -> list[int]:
    """The small tokenizer's ids of single bytes, which have the same bytes."""
    by_bytes = {SMALL.bytes_of(i).data: i for i in range(SMALL.vocabulary)}
    return [by_bytes[LARGE.bytes_of(i).data] for i in half]


def test_special_tokens_go_by_a_table() -> None:
    """A mark that both have stays a mark, one that only the target has is read as text, and the ends are paired whatever they are called."""
    shared = tokenizer(310, specials=("<end>", "<user>"))
    target, draft = CHAT, shared
    end, user, model = (ids_of(CHAT, name)[0] for name in ("<stop>", "<user>", "<model>"))
    assert CHAT.bytes_of(user).special
    translation = Translation(target, draft, [end], [0])
    found = translation.to_draft([user, *ids_of(CHAT, "the dog"), end, model, *ids_of(CHAT, "the sun")])
    marks = [(i, index) for i, index in enumerate(found) if draft.bytes_of(index).special]
    assert [index for _, index in marks] == [ids_of(shared, "<user>")[0], 0]
    assert "<model>" in spelled(draft, found)
    assert translation.to_target([*ids_of(shared, " ran"), 0, 5], ids_of(CHAT, "the dog")) == [
        *ids_of(CHAT, " ran"),
        end,
    ]
    assert translation.to_target(ids_of(shared, "<user> ran"), []) == [], "a mark inside a draft ends it"
    written = translation.to_target([i for c in "<user>" for i in ids_of(shared, c)], ids_of(CHAT, "a "))
    assert user not in written, "the name of a mark that was written as text is text"


def test_shared_ids_have_the_same_bytes() -> None:
    """The table of shared ids pairs equal bytes, no mark with a word, and its share is reported."""
    translation = Translation(LARGE, SMALL, [0], [0])
    ours, theirs = translation.shared
    for one, two in zip(ours.tolist(), theirs.tolist(), strict=True):
        assert LARGE.bytes_of(one) == SMALL.bytes_of(two)
    assert translation.overlap == len(ours) / LARGE.vocabulary
    assert Translation(SMALL, LARGE).overlap == 1
    assert 0.8 < translation.overlap < 1


@pytest.mark.parametrize("written", ["the dog", "it is 東京 time", "a  b"])
def test_visible_blanks_are_the_same_blanks(written: str) -> None:
    """A SentencePiece vocabulary spells a blank in another way; the ids mean the same text."""
    pieces = TokenText(sentencepiece_tokenizer())
    translation = Translation(LARGE, pieces)
    dog = next(i for i in range(LARGE.vocabulary) if LARGE.bytes_of(i).data == b" dog")
    assert pieces.bytes_of(translation.pieces(dog)[0]).data == b" dog"
    assert spelled(pieces, translation.to_draft(ids_of(LARGE, written))).endswith(written)
    back = translation.to_target(translation.to_draft(ids_of(LARGE, written)), ids_of(LARGE, "so"))
    assert spelled(LARGE, back).endswith(written)


def test_a_tokenizer_that_loses_blanks_still_drafts() -> None:
    """What a WordPiece vocabulary cannot spell is left out; nothing fails."""
    words: Any = TokenText(wordpiece_tokenizer())
    translation = Translation(LARGE, words)
    assert all(0 <= i < words.vocabulary for i in translation.to_draft(ids_of(LARGE, "hello big world.")))
    back = Translation(words, LARGE)
    assert back.to_target(ids_of(LARGE, "zebra"), []) == []
