"""Finds a layer of multi-token prediction (MTP) in a checkpoint by its config and the names of its tensors. Standard library only.

Layouts: Qwen3-Next and Qwen3.5; DeepSeek-V3 and GLM-4.5, as one layer more than the target has; MiMo-7B. `specviz.models.heads.mtp_inside` reads the tensors.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from specviz.folders import read_header, read_object
from specviz.known_pairs import in_hub_cache

KIND = "mtp"  # the kind of head
_PROMISES = ("mtp_num_hidden_layers", "num_nextn_predict_layers")
_INDEX = "model.safetensors.index.json"


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of one layout.

    Attributes:
        token_norm, state_norm: the norms of the token's embedding and of the target's state.
        join: the matrix that joins the two.
        layer: what the names of all tensors of the layer begin with.
        norm: the last norm.
        token_first: whether the matrix reads the token first and the state after it.
    """

    token_norm: str
    state_norm: str
    join: str
    layer: str
    norm: str
    token_first: bool = True

    @property
    def own(self) -> dict[str, str]:
        """Name in the file -> name of the part, of all tensors beside the layer."""
        parts = {self.token_norm: "token_norm", self.state_norm: "state_norm", self.join: "join", self.norm: "norm"}
        return {f"{theirs}.weight": f"{ours}.weight" for theirs, ours in parts.items()}


def layouts(depth: int) -> tuple[Layout, ...]:
    """The layouts that are known, for a target of so many layers."""
    more, mimo = f"model.layers.{depth}.", "model.mtp_layers.0."
    return (
        Layout("mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden", "mtp.fc", "mtp.layers.0.", "mtp.norm"),
        Layout(f"{more}enorm", f"{more}hnorm", f"{more}eh_proj", more, f"{more}shared_head.norm"),
        Layout(
            f"{mimo}token_layernorm",
            f"{mimo}hidden_layernorm",
            f"{mimo}input_proj",
            mimo,
            f"{mimo}final_layernorm",
            token_first=False,
        ),
    )


def layout_in(names: Iterable[str], depth: int) -> Layout | None:
    """The layout of which there is any tensor."""
    tensors = tuple(names)
    return next((lay for lay in layouts(depth) if any(t in lay.own or t.startswith(lay.layer) for t in tensors)), None)


@dataclass(frozen=True, slots=True)
class MtpLayer:
    """The layer of a checkpoint, as far as its config and the names of its tensors say.

    Attributes:
        key: of the config that promises one, or the first tensor of one; "" where there is neither.
        missing: a tensor that its files lack; "" where the names are complete.
    """

    key: str = ""
    missing: str = ""

    @property
    def complete(self) -> bool:
        """True if the layer and all its tensors are there."""
        return bool(self.key) and not self.missing


def mtp_layer(folder: Path) -> MtpLayer:
    """The layer of the checkpoint in a folder; an empty one where the files cannot be read."""
    files = [folder / "config.json", folder / _INDEX, *sorted(folder.glob("model*.safetensors"))]
    return _mtp_layer(folder, tuple(file.stat().st_mtime_ns for file in files if file.is_file()))


@lru_cache(maxsize=16)
def _mtp_layer(folder: Path, changed: tuple[int, ...]) -> MtpLayer:
    try:
        full = read_object(folder / "config.json")
        config = {**full, **full.get("text_config", {})}
        depth = int(config["num_hidden_layers"])
    except (ValueError, LookupError, TypeError, OverflowError):
        return MtpLayer()
    key = next((name for name in _PROMISES if type(config.get(name)) is int and config[name] > 0), "")
    names = files_of(folder)
    layout = layout_in(names, depth)
    if layout is None:
        return MtpLayer(key, f"{layouts(depth)[_PROMISES.index(key)].join}.weight") if key else MtpLayer()
    return MtpLayer(key or f"{layout.join}.weight", next((name for name in layout.own if name not in names), ""))


def files_of(folder: Path) -> Mapping[str, Path]:
    """Tensor -> file, of the checkpoint in a folder; nothing where its files cannot be read."""
    names: dict[str, Path] = {}
    try:
        if (folder / _INDEX).is_file():
            weight_map = read_object(folder / _INDEX)["weight_map"]
            return {str(name): folder / Path(file).name for name, file in weight_map.items()}
        for path in sorted(folder.glob("model*.safetensors")):
            names |= dict.fromkeys(read_header(path), path)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return names


def folder_with_layer(target: str) -> Path | None:
    """The folder of a target with a complete layer; None where it has none or its files are not on this machine."""
    return next((folder for folder in _folders(target) if mtp_layer(folder).complete), None)


def may_have_layer(target: str) -> bool:
    """True if only loading the target shows its layer: its files are not on this machine yet, or lack tensors that their config names."""
    folders = _folders(target)
    return not folders or any(mtp_layer(folder).missing for folder in folders)


def _folders(target: str) -> list[Path]:
    """The folders of a target's files: its own, or those of the hub's cache."""
    try:
        if Path(target).expanduser().exists():
            return [Path(target).expanduser()]
        cached = in_hub_cache(target, ("config.json",))
    except (OSError, RuntimeError, ValueError, NotImplementedError):
        return []
    return [] if cached is None else [cached]
