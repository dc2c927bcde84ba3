"""transformers' own `generate()`, plain and assisted, on separate copies of the same models: the baseline that any user would run."""

from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, GenerationConfig, PreTrainedModel

from specviz.bench.decoders import LIBRARY_ASSISTED, LIBRARY_PLAIN, Decoder, Timed, timed
from specviz.models.quiet import quiet


class Library:
    """A target and its assistant as transformers loads them; only their generation defaults are changed.

    They use the same ids, number format, device, limit and end-of-text ids as ours. The draft length is set on the assistant,
    where transformers reads it, with a constant schedule and no confidence threshold. Penalties and sampling defaults of the
    checkpoints are removed.

    Args:
        target, draft: model folders.
        end_ids: every id that ends a text.
        k: draft length.
    """

    def __init__(
        self, target: Path, draft: Path, device: torch.device, dtype: torch.dtype, end_ids: frozenset[int], k: int
    ) -> None:
        self.target = _stock(target, device, dtype)
        self.assistant = _stock(draft, device, dtype)
        self._ends = sorted(end_ids) or None
        for model in (self.target, self.assistant):
            model.generation_config = GenerationConfig(
                do_sample=False, eos_token_id=self._ends, pad_token_id=self._ends[0] if self._ends else None
            )
        defaults = self.assistant.generation_config
        defaults.num_assistant_tokens = k
        defaults.num_assistant_tokens_schedule = "constant"
        defaults.assistant_confidence_threshold = 0.0
        # transformers requires equal numbers of output rows. Only the tokenizers must match, and loading has checked them.
        rows = self.target.config.get_text_config().vocab_size
        self.assistant.config.get_text_config().vocab_size = rows

    def decoders(self, prompt_ids: tuple[int, ...], max_new_tokens: int) -> dict[str, Decoder]:
        """Plain and assisted generation from these ids."""
        ids = torch.tensor([prompt_ids], device=self.target.device)
        mask = torch.ones_like(ids)

        def decoder(assistant: PreTrainedModel | None) -> Decoder:
            options = {} if assistant is None else {"assistant_model": assistant}

            def decode() -> Timed:
                written: list[int] = []

                def generate() -> None:
                    with torch.inference_mode():
                        text = self.target.generate(
                            ids, attention_mask=mask, max_new_tokens=max_new_tokens, do_sample=False, **options
                        )
                    written.extend(text[0, len(prompt_ids) :].tolist())

                seconds = timed(generate, self.target.device)
                return Timed(seconds, tuple(written))

            return decode

        return {LIBRARY_PLAIN: decoder(None), LIBRARY_ASSISTED: decoder(self.assistant)}


@quiet()
def _stock(folder: Path, device: torch.device, dtype: torch.dtype) -> PreTrainedModel:
    """The model, loaded as in transformers' readme, but from safetensors only and without code from the folder."""
    model: PreTrainedModel = AutoModelForCausalLM.from_pretrained(
        str(folder), dtype=dtype, use_safetensors=True, local_files_only=True, trust_remote_code=False
    )
    return model.to(device).eval()
