"""The bytes of token ids: joined, they are the text, for every alphabet and tokenizer."""

from itertools import product

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from specviz.errors import PromptError
from specviz.models import Pair
from specviz.models.tokens import TokenText
from tests.helpers.refusals import refusal
from tests.models.folders import byte_tokenizer, sentencepiece_tokenizer, wordpiece_tokenizer

TEXTS = [
    "The dog ran home.",
    "  two spaces, a tab\tand a\nline\r\n",
    "na\u00efve caf\u00e9, \u00fcber, e\u0301",
    "\u4f60\u597d\uff0c\u4e16\u754c",
    "\u0634\u0643\u0631\u0627 \u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea \U0001f680",
    "\u0000\u007f\u00a0\u00ad\u2028\ufeff",
    "\u0120\u010a \u2581 <0x41>",
]


def joined(text: TokenText, ids: list[int]) -> bytes:
    return b"".join(text.bytes_of(i).data for i in ids if not text.bytes_of(i).special)


def test_byte_level_bytes_are_the_text(embedded: Pair) -> None:
    """The bytes of the embedded tokenizer and of a minimal byte-level one are exactly those of the text."""
    for text, written in product((embedded.text, TokenText(byte_tokenizer())), TEXTS):
        ids = text.encode(written, template=False)
        assert joined(text, ids) == written.encode() == text.tokenizer.decode(ids).encode()


def test_added_tokens_are_literal_text() -> None:
    """A token that was added to a byte-level vocabulary stands for its own letters, also where the alphabet of bytes has them."""
    tokenizer = byte_tokenizer()
    tokenizer.add_tokens(["caf\u00e9", "\u0111em"])
    text = TokenText(tokenizer)
    ids = text.encode("a caf\u00e9 \u0111em")
    assert len(ids) == 5
    assert joined(text, ids).decode() == "a caf\u00e9 \u0111em"


def test_the_end_of_a_word_is_a_space() -> None:
    """A vocabulary that marks the end of a word, as GPT's first one, gives separate words, and no space inside a word of two pieces."""
    pieces = [*"acdehnost", *(f"{letter}</w>" for letter in "acdehnost"), "th", "the</w>", "ca"]
    backend = Tokenizer(
        models.BPE(
            {piece: i for i, piece in enumerate(pieces)},
            [("t", "h"), ("th", "e</w>"), ("c", "a")],
            end_of_word_suffix="</w>",
        )
    )
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    for decoder in (decoders.BPEDecoder(suffix="</w>"), decoders.ByteLevel()):
        backend.decoder = decoder
        text = TokenText(PreTrainedTokenizerFast(tokenizer_object=backend))
        assert joined(text, text.encode("the cat sat")).decode() == "the cat sat "


def test_sentencepiece_bytes_are_the_text() -> None:
    """Pieces with visible spaces and byte pieces give the text; a decoder that strips the first space strips nothing else."""
    for metaspace, written in product((False, True), [text for text in TEXTS if "\u2581" not in text]):
        text = TokenText(sentencepiece_tokenizer(metaspace=metaspace))
        ids = text.tokenizer(written, add_special_tokens=False)["input_ids"]
        stripped = b" " if metaspace else b""
        assert joined(text, ids).removeprefix(stripped) == written.encode().removeprefix(stripped)
        assert metaspace or joined(text, ids) == text.tokenizer.decode(ids).encode()


def test_other_tokenizers_keep_the_spaces() -> None:
    """Pieces without spaces still give separate words and joined endings, as the tokenizer decodes them itself."""
    text = TokenText(wordpiece_tokenizer())
    for written in ("hello world .", "hellos hello helloing worlds", "\u4f60 world hello"):
        ids = text.encode(written)
        assert joined(text, ids).decode() == " " + text.tokenizer.decode(ids)


def test_special_tokens_are_flagged() -> None:
    """Every special token is flagged and shown by its name, and no ordinary one is."""
    for tokenizer in (byte_tokenizer(), sentencepiece_tokenizer(), wordpiece_tokenizer()):
        text = TokenText(tokenizer)
        specials = set(text.tokenizer.all_special_ids)
        assert specials
        for index in range(text.vocabulary):
            assert text.bytes_of(index).special == (index in specials or index in added_specials(text)), index
        for index in specials:
            assert text.bytes_of(index).data.decode() == text.tokenizer.convert_ids_to_tokens(index)


def added_specials(text: TokenText) -> set[int]:
    return {i for i, token in text.tokenizer.added_tokens_decoder.items() if token.special}


def test_a_prompt_without_text_is_refused(embedded: Pair) -> None:
    """An empty prompt, white space alone and half a surrogate pair raise an error of one sentence."""
    for prompt in ("", " \n\t", "half \ud83d a pair"):
        assert refusal(PromptError, embedded.text.encode, prompt).startswith("The prompt ")
