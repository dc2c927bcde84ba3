"""Chooses the layers with which a target drafts for itself, once per pair, on text that it wrote."""

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError
from specviz.models.devices import check_separable
from specviz.models.layer_choice import LayerChoice, exit_depth
from specviz.models.pair import Pair
from specviz.settings import Settings

_OPENINGS = (
    "Once upon a time",
    "Dear Ann,",
    "The capital of France is",
    "def add(a, b):",
    '{"name": "',
    "One, two, three,",
)
"""The target continues these texts of several kinds."""
_CALIBRATION_TOKENS = 8


def is_chosen(pair: Pair, picture: str) -> bool:
    """Whether the layers for such drafters (see `Description.picture`) are chosen, or need no choice."""
    return picture != "first layers" or pair.exit is not None or _trained_exit(pair) is not None


def exit_of(pair: Pair) -> LayerChoice:
    """After how many layers an early exit leaves the target: as many as it was trained for, else as measured.

    Raises:
        PairError: the target has a single layer, or its layers cannot be run separately.
    """
    _check(pair)
    if pair.exit is None:
        trained = _trained_exit(pair)
        pair.exit = LayerChoice(tuple(range(trained))) if trained else exit_depth(pair.target, _own_text(pair))
    return pair.exit


def _trained_exit(pair: Pair) -> int | None:
    trained = getattr(pair.target.model.config, "early_exit_layer", None)
    return trained if isinstance(trained, int) and 0 < trained < pair.target.network.depth else None


def _check(pair: Pair) -> None:
    check_separable(pair.target.model)
    if pair.target.network.split_refusal:
        raise PairError(pair.target.network.split_refusal)
    if pair.target.network.depth < 2:
        raise PairError(
            "The target has a single layer, so it cannot draft with fewer layers than it verifies with: choose another drafter."
        )


def _own_text(pair: Pair) -> tuple[int, ...]:
    """Text that the target writes after a few openings of different kinds, written once."""
    if not pair.own_text:
        pair.take()
        text: list[int] = []
        for opening in _OPENINGS:
            prompt = pair.text.encode(opening, template=False)
            plain = NoDrafter(pair.target.vocabulary, pair.target.device)
            rounds = speculate(pair.target, plain, prompt, Settings(max_new_tokens=_CALIBRATION_TOKENS), recorder=LIGHT)
            text += [*prompt, *(token for round_ in rounds for token in round_.tokens)]
        pair.own_text = tuple(text[: pair.target.context])
    pair.take()
    return pair.own_text
