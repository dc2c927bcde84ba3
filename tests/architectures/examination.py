"""One row of the matrix: does every drafter give the plain text of this architecture, or is it refused before the run?"""

from dataclasses import dataclass
from typing import Any

import torch
from transformers import PreTrainedModel

from specviz.decoding.drafters import registry
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError, PromptError
from specviz.models import Pair
from specviz.models.loading import pair_of
from specviz.models.tokens import TokenText
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.architectures import build, near
from tests.models.folders import byte_tokenizer

PROMPT = "The old dog saw a red sun, and the sea "
"""One token for each character: more than two windows."""
SHORT_PROMPT = "The red sea"
"""Less than one window, so that rounds cross its end."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is examined: draft lengths with their prompts, and the number of new tokens."""

    runs: tuple[tuple[int, str], ...]
    new_tokens: int


FULL = Extent(((1, PROMPT), (4, PROMPT), (7, PROMPT), (4, SHORT_PROMPT)), 60)
QUICK = Extent(((1, SHORT_PROMPT), (4, PROMPT), (7, SHORT_PROMPT)), 24)


@dataclass(frozen=True, slots=True)
class Result:
    """What was found.

    Attributes:
        equal: the drafters whose every text was the plain text.
        refused: what cannot be used and the sentence that says so before the first round; "pair" where it is the model itself.
        faults: everything that must not be: another text, or an error after the first round.
        accepted: for each drafter, the share of its drafted tokens that were accepted.
    """

    equal: tuple[str, ...]
    refused: dict[str, str]
    faults: tuple[str, ...]
    accepted: dict[str, float]

    @property
    def right(self) -> bool:
        """Whether all drafters give the plain text."""
        return not self.faults and not self.refused


def examined(name: str, extent: Extent) -> Result:
    """Build this architecture and compare every drafter's text with the plain text, and that with transformers' own."""
    model = build(name)
    try:
        pair = pair_of(model, near(build(name)), TokenText(byte_tokenizer()), name=name)
    except PairError as error:
        return Result((), {"pair": str(error)}, (), {})
    return examined_pair(pair, build(name), extent)


def examined_pair(pair: Pair, untouched: PreTrainedModel, extent: Extent) -> Result:
    """The same for a pair; `untouched` has the target's weights, and nothing of this project was done to it."""
    faults: list[str] = []
    refused: dict[str, str] = {}
    drafted: dict[str, list[int]] = {name: [0, 0] for name in registry.names()}
    for k, prompt in extent.runs:
        ids = pair.text.encode(prompt)
        plain = _text(Run(pair, prompt, Settings(max_new_tokens=extent.new_tokens), plain=True, recorder=LIGHT))
        for way, other in (
            ("generate", _generated(untouched, ids, len(plain))),
            ("fresh passes", _fresh(untouched, ids, plain)),
        ):
            if other != plain:
                faults.append(f"plain differs from {way} at token {_first_difference(plain, other)} of {len(plain)}")
        for drafter in registry.names():
            if drafter in refused:
                continue
            settings = registry.fitted(
                Settings(k=k, nodes=max(12, k), max_new_tokens=extent.new_tokens, drafter=drafter)
            )
            run: Run | None = None
            try:
                run = Run(pair, prompt, settings, recorder=LIGHT)
                text = _text(run)
            except (PairError, PromptError) as error:
                if run is None or not run.rounds:
                    refused[drafter] = str(error)
                else:
                    faults.append(f"{drafter} k={k}: stopped in mid-text ({error})")
                continue
            except Exception as error:  # noqa: BLE001  # any other error is a fault of the row, and the others go on
                faults.append(f"{drafter} k={k}: {type(error).__name__}: {' '.join(str(error).split())[:120]}")
                continue
            drafted[drafter][0] += sum(len(r.accepted) for r in run.rounds)
            drafted[drafter][1] += sum(len(r.drafted) for r in run.rounds)
            if text != plain:
                faults.append(
                    f"{drafter} k={k}: differs from plain at token {_first_difference(plain, text)} of {len(plain)}"
                )
    wrong = {fault.split()[0] for fault in faults}
    equal = tuple(
        name for name in registry.names() if name not in refused and name not in wrong and "plain" not in wrong
    )
    return Result(equal, refused, tuple(faults), {name: a / max(1, n) for name, (a, n) in drafted.items()})


def _text(run: Run) -> list[int]:
    return [token for round_ in run for token in round_.tokens]


def _generated(model: PreTrainedModel, ids: list[int], count: int) -> list[int]:
    """What transformers' own greedy decoding with its own cache writes."""
    settings: dict[str, Any] = {"max_new_tokens": count, "do_sample": False, "use_cache": True, "pad_token_id": 0}
    if model.generation_config is not None:
        model.generation_config.eos_token_id = None
    given = torch.tensor([ids])
    with torch.inference_mode():
        found = model.generate(given, attention_mask=torch.ones_like(given), **settings)
    return [int(token) for token in found[0, len(ids) :]]


def _fresh(model: PreTrainedModel, ids: list[int], text: list[int]) -> list[int]:
    """The likeliest token after each prefix, from passes without any cache."""
    with torch.inference_mode():
        if _depends_on_length(model):
            prefixes = [[*ids, *text[:count]] for count in range(len(text))]
            return [int(model(torch.tensor([prefix]), use_cache=False).logits[0, -1].argmax()) for prefix in prefixes]
        scores = model(torch.tensor([[*ids, *text[:-1]]]), use_cache=False).logits[0]
    return [int(token) for token in scores[len(ids) - 1 :].argmax(dim=-1)]


def _depends_on_length(model: PreTrainedModel) -> bool:
    """Whether the rotary frequencies depend on the length of the text, so that one pass cannot stand for several."""
    rotary = getattr(model.config.get_text_config(decoder=True), "rope_parameters", None) or {}
    return rotary.get("rope_type") in ("longrope", "dynamic")


def _first_difference(one: list[int], other: list[int]) -> int:
    same = (a == b for a, b in zip(one, other, strict=False))
    return next((index for index, equal in enumerate(same) if not equal), min(len(one), len(other)))
