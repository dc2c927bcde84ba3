"""Near ties: what rounding in 16 bits turns round is accepted, and every other token that is not the target's own is found."""

from dataclasses import replace

import pytest
import torch

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import speculate
from specviz.models import Pair, load_pair
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import rounded
from specviz.models.checks.ties import shortfalls
from specviz.settings import Settings

pytestmark = pytest.mark.slow

GREEDY = Settings(max_new_tokens=12)
NOISE = Settings(max_new_tokens=12, temperature=0.8, shared_noise=True)
PROMPTS = ("Once upon a time there was", "The capital of France is")


@pytest.fixture(scope="module")
def pair() -> Pair:
    return load_pair("embedded", device="cpu", dtype="bfloat16")


def text_of(model: CachedModel, prompt: list[int], settings: Settings) -> list[int]:
    rounds = speculate(model, NoDrafter(model.vocabulary), prompt, settings)
    return [token for round_ in rounds for token in round_.tokens]


def test_what_rounding_turns_round_is_explained(pair: Pair) -> None:
    """Plain decoding whose steps are rounded differently writes other texts now and then; each is explained, with a gap above 0."""
    stock, turned = pair.target.stock(), 0
    for settings in (GREEDY, NOISE):
        for seed, prompt in enumerate(PROMPTS):
            ids = list(pair.text.encode(prompt, template=False))
            with rounded(stock.model, torch.bfloat16, seed=10 + seed):
                written = text_of(stock, ids, settings)
            missed = shortfalls(pair.target, ids, written, settings)
            assert all(one.explained for one in missed), (prompt, missed)
            turned += len(missed)
    assert turned, "no choice was turned round: this test shows nothing"


def test_a_wrong_token_is_not_explained(pair: Pair) -> None:
    """A wrong token anywhere in the text is found, also where the tokens after it are the target's own; and so is one without a score."""
    ids = list(pair.text.encode(PROMPTS[0], template=False))
    for settings, index, wrong in ((GREEDY, 7, 3), (NOISE, 0, pair.target.vocabulary - 1)):
        written = text_of(pair.target, ids, settings)
        assert all(one.explained for one in shortfalls(pair.target, ids, written, settings))
        text = [*written[:index], wrong]
        if settings is GREEDY:
            text += text_of(pair.target, [*ids, *text], replace(settings, max_new_tokens=4))
        missed = shortfalls(pair.target, ids, text, settings)
        assert [one.index for one in missed if not one.explained] == [index], (settings, index, wrong)
