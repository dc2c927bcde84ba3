"""Greedy continuations of many prompts by one network."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from recipes.embedded import llama_folder
from recipes.embedded.tokenizer import load as load_tokenizer
from recipes.embedded.writing import continued
from specviz.errors import ModelFolderError

_TOGETHER = 100
"""Prompts in a batch."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """A network that is examined, with its tokenizer."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer

    @classmethod
    def of(cls, folder: Path) -> "Pupil":
        """Read a network's folder; the network is in float32.

        Raises:
            ModelFolderError: something in the folder is missing or broken.
        """
        try:
            return cls(llama_folder.load(folder).eval(), load_tokenizer(folder))
        except Exception as error:  # noqa: BLE001  # the libraries raise many kinds of errors on a broken folder
            reason = " ".join(str(error).split())[:160]
            raise ModelFolderError(
                f"The network in {str(folder)!r} could not be read ({reason}): make the pair again."
            ) from None

    @property
    def end(self) -> int:
        """The token id that ends a text."""
        return llama_folder.end_id(self.model)

    def continuations(self, prompts: Sequence[str], most: int) -> list[str]:
        """The greedy continuation of each prompt, in their order: at most `most` tokens, without the end mark."""
        order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
        texts = [""] * len(prompts)
        for start in range(0, len(order), _TOGETHER):
            chosen = order[start : start + _TOGETHER]
            for index, text in zip(chosen, self._together([prompts[index] for index in chosen], most), strict=True):
                texts[index] = text
        return texts

    def _together(self, prompts: Sequence[str], most: int) -> list[str]:
        rows = [self.tokenizer.encode(prompt, add_special_tokens=False).ids for prompt in prompts]
        written = continued(self.model, rows, most)
        return [self.tokenizer.decode(ids, skip_special_tokens=True) for ids in written]
