"""Where a model's files are: in a local folder, or downloaded from the hub."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError
from tqdm import tqdm

from specviz.errors import HubError, ModelFolderError

_FILES = ["*.json", "model*.safetensors", "*.model", "*.txt", "*.jinja"]
"""The files to download: no second copy of the weights under another name, and no code."""
_LONGEST_ID = 96
_HUB_TIMEOUT_S = 5.0
"""How long to wait for the hub before the copy on this machine is used."""


Progress = Callable[[str, float | None], None]
"""A callback that receives the current step and, where it is known, the share of it that is done (0 to 1)."""


def short_name(source: str) -> str:
    """A hub id unchanged; of a folder the last two parts of its path."""
    return source if _is_hub_id(source) else "/".join(Path(source).parts[-2:])


def folder_of(source: str, progress: Progress) -> Path:
    """The folder with the model's files; a hub id is downloaded first.

    Raises:
        ModelFolderError: the folder does not exist, or has no model in it.
        HubError: the model is neither on this machine nor available from the hub.
    """
    if _is_hub_id(source):
        progress(f"fetching {source}", None)
        return _downloaded(source, progress)
    try:
        folder = Path(source).expanduser()
        has_config, exists = (folder / "config.json").is_file(), folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelFolderError(
            f"The path of the model folder {source:.80} is not valid ({error!s:.80}): check the path."
        ) from error
    if not has_config:
        state = "has no config.json" if exists else "does not exist"
        raise ModelFolderError(f"The model folder {source} {state}: give a folder saved by transformers, or a hub id.")
    return folder


def _is_hub_id(source: str) -> bool:
    no_path = not source.startswith((".", "/", "~", "\\")) and ":" not in source
    return no_path and source.count("/") <= 1 and len(source) <= _LONGEST_ID and not Path(source).exists()


def _downloaded(source: str, progress: Progress) -> Path:
    """The newest files on the hub; if it does not answer in time or at all, the files downloaded earlier."""
    try:
        HfApi().model_info(source, timeout=_HUB_TIMEOUT_S)  # snapshot_download has no timeout for the first answer
        return Path(snapshot_download(source, allow_patterns=_FILES, tqdm_class=_bar(source, progress)))
    except Exception as error:
        cached = _cached(source)
        if cached is None:
            raise HubError(_why(source, error)) from error
        return cached


def _cached(source: str) -> Path | None:
    """The folder of the files downloaded earlier."""
    try:
        return Path(snapshot_download(source, allow_patterns=_FILES, local_files_only=True))
    except (OSError, ValueError):
        return None


def _why(source: str, error: Exception) -> str:
    if isinstance(error, GatedRepoError):
        return (
            f"The hub model {source} requires its licence to be accepted: accept it on the model's page, then log in."
        )
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        return f"No hub model is called {source}: check the spelling, or give a local folder."
    if getattr(error, "errno", None) == errno.ENOSPC:
        return f"The hub model {source} does not fit on this disk: free some space, or choose the embedded pair."
    status = getattr(getattr(error, "response", None), "status_code", None)
    reason = "no network?" if status is None else f"the hub answered {status}"
    return (
        f"The hub model {source} is not on this machine and could not be downloaded ({reason}): connect once to download it, "
        "or choose the embedded pair or a local folder."
    )


def _bar(source: str, progress: Progress) -> type[tqdm]:
    class Bar(tqdm):  # type: ignore[misc]  # tqdm ships no types
        """A progress bar that calls `progress` instead of printing."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": False, "file": _Nowhere()})

        def update(self, n: float | None = 1) -> bool | None:
            moved: bool | None = super().update(n)
            if self.total and self.unit == "B":
                progress(f"fetching {source}", min(1.0, self.n / self.total))
            return moved

    return Bar


class _Nowhere:
    """A file that discards what a progress bar prints."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Nothing is buffered."""
