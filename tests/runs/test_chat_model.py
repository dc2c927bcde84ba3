"""The real chat model, in 4-bit weights of its package: whoever drafts, the text is its own."""

from dataclasses import replace

import pytest

from specviz.decoding.drafters import registry
from specviz.known_pairs import CHAT_INSTALL, has_gguf, packaged_chat
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings

pytestmark = [
    pytest.mark.rare,
    pytest.mark.skipif(
        packaged_chat() is None or not has_gguf(), reason=f"needs the chat model's packages: {CHAT_INSTALL}"
    ),
]
PROMPT = "Repeat: red, green, blue. Red, green, blue."


@pytest.fixture(scope="module")
def chat() -> Pair:
    return load_pair("smollm2-135m", device="cpu", dtype="float32")


def test_every_drafter_writes_the_models_own_text(chat: Pair) -> None:
    """At temperature 0 and with shared noise: every drafter that the pair can use, its trained heads included."""
    heads = chat.head_kinds
    assert {"eagle3", "medusa"} <= set(heads)
    able = registry.able(draft=True, heads=heads)
    assert len(able) > 8
    for settings in (
        Settings(k=3, max_new_tokens=12),
        Settings(k=3, max_new_tokens=12, temperature=0.9, shared_noise=True, seed=2),
    ):
        plain = Run(chat, PROMPT, settings, plain=True).finish().token_ids
        for name in able:
            asked = registry.fitted(replace(settings, drafter=name))
            assert Run(chat, PROMPT, asked).finish().token_ids == plain, name
