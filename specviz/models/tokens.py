"""The bytes of each token id. Only bytes can represent a token that is part of a character."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from hashlib import sha256
from typing import Any

from transformers import PreTrainedTokenizerBase

from specviz.errors import PromptError, TokenizerMismatchError, brief
from specviz.settings import check_prompt
from specviz.trace.records import TokenBytes

# The names of the special tokens that a model's files give.
MARKS = ("bos_token", "eos_token", "pad_token", "unk_token")

_ANSWER = "specviz"  # of a model, in its chat template


class TokenText:
    """A tokenizer as this project needs it: text to ids, and id to bytes.

    Byte-level and SentencePiece vocabularies, and those that mark the end of a word, are converted exactly. Any other tokenizer decodes the
    token after an ordinary word.

    Attributes:
        readable: number of ids that the target has embeddings for; None means all. `load_pair` sets it.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.tokenizer = tokenizer
        self._pieces: dict[int, str] = {index: piece for piece, index in tokenizer.get_vocab().items()}
        self._special = set(tokenizer.all_special_ids)
        self._added = {i: str(token.content) for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items()}
        self._special |= {
            i for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items() if getattr(token, "special", False)
        }
        backend = getattr(tokenizer, "backend_tokenizer", None)
        settings: dict[str, Any] = json.loads(backend.to_str()) if backend is not None else {}
        self._spell = _speller_for(settings)
        self._literal = _literal(settings["model"], self._added) if self._spell is _byte_level else set()
        self.readable: int | None = None

    @cached_property
    def vocabulary(self) -> int:
        """The number of real ids: the highest id plus one."""
        return max(self._pieces, default=-1) + 1

    @cached_property
    def digest(self) -> str:
        """SHA-256 of which text every id stands for."""
        table = sorted(self._pieces.items())
        return sha256("\n".join(f"{index} {piece!r}" for index, piece in table).encode()).hexdigest()

    @property
    def has_template(self) -> bool:
        """True if the tokenizer has a chat template."""
        return bool(getattr(self.tokenizer, "chat_template", None))

    @cached_property
    def turn_ends(self) -> frozenset[int]:
        """The special token with which the chat template ends a turn of the model; none where it writes another text there."""
        turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": _ANSWER}]
        try:
            text = str(self.tokenizer.apply_chat_template(turns, tokenize=False))
        except Exception:  # noqa: BLE001  # a template is a program, and there may be none
            return frozenset()
        _, answer, end = text.rpartition(_ANSWER)
        ids = self.tokenizer(end.lstrip(), add_special_tokens=False)["input_ids"] if answer else []
        return self.special.intersection(ids[:1])

    @property
    def special(self) -> frozenset[int]:
        """The ids that are marks, not text."""
        return frozenset(self._special)

    def encode(self, prompt: str, *, template: bool = True) -> list[int]:
        """The ids of a prompt with the model's special tokens, in the chat template if there is one. Raises PromptError
        if the prompt is empty, is not valid text, holds a token that the target cannot read, or does not fit the
        chat template."""
        check_prompt(prompt)
        try:
            prompt.encode()
        except UnicodeEncodeError as error:
            raise PromptError(
                f"The prompt has half a character at index {error.start}, which is not valid text: type it again."
            ) from error
        # verbose=False: no message where a text is longer than the tokenizer's configuration says; the run checks the length.
        bare = not (template and self.has_template)
        ids = self.tokenizer(prompt, verbose=False)["input_ids"] if bare else self._in_template(prompt)
        unreadable = next((i for i in ids if self.readable is not None and i >= self.readable), None)
        if unreadable is not None:
            raise PromptError(
                f"The prompt holds the token {self._pieces.get(unreadable)!r}, which the target has no embedding for: remove it."
            )
        return list(ids)

    def _in_template(self, prompt: str) -> list[int]:
        """The ids of a prompt in the chat template, which contains the special tokens already."""
        try:
            text, dropped = self.applied(prompt), False
            if prompt.strip() not in text:
                # Templates of vision-language models read a list of parts, and skip plain text; others change a text, or write none.
                in_parts = self.applied([{"type": "text", "text": prompt}])
                text = in_parts if prompt.strip() in in_parts else text
                dropped = text == self.applied(f"another {prompt}")
        except Exception as error:
            raise PromptError(
                f"The model's chat template does not accept this prompt ({brief(error)}): run without the template."
            ) from error
        if dropped:
            raise PromptError("The model's chat template leaves the user's text out: run without the template.")
        ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def applied(self, content: str | list[dict[str, str]]) -> str:
        """The chat template around one turn of the user."""
        turn = [{"role": "user", "content": content}]
        return str(self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True))

    def piece_of(self, token: int) -> str:
        """How the vocabulary writes an id; its number for one outside of it."""
        return self._pieces.get(token, str(token))

    def bytes_of(self, token: int) -> TokenBytes:
        """The bytes of one id; empty for an id outside the vocabulary.

        The space before a word belongs to the word, also at the beginning of a text; where a vocabulary marks the end of a word, the space
        after it does. In a byte-level vocabulary an added token is the text that was added, and not spelled in the alphabet of bytes.
        """
        piece = self._added.get(token, self._pieces.get(token))
        if piece is None:
            return TokenBytes(b"")
        if token in self._special or token in self._literal:
            return TokenBytes(piece.encode(), special=token in self._special)
        return TokenBytes(self._spell(piece) if self._spell else self._decoded_after_word(token))

    def _decoded_after_word(self, token: int) -> bytes:
        """The text that decoding adds when this id follows an ordinary word; this keeps the space between words."""
        word, text = self._word
        both = str(self.tokenizer.decode([word, token])) if text else ""
        if text and both.startswith(text):
            return both[len(text) :].encode()
        return str(self.tokenizer.decode([token])).encode()

    @cached_property
    def _word(self) -> tuple[int, str]:
        """An id that decodes to letters only, and these letters; (0, "") where there is none."""
        for index, piece in sorted(self._pieces.items()):
            if piece.isalpha() and index not in self._special and self.tokenizer.decode([index]) == piece:
                return index, piece
        return 0, ""

    def check_same(self, draft: "TokenText", ours: str, theirs: str) -> None:
        """Check that every id that both tokenizers have stands for the same text. Raises TokenizerMismatchError if an
        id differs; the message names both models and the first difference."""
        for index in range(min(self.vocabulary, draft.vocabulary)):
            mine, its = self._pieces.get(index), draft._pieces.get(index)
            if mine != its:
                raise TokenizerMismatchError(
                    f"The draft {theirs} has another tokenizer than the target {ours}: token {index} is {its!r} in the draft "
                    f"and {mine!r} in the target. Choose a draft with the target's tokenizer, such as a smaller model of its family."
                )


