"""GGUF files, the format of llama.cpp, as models: dequantised once into a cache, afterwards loaded like any other folder.

The cache is addressed by content: a folder is named after the file's SHA-256. A small table remembers the hash of each path, size and
time of change, so that a file is hashed once.
"""

import hashlib
import json
import os
import platform
import shutil
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from specviz.errors import ModelFolderError, brief
from specviz.folders import cache_folder, read_object, write_notes
from specviz.models.gguf_conversion import Progress, dequantise, weights_in_words
from specviz.models.gguf_header import damaged, read_header
from specviz.models.memory import Placement

_NOTE = "specviz-gguf.json"
_HASHES = "files.json"
# Part of the name of each folder: raised when what is written changes, so that older folders are not used.
_LAYOUT = 5
_DIGITS = 12  # of the hash, in names and on the card
_BLOCK = 2**23


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the weights of a converted folder come from.

    Attributes:
        revision: the first digits of its SHA-256.
        weights: how they were stored, in words; see `ModelCard.weights`.
        note: what transformers does not read of this file, as a sentence without its subject, or "".
        sizes: bytes of every other file in the folder.
    """

    file: str
    revision: str
    weights: str
    note: str
    sizes: dict[str, int]


def is_gguf(source: str) -> bool:
    """True if this source names a GGUF file, which need not exist."""
    return source.lower().endswith(".gguf")


def convert(path: Path, report: Progress, placement: Placement | None = None) -> Path:
    """The folder with this file's model as transformers stores one: config, dequantised weights, tokenizer, template and end ids.

    The first call for a file converts it, which takes from seconds to minutes; the next ones find the folder. A conversion that was
    interrupted leaves nothing that a later call would take for a model. Raises ModelFolderError if the file is damaged or of a kind
    that cannot be read, the package gguf is missing, or the disk is full; PairError if the memory of this machine is too small for
    it.

    Args:
        path: an existing file that ends in .gguf.
        report: called with the current step and, where it is known, its share that is done.
        placement: where the model will be loaded; one that is too large there is not converted.
    """
    source = str(path)
    try:
        folder = converted_folder(path)
        if folder is not None:
            return folder
        header = read_header(path, source)  # a file that is refused need not be hashed
        if placement is not None:
            placement.check(header.parameters, source)
        digest = _digest(path, report)
    except OSError as error:
        raise damaged(source, error) from error
    folder = _store() / f"{digest[:_DIGITS]}-{_LAYOUT}"
    if _is_whole(folder):
        return folder
    half = _begin(source)
    try:
        note = dequantise(path, header, half, report)
        sizes = {file.name: file.stat().st_size for file in half.iterdir()}
        origin = Origin(path.name, digest[:_DIGITS], weights_in_words(header), note, sizes)
        (half / _NOTE).write_text(json.dumps(asdict(origin)), encoding="utf-8")
        _put(half, folder)
    except OSError as error:
        raise _no_room(source, error) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return folder


def converted_folder(path: Path) -> Path | None:
    """This file's folder in the cache; quick, as the file is not read: None also where its hash is not known yet."""
    digest = _known_digest(path)
    folder = _store() / f"{digest[:_DIGITS]}-{_LAYOUT}"
    return folder if digest and _is_whole(folder) else None


def origin_of(folder: Path) -> Origin | None:
    """Where a converted folder comes from; None for any other folder."""
    try:
        origin = Origin(**read_object(folder / _NOTE))
    except TypeError:
        return None
    texts = (origin.file, origin.revision, origin.weights, origin.note)
    return origin if all(isinstance(text, str) for text in texts) and isinstance(origin.sizes, dict) else None


def _is_whole(folder: Path) -> bool:
    """True if every file of a converted folder is there in its full size."""
    origin = origin_of(folder)
    try:
        return origin is not None and all((folder / name).stat().st_size == n for name, n in origin.sizes.items())
    except OSError:
        return False


def _put(half: Path, folder: Path) -> None:
    """Give a finished conversion its name, unless another process has converted the same file meanwhile and may be
    reading it. Raises OSError if the folder cannot be written."""
    try:
        half.rename(folder)
    except OSError:
        if not _is_whole(folder):
            shutil.rmtree(folder, ignore_errors=True)
            half.rename(folder)


def _store() -> Path:
    return cache_folder() / "gguf"


def _begin(source: str) -> Path:
    """An empty folder for one conversion, in the cache; what conversions that were killed left there is deleted. Raises
    ModelFolderError if the cache cannot be written to."""
    store, machine = _store(), platform.node()
    try:
        store.mkdir(parents=True, exist_ok=True)
        for folder in store.glob(f".half-{machine}-*"):
            process = folder.name.removeprefix(f".half-{machine}-").partition("-")[0]
            if process.isdecimal() and not psutil.pid_exists(int(process)):
                shutil.rmtree(folder, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f".half-{machine}-{os.getpid()}-", dir=store))
    except OSError as error:
        raise _no_room(source, error) from error


def _no_room(source: str, error: OSError) -> ModelFolderError:
    return ModelFolderError(
        f"The dequantised weights of {source} could not be written to the cache ({brief(error, 80)}): free some space there, or set "
        "SPECVIZ_CACHE to another folder."
    )


def _digest(path: Path, report: Progress) -> str:
    if known_digest := _known_digest(path):
        return known_digest
    stamp = _stamp(path)
    size, digest, bytes_read = stamp[0], hashlib.sha256(), 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            bytes_read += len(block)
            report(f"reading {path.name}", min(1.0, bytes_read / size) if size else None)
    if stamp == _stamp(path):
        _remember(path, digest.hexdigest())
    return digest.hexdigest()


def _known_digest(path: Path) -> str:
    """The hash that was computed for this path, if the file has not changed since; else ""."""
    try:
        row = read_object(_store() / _HASHES).get(str(path.resolve()))
        if isinstance(row, list) and row[:-1] == list(_stamp(path)):
            return str(row[-1])
    except OSError:
        pass
    return ""


def _stamp(path: Path) -> tuple[int, ...]:
    """The stamp of a file: its size, its number on the disk, and its times in nanoseconds.

    The time of the last writing alone is not enough: another file that is unpacked or copied there can bring the same one with it, and
    two models of one architecture have the same size.
    """
    status = path.stat()
    return status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def _remember(path: Path, digest: str) -> None:
    """Add the file's hash to the table; where that is not possible, the file is hashed again next time."""
    # os.access is False, and raises nothing, also for a path in a folder that may not be read.
    table = {name: row for name, row in read_object(_store() / _HASHES).items() if os.access(name, os.F_OK)}
    table[str(path.resolve())] = [*_stamp(path), digest]
    write_notes(_store() / _HASHES, table)
