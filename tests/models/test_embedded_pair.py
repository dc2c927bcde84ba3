"""The pair that comes with the project matches its card, and does what the page promises."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from specviz.decoding.recorder import LIGHT
from specviz.known_pairs import FAMILY, embedded_folder, sources_of
from specviz.models import Pair, load_pair, with_draft
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Verdict

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests" / "models" / "embedded_texts.json").read_text(encoding="utf-8"))
PROMPTS = {
    p["title"]: p for p in json.loads((ROOT / "assets" / "prompts" / "embedded.json").read_text(encoding="utf-8"))
}
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def embedded() -> Pair:
    return load_pair("embedded", device="cpu", dtype="float32")


def _written(pair: Pair, prompt: str, tokens: int = 220) -> str:
    run = Run(pair, prompt, Settings(max_new_tokens=tokens), recorder=LIGHT).finish()
    return run.text.removesuffix("<|end|>")


def test_the_card_names_these_very_files() -> None:
    """The hashes in the model card are those of the weights and the tokenizers."""
    pair = embedded_folder()
    card = (pair / "README.md").read_text(encoding="utf-8")
    files = [*pair.glob("*/*.safetensors"), *pair.glob("*/tokenizer.json")]
    hashes = {str(path.relative_to(pair)): sha256(path.read_bytes()).hexdigest() for path in files}
    assert dict(re.findall(r"\| `([^`]+)` \| `([0-9a-f]{64})` \|", card)) == hashes


def test_it_is_small_enough_to_come_along() -> None:
    """The embedded pairs together take less than 64 MB, and the chat model's draft less than 40 MB."""
    for folder, most in (("embedded", 64), ("smollm2-135m", 40)):
        sizes = [path.stat().st_size for path in (ROOT / "assets" / "pairs" / folder).rglob("*") if path.is_file()]
        assert 0 < sum(sizes) < most * MEGABYTE
        assert max(sizes) < 40 * MEGABYTE


@pytest.mark.slow
def test_every_draft_is_there_and_lossless(embedded: Pair) -> None:
    """Each draft of the family is here by name and fits the target, and the text with it is the target's own."""
    settings = Settings(max_new_tokens=12)
    plain = Run(embedded, "The capital of Burkina Faso is", settings, plain=True, recorder=LIGHT).finish()
    assert plain.text.strip().startswith("Ouagadougou")
    for name in FAMILY:
        found = sources_of(name)
        assert found is not None
        pair = with_draft(embedded, found[1])
        assert (
            Run(pair, "The capital of Burkina Faso is", settings, recorder=LIGHT).finish().token_ids == plain.token_ids
        )


def test_the_target_corrects_its_draft_on_the_capital(embedded: Pair) -> None:
    """The point of the first prompt: the draft does not know Ouagadougou, and its first rejected token is within that name."""
    prompt = "The capital of Burkina Faso is"
    rounds = Run(embedded, prompt, Settings(k=5, max_new_tokens=16), recorder=LIGHT).finish().rounds
    guesses = [(r.start + offset, guess) for r in rounds for offset, guess in enumerate(r.drafted)]
    first = next(index for index, guess in guesses if guess.verdict is Verdict.REJECTED)
    assert first < len(embedded.text.encode(f"{prompt} Ouagadougou")) - len(embedded.text.encode(prompt))


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["title"])
def test_the_recorded_texts_come_again(golden: dict[str, str], embedded: Pair) -> None:
    """In float32 the prompts give the recorded text, token for token."""
    assert _written(embedded, PROMPTS[golden["title"]]["prompt"], 48) == golden["text"]
