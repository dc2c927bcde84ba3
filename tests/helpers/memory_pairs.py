"""Pairs of models that are in memory, for tests that build their own."""

from transformers import PreTrainedModel

from specviz.models import Pair, loading
from specviz.models.checks.first_use import checked_model
from specviz.models.pair import LoadedModel
from specviz.models.reading import card_of, end_ids
from specviz.models.tokens import TokenText


def pair_of(target: PreTrainedModel, draft: PreTrainedModel | None, text: TokenText, *, name: str) -> Pair:
    """A pair of these models, with the checks that loading makes; `text` is the target's tokenizer."""
    ends = end_ids(target, text)
    text.readable = target.get_input_embeddings().num_embeddings
    models = []
    for role, model in (("target", target), ("draft", draft)):
        if model is not None:
            cached, checks = checked_model(loading._cached(model, text.vocabulary, ends), role)
            notes = tuple(check.note for check in checks if check.note)
            models.append(LoadedModel(cached, card_of(model, role), checks, notes))
    return loading.pair_of(name, models[0], models[1] if draft is not None else None, text)
