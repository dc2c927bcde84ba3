"""The models and the run that a person requests. Standard library only."""

from dataclasses import dataclass, field

from specviz.settings import Settings
from specviz.trace.earlier import Texts


@dataclass(frozen=True, slots=True)
class PairRequest:
    """The models that a person chose, as `specviz.models.load_pair` takes them.

    Attributes:
        name: of a pair that is offered; None where target and draft are given.
        target, draft: hub ids or folders; None where the pair has a name. Without a draft, the target is loaded alone.
        head: the folder of a head that was trained for the target; None for those that come with the pair.
        device, dtype: where and in which number format; "auto" leaves it to the engine.
    """

    name: str | None = None
    target: str | None = None
    draft: str | None = None
    head: str | None = None
    device: str = "auto"
    dtype: str = "auto"


@dataclass(frozen=True, slots=True)
class Request:
    """A run as a person requests it.

    Attributes:
        template: wrap the prompt in the tokenizer's chat template, if it has one.
        plain: run plain decoding too, after the speculative run.
        earlier: token ids of texts of the same visit that the drafter may copy from, oldest first. A person does not choose them:
            requests that differ in nothing else are equal.
    """

    pair: PairRequest
    prompt: str
    settings: Settings
    template: bool = True
    plain: bool = True
    earlier: Texts = field(default=(), compare=False)
