"""What the shipped pair writes after its ready-made prompts makes sense, with or without the white space at their end."""

import json
import re
from typing import Any

import pytest

from recipes.embedded.forms import COMPLETE
from recipes.embedded.templates.sums import right
from specviz.decoding.recorder import LIGHT
from specviz.folders import ASSETS
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings

PROMPTS: dict[str, Any] = {
    p["title"]: p for p in json.loads((ASSETS / "prompts" / "embedded.json").read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("title", [t for t, p in PROMPTS.items() if p["prompt"] != p["prompt"].rstrip()])
@pytest.mark.parametrize("strip", [False, True], ids=["as it is", "stripped"])
def test_trailing_white_space_makes_no_difference_to_sense(title: str, strip: bool, embedded: Pair) -> None:
    """A prompt that ends in white space works with and without it."""
    prompt, category = PROMPTS[title]["prompt"], PROMPTS[title]["category"]
    prompt = prompt.rstrip() if strip else prompt
    run = Run(embedded, prompt, Settings(max_new_tokens=220), recorder=LIGHT).finish()
    text = run.text.removesuffix("<|end|>")
    if category == "word problems":
        a, b = map(int, re.findall(r"\d+", prompt))
        assert right(text.lstrip(), str(a + b))
    elif category in COMPLETE:
        assert COMPLETE[category](prompt + text)
    else:
        assert len(text.split()) > 20
