"""A loaded pair as the subject of an audit."""

from collections.abc import Sequence

from specviz.audit.plain import ModelPass, PlainPass
from specviz.audit.subject import DecoderParts, Subject
from specviz.decoding.protocols import Drafter
from specviz.models.pair import Pair
from specviz.runs.acceptance import shipped_priors
from specviz.runs.prepare import prepare
from specviz.settings import Settings

# Short, since a plain pass reads all of a text for every rejected draft.
PROMPTS = (
    "Once upon a time there was a little dog who",
    "The capital of France is",
    "def add(a, b):",
    "Question: What is the opposite of hot? Answer:",
)


def subject_of(pair: Pair, settings: Settings) -> Subject:
    """The pair with the drafter of these settings. The audit uses the pair's caches: a run in progress on the pair
    cannot continue. Raises what `prepare` raises."""
    drafter = prepare(pair, settings).drafter
    pair.take()
    return Subject(
        name=f"{pair.name}, drafter {settings.drafter}, rule {settings.rule}, {pair.card.dtype} on {pair.card.device}",
        plain=ModelPass(pair.target),
        settings=settings,
        parts=DecoderParts(pair.target, drafter),
        draft=_draft_pass(pair, drafter),
        acceptance=_known_acceptance(pair, settings),
    )


def prompts_of(pair: Pair, texts: Sequence[str] = PROMPTS, *, template: bool = True) -> list[tuple[int, ...]]:
    """The ids of these prompts, as a run of the pair reads them."""
    return [tuple(pair.text.encode(text, template=template)) for text in texts]


def _known_acceptance(pair: Pair, settings: Settings) -> float | None:
    """The acceptance rate of the drafter's first guess, by the figures that ship with the pair; None for a lossy rule."""
    priors = () if settings.lossy else shipped_priors().get(pair.name, {}).get(settings.drafter, ())
    return priors[0].rates(settings)[0] if priors else None


def _draft_pass(pair: Pair, drafter: Drafter) -> PlainPass | None:
    """Plain passes of the model that the drafter draws from; None where that is a part of the target, a copy in 8 bits or a head, and where it
    also copies."""
    own = pair.draft
    return ModelPass(own) if own is not None and own is drafter.model and drafter.other is None else None
