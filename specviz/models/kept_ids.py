"""The file `kept_ids.json` of a draft's folder: the ids that the draft was trained to write."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from transformers import AutoConfig

from specviz.errors import ModelFolderError, brief
from specviz.folders import read_json

FILE = "kept_ids.json"


@dataclass(frozen=True, slots=True)
class KeptIds:
    """The ids that a draft writes.

    Attributes:
        vocabulary: how many ids its embedding has.
        ids: those that it writes, ascending.
    """

    vocabulary: int
    ids: tuple[int, ...]

    @property
    def sentence(self) -> str:
        """A sentence for people about it, which goes on after the draft's name."""
        return (
            f"writes {len(self.ids):,} of {self.vocabulary:,} ids: it never drafts another one, and where the text needs "
            "one, the target writes it, so the text is the target's own."
        )


def kept_ids(folder: Path, source: str) -> KeptIds | None:
    """The kept ids of a draft; None if its head is full. Raises ModelFolderError if the file cannot be used.

    Args:
        source: the draft's name in error messages.
    """
    path = folder / FILE
    if not path.is_file():
        return None
    try:
        content = read_json(path)
    except (OSError, ValueError) as error:
        raise _refusal(source, f"could not be read ({brief(error, 100)})") from error
    if not isinstance(content, dict) or not isinstance(content.get("kept"), list):
        raise _refusal(source, 'is not an object with "vocabulary" and a list "kept"')
    vocabulary, ids = content.get("vocabulary"), content["kept"]
    config = AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    rows = config.get_text_config(decoder=True).vocab_size
    if type(vocabulary) is not int or vocabulary != rows:
        raise _refusal(source, f"is for a vocabulary of {str(vocabulary)[:20]} ids, and the model has {rows}")
    if not ids:
        raise _refusal(source, "keeps no id")
    for token in ids:
        if type(token) is not int or not 0 <= token < vocabulary:
            raise _refusal(
                source, f"keeps the id {str(token)[:20]}, and ids are whole numbers from 0 to {vocabulary - 1}"
            )
    for before, after in pairwise(ids):
        if before >= after:
            raise _refusal(source, f"lists {after} after {before}, and each id must be greater than the one before it")
    return KeptIds(vocabulary, tuple(ids))


def refuse_as_target(folder: Path, source: str) -> None:
    """Refuse a folder with kept ids as a target: most rows of its head were never trained. Raises ModelFolderError if
    it has the file."""
    if (folder / FILE).is_file():
        raise ModelFolderError(
            f"The model in {source} writes only the ids in its {FILE}, which makes it a draft: give it as the draft, and choose "
            "another target."
        )


def _refusal(source: str, fault: str) -> ModelFolderError:
    return ModelFolderError(
        f"The file {FILE} in {source} {fault}: make the draft again, or delete the file to use the full head."
    )
