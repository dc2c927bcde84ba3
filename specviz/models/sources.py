"""Where a model's files are: in a local folder, dequantised from a GGUF file, in an installed package, or downloaded from the hub."""

import errno
import shutil
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
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

from specviz.errors import HubError, ModelFolderError, PairError
from specviz.known_pairs import CHAT_INSTALL, CHAT_TARGET, LOG_IN, has_gguf, in_hub_cache, packaged_chat
from specviz.model_choice import is_head_id
from specviz.models.folder import is_complete
from specviz.models.gguf import convert, converted_folder, is_gguf, origin_of
from specviz.models.gguf_conversion import Progress
from specviz.models.heads.tensor_files import has_all_files
from specviz.models.memory import Placement

# The files to download: no second copy of the weights under another name, and no code.
_FILES = ("*.json", "model*.safetensors", "*.model", "*.txt", "*.jinja")
# The same for trained heads, most of which are pickles that only tensors are read from.
_HEAD_FILES = ("config.json", "model*.safetensors*", "pytorch_model*.bin*", "head.*")
_LONGEST_ID = 96
_HUB_TIMEOUT_S = 5.0  # how long to wait for the hub before the copy on this machine is used


def short_name(source: str) -> str:
    """A hub id unchanged, with its revision; of a folder the last two parts of its path, of which none is . or .. ."""
    if _is_hub_id(source):
        return source
    path = Path(source)
    return "/".join((path if path.name and ".." not in path.parts else path.resolve()).parts[-2:])


def folder_of(source: str, progress: Progress, placement: Placement | None = None) -> Path:
    """The folder with the model's files.

    A hub id is downloaded first, at the revision after its "@" if it has one; a GGUF file is dequantised into the cache. The chat model
    is taken from its installed package where the hub's cache does not have it. Raises ModelFolderError if the folder or file does not
    exist, or has no model in it; HubError if the model is neither on this machine nor available from the hub; PairError if it is too
    large for this machine.

    Args:
        placement: where the model will be loaded; what is known to be too large is refused before it is downloaded or dequantised.
    """
    if _is_hub_id(source):
        package = _chat_file(source)
        if package is not None:
            return convert(package, progress, placement)
        progress(f"fetching {source}", None)
        return _downloaded(source, progress, placement)
    try:
        folder = Path(source).expanduser()
        has_config, is_folder, is_file = (folder / "config.json").is_file(), folder.is_dir(), folder.is_file()
        files = sorted(folder.glob("[!.]*.gguf")) if is_folder else []
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelFolderError(
            f"The path of the model folder {source:.80} is not valid ({error!s:.80}): check the path."
        ) from error
    if has_config:
        return folder
    if is_file and is_gguf(source):
        return convert(folder, progress, placement)
    if is_gguf(source) and not is_folder:
        raise ModelFolderError(f"The GGUF file {source} does not exist: check the path.")
    if files:
        raise ModelFolderError(
            f"The folder {source} holds GGUF files and no config.json: give the path of one of the files, such as {files[0]}."
        )
    if is_file:
        raise ModelFolderError(f"{source} is a file: give the folder that it is in, with config.json and a tokenizer.")
    state = "has no config.json" if is_folder else "does not exist"
    raise ModelFolderError(f"The model folder {source} {state}: give a folder saved by transformers, or a hub id.")


def head_folder_of(source: str, progress: Progress) -> Path:
    """The folder of a trained head; one with a hub id is downloaded first. Raises HubError if it is neither on this
    machine nor available from the hub."""
    if not is_head_id(source):
        return Path(source)
    progress(f"fetching {source}", None)
    return _downloaded(source, progress, None, _HEAD_FILES)


def local_path(source: str) -> Path | None:
    """The folder of a model that can be loaded without a download; the GGUF file itself where it is not converted yet; else None."""
    if not _is_hub_id(source):
        path = Path(source).expanduser()
        there = path.is_file() if is_gguf(source) else is_complete(path)
        return path if there else None
    package = _chat_file(source)
    if package is not None:
        return package
    cached = _cached(*_parts(source))
    return cached if cached is not None and is_complete(cached) else None


def _chat_file(source: str) -> Path | None:
    """The GGUF file of the installed package, if the source is the chat model and the hub's cache does not have it."""
    if source != CHAT_TARGET:
        return None
    file = packaged_chat()
    if file is None or not (has_gguf() or converted_folder(file) is not None):
        return None
    cached = _cached(source, None)
    return None if cached is not None and is_complete(cached) else file


def commit_of(folder: Path) -> str:
    """The commit of a downloaded model, as the hub's cache names its folder; of a GGUF file the first digits of its SHA-256; else ""."""
    if folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("models--"):
        return folder.name
    origin = origin_of(folder)
    return origin.revision if origin is not None else ""


def weights_of(folder: Path) -> str:
    """How the weights were stored before they were dequantised, as "4-bit weights, dequantised to float16"; "" where they were not quantised."""
    origin = origin_of(folder)
    return origin.weights if origin is not None else ""


