"""Where a model's files lie: a local folder, or one fetched from the hub."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, snapshot_download
from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError
from tqdm import tqdm

from specviz.errors import HubError, ModelFolderError

_FILES = ["*.json", "model*.safetensors", "*.model", "*.txt", "*.jinja"]
"""What is fetched: no second copy of the weights under another name, and no code."""
_LONGEST_ID = 96
_PATIENCE_S = 5.0
"""How long the hub may stay silent before the copy on this machine is looked for."""


Progress = Callable[[str, float | None], None]
"""Told what is being done and, where it is known, how much of it (0 to 1)."""


def short_name(source: str) -> str:
    """A hub id as it is; a folder by its last two names."""
    return source if _is_hub_id(source) else "/".join(Path(source).parts[-2:])


def folder_of(source: str, say: Progress) -> Path:
    """The folder with the model's files, fetched from the hub where the source is a hub id.

    Raises:
        ModelFolderError: no such folder, or no model in it.
        HubError: the model is neither on this machine nor to be had from the hub.
    """
    if _is_hub_id(source):
        say(f"fetching {source}", None)
        return _fetched(source, say)
    try:
        folder = Path(source).expanduser()
        whole, there = (folder / "config.json").is_file(), folder.is_dir()
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelFolderError(
            f"The model folder {source:.80} cannot be looked for ({error!s:.80}): check the path."
        ) from error
    if not whole:
        state = "has no config.json" if there else "does not exist"
        raise ModelFolderError(f"The model folder {source} {state}: give a folder saved by transformers, or a hub id.")
    return folder


def _is_hub_id(source: str) -> bool:
    plain = not source.startswith((".", "/", "~", "\\")) and ":" not in source
    return plain and source.count("/") <= 1 and len(source) <= _LONGEST_ID and not Path(source).exists()


def _fetched(source: str, say: Progress) -> Path:
    """The hub's newest files; when it does not answer in time or at all, those fetched before."""
    try:
        HfApi().model_info(source, timeout=_PATIENCE_S)  # snapshot_download would wait for the first answer for ever
        return Path(snapshot_download(source, allow_patterns=_FILES, tqdm_class=_bar(source, say)))
    except Exception as error:
        held = _held(source)
        if held is None:
            raise HubError(_why(source, error)) from error
        return held


def _held(source: str) -> Path | None:
    try:
        return Path(snapshot_download(source, allow_patterns=_FILES, local_files_only=True))
    except (OSError, ValueError):
        return None


def _why(source: str, error: Exception) -> str:
    if isinstance(error, GatedRepoError):
        return f"The hub model {source} asks for its licence to be accepted: do so on its page, then log in."
    if isinstance(error, RepositoryNotFoundError | HFValidationError):
        return f"No hub model is called {source}: check the spelling, or give a local folder."
    if getattr(error, "errno", None) == errno.ENOSPC:
        return f"The hub model {source} does not fit on this disk: make room, or choose the embedded pair."
    status = getattr(getattr(error, "response", None), "status_code", None)
    reason = "no network?" if status is None else f"the hub answered {status}"
    return (
        f"The hub model {source} is not on this machine and could not be fetched ({reason}): connect once to download it, "
        "or choose the embedded pair or a local folder."
    )


def _bar(source: str, say: Progress) -> type[tqdm]:
    class Bar(tqdm):  # type: ignore[misc]  # tqdm ships no types
        """Tells the caller instead of a terminal."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **{**kwargs, "disable": False, "file": _Nowhere()})

        def update(self, n: float | None = 1) -> bool | None:
            moved: bool | None = super().update(n)
            if self.total and self.unit == "B":
                say(f"fetching {source}", min(1.0, self.n / self.total))
            return moved

    return Bar


class _Nowhere:
    """A file that swallows what a progress bar prints."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Nothing is held."""
