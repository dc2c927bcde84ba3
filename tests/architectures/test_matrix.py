"""On tiny models of all architectures every drafter gives the plain text: quickly on one of each kind, and at full size on all of them."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import transformers

from specviz.decoding.drafters import registry
from specviz.models.networks.families import is_lean
from tests.architectures.examination import BRIEF, FULL, QUICK, Extent, Result, examined
from tests.helpers.architectures import ARCHITECTURES, BASE, VOCABULARY, WINDOW, Kind, build, described
from tests.models.folders import byte_tokenizer


@pytest.fixture(autouse=True)
def _quiet() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


MAX_SENTENCE = 500
"""Characters of a sentence that refuses a model."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """These drafters are refused, if they are tried, and the sentence names this reason."""

    reason: str
    drafters: tuple[str, ...] = registry.names()


OWN = Refusal("needs our own decoder", ("early-exit", "quantized"))
"""Of every row that our own decoder does not run."""
HEADS = tuple(name for name, described in registry.descriptions().items() if described.head)
REFUSED: dict[str, Refusal] = {
    "t5": Refusal("does not continue a text"),
    "bart": Refusal("does not continue a text"),
    "xlnet": Refusal("the tokens after it"),
    **dict.fromkeys(("openai-gpt", "rwkv", "recurrent_gemma"), Refusal("dropped from its cache")),
}
HEADLESS = {
    "gemma3n_text": "states at layers",
    "electra": "output layer from outside",
    "modernbert_decoder": "output layer from outside",
    "aya_vision": "output layer from outside",
}
"""Rows in which the drafters with trained heads are refused, each with a part of the sentence: their states are several tensors, or more
than one module comes after them. Every other row is expected to be equal with all drafters that are not refused."""
NARROW = {
    "rembert": Refusal("needs one width", tuple(name for name in HEADS if registry.describe(name).head != "medusa"))
}
"""Rows whose embedding is not as wide as the states: heads that read both are refused."""
INCONSISTENT = ("zamba2", "nemotron_h")
"""In these models transformers' scan over several tokens and its single steps differ (logits by up to 0.5 in Zamba2 and 0.05 in Nemotron-H), so
its texts depend on where the prompt is cut. Plain decoding may differ from fresh passes and from `generate`; the drafters may not differ from
plain decoding. These rows do not count as equal."""
SAVED = ("llama", "gpt2", "gemma2", "mistral_sliding", "qwen2_5_vl", "mistral3_vl", "gemma3_vl", "t5", "bart")
"""These rows go through folders and `load_pair`."""
EVERYDAY = ("gemma3n_text", "phi3_longrope", "qwen2_5_vl", "t5", "xlnet", "mamba", "recurrent_gemma")
"""The rows that every test run examines: in the first several things come together, the last two keep a state in the cache and elsewhere.
Every drafter on Llama, Qwen 3 and GPT-2 is in `tests/decoding/test_lossless_models.py`; what our own decoder computes for every other family,
what a tree sees and how a state is rolled back has tests of its own in `tests/models/networks` and `tests/models/test_replay.py`."""


def unexpected(name: str, result: Result) -> tuple[str, ...]:
    """Everything about this result that is not as expected; empty if all is."""
    expected = [REFUSED[name]] if name in REFUSED else []
    expected += [Refusal(HEADLESS[name], HEADS)] if name in HEADLESS else []
    expected += [NARROW[name]] if name in NARROW else []
    expected += [] if is_lean(build(name)) else [OWN]
    found = [one for one in result.faults if name not in INCONSISTENT or not one.startswith("plain")]
    for refusal in expected:
        accepted_anyway = [name for name in refusal.drafters if name in result.tried and name not in result.refused]
        if accepted_anyway:
            found.append(f"{', '.join(accepted_anyway)}: not refused, though this was expected: {refusal.reason}")
    for sentence in dict.fromkeys(result.refused.values()):
        drafters = [name for name, reason in result.refused.items() if reason == sentence]
        known = any(set(drafters) <= set(one.drafters) and one.reason in sentence for one in expected)
        if not known:
            found.append(f"{', '.join(drafters)}: refused: {sentence}")
        if not sentence.endswith(".") or "\n" in sentence or len(sentence) >= MAX_SENTENCE:
            found.append(f"{', '.join(drafters)}: this is not one short sentence: {sentence}")
    return tuple(found)


ROWS = [
    *(pytest.param(name, QUICK if name == "phi3_longrope" else BRIEF, id=name) for name in EVERYDAY),
    *(pytest.param(name, FULL, id=f"{name}, in full", marks=pytest.mark.rare) for name in ARCHITECTURES),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "extent"), ROWS)
def test_every_drafter_gives_the_plain_text(name: str, extent: Extent, tmp_path: Path) -> None:
    """At several draft lengths, across the window and the length after which rotations change, all drafters give what plain decoding, fresh
    passes and transformers give."""
    assert unexpected(name, examined(name, extent, tmp_path if name in SAVED else None)) == ()


def test_the_table_is_what_it_says() -> None:
    """The expectations name rows that exist; at least 85 classes, 10 hybrids among them, are equal with all drafters; windowed rows have windows."""
    assert {*EVERYDAY, *REFUSED, *SAVED} <= ARCHITECTURES.keys()
    equal = [ARCHITECTURES[name] for name in ARCHITECTURES.keys() - {*REFUSED, *HEADLESS, *NARROW, *INCONSISTENT}]
    assert len({row.class_name for row in equal}) >= 85
    assert len({row.class_name for row in equal if row.kind is Kind.HYBRID}) >= 10
    assert len(byte_tokenizer()) == VOCABULARY == BASE["vocab_size"]
    windowed = [row for row in ARCHITECTURES.values() if row.kind is Kind.WINDOWED]
    assert all(any(size in str(described(row)) for size in (str(WINDOW), "'sliding_window': 4")) for row in windowed)
