"""Where a model's files are: in a local folder, or downloaded from the hub."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from huggingface_hub import HfApi, constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from tqdm import tqdm

from specviz.errors import HubError, ModelFolderError
from specviz.models.folder import is_complete

_FILES = ["*.json", "model*.safetensors", "*.model", "*.txt", "*.jinja"]
"""The files to download: no second copy of the weights under another name, and no code."""
_LONGEST_ID = 96
_HUB_TIMEOUT_S = 5.0
"""How long to wait for the hub before the copy on this machine is used."""
_LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"


Progress = Callable[[str, float | None], None]
"""A callback that receives the current step and, where it is known, the share of it that is done (0 to 1)."""


def short_name(source: str) -> str:
    """A hub id unchanged, with its revision; of a folder the last two parts of its path."""
    return source if _is_hub_id(source) else "/".join(Path(source).parts[-2:])


def folder_of(source: str, progress: Progress) -> Path:
    """The folder with the model's files; a hub id is downloaded first, at the revision after its "@" if it has one.

    Raises:
        ModelFolderError: the folder does not exist, or has no model in it.
        HubError: the model is neither on this machine nor available from the hub.
    """
    if _is_hub_id(source):
        progress(f"fetching {source}", None)
        return _downloaded(source, progress)
    try:
        folder = Path(source).expanduser()
        has_config, is_folder, is_file = (folder / "config.json").is_file(), folder.is_dir(), folder.is_file()
        has_gguf = is_folder and any(folder.glob("*.gguf"))
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelFolderError(
            f"The path of the model folder {source:.80} is not valid ({error!s:.80}): check the path."
        ) from error
    if has_config:
        return folder
    if has_gguf or (is_file and folder.suffix.lower() == ".gguf"):
        what = "is a GGUF file" if is_file else "holds a GGUF file"
        raise ModelFolderError(
            f"{source} {what}, the format of llama.cpp, which cannot be read here: give the folder or the hub id of the original "
            "model, whose weights are safetensors files."
        )
    if is_file:
        raise ModelFolderError(f"{source} is a file: give the folder that it is in, with config.json and a tokenizer.")
    state = "has no config.json" if is_folder else "does not exist"
    raise ModelFolderError(f"The model folder {source} {state}: give a folder saved by transformers, or a hub id.")


def commit_of(folder: Path) -> str:
    """The commit of a downloaded model, as the hub's cache names its folder; "" for any other folder."""
    in_cache = folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("models--")
    return folder.name if in_cache else ""


def _is_hub_id(source: str) -> bool:
    name, _ = _parts(source)
    no_path = not name.startswith((".", "/", "~", "\\")) and ":" not in name
    return no_path and name.count("/") <= 1 and len(name) <= _LONGEST_ID and not Path(source).exists()


def _parts(source: str) -> tuple[str, str | None]:
    """The id and the revision (a branch, a tag or a commit) of `id@revision`; None where no revision is given."""
    name, at, revision = source.partition("@")
    return name, revision if at else None


def _downloaded(source: str, progress: Progress) -> Path:
    """The newest files of this revision on the hub; if it does not answer in time or at all, the files downloaded earlier."""
    name, revision = _parts(source)
    if revision == "":
        raise HubError(f"The hub model {source} names no revision after the @: give a branch, a tag or a commit.")
    try:
        HfApi().model_info(
            name, revision=revision, timeout=_HUB_TIMEOUT_S
        )  # the download has no timeout for the first answer
        folder = Path(
            snapshot_download(name, revision=revision, allow_patterns=_FILES, tqdm_class=_bar(source, progress))
        )
    except Exception as error:
        cached = _cached(name, revision)
        if cached is None or not is_complete(cached):
            raise HubError(_why(source, error, begun=_has_begun(name))) from error
        return cached
    if not (folder / "config.json").is_file():
        raise HubError(
            f"The hub model {source} has no config.json, as a repository of GGUF files or of adapters: choose the original model."
        )
    return folder


def _cached(name: str, revision: str | None) -> Path | None:
    """The folder of the files downloaded earlier."""
    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=_FILES, local_files_only=True))
    except (OSError, ValueError):
        return None


def _has_begun(name: str) -> bool:
    """Whether an earlier download left some files of this model."""
    folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    return any(folder.glob("snapshots/*/*")) or any(folder.glob("blobs/*"))


def _why(source: str, error: Exception, *, begun: bool) -> str:
    """One sentence for a person: what kept the model from being downloaded, and what to do."""
    name, revision = _parts(source)
    causes = list(_causes(error))

    def caused_by(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if caused_by(GatedRepoError):
        return f"The hub model {source} requires its licence to be accepted: accept it on the model's page, then {_LOG_IN}."
    if caused_by(RevisionNotFoundError):
        return (
            f"The hub model {name} has no revision {revision!r}: give a branch, a tag or a commit, or leave out the @."
        )
    if caused_by(RepositoryNotFoundError):
        return (
            f"No hub model is called {name}, or it is private: check the spelling, {_LOG_IN}, or give a local folder."
        )
    if caused_by(HFValidationError):
        return f"No hub model is called {source}: check the spelling, or give a local folder."
    numbers = {getattr(cause, "errno", None) for cause in causes}
    if errno.ENOSPC in numbers or any("No space left on device" in str(cause) for cause in causes):
        return (
            f"The hub model {source} does not fit on this disk: free some space and try again (what has arrived is kept), or choose the "
            "embedded pair."
        )
    if numbers & {errno.EACCES, errno.EPERM, errno.EROFS}:
        return (
            f"The hub model {source} could not be written to {constants.HF_HUB_CACHE}: make that folder writable, or set HF_HOME to "
            "another one."
        )
    status = next((code for cause in causes if (code := _status(cause)) is not None), None)
    offline = "HF_HUB_OFFLINE is set" if caused_by(OfflineModeIsEnabled) or constants.HF_HUB_OFFLINE else "no network?"
    reason = offline if status is None else f"the hub answered {status}"
    if begun:
        return (
            f"The download of the hub model {source} is not complete and could not go on ({reason}): connect and try again (what has "
            "arrived is kept), or choose the embedded pair or a local folder."
        )
    return (
        f"The hub model {source} is not on this machine and could not be downloaded ({reason}): connect once to download it, "
        "or choose the embedded pair or a local folder."
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and everything that it was raised from."""
    seen: list[BaseException] = []
    while error not in seen:
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__ or error


def _status(error: BaseException) -> int | None:
    """The HTTP status of the hub's answer, if this error has one."""
    code = getattr(getattr(error, "response", None), "status_code", None)
    return code if isinstance(code, int) else None


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
