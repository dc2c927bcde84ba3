"""What the chat model's ready-made prompts say is true of the chat model itself. It runs where the model is installed."""

import json
from importlib.util import find_spec
from typing import Any

import pytest

from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, CHAT_TARGET, chat_is_here
from specviz.models import load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Stop
from tests.helpers.hints import Text, contradicted

pytestmark = [
    pytest.mark.rare,
    pytest.mark.skipif(
        not chat_is_here() or find_spec("gguf") is None, reason="the chat model is not installed: run `make chat`"
    ),
]
READY: list[dict[str, Any]] = json.loads((ASSETS / "prompts" / f"{CHAT}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def written() -> list[Text]:
    """What the target writes after each prompt, as long as the page's runs are.

    In float32: in 16 bits its texts depend on the processor.
    """
    pair = load_pair(target=CHAT_TARGET, device="cpu", dtype="float32")
    traces = [Run(pair, ready["prompt"], Settings(temperature=0.0), plain=True).finish() for ready in READY]
    decode = pair.text.tokenizer.decode
    return [
        Text(ready["prompt"], decode(trace.token_ids, skip_special_tokens=True), trace.stop is Stop.END_OF_TEXT)
        for ready, trace in zip(READY, traces, strict=True)
    ]


def test_every_hint_is_true_of_the_text(written: list[Text]) -> None:
    """What is claimed of the target's text is so, and nothing is claimed that depends on the drafter."""
    wrong = {
        ready["title"]: (found, text.text)
        for ready, text in zip(READY, written, strict=True)
        if (found := contradicted(ready["claims"], text))
    }
    assert not wrong