def _speller_for(settings: Mapping[str, Any]) -> Callable[[str], bytes] | None:
    """The function that turns a piece of a vocabulary with this tokenizer.json into bytes, or None where only the tokenizer can decode it."""
    decoder = settings.get("decoder") or {}
    decoder_json = json.dumps(decoder)
    words_end = decoder.get("suffix") if decoder.get("type") == "BPEDecoder" else None
    if words_end or '"ByteLevel"' in decoder_json:
        spell = str.encode if words_end else _byte_level
        end = words_end or settings["model"].get("end_of_word_suffix")
        return partial(_end_of_word, end, spell) if end else spell
    if '"ByteFallback"' in decoder_json:
        return _byte_fallback
    return _sentencepiece if '"Metaspace"' in decoder_json else None


def _literal(model: Mapping[str, Any], added: Mapping[int, str]) -> set[int]:
    """The added tokens of a byte-level vocabulary that its merges do not make of letters: they stand for their own text."""
    merged = {"".join(pair) for pair in model.get("merges", ())}
    return {i for i, piece in added.items() if len(piece) > 1 and piece not in merged}


def _printable_bytes() -> dict[str, int]:
    """GPT-2's alphabet: printable Latin-1 bytes are written as themselves, all others as the code points from 256 on."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    alphabet = {chr(byte): byte for byte in printable}
    unprintable = (byte for byte in range(256) if byte not in printable)
    return alphabet | {chr(256 + index): byte for index, byte in enumerate(unprintable)}


_ALPHABET = _printable_bytes()
_LETTERS = {byte: letter for letter, byte in _ALPHABET.items()}
_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")


def _byte_level(piece: str) -> bytes:
    """The bytes of a piece; one outside the alphabet, as an added token may be, is encoded as it is."""
    return bytes(_ALPHABET[c] for c in piece) if is_spelled(piece) else piece.encode()


def is_spelled(piece: str) -> bool:
    """True if all letters of a piece are of the alphabet of bytes."""
    return all(letter in _ALPHABET for letter in piece)


def spelled(text: str) -> str:
    """A text in the alphabet of bytes."""
    return "".join(_LETTERS[byte] for byte in text.encode())


def _end_of_word(end: str, spell: Callable[[str], bytes], piece: str) -> bytes:
    """A space stands for the mark at the end of a word."""
    return spell(piece.removesuffix(end)) + b" " if piece.endswith(end) else spell(piece)


def _byte_fallback(piece: str) -> bytes:
    match = _BYTE.fullmatch(piece)
    return bytes([int(match[1], 16)]) if match else _sentencepiece(piece)


def _sentencepiece(piece: str) -> bytes:
    return piece.replace("\u2581", " ").encode()
