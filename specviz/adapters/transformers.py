"""Transformers' own assisted generation as our trace: with a draft model, with prompt lookup, or with a DFlash head.

`generate` itself runs, unchanged. Its candidate generator is watched: what it proposes, what became of it, and the scores that decided.
Transformers reads the prompt in its first round, so there is no separate prefill, and that round is longer. It does not expose the numbers
u that it draws, so none are recorded.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

import torch
import transformers
from torch import Tensor

from specviz.decoding.clock import wait
from specviz.errors import SettingsError
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.records import (
    Closing,
    ClosingToken,
    Drafted,
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Trace,
    Verdict,
    ids_in,
)

_NOTE = "Recorded from transformers' generate: it reads the prompt in its first round, and does not show the numbers u that it draws."
_LABELS = {
    "model": "transformers, draft model",
    "ngram": "transformers, prompt lookup",
    "dflash": "transformers, DFlash",
}


class Spells(Protocol):
    """A tokenizer as a trace needs it."""

    def bytes_of(self, token: int) -> TokenBytes: ...


@dataclass(frozen=True, slots=True)
class Assisted:
    """Transformers' `generate` with one kind of help.

    Attributes:
        model: the target, a causal language model of transformers.
        assistant: the draft model; with `dflash` a DFlash head, as transformers loads it.
        lookup: prompt lookup instead.
        end_ids: every id that ends a text.

    Raises:
        SettingsError: both an assistant and prompt lookup, or neither.
    """

    model: Any
    assistant: Any = None
    lookup: bool = False
    dflash: bool = False
    end_ids: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if (self.assistant is not None) == self.lookup:
            raise SettingsError("Transformers drafts with an assistant or by prompt lookup: give one of the two.")

    @property
    def drafter(self) -> str:
        """The name of the drafter of ours that works in the same way."""
        return "ngram" if self.lookup else "dflash" if self.dflash else "model"

    def generate(self, prompt_ids: Sequence[int], settings: Settings) -> tuple[int, ...]:
        """The new ids. Torch's own random numbers are set to the settings' seed, and restored afterwards."""
        options: dict[str, Any] = {"do_sample": not settings.greedy, "max_new_tokens": settings.max_new_tokens}
        if not settings.greedy:
            options |= {"temperature": settings.temperature, "top_k": settings.top_k, "top_p": settings.top_p}
        if self.end_ids:
            options["eos_token_id"] = sorted(self.end_ids)
        if self.lookup:
            options["prompt_lookup_num_tokens"] = settings.k
        else:
            options["assistant_model"] = self.assistant
        if self.dflash:
            options["speculation_type"] = "dflash"
        ids = torch.tensor([list(prompt_ids)], device=self.model.device)
        with torch.random.fork_rng(), _drafting(self.assistant, settings.k), torch.inference_mode():
            torch.manual_seed(settings.seed)
            found = self.model.generate(ids, attention_mask=torch.ones_like(ids), pad_token_id=0, **options)
        return tuple(found[0, len(prompt_ids) :].tolist())

    def decoder(self, settings: Settings) -> Callable[[Sequence[int], int], tuple[int, ...]]:
        """`(prompt_ids, seed) -> ids` with these settings, as the audit takes it."""
        chosen = {name: getattr(settings, name) for name in ("k", "temperature", "top_k", "top_p", "max_new_tokens")}
        return lambda prompt_ids, seed: self.generate(prompt_ids, Settings(**chosen, seed=seed))

    def record(self, prompt_ids: Sequence[int], settings: Settings, text: Spells, prompt: str = "") -> Trace:
        """A run as a trace, which plays like one of ours.

        Args:
            settings: of these transformers follows k, temperature, top-k, top-p, the number of new tokens and the seed.
            prompt: the prompt as text.
        """
        watched = _Watched(self.model, settings.greedy, self.end_ids)
        with watched.running():
            ids = self.generate(prompt_ids, settings)
        rounds = tuple(watched.rounds)
        assert tuple(token for one in rounds for token in one.tokens) == ids, "the rounds are those of the text"
        ended = bool(ids) and ids[-1] in self.end_ids
        found = ids_in(tuple(prompt_ids), rounds)
        return Trace(
            card=self._card(),
            prompt=prompt,
            prompt_ids=tuple(prompt_ids),
            settings=_followed(settings, self.drafter),
            prefill=Prefill(),
            rounds=rounds,
            stop=Stop.END_OF_TEXT if ended else Stop.LENGTH,
            tokens={token: text.bytes_of(token) for token in sorted(found)},
        )

    def _card(self) -> PairCard:
        return PairCard(
            target=_model_card(self.model),
            draft=None if self.assistant is None else _model_card(self.assistant),
            drafter=DrafterCard(self.drafter, _LABELS[self.drafter]),
            device=str(self.model.device),
            dtype=str(self.model.dtype).removeprefix("torch."),
            versions=(("torch", torch.__version__), ("transformers", transformers.__version__)),
            notes=(_NOTE,),
        )


@dataclass(slots=True)
class _Proposed:
    """A draft that waits for its verdict."""

    known: int
    tokens: list[int]
    logits: Tensor | None
    began: float
    drafted: float


@dataclass(slots=True)
class _Watched:
    """The rounds of one call of `generate`."""

    model: Any
    greedy: bool
    end_ids: frozenset[int]
    rounds: list[Round] = field(default_factory=list)
    _origin: float | None = None
    _proposed: _Proposed | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Within it, the candidate generator that the model makes is watched."""
        make = self.model._get_candidate_generator

        def made(*args: Any, **options: Any) -> Any:
            generator = make(*args, **options)
            self._watch(generator)
            return generator

        self.model._get_candidate_generator = made
        try:
            yield
        finally:
            del self.model._get_candidate_generator

    def _watch(self, generator: Any) -> None:
        propose, update = generator.get_candidates, generator.update_candidate_strategy

        def get_candidates(input_ids: Tensor, **options: Any) -> Any:
            began = self._now()
            candidates, logits = propose(input_ids, **options)
            drafted = candidates[0, input_ids.shape[1] :].tolist()
            self._proposed = _Proposed(input_ids.shape[1], drafted, logits, began, self._now())
            return candidates, logits

        def update_candidate_strategy(input_ids: Tensor, scores: Tensor, num_matches: int) -> Any:
            judged = self._now()
            result = update(input_ids, scores, num_matches)
            self._record(input_ids, scores, judged, self._now())
            return result

        generator.get_candidates = get_candidates
        generator.update_candidate_strategy = update_candidate_strategy

    def _now(self) -> float:
        wait(self.model.device)
        now = perf_counter()
        if self._origin is None:
            self._origin = now
        return now - self._origin

    def _record(self, ids: Tensor, scores: Tensor, judged: float, ended: float) -> None:
        found = self._proposed
        assert found is not None, "a verdict follows a draft"
        written = ids[0, found.known :].tolist()
        matches = len(written) - 1
        # A text that ends with a drafted token has no token of the target's own.
        cut = matches < len(found.tokens) and written[-1] == found.tokens[matches] and written[-1] in self.end_ids
        accepted = matches + 1 if cut else matches
        p, q = _chosen(scores, found.tokens, self.greedy), self._q(found)
        drafted = tuple(
            Drafted(
                token=token,
                parent=index - 1,
                draft_prob=q[index],
                target_prob=p[index],
                draw=None,
                verdict=Verdict.ACCEPTED
                if index < accepted
                else Verdict.REJECTED
                if index == accepted and not cut
                else Verdict.DISCARDED,
            )
            for index, token in enumerate(found.tokens)
        )
        how = Closing.CORRECTED if accepted < len(drafted) else Closing.BONUS
        self.rounds.append(
            Round(
                start=sum(len(one.tokens) for one in self.rounds),
                drafted=drafted,
                accepted=tuple(range(accepted)),
                closing=None if cut else ClosingToken(written[-1], how, None),
                began_s=found.began,
                draft_s=found.drafted - found.began,
                verify_s=judged - found.drafted,
                ended_s=ended,
            )
        )

    def _q(self, found: _Proposed) -> list[float]:
        """1 where a token was selected rather than drawn: at temperature 0, and by a drafter without scores."""
        if self.greedy or found.logits is None:
            return [1.0] * len(found.tokens)
        return _chosen(found.logits, found.tokens, greedy=False)


