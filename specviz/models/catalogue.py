"""The pairs offered by name, as seen from this machine: their sizes, what is here, and whether they fit in memory and on the disk."""

from pathlib import Path
from time import perf_counter

import torch
from huggingface_hub import constants

from specviz.folders import cache_folder
from specviz.known_pairs import FAMILY, OFFERS, Offer, PairStatus, embedded_folder
from specviz.models.devices import memory_free
from specviz.models.gguf import converted_folder, is_gguf
from specviz.models.memory import rough_peak
from specviz.models.networks.packing import packs
from specviz.models.number_format import format_on_cpu, pick_dtype
from specviz.models.sources import commit_of, disk_free, local_path

_DEQUANTISED_BYTES = 4  # of one weight in the cache of dequantised models, at most
_PACKED_BYTES = 2
_SWEPT, _SWEEPS = 2**26, 4  # float32 numbers that no cache holds, and how often they are added up


def memory_speed(device: torch.device) -> float:
    """Bytes a second at which this device, with all its threads, reads memory: the best of a few sums over more numbers than a cache holds."""
    numbers = torch.ones(_SWEPT, device=device)

    def seconds() -> float:
        began = perf_counter()
        float(numbers.sum())
        return perf_counter() - began

    return numbers.nbytes / min(seconds() for _ in range(_SWEEPS))


def listings(device: torch.device) -> list[PairStatus]:
    """Every offered pair, sized in the number format that `auto` chooses for it on this device."""
    free = memory_free(device)
    rows = []
    for name, (draft, note) in FAMILY.items():
        stored = [
            sum(file.stat().st_size for file in (embedded_folder() / role).glob("*.safetensors"))
            for role in ("target", draft)
        ]
        weights = sum(stored)
        kind = _format("BF16", weights // 2, device, free)
        fits = rough_peak(weights, kind, device) < free
        rows.append(
            PairStatus(
                name, "target", draft, weights, weights > 0, fits, note, licence="Apache-2.0", target_bytes=stored[0]
            )
        )
    return [*rows, *(_listing(offer, device, free) for offer in OFFERS)]


def _listing(offer: Offer, device: torch.device, free: int) -> PairStatus:
    sizes = [(offer.target, offer.target_millions), (offer.draft, offer.draft_millions)]
    missing = {source: _missing(source, int(millions * 1e6), offer.stored_bytes) for source, millions in sizes}
    target = local_path(offer.target)
    dequantised = target is not None and is_gguf(str(target))
    stored = "F32" if dequantised or offer.stored_bytes > 2 else "BF16"
    parameters = int(sum(millions for _, millions in sizes) * 1e6)
    kind = _format(stored, parameters, device, free)
    weights = parameters * kind.itemsize
    # A dequantised model's weights are rounded to 16 bits too.
    packed = packs(kind, device) and offer.stored_bytes <= _PACKED_BYTES
    each = _PACKED_BYTES if packed else kind.itemsize
    revision = ""
    if target is not None:
        folder = converted_folder(target) if dequantised else target
        revision = commit_of(folder) if folder is not None else ""
    return PairStatus(
        offer.name,
        offer.target,
        "draft" if Path(offer.draft).is_absolute() else offer.draft,
        parameters * each,
        here=all(local_path(source) is not None for source, _ in sizes),
        fits=rough_peak(weights, kind, device) < free,
        note=offer.note,
        licence=offer.licence,
        token=offer.token,
        disk=sum(missing.values()),
        disk_free=min(disk_free(Path(constants.HF_HUB_CACHE)), disk_free(cache_folder())),
        revision=revision,
        target_bytes=int(offer.target_millions * 1e6) * each,
    )


def _format(stored: str, parameters: int, device: torch.device, free: int) -> torch.dtype:
    """The number format that `auto` takes for models of this size whose matrices are stored in this format, as weight files name it."""
    if device.type == "cuda":
        return pick_dtype("auto", device)
    return format_on_cpu({stored}, lambda kind: rough_peak(parameters * kind.itemsize, kind, device), free).dtype


def _missing(source: str, weights: int, stored_bytes: int) -> int:
    """Bytes that must still be written to disk before this model can be loaded."""
    path = local_path(source)
    if path is None:
        return weights * stored_bytes
    if is_gguf(str(path)) and converted_folder(path) is None:
        return weights * _DEQUANTISED_BYTES
    return 0
