"""A draft model with a translation between its tokenizer and the target's."""

from dataclasses import dataclass

from specviz.models.cached_model import CachedModel
from specviz.models.tokens import TokenText
from specviz.models.translated import TranslatedModel
from specviz.models.translation import Translation


@dataclass(frozen=True, slots=True)
class OtherDraft:
    """What drafters need of a draft model that may have another tokenizer.

    Attributes:
        own: the model over its own ids.
        model: the same model over the target's ids, which scores those that both have.
        translation: between the two.
    """

    own: CachedModel
    model: TranslatedModel
    translation: Translation


def other_draft(target: CachedModel, text: TokenText, own: CachedModel, own_text: TokenText) -> OtherDraft:
    """The draft model `own` for this target."""
    translation = Translation(text, own_text, sorted(target.end_ids), sorted(own.end_ids))
    return OtherDraft(own, TranslatedModel(own, target.vocabulary, target.end_ids, translation), translation)
