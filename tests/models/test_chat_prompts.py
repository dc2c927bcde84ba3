"""What the chat model's ready-made prompts say is true of the chat model itself. It runs where the model is installed."""

import re
from importlib.util import find_spec

import pytest
import torch

from specviz.models.loading import Target, load_target
from specviz.offers import CHAT, CHAT_TARGET, chat_is_here
from specviz.reporting.prompts import ready_prompts
from specviz.training.drafts.writer import Writer

pytestmark = [
    pytest.mark.rare,
    pytest.mark.skipif(
        not chat_is_here() or find_spec("gguf") is None, reason="the chat model is not installed: run `make chat`"
    ),
]
TOKENS = 110


@pytest.fixture(scope="module")
def target() -> Target:
    """The chat model in float32: in 16 bits its texts depend on the processor."""
    return load_target(CHAT_TARGET, device=torch.device("cpu"), dtype=torch.float32, progress=lambda what, share: None)


def test_every_quoted_phrase_is_in_the_text(target: Target) -> None:
    """Phrases in quotation marks are written by the target, at least twice where the sentence says that they come back."""
    ready = ready_prompts(CHAT)
    prompts = [target.text.encode(prompt.text) for prompt in ready]
    writer = Writer(target.model, target.text.vocabulary)
    texts = writer.write(prompts, TOKENS, [0.0] * len(prompts), torch.Generator(), target.ends)
    quoted, missing = 0, []
    for prompt, text in zip(ready, texts, strict=True):
        words = target.text.tokenizer.decode(text.ids[text.start :])
        again = re.search("back|again|begins|twice", prompt.look_for)
        for phrase in re.findall("\u201c(.+?)\u201d", prompt.look_for):
            quoted += 1
            if words.count(phrase) < (2 if again else 1):
                missing.append(f"{prompt.title}: {phrase!r} in {words!r}")
    assert not missing
    assert quoted >= 15
