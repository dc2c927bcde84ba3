"""Loading a pair: by name, or as two models, each a hub id or a local folder."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import PreTrainedModel

from specviz.decoding.drafters import registry
from specviz.errors import CacheError, ModelFolderError, PairError, brief
from specviz.model_choice import chosen_models, heads_here
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import checked_model, head_of
from specviz.models.devices import memory_free, memory_of_all_gpus, pick_device
from specviz.models.folder import loader_of
from specviz.models.gguf_conversion import Progress
from specviz.models.kept_ids import FILE as KEPT_IDS
from specviz.models.kept_ids import refuse_as_target
from specviz.models.memory import Footprint, Placement, footprint, peak_of
from specviz.models.networks.kept_head import KeptHead
from specviz.models.networks.packing import why_not_half
from specviz.models.number_format import NumberFormat, dtype_name, pick_dtype, pick_format
from specviz.models.pair import LoadedModel, Pair, Role
from specviz.models.quiet import quiet
from specviz.models.reading import card_of, end_ids, processor_notes, read_model, read_tokenizer, smaller, text_notes
from specviz.models.sources import folder_of, head_folder_of, short_name
from specviz.models.threads import fit_again, fitting_threads
from specviz.models.tokens import TokenText
from specviz.trace.cards import DrafterCard, ModelCard, PairCard

_MORE_IDS = 2**16  # ids that a tokenizer may have without an embedding: those that somebody added
Source = str | os.PathLike[str]  # a hub id, or the path of a folder or a file


@quiet()
@fitting_threads()
def load_pair(
    name: str | None = None,
    *,
    target: Source | None = None,
    draft: Source | None = None,
    head: Source | None = None,
    device: str = "auto",
    dtype: str = "auto",
    progress: Progress | None = None,
) -> Pair:
    """Load a pair by name, or any target, alone or with a draft, each a hub id or a local folder.

    Without a draft model, the drafters that need none still work: the registry knows which (`needs`).

    Args:
        name: "embedded" (the default), or a name that `specviz pairs` lists.
        target, draft: instead of a name; a draft that is given is loaded, whichever drafter is used later.
        head: the folder or the hub id of a head that was trained for the target, by us or by others. Those that come with the project are
            loaded when a drafter needs them.
        device: auto, cpu, cuda or cuda:N.
        dtype: auto, float32, bfloat16, float16 or float64; `number_format` says what auto is.
        progress: called before each step.

    Raises:
        PairError: or one of its subclasses; see `specviz.errors`.
    """
    report = _fitting(progress)
    choice = chosen_models(name, _written("target", target), _written("draft", draft))
    head_source = _written("head", head)
    head_folder = None if head_source is None else head_folder_of(head_source, report)
    heads = heads_here(choice.name, None if head_folder is None else str(head_folder))
    sources: dict[Role, str] = {"target": choice.target}
    if choice.draft is not None:
        sources["draft"] = choice.draft
    on = pick_device(device)
    placement = Placement(pick_dtype(dtype, on), on)
    folders = {role: folder_of(source, report, placement) for role, source in sources.items()}
    for role, source in sources.items():
        loader_of(folders[role], source)  # refuses what transformers cannot load
        if role == "target":
            refuse_as_target(folders[role], source)
    report("choosing the number format", None)
    number_format = format_of(dtype, on, sources, folders)
    kind = number_format.dtype
    spread = _check_memory(on, kind, [footprint(folders[role], source, kind, on) for role, source in sources.items()])
    if spread and on.index is not None:
        raise PairError(
            f"The pair does not fit on {on} alone: give cuda to spread it over all GPUs, or choose a smaller pair."
        )
    report("reading the tokenizers", None)
    text, draft_vocabulary = _tokenizers(sources, folders)
    checking = "comparing the decoders with the models' own passes"
    ends: frozenset[int] = frozenset()
    models: dict[Role, LoadedModel] = {}
    # The target's second copy of its weights is freed before the draft is loaded, so that both are never in memory together.
    for role, source in sources.items():
        report(f"loading {short_name(source)}", None)
        reload = partial(read_model, folders[role], source, on, kind, spread=spread and role == "target")
        notes: list[str] = []
        model = reload(notes=notes)
        report(checking, None)
        if role == "target":
            ends = end_ids(model, text, folders[role])
            text.readable = model.get_input_embeddings().num_embeddings
            notes += [*processor_notes(model, source), *text_notes(model, text, source, folders[role])]
            if why := why_not_half(kind, on):
                notes.append(why)
        own_ids = draft_vocabulary if role == "draft" else None
        cached = _cached(model, text.vocabulary, ends, own_ids=own_ids)
        models[role] = _checked(cached, role, card_of(model, source, folders[role]), notes, reload)
    name = choice.name or " + ".join(short_name(source) for source in sources.values())
    pair = pair_of(
        name,
        models["target"],
        models.get("draft"),
        text,
        head_folders=heads,
        why_dtype=number_format.why,
    )
    if head_folder is not None:  # one that does not fit is refused now, whatever drafts later
        report("loading the trained head", None)
        head_of(pair, next(kind for kind, folder in heads.items() if folder == head_folder))
    return pair


def _checked(
    model: CachedModel, role: Role, card: ModelCard, notes: Sequence[str], reload: Callable[[], PreTrainedModel]
) -> LoadedModel:
    """The model after its checks at load, without the weights that our decoder has copied; `reload` reads them again."""
    model, checks = checked_model(model, role)
    model.free_originals(quiet()(reload))
    return LoadedModel(model, card, checks, (*notes, *(check.note for check in checks if check.note)))


def _tokenizers(sources: Mapping[Role, str], folders: Mapping[Role, Path]) -> tuple[TokenText, int | None]:
    """The target's tokenizer, and how many ids that of the draft has; None without a draft. Raises
    TokenizerMismatchError if they are not the same."""
    text = read_tokenizer(folders["target"], sources["target"])
    if "draft" not in sources:
        return text, None
    draft_text = read_tokenizer(folders["draft"], sources["draft"])
    text.check_same(draft_text, short_name(sources["target"]), short_name(sources["draft"]))
    return text, draft_text.vocabulary


def _written(role: str, source: Source | None) -> str | None:
    """The source of a model as text. Raises PairError if it is neither text nor a path."""
    if source is None or isinstance(source, str):
        return source
    if not isinstance(source, os.PathLike) or not isinstance(path := os.fspath(source), str):
        raise PairError(f"The {role} was {source!r:.80}: give a hub id, or the path of a folder, as text or as a Path.")
    return path


def format_of(
    requested: str, device: torch.device, sources: Mapping[Role, str], folders: Mapping[Role, Path]
) -> NumberFormat:
    """The number format in which a pair whose files are here is loaded. Raises DeviceError if the format is unknown;
    ModelFolderError if a weight file is missing or broken."""

    def needed(kind: torch.dtype) -> int:
        return peak_of([footprint(folders[role], source, kind, device) for role, source in sources.items()])

    return pick_format(requested, device, folders["target"], sources["target"], needed)


def pair_of(name: str, target: LoadedModel, draft: LoadedModel | None, text: TokenText, **about: Any) -> Pair:
    """The pair of these models. `about`: further fields of `Pair`."""
    described = registry.describe(registry.usual(draft=draft is not None))
    models: dict[Role, LoadedModel] = {"target": target} if draft is None else {"target": target, "draft": draft}
    card = PairCard(
        target=target.card,
        draft=draft.card if draft else None,
        drafter=DrafterCard(described.name, described.label),
        device=str(target.model.device),
        dtype=dtype_name(target.model.model.dtype),
        versions=(("torch", torch.__version__), ("transformers", transformers.__version__)),
        notes=tuple(dict.fromkeys(note for part in models.values() for note in part.notes)),
    )
    return Pair(name, target.model, draft.model if draft else None, text, card, loaded=models, **about)


def _cached(
    model: PreTrainedModel, vocabulary: int, ends: frozenset[int], *, own_ids: int | None = None
) -> CachedModel:
    """The model with a cache. Raises PairError if it does not work here."""
    rows, ids = model.get_input_embeddings().num_embeddings, own_ids or vocabulary
    if ids > 2 * rows + _MORE_IDS:
        raise ModelFolderError(
            f"The tokenizer of {short_name(str(model.name_or_path))} has ids up to {ids - 1}, and its model has {rows}: the two belong to "
            "different models, so save or download it again."
        )
    head = model.get_output_embeddings()
    if isinstance(head, KeptHead) and int(head.kept[0]) >= min(vocabulary, own_ids or vocabulary):
        raise ModelFolderError(
            f"The draft keeps no id that its tokenizer has ({KEPT_IDS} begins with {int(head.kept[0])}): make the draft again, or delete "
            "the file to use the full head."
        )
    try:
        return CachedModel(model, vocabulary, ends, own_ids=own_ids)
    except (PairError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise CacheError(
            f"{type(model).__name__} cannot be read token by token ({brief(error)}): choose another model."
        ) from error


@quiet()
@fitting_threads()
def with_draft(pair: Pair, draft: Source, *, progress: Progress | None = None) -> Pair:
    """A pair of the same target, which is not loaded again, and another draft, or a first one: a hub id or a local folder.

    Both pairs share the target's cache, so a run of one must end before a run of the other begins. What is known about the target stays
    on the card, and what was known about an earlier draft is dropped.

    Raises:
        PairError: or one of its subclasses; see `specviz.errors`.
    """
    draft = _written("draft", draft) or ""
    report = _fitting(progress)
    on, kind = pair.target.device, pair.target.model.dtype
    folder = folder_of(draft, report, Placement(kind, on))
    loader_of(folder, draft)
    _check_memory(on, kind, [footprint(folder, draft, kind, on)])
    text = read_tokenizer(folder, draft)
    pair.text.check_same(text, pair.card.target.name, short_name(draft))
    report(f"loading {short_name(draft)}", None)
    notes: list[str] = []
    reload = partial(read_model, folder, draft, on, kind)
    model = reload(notes=notes)
    cached = _cached(model, pair.target.vocabulary, pair.target.end_ids, own_ids=text.vocabulary)
    return pair_of(
        f"{pair.card.target.name} + {short_name(draft)}",
        pair.loaded["target"],
        _checked(cached, "draft", card_of(model, draft, folder), notes, reload),
        pair.text,
        heads=pair.heads,
        head_folders=pair.head_folders,
        why_dtype=pair.why_dtype,
        turn=pair.turn,
    )


def _fitting(progress: Progress | None) -> Progress:
    """The callback, if the caller gave one, and before it another look at the free cores: loading compares and measures passes."""

    def report(step: str, share: float | None) -> None:
        fit_again()
        if progress is not None:
            progress(step, share)

    return report


def _check_memory(device: torch.device, dtype: torch.dtype, models: Sequence[Footprint]) -> bool:
    """Check before loading that the weights fit in this format; True if the target must be spread over all GPUs. Raises
    PairError if they do not fit."""
    needed, free = peak_of(models), memory_free(device)
    if needed > free:
        free = max(free, memory_of_all_gpus() if device.type == "cuda" else 0)
        if needed < free:
            return True
        after = sum(model.after for model in models)
        raise PairError(
            f"The {'pair' if len(models) > 1 else 'model'} needs up to {needed / 1e9:.1f} GB in {dtype_name(dtype)} while it is loaded ({after / 1e9:.1f} GB after) and "
            f"{device} has {free / 1e9:.1f} GB free: {smaller(dtype)}."
        )
    return False
