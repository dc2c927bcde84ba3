"""Prompts that no shipped draft or head saw in its training: `held_out_prompts.json` in `tools/data`, and beginnings of texts for the embedded target."""

import json
from itertools import chain, zip_longest
from pathlib import Path

_DATA = Path(__file__).with_name("data")


def held_out_prompts(pair: str, most: int) -> tuple[str, ...]:
    """At most so many prompts for a pair, in turn from each kind: beginnings of texts for an embedded target, which has no chat template."""
    file = "held_out_beginnings.json" if pair.startswith("embedded") else "held_out_prompts.json"
    kinds = json.loads((_DATA / file).read_text(encoding="utf-8")).values()
    in_turn = chain.from_iterable(zip_longest(*kinds))
    return tuple(text for text in in_turn if text is not None)[:most]


def editing_prompts() -> tuple[str, ...]:
    """Prompts for a chat model whose answers repeat most of them: a paragraph, code or a log with a change."""
    kinds = json.loads((_DATA / "editing_prompts.json").read_text(encoding="utf-8")).values()
    return tuple(chain.from_iterable(kinds))
