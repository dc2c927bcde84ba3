"""The models that a person chose: a pair by its name, or a target with or without a draft. Standard library only, and nothing is loaded."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from specviz.errors import InputError, PairError, UnknownPairError
from specviz.folders import ASSETS, read_object
from specviz.head_formats import CONFIG, kind_in
from specviz.known_pairs import EMBEDDED, FAMILY, heads_fit, in_hub_cache, names, sources_of
from specviz.settings import AUTO, Settings

HEAD_FILE = "head.json"  # of a trained head's folder, see `specviz.models.heads.folder`


@dataclass(frozen=True, slots=True)
class ChosenModels:
    """The sources of a pair's models.

    Attributes:
        name: of an offered pair; None where the models were given.
        target, draft: hub ids or paths; `draft` is None for a pair without a draft model.
    """

    name: str | None
    target: str
    draft: str | None


def chosen_by_options(pair: str | None, target: str | None, draft: str | None) -> ChosenModels:
    """The models that the options --pair, --target and --draft name. Raises InputError if --pair was given together
    with one of the others; UnknownPairError, see `chosen_models`."""
    if pair is not None and (target is not None or draft is not None):
        raise InputError(
            "--pair was given together with --target or --draft: give a pair, or a target, with or without a draft."
        )
    return chosen_models(pair, target, draft)


def chosen_models(name: str | None = None, target: str | None = None, draft: str | None = None) -> ChosenModels:
    """The models that these choices name; the embedded pair where there are none. Raises UnknownPairError if no pair has this name, or a draft was
    given without a target."""
    if target:
        return ChosenModels(None, target, draft or None)
    if draft or target is not None:
        raise UnknownPairError(f"The target was {target!r} and the draft {draft!r}: name the target too.")
    name = name or EMBEDDED
    sources = sources_of(name)
    if sources is None:
        raise UnknownPairError(
            f"No pair is called {name!r}: choose one of {', '.join(names())}, or give a target, with or without a draft."
        )
    return ChosenModels(name, *sources)


def heads_here(name: str | None = None, folder: str | None = None) -> dict[str, Path]:
    """The trained heads of a pair, kind -> folder.

    Those are the heads of the project for the weights that are loaded here, and the head that a person gave, which replaces another of
    its kind. Raises PairError if the folder that was given has no head, or one that is not read.

    Args:
        name: of an offered pair; None for models that were given.
        folder: the one that was given, or the hub id of a published head that was downloaded.
    """
    heads: dict[str, Path] = {}
    shipped = ASSETS / "heads"
    if name is not None and heads_fit(name) and shipped.is_dir():
        heads |= _shipped(shipped, f"{EMBEDDED if name in FAMILY else name}-", shipped.stat().st_mtime_ns)
    if folder is not None:
        where = head_folder(folder)
        kind = _kind_in(where / HEAD_FILE) or kind_in(where)
        if not kind:
            raise PairError(
                f"The folder {folder} has no trained head (a readable {HEAD_FILE}, or the {CONFIG} of a published head): give a folder "
                "with EAGLE, DFlash or DSpark heads."
            )
        heads[kind] = where
    return heads


def head_folder(source: str) -> Path:
    """The folder of a head: the one that was given, or where the hub's cache has the hub id that was given. Raises
    PairError if it is a hub id, and was not downloaded."""
    if not is_head_id(source):
        return Path(source)
    folder = in_hub_cache(source, (CONFIG,))
    if folder is None:
        raise PairError(
            f"The published head {source} is not on this machine: `specviz pairs --get {source}` downloads it, or give a local folder."
        )
    return folder


def is_head_id(source: str) -> bool:
    """True for a hub id: "owner/name", with "@" and a revision or without."""
    owner, slash, name = source.partition("/")
    return (
        bool(slash and owner and name)
        and not set(owner + name) & {"/", "\\", "~"}
        and owner not in (".", "..")
        and not Path(source).exists()
    )


@lru_cache(maxsize=16)
def _shipped(folder: Path, prefix: str, changed: int) -> dict[str, Path]:
    """The heads in a folder whose names are a prefix and their kind; read again when a folder is added or removed."""
    files = sorted(folder.glob(f"{prefix}*/{HEAD_FILE}"))
    kinds = ((file.parent, file.parent.name.removeprefix(prefix)) for file in files)
    return {
        kind: parent for parent, kind in kinds if _kind_in(parent / HEAD_FILE) == kind
    }  # "-" may be part of a name too


def _kind_in(file: Path) -> str:
    """The kind of head that a `head.json` names; "" if it cannot be read."""
    kind = read_object(file).get("kind")
    return kind if isinstance(kind, str) else ""


def page_settings() -> Settings:
    """The settings with which the page opens: specviz chooses what drafts and how much, and drafts only while it pays."""
    return Settings(drafter=AUTO, k=0, nodes=0, policy=AUTO)
