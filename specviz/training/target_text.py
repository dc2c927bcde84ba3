"""The text that a target writes itself, for its drafts and heads to learn from: read from the work folder as far as it is there."""

from collections.abc import Collection, Sequence
from pathlib import Path

import psutil
import torch

from specviz.errors import TrainingError
from specviz.models.loading import Target
from specviz.models.networks.kv_cache import estimated_bytes
from specviz.training.drafts import conversations, prompt_file
from specviz.training.drafts.conversations import LONGEST_QUESTION
from specviz.training.drafts.documents import Documents
from specviz.training.drafts.own_text import Amount, Author, SoFar, own_text
from specviz.training.drafts.packed_text import all_unpacked
from specviz.training.drafts.prompt_file import PromptFile
from specviz.training.drafts.store import OwnText, TextStore
from specviz.training.drafts.unseen import Unseen
from specviz.training.drafts.writer import TOP, Writer
from specviz.training.progress_bars import OpensBar
from specviz.training.recognition import digest_of_files

_MEMORY_SHARE = 4
"""The keys and values of a batch of texts take at most this fraction of the memory."""
_TEMPLATE_TOKENS = 64
"""Tokens of a chat template, about."""


def target_text(
    target: Target,
    amount: Amount,
    found: Documents | None,
    work: Path,
    unseen: Collection[str],
    bar: OpensBar,
    prompts: PromptFile | None = None,
) -> OwnText:
    """The text that the target writes, without texts in which a prompt of the examination occurs.

    Args:
        found: texts to continue; None if the target writes its own questions.
        work: folder in which the text is kept, in its subfolder `text`.
        unseen: the prompts of the examination.
        prompts: given prompts, which it answers besides its own questions.

    Raises:
        TrainingError: see `own_text` and `PromptFile.usable`; or nothing is left.
        CheckpointError: text of another target is there, or the folder cannot be written.
    """
    apart = Unseen(unseen)
    given = prompts.usable(amount.seed, target.text, apart)[amount.part :: amount.parts] if prompts else ()
    author = Author(Writer(target.model, target.text.vocabulary), target.text, target.ends, found, apart, given)
    with bar("the target writes") as shown:

        def report(so_far: SoFar, rate: float) -> None:
            notes = [f"{rate:,.0f} tokens/s"] if rate else []
            if given:
                used_up = len(so_far.given) >= len(given)
                notes.append(
                    f"all {len(given):,} prompts are answered: only its own questions now"
                    if used_up
                    else f"{len(so_far.given):,} of {len(given):,} prompts"
                )
            shown.reached(min(so_far.tokens, amount.tokens), amount.tokens, ", ".join(notes))

        own = own_text(author, amount, store_of(target, amount, found, work, prompts), report)
    return without(own, target, apart)


def saved_text(
    target: Target,
    files: Sequence[Path],
    prompts: Path | None,
    weights: str,
    unseen: Collection[str],
) -> OwnText:
    """The text of files that the target wrote before, without texts in which a prompt of the examination occurs.

    Args:
        files: see `packed_text`.
        prompts: the file of prompts that these texts answer; None where they hold their prompts.
        weights: digest of the target.
        unseen: the prompts of the examination.

    Raises:
        TrainingError: see `unpacked`; or nothing is left.
    """
    asked = prompt_file.read(prompts) if prompts else None
    return without(all_unpacked(files, weights, target.text, asked), target, Unseen(unseen))


def store_of(
    target: Target, amount: Amount, found: Documents | None, work: Path, prompts: PromptFile | None = None
) -> TextStore:
    """Where the text is kept in a work folder."""
    return TextStore(work / "text", fingerprint(target, amount, found, prompts))


def without(own: OwnText, target: Target, apart: Unseen) -> OwnText:
    """The texts in which none of these prompts occurs.

    Raises:
        TrainingError: nothing is left.
    """
    decode = target.text.tokenizer.decode
    own = own.only([not apart.contains(decode(ids, skip_special_tokens=True)) for ids in own.texts()])
    if not len(own.starts):
        raise TrainingError(
            "Every text that the target wrote holds a prompt of the examination: ask for more --tokens."
        )
    return own


def fingerprint(target: Target, amount: Amount, found: Documents | None, prompts: PromptFile | None = None) -> str:
    """Identifies what the target writes: another target, number format, folder of texts, file of prompts or seed gives another text."""
    asked = found.digest if found else f"questions {conversations.digest()}"
    given = f" given {prompts.digest}" if prompts else ""
    return f"{digest_of_files(target)} {target.model.dtype} {amount.identity} {TOP} {asked}{given}"


def at_once(target: Target, most: int, longest: int) -> int:
    """Texts in a batch: as many as asked for, or as many as leave room; the same on every start on this machine.

    Args:
        most: how many are asked for.
        longest: new tokens of a text.
    """
    device = target.model.device
    cuda = device.type == "cuda"
    memory = torch.cuda.get_device_properties(device).total_memory if cuda else psutil.virtual_memory().total
    config = target.model.config.get_text_config(decoder=True)
    a_token = max(1, estimated_bytes(config, config.num_hidden_layers, target.model.dtype))
    a_text = a_token * (_TEMPLATE_TOKENS + LONGEST_QUESTION + longest)
    return max(1, min(most, memory // _MEMORY_SHARE // a_text))
