"""What each token id stands for, as bytes: the only form in which half a character can be kept."""

import json
from functools import cached_property
from typing import Any

from transformers import PreTrainedTokenizerBase

from specviz.errors import PromptError, TokenizerMismatchError
from specviz.records import TokenBytes


class TokenText:
    """A tokenizer as this project needs it: text to ids, id to bytes.

    Byte-level vocabularies and SentencePiece ones with byte fallback are read exactly; any other is asked to decode
    the token alone.
    """

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        self.tokenizer = tokenizer
        self._pieces: dict[int, str] = {index: piece for piece, index in tokenizer.get_vocab().items()}
        self._special = set(tokenizer.all_special_ids)
        self._added = {i: str(token.content) for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items()}
        self._special |= {
            i for i, token in getattr(tokenizer, "added_tokens_decoder", {}).items() if getattr(token, "special", False)
        }
        self._kind = _kind_of(tokenizer)

    @cached_property
    def vocabulary(self) -> int:
        """How many real ids there are, counted to the highest one."""
        return max(self._pieces) + 1

    @property
    def has_template(self) -> bool:
        """Whether the tokenizer wraps a conversation in a template of its own."""
        return bool(getattr(self.tokenizer, "chat_template", None))

    def encode(self, prompt: str, *, template: bool = True) -> list[int]:
        """Ids of a prompt, with the special tokens the model expects; in the chat template if there is one.

        Raises:
            PromptError: the prompt is empty, or only white space inside a template.
        """
        if not prompt.strip():
            raise PromptError("The prompt was empty: write a few words for the models to continue.")
        if template and self.has_template:
            turn = [{"role": "user", "content": prompt}]
            text = self.tokenizer.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)
            return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])
        return list(self.tokenizer(prompt)["input_ids"])

    def bytes_of(self, token: int) -> TokenBytes:
        """What one id stands for; ids outside the vocabulary stand for nothing."""
        if token in self._special:
            return TokenBytes(self._added.get(token, self._pieces.get(token, "")).encode(), special=True)
        if token in self._added:
            return TokenBytes(self._added[token].encode())
        piece = self._pieces.get(token)
        if piece is None:
            return TokenBytes(b"")
        if self._kind == "bytes":
            return TokenBytes(_byte_level(piece))
        if self._kind == "sentencepiece":
            return TokenBytes(_sentencepiece(piece))
        return TokenBytes(self.tokenizer.decode([token]).encode())

    def check_same(self, other: "TokenText", ours: str, theirs: str) -> None:
        """Refuse a tokenizer that gives another meaning to an id that both have.

        Raises:
            TokenizerMismatchError: names both models and the first difference.
        """
        for index in range(min(self.vocabulary, other.vocabulary)):
            mine, its = self._pieces.get(index), other._pieces.get(index)
            if mine != its:
                raise TokenizerMismatchError(
                    f"The draft {theirs} cuts text into other tokens than the target {ours}: token {index} is {its!r} there "
                    f"and {mine!r} here. Choose a draft with the target's tokenizer, such as a smaller model of its family."
                )


def _kind_of(tokenizer: PreTrainedTokenizerBase) -> str:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return "decoded"
    described: dict[str, Any] = json.loads(backend.to_str())
    decoder = json.dumps(described.get("decoder") or {})
    if '"ByteLevel"' in decoder:
        return "bytes"
    if '"ByteFallback"' in decoder or '"Metaspace"' in decoder:
        return "sentencepiece"
    return "decoded"


def _printable_bytes() -> dict[str, int]:
    """GPT-2's alphabet: printable Latin-1 bytes stand for themselves, the others for the code points from 256 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    alphabet = {chr(byte): byte for byte in plain}
    hidden = (byte for byte in range(256) if byte not in plain)
    return alphabet | {chr(256 + place): byte for place, byte in enumerate(hidden)}


_ALPHABET = _printable_bytes()


def _byte_level(piece: str) -> bytes:
    return b"".join(bytes([_ALPHABET[c]]) if c in _ALPHABET else c.encode() for c in piece)


def _sentencepiece(piece: str) -> bytes:
    if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
        return bytes([int(piece[3:5], 16)])
    return piece.replace("\u2581", " ").encode()
