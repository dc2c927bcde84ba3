"""Where the prompts of a head's training text come from, and on which other prompts the head is examined."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from specviz.errors import TrainingError
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.models.loading import Target
from specviz.reporting.prompts import ready_prompts
from specviz.training.asked import beginnings, flat, some
from specviz.training.drafts import documents
from specviz.training.drafts.documents import Documents
from specviz.training.drafts.unseen import held_out_prompts, is_embedded


@dataclass(frozen=True, slots=True)
class PromptSource:
    """Prompts for a target.

    Attributes:
        documents: texts to continue; None if the target writes its own questions.
        every: kind -> prompts that no training sees, however many of them are asked.
        prompts: kind -> those of them that the examination asks.
        template: whether these go into the chat template.
        words: what the training text is, for people.
        option: what chooses this on the command line, with a space before it.
    """

    documents: Documents | None
    every: Mapping[str, tuple[str, ...]]
    prompts: Mapping[str, tuple[str, ...]]
    template: bool
    words: str
    option: str = ""

    @property
    def unseen(self) -> tuple[str, ...]:
        """The prompts that no text may contain."""
        return (*flat(self.every), *(ready.text for family in (EMBEDDED, CHAT) for ready in ready_prompts(family)))


def source_of(target: Target, texts: Path | None, prompts: int) -> PromptSource:
    """The texts of a folder, else for the embedded target the beginnings that come with it, else questions of the target's own.

    Args:
        texts: folder of texts.
        prompts: of the examination.

    Raises:
        TrainingError: the target has no chat template and nothing to continue.
    """
    own = is_embedded(target.folder)
    if texts is not None:
        given = documents.read(texts)
        every = held_out_prompts(embedded=True) if own else beginnings(given.held_out, len(given.held_out))
        return _asking(given, every, prompts, False, "after beginnings of given texts", " --text FOLDER")
    if own:
        words = "after beginnings of texts such as its drafts learned from"
        return _asking(documents.for_embedded_target(), held_out_prompts(embedded=True), prompts, False, words, "")
    if not target.text.has_template:
        raise TrainingError(
            "This target has no chat template, so it cannot write questions: give texts to continue with --text FOLDER."
        )
    return _asking(None, held_out_prompts(), prompts, True, "answers to questions of its own", "")


def _asking(
    found: Documents | None,
    every: Mapping[str, tuple[str, ...]],
    most: int,
    template: bool,
    words: str,
    option: str,
) -> PromptSource:
    """With at most so many prompts of the examination."""
    return PromptSource(found, every, some(every, most) if most else {}, template, words, option)
