"""The pairs offered by name, as seen from this machine: their sizes, and whether they fit in memory."""

from pathlib import Path

import torch
from huggingface_hub import try_to_load_from_cache

from specviz.errors import ModelFolderError
from specviz.models.devices import memory_free, pick_dtype
from specviz.models.folder import weight_files
from specviz.models.memory import rough_peak
from specviz.offers import FAMILY, OFFERS, Listing, embedded_folder


def listings(device: torch.device) -> list[Listing]:
    """Every offered pair, sized in the number format that `auto` chooses on this device."""
    free, kind = memory_free(device), pick_dtype("auto", device)
    rows = []
    for name, (draft, note) in FAMILY.items():
        files = [file for role in ("target", draft) for file in (embedded_folder() / role).glob("*.safetensors")]
        weights = sum(file.stat().st_size for file in files)
        rows.append(
            Listing(name, "target", draft, weights, weights > 0, rough_peak(weights, kind, device) < free, note)
        )
    for offer in OFFERS:
        size = int((offer.target_millions + offer.draft_millions) * 1e6 * kind.itemsize)
        here = all(_is_here(source) for source in (offer.target, offer.draft))
        rows.append(
            Listing(
                offer.name, offer.target, offer.draft, size, here, rough_peak(size, kind, device) < free, offer.note
            )
        )
    return rows


def _is_here(source: str) -> bool:
    """Whether every weight file of this hub model was downloaded."""
    found = try_to_load_from_cache(source, "config.json")
    if not isinstance(found, str):
        return False
    try:
        names = weight_files(Path(found).parent, source)
    except ModelFolderError:
        return False
    return all((Path(found).parent / name).is_file() for name in names)
