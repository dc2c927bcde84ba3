"""What a network writes after many prompts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from specviz.errors import ModelFolderError
from specviz.training import llama
from specviz.training.writing import continued

_TOGETHER = 100


@dataclass(frozen=True, slots=True)
class Pupil:
    """A network under examination, with its tokenizer."""

    model: LlamaForCausalLM
    tokenizer: Tokenizer

    @classmethod
    def of(cls, folder: Path) -> "Pupil":
        """Read a network's folder, in float32.

        Raises:
            ModelFolderError: something is missing or broken there.
        """
        try:
            return cls(llama.load(folder).eval(), llama.load_tokenizer(folder))
        except Exception as error:  # noqa: BLE001  # whatever the libraries make of a broken folder
            reason = " ".join(str(error).split())[:160]
            raise ModelFolderError(
                f"The network in {str(folder)!r} could not be read ({reason}): make the pair again."
            ) from None

    @property
    def end(self) -> int:
        """The token that ends a text."""
        return llama.end_id(self.model)

    def continuations(self, prompts: Sequence[str], most: int) -> list[str]:
        """The greedy text after each prompt, at most `most` tokens, up to the end mark."""
        order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
        texts = [""] * len(prompts)
        for start in range(0, len(order), _TOGETHER):
            places = order[start : start + _TOGETHER]
            for place, text in zip(places, self._together([prompts[place] for place in places], most), strict=True):
                texts[place] = text
        return texts

    def _together(self, prompts: Sequence[str], most: int) -> list[str]:
        rows = [self.tokenizer.encode(prompt, add_special_tokens=False).ids for prompt in prompts]
        written = continued(self.model, rows, most)
        return [self.tokenizer.decode(ids, skip_special_tokens=True) for ids in written]
