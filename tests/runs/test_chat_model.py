"""The real chat model, in 4-bit weights of its package: whoever drafts, the text is its own, and its ready-made prompts say what is true of it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, CHAT_INSTALL, has_gguf, packaged_chat
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Stop
from tests.helpers.hints import Text, contradicted

pytestmark = [
    pytest.mark.rare,
    pytest.mark.skipif(
        packaged_chat() is None or not has_gguf(), reason=f"needs the chat model's packages: {CHAT_INSTALL}"
    ),
]
READY: list[dict[str, Any]] = json.loads((ASSETS / "prompts" / f"{CHAT}.json").read_text(encoding="utf-8"))
PROMPT = "Repeat: red, green, blue. Red, green, blue."


@pytest.fixture(scope="module")
def chat() -> Pair:
    """In float32: in 16 bits its texts depend on the processor."""
    return load_pair(CHAT, device="cpu", dtype="float32")


def test_every_drafter_writes_the_models_own_text(chat: Pair) -> None:
    """At temperature 0 and with shared noise: every drafter that the pair can use, its trained heads included."""
    heads = chat.head_kinds
    assert {"eagle3", "medusa"} <= set(heads)
    able = registry.able(draft=True, heads=heads)
    assert len(able) > 8
    greedy = Settings(k=3, max_new_tokens=12)
    for settings in (greedy, replace(greedy, temperature=0.9, shared_noise=True, seed=2)):
        plain = Run(chat, PROMPT, settings, plain=True).finish().token_ids
        for name in able:
            asked = registry.fitted(replace(settings, drafter=name))
            assert Run(chat, PROMPT, asked).finish().token_ids == plain, name


def test_every_hint_is_true_of_the_text(chat: Pair) -> None:
    """What is claimed of the target's text, as long as the page's runs are, is so, and nothing is claimed that depends on the drafter."""
    wrong = {}
    for ready in READY:
        trace = Run(chat, ready["prompt"], Settings(temperature=0.0), plain=True).finish()
        written = chat.text.tokenizer.decode(trace.token_ids, skip_special_tokens=True)
        text = Text(ready["prompt"], written, trace.stop is Stop.END_OF_TEXT)
        wrong[written] = contradicted(ready["claims"], text)
    assert not any(wrong.values()), wrong
