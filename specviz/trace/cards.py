"""Cards of a run: its models, drafter, device, number format and versions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The name, size and shape of one model.

    Attributes:
        revision: the commit of a model from the hub, or the first digits of a GGUF file's SHA-256; "" for a local folder.
        weights: the stored format if it is not the one they run in, as "4-bit weights, dequantised to float16"; else "".
    """

    name: str
    architecture: str
    parameters: int
    layers: int
    width: int
    revision: str = ""
    weights: str = ""


@dataclass(frozen=True, slots=True)
class DrafterCard:
    """The drafter of a run. Raises ValueError if the layers or the taps are empty, negative, repeated or not in order.

    Attributes:
        name: as in `Settings.drafter` and on the command line; "none" for plain decoding.
        label: the name shown to people.
        layers: the indices of the target's layers that it drafted with, from 0, in order; None if it used none or they are not known.
        taps: numbers of the target's layers after which its head reads the states, in order: 0 is the embedding, and the number of layers
            stands for the final state; None if it has no head or they are not known.
    """

    name: str
    label: str
    layers: tuple[int, ...] | None = None
    taps: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        for name, indices in (("layers", self.layers), ("taps", self.taps)):
            if indices is not None and (not indices or list(indices) != sorted(set(indices)) or indices[0] < 0):
                raise ValueError(
                    f"the drafter's {name} are {str(indices)[:80]}: they must be different indices in order, from 0 on"
                )


@dataclass(frozen=True, slots=True)
class PairCard:
    """The models, the drafter, the device and number format, the versions. `draft` is None without a draft model. Raises
    ValueError if the drafter uses a layer that the target does not have, or reads one.

    Attributes:
        notes: one sentence for each fast or indirect path that was set aside, because it differed from the model's own plain pass,
            and for each thing in the models' files that is not used.
    """

    target: ModelCard
    draft: ModelCard | None
    drafter: DrafterCard
    device: str
    dtype: str
    versions: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.drafter.layers is not None and self.drafter.layers[-1] >= self.target.layers:
            raise ValueError(
                f"the drafter uses layer {self.drafter.layers[-1]}, and the target has {self.target.layers}"
            )
        if self.drafter.taps is not None and self.drafter.taps[-1] > self.target.layers:
            raise ValueError(
                f"the drafter's head reads after layer {self.drafter.taps[-1]}, and the target has {self.target.layers}"
            )
