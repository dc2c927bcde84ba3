"""Many texts at once are each what it would be alone, and the randomness is the one that was given."""

from collections import Counter

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from recipes.embedded.recipe import Shape
from recipes.embedded.tests.helpers import roughened
from recipes.embedded.writing import continued, most_likely, sampled

END_ID = 0
VOCABULARY = 11
BEGINNINGS = [
    [1, 2, 3],
    [4],
    [5, 6, 7, 8, 9, 10, 1],
    [2, 2],
    [3, 9],
    [7, 1, 4, 4],
    [8],
    [9, 9, 1],
    [6, 2, 5, 10, 10],
    [10],
]
MOST = 30


@pytest.fixture(scope="module")
def model() -> LlamaForCausalLM:
    """A network that writes many different things, of which some end soon."""
    return roughened(Shape(layers=2, width=16, heads=2, feed_forward=24), VOCABULARY, seed=8).eval()


def alone(model: LlamaForCausalLM, beginning: list[int], most: int) -> list[int]:
    """The greedy ids after one beginning, from a whole pass for every one of them."""
    ids = list(beginning)
    with torch.inference_mode():
        while len(ids) - len(beginning) < most and END_ID not in ids:
            ids.append(int(model(input_ids=torch.tensor([ids])).logits[0, -1].argmax()))
    return ids[len(beginning) :]


def test_each_text_is_what_it_would_be_alone(model: LlamaForCausalLM) -> None:
    """Beginnings of many lengths, of which some end soon and some do not, give in their order what whole passes give one by one."""
    wanted = [alone(model, beginning, MOST) for beginning in BEGINNINGS]
    ended = {len(text) for text in wanted if text[-1] == END_ID}
    assert len(ended) > 1  # the batch grows smaller in more than one place
    assert any(len(text) == MOST for text in wanted)
    assert continued(model, BEGINNINGS, MOST) == wanted
    assert continued(model, BEGINNINGS, 4) == [text[:4] for text in wanted]


def test_a_text_that_has_ended_costs_nothing(model: LlamaForCausalLM) -> None:
    """In every step only those texts are chosen for that have not ended."""
    seen: list[int] = []

    def watched(logits: Tensor) -> Tensor:
        seen.append(len(logits))
        return most_likely(logits)

    lengths = list(map(len, continued(model, BEGINNINGS, MOST, watched)))
    assert seen == [sum(length > step for length in lengths) for step in range(max(lengths))]


def test_sampling_follows_the_distribution(model: LlamaForCausalLM) -> None:
    """Over 4,000 texts of one token each token comes as often as its probability says, within five standard errors."""
    count = 4000
    with torch.inference_mode():
        shares = torch.softmax(model(input_ids=torch.tensor([BEGINNINGS[0]])).logits[0, -1], -1).tolist()
    assert max(shares) < 0.9
    chance = sampled(torch.Generator().manual_seed(1))
    seen = Counter(token for (token,) in continued(model, [BEGINNINGS[0]] * count, 1, chance))
    for token, share in enumerate(shares):
        assert abs(seen[token] / count - share) < 5 * (share * (1 - share) / count) ** 0.5 + 1e-3


def test_randomness_is_the_one_given(model: LlamaForCausalLM) -> None:
    """Generators of one seed give the same texts, whatever else is drawn meanwhile, and another seed gives others."""
    texts = []
    for seed in (1, 1, 2):
        texts.append(continued(model, BEGINNINGS, MOST, sampled(torch.Generator().manual_seed(seed))))
        torch.rand(3)
    assert texts[0] == texts[1] != texts[2]