def _chosen(logits: Tensor, tokens: Sequence[int], greedy: bool) -> list[float]:
    """The probabilities of these tokens in the rows [1, n, V] of logits after transformers' processors."""
    rows = logits[0, : len(tokens)].float()
    if greedy:
        return [float(best == token) for best, token in zip(rows.argmax(dim=-1).tolist(), tokens, strict=True)]
    return [min(1.0, float(row.softmax(dim=-1)[token])) for row, token in zip(rows, tokens, strict=True)]


@contextmanager
def _drafting(assistant: Any, k: int) -> Iterator[None]:
    """Within it, the assistant drafts k tokens in every round, not a number that depends on earlier rounds or on its confidence."""
    config = getattr(assistant, "generation_config", None)
    if config is None:
        yield
        return
    fixed = {
        "num_assistant_tokens": k,
        "num_assistant_tokens_schedule": "constant",
        "assistant_confidence_threshold": 0.0,
    }
    before = {name: getattr(config, name, None) for name in fixed}
    try:
        for name, value in fixed.items():
            setattr(config, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(config, name, value)


def _followed(settings: Settings, drafter: str) -> Settings:
    return Settings(
        k=settings.k,
        temperature=settings.temperature,
        top_k=settings.top_k,
        top_p=settings.top_p,
        max_new_tokens=settings.max_new_tokens,
        seed=settings.seed,
        drafter=drafter,
    )


def _model_card(model: Any) -> ModelCard:
    config = model.config.get_text_config(decoder=True)
    return ModelCard(
        name=getattr(model, "name_or_path", "") or type(model).__name__,
        architecture=type(model).__name__,
        parameters=sum(weight.numel() for weight in model.parameters()),
        layers=config.num_hidden_layers,
        width=config.hidden_size,
    )
