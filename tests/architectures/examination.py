"""One row of the matrix: does every drafter give the plain text of this architecture, or is it refused before the run?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel

from specviz.decoding.drafters import registry
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError, PromptError
from specviz.models import Pair, load_pair, loading
from specviz.models.checks.first_use import checked_model
from specviz.models.pair import LoadedModel
from specviz.models.reading import card_of, end_ids
from specviz.models.tokens import TokenText
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.architectures import build, near
from tests.helpers.heads import random_head
from tests.models.folders import byte_tokenizer

PROMPT = "The old dog saw a red sun, and the sea "
"""One token for each character: more than two windows."""
SHORT_PROMPT = "The red sea"
"""Less than one window, so that rounds cross its end."""


QUANTIZED = "quantized"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is examined: draft lengths with their prompts, the number of new tokens, and whether all drafters are tried: also those with
    trained heads, here of random weights, and the quantized copy."""

    runs: tuple[tuple[int, str], ...]
    new_tokens: int
    everything: bool = False

    @property
    def drafters(self) -> tuple[str, ...]:
        """Those that are tried."""
        described = registry.descriptions()
        return tuple(name for name in described if self.everything or not (described[name].head or name == QUANTIZED))


FULL = Extent(((1, PROMPT), (4, SHORT_PROMPT), (7, PROMPT)), 60, everything=True)
QUICK, BRIEF = Extent(((3, PROMPT), (7, SHORT_PROMPT)), 12), Extent(((5, SHORT_PROMPT),), 10)
"""Across the length after which a rotation changes; across a window."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found.

    Attributes:
        refused: the drafters that cannot be used, with the sentence that says so before the first round; all of them where
            the model itself is refused.
        faults: everything that must not be: another text than the plain one, or an error after the first round.
        tried: the drafters that were tried; none where the model itself is refused.
    """

    refused: dict[str, str]
    faults: tuple[str, ...]
    tried: tuple[str, ...]


def text_of_rows() -> TokenText:
    """The tokenizer of all rows. It has no end-of-text token, so that every text has its full length."""
    tokenizer = byte_tokenizer()
    tokenizer.eos_token = None
    return TokenText(tokenizer)


def pair_of(name: str, target: PreTrainedModel, draft: PreTrainedModel | None = None) -> Pair:
    """A pair of models that are in memory, with the checks that loading makes."""
    text = text_of_rows()
    ends = end_ids(target, text)
    text.readable = target.get_input_embeddings().num_embeddings
    loaded = []
    for role, model in (("target", target), ("draft", draft)):
        if model is not None:
            cached, checks = checked_model(loading._cached(model, text.vocabulary, ends), role)
            notes = tuple(check.note for check in checks if check.note)
            loaded.append(LoadedModel(cached, card_of(model, role), checks, notes))
    return loading.pair_of(name, loaded[0], loaded[1] if draft is not None else None, text)


def examined(name: str, extent: Extent, folder: Path | None = None) -> Result:
    """Build this architecture and compare every drafter's text with the plain text, and that with transformers' own.

    Args:
        folder: save the models there and load them again, instead of using them in memory.
    """
    try:
        pair = _pair(name, folder)
    except PairError as error:
        return Result(dict.fromkeys(extent.drafters, str(error)), (), ())
    return examined_pair(pair, build(name), extent)


def examined_pair(pair: Pair, untouched: PreTrainedModel, extent: Extent) -> Result:
    """The same for a pair; `untouched` has the target's weights, and nothing of this project was done to it."""
    heads = {registry.describe(drafter).head for drafter in extent.drafters} - {""}
    pair = replace(pair, heads={kind: random_head(pair.target, kind) for kind in heads})
    faults: list[str] = []
    refused: dict[str, str] = {}
    for k, prompt in extent.runs:
        ids = pair.text.encode(prompt)
        plain = _text(Run(pair, prompt, Settings(max_new_tokens=extent.new_tokens), plain=True, recorder=LIGHT))
        others = {"generate": _generated(untouched, ids, len(plain)), "fresh passes": _fresh(untouched, ids, plain)}
        faults += [
            f"plain, k={k}: {_difference(plain, text)} of {way}" for way, text in others.items() if text != plain
        ]
        for drafter in extent.drafters:
            settings = Settings(k=k, nodes=12, max_new_tokens=extent.new_tokens, drafter=drafter)
            run: Run | None = None
            try:
                run = Run(pair, prompt, registry.fitted(settings), recorder=LIGHT)
                text = _text(run)
            except Exception as error:  # noqa: BLE001  # any error is a finding about this drafter, and the others go on
                if isinstance(error, PairError | PromptError) and (run is None or not run.rounds):
                    refused[drafter] = str(error)
                else:
                    faults.append(f"{drafter}, k={k}: {type(error).__name__}: {' '.join(str(error).split())[:120]}")
                continue
            if text != plain:
                faults.append(f"{drafter}, k={k}: {_difference(text, plain)} of plain decoding")
    return Result(refused, tuple(faults), extent.drafters)


def _pair(name: str, folder: Path | None) -> Pair:
    target, draft = build(name), near(build(name))
    if folder is None:
        return pair_of(name, target, draft)
    for part, model in (("target", target), ("draft", draft)):
        model.save_pretrained(folder / part)
        text_of_rows().tokenizer.save_pretrained(folder / part)
    return load_pair(target=str(folder / "target"), draft=str(folder / "draft"), device="cpu", dtype="float32")


def _text(run: Run) -> list[int]:
    return [token for round_ in run for token in round_.tokens]


def _generated(model: PreTrainedModel, ids: list[int], count: int) -> list[int]:
    """What transformers' own greedy decoding with its own cache writes."""
    settings: dict[str, Any] = {"max_new_tokens": count, "do_sample": False, "use_cache": True, "pad_token_id": 0}
    if model.generation_config is not None:
        model.generation_config.eos_token_id = model.generation_config.forced_eos_token_id = None
    given = torch.tensor([ids])
    padding = getattr(getattr(model.base_model, "embeddings", None), "padding_idx", None)
    if padding is not None:
        # RoBERTa's models number tokens from here on, but `generate` would number them from 0.
        settings["position_ids"] = torch.arange(padding + 1, padding + 1 + len(ids))[None]
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


def _difference(one: list[int], other: list[int]) -> str:
    same = (a == b for a, b in zip(one, other, strict=False))
    first = next((index for index, equal in enumerate(same) if not equal), min(len(one), len(other)))
    return f"differs at token {first} of {len(other)} from the text"
