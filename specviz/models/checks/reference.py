"""The model's own plain pass over a few texts: what every other path must give."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cached_property

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import rounded, spread
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.parts import divergences
from specviz.models.networks.recurrent import RecurrentNetwork

LENGTH = 24  # tokens of a text: enough to tell a fault from rounding, and few enough that a check is quick
# The same for the first look at load. Faults are as far beyond the limit as with `LENGTH`; what is right is more
# often close to it.
SHORT = 16
# A window that is longer than the texts is set to this many tokens during a check, so that the texts cross it.
NARROW = 8
# The fields of a config that transformers' masks read in every pass.
_WINDOWS = ("sliding_window", "attention_chunk_size")


class Reference:
    """The plain scores of texts of a model: transformers' own `forward` over each full text, without a cache. `texts`:
    [n, m] ids."""

    def __init__(self, model: CachedModel, texts: Tensor) -> None:
        self._model = model
        self.texts = texts

    @cached_property
    def scores(self) -> Tensor:
        """[n, m, K] logits of the ids that the model's own tokenizer and head have."""
        return self._plain()

    @cached_property
    def spread(self) -> float:
        """How much the texts say about the next token, in nats."""
        return spread(self.scores.flatten(0, 1))

    @cached_property
    def noise(self) -> Tensor:
        """[n · m] divergences between this pass and one whose steps are rounded differently."""
        return divergences(self.scores.flatten(0, 1), self.moved().flatten(0, 1))

    def moved(self, seed: int = 0) -> Tensor:
        """[n, m, K] the scores of a plain pass whose steps are rounded differently: see `rounded`."""
        with rounded(self._model.model, self._model.model.dtype, seed):
            return self._plain()

    @torch.inference_mode()
    def _plain(self) -> Tensor:
        logits: Tensor = self._model.model(self.texts, use_cache=False).logits
        return logits[..., : self._model.own_ids]


class ScoresReference(Reference):
    """The plain scores of some ids. `ids`: [K] of them."""

    def __init__(self, model: CachedModel, texts: Tensor, ids: Tensor) -> None:
        super().__init__(model, texts)
        self._ids = ids

    @torch.inference_mode()
    def _plain(self) -> Tensor:
        return super()._plain().index_select(-1, self._ids)


class StatesReference(Reference):
    """The states of a plain pass that enter some layers, in place of its scores; at the number of layers, those after the final
    normalisation.

    Each of the numbers of a state is shifted and scaled so that over these texts it has the mean 0 and the deviation 1. So numbers that
    are large in every state hide nothing, and the divergence of two states, taken as logits, is about half of their mean squared distance.

    Args:
        taps: the layers, as `CachedModel.tap` takes them.
    """

    def __init__(self, model: CachedModel, texts: Tensor, taps: Sequence[int]) -> None:
        super().__init__(model, texts)
        self._taps = taps

    def standardised(self, states: Tensor) -> Tensor:
        """[..., taps, width] states as rows [..., taps · width] on the scale of `scores`."""
        mean, deviation = self._scale
        return (states.flatten(-2).double() - mean) / deviation

    @cached_property
    def _scale(self) -> tuple[Tensor, Tensor]:
        rows = self._states().flatten(-2).flatten(0, 1).double()
        deviation = rows.std(dim=0, correction=0)
        return rows.mean(dim=0), torch.where(deviation > 0, deviation, 1.0)

    @torch.inference_mode()
    def _plain(self) -> Tensor:
        return self.standardised(self._states())

    @torch.inference_mode()
    def _states(self) -> Tensor:
        """[n, m, taps, width] of the texts."""
        states = self._model.model(self.texts, use_cache=False, output_hidden_states=True).hidden_states
        return torch.stack([states[tap] for tap in self._taps], dim=2)


def texts_for(model: CachedModel, count: int, seed: int, length: int = LENGTH) -> Tensor:
    """[count, m] random ids spread over the vocabulary; m is at most `length`, and fits in the context.

    Ids with a special meaning (padding, a slot for an image) are left out: some models treat them differently.
    """
    special = _special_ids(model.model)
    shape = (count, max(1, min(length, model.context)))
    ids = torch.randint(model.readable, shape, generator=torch.Generator().manual_seed(seed))
    return ids.apply_(lambda token: _ordinary(token, special, model.readable)).to(model.device)


@contextmanager
def narrowed(model: CachedModel) -> Iterator[None]:
    """Within it, an attention window that is longer than the texts is `NARROW` tokens wide, for every path of this model.

    A pass over a full window would take too long on a CPU. The masks' code is the same for every width.
    """
    text, network = model.model.config.get_text_config(decoder=True), model.network.innermost
    wide = {name: width for name, width in _windows(model.model).items() if width > LENGTH // 2}
    for name in wide:
        setattr(text, name, NARROW)
    try:
        with network.narrowed(NARROW) if wide and isinstance(network, LeanDecoder) else nullcontext():
            yield
    finally:
        for name, width in wide.items():
            setattr(text, name, width)


def keeps_states(model: CachedModel) -> bool:
    """True if the model keeps a recurrent state."""
    return isinstance(model.network.innermost, RecurrentNetwork)


def runs_own_decoder(model: CachedModel) -> bool:
    """True if our own decoder runs the model; it read the config when it was made."""
    return isinstance(model.network.innermost, LeanDecoder)


def _windows(model: PreTrainedModel) -> dict[str, int]:
    """The config's fields that hold the width of an attention window, with their values."""
    text = model.config.get_text_config(decoder=True)
    fields = ((name, getattr(text, name, None)) for name in _WINDOWS)
    return {name: width for name, width in fields if isinstance(width, int)}


def _ordinary(token: int, special: set[int], readable: int) -> int:
    """This id, or the next one without a special meaning; this one if all have one."""
    following = ((token + step) % readable for step in range(len(special) + 1))
    return next((candidate for candidate in following if candidate not in special), token)


def _special_ids(model: PreTrainedModel) -> set[int]:
    ids: set[int] = set()
    inner = model.config.get_text_config(decoder=True)
    for config in (model.config,) if inner is model.config else (model.config, inner):
        for name, value in config.to_dict().items():
            if name.endswith(("token_id", "token_index")):
                ids.update(token for token in (value if isinstance(value, list) else [value]) if isinstance(token, int))
    return ids