def _is_hub_id(source: str) -> bool:
    name, _ = _parts(source)
    no_path = not name.startswith((".", "/", "~", "\\")) and ":" not in name and not is_gguf(name)
    return no_path and name.count("/") <= 1 and len(name) <= _LONGEST_ID and not Path(source).exists()


def _parts(source: str) -> tuple[str, str | None]:
    """The id and the revision (a branch, a tag or a commit) of `id@revision`; None where no revision is given."""
    name, at, revision = source.partition("@")
    return name, revision if at else None


def _downloaded(source: str, progress: Progress, placement: Placement | None, files: Sequence[str] = _FILES) -> Path:
    """The newest files of this revision on the hub; if it does not answer in time or at all, the files downloaded earlier."""
    name, revision = _parts(source)
    if revision == "":
        raise HubError(f"The hub model {source} names no revision after the @: give a branch, a tag or a commit.")
    try:
        # Asked first because the download has no timeout for its first answer.
        info = HfApi().model_info(name, revision=revision, timeout=_HUB_TIMEOUT_S, files_metadata=True)
        _check_placement(source, info, placement, files)
        folder = Path(
            snapshot_download(name, revision=revision, allow_patterns=[*files], tqdm_class=_bar(source, progress))
        )
    except Exception as error:
        cached, complete = (
            (in_hub_cache(source, ("config.json",)), has_all_files)
            if files is _HEAD_FILES
            else (_cached(name, revision), is_complete)
        )
        if cached is not None and complete(cached):
            return cached
        if isinstance(error, PairError):
            raise
        raise HubError(_why(source, error, has_part=_has_part(name))) from error
    if not (folder / "config.json").is_file():
        raise HubError(
            f"The hub model {source} has no config.json, as a repository of GGUF files or of adapters: choose the original model, or "
            "download one of its GGUF files and give the path."
        )
    return folder


def _check_placement(source: str, info: Any, placement: Placement | None, files: Sequence[str]) -> None:
    """Check before a download that what is missing fits on the disk, and that the model fits into memory, as far as the
    hub says how large it is. Raises PairError if it does not fit."""
    cache = Path(constants.HF_HUB_CACHE)
    blobs = cache / f"models--{_parts(source)[0].replace('/', '--')}" / "blobs"
    missing = 0
    for file in getattr(info, "siblings", None) or ():
        name = file.lfs.sha256 if file.lfs is not None else file.blob_id
        if any(fnmatch(file.rfilename, pattern) for pattern in files) and not (blobs / str(name)).is_file():
            missing += file.size or 0
    if not missing:
        return
    weights = getattr(info, "safetensors", None)
    if weights is not None and placement is not None:
        placement.check(weights.total, source)
    free = disk_free(cache)
    if missing > free:
        raise HubError(
            f"The hub model {source} is a download of {missing / 1e9:.1f} GB, and the disk of the hub's cache has {free / 1e9:.1f} GB free: free "
            "some space, set HF_HOME to another folder, or choose the embedded pair."
        )


def disk_free(folder: Path) -> int:
    """Bytes that are free on the disk of a folder, which need not exist yet."""
    there = next((place for place in (folder, *folder.absolute().parents) if place.is_dir()), Path("/"))
    return shutil.disk_usage(there).free


def _cached(name: str, revision: str | None) -> Path | None:
    """The folder of the files downloaded earlier."""
    try:
        return Path(snapshot_download(name, revision=revision, allow_patterns=[*_FILES], local_files_only=True))
    except (OSError, ValueError):
        return None


def _has_part(name: str) -> bool:
    """True if an earlier download left some files of this model."""
    folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    return any(folder.glob("snapshots/*/*")) or any(folder.glob("blobs/*"))


def _why(source: str, error: Exception, *, has_part: bool) -> str:
    """One sentence for a person: what kept the model from being downloaded, and what to do."""
    name, revision = _parts(source)
    causes = list(_causes(error))

    def caused_by(*kinds: type[BaseException]) -> bool:
        return any(isinstance(cause, kinds) for cause in causes)

    if caused_by(GatedRepoError):
        return (
            f"The hub model {source} requires its licence to be accepted: accept it on the model's page, then {LOG_IN}."
        )
    if caused_by(RevisionNotFoundError):
        return (
            f"The hub model {name} has no revision {revision!r}: give a branch, a tag or a commit, or leave out the @."
        )
    if caused_by(RepositoryNotFoundError):
        return f"No hub model is called {name}, or it is private: check the spelling, {LOG_IN}, or give a local folder."
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
    if name == CHAT_TARGET:
        return (
            f"The chat model {source} is not on this machine and could not be downloaded ({reason}): `{CHAT_INSTALL}` brings it without the "
            "hub (93 MB); the embedded pair works meanwhile."
        )
    if has_part:
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
    causes: list[BaseException] = []
    while error not in causes:
        causes.append(error)
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
