"""Claims about a head's first guesses: a head that is read wrongly keeps the text and drafts nothing, and that is noticed before its first run."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from specviz.errors import PairError
from specviz.models import CachedModel, Pair
from specviz.models.heads.folder import load
from specviz.models.heads.published_folder import PublishedFolder
from specviz.runs import first_guesses
from specviz.runs.examination import CheckOutcome, _first_use, _ready_for_head
from specviz.runs.first_guesses import OwnChoices, examined, ready_for_guesses, rereadings
from specviz.runs.prepare import PairKit
from tests.helpers.heads import random_head
from tests.helpers.planting import Plant, plant
from tests.helpers.published import Arithmetic, Tensors, eagle3_scores, layer_shapes, random_tensors, saved
from tests.helpers.tiny_models import tiny

WIDTH, VOCABULARY, DRAFTED, LENGTH, BEGIN = 32, 64, 48, 58, 10
TAPS = (2, 3, 4)
CONFIG: dict[str, Any] = {
    "architectures": ["LlamaForCausalLMEagle3"],
    "hidden_size": WIDTH,
    "intermediate_size": 64,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "num_hidden_layers": 1,
    "rms_norm_eps": 1e-5,
    "rope_theta": 1_000_000.0,
    "vocab_size": VOCABULARY,
    "draft_vocab_size": DRAFTED,
    "norm_before_residual": True,
    "eagle_aux_hidden_state_layer_ids": list(TAPS),
}


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return tiny("LlamaForCausalLM", 1, vocabulary=VOCABULARY, layers=6, width=WIDTH)
